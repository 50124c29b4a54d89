"""The limits that the manual lists, each by the constant of the code that sets it, so that the page cannot fall behind.

A test finds every such constant of the package; it stands here, or in the test's list of those that no user can meet.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module


def count(number: int) -> str:
    """`10,000`; beyond a million the power it is."""
    for base, exponents in ((2, range(20, 65)), (10, range(6, 20))):
        for exponent in exponents:
            if number == base**exponent:
                return f"{base}^{exponent}"
            if number == base**exponent - 1:
                return f"{base}^{exponent} - 1"
            if base == 10 and number == 2 * base**exponent:
                return f"2 * {base}^{exponent}"
    return f"{number:,}"


def size(number: int) -> str:
    """Bytes in the largest unit that fits: `64 KiB`."""
    for shift, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if number >= 1 << shift and number % (1 << shift) == 0:
            return f"{number >> shift} {unit}"
    return f"{count(number)} bytes"


#: words with `{}` for the number, the module and the constant, how it is written
Limit = tuple[str, str, str, Callable[[int], str]]

LIMITS: dict[str, tuple[Limit, ...]] = {
    "scenarios": (
        ("a scenario file: {}", "scenario.load", "FILE_MAX", size),
        ("a program (`do`, `where`, a setup), with comments: {}", "scenario.programs", "PROGRAM_MAX", size),
        (
            "depth of an expression, of brackets, of a chain of prefix operators: {}",
            "language.scan",
            "MAX_DEPTH",
            count,
        ),
        (
            "a number's text, in programs, config and inputs: {} characters",
            "language.constants",
            "MAX_NUMBER_CHARACTERS",
            count,
        ),
        ("a decimal's exponent: -{0} to {0}", "language.constants", "MAX_EXPONENT", count),
        ("cells, rows x lanes over all tables: {}", "scenario.ranges", "CELLS_MAX", count),
        ("rows of a table, ticks, `tick` and `hold` of an entry: {}", "scenario.ranges", "I32_MAX", count),
        ("tick_rate: 1 to {}", "scenario.ranges", "TICK_RATE_MAX", count),
        ("script entries, inline or in a file: {}", "scenario.inputs", "ENTRIES_MAX", count),
        ("a line of an inputs file: {}", "scenario.inputs_file", "MAX_LINE", size),
        ("arrays and inline tables of the TOML, within each other: {}", "scenario.positions", "MAX_NESTING", count),
        ("parts of a dotted key of the TOML: {}", "scenario.positions", "MAX_KEY_PARTS", count),
        ("a number, date or bare word of the TOML: {} characters", "scenario.positions", "MAX_TOKEN", count),
        ("faults of one file that are listed: {}; more are counted", "scenario.document", "MAX_FAULTS", count),
        ("faults of one inputs file, after which it is not read on: {}", "scenario.inputs_file", "_FEW_FAULTS", count),
    ),
    "goldens": (
        ("a golden file: {}", "golden.read", "FILE_LIMIT", size),
        ("a line of it: {}", "golden.read", "LINE_LIMIT", size),
        ("the reason: {} printable characters", "golden.golden", "REASON_LIMIT", count),
        (
            "states kept beside a golden: {} uncompressed; beyond it none are kept, with a remark",
            "golden.states",
            "STATES_LIMIT",
            size,
        ),
    ),
    "runs": (
        ("jobs: {}", "runner.settings", "JOBS_LIMIT", count),
        ("shards: {}", "runner.shard", "COUNT_LIMIT", count),
        ("repetitions (`--repeat`): {}", "runner.repeat", "REPEAT_LIMIT", count),
        (
            "the reference is asked for a second opinion of a regen up to {} rows x ops x ticks; "
            "beyond it the second replay alone is asked",
            "runner.again",
            "REFERENCE_LIMIT",
            count,
        ),
        (
            "and for the expected state of a red run up to {} rows x ops x ticks; beyond it a remark says so",
            "runner.operation",
            "REFERENCE_LIMIT",
            count,
        ),
        (
            "the search for the first divergent operation: {} cells moved and row-ops run; where it is cut a remark "
            "says so",
            "engine.first_operation.suspect",
            "WORK_LIMIT",
            count,
        ),
        ("that search with `--cross-check`: {}", "runner.operation", "CROSS_CHECK_LIMIT", count),
        (
            "differing parts on the console: the first {}, and how many there are; -v shows all",
            "reports.console",
            "PARTS_SHOWN",
            count,
        ),
        (
            "findings on the console: the first {}, and how many there are; -v shows all",
            "reports.console",
            "FINDINGS_SHOWN",
            count,
        ),
        (
            "findings of a replay in the short texts (JUnit, Markdown, annotations, pytest): {} and how many more",
            "reports.plain",
            "FINDINGS_SHOWN",
            count,
        ),
        ("parts in those texts: {} and how many more", "reports.plain", "PARTS_SHOWN", count),
        ("lines of a reason or remark in those texts: {} and how many more", "reports.plain", "LINES_SHOWN", count),
        ("replays with details in a Markdown report: {} and how many more", "reports.markdown", "DETAILS_SHOWN", count),
        ("annotations in GitHub Actions: {} and how many more", "reports.github", "ANNOTATIONS_SHOWN", count),
        ("an annotation: {} characters", "reports.github", "MESSAGE_LIMIT", count),
        (
            "a job summary in GitHub Actions: {}, with a sentence where it is cut",
            "reports.github",
            "SUMMARY_LIMIT_BYTES",
            size,
        ),
        (
            "the states that `--artifacts` leaves of one red replay: {} uncompressed, the nearest ticks to the "
            "divergence; where one tick is larger replay.txt says that there are none",
            "runner.artifact_dump",
            "LIMIT_BYTES",
            size,
        ),
        ("a report read by `matrix`: {}", "runner.run_reports", "SIZE_LIMIT_BYTES", size),
    ),
    "vectors": (
        ("a file of known answers: {}", "vectors.read", "FILE_LIMIT", size),
        ("a line of it: {}", "vectors.read", "LINE_LIMIT", size),
        ("lines of an op of a file that are tried for a trap: {}", "vectors.executors", "TRAPS_TRIED", count),
    ),
    "dumps": (
        (
            "one record (a JSON document, a line, the rows of a tick): {}; `--max-record` sets another",
            "dumps.options",
            "MAX_RECORD_BYTES",
            size,
        ),
        ("one side, unpacked: {}", "dumps.options", "MAX_UNPACKED_BYTES", size),
        (
            "a compression ratio above {} is refused as a bomb, past the size below",
            "dumps.options",
            "MAX_RATIO",
            count,
        ),
        ("a compression ratio is looked at once {} are unpacked", "dumps.options", "RATIO_FROM_BYTES", size),
        ("packings within each other (a .gz in a .gz): {}", "dumps.packed", "MAX_LAYERS", count),
        ("memory of an xz file's decoder: {}", "dumps.packed", "_XZ_MEMORY", size),
        ("files of a folder, members of a zip: {}", "dumps.unwrap", "MAX_MEMBERS", count),
        (
            "files without a tick that are read beside those of one tick each: {}; further ones are sessions",
            "dumps.members",
            "MOST_BESIDE",
            count,
        ),
        ("levels of a nested text: {}", "dumps.readers.nesting", "MAX_DEPTH", count),
        ("levels of a Warzone 2100 log: {}", "dumps.readers.warzone", "_MAX_DEPTH", count),
        ("sides of one comparison: {}", "compare.many", "MAX_SIDES", count),
        ("findings kept of the first unlike tick: {}; more are counted", "compare.options", "KEEP_FINDINGS", count),
        ("findings shown: the first {}; --all shows all", "reports.findings_table", "SHOWN", count),
        (
            "draws that one side's generator is stepped forward and back, to find how many words are between: {}",
            "compare.rng_streams",
            "MAX_DRAWS",
            count,
        ),
        ("sessions of a file that are tried as partners: {}", "compare.api", "MAX_SESSIONS", count),
        ("shifts of tick labels that are tried: {} each way", "compare.shift", "MAX_SHIFT", count),
        (
            "ticks that may be computed again after a rollback, states: {}",
            "dumps.settle",
            "WINDOW",
            count,
        ),
        ("the same in a hash stream: {}", "dumps.settle", "HASH_WINDOW", count),
        ("records of one tick that are kept beside the last: {}", "dumps.settle", "MOST_AGAIN", count),
        (
            "rows of a table in any order of ticks: up to {} of text, then rows of a tick have to stand together",
            "dumps.readers.table_rows",
            "SORTED_BYTES",
            size,
        ),
        ("the same where they stood in order so far: {}", "dumps.readers.table_rows", "ORDERLY_BYTES", size),
        ("sessions of which it is told that they diverge too: {}", "compare.session_ends", "MAX_SESSIONS", count),
        ("an integer with more digits is compared as text: {}", "dumps.tokens", "_MAX_INT_DIGITS", count),
        ("characters of a value that are shown: {}", "reports.values", "LONGEST", count),
    ),
    "settings": (("pyproject.toml: {}", "runner.settings_file", "FILE_LIMIT_BYTES", size),),
}


def limit_list(section: str) -> str:
    """The limits of a section as a list."""
    lines = []
    for words, module, name, written in LIMITS[section]:
        number: int = getattr(import_module(f"detcheck.{module}"), name)
        lines.append(f"- {words.format(written(number))}")
    return "\n".join(lines)
