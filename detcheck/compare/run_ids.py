"""The id of a game, match or session in every record: sides that differ in it from the first record on are two runs."""

from __future__ import annotations

from detcheck.compare.diff import Diff
from detcheck.dumps.names import plain, word_set
from detcheck.errors import visible
from detcheck.model.record import Record, Scalar

_IDS = word_set(
    "gameid sessionid session matchid match roomid lobbyid replayid gameguid matchguid sessionguid gameuuid matchuuid "
    "sessionuuid"
)
_MOST = 8
#: ticks after which ids that never change are those of the whole file
_ENOUGH = 256


class RunIds:
    """Watches the ids that differ at the first common tick: several values on a side, and they name no run."""

    def __init__(self) -> None:
        self.unlike: dict[str, tuple[str, str]] = {}
        self.ticks = 0

    def see(self, a: Record, b: Record, diff: Diff, first: bool) -> None:
        """The records of one tick, and what differs in them."""
        if first:
            found = [f for f in diff.found["field"] if f.kind == "value" and plain(f.path) in _IDS]
            self.unlike = {f.path: (f.a.text, f.b.text) for f in found[:_MOST] if f.path in a.fields.items}
        elif self.unlike:
            self.ticks += 1
            self.unlike = {
                name: texts for name, texts in self.unlike.items() if (_text(a, name), _text(b, name)) == texts
            }

    @property
    def sure(self) -> bool:
        """Whether enough has been seen to know that the sides are two runs."""
        return bool(self.unlike) and self.ticks >= _ENOUGH

    @property
    def words(self) -> list[str]:
        """`game_id: m-1 / m-2` for each."""
        return [f"{visible(name, 80)}: {visible(a, 80)} / {visible(b, 80)}" for name, (a, b) in self.unlike.items()]


def _text(record: Record, name: str) -> str | None:
    node = record.fields.items.get(name)
    return node.text if isinstance(node, Scalar) else None
