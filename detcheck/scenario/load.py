"""From a scenario file to a Scenario, or to all faults of the file at once."""

from __future__ import annotations

import re
from pathlib import Path

from detcheck.errors import DetcheckError, Faults, Where, visible
from detcheck.language.analyse import Env, ProgramTree, analyse
from detcheck.model.schema import RngSpec, TableSpec
from detcheck.scenario.config import read_config
from detcheck.scenario.document import Document, FaultLog, parse_document
from detcheck.scenario.files import is_device_name, read_regular
from detcheck.scenario.identity import config_document, config_hash_of, inputs_hash_of
from detcheck.scenario.inline_inputs import read_inline
from detcheck.scenario.inputs_file import inputs_path, read_inputs_file
from detcheck.scenario.programs import ProgramText, read_setup, read_systems
from detcheck.scenario.roles import refuse_double_roles
from detcheck.scenario.scenario import Scenario, ScriptEntry, SetupProgram, System
from detcheck.scenario.section import Section
from detcheck.scenario.settings import NO_SETTINGS, Settings, read_settings
from detcheck.scenario.support import on_backends
from detcheck.scenario.tables import Shape, read_shape

FILE_MAX = 1 << 20

_SECTIONS = ("scenario", "config", "world", "tables", "players", "inputs", "setup", "systems")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

#: what programs are typed with while the file's own generator is not known
_ANY_RNG = RngSpec("mt19937", 53)


def load(path: str | Path) -> Scenario:
    """Load and check one scenario file, for every backend it is to run on. Nothing of it executes.

    Raises DetcheckError when it cannot be read or is not TOML, and Faults with every fault of a file that is.
    """
    path = Path(path)
    document = parse_document(str(path), read_regular(path, FILE_MAX, "a scenario file"))
    return _Loader(path, document).scenario()


class _Loader:
    """The parts of one file on their way to a Scenario; `faults` grows, and the parts are whole when it stays empty."""

    def __init__(self, path: Path, document: Document) -> None:
        self.path = path
        self.document = document
        self.faults = FaultLog()
        self.root = Section(document, (), document.data, self.faults)

    def scenario(self) -> Scenario:
        name = self.name()
        self.root.refuse_unknown(_SECTIONS)
        settings = self.settings()
        config, unclear = read_config(self.root.table("config", hint="write [config] with name = number lines"))
        shape = read_shape(self.root)
        shape.unclear |= unclear | self.stray_names()
        refuse_double_roles(self.root, config, shape.tables)
        inputs = self.inputs(settings, shape)
        env = Env(tuple(shape.tables), config, settings.rng or _ANY_RNG, settings.tick_rate or 60)
        setup, systems = self.programs(env, shape, settings.rng is not None)
        self.finish()
        assert settings.rng is not None
        assert settings.seed is not None
        assert settings.ticks is not None
        assert settings.tick_rate is not None
        assert settings.hash_every is not None
        document = config_document(settings.tick_rate, settings.rng, config, env.tables, setup, systems)
        scenario = Scenario(
            name=name,
            path=self.path,
            summary=settings.summary,
            backends=settings.backends or (),
            backends_listed=settings.backends is not None,
            rng=settings.rng,
            seed=settings.seed,
            ticks=settings.ticks,
            tick_rate=settings.tick_rate,
            hash_every=settings.hash_every,
            config=config,
            tables=env.tables,
            inputs=inputs,
            setup=setup,
            systems=systems,
            inputs_hash=inputs_hash_of(inputs),
            config_hash=config_hash_of(document),
            inputs_path=self.inputs_path(settings),
        )
        scenario = on_backends(scenario, self.root)
        self.finish()
        return scenario

    def stray_names(self) -> set[str]:
        """Names under a section of an unknown name, such as [confg]: it has a fault, they need none."""
        names: set[str] = set()
        strays = [value for key, value in self.document.data.items() if key not in _SECTIONS]
        while strays:
            value = strays.pop()
            if isinstance(value, dict):
                names.update(value)
                strays.extend(value.values())
        return names

    def finish(self) -> None:
        """Raise all faults, if there are any."""
        if not self.faults:
            return
        if self.faults.dropped:
            dropped = self.faults.dropped
            words = "1 more fault is" if dropped == 1 else f"{dropped:,} more faults are"
            message = f"at least {words} not listed"
            list.append(
                self.faults,
                DetcheckError("scenario.many_faults", message, Where(self.document.file, len(self.document.lines))),
            )
        raise Faults(self.faults)

    def name(self) -> str:
        stem = self.path.stem
        if not _NAME.fullmatch(stem):
            message = f'"{visible(stem, 60)}" cannot name a scenario: the name is the file\'s, up to .toml'
            hint = "rename the file: small letters, digits, _ and -, not beginning with _ or -"
            self.root.fault("scenario.name", message, Where(self.document.file), hint)
        elif is_device_name(stem):
            message = f'"{stem}" cannot name a scenario: Windows keeps the name for a device'
            self.root.fault("scenario.name", message, Where(self.document.file), "rename the file")
        return stem

    def settings(self) -> Settings:
        section = self.root.table("scenario")
        if section is None:
            if "scenario" not in self.document.data:
                hint = "it holds rng, seed, ticks, tick_rate and hash_every"
                self.root.fault("scenario.missing_key", "the file has no [scenario] section", None, hint)
            return NO_SETTINGS
        return read_settings(section)

    def inputs_path(self, settings: Settings) -> Path | None:
        return None if settings.inputs_file is None else inputs_path(self.path, settings.inputs_file)

    def inputs(self, settings: Settings, shape: Shape) -> tuple[ScriptEntry, ...]:
        """The script, from the file or from the inputs file, never both, and only with [players]."""
        section = Section(self.document, ("scenario",), {}, self.faults)
        named = settings.inputs_file is not None
        inline = "inputs" in self.document.data
        players = next((table for table in shape.tables if table.name == "players"), None)
        if named and inline:
            hint = "keep one of them"
            self.root.fault("scenario.inputs", "inputs stand here and in inputs_file", self.root.key_at("inputs"), hint)
        if players is None or "players" in shape.unclear:
            if (named or inline) and "players" not in shape.unclear:
                where = self.root.key_at("inputs") if inline else section.key_at("inputs_file")
                self.root.fault("scenario.inputs", "there are inputs but no [players]", where, "declare their columns")
            return ()
        if inline:
            return read_inline(self.root, players, shape.unclear)
        path = self.inputs_path(settings)
        if path is not None:
            return self.inputs_of_file(path, players, section, shape.unclear)
        if named:
            message = "inputs_file is not the bare name of a .jsonl file"
            hint = 'it stands beside the scenario: inputs_file = "skirmish.jsonl"'
            self.root.fault("scenario.inputs", message, section.value_at("inputs_file"), hint)
        return ()

    def inputs_of_file(
        self, path: Path, players: TableSpec, section: Section, unclear: set[str]
    ) -> tuple[ScriptEntry, ...]:
        try:
            return read_inputs_file(path, players, unclear, self.faults)
        except DetcheckError as fault:
            self.faults.append(fault)
            if fault.where is not None and fault.where.line is None:
                self.root.fault("scenario.inputs", "inputs_file cannot be read", section.value_at("inputs_file"))
            return ()

    def programs(self, env: Env, shape: Shape, rng_known: bool) -> tuple[tuple[SetupProgram, ...], tuple[System, ...]]:
        tables = {table.name: table for table in shape.tables}
        setup = []
        for program in read_setup(self.root, tables, shape.unclear):
            tree = self.tree(program, env, shape.unclear, rng_known)
            if tree is not None and program.each is not None:
                setup.append(SetupProgram(program.each, tree))
        systems = []
        for program in read_systems(self.root, tables, shape.unclear):
            tree = self.tree(program, env, shape.unclear, rng_known)
            if tree is not None:
                systems.append(System(program.name, program.each, tree))
        return tuple(setup), tuple(systems)

    def tree(self, program: ProgramText, env: Env, unclear: set[str], rng_known: bool) -> ProgramTree | None:
        """The typed program. Faults that only follow from a faulty declaration are left out: it has its own."""
        table = next((table for table in env.tables if table.name == program.table), None)
        if table is None:
            return None
        found: list[DetcheckError] = []
        tree = analyse(program.name, table, program.text, program.origin, program.guard, env, found)
        own = [fault for fault in found if not follows(fault, unclear, rng_known)]
        for fault in own if own or self.faults else found:  # a program without a tree never passes in silence
            self.faults.append(fault)
        return tree


def follows(fault: DetcheckError, unclear: set[str], rng_known: bool) -> bool:
    """Whether a program's fault may only follow from a declaration that has a fault of its own."""
    if not rng_known and fault.code == "program.rng":
        return True
    where = fault.where
    if not unclear or where is None or where.source is None or where.column is None:
        return False
    word = _WORD.match(where.source, where.column - 1)
    return word is not None and word.group() in unclear
