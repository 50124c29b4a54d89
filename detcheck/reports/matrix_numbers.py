"""Platforms by their numbers in the support list: labels are long, numbers fit a grid and a table."""

from __future__ import annotations

from collections.abc import Iterable

from detcheck.model.matrix import Matrix


def numbered(matrix: Matrix, labels: Iterable[str]) -> str:
    """`1-3, 7`: these platforms, in the order of the list, runs by their ends."""
    wanted = set(labels)
    runs: list[list[int]] = []
    for number, platform in enumerate(matrix.platforms, 1):
        if platform.label not in wanted:
            continue
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
