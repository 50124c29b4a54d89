"""The accepted syntax as our own tree, untyped, and its canonical arrays for the config hash.

Independent of Python's `ast`, whose shape differs between versions. `place` is where a fault or a trap of the node is
shown: an operator's own character, a name's first one.
"""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.language.constants import spelled
from detcheck.language.places import Place
from detcheck.model.schema import Const

#: JSON-shaped: arrays of strings and arrays
Canonical = list["str | Canonical"]


@dataclass(frozen=True, slots=True)
class Number:
    """A literal, after at most one minus sign."""

    place: Place
    const: Const


@dataclass(frozen=True, slots=True)
class Truth:
    """True or False."""

    place: Place
    value: bool


@dataclass(frozen=True, slots=True)
class Name:
    place: Place
    name: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """`value.name`: a lane, a table's column, or a row's column. `place` is the name's."""

    place: Place
    value: Node
    name: str


@dataclass(frozen=True, slots=True)
class Index:
    """`table[index]`."""

    place: Place
    table: str
    index: Node


@dataclass(frozen=True, slots=True)
class Operation:
    """A prefix or infix operator or a comparison: `op` is a key of functions.OPERATORS, args in source order.

    `and` and `or` have two or more arguments, `if` has three (a, c, b of `a if c else b`).
    """

    place: Place
    op: str
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Call:
    place: Place
    name: str
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Bad:
    """Something a fault has been reported for."""

    place: Place


Node = Number | Truth | Name | Attribute | Index | Operation | Call | Bad


@dataclass(frozen=True, slots=True)
class Statement:
    """`target = value`, `target op= value` (op without the `=`, "" for a plain one), `s, c = value` (two targets).

    `place` is the first target's, `op_place` that of the `=` or `op=`.
    """

    place: Place
    op_place: Place
    op: str
    targets: tuple[Node, ...]
    value: Node


def canonical(node: Node) -> Canonical:
    """Prefix arrays with names as written; layout, comments, parentheses and number spelling leave no trace."""
    match node:
        case Number():
            return [*spelled(node.const)]
        case Truth():
            return ["bool", "1" if node.value else "0"]
        case Name():
            return ["name", node.name]
        case Attribute():
            return [".", canonical(node.value), node.name]
        case Index():
            return ["[]", node.table, canonical(node.index)]
        case Operation():
            return [node.op, *(canonical(arg) for arg in node.args)]
        case Call():
            return ["call", node.name, *(canonical(arg) for arg in node.args)]
        case Bad():
            raise ValueError("a faulty program has no canonical form")


def canonical_statement(statement: Statement) -> Canonical:
    """["=", target, value], ["+=", target, value], or ["=", target, target, value]."""
    targets = [canonical(target) for target in statement.targets]
    return [f"{statement.op}=", *targets, canonical(statement.value)]
