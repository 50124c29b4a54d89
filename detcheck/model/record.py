"""What a dump reader yields and the comparison consumes: one record a tick, its fields as a tree of small nodes.

Node = Scalar | Group | Items | Lanes. Readers of every shape produce these; the comparison knows no shape.

What a reader promises of the stream of records:
- sessions come one after another, and within a session ticks rise: a reader has already settled resimulation after a
  rollback (the last value of a tick counts, a remark names the ticks). Records without a tick stand for their place.
- paths, as in `Record.derived` and `--types`: `a.b` a child of a Group, `a[key=value]` an item of keyed Items, `a[3]`
  an item without a key; `value` is the text of the key's Scalar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value as it was written, and what it means.

    kind      value
    int       int, exact, any size
    float     float (binary64) of the token; `text` keeps the token
    f32       int, a binary32 bit pattern (tagged tokens such as f32:3f000000, typed columns)
    f64       int, a binary64 bit pattern
    q16       int, a Q16.16 raw value
    hash      int, an opaque checksum or hash (text kept as written)
    str       str
    bool      bool
    null      None
    absent    None (only made by the comparison, for the side that lacks a path)
    """

    kind: str
    value: int | float | str | bool | None
    text: str


@dataclass(slots=True)
class Group:
    """Named children in the order of the source. Repeated names are kept apart by the reader as name, name#2, ..."""

    items: dict[str, "Node"]


@dataclass(slots=True)
class Items:
    """A list. `key` names the child by which rows are paired ("id"), when the reader or an option knows it;
    None leaves the choice to the comparison."""

    items: list["Node"]
    key: str | None = None


@dataclass(slots=True)
class Lanes:
    """A table held by columns: `lanes` maps "pos.x" to (kind, values), kind as in Scalar (i32 and u32 are `int`).

    Paths of its findings read `<table>[row].pos.x`.
    """

    rows: int
    lanes: dict[str, tuple[str, list[int]]]


Node = Scalar | Group | Items | Lanes


@dataclass(slots=True)
class Record:
    """One tick of one side. `tick` is None where the source names none. `line` counts from 1 (0: not line-shaped).

    hashes   name -> Scalar of kind hash ("hash" is the whole state's; parts by name)
    rng      generator streams by name -> Group(state words, draws, ...) or Scalar
    inputs   commands and inputs of this tick, a class of their own (a network fault, not arithmetic): a Group by the
             names the source has for them, or a list without a name
    fields   everything else
    events   an ordered stream of trace entries (label, text, fields), aligned with insertions and deletions
    derived  paths that are computed from others (checksums of blocks): reported last
    again    the earlier records of the same tick, in their order; this one, the last, counts
    rows     whether ticks around have several records by rule: all of `again` count as this one does
    cut      where the source ends inside this record: the line, and the record without what that line says
    beside   lines of both sides that are equal byte for byte and were stepped over right before this one
    ends     the last line of the source where this is its last record and nothing in it says that it is whole; else 0
    """

    tick: int | None
    line: int = 0
    session: int = 0
    hashes: dict[str, Scalar] = field(default_factory=dict)
    rng: dict[str, Node] = field(default_factory=dict)
    inputs: Node | None = None
    fields: Group = field(default_factory=lambda: Group({}))
    events: list["Event"] = field(default_factory=list)
    derived: frozenset[str] = frozenset()
    cut: tuple[int, "Record"] | None = None
    again: "Sequence[Record]" = ()
    rows: bool = False
    ends: int = 0
    beside: "Skipped | None" = None

    @property
    def inputs_path(self) -> str:
        """The path below which inputs are told: none where they have names of their own."""
        return "" if isinstance(self.inputs, Group) else "inputs"


@dataclass(slots=True)
class Event:
    """One entry of a trace: `label` is what is aligned on ("droidUpdate > droid5021"), `fields` its parts."""

    label: str
    fields: Group
    line: int = 0
    is_rng: bool = False


@dataclass(slots=True)
class HashBlock:
    """A run of checkpoints of one hash each and nothing else, in bulk: making Records takes longer than reading them.

    ticks    rising, within the block and against what came before in the session
    tokens   the hash of each tick in lower case without 0x; equal hashes are equal tokens, of a pair too
    base     16 or 10: `int(token, base)` is the hash
    line     of the first entry; one entry a line
    """

    ticks: list[int]
    tokens: list[str]
    base: int = 16
    session: int = 0
    line: int = 0

    def record(self, index: int) -> Record:
        """Entry `index` as a Record."""
        token = self.tokens[index]
        hashes = {"hash": Scalar("hash", int(token, self.base), token)}
        return Record(self.ticks[index], self.line + index, self.session, hashes)

    def records(self) -> Iterator[Record]:
        """Every entry as a Record."""
        return (self.record(index) for index in range(len(self.ticks)))


@dataclass(frozen=True)
class Skipped:
    """The head of two files that is equal byte for byte: read at the speed of comparing bytes, no field looked at.

    Both sources go on with the last few records of it (the context), which are not counted here.
    records      how many records were skipped; None when a record is not one line (then `lines` is what is known)
    first_tick, last_tick   of the skipped records, where they name one
    whole        the two files are identical to their ends
    """

    bytes: int
    lines: int
    records: int | None
    first_tick: int | None
    last_tick: int | None
    whole: bool = False


@dataclass
class Source:
    """One opened side: which reader was chosen and why, what the head says, and the records, one at a time.

    `head` holds what decides comparability (game id, session id, map, versions, counts, settings): path -> Scalar.
    `writer` holds what names the writer (peer, player, host): never a difference.
    `remarks` grows while records are read (a cut last line, rollback corrections, sessions, ...).
    `why` says in words what made the reader fit. `wrapping` names what was unwrapped (gzip, zip, utf-16, folder, ...).
    `blocks`, when there, is the same stream as `records` with plain hash entries in bulk: read one of the two.
    `sessions` are the names of those that have one, by their numbers (known when the records have been read).
    `columns` are the columns of values of a table, by its header (known when the first record has been read).
    `skipped`, the same value on both sides of a pair, stands for equal records in front of the first one given here.
    """

    name: str
    reader: str
    records: Iterator[Record]
    head: dict[str, Scalar] = field(default_factory=dict)
    writer: dict[str, Scalar] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    why: str = ""
    wrapping: tuple[str, ...] = ()
    blocks: "Iterator[HashBlock | Record] | None" = None
    columns: frozenset[str] = frozenset()
    skipped: Skipped | None = None
    sessions: dict[int, str] = field(default_factory=dict)
