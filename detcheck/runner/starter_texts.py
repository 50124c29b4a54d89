"""The texts that `detcheck init` writes: a first scenario, the settings table, a workflow, git attributes."""

from __future__ import annotations

SCENARIO_NAME = "first"

SCENARIO = '''\
# A first scenario. Change it, then: detcheck run first   (and, when the change is meant: detcheck regen first)
# The manual: detcheck explain scenarios, detcheck explain language
[scenario]
summary    = "Twelve runners chase a flag in a walled arena and lose stamina on every roll"
backends   = ["fixed_point_16_16", "fixed_wrapping_16_16", "float_pinned_32"]
rng        = "mt19937"
seed       = 2026
ticks      = 240
tick_rate  = 60
hash_every = 20

[config]
arena = 30
drag  = 0.97

[world]
flag  = "vec2"
catch = "i32"

[tables.runner]
rows    = 12
pos     = "vec2"
vel     = "vec2"
facing  = "angle"
stamina = "i32"

[players]
rows = 1
push = "vec2"

[[inputs]]
tick   = 40
hold   = 80
player = 0
push   = [1.5, -0.7]

[setup]
world = """
flag = vec2(3.3, -7.1)
"""
runner = """
pos     = vec2(num(roll(-25, 25)), num(roll(-25, 25)))
stamina = 100
"""

[[systems]]
name = "chase"
each = "runner"
where = "stamina > 0"
do = """
to     = world.flag - pos
vel    = (vel + normalize(to) * dt + players[0].push * 0.01) * drag
pos    = clamp(pos + vel, vec2(-arena, -arena), vec2(arena, arena))
facing = heading(vel)
stamina -= roll(0, 1)
"""

[[systems]]
name = "score"
do = """
catch = count(runner.stamina > 50)
flag += vec2(cos(turn(0.01) * tick), sin(turn(0.01) * tick)) * 0.3
"""
'''

SETTINGS = """\
[tool.detcheck]
scenarios = "scenarios"
golden = "golden"
"""

#: what the workflow's commands leave in the folder, as git ignores it
IGNORED = ("desync/", "report.json")

#: the README shows the same text
WORKFLOW = """\
name: detcheck
on: [push, pull_request]
permissions:
  contents: read
jobs:
  replay:
    name: ${{ matrix.os }}
    strategy:
      fail-fast: false
      matrix:
        os: [ubuntu-latest, macos-latest, windows-latest]
    runs-on: ${{ matrix.os }}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065 # v5.6.0
        with:
          python-version: "3.12"
      - run: python -m pip install detcheck
      # red where anything diverges; to judge all systems together instead: detcheck explain ci
      - run: detcheck run --json report.json --artifacts desync
      - if: always()
        uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        with:
          name: detcheck-${{ matrix.os }}
          path: |
            report.json
            desync/
          if-no-files-found: ignore
  support:
    name: support list
    if: ${{ !cancelled() }}
    needs: replay
    runs-on: ubuntu-latest
    steps:
      - uses: actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065 # v5.6.0
        with:
          python-version: "3.12"
      - run: python -m pip install detcheck
      - uses: actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0
        with:
          pattern: detcheck-*
      - run: detcheck matrix detcheck-*/report.json --expect 3
"""


def attributes_text(scenarios: str, golden: str) -> str:
    """Git keeps line ends of goldens and scenarios as they are everywhere (design: formats, Golden files)."""
    return f"{golden}/** text eol=lf\n{scenarios}/** text eol=lf\n*.jsonl.gz binary\n"
