"""Walking trees of nodes without recursion, so that 100,000 levels are no different from three."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.compare.paths import child, row_of
from detcheck.compare.scalars import key, of_lane
from detcheck.model.record import Group, Items, Lanes, Node, Record, Scalar

_LIST, _GROUP, _CLOSE = ("[",), ("{",), ("]",)


class TooMuch(Exception):
    """A budget of nodes is used up: what was to be decided by content is decided by place."""


class Budget:
    """How many nodes may be looked at again to pair lists by content; nested lists would cost their square."""

    def __init__(self, nodes: int = 500_000) -> None:
        self.nodes = nodes

    def spend(self, nodes: int) -> None:
        """Raises TooMuch when nothing is left."""
        self.nodes -= nodes
        if self.nodes < 0:
            raise TooMuch


def leaves(node: Node) -> int:
    """How many values a tree holds."""
    count, stack = 0, [node]
    while stack:
        one = stack.pop()
        if isinstance(one, Scalar):
            count += 1
        elif isinstance(one, Group):
            stack.extend(one.items.values())
        elif isinstance(one, Items):
            stack.extend(one.items)
        else:
            count += one.rows * len(one.lanes)
    return count


def scalars(node: Node, path: str = "") -> Iterator[tuple[str, Scalar]]:
    """Every value with its path, list items by index, in the order of the source."""
    stack: list[tuple[str, Node]] = [(path, node)]
    while stack:
        where, one = stack.pop()
        if isinstance(one, Scalar):
            yield where, one
        elif isinstance(one, Lanes):
            yield from lane_scalars(one, where)
        elif isinstance(one, Group):
            stack.extend((child(where, name), inner) for name, inner in reversed(one.items.items()))
        else:
            stack.extend((f"{where}[{i}]", one.items[i]) for i in range(len(one.items) - 1, -1, -1))


def lane_scalars(lanes: Lanes, path: str) -> Iterator[tuple[str, Scalar]]:
    """The cells of a table held by columns, row by row."""
    for row in range(lanes.rows):
        for name, (kind, values) in lanes.lanes.items():
            yield child(row_of(path, row), name), of_lane(kind, values[row])


def signature(node: Node, budget: Budget | None = None) -> tuple[object, ...]:
    """A flat hashable value, the same for two trees exactly when they are equal; names in any order, lists in theirs.

    Raises TooMuch when the budget ends.
    """
    found: list[object] = []
    stack: list[Node | tuple[str, ...]] = [node]
    while stack:
        one = stack.pop()
        if budget is not None:
            budget.spend(one.rows * len(one.lanes) if isinstance(one, Lanes) else 1)
        if isinstance(one, tuple):
            found.append(one)
        elif isinstance(one, Scalar):
            found.append(key(one))
        elif isinstance(one, Lanes):
            found.extend((name, kind, tuple(values)) for name, (kind, values) in sorted(one.lanes.items()))
            found.append(_CLOSE)
        else:
            found.append(_LIST if isinstance(one, Items) else _GROUP)
            stack.append(_CLOSE)
            if isinstance(one, Items):
                stack.extend(reversed(one.items))
            else:
                for name in sorted(one.items, reverse=True):
                    stack.append(one.items[name])
                    stack.append(("name", name))
    return tuple(found)


def record_signature(record: Record) -> int:
    """One number for the content of a record, its tick left out. Valid within this process only."""
    pieces: list[object] = [(name, key(value)) for name, value in sorted(record.hashes.items())]
    pieces.extend((name, signature(node)) for name, node in sorted(record.rng.items()))
    if record.inputs is not None:
        pieces.append(signature(record.inputs))
    pieces.append(signature(record.fields))
    pieces.extend((event.label, signature(event.fields)) for event in record.events)
    return hash(tuple(pieces))


def record_leaves(record: Record) -> int:
    """How many values a record holds, hashes included."""
    count = len(record.hashes) + leaves(record.fields) + sum(leaves(node) for node in record.rng.values())
    if record.inputs is not None:
        count += leaves(record.inputs)
    return count + sum(leaves(event.fields) + 1 for event in record.events)


def rows_of(lanes: Lanes) -> Items:
    """A table held by columns as a list of rows, for a side that holds it so."""
    return Items(
        [
            Group({name: of_lane(kind, values[row]) for name, (kind, values) in lanes.lanes.items()})
            for row in range(lanes.rows)
        ]
    )


def columns_of(lanes: Lanes) -> Group:
    """A table held by columns as named lists, for a side without a schema."""
    return Group({name: Items([of_lane(kind, v) for v in values]) for name, (kind, values) in lanes.lanes.items()})
