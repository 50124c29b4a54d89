"""Helpers: a source over a text, and nodes as plain Python values for comparing in tests."""

from __future__ import annotations

import io
from typing import Any

from detcheck.dumps.open import open_source
from detcheck.dumps.options import ReadOptions
from detcheck.model.record import Group, Items, Lanes, Node, Record, Source


def opened(data: str | bytes, name: str = "x.txt", **options: Any) -> Source:
    """A source over a text, as if it stood in a file of that name."""
    file = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    file.name = name  # type: ignore[misc]
    return open_source(file, ReadOptions(**options))


def records(data: str | bytes, name: str = "x.txt", **options: Any) -> list[Record]:
    """All records of a text."""
    return list(opened(data, name, **options).records)


def plain(node: Node | None) -> Any:
    """Scalars as their text, groups as dicts, lists as lists, keyed lists as {"key": …, "items": …}."""
    if node is None:
        return None
    if isinstance(node, Group):
        return {name: plain(child) for name, child in node.items.items()}
    if isinstance(node, Items):
        items = [plain(child) for child in node.items]
        return items if node.key is None else {"key": node.key, "items": items}
    if isinstance(node, Lanes):
        return {name: list(values) for name, (_, values) in node.lanes.items()}
    return node.text


def fields(record: Record) -> dict[str, Any]:
    """A record's fields as plain values."""
    found = plain(record.fields)
    assert isinstance(found, dict)
    return found
