"""What a program may name, and what typing has learned so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from detcheck.language.functions import FUNCTIONS
from detcheck.language.names import RESERVED
from detcheck.language.places import Place, Report
from detcheck.model.schema import Const, RngSpec, TableSpec


@dataclass(frozen=True)
class Env:
    """A scenario's declarations. `tables` holds world, players (if any) and the tables; tick_rate is in Hz."""

    tables: tuple[TableSpec, ...]
    constants: Mapping[str, Const]
    rng: RngSpec
    tick_rate: int

    @property
    def dt(self) -> Const:
        """The exact length of a tick in seconds."""
        return Const("d", Fraction(1, self.tick_rate))


@dataclass
class FoldScope:
    """While a fold's argument is typed: the table it names and where it first did."""

    table: str | None = None


@dataclass
class Scope:
    """The names visible in one program, and its locals with their types as they are assigned.

    later    names that some statement of the program assigns, for messages
    limits   (place, what, the backends that have it) for each construct that not every backend has
    """

    env: Env
    own: TableSpec
    report: Report
    tables: dict[str, TableSpec]
    locals: dict[str, str] = field(default_factory=dict)
    limits: list[tuple[Place, str, tuple[str, ...]]] = field(default_factory=list)
    later: dict[str, int] = field(default_factory=dict)
    in_guard: bool = False
    fold: FoldScope | None = None

    @property
    def in_world(self) -> bool:
        """Whether this is a program of `world`."""
        return self.own.name == "world"

    def constant(self, name: str) -> Const | None:
        """A config constant or dt."""
        return self.env.dt if name == "dt" else self.env.constants.get(name)

    def role(self, name: str) -> str | None:
        """What a name already is here ("a table"), other than a column of the own table or a local."""
        if name in RESERVED:
            return "a reserved name"
        if name in FUNCTIONS:
            return "a function"
        if name in self.env.constants:
            return "a constant of [config]"
        if name in self.tables:
            return "a table"
        return None

    def known(self) -> list[str]:
        """All names that an expression may hold here, for a hint."""
        columns = [column.name for column in self.own.columns]
        return [*columns, *self.locals, *self.env.constants, *self.tables, *FUNCTIONS, *RESERVED]


def make_scope(env: Env, own_table: TableSpec, report: Report) -> Scope:
    """The scope of a program of `own_table`."""
    tables = {table.name: table for table in env.tables}
    tables.setdefault("world", TableSpec("world", 1, ()))
    return Scope(env, own_table, report, tables)
