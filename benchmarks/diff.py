"""How long `detcheck diff` takes and how much memory it needs, beside `cmp` on the same files (performance, target 5).

    python benchmarks/diff.py [--megabytes 1000] [--hashes 100000,1000000] [--rounds 3] [--keep FOLDER]

Writes its files to a temporary folder. Figures only: ratios within one run, start-up measured and named, the peak
memory of each child process. Seconds are processor time of the child, so that a busy machine tells the same ratios.
The pairs: hash streams that part in the middle, with the rest unlike, plain and as a log with clocks; dumps as
JSON Lines, of long and of short records, that part near their end, that are equal throughout, and that part early; and
dumps that agree but for a clock in every record, so that nothing of them is equal byte for byte.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

LINES_PER_BLOCK = 512
Line = Callable[[int, int], str]


def dump_line(tick: int, value: int) -> str:
    """One record of about 1 KB: twelve entities."""
    rows = ",".join(
        f'{{"id":{n},"x":{(tick * 7 + n * 131) % 9973 / 64},"y":{(tick * 3 + n * 17) % 8191 / 64},"hp":{100 - n}}}'
        for n in range(20)
    )
    return f'{{"tick":{tick},"rng":{tick * 2654435761 % 4294967296},"world":{{"score":{value}}},"ents":[{rows}]}}\n'


def short_line(tick: int, value: int) -> str:
    """One record of about 80 bytes."""
    return f'{{"tick":{tick},"x":{tick * 7 % 9973 / 64},"hp":100,"score":{value},"unit":"scout"}}\n'


def write_dump(
    path: Path, megabytes: int, changed_at: float | None, line: Line = dump_line, clock: int | None = None
) -> int:
    """Records until the size is reached; from that share of the file on the score is another. Gives the ticks.

    With `clock` each record also says how many milliseconds the machine took so far, that much a tick.
    """
    tick, written, total = 0, 0, megabytes * 1_000_000
    with path.open("w", encoding="ascii", newline="\n") as file:
        while written < total:
            changed = changed_at is not None and written >= changed_at * total
            lines = [line(tick + n, 8 if changed else 7) for n in range(LINES_PER_BLOCK)]
            if clock is not None:
                lines = [f'{{"wall_ms":{(tick + n) * clock},{one[1:]}' for n, one in enumerate(lines)]
            text = "".join(lines)
            file.write(text)
            written += len(text)
            tick += LINES_PER_BLOCK
    return tick


def write_hashes(path: Path, count: int, changed_at: int, clock: int | None = None) -> None:
    """`<tick> <16 hex digits>`; from a tick on every hash is another. With `clock` a log line with the time of day."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        for tick in range(count):
            mixed = (tick + (tick >= changed_at) * 77) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
            if clock is None:
                file.write(f"{tick} {mixed:016x}\n")
                continue
            at = tick * 16 + clock
            time = f"{at // 3_600_000 % 24:02d}:{at // 60_000 % 60:02d}:{at // 1000 % 60:02d}.{at % 1000:03d}"
            file.write(f"[2024-03-01 {time}] [sync] tick={tick} hash=0x{mixed:016x}\n")


def measure(command: Sequence[str], rounds: int) -> tuple[float, int]:
    """(median seconds of processor time, peak KiB) of a command, its output thrown away."""
    seconds, peak = [], 0
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(rounds):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)} ended with {child.returncode}")
        seconds.append(usage.ru_utime + usage.ru_stime)
        peak = max(peak, _kib(usage))
    return statistics.median(seconds), peak


def _kib(usage: resource.struct_rusage) -> int:
    """Peak resident size; macOS counts bytes, Linux KiB."""
    return usage.ru_maxrss // 1024 if sys.platform == "darwin" else usage.ru_maxrss


def compare(title: str, a: Path, b: Path, start: float, rounds: int) -> None:
    """One line: detcheck diff beside cmp."""
    detcheck = [sys.executable, "-m", "detcheck.cli.main", "diff", "-q", str(a), str(b)]
    seconds, peak = measure(detcheck, rounds)
    line = f"{title:50} {seconds:8.3f} s  {seconds - start:8.3f} s over start-up  {peak / 1024:7.1f} MiB"
    if shutil.which("cmp"):
        plain, _ = measure(["cmp", str(a), str(b)], rounds)
        line += f"  cmp {plain:7.3f} s  ratio {(seconds - start) / max(plain, 1e-4):6.2f}"
    print(line, flush=True)


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=1000, help="size of each dump (default 1000)")
    parser.add_argument("--hashes", default="100000,1000000", help="lengths of hash streams (default 100000,1000000)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", help="write the files into this folder and leave them there")
    arguments = parser.parse_args()
    folder = Path(arguments.keep) if arguments.keep else Path(tempfile.mkdtemp(prefix="diff-bench-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _run(folder, arguments.megabytes, [int(n) for n in arguments.hashes.split(",") if n], arguments.rounds)
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)


def _run(folder: Path, megabytes: int, lengths: Sequence[int], rounds: int) -> None:
    tiny_a, tiny_b = folder / "tiny_a.txt", folder / "tiny_b.txt"
    write_hashes(tiny_a, 3, 3)
    write_hashes(tiny_b, 3, 2)
    measure([sys.executable, "-m", "detcheck.cli.main", "diff", "-q", str(tiny_a), str(tiny_b)], 1)  # compiles
    start, memory = measure(
        [sys.executable, "-m", "detcheck.cli.main", "diff", "-q", str(tiny_a), str(tiny_b)], max(5, rounds)
    )
    empty, _ = measure([sys.executable, "-c", "pass"], max(5, rounds))
    print(f"start-up: detcheck diff of three lines {start:.3f} s, {memory / 1024:.1f} MiB; python alone {empty:.3f} s")
    for count in lengths:
        a, b = folder / f"hash_{count}_a.txt", folder / f"hash_{count}_b.txt"
        write_hashes(a, count, count)
        write_hashes(b, count, count // 2)
        compare(f"{count:,} hash lines, unlike from half", a, b, start, rounds)
        write_hashes(a, count, count, 3)
        write_hashes(b, count, count // 2, 777)
        compare(f"{count:,} log lines with clocks, the same", a, b, start, rounds)
    a, b = folder / "dump_a.jsonl", folder / "dump_b.jsonl"
    for line, shares in ((dump_line, (0.99, None, 0.01)), (short_line, (0.99, None))):
        ticks = write_dump(a, megabytes, None, line)
        for share in shares:
            write_dump(b, megabytes, share, line)
            title = "equal" if share is None else f"part at {share:.0%}"
            compare(f"{megabytes:,} MB, {ticks:,} records, {title}", a, b, start, rounds)
    some = max(1, megabytes // 20)
    ticks = write_dump(a, some, None, clock=16)
    write_dump(b, some, None, clock=17)
    compare(f"{some:,} MB, {ticks:,} records, a clock in each", a, b, start, 1)


if __name__ == "__main__":
    main()
