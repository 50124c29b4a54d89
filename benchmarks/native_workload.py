"""Targets 1, 2 and 4 of the design's performance page, measured in one run: python benchmarks/native_workload.py

Needs the extension and a C compiler (`cc`). Every figure is the median of rounds in which all candidates take turns;
every candidate's state is compared with the native executor's before anything is timed. Processor time is taken, so
that other processes disturb little; all is one thread.
"""

from __future__ import annotations

import argparse
import platform
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from native_fused import Fused, build
from native_scenarios import MOVERS, WORKLOAD, compiled, ops_per_row

from detcheck.engine import native
from detcheck.engine.generated import GeneratedExecutor
from detcheck.engine.native import NativeExecutor
from detcheck.engine.reference import ReferenceExecutor
from detcheck.engine.replay import checkpoint_of

FIXED, FLOAT = "fixed_point_16_16", "float_pinned_32"


def microseconds(candidates: dict[str, tuple[Callable[[int], None], int]], rounds: int) -> dict[str, float]:
    """Median microseconds a tick of each (run, ticks), in turn, round after round."""
    found: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, (run, ticks) in candidates.items():
            begin = time.process_time()
            run(ticks)
            found[name].append((time.process_time() - begin) / ticks * 1e6)
    return {name: statistics.median(values) for name, values in found.items()}


def fresh(rows: int, backend: str, loops: str = "auto", text: str = WORKLOAD) -> NativeExecutor:
    """An executor after setup."""
    executor = NativeExecutor(compiled(text, rows, backend), loops)
    executor.setup()
    return executor


def workload(rows: int, backend: str, folder: Path, rounds: int) -> None:
    """Target 1: the workload against fused C, the reference and the memory limit."""
    library = build(folder)
    executors = {"native": fresh(rows, backend), "native:baseline": fresh(rows, backend, "baseline")}
    fused = Fused(library, executors["native"], backend)
    limit = Fused(library, executors["native"], backend)
    for executor in executors.values():
        executor.advance(10)
    fused.run(10)
    if not fused.lanes() == Fused.lanes_of(executors["native"]) == Fused.lanes_of(executors["native:baseline"]):
        sys.exit("the fused program and the native executor disagree")
    ticks = max(4, 50_000 // rows)  # a few milliseconds a round at most, so that other processes disturb few rounds
    candidates: dict[str, tuple[Callable[[int], None], int]] = {
        **{name: (executor.advance, ticks) for name, executor in executors.items()},
        "fused C": (fused.run, ticks),
        "memory": (limit.touch, ticks),
    }
    found = microseconds(candidates, rounds)
    slow = {"generated": GeneratedExecutor, "reference": ReferenceExecutor}
    for name, make in slow.items():
        python = make(compiled(WORKLOAD, rows, backend))
        python.setup()
        found |= microseconds({name: (python.advance, max(1, 500 // rows))}, 3)
    ours = found["native"]
    cells = " | ".join(f"{found[name]:,.2f}" for name in (*candidates, *slow))
    ratio = ours / found["fused C"]
    print(
        f"| {backend} | {rows:,} | {cells} | {ratio:.2f} | {found['reference'] / ours:,.0f} "
        f"| {ours / found['memory']:.0f} |",
        flush=True,
    )


def movers(rounds: int) -> None:
    """Target 2: one state hash every tick."""
    for backend in (FIXED, FLOAT):
        executor = fresh(10_000, backend, text=MOVERS)

        def hashed(ticks: int, executor: NativeExecutor = executor) -> None:
            for _ in range(ticks):
                executor.advance(1)
                checkpoint_of(executor)

        found = microseconds({"hashed": (hashed, 20), "ticks alone": (executor.advance, 20)}, rounds)
        print(f"| {backend} | {found['hashed'] / 1000:.4f} | {found['ticks alone'] / 1000:.4f} | 0.0800 |", flush=True)


def curves(rounds: int) -> None:
    """Target 4: nanoseconds an entity, and a tick of 500 entities, as both grow."""
    executors = {rows: fresh(rows, FIXED) for rows in (100, 1_000, 10_000, 100_000, 1_000_000)}
    candidates = {str(rows): (executor.advance, max(1, 200_000 // rows)) for rows, executor in executors.items()}
    found = microseconds(candidates, max(3, rounds // 4))
    print("| entities | microseconds a tick | nanoseconds an entity |\n|---|---|---|")
    for rows, value in found.items():
        print(f"| {int(rows):,} | {value:,.2f} | {value * 1000 / int(rows):.2f} |")
    print("\n| ticks in one span (500 entities) | microseconds a tick |\n|---|---|")
    for ticks in (10, 100, 1_000, 10_000, 100_000):
        executor = fresh(500, FIXED)
        print(
            f"| {ticks:,} | {microseconds({'': (executor.advance, ticks)}, 3 if ticks > 5_000 else rounds)['']:.2f} |"
        )


def memory_and_jobs() -> None:
    """Target 4: memory over ticks, and two replays in two threads against one after the other (wall time)."""
    executor = fresh(10_000, FIXED)
    executor.advance(10)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    executor.advance(2_000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"\nGreatest memory after 10 ticks {before >> 10} MiB, 2,000 ticks later {grown} KiB more.")
    ratios = []
    pair = (fresh(10_000, FIXED), fresh(10_000, FIXED))
    for _ in range(9):
        begin = time.perf_counter()
        for each in pair:
            each.advance(200)
        middle = time.perf_counter()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda each: each.advance(200), pair))
        ratios.append((middle - begin) / (time.perf_counter() - middle))
    print(f"Two replays in two threads: {statistics.median(ratios):.2f} times as fast as one after the other.")


def main() -> None:
    """Prints Markdown tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=61)
    rounds = parser.parse_args().rounds
    info = native.build_info()
    print(f"{platform.machine()}, Python {platform.python_version()}, {info.compiler}, loops {', '.join(info.loops)}")
    print(f"flags {info.flags}\n")
    ops = sum(ops_per_row(compiled(WORKLOAD, 8, FIXED).systems[0]).values())
    print(f"Workload, {ops} ops an entity, microseconds a tick:\n")
    names = "native | native:baseline | fused C | memory | generated | reference"
    print(f"| backend | entities | {names} | over fused C | under reference | over memory |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for backend in (FIXED, FLOAT):
            for rows in (10_000, 500, 8):
                workload(rows, backend, Path(folder), rounds)
    print("\n10,000 entities, 2,000 move, milliseconds a tick:\n")
    print("| backend | with a state hash every tick | ticks alone | target |\n|---|---|---|---|")
    movers(rounds)
    print("\nScale (fixed_point_16_16):\n")
    curves(rounds)
    memory_and_jobs()


if __name__ == "__main__":
    main()
