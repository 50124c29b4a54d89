"""Targeted scenarios: one shape of tables and columns, and a case's own statements in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FIXED = ("fixed_point_16_16", "fixed_wrapping_16_16")
WRAPPING = ("fixed_wrapping_16_16",)
FLOAT = ("float_pinned_32",)
ALL = (*FIXED, *FLOAT)

COLUMNS = "a: num, b: num, i: i32, j: i32, u: u32, t: angle, v: vec2, w: vec3, p: bool"
WORLD = "wz: i32, wn: num, wv: vec2, wp: bool, wt: angle"
PLAYERS = "move: vec2, thr: num, k: i32, m: u32, g: angle, fire: bool, w3: vec3"
CONFIG = "c1 = 3\nc2 = 1.3\nc3 = -2\nc4 = -0.0\n"
SETUP = (
    "i = id * 3 - 4; j = id; p = id % 2 == 0; u = u32(id - 1); t = turn(0.3); a = num(id) - 2.3; b = num(id) * 1.3; "
    "v = vec2(num(id - 2) * 1.7, 0.7); w = vec3(1.1, num(id), -2.2)"
)
#: one line an entry: later ones win by column, some are past the end
INPUTS = (
    "tick = 0, hold = 3, player = 0, move = [1, 0.5], fire = true",
    "tick = 1, player = 0, move = [-2.5, 1e-3], k = -5, m = 4000000000, g = 4294967295, thr = 0.000007",
    "tick = 2, hold = 100, player = 1, fire = true, w3 = [1, -2, 0.1], k = 7",
    "tick = 1, hold = 2, player = 1, k = 8, fire = false, thr = -0.0",
    "tick = 50, hold = 2, player = 1, k = 8",
    "tick = 0, hold = 5, player = 0, thr = -3",
)


@dataclass(frozen=True)
class Case:
    """Statements, `; ` between them, of a system of the table `unit` and of a world system after it.

    `unit` has the columns id (its row) and `columns`; `thing` has none of its rows; `world` and `players` have theirs.
    """

    name: str
    do: str = ""
    where: str = ""
    world_do: str = ""
    setup: str = SETUP
    columns: str = COLUMNS
    rows: int = 5
    ticks: int = 2
    tick_rate: int = 60
    rng: str = '"mt19937"'
    seed: int = 7
    systems: tuple[str, ...] = ()
    backends: tuple[str, ...] = ALL

    def text(self, *backends: str) -> str:
        """The scenario file, for those backends: any that can run it where none is named."""
        listed = f"backends = {list(backends)}\n" if backends else ""
        inputs = "".join(f"[[inputs]]\n{entry_lines(entry)}\n" for entry in INPUTS)
        systems = [system("s", "unit", self.do, self.where)] if self.do else []
        systems += [system(f"s{n}", "unit", do) for n, do in enumerate(self.systems)]
        systems += [system("w", "", self.world_do)] if self.world_do else []
        return (
            f'[scenario]\nsummary = "A case"\nrng = {self.rng}\nseed = {self.seed}\nticks = {self.ticks}\n'
            f"{listed}tick_rate = {self.tick_rate}\nhash_every = 1\n[config]\n{CONFIG}"
            f"[world]\n{declared(WORLD)}[players]\nrows = 2\n{declared(PLAYERS)}{inputs}"
            f'[tables.unit]\nrows = {self.rows}\nid = "i32"\n{declared(self.columns)}'
            f"[tables.thing]\nrows = 0\n{declared('x: i32, n: num, v: vec2, b: bool')}"
            f"[setup]\nunit = {program('id = row; ' + self.setup)}{''.join(systems)}"
        )


def declared(columns: str) -> str:
    pairs = (column.split(": ") for column in columns.split(", "))
    return "".join(f'{name} = "{type_}"\n' for name, type_ in pairs)


def entry_lines(entry: str) -> str:
    """Back to one key a line: the commas of arrays have no key after them."""
    out: list[str] = []
    for piece in entry.split(", "):
        if " = " in piece:
            out.append(piece)
        else:
            out[-1] += f", {piece}"
    return "\n".join(out)


def program(statements: str) -> str:
    return '"""\n' + "\n".join(statements.removesuffix("; ").split("; ")) + '\n"""\n'


def system(name: str, each: str, do: str, where: str = "") -> str:
    lines = [f'[[systems]]\nname = "{name}"\n']
    lines += [f'each = "{each}"\n'] if each else []
    lines += [f'where = "{where}"\n'] if where else []
    return "".join(lines) + f"do = {program(do)}"


def chosen(values: Sequence[str]) -> str:
    """The value of a row's number."""
    return "".join(f"{value} if id == {number} else " for number, value in enumerate(values[:-1])) + values[-1]
