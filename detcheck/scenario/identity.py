"""What makes two replays comparable: the identity, and the two hashes in it (design: formats, Identity).

Both hashes are xxh3_128 of compact ASCII JSON, of which committed test values keep the bytes still. Choices where the
design is silent: the generator is the string of a golden's header; a file without [players] has null there, one
without [world] a world of no columns; `each` and `where` are null where a system has none; a bool of an input is the
integer constant 0 or 1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from detcheck.hashing import digest128
from detcheck.language.constants import spelled
from detcheck.model.identity import Identity
from detcheck.model.schema import Const, RngSpec, TableSpec
from detcheck.scenario.scenario import Scenario, ScriptEntry, SetupProgram, System
from detcheck.version import GOLDEN_FORMAT, MATH_VERSIONS


def identity_of(scenario: Scenario, backend_id: str) -> Identity:
    """The identity of a replay of the scenario on a backend, a key of MATH_VERSIONS."""
    return Identity(
        scenario=scenario.name,
        backend=backend_id,
        rng=scenario.rng,
        seed=scenario.seed,
        inputs=scenario.inputs_hash,
        config=scenario.config_hash,
        math=MATH_VERSIONS[backend_id],
        format=GOLDEN_FORMAT,
    )


def config_document(
    tick_rate: int,
    rng: RngSpec,
    config: Mapping[str, Const],
    tables: Sequence[TableSpec],
    setup: Sequence[SetupProgram],
    systems: Sequence[System],
) -> list[object]:
    """The array whose hash is the config hash: everything that can alter a state, but for seed, ticks and inputs."""
    players = [_table(table) for table in tables if table.name == "players"]
    return [
        "detcheck-config",
        1,
        tick_rate,
        str(rng),
        [[name, spelled(const)] for name, const in sorted(config.items())],
        next(_table(table) for table in tables if table.name == "world"),
        players[0] if players else None,
        [_table(table) for table in tables if table.name not in ("world", "players")],
        [[program.table, program.tree.canonical()] for program in setup],
        [[s.name, s.each, s.tree.canonical_guard(), s.tree.canonical()] for s in systems],
    ]


def config_hash_of(document: list[object]) -> str:
    """32 hex digits over the compact ASCII JSON of a config document."""
    return digest128(_compact(document))


def inputs_hash_of(entries: Sequence[ScriptEntry]) -> str:
    """32 hex digits over the script entries, in file order, columns in declared order."""
    known: dict[int, str] = {}  # by identity: entries share their values, and hashing a Fraction is slow
    lines = []
    for entry in entries:
        cells = known.get(id(entry.values))
        if cells is None:
            cells = known[id(entry.values)] = f"[{','.join(_spelled(*value) for value in entry.values)}]"
        lines.append(f"[{entry.tick},{entry.hold},{entry.player},{cells}]")
    return digest128(f'["detcheck-inputs",1,[{",".join(lines)}]]'.encode("ascii"))


def _spelled(column: str, consts: Sequence[Const]) -> str:
    """`["move",[["i","1"],["d","-1/4"]]]`: names and constants are ASCII without quotes, so that this is JSON."""
    listed = ",".join('["' + '","'.join(spelled(const)) + '"]' for const in consts)
    return f'["{column}",[{listed}]]'


def _table(table: TableSpec) -> list[object]:
    return [table.name, table.rows, [[column.name, column.type] for column in table.columns]]


def _compact(document: object) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode("ascii")
