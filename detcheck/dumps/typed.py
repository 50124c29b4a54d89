"""`--types 'unit.*.pos=f32'`: what numbers at some paths really are."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from detcheck.dumps import tokens
from detcheck.dumps.options import TypeRule
from detcheck.model.record import Group, Items, Lanes, Node, Record, Scalar

_LANE_KINDS = {"f32": "f32", "f64": "f64", "q16": "q16", "i32": "int", "u32": "int"}


def typed(records: Iterator[Record], rules: tuple[TypeRule, ...]) -> Iterator[Record]:
    """The records with the rules applied to their fields, generators and inputs."""
    for record in records:
        _walk(record.fields, (), rules)
        for name, node in record.rng.items():
            record.rng[name] = _one(node, (name,), rules)
        if record.inputs is not None:
            record.inputs = _one(record.inputs, tuple(filter(None, (record.inputs_path,))), rules)
        yield record


def _one(node: Node, path: tuple[str, ...], rules: tuple[TypeRule, ...]) -> Node:
    if isinstance(node, Scalar):
        kind = _kind(path, rules)
        return tokens.retyped(node, kind) if kind else node
    _walk(node, path, rules)
    return node


def _walk(root: Node, path: tuple[str, ...], rules: tuple[TypeRule, ...]) -> None:
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
                kind = _LANE_KINDS.get(_kind((*at, *name.split(".")), rules) or "")
                if kind:
                    node.lanes[name] = (kind, values)


def _kind(path: tuple[str, ...], rules: tuple[TypeRule, ...]) -> str | None:
    for rule in rules:
        if fits(rule.pattern, path):
            return rule.kind
    return None


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
