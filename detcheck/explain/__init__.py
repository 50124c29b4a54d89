"""The built-in manual: one Markdown file a topic beside this module, shown as text laid to the width there is.

A line `{{name}}` in a page is replaced by a table made from the code, so that the page cannot fall behind it.
"""

from __future__ import annotations

from pathlib import Path

from detcheck.errors import DetcheckError, visible

#: topic -> one line; its page is <topic>.md
TOPICS: dict[str, str] = {
    "scenarios": "what a scenario file holds, and a first one",
    "language": "the tick language: statements, types, functions, folds, traps",
    "math": "the pinned math: three backends, trigonometry, generators",
    "vectors": "files of known answers of single operations, for engines in any language",
    "formats": "state, hashes, goldens, dumps, reports",
    "exits": "what each exit code means",
    "dumps": "writing dumps from your own engine, in six languages",
    "diff": "comparing two dumps: what is read, what is decided, what is shown",
    "ci": "in a pipeline: reports, artifacts, platforms, shards, pytest, settings, completion",
    "limits": "every limit, and what happens at it",
}


def page(topic: str) -> str:
    """A topic's page as Markdown text. Raises DetcheckError for a topic that is not there."""
    if topic not in TOPICS:
        from difflib import get_close_matches

        close = get_close_matches(topic, TOPICS, n=2, cutoff=0.5)
        meant = f" Did you mean {' or '.join(close)}?" if close else ""
        hint = f"topics: {', '.join(TOPICS)}"
        raise DetcheckError("explain.topic", f"there is no topic {visible(topic)!r}.{meant}", None, hint)
    text = Path(__file__).with_name(f"{topic}.md").read_text(encoding="utf-8")
    from detcheck.explain.tables import TABLES

    for name, table in TABLES.items():
        mark = "{{" + name + "}}"
        if mark in text:
            text = text.replace(mark, table())
    return text
