"""`detcheck explain TOPIC`: the manual."""

from __future__ import annotations

import os
import sys

import click

from detcheck.cli import completion, exits


@click.command("explain", short_help="The manual, one page a topic.")
@click.argument("topics", nargs=-1, metavar="[TOPIC]...", shell_complete=completion.topics)
def command(topics: tuple[str, ...]) -> int:
    """Show a page of the manual; without a topic, the topics.

    Text is laid to the width of the terminal (at most 100 columns), else to COLUMNS, else to 80; code is never broken.
    """
    from detcheck.cli.console import width_of
    from detcheck.explain import TOPICS, page
    from detcheck.explain.layout import laid

    # one form everywhere, a pipe too: it mostly leads to a pager, and what is laid is still the page's Markdown
    width = width_of(sys.stdout, os.environ)
    pages = [page(topic) for topic in topics] or [_contents(TOPICS)]
    sys.stdout.write("\n".join(laid(text, width) for text in pages))
    return exits.EQUAL


def _contents(topics: dict[str, str]) -> str:
    size = max(map(len, topics))
    lines = [f"- {topic.ljust(size)}  {words}" for topic, words in topics.items()]
    return "\n".join(["Pages of the manual: `detcheck explain TOPIC`", "", *lines]) + "\n"
