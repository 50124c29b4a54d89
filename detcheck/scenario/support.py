"""Which backends a scenario runs on, and its programs lowered for them."""

from __future__ import annotations

from dataclasses import replace

from detcheck import numbers
from detcheck.errors import DetcheckError, Where
from detcheck.language.analyse import Env, ProgramTree
from detcheck.model.schema import ColumnSpec
from detcheck.scenario.inputs_file import place_in_file
from detcheck.scenario.lowered import Lowered, lower_programs
from detcheck.scenario.scenario import Scenario
from detcheck.scenario.scripted import check_ranges
from detcheck.scenario.section import Section


def on_backends(scenario: Scenario, root: Section) -> Scenario:
    """The scenario with its backends (those listed, else all that support every op used) and the lowered programs.

    A listed backend that lacks an op, and a constant out of a backend's range, are faults: noted in the section.
    """
    backends = scenario.backends if scenario.backends_listed else _supporting(scenario)
    if not backends:
        hint = "raw() needs a fixed backend, bits() and radians need float_pinned_32: split the scenario in two"
        message, where = _unsupported(scenario)
        root.fault("scenario.backends", message, where, hint)
    env = Env(scenario.tables, scenario.config, scenario.rng, scenario.tick_rate)

    def place(index: int, column: ColumnSpec, lane: int) -> Where:
        path = (column.name,) if len(column.lane_names) == 1 else (column.name, lane)
        if scenario.inputs_path is None:
            return root.document.value(("inputs", index, *path))
        return place_in_file(scenario.inputs_path, scenario.inputs[index].line, path)

    lowered: dict[str, Lowered] = {}
    found: dict[str, DetcheckError] = {}
    for backend_id in backends:
        faults: list[DetcheckError] = []
        programs = lower_programs(scenario.setup, scenario.systems, env, backend_id, faults)
        if programs is not None:
            lowered[backend_id] = programs
        for fault in faults:
            found.setdefault(f"{fault.where} {fault.message}", fault)
    check_ranges(scenario, backends, place, root.faults)
    for fault in found.values():
        root.faults.append(fault)
    return replace(scenario, backends=backends, lowered=lowered)


def _trees(scenario: Scenario) -> list[ProgramTree]:
    return [program.tree for program in scenario.setup] + [system.tree for system in scenario.systems]


def _supporting(scenario: Scenario) -> tuple[str, ...]:
    trees = _trees(scenario)
    return tuple(backend for backend in numbers.BACKENDS if all(backend in tree.backends for tree in trees))


def _unsupported(scenario: Scenario) -> tuple[str, Where | None]:
    """Which program is the first that the ones before it leave no backend for, and where it begins."""
    left: tuple[str, ...] = numbers.BACKENDS
    narrowed = ""
    for tree in _trees(scenario):
        remaining = tuple(backend for backend in left if backend in tree.backends)
        if not remaining:
            message = (
                f"no backend can run all programs: {tree.name} runs only on {' and '.join(tree.backends)}, "
                f"{narrowed} only on {' and '.join(left)}"
            )
            return message, tree.origin.where(tree.origin.place(0, 0))
        if remaining != left:
            narrowed = f"{tree.name} of line {tree.origin.line}"
        left = remaining
    return "no backend can run all programs", None
