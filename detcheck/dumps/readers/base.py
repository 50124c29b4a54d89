"""What every reader is: a name, a sniff over a sample, and a function from one opened side to records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from detcheck.dumps.names import is_surely_writer
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.sample import Sample
from detcheck.dumps.settle import WINDOW
from detcheck.dumps.streams import Lines, Stream
from detcheck.dumps.twins import Twins
from detcheck.errors import DetcheckError, Where
from detcheck.model.record import Group, HashBlock, Items, Node, Record, Scalar, Skipped, Source


@dataclass(frozen=True)
class Fit:
    """How well a reader fits a sample: 0 not at all, 100 beyond doubt. `why` goes into the output."""

    score: int
    why: str = ""


NO_FIT = Fit(0)
_LARGE_SAMPLE = 1_000_000


@dataclass
class Side:
    """One opened stream while it is read. The reader fills the source's head, writer and remarks as it goes.

    `state` is the reader's own, for what it has found out so far.
    """

    name: str
    stem: str
    stream: Stream
    sample: Sample
    options: ReadOptions
    source: Source
    skipped: Skipped | None = None
    head_lines: int = 0
    state: dict[str, object] = field(default_factory=dict)

    def lines(self) -> Lines:
        """The stream as lines; call once."""
        jump = (self.head_lines, self.skipped.lines) if self.skipped else None
        lines = Lines(self.stream, self.name, self.options, jump)
        self.state["lines"] = lines
        twins = self.state.get("twins")
        if isinstance(twins, Twins):
            twins.join(lines)
        return lines

    def slim(self) -> None:
        """Lets go of a large sample: a first line of 16 MB is held five times over by it."""
        if len(self.sample.data) > _LARGE_SAMPLE:
            few = tuple(line for line in self.sample.content[:4] if len(line) < _LARGE_SAMPLE)
            self.sample = replace(self.sample, data=b"", text="", lines=few, cut_line="", content=few)

    def taken(self) -> int:
        """How many bytes of lines have been read."""
        lines = self.state.get("lines")
        return lines.taken if isinstance(lines, Lines) else 0

    def remark(self, text: str) -> None:
        """Adds a remark once."""
        if text not in self.source.remarks:
            self.source.remarks.append(text)

    def fault(self, code: str, message: str, line: int | None = None, hint: str | None = None) -> DetcheckError:
        """A fault in this side."""
        return DetcheckError(code, message, Where(self.name, line), hint)

    def head(self, path: str, node: Node) -> None:
        """Keeps what decides comparability, every value below `node` by its path."""
        for key, scalar in scalars(path, node):
            self.source.head.setdefault(key, scalar)

    def writer(self, path: str, node: Node) -> None:
        """Keeps what names the writer."""
        for key, scalar in scalars(path, node):
            self.source.writer.setdefault(key, scalar)


@dataclass(frozen=True)
class Reader:
    """One shape.

    head_lines how many lines in front are no record; with it a pair may skip the equal lines that follow.
               None: the reader cannot start in the middle of a file
    window     how many records a rollback may compute again; `settled` readers do that themselves
    blocks     the same stream with hashes in bulk
    tick_of    the tick of a line that is a record by itself; with it a pair may step over equal lines anywhere
    """

    name: str
    sniff: Callable[[Sample], Fit]
    open: Callable[[Side], Iterator[Record]]
    head_lines: Callable[[Sample], int] | None = None
    window: int = WINDOW
    settled: bool = False
    blocks: Callable[[Side], Iterator[HashBlock | Record]] | None = None
    tick_of: Callable[[bytes, Side], int | None] | None = None


def scalars(path: str, node: Node, limit: int = 10_000) -> list[tuple[str, Scalar]]:
    """(path, Scalar) of every value below a node, at most `limit`."""
    found: list[tuple[str, Scalar]] = []
    stack: list[tuple[str, Node]] = [(path, node)]
    while stack and len(found) < limit:
        at, one = stack.pop()
        if isinstance(one, Scalar):
            found.append((at, one))
        elif isinstance(one, Group):
            stack.extend((f"{at}.{name}" if at else name, child) for name, child in reversed(one.items.items()))
        elif not hasattr(one, "lanes"):
            stack.extend((f"{at}[{i}]", child) for i, child in reversed(list(enumerate(one.items))))
    return found


def put(items: dict[str, Node], name: str, node: Node) -> str:
    """Adds a child; a repeated name is kept apart as name#2, name#3. Returns the name used."""
    used = free_name(items, name)
    items[used] = node
    return used


def tick_or_itself(record: Record) -> int | tuple[int, int]:
    """Records without a tick are never of one group."""
    return record.tick if record.tick is not None else (id(record), record.line)


def inputs_of(record: Record, label: str) -> dict[str, Node]:
    """The inputs of a row under names that tell which row they are of, as `commands[player=2]`."""
    if record.inputs is None:
        return {}
    named = record.inputs.items if isinstance(record.inputs, Group) else {"inputs": record.inputs}
    return {f"{name}[{label}]": node for name, node in named.items()}


def shared_writers(held: Sequence[Record]) -> dict[str, Node]:
    """Takes out of the rows of a tick what all of them name their writer by: it is said of the tick, once."""
    found: dict[str, Node] = {}
    for name in [name for name in held[0].fields.items if is_surely_writer(name)]:
        nodes = [record.fields.items.get(name) for record in held]
        first = nodes[0]
        if isinstance(first, Scalar) and all(node == first for node in nodes):
            found[name] = first
            for record in held:
                del record.fields.items[name]
    return found


def record_of_rows(held: Sequence[Record], name: str, key: str | None, unkeyed: str = "") -> Record:
    """One record of the rows of a tick, in a list of that name.

    Generators and inputs of a row are labelled by its `key`, or by its place with `unkeyed` in front.
    """
    result = Record(held[0].tick, held[0].line)
    writers = shared_writers(held)
    rows: list[Node] = []
    inputs: dict[str, Node] = {}
    for place, record in enumerate(held):
        keyed = record.fields.items.get(key) if key is not None else None
        label = f"{key}={keyed.text}" if isinstance(keyed, Scalar) else f"{unkeyed}{place}"
        rows.append(Group({**record.fields.items, **record.hashes}))
        for stream, node in record.rng.items():
            result.rng[f"{stream}[{label}]"] = node
        inputs.update(inputs_of(record, label))
    if inputs:
        result.inputs = Group(inputs)
    result.fields = Group({**writers, name: Items(rows, key)})
    return result


def free_name(items: Mapping[str, object], name: str) -> str:
    """`name`, or the first of name#2, name#3 … that is not taken (found by doubling: there may be very many)."""
    if name not in items:
        return name
    high = 2
    while f"{name}#{high}" in items:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if f"{name}#{middle}" in items:
            low = middle
        else:
            high = middle
    return f"{name}#{high}"
