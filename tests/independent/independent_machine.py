"""Runs a scenario, a whole column at a time, and hashes the state.

Part of the second implementation: written from the design pages alone, it imports nothing of detcheck.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import independent_binary32 as b32
import xxhash
from independent_backends import BACKENDS
from independent_evaluation import Column, Evaluation, State, Stop, word_operation
from independent_generators import generator
from independent_kinds import VECTORS
from independent_programs import Assignment, Program, Scatter, Target
from independent_scenario import LANES, Constant, Refused, Scenario
from independent_trees import Trees

__all__ = ["Machine", "Stop"]


class Machine:
    """The state of a replay and its programs."""

    def __init__(self, scenario: Scenario, backend_id: str) -> None:
        self.scenario, self.backend = scenario, BACKENDS[backend_id]
        self.rng = generator(scenario.rng, scenario.seed, scenario.x87_precision)
        self.tick = 0
        self.state: State = {}
        for table in scenario.columns:
            self.clear(table)
        backend = self.backend
        self.setup = [Program(scenario, backend, own, text, f"setup.{own}") for own, text in scenario.setup.items()]
        self.systems = [
            Program(scenario, backend, system.get("each", "world"), system["do"], system["name"], system.get("where"))
            for system in scenario.systems
        ]
        self.inputs = [self.script_entry(entry) for entry in scenario.inputs]

    def clear(self, table: str) -> None:
        rows = self.scenario.rows[table]
        for name, type_ in self.scenario.columns[table].items():
            self.state[table, name] = [zero(type_)] * rows

    def script_entry(self, entry: dict[str, Any]) -> tuple[range, int, dict[str, Any]]:
        """Its ticks, its player, its cells by column."""
        trees = Trees(self.scenario, self.backend, "world", "")
        types = self.scenario.columns["players"]
        cells: dict[str, Any] = {}
        for name in entry.keys() - {"tick", "hold", "player"}:
            value, type_ = entry[name], types[name]
            if type_ == "bool" and not isinstance(value, bool):
                raise Refused("an input")
            if type_ in VECTORS:
                cells[name] = tuple(trees.literal(Constant.of(lane), "num") for lane in value)
            else:
                cells[name] = value if type_ == "bool" else trees.literal(Constant.of(value), type_)
        return range(entry["tick"], entry["tick"] + entry.get("hold", 1)), entry["player"], cells

    def run(self) -> Iterator[int]:
        """Sets up, then runs tick by tick; yields the count of completed ticks, 0 first. Raises Stop on a trap."""
        for program in self.setup:
            self.run_program(program)
        yield 0
        while self.tick < self.scenario.ticks:
            if "players" in self.scenario.columns:
                self.set_players()
            for program in self.systems:
                self.run_program(program)
            self.tick += 1
            yield self.tick

    def set_players(self) -> None:
        self.clear("players")
        for ticks, player, cells in self.inputs:
            if self.tick in ticks:
                for name, cell in cells.items():
                    self.state["players", name][player] = cell

    def run_program(self, program: Program) -> None:
        rows = list(range(self.scenario.rows[program.own]))
        if not rows:
            return
        run = Evaluation(self.scenario, self.backend, self.rng, self.state, self.tick, program, rows)
        if program.guard is not None:
            run.rows = [row for row, active in zip(rows, run.values(program.guard), strict=True) if active]
        if not run.rows:
            return
        for statement in program.statements:
            run.line = statement.line
            if isinstance(statement, Scatter):
                self.scatter(run, statement)
            else:
                self.assign(run, statement)

    def assign(self, run: Evaluation, statement: Assignment) -> None:
        values = run.values(statement.value)
        if len(statement.targets) == 1:
            self.store(run, statement.targets[0], values)
            return
        for target, column in zip(statement.targets, zip(*values, strict=True), strict=True):
            self.store(run, target, list(column))

    def store(self, run: Evaluation, target: Target, values: Column) -> None:
        """Into the active rows of a column, or a local, which has those rows only."""
        if target.is_column:
            column, places = list(self.state[run.program.own, target.name]), run.rows
            self.state[run.program.own, target.name] = column
        else:
            places = range(len(values))
            column = list(run.locals.get(target.name, values))
            run.locals[target.name] = column
        for place, value in zip(places, values, strict=True):
            column[place] = value if target.lane is None else with_lane(column[place], target.lane, value)

    def scatter(self, run: Evaluation, statement: Scatter) -> None:
        """All indices, which trap, then all values; then all are added, ascending."""
        indices = run.indices(statement.index, statement.table)
        values = run.values(statement.value)
        key = statement.table, statement.column
        column = list(self.state[key])
        for index, value in zip(indices, values, strict=True):
            column[index] = word_operation(statement.op, statement.value.type, column[index], value)
        self.state[key] = column

    def digests(self) -> tuple[str, dict[str, str]]:
        """(state hash, digest by part) in part order: rng, world, players, the tables as declared."""
        parts = {"rng": self.rng.state()}
        first = [table for table in ("world", "players") if table in self.scenario.columns]
        for table in dict.fromkeys([*first, *self.scenario.columns]):
            for name, type_ in self.scenario.columns[table].items():
                parts[f"{table}.{name}"] = column_bytes(self.state[table, name], type_)
        digests = {name: xxhash.xxh3_64(content).digest() for name, content in parts.items()}
        whole = struct.pack("<Q", self.tick) + b"".join(digests.values())
        return xxhash.xxh3_64_hexdigest(whole), {name: digest.hex() for name, digest in digests.items()}


def zero(type_: str) -> Any:
    return (0,) * LANES[type_] if type_ in VECTORS else 0


def with_lane(vector: tuple[int, ...], lane: int, value: int) -> tuple[int, ...]:
    return (*vector[:lane], value, *vector[lane + 1 :])


def column_bytes(column: Column, type_: str) -> bytes:
    """Canonical bytes: bools a byte, all else 32 bits little-endian, vectors lane after lane."""
    if type_ == "bool":
        return bytes(column)
    lanes = [[vector[lane] for vector in column] for lane in range(LANES[type_])] if type_ in VECTORS else [column]
    return b"".join((cell & b32.MASK).to_bytes(4, "little") for lane in lanes for cell in lane)
