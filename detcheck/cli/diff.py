"""`detcheck diff`: compare dumps, hash streams, goldens or folders of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from detcheck.cli import completion, options

if TYPE_CHECKING:
    from detcheck.cli.console import Output
    from detcheck.dumps.options import ReadOptions

#: reports beside the console: option -> (room of its `render(comparison) -> str`, what it writes)
DIFF_REPORTS: dict[str, tuple[str, str]] = {"json": ("detcheck.reports.diff_json", "the comparison as JSON")}


@click.command("diff", short_help="Compare dumps, hash streams, goldens or folders of them.")
@click.argument("sides", nargs=-1, metavar="A B [C]...", shell_complete=completion.files)
@click.option(
    "--reader",
    metavar="NAME",
    shell_complete=completion.readers,
    help="Read both sides as this shape instead of sniffing; see explain dumps.",
)
@click.option("--tick-field", metavar="NAME", help="The field or column that holds the tick.")
@click.option("--key-field", metavar="NAME", help="The field by which rows are paired.")
@click.option("--types", multiple=True, metavar="PATH=TYPE", help="What values are: f32 f64 q16 i32 u32 hash str.")
@click.option("--ignore", multiple=True, metavar="PATH", help="Leave these fields out; * one name, ** any number.")
@click.option("--only", multiple=True, metavar="PATH", help="Compare only these fields.")
@click.option("--tolerance", multiple=True, metavar="PATH=X", help="Let numbers differ by up to X; the onset is shown.")
@click.option("--map", "mapping", multiple=True, metavar="A=B", help="What a calls A is B in b; the two change places.")
@click.option("--ticks", metavar="A:B", help="Only these ticks, both ends included.")
@click.option("--all", "show_all", is_flag=True, help="Show every finding, and read on to the end.")
@click.option("--context", type=click.IntRange(0, 100), default=3, metavar="N", help="Equal records shown before (3).")
@click.option("--max-record", metavar="SIZE", help="The most text of one record, as 64M (default) or 1G.")
@click.option(
    "--json", "json_file", metavar="FILE", help="Write the comparison as JSON to FILE (- is standard output)."
)
@options.output_options
def command(
    sides: Sequence[str],
    reader: str | None,
    tick_field: str | None,
    key_field: str | None,
    types: Sequence[str],
    ignore: Sequence[str],
    only: Sequence[str],
    tolerance: Sequence[str],
    mapping: Sequence[str],
    ticks: str | None,
    show_all: bool,
    context: int,
    max_record: str | None,
    json_file: str | None,
    color: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Compare dumps, hash streams, goldens or folders of them: the first divergent tick, the fields, the likely cause.

    Each side is a file, a folder of per-tick files, an archive, or - for standard input; what is in it is sniffed.
    With more than two sides: who agrees with whom, and who left the majority first.

    \b
    Exits: 0 same, 1 diverged, 2 unreadable, 3 inconclusive or one side ends early.
    Examples:
      detcheck diff peer-a.jsonl peer-b.jsonl
      detcheck diff <(./build-a/sim) <(./build-b/sim)
      detcheck diff a.csv b.csv --tick-field turn --ignore '**.debug' --json out.json
    """
    from detcheck.cli.outputs import Reports
    from detcheck.compare.options import make_options
    from detcheck.compare.verdict import EXIT_CODES

    settings = options.settings_of(color=color)
    writers = Reports({} if json_file is None else {"json": json_file}, DIFF_REPORTS)
    output = options.output_of(settings, quiet, verbose, writers.own_stdout)
    _check_sides(sides)
    writers.keep_apart(side for side in sides if side != "-")
    reading = _reading(reader, tick_field, key_field, types, max_record)
    chosen = make_options(
        ignore=ignore, only=only, tolerance=tolerance, mapping=mapping, ticks=ticks, all=show_all, context=context
    )
    from detcheck.compare.many import diff_many

    comparison = diff_many(list(sides), reading, chosen)
    writers.write(comparison)
    _show(output, comparison, show_all)
    return EXIT_CODES[comparison.verdict]


def _show(output: Output, comparison: object, show_all: bool) -> None:
    from detcheck.model.comparison import Comparison

    assert isinstance(comparison, Comparison)
    if output.quiet and not output.out.terminal and not output.out.color:
        from detcheck.reports.verdict_text import verdict_text

        output.result(verdict_text(comparison))
        return
    from detcheck.reports.diff_console import BARS, lines

    blocks = _can_show(output, BARS)
    output.result(
        *lines(
            comparison, output.out.width, show_all=show_all, blocks=blocks, quiet=output.quiet, verbose=output.verbose
        )
    )


def _can_show(output: Output, text: str) -> bool:
    """Whether the stream's encoding has these characters."""
    try:
        text.encode(getattr(output.out.stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _check_sides(sides: Sequence[str]) -> None:
    """At least two, and one standard input at most. Raises DetcheckError."""
    from detcheck.errors import DetcheckError

    if len(sides) < 2:
        given = "none was" if not sides else "one was"
        raise DetcheckError(
            "diff.sides", f"diff needs two sides, {given} given", hint="as in detcheck diff peer-a.jsonl peer-b.jsonl"
        )
    if sum(side == "-" for side in sides) > 1:
        raise DetcheckError("diff.two_stdin", "only one side can be standard input (-)", hint="give the other a file")


def _reading(
    reader: str | None, tick_field: str | None, key_field: str | None, types: Sequence[str], max_record: str | None
) -> ReadOptions:
    from detcheck.dumps.options import MAX_RECORD_BYTES, ReadOptions, parse_types

    _check_reader(reader)
    size = MAX_RECORD_BYTES if max_record is None else _bytes_of(max_record)
    return ReadOptions(reader, tick_field, key_field, parse_types(types), size)


def _check_reader(name: str | None) -> None:
    """The name of a reader, before anything is opened. Raises DetcheckError with what would be right."""
    if name is None:
        return
    from detcheck.cli.words import did_you_mean
    from detcheck.dumps.open import reader_named
    from detcheck.dumps.readers import READERS
    from detcheck.errors import DetcheckError, visible

    try:
        reader_named(name)
    except DetcheckError:
        known = [reader.name for reader in READERS]
        close = did_you_mean(name.lower(), known)
        hint = f"readers: {', '.join(known)}"
        raise DetcheckError("options.reader", f"there is no reader {visible(name)!r}.{close}", None, hint) from None


def _bytes_of(text: str) -> int:
    """`64M`, `1G`, `200000`. Raises DetcheckError."""
    from detcheck.errors import DetcheckError, visible

    units = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    stripped = text.strip().upper().removesuffix("IB").removesuffix("B")
    number, unit = (stripped[:-1], stripped[-1]) if stripped[-1:] in ("K", "M", "G") else (stripped, "")
    if not number.isascii() or not number.isdigit() or len(number) > 12 or int(number) == 0:
        hint = "as in --max-record 64M or --max-record 1G"
        raise DetcheckError("options.max_record", f"--max-record {visible(text)!r} is not a size", None, hint)
    return int(number) * units[unit]
