"""[setup] and [[systems]]: the programs, each with its place in the file."""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.errors import visible
from detcheck.language.names import name_problem
from detcheck.language.places import Origin
from detcheck.model.schema import TableSpec
from detcheck.scenario.positions import Path
from detcheck.scenario.section import Section, did_you_mean, kind_of

PROGRAM_MAX = 64 * 1024

_SYSTEM_KEYS = ("name", "each", "where", "do")
_SYSTEMS_HINT = "write one [[systems]] section a system"
_PLAYERS = "player rows are set by the script alone"
_PLAYERS_HINT = "read them as players[i].column"


@dataclass(frozen=True)
class ProgramText:
    """A program as it stands in the file. `each` is None for a world system, `table` where the table is faulty."""

    name: str
    table: str | None
    each: str | None
    text: str
    origin: Origin
    guard: tuple[str, Origin] | None = None


def read_setup(root: Section, tables: dict[str, TableSpec], unclear: set[str]) -> tuple[ProgramText, ...]:
    """The programs of [setup] in file order; faults are noted in the section."""
    section = root.table("setup", hint='write [setup] with one program a table: unit = """ ... """')
    programs = []
    for name in section.values if section is not None else ():
        assert section is not None
        table = name if name in tables and name != "players" else None
        if name == "players":
            section.fault("scenario.program", _PLAYERS, section.key_at(name), _PLAYERS_HINT)
        elif table is None and name not in unclear:
            message = f'there is no table "{visible(name, 60)}" to set up'
            section.fault("scenario.unknown_table", message, section.key_at(name), did_you_mean(name, _own(tables)))
        text = _text(section, name, PROGRAM_MAX)
        if text is not None:
            programs.append(ProgramText(f"setup.{name}", table, name, *text))
    return tuple(programs)


def read_systems(root: Section, tables: dict[str, TableSpec], unclear: set[str]) -> tuple[ProgramText, ...]:
    """The programs of [[systems]] in file order; faults are noted in the section."""
    listed = root.take("systems", list, "an array of tables", _SYSTEMS_HINT)
    programs = []
    names: set[str] = set()
    for i, values in enumerate(listed or ()):
        if root.given_up():
            break
        path: Path = ("systems", i)
        if not isinstance(values, dict):
            message = f"entry {i + 1} of systems is {kind_of(values)}, it has to be a table"
            root.fault("scenario.type", message, root.document.value(path), _SYSTEMS_HINT)
            continue
        program = _system(Section(root.document, path, values, root.faults), names, tables, unclear)
        if program is not None:
            programs.append(program)
    return tuple(programs)


def _system(section: Section, names: set[str], tables: dict[str, TableSpec], unclear: set[str]) -> ProgramText | None:
    section.refuse_unknown(_SYSTEM_KEYS)
    name = _name(section, names)
    each = section.string("each", hint="name a table; leave each out for a world system")
    known = _own(tables)
    table = None
    if "each" not in section.values:
        table = "world"
    elif each == "world":
        section.fault("scenario.unknown_table", "a world system has no each", section.key_at("each"), "leave it out")
    elif each == "players":
        section.fault("scenario.unknown_table", _PLAYERS, section.value_at("each"), _PLAYERS_HINT)
    elif each is not None:
        table = each if each in tables else None
        if table is None and each not in unclear:
            message = f'there is no table "{visible(each, 60)}"'
            where = section.value_at("each")
            named = [name for name in known if name != "world"]
            hint = did_you_mean(each, named) if named else "declare it as [tables.name], or leave each out"
            section.fault("scenario.unknown_table", message, where, hint)
    guard = _text(section, "where", PROGRAM_MAX)
    text = _text(section, "do", PROGRAM_MAX) if section.required("do", 'do = """ ... """') else None
    return None if text is None else ProgramText(name, table, each, *text, guard=guard)


def _name(section: Section, names: set[str]) -> str:
    """The system's name; "?" when it has no good one. Unique, since traps and reports tell systems apart by it."""
    if not section.required("name", 'name = "steer"'):
        return "?"
    name = section.string("name")
    if name is None:
        return "?"
    problem = name_problem(name)
    if problem is None and name in names:
        problem = "is the name of two systems"
    if problem is not None:
        section.fault("scenario.name", f'"{visible(name, 60)}" {problem}', section.value_at("name"))
    names.add(name)
    return name


def _own(tables: dict[str, TableSpec]) -> list[str]:
    """Tables that programs may own: every one but players."""
    return [name for name in tables if name != "players"]


def _text(section: Section, key: str, limit: int) -> tuple[str, Origin] | None:
    """A program's text and origin. It stands verbatim in the file, or places in it would not be the file's."""
    text = section.string(key, 'a program in """ quotes')
    if text is None:
        return None
    path = (*section.path, key)
    document = section.document
    size = len(text.encode("utf-8"))
    if size > limit:
        message = f"a program of {size:,} bytes; one has at most {limit:,}"
        section.fault("scenario.too_large", message, section.value_at(key), "split it into several systems")
        return None
    written = document.written(path)
    if "\\" in written and not written.startswith("'"):
        where = document.value(path, written.index("\\"))
        section.fault("program.character", "a program holds no backslash", where, "write the character itself")
        return None
    line, column = document.text_begin(path)
    return text, Origin(document.file, line, column, document.lines)
