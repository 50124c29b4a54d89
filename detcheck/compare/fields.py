"""Comparing two trees of fields, without recursion: every value that differs, with its path, in the order of side a."""

from __future__ import annotations

from collections.abc import Iterator

from detcheck.compare.diff import Diff
from detcheck.compare.nodes import columns_of, leaves, rows_of
from detcheck.compare.pairing import pair_items
from detcheck.compare.paths import Link, child, part_of, row_of, text_of
from detcheck.compare.scalars import ABSENT, PRESENT, of_lane, same
from detcheck.compare.wording import plural
from detcheck.dumps.names import HASH_WORDS, plain
from detcheck.model.comparison import Finding
from detcheck.model.record import Group, Items, Lanes, Node, Scalar

#: children that say what kind of thing a row is: where they differ it is another thing, and its fields follow
KIND_NAMES = ("kind", "type", "class", "def", "template", "archetype", "species", "prototype", "def_name", "typename")

#: fields of such a row that are listed beside its kind; more are only counted
MAX_FOLLOWING = 3
_KINDS = frozenset(KIND_NAMES)

_Task = tuple["Link | None", "Node | None", "Node | None"]


def compare_nodes(a: Node | None, b: Node | None, path: str, diff: Diff, group: str = "field") -> None:
    """Report to `diff` everything in which two trees differ; `path` is where both hang."""
    levels: list[Iterator[_Task]] = [iter(((((None, path) if path else None), a, b),))]
    while levels:
        task = next(levels[-1], None)
        if task is None:
            levels.pop()
            continue
        link, x, y = task
        if isinstance(x, Scalar) and isinstance(y, Scalar):
            _scalar(link, x, y, diff, group)
        elif x is None or y is None:
            diff.one_sided(text_of(link), _face(x), _face(y), group, _size(x or y))
        elif isinstance(x, Group) and isinstance(y, Group):
            levels.append(_children(link, x, y, diff, group))
        elif isinstance(x, Items) and isinstance(y, Items):
            levels.append(_items(link, x, y, diff, group))
        elif isinstance(x, Lanes) and isinstance(y, Lanes):
            _lanes(link, x, y, diff, group)
        elif isinstance(x, Lanes) or isinstance(y, Lanes):
            levels.append(iter(((link, _as_rows(x, y), _as_rows(y, x)),)))
        elif _is_one_of(x, y) or _is_one_of(y, x):
            one, other = (node if isinstance(node, Items) else Items([node]) for node in (x, y))
            levels.append(iter(((link, one, other),)))
        else:
            diff.value(text_of(link), _kind_of(x), _kind_of(y), group)


def _as_rows(node: Node, other: Node) -> Node:
    """A table by columns in the form of the other side: rows, named columns, or (beside a value) a list."""
    if not isinstance(node, Lanes):
        return node
    return columns_of(node) if isinstance(other, Group) else rows_of(node)


def _is_one_of(node: Node, other: Node) -> bool:
    """A block of a text tree whose name comes only once on this side, and several times on the other."""
    if not (isinstance(node, Group) and node.items and isinstance(other, Items) and len(other.items) > 1):
        return False
    return all(isinstance(one, Group) for one in other.items)


def _face(node: Node | None) -> Scalar:
    """What stands for a node in a finding."""
    if node is None:
        return ABSENT
    return node if isinstance(node, Scalar) else PRESENT


def _kind_of(node: Node) -> Scalar:
    """What stands for a node whose other side is of another kind: `list of 3`, `object of 2`."""
    if isinstance(node, Scalar):
        return node
    rows, many = isinstance(node, Lanes), node.rows if isinstance(node, Lanes) else len(node.items)
    return Scalar("present", None, f"{'table' if rows else 'list' if isinstance(node, Items) else 'object'} of {many}")


def _size(node: Node | None) -> str | None:
    if node is None or isinstance(node, Scalar):
        return None
    return plural(leaves(node), "value")


def _scalar(link: Link | None, a: Scalar, b: Scalar, diff: Diff, group: str) -> None:
    if diff.watch or not diff.options.plain:
        path = text_of(link)
        if path in diff.watch:
            diff.watched[path] = (a, b)
        ignored = diff.ignores(path)
        if not diff.wanted(path):
            return
        if ignored:
            diff.skip(path, not same(a, b))
            return
    diff.compared += 1
    if not same(a, b):
        if link is not None and diff.only_counts(group):
            diff.count(*_class_of(link, group), 1)
        else:
            diff.value(text_of(link), a, b, group)


def _class_of(link: Link, group: str) -> tuple[str, str]:
    """(class, part) of an unlike value that is only counted."""
    top = link
    while top[0] is not None:
        top = top[0]
    derived = group == "field" and plain(link[1]) in HASH_WORDS
    return "derived" if derived else group, part_of(top[1])


def _children(link: Link | None, a: Group, b: Group, diff: Diff, group: str) -> Iterator[_Task]:
    """The children to compare. Values that are equal as written are only counted, where nothing depends on paths."""
    if next(iter(a.items), "").startswith("["):
        _reordered_rows(link, a, b, diff)
    kind = _unlike_kind(link, a, b, diff) if group == "field" else None
    if kind is not None and _is_another(link, a, b, kind, diff):
        return
    plain_values = not diff.watch and diff.options.plain
    theirs = b.items
    equal = 0
    for name, x in a.items.items():
        y = theirs.get(name)
        if plain_values and (x is y or (type(x) is Scalar and type(y) is Scalar and _as_written(x, y))):
            equal += leaves(x)
        elif name != kind:
            yield (link, name), x, y
    diff.compared += equal
    for name, y in theirs.items():
        if name not in a.items:
            yield (link, name), None, y


def _reordered_rows(link: Link | None, a: Group, b: Group, diff: Diff) -> None:
    """Rows that are named by what they are (`[247 inf South Mobile]`): another order of them is one remark."""
    mine = [name for name in a.items if name in b.items]
    theirs = [name for name in b.items if name in a.items]
    if mine == theirs:
        return
    start = next(place for place, (x, y) in enumerate(zip(mine, theirs, strict=True)) if x != y)
    texts = (", ".join(name.strip("[]") for name in some[start : start + 3]) for some in (mine, theirs))
    one, other = (Scalar("str", text, text) for text in texts)
    note = f"the same {plural(len(mine), 'item')} in another order"
    diff.reordered(Finding(text_of(link), "order", one, other, None, note), differs=False)


def _as_written(a: Scalar, b: Scalar) -> bool:
    """Equal at first sight."""
    return a.text == b.text and a.kind == b.kind and a.value == b.value


def _is_another(link: Link | None, a: Group, b: Group, kind: str, diff: Diff) -> bool:
    """Reports a row that is another kind of thing; whether so much of it differs that this is all there is to say."""
    others = sum(
        _plainly_unlike(a.items.get(name), b.items.get(name)) for name in {**a.items, **b.items} if name != kind
    )
    many = others > MAX_FOLLOWING
    note = "another kind of entity" + (f"; {others} other fields of it differ" if many else "")
    diff.add("field", Finding(text_of((link, kind)), "entity", _face(a.items[kind]), _face(b.items[kind]), None, note))
    return many


def _unlike_kind(link: Link | None, a: Group, b: Group, diff: Diff) -> str | None:
    """The child by which a row is another kind of thing on the other side: what differs in it besides follows."""
    if link is None or not link[1].startswith("[") or _KINDS.isdisjoint(a.items):
        return None
    for name in KIND_NAMES:
        mine, theirs = a.items.get(name), b.items.get(name)
        if isinstance(mine, Scalar) and isinstance(theirs, Scalar) and not same(mine, theirs):
            path = text_of((link, name))
            left_out = not diff.wanted(path) or any(p.matches(path) for p in diff.options.ignore)
            return None if left_out else name
    return None


def _plainly_unlike(a: Node | None, b: Node | None) -> bool:
    """Whether two children differ at first sight: as values, or by being there."""
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return not same(a, b)
    return (a is None) != (b is None)


def _items(link: Link | None, a: Items, b: Items, diff: Diff, group: str) -> Iterator[_Task]:
    paired = pair_items(a, b, diff.budget, diff.options.key_field)
    if paired.order is not None:
        mine, theirs = (Scalar("str", text, text) for text in paired.order)
        both = sum(1 for _, x, y in paired.pairs if x is not None and y is not None) if paired.key else len(a.items)
        note = f"the same {plural(both, 'item')} in another order"
        diff.reordered(Finding(text_of(link), "order", mine, theirs, None, note), differs=not paired.same_content)
        if not paired.pairs and not diff.ignores(text_of(link)) and _touched(text_of(link), diff):
            diff.compared += leaves(a)
    if len(a.items) != len(b.items) and paired.key is None:
        _count(text_of(link), len(a.items), len(b.items), diff, group)
    for label, x, y in paired.pairs:
        yield (link, f"[{label}]"), x, y


def _touched(path: str, diff: Diff) -> bool:
    """Whether --only names something at, above or below a path."""
    return not diff.options.only or any(p.touches(path) for p in diff.options.only)


def _cells(path: str, names: list[str], rows: int, diff: Diff) -> int:
    """How many cells of a table held by columns are compared."""
    if not (diff.options.only or diff.options.ignore):
        return rows * len(names)
    return sum(diff.takes(child(row_of(path, row), name)) for row in range(rows) for name in names)


def _count(path: str, a: int, b: int, diff: Diff, group: str) -> None:
    if diff.wanted(path) and not any(p.matches(path) for p in diff.options.ignore):
        mine, theirs = (Scalar("int", n, str(n)) for n in (a, b))
        diff.add(group, Finding(path, "count", mine, theirs, None, "how many there are"))


def _lanes(link: Link | None, a: Lanes, b: Lanes, diff: Diff, group: str) -> None:
    path = text_of(link)
    if a.rows != b.rows:
        _count(path, a.rows, b.rows, diff, group)
    for name in [n for n in {**a.lanes, **b.lanes} if (n in a.lanes) != (n in b.lanes)]:
        mine, theirs = (PRESENT, ABSENT) if name in a.lanes else (ABSENT, PRESENT)
        diff.one_sided(child(path, name), mine, theirs, group, "a column")
    names = [name for name in a.lanes if name in b.lanes]
    rows = min(a.rows, b.rows)
    unlike: list[tuple[int, int]] = []
    for place, name in enumerate(names):
        unlike.extend((row, place) for row in _unlike_rows(a.lanes[name], b.lanes[name], rows))
    diff.compared += _cells(path, names, rows, diff)
    _watch_lanes(path, a, b, rows, diff)
    if diff.counting:
        diff.count(group, part_of(path), len(unlike))
    else:
        for row, place in sorted(unlike):
            (kind_a, mine_raw), (kind_b, theirs_raw) = a.lanes[names[place]], b.lanes[names[place]]
            where = child(row_of(path, row), names[place])
            diff.value(where, of_lane(kind_a, mine_raw[row]), of_lane(kind_b, theirs_raw[row]), group)
    for row in range(rows, max(a.rows, b.rows)):
        mine, theirs = (PRESENT, ABSENT) if row < a.rows else (ABSENT, PRESENT)
        diff.one_sided(row_of(path, row), mine, theirs, group, "a row")


def _unlike_rows(a: tuple[str, list[int]], b: tuple[str, list[int]], rows: int) -> list[int]:
    """Rows in which a lane differs; lanes of one kind are plain integers and compare as such."""
    (kind_a, mine), (kind_b, theirs) = a, b
    if kind_a == kind_b:
        if mine == theirs:
            return []
        return [row for row, (x, y) in enumerate(zip(mine, theirs, strict=False)) if x != y]
    return [row for row in range(rows) if not same(of_lane(kind_a, mine[row]), of_lane(kind_b, theirs[row]))]


def _watch_lanes(path: str, a: Lanes, b: Lanes, rows: int, diff: Diff) -> None:
    for wanted in diff.watch:
        if not wanted.startswith(f"{path}["):
            continue
        row, _, name = wanted[len(path) + 1 :].partition("].")
        if row.isdigit() and int(row) < rows and name in a.lanes and name in b.lanes:
            (kind_a, mine), (kind_b, theirs) = a.lanes[name], b.lanes[name]
            diff.watched[wanted] = (of_lane(kind_a, mine[int(row)]), of_lane(kind_b, theirs[int(row)]))
