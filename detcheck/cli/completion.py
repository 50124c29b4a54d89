"""What the shell completes: scenario names, backends, executors, topics, readers, and where a file or folder goes.

Silent whatever is wrong: a completion that fails completes nothing. Only names that can stand in a shell as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import click
from click.shell_completion import CompletionItem

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_:.-]*")


def scenario_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names below the scenarios folder that are not on the line yet; a path completes as a file."""
    from detcheck.errors import DetcheckError
    from detcheck.runner.found import scenario_files
    from detcheck.runner.settings import resolve

    if "/" in incomplete or "\\" in incomplete:
        return [CompletionItem(incomplete, type="file")]
    try:
        folder = resolve({"scenarios": ctx.params.get("scenarios")})["scenarios"].value
        files = scenario_files(Path(folder or ""), None)
    except (DetcheckError, OSError):
        return []
    given = ctx.params.get(param.name or "") or ()
    return _starting(incomplete, (file.name for file in files if file.name not in given))


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The shell's own completion of files."""
    return [CompletionItem(incomplete, type="file")]


def folders(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The shell's own completion of folders."""
    return [CompletionItem(incomplete, type="dir")]


def backends(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Ids of backends."""
    from detcheck.numbers import BACKENDS

    return _starting(incomplete, BACKENDS)


def executors(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of executors."""
    from detcheck.engine.executors import EXECUTORS

    return _starting(incomplete, EXECUTORS)


def readers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of dump readers."""
    from detcheck.dumps.readers import READERS

    return _starting(incomplete, (reader.name for reader in READERS))


def topics(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Pages of the manual."""
    from detcheck.explain import TOPICS

    return _starting(incomplete, TOPICS)


def colors(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """When to colour."""
    from detcheck.runner.settings import COLORS

    return _starting(incomplete, COLORS)


def _starting(incomplete: str, words: Iterable[str]) -> list[CompletionItem]:
    return [
        CompletionItem(word) for word in dict.fromkeys(words) if word.startswith(incomplete) and _PLAIN.fullmatch(word)
    ]
