"""The front of the language: a program's text to a typed tree, all its faults reported together."""

from __future__ import annotations

import re
from dataclasses import dataclass

from detcheck.errors import DetcheckError
from detcheck.language.accept import Acceptor, parse_line
from detcheck.language.expressions import type_wanted
from detcheck.language.functions import BACKENDS
from detcheck.language.nodes import Canonical, Name, Node, Statement, canonical, canonical_statement
from detcheck.language.places import Origin, Report
from detcheck.language.scan import LogicalLine, logical_lines
from detcheck.language.scope import Env, Scope, make_scope
from detcheck.language.statements import poison_name, type_statement
from detcheck.language.typed import Expr, Step
from detcheck.model.schema import TableSpec

__all__ = ["Env", "Origin", "ProgramTree", "analyse"]

_TARGETS = re.compile(r"([A-Za-z_]\w*)\s*(?:,\s*([A-Za-z_]\w*)\s*)?=(?!=)", re.ASCII)


@dataclass(frozen=True)
class ProgramTree:
    """A program that has no fault: one system or setup program, for any backend.

    own_table   "world" for a world program
    statements, guard_node   the accepted syntax; steps, guard the same, typed
    backends    ids of the backends that have every op used, in the order of functions.BACKENDS
    """

    name: str
    own_table: str
    origin: Origin
    guard_origin: Origin | None
    statements: tuple[Statement, ...]
    guard_node: Node | None
    steps: tuple[Step, ...]
    guard: Expr | None
    backends: tuple[str, ...]
    text_rows: int
    guard_rows: int

    def canonical(self) -> Canonical:
        """The statements as prefix arrays, for the config hash."""
        return [canonical_statement(statement) for statement in self.statements]

    def canonical_guard(self) -> Canonical | None:
        """The guard as a prefix array, None without a guard."""
        return None if self.guard_node is None else canonical(self.guard_node)


def analyse(
    name: str,
    own_table: TableSpec,
    text: str,
    origin: Origin,
    guard: tuple[str, Origin] | None,
    env: Env,
    faults: list[DetcheckError],
) -> ProgramTree | None:
    """Parse and type a program of `own_table` (world or a table of `env`). Appends every fault; None if there were any.

    `text` and the guard's text hold LF line ends (CRLF is read as LF) and stand verbatim in the file at their origins.
    """
    own_faults: list[DetcheckError] = []
    scope = make_scope(env, own_table, Report(origin, own_faults))
    guard_node, guard_expr = (None, None) if guard is None else _guard(scope, guard, own_faults)
    text = text.replace("\r\n", "\n")
    statements, steps = _body(scope, text)
    backends = _backends(scope)
    faults.extend(own_faults)
    if own_faults:
        return None
    guard_text, guard_origin = guard or ("", None)
    return ProgramTree(
        name,
        own_table.name,
        origin,
        guard_origin,
        statements,
        guard_node,
        steps,
        guard_expr,
        backends,
        text.count("\n") + 1,
        guard_text.count("\n") + 1,
    )


def _body(scope: Scope, text: str) -> tuple[tuple[Statement, ...], tuple[Step, ...]]:
    report = scope.report
    lines = logical_lines(text, report)
    if not lines and not report.faults:
        report.add(
            "empty", "the program has no statement", report.origin.place(0, 0), "leave it out, or assign something"
        )
    for number, line in enumerate(lines):
        for name in _assigned(line):
            scope.later.setdefault(name, number)
    statements, steps = [], []
    indent, may_vary = None, False
    for line in lines:
        if line.indent is not None and line.row > 0 and not may_vary:
            indent = line.indent if indent is None else indent
            may_vary = _check_indent(line, indent, report)
        statement = _statement(line, report)
        may_vary = may_vary or line.text.endswith(":")
        if statement is None:
            for name in _assigned(line):
                poison_name(scope, name)
            continue
        step = type_statement(scope, statement)
        statements.append(statement)
        if step is not None:
            steps.append(step)
        elif isinstance(statement.targets[0], Name):
            poison_name(scope, statement.targets[0].name)
    return tuple(statements), tuple(steps)


def _check_indent(line: LogicalLine, indent: str, report: Report) -> bool:
    """Statements stand below each other, however far in; true once they do not (one fault a program is enough).

    The text's first line is free: it may follow the opening quotes.
    """
    if line.indent == indent:
        return False
    hint = "there are no blocks: statements stand in one column (only text on the line of the opening quotes is free)"
    report.add("syntax", "the statement is indented unlike the others", line.place_in(report, 0, 0), hint)
    return True


def _statement(line: LogicalLine, report: Report) -> Statement | None:
    tree = None if line.broken else parse_line(line, report)
    return None if tree is None else Acceptor(line, report).statement(tree)


def _assigned(line: LogicalLine) -> list[str]:
    """The names that a line seems to assign, faulty or not."""
    found = _TARGETS.match(line.text)
    return [] if found is None else [name for name in found.groups() if name is not None]


def _guard(scope: Scope, guard: tuple[str, Origin], faults: list[DetcheckError]) -> tuple[Node | None, Expr | None]:
    text, origin = guard
    report, body_report = Report(origin, faults), scope.report
    lines = logical_lines(text.replace("\r\n", "\n"), report)
    if not lines:
        if not faults:
            report.add("empty", "the guard is empty", origin.place(0, 0), "leave `where` out to run on every row")
        return None, None
    if len(lines) > 1:
        message = "a guard is one expression"
        report.add(
            "syntax", message, lines[1].place_in(report, 0, 0), "join conditions with `and`, in brackets over lines"
        )
        return None, None
    node = _guard_node(lines[0], report)
    if node is None:
        return None, None
    scope.report, scope.in_guard = report, True
    expr = type_wanted(scope, node, ("bool",), "a guard")
    scope.report, scope.in_guard = body_report, False
    return node, expr


def _guard_node(line: LogicalLine, report: Report) -> Node | None:
    import ast

    tree = None if line.broken else parse_line(line, report)
    if tree is None:
        return None
    if not isinstance(tree, ast.Expr):
        report.add("syntax", "a guard is a bool expression", line.place_in(report, 0, 0), "compare with ==, <, ...")
        return None
    return Acceptor(line, report).expression(tree.value)


def _backends(scope: Scope) -> tuple[str, ...]:
    """The backends that have all constructs used; a program that no backend can run is a fault."""
    left: tuple[str, ...] = BACKENDS
    narrowed = ""
    for place, what, backends in scope.limits:
        remaining = tuple(one for one in left if one in backends)
        if left and not remaining:
            message = f"`{what}` exists only on {' and '.join(backends)}, {narrowed} only on {' and '.join(left)}"
            scope.report.add("backend", message, place, "no backend can run this program: split the scenario in two")
        if remaining != left:
            narrowed = f"`{what}` of line {place.line}"
        left = remaining
    return left
