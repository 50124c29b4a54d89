"""`--only PATH`: which parts and lanes of a state a dump holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from detcheck.dumps.state_record import lane_names
from detcheck.errors import DetcheckError, visible
from detcheck.model.schema import TableSpec


@dataclass(frozen=True)
class Selection:
    """The parts (`rng`, `unit.pos`) and lanes (`unit.pos.x`) that were asked for."""

    parts: frozenset[str]
    lanes: frozenset[str]

    def has_part(self, name: str) -> bool:
        """Whether any of the part is asked for."""
        return name in self.parts

    def has_lane(self, name: str) -> bool:
        """Whether the lane is asked for."""
        return name in self.lanes

    @classmethod
    def of(cls, only: Sequence[str], tables: Sequence[TableSpec]) -> Selection:
        """What the paths of `only` name; all of it when there are none.

        A path is a table, a column, a lane or `rng`, `*` and `?` standing for any characters. Raises DetcheckError
        `dump.only` for one that names nothing, or a row: a dump holds whole columns.
        """
        lanes = dict(_all_lanes(tables))
        parts = ["rng", *dict.fromkeys(lanes.values())]
        if not only:
            return cls(frozenset(parts), frozenset(lanes))
        chosen_lanes: set[str] = set()
        chosen_parts: set[str] = set()
        for path in only:
            found = {name for name, part in lanes.items() if _names(path, name, part)}
            rng = fnmatchcase("rng", path)
            if not found and not rng:
                raise _nothing(path, parts)
            chosen_lanes |= found
            chosen_parts |= {lanes[name] for name in found} | ({"rng"} if rng else set())
        return cls(frozenset(chosen_parts), frozenset(chosen_lanes))


def _all_lanes(tables: Sequence[TableSpec]) -> Iterator[tuple[str, str]]:
    for table in tables:
        for name, column, _, _ in lane_names(table):
            yield f"{table.name}.{name}", f"{table.name}.{column}"


def _names(path: str, lane: str, part: str) -> bool:
    return any(fnmatchcase(name, path) for name in (lane, part, part.partition(".")[0]))


def _nothing(path: str, parts: Sequence[str]) -> DetcheckError:
    if re.search(r"\[\d+\]", path):
        without = re.sub(r"\[\d+\]", "", path)
        return DetcheckError(
            "dump.only",
            f"--only {visible(path)} names one row, a dump holds whole columns",
            hint=f"use --only {visible(without)}",
        )
    return DetcheckError(
        "dump.only",
        f"--only {visible(path)} names nothing of this state",
        hint=f"its parts are: {visible(', '.join(parts), 600)}",
    )
