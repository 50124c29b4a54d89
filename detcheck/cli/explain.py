"""`detcheck explain TOPIC`: the manual."""

from __future__ import annotations

import sys

import click

from detcheck.cli import completion, exits


@click.command("explain", short_help="The manual, one page a topic.")
@click.argument("topics", nargs=-1, metavar="[TOPIC]...", shell_complete=completion.topics)
def command(topics: tuple[str, ...]) -> int:
    """Show a page of the manual; without a topic, the topics."""
    from detcheck.explain import TOPICS, page

    if not topics:
        width = max(map(len, TOPICS))
        lines = [f"  {topic.ljust(width)}  {words}" for topic, words in TOPICS.items()]
        sys.stdout.write("\n".join(["Pages of the manual: detcheck explain TOPIC", "", *lines]) + "\n")
        return exits.EQUAL
    sys.stdout.write("\n".join(page(topic) for topic in topics))
    return exits.EQUAL
