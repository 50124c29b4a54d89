"""Python's syntax tree of one logical line, accepted node by node into our own tree.

What Python's parser raises on hostile text becomes a fault; what it accepts beyond the tick language is refused here,
with what would be right.
"""

from __future__ import annotations

import ast
import re
import warnings
from fractions import Fraction

from detcheck.errors import visible
from detcheck.language.constants import negated, parse_decimal
from detcheck.language.nodes import Attribute, Bad, Call, Index, Name, Node, Number, Operation, Statement, Truth
from detcheck.language.places import Place, Report
from detcheck.language.refusals import REFUSED_NODES, REFUSED_WORDS
from detcheck.language.scan import MAX_DEPTH, LogicalLine
from detcheck.model.schema import Const

_BINARY: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_COMPARE: dict[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_UNARY: dict[type[ast.AST], str] = {ast.USub: "neg", ast.Invert: "~", ast.Not: "not"}
_LOGIC: dict[type[ast.AST], str] = {ast.And: "and", ast.Or: "or"}

_FIRST_WORD = re.compile(r"@|[A-Za-z_]\w*", re.ASCII)


class _Refused(Exception):
    """A fault was reported; the node that holds it is Bad."""


def parse_line(line: LogicalLine, report: Report) -> ast.stmt | None:
    """Python's tree of a logical line, at most MAX_DEPTH deep; None after a fault."""
    word = _FIRST_WORD.match(line.text)
    if word is not None and word.group() in REFUSED_WORDS:
        message, hint = REFUSED_WORDS[word.group()]
        report.add("syntax", message, line.place_in(report, 0, 0), hint)
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(line.text).body
    except SyntaxError as error:
        message = visible(error.msg or "invalid syntax").rstrip(".")
        report.add("syntax", f"not in the tick language: {message}", _error_place(error, line, report))
        return None
    except (MemoryError, RecursionError):
        _too_deep(line.place_in(report, 0, 0), report)
        return None
    except ValueError as error:
        report.add("syntax", f"not in the tick language: {visible(error)}", line.place_in(report, 0, 0))
        return None
    if len(body) != 1:  # a logical line is one statement; kept so that no text can slip through
        report.add("syntax", "one statement a line", line.place_in(report, 0, 0))
        return None
    return body[0] if _is_shallow(body[0], line, report) else None


def _too_deep(place: Place, report: Report) -> None:
    message = f"the expression nests more than {MAX_DEPTH} deep"
    report.add("limit", message, place, "keep a part of it in a local: name = ...")


def _error_place(error: SyntaxError, line: LogicalLine, report: Report) -> Place:
    rows = line.text.split("\n")
    row = min(max((error.lineno or 1) - 1, 0), len(rows) - 1)
    offset = min(max((error.offset or 1) - 1, 0), len(rows[row]))
    return line.place_in(report, row, offset)


def _is_shallow(statement: ast.stmt, line: LogicalLine, report: Report) -> bool:
    """Whether no expression is more than MAX_DEPTH nodes deep; walks without recursion."""
    pending: list[tuple[ast.AST, int]] = [(child, 1) for child in ast.iter_child_nodes(statement)]
    while pending:
        node, depth = pending.pop()
        if depth > MAX_DEPTH:
            place = line.place_in(report, 0, 0)
            if isinstance(node, ast.expr):
                place = line.place_in(report, node.lineno - 1, node.col_offset)
            _too_deep(place, report)
            return False
        is_expression = isinstance(node, ast.expr)
        pending.extend(
            (child, depth + isinstance(child, ast.expr) if is_expression else depth)
            for child in ast.iter_child_nodes(node)
        )
    return True


class Acceptor:
    """Turns the trees of one logical line into nodes; every refused part is reported once and becomes Bad."""

    def __init__(self, line: LogicalLine, report: Report) -> None:
        self.line = line
        self.report = report
        self.rows = line.text.split("\n")

    def place(self, node: ast.expr | ast.stmt) -> Place:
        return self.line.place_in(self.report, node.lineno - 1, node.col_offset)

    def refuse(
        self, node: ast.expr | ast.stmt, message: str, hint: str | None = None, place: Place | None = None
    ) -> None:
        self.report.add("syntax", message, place or self.place(node), hint)

    def statement(self, tree: ast.stmt) -> Statement | None:
        """The statement, perhaps with Bad parts; None when it is none of ours."""
        match tree:
            case ast.Assign():
                targets = self.targets(tree)
                value = self.expression(tree.value)
                if targets is None:
                    return None
                return Statement(self.place(tree), self._operator(tree.targets[0], "="), "", targets, value)
            case ast.AugAssign():
                op = _BINARY.get(type(tree.op))
                if op is None:
                    self.refuse(tree, f"there is no `{_symbol(tree.op)}=`")
                    return None
                place = self._operator(tree.target, f"{op}=")
                target, value = self.expression(tree.target), self.expression(tree.value)
                return Statement(self.place(tree), place, op, (target,), value)
            case ast.Expr():
                is_equality = isinstance(tree.value, ast.Compare) and isinstance(tree.value.ops[0], ast.Eq)
                hint = "one `=` assigns, `==` compares" if is_equality else "keep the value in a column or a local"
                self.refuse(tree, "a statement assigns: `name = expression`", hint)
            case _:
                message, hint = REFUSED_NODES.get(
                    type(tree).__name__, ("this is no statement of the tick language", "")
                )
                self.refuse(tree, message, hint or "a statement is `name = e`, `name op= e` or `s, c = sincos(a)`")
        return None

    def targets(self, tree: ast.Assign) -> tuple[Node, ...] | None:
        if len(tree.targets) != 1:
            self.refuse(tree.targets[1], "one `=` a statement", "assign twice, in two statements")
            return None
        target = tree.targets[0]
        if not isinstance(target, ast.Tuple):
            return (self.expression(target),)
        if len(target.elts) != 2:
            self.refuse(target, "only `s, c = sincos(a)` has several targets, exactly two")
            return None
        return tuple(self.expression(element) for element in target.elts)

    def expression(self, tree: ast.expr) -> Node:
        """The node, or Bad after a fault. Recursion is bounded by MAX_DEPTH."""
        try:
            return self._expression(tree)
        except _Refused:
            return Bad(self.place(tree))

    def _expression(self, tree: ast.expr) -> Node:
        match tree:
            case ast.Constant():
                return self._constant(tree)
            case ast.Name():
                return Name(self.place(tree), tree.id)
            case ast.Attribute():
                return self._attribute(tree)
            case ast.Subscript():
                return self._index(tree)
            case ast.UnaryOp() if type(tree.op) in _UNARY:
                return self._unary(tree)
            case ast.BinOp() if type(tree.op) in _BINARY:
                op = _BINARY[type(tree.op)]
                args = (self.expression(tree.left), self.expression(tree.right))
                return Operation(self._operator(tree.left, op), op, args)
            case ast.Compare():
                return self._compare(tree)
            case ast.BoolOp():
                return self._logic(tree)
            case ast.IfExp():
                parts = (tree.body, tree.test, tree.orelse)
                return Operation(self.place(tree), "if", tuple(self.expression(part) for part in parts))
            case ast.Call():
                return self._call(tree)
            case ast.BinOp() | ast.UnaryOp():
                message, hint = REFUSED_NODES[type(tree.op).__name__]
                place = self._operator(tree.left, _symbol(tree.op)) if isinstance(tree, ast.BinOp) else None
                self.refuse(tree, message, hint, place)
            case _:
                message, hint = REFUSED_NODES.get(type(tree).__name__, ("this is not in the tick language", ""))
                self.refuse(tree, message, hint or None)
        raise _Refused

    def _constant(self, tree: ast.Constant) -> Node:
        place = self.place(tree)
        if isinstance(tree.value, bool):
            return Truth(place, tree.value)
        text = self.rows[tree.lineno - 1][tree.col_offset : tree.end_col_offset]
        if isinstance(tree.value, int):
            return Number(place, Const("i", Fraction(_whole(text))))
        if isinstance(tree.value, float):
            try:
                return Number(place, parse_decimal(text))
            except ValueError as error:
                self.report.add("constant", f"the decimal {error}", place)
                raise _Refused from None
        self.refuse(
            tree, f"`{visible(text)}` is not in the tick language", "constants are integers, decimals, True, False"
        )
        raise _Refused

    def _attribute(self, tree: ast.Attribute) -> Node:
        value = self.expression(tree.value)
        end_row, end = (tree.end_lineno or 1) - 1, tree.end_col_offset or 0
        return Attribute(self.line.place_in(self.report, end_row, end - len(tree.attr)), value, tree.attr)

    def _index(self, tree: ast.Subscript) -> Node:
        if not isinstance(tree.value, ast.Name):
            self.refuse(tree.value, "only a table has rows to index: `unit[i].pos`")
        elif isinstance(tree.slice, ast.Slice | ast.Tuple | ast.Starred):
            self.refuse(tree.slice, "a row has one index: `unit[i].pos`")
        else:
            return Index(self.place(tree.value), tree.value.id, self.expression(tree.slice))
        raise _Refused

    def _unary(self, tree: ast.UnaryOp) -> Node:
        op = _UNARY[type(tree.op)]
        operand = self.expression(tree.operand)
        if op == "neg" and isinstance(operand, Number) and isinstance(tree.operand, ast.Constant):
            return Number(self.place(tree), negated(operand.const))
        return Operation(self.place(tree), op, (operand,))

    def _compare(self, tree: ast.Compare) -> Node:
        left, right = tree.left, tree.comparators[0]
        op = _COMPARE.get(type(tree.ops[0]))
        if op is None:
            message, hint = REFUSED_NODES[type(tree.ops[0]).__name__]
            self.refuse(tree, message, hint)
            raise _Refused
        place = self._operator(left, op)
        if len(tree.ops) > 1:
            self.refuse(tree, "comparisons do not chain", "write `a < b and b < c`", place)
            raise _Refused
        return Operation(place, op, (self.expression(left), self.expression(right)))

    def _logic(self, tree: ast.BoolOp) -> Node:
        """`a and b and c` and `(a and b) and c` are one node: the parentheses say nothing new."""
        op = _LOGIC[type(tree.op)]
        args = [self.expression(value) for value in tree.values]
        first = args[0]
        if isinstance(first, Operation) and first.op == op:
            args[:1] = first.args
        return Operation(self._operator(tree.values[0], op), op, tuple(args))

    def _call(self, tree: ast.Call) -> Node:
        if not isinstance(tree.func, ast.Name):
            self.refuse(tree.func, "only a function's name can be called")
            raise _Refused
        for keyword in tree.keywords[:1]:
            self.refuse(keyword.value, "arguments have no names", "write them in the function's order")
        for arg in tree.args:
            if isinstance(arg, ast.Starred):
                self.refuse(arg, "`*` does not spread arguments", "write them one by one")
        args = tuple(self.expression(arg) for arg in tree.args if not isinstance(arg, ast.Starred))
        if tree.keywords or len(args) != len(tree.args):
            raise _Refused
        return Call(self.place(tree), tree.func.id, args)

    def _operator(self, left: ast.expr, symbol: str) -> Place:
        """The operator's own place: between it and its left operand stand only brackets and white space."""
        row, offset = (left.end_lineno or 1) - 1, left.end_col_offset or 0
        while row < len(self.rows):
            found = self.rows[row].find(symbol, offset)
            if found >= 0:
                return self.line.place_in(self.report, row, found)
            row, offset = row + 1, 0
        return self.place(left)


def _symbol(op: ast.AST) -> str:
    return {"Pow": "**", "MatMult": "@"}.get(type(op).__name__, "?")


def _whole(text: str) -> int:
    """A decimal, 0x, 0o or 0b integer of at most 64 characters."""
    return int(text.replace("_", ""), 0) if text[:2].lower() in ("0x", "0o", "0b") else int(text.replace("_", ""))
