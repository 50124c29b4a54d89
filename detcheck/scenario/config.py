"""[config]: named constants."""

from __future__ import annotations

from detcheck.errors import visible
from detcheck.language.names import name_problem
from detcheck.model.schema import Const
from detcheck.scenario.constants import number_const
from detcheck.scenario.section import Section


def read_config(section: Section | None) -> tuple[dict[str, Const], set[str]]:
    """The constants in file order, and the names of faulty ones; faults are noted in the section."""
    constants: dict[str, Const] = {}
    unclear: set[str] = set()
    if section is None:
        return constants, unclear
    for name, value in section.values.items():
        const, fault = number_const(value)
        problem = name_problem(name)
        if problem is not None:
            section.fault("scenario.name", f'"{visible(name, 60)}" {problem}', section.key_at(name))
        if fault is not None:
            section.fault(fault[0], f"{visible(name, 60)}: {fault[1]}", section.value_at(name))
        if const is not None and problem is None:
            constants[name] = const
        else:
            unclear.add(name)
    return constants, unclear
