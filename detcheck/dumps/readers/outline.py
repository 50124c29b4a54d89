"""A tree of raw lines as nodes: blocks, lists, rows with an id, repeated names."""

from __future__ import annotations

import re
from collections.abc import Callable

from detcheck.dumps import names
from detcheck.dumps.readers.base import put
from detcheck.dumps.readers.entity_lines import Pairs, tables_of
from detcheck.dumps.readers.nesting import STATEMENTS, Raw, by_braces
from detcheck.dumps.readers.pairs import key_of, pairs_of, value_of
from detcheck.model.record import Group, Items, Node, Scalar

Value = Callable[[str], Node]
_NUMBERED = re.compile(r"([A-Za-z_][\w-]*(?: [A-Za-z_]\w*)?)[ _#]*(?:\s|#|_|\()(\d{1,18})\)?")


_TYPE_NAME = re.compile(r"[A-Za-z_][\w.<>]*:?")
_NESTED_PAIRS = re.compile(r"([^:={}\"]{1,80}):\s+([A-Za-z_]\w{0,80}\s*=.*)", re.DOTALL)
#: `Rome (pop 5, food 12)`
_TOLD = re.compile(r"([A-Za-z_][\w '#.-]{0,80}?)\s*\(([^()]{1,4000})\)")
_TOLD_PART = re.compile(r"\s*[A-Za-z_][\w .-]{0,40}(?:\s|\s?[:=]\s?)[-+\w.]\S*\s*")
_FLOW = re.compile(r"([^:={}\"]{1,80})\s*[:=]\s*\{(.*)\}", re.DOTALL)


def _opens(raw: Raw) -> bool:
    """`Player 1: hp=30 mp=5` and `world: {gold: 3}` hold what is named behind the colon; it becomes lines below."""
    nested = _NESTED_PAIRS.fullmatch(raw.text)
    flow = None if nested else _FLOW.fullmatch(raw.text)
    told = None if nested or flow else _TOLD.fullmatch(raw.text)
    parts = told[2].split(",") if told else []
    if nested:
        raw.children = [Raw(nested[2], raw.line)]
        raw.text = f"{nested[1]}:"
    elif flow:
        raw.children = by_braces([(raw.line, flow[2])]).raws
        raw.text = f"{flow[1]}:"
    elif told and len(parts) > 1 and all(map(_TOLD_PART.fullmatch, parts)):
        raw.children = [Raw(part.strip(), raw.line) for part in parts]
        raw.text = f"{told[1]}:"
    return bool(raw.children)


def _is_item(raw: Raw) -> bool:
    return raw.text.startswith(("- ", "* ")) or raw.text in ("-", "*")


def _has_id(node: Node) -> bool:
    """Whether a block names itself, so that there may be several of its kind."""
    first = next(iter(node.items), "") if isinstance(node, Group) else ""
    return bool(first) and names.plain(first) in ("id", "entityid", "unitid", "uid", "guid", "netid")


def _is_id(key: str, value: str, text: str) -> bool:
    """Whether a block's number is its own and not a count of what is below: `unitID: 1`, `Player 1`, no `units: 1`."""
    if names.id_rank(key) is not None or key.lower().endswith("id"):
        return True
    return value.isascii() and value.isdigit() and not key.lower().endswith("s") and not re.search("[:=]", text)


class _Several:
    """Blocks of one level by their name, which may come again; each name stands where it came first."""

    def __init__(self, items: dict[str, Node]) -> None:
        self.items = items
        self.found: dict[tuple[str, bool], tuple[str, list[Node]]] = {}
        self.named: set[str] = set()

    def add(self, name: str, node: Node, keyed: bool = False, named: bool = False) -> None:
        """One more block; `keyed` when its first child is its number, `named` when a child says which one it is."""
        if named:
            self.named.add(name)
        if (name, keyed) not in self.found:
            self.found[name, keyed] = (put(self.items, name, node), [])
        self.found[name, keyed][1].append(node)

    def settle(self) -> None:
        """Puts the blocks of each name into one list, keyed where they have numbers."""
        for (name, keyed), (used, nodes) in self.found.items():
            if keyed or len(nodes) > 1 or name in self.named or _has_id(nodes[0]):
                self.items[used] = Items(nodes, name if keyed else None)


class Outline:
    """Raw lines to nodes. `value` turns the text of a value into a node."""

    def __init__(self, value: Value = value_of) -> None:
        self.value = value

    def group(self, raws: list[Raw], items: dict[str, Node] | None = None, alone: bool = False) -> dict[str, Node]:
        """The named children that some lines of one level make. `alone`: a single line may be a table's only row."""
        items = {} if items is None else items
        plain: list[Node] = []
        listed: list[Node] = []
        several = _Several(items)
        leaves = [(i, raw.text) for i, raw in enumerate(raws) if not (_is_item(raw) or raw.children or _opens(raw))]
        tables = tables_of(leaves, alone) if alone or len(leaves) > 1 else {}
        for place, raw in enumerate(raws):
            if _is_item(raw):
                listed.append(self._item(raw))
            elif raw.children:
                self._block(raw, items, several)
            elif place in tables:
                self._table(*tables[place], items)
            else:
                self._leaf(raw.text, items, plain)
        several.settle()
        for node in plain:
            put(items, "line" if items or len(plain) < 2 else "values", node) if items else None
        if plain and not items:
            items["values"] = Items(plain)
        if listed:
            put(items, "items", Items(listed))
        return items

    def _table(self, name: str, key: str | None, rows: list[Pairs], items: dict[str, Node]) -> None:
        """Lines that are each one entity, as rows of one table."""
        made: list[Node] = []
        for pairs in rows:
            row: dict[str, Node] = {}
            for field, text in pairs:
                put(row, field or "line", self.value(text))
            made.append(Group(row))
        if made:
            put(items, name, Items(made, key))

    def node(self, raws: list[Raw], alone: bool = False) -> Node:
        """Some lines as one node: a list where they are only a list."""
        items = self.group(raws, alone=alone)
        if len(items) == 1:
            name, only = next(iter(items.items()))
            if name in ("values", "items") and isinstance(only, Items):
                return only
        return Group(items)

    def _leaf(self, text: str, items: dict[str, Node], plain: list[Node]) -> None:
        for key, value in pairs_of(text):
            if key:
                put(items, key, self.value(value))
            elif value:
                several = STATEMENTS.findall(value) if "," in value else [value]
                plain.extend(self.value(one.strip()) for one in several if one.strip())

    def _item(self, raw: Raw) -> Node:
        """A list item: its own pairs and the lines below it."""
        text = raw.text[1:].strip()
        if not text and not raw.children:
            return Scalar("str", "", "")
        if not raw.children and text.startswith("{") and text.endswith("}"):
            return Group(self.group(by_braces([(raw.line, text[1:-1])]).raws))
        if not raw.children and pairs_of(text)[0][0] == "":
            return self.value(text)
        return Group(self.group(([Raw(text, raw.line)] if text else []) + raw.children))

    def _block(self, raw: Raw, items: dict[str, Node], several: _Several) -> None:
        """A line with lines below it."""
        pairs = pairs_of(raw.text)
        key, value = pairs[0]
        if key == "":
            key, value = key_of(value), ""
        numbered = _NUMBERED.fullmatch(key)
        if numbered and not value:
            key, value = numbered[1], numbered[2]
            several.add(key, self._identified(key, value, pairs[1:], raw.children), keyed=True)
        elif not value:
            rest = pairs[1:]
            node = self.node(raw.children, not rest and key.lower().endswith("s"))
            if rest and isinstance(node, Group):
                node = Group({**{name: self.value(text) for name, text in rest}, **node.items})
            several.add(key, node, named=raw.named)
        elif _is_id(key, value, raw.text):
            several.add(key, self._identified(key, value, pairs[1:], raw.children), keyed=True)
        elif value.isascii() and value.isdigit() and self._counts(raw.children, int(value)):
            if int(value) != len(self._chunks(raw.children)):
                put(items, f"{key} stated", self.value(value))
            put(items, key, self._chunked(raw.children))
        elif len(pairs) == 1 and _TYPE_NAME.fullmatch(value):
            kind: dict[str, Node] = {"kind": self.value(value.rstrip(":"))}
            several.add(key, Group(self.group(raw.children, kind)))
        else:
            for name, text in pairs:
                put(items, name, self.value(text))
            put(items, f"{key}:", self._below(raw.children))

    def _identified(self, key: str, value: str, rest: list[tuple[str, str]], children: list[Raw]) -> Group:
        items: dict[str, Node] = {key: self.value(value)}
        for name, text in rest:
            put(items, name, self.value(text))
        return Group(self.group(children, items))

    def _first_key(self, raw: Raw) -> str:
        return pairs_of(raw.text)[0][0]

    def _chunks(self, raws: list[Raw]) -> list[list[Raw]]:
        """Lines of one level cut where the first line's key comes again."""
        first = self._first_key(raws[0])
        found: list[list[Raw]] = []
        for raw in raws:
            if not found or self._first_key(raw) == first:
                found.append([])
            found[-1].append(raw)
        return found

    def _counts(self, raws: list[Raw], count: int) -> bool:
        """`units: 2` above two blocks or two bare values; or above blocks that name themselves, however many."""
        first = self._first_key(raws[0])
        return count == len(self._chunks(raws)) or (first.lower().endswith("id") and len(first) > 2)

    def _below(self, raws: list[Raw]) -> Node:
        chunks = self._chunks(raws)
        repeated = len(chunks) > 1 and any(len(chunk) > 1 or chunk[0].children for chunk in chunks)
        return self._chunked(raws) if repeated and self._first_key(raws[0]) else self.node(raws)

    def _chunked(self, raws: list[Raw]) -> Items:
        """Each chunk as an item, paired by its first key where that tells them apart."""
        first = self._first_key(raws[0])
        if not first:
            return Items([self.value(raw.text) if not raw.children else self.node([raw]) for raw in raws])
        found: list[Node] = []
        for chunk in self._chunks(raws):
            pairs = pairs_of(chunk[0].text)
            items: dict[str, Node] = {}
            for name, text in pairs:
                put(items, name, self.value(text))
            self.group(chunk[0].children, items)
            found.append(Group(self.group(chunk[1:], items)))
        keys = [one.items.get(first) for one in found if isinstance(one, Group)]
        texts = {key.text for key in keys if isinstance(key, Scalar)}
        return Items(found, first if len(texts) == len(found) else None)
