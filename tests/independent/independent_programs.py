"""Programs of the tick language: statements over typed trees.

Part of the second implementation: written from the design pages alone, it imports nothing of detcheck.
"""

from __future__ import annotations

import ast
import warnings
from typing import NamedTuple

from independent_backends import Backend
from independent_kinds import LANE_NAMES, VECTORS, WORDS
from independent_scenario import LANES, Refused, Scenario
from independent_trees import Tree, Trees


class Target(NamedTuple):
    """A column or local, or one lane of it."""

    is_column: bool
    name: str
    lane: int | None


class Assignment(NamedTuple):
    """One target takes the value; two take the two results of sincos."""

    line: int
    targets: tuple[Target, ...]
    value: Tree


class Scatter(NamedTuple):
    """`table[index].column op= value`; op is Add or Sub."""

    line: int
    table: str
    column: str
    index: Tree
    op: str
    value: Tree


class Program:
    """A program's statements, and its guard if any."""

    def __init__(
        self, scenario: Scenario, backend: Backend, own: str, text: str, name: str, where: str | None = None
    ) -> None:
        self.own, self.name, self.text = own, name, text
        self.guard_text = where
        self.guard = None
        if where is not None:
            source = f"({where}\n)"
            guard = Trees(scenario, backend, own, source)
            guard.may_draw = False
            self.guard = guard.tree(ast.parse(source, mode="eval").body, "bool")
        self.scenario = scenario
        self.trees = Trees(scenario, backend, own, text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
        self.statements = [self.statement(node) for node in body]

    def line(self, number: int) -> str:
        """The source of a line, 0 being the guard."""
        return self.text.split("\n")[number - 1].strip() if number else str(self.guard_text)

    def statement(self, node: ast.stmt) -> Assignment | Scatter:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name() as sine, ast.Name() as cosine])], value=value):
                return self.both(node.lineno, (self.target(sine), self.target(cosine)), value)
            case ast.Assign(targets=[target], value=value):
                return self.assignment(node.lineno, self.target(target), value)
            case ast.AugAssign(target=ast.Attribute(value=ast.Subscript(value=ast.Name(id=table))) as target, op=op):
                return self.scatter(node, table, target, type(op).__name__)
            case ast.AugAssign(target=target, op=op, value=value):
                place = self.target(target)
                if self.type_of(place) is None:
                    raise Refused("not assigned before")
                read = ast.parse(ast.unparse(target), mode="eval").body
                return self.assignment(node.lineno, place, ast.copy_location(ast.BinOp(read, op, value), node))
        raise Refused(type(node).__name__)

    def target(self, node: ast.expr) -> Target:
        own = self.scenario.columns[self.own]
        if isinstance(node, ast.Name):
            return Target(node.id in own, node.id, None)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = node.value.id
            type_ = own.get(name) or self.trees.locals.get(name)
            if type_ in VECTORS and node.attr in LANE_NAMES[: LANES[type_]]:
                return Target(name in own, name, LANE_NAMES.index(node.attr))
        raise Refused("target")

    def type_of(self, target: Target) -> str | None:
        """None for a local that is not assigned yet."""
        if target.lane is not None:
            return "num"
        known = self.scenario.columns[self.own] if target.is_column else self.trees.locals
        return known.get(target.name)

    def assignment(self, line: int, target: Target, value: ast.expr) -> Assignment:
        tree = self.trees.tree(value, self.type_of(target))
        if tree.form == "sincos":
            raise Refused("one target for sincos")
        if not target.is_column:
            self.trees.locals.setdefault(target.name, tree.type)
        return Assignment(line, (target,), tree)

    def both(self, line: int, targets: tuple[Target, Target], value: ast.expr) -> Assignment:
        tree = self.trees.tree(value)
        if tree.form != "sincos" or any(self.type_of(target) not in (None, "num") for target in targets):
            raise Refused("two targets")
        for target in targets:
            if not target.is_column:
                self.trees.locals.setdefault(target.name, "num")
        return Assignment(line, targets, tree)

    def scatter(self, node: ast.AugAssign, table: str, target: ast.Attribute, op: str) -> Scatter:
        type_ = self.scenario.columns.get(table, {}).get(target.attr)
        if type_ not in WORDS or table in ("players", "world") or op not in ("Add", "Sub"):
            raise Refused("scatter")
        assert isinstance(target.value, ast.Subscript)
        index = self.trees.index(target.value.slice)
        return Scatter(node.lineno, table, target.attr, index, op, self.trees.tree(node.value, type_))
