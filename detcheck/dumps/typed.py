"""`--types 'unit.*.pos=f32'`: what numbers at some paths really are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from detcheck.dumps import tokens
from detcheck.dumps.options import TypeRule
from detcheck.errors import visible
from detcheck.model.record import Group, Items, Lanes, Node, Record, Scalar

_LANE_KINDS = {"f32": "f32", "f64": "f64", "q16": "q16", "i32": "int", "u32": "int"}


def typed(records: Iterator[Record], rules: tuple[TypeRule, ...], remarks: list[str]) -> Iterator[Record]:
    """The records with the rules applied to their fields, generators and inputs; values that are none are told."""
    told = tuple(_Told(rule.pattern, rule.kind, remarks=remarks) for rule in rules)
    for record in records:
        _walk(record.fields, (), told)
        for name, node in record.rng.items():
            record.rng[name] = _one(node, (name,), told)
        if record.inputs is not None:
            record.inputs = _one(record.inputs, tuple(filter(None, (record.inputs_path,))), told)
        yield record


@dataclass(frozen=True)
class _Told(TypeRule):
    """A rule that says, once, where a value is none of its type: nothing is rounded in silence."""

    remarks: list[str] = field(default_factory=list, compare=False)
    seen: list[str] = field(default_factory=list, compare=False)

    def misses(self, node: Scalar, path: tuple[str, ...]) -> None:
        """Says it of the first value."""
        if self.seen or node.kind in (self.kind, "null", "bool", "absent"):
            return
        self.seen.append(node.text)
        self.remarks.append(
            f"--types: {visible('.'.join(path), 120)} is {visible(node.text, 60)}, which is no value of {self.kind}; "
            "such values are compared as they are written"
        )


def _one(node: Node, path: tuple[str, ...], rules: tuple[_Told, ...]) -> Node:
    if isinstance(node, Scalar):
        rule = _rule(path, rules)
        if rule is None:
            return node
        found = tokens.retyped(node, rule.kind)
        if found is node:
            rule.misses(node, path)
        return found
    _walk(node, path, rules)
    return node


def _walk(root: Node, path: tuple[str, ...], rules: tuple[_Told, ...]) -> None:
    """Changes scalars in place, without recursion."""
    stack: list[tuple[Node, tuple[str, ...]]] = [(root, path)]
    while stack:
        node, at = stack.pop()
        if isinstance(node, Group):
            for name, child in node.items.items():
                if isinstance(child, Scalar):
                    node.items[name] = _one(child, (*at, name), rules)
                else:
                    stack.append((child, (*at, name)))
        elif isinstance(node, Items):
            for place, child in enumerate(node.items):
                if isinstance(child, Scalar):
                    node.items[place] = _one(child, (*at, f"[{place}]"), rules)
                else:
                    stack.append((child, (*at, f"[{place}]")))
        elif isinstance(node, Lanes):
            for name, (_, values) in node.lanes.items():
                rule = _rule((*at, *name.split(".")), rules)
                kind = _LANE_KINDS.get(rule.kind) if rule else None
                if kind:
                    node.lanes[name] = (kind, values)


def _rule(path: tuple[str, ...], rules: tuple[_Told, ...]) -> _Told | None:
    return next((rule for rule in rules if fits(rule.pattern, path)), None)


def fits(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Places in lists may be left out of a pattern, or stand as `*`; a pattern covers what lies below it (pos.x)."""
    names = tuple(name for name in path if not name.startswith("["))
    return _covers(pattern, names) or _covers(pattern, path)


def _covers(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    states = {0}
    for name in (*path, ""):
        for state in sorted(states):
            while state < len(pattern) and pattern[state] == "**":
                state += 1
                states.add(state)
        if len(pattern) in states:
            return True
        states = {
            state if pattern[state] == "**" else state + 1
            for state in states
            if pattern[state] == "**" or fnmatchcase(name.strip("[]"), pattern[state])
        }
    return False
