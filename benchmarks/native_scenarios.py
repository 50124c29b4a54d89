"""The scenarios the native benchmarks replay, as text: `{rows}` entities, nothing a power of two."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from detcheck.language.ir import Program
from detcheck.scenario.compile import compile_scenario
from detcheck.scenario.compiled import CompiledScenario
from detcheck.scenario.load import load

#: vec2 integrate, clamp, length, normalize, lerp, divide, compare and select, an integer mix, two draws
WORKLOAD = """
[scenario]
summary    = "The benchmark workload"
rng        = "mt19937"
seed       = 5489
ticks      = 1000000
tick_rate  = 60
hash_every = 1000000

[tables.unit]
rows  = {rows}
pos   = "vec2"
vel   = "vec2"
speed = "num"
ratio = "num"
luck  = "num"
mix   = "u32"
dice  = "i32"

[setup]
unit = \"\"\"
pos   = vec2(num(roll(-60, 60)), num(roll(-60, 60)))
vel   = vec2(num(roll(-900, 900)) / 100, num(roll(-900, 900)) / 100)
mix   = rand_u32()
\"\"\"

[[systems]]
name = "move"
each = "unit"
do = \"\"\"
dice  = roll(-37, 41)
luck  = rand_unit()
pos   = clamp(pos + vel * 0.013, vec2(-61.7, -61.7), vec2(61.7, 61.7))
speed = length(vel)
vel   = lerp(vel, normalize(pos) * 7.3, 0.013)
ratio = speed / 3.7
ratio = luck if ratio < luck else ratio
mix   = (mix ^ (mix << 13)) * 2654435769
\"\"\"
"""

#: the first seed's own benchmark: 10,000 entities, 2,000 of them moving by one vec2 add a tick, hashed every tick
MOVERS = """
[scenario]
summary    = "Two thousand of ten thousand entities move"
rng        = "mt19937"
seed       = 5489
ticks      = 1000000
tick_rate  = 60
hash_every = 1

[tables.unit]
rows   = {rows}
pos    = "vec2"
vel    = "vec2"
moving = "bool"

[setup]
unit = \"\"\"
pos    = vec2(num(roll(-60, 60)), num(roll(-60, 60)))
vel    = vec2(0.0137, -0.0071)
moving = row % 5 == 0
\"\"\"

[[systems]]
name  = "move"
each  = "unit"
where = "moving"
do    = "pos += vel"
"""


def compiled(text: str, rows: int, backend: str) -> CompiledScenario:
    """The scenario of a text at a number of entities, for one backend."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "benchmark.toml"
        path.write_text(text.format(rows=rows), encoding="utf-8")
        return compile_scenario(load(path), backend)


def ops_per_row(program: Program) -> Counter[str]:
    """How often each op stands in a program, without constants, loads and stores."""
    return Counter(op.code for op in program.ops if op.code not in ("const", "load", "store"))
