"""Generators that stand among the fields, at any depth of groups, are compared as streams of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from detcheck.compare.paths import child
from detcheck.compare.rng_forms import stream_of
from detcheck.dumps.names import is_rng, plain, word_set, words
from detcheck.model.record import Group, Items, Node, Record, Scalar

#: how deep they are looked for, in groups of how many children, and in how many groups
MAX_DEPTH, MAX_CHILDREN, MAX_GROUPS = 8, 64, 256
#: shorter texts hold no words of a generator
_SHORT = 1_000
#: beside a generator's own word, what a name may say of it and still mean the generator alone
_OF_IT = word_set(
    "state states stream streams s sim game world shared sync synced calls call count counter draws draw index "
    "gen generator engine value mark marks source 32 64 128 19937 256"
)

_Found = list[tuple[tuple[str, ...], str, Node]]


def hoisted(record: Record) -> Record:
    """The record with the generators among its fields as streams, by their paths; the record itself without any."""
    found: _Found = list(_streams(record.fields))
    if not found:
        return record
    fields = _without(record.fields, {names for names, _, _ in found}, ())
    return replace(record, fields=fields, rng={**record.rng, **{path: node for _, path, node in found}})


def _streams(root: Group) -> Iterator[tuple[tuple[str, ...], str, Node]]:
    """(names, path, node) of each generator, in the order of the record."""
    stack: list[tuple[tuple[str, ...], str, Group]] = [((), "", root)]
    seen = 0
    while stack and seen < MAX_GROUPS:
        names, path, group = stack.pop()
        if len(group.items) > MAX_CHILDREN and names:
            continue
        seen += 1
        inner = []
        for name, node in group.items.items():
            if _is_stream(name, node):
                yield (*names, name), child(path, name), node
            elif isinstance(node, Group) and len(names) < MAX_DEPTH:
                inner.append(((*names, name), child(path, name), node))
        stack.extend(reversed(inner))


def _is_stream(name: str, node: Node) -> bool:
    if isinstance(node, Scalar):
        if node.kind == "int" or (node.kind in ("str", "hash") and len(node.text) < _SHORT):
            return means_generator(name)
        return node.kind == "str" and stream_of(node).saved is not None
    if isinstance(node, Group) and len(node.items) > MAX_CHILDREN:
        return False
    if isinstance(node, (Group, Items)):
        if means_generator(name):
            return True
        found = stream_of(node)
        return found.saved is not None and not found.guessed
    return False


@lru_cache(maxsize=4096)
def means_generator(name: str) -> bool:
    """Whether a name among other fields means a generator and nothing else: a random event is none, nor is a seed."""
    if not is_rng(name) or plain(name) == "random":
        return False
    kept = [word for word in words(name) if word not in _OF_IT]
    return bool(kept) and all(word == "mt" or (is_rng(word) and word not in ("seed", "draws")) for word in kept)


def _without(group: Group, gone: set[tuple[str, ...]], names: tuple[str, ...]) -> Group:
    """The group without what was hoisted; what holds none of it stays as it is."""
    kept: dict[str, Node] = {}
    for name, node in group.items.items():
        here = (*names, name)
        if here in gone:
            continue
        if isinstance(node, Group) and any(one[: len(here)] == here for one in gone):
            node = _without(node, gone, here)
        kept[name] = node
    return Group(kept)
