"""The house's own rules, held by reading the source: no float, clock or chance where bits are decided."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "detcheck"

#: rooms in which every value is an integer
EXACT_ROOMS = ("numbers", "trig", "rng", "language", "engine")

#: defined in binary64 by their sources, and the canaries, whose whole purpose is to try the machine's floats
FLOAT_FILES = (
    "numbers/float_pinned_32.py",
    "trig/fasttrig.py",
    "rng/mt19937.py",
)
CANARY_FILES = ("engine/canaries.py",)

#: mpmath stands for exact arithmetic when tables are made offline; nothing of it runs in a replay
OFFLINE_FILES = ("trig/make_tables.py",)

FORBIDDEN_MODULES = {"math", "cmath", "random", "time", "datetime", "secrets", "uuid", "statistics", "numpy"}


def exact_files() -> Iterator[Path]:
    for room in EXACT_ROOMS:
        yield from sorted((PACKAGE / room).rglob("*.py"))


def names_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def floats_in(tree: ast.AST) -> Iterator[int]:
    """Lines with a float literal, a call of float(), or a true division."""
    for node in ast.walk(tree):
        literal = isinstance(node, ast.Constant) and isinstance(node.value, float)
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("float", "hash")
        divided = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)
        if literal or called or divided:
            yield getattr(node, "lineno", 0)


def imported_modules(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.lineno, node.module.split(".")[0]


def set_loops(tree: ast.AST) -> Iterator[int]:
    """Lines that iterate over a set display, a set comprehension or a call of set() or frozenset()."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension) and is_set(node.iter):
            yield getattr(node, "lineno", node.iter.lineno)


def is_set(node: ast.AST) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")


@pytest.mark.parametrize("path", list(exact_files()), ids=names_of)
def test_no_float_clock_or_chance_where_bits_are_decided(path: Path) -> None:
    """Rooms that decide bits hold integers only, but for the named files that are defined in binary64."""
    name = names_of(path)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = [(line, m) for line, m in imported_modules(tree) if m in FORBIDDEN_MODULES]
    loops = list(set_loops(tree))
    assert loops == [], f"{name}: iterates over a set at lines {loops}"
    if name in OFFLINE_FILES or name in CANARY_FILES:
        return
    allowed = {"math"} if name in FLOAT_FILES else set()
    assert [m for m in modules if m[1] not in allowed] == [], name
    if name not in FLOAT_FILES:
        found = list(floats_in(tree))
        assert found == [], f"{name}: float, hash() or true division at lines {found}"


def test_the_named_exceptions_exist() -> None:
    """The list of exceptions names files that are there, so that it cannot rot."""
    for name in (*FLOAT_FILES, *CANARY_FILES, *OFFLINE_FILES):
        assert (PACKAGE / name).is_file(), name


def test_the_float_finder_finds() -> None:
    """The checker of this file sees what it is meant to see."""
    assert sorted(floats_in(ast.parse("x = 1.5\ny = a / b\nz = float(c)\nw = hash(d)\na /= 2"))) == [1, 2, 3, 4, 5]
    assert list(set_loops(ast.parse("for x in {1}: pass\nfor y in set(a): pass\nz = [q for q in {1, 2}]"))) == [1, 2, 3]
    assert [m for _, m in imported_modules(ast.parse("import math\nfrom time import x"))] == ["math", "time"]


def imports_at_module_level(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {m for node in tree.body for _, m in imported_modules(node)}


def test_heavy_libraries_stay_in_their_rooms() -> None:
    """click only in cli, rich only in cli and reports, xxhash only in hashing, mpmath only where tables are made."""
    rooms = {"click": ("cli/",), "rich": ("cli/", "reports/"), "xxhash": ("hashing/",), "mpmath": OFFLINE_FILES}
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for line, module in imported_modules(tree):
            if module in rooms:
                assert names_of(path).startswith(rooms[module]), f"{names_of(path)}:{line} imports {module}"


def test_start_up_is_lazy() -> None:
    """The entry module imports nothing heavy at its top."""
    top = imports_at_module_level(PACKAGE / "cli" / "main.py")
    assert top & {"rich", "tomllib", "dataclasses", "xxhash", "importlib.metadata"} == set()


def test_readme_commands_are_what_ci_runs() -> None:
    """The README's second fenced block is one command that ends in pytest, and .ci/run takes it from there."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    assert blocks[0].strip().endswith("detcheck run")
    assert blocks[1].strip().endswith("-m pytest")
    assert all(len(block.strip().splitlines()) == 1 for block in blocks[:2])
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_no_path_of_a_machine_and_no_registry_host_is_committed() -> None:
    """Nothing tracked names a developer's folders or a package registry's host."""
    forbidden = re.compile(r"/(?:home|root|work|Users)/[a-z]|pypi\.org|pythonhosted|registry\.npmjs|deb\.debian")
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        skip = path.name == "test_house.py" or parts[0] in (".git", "build", "dist", ".venv")
        if skip or "data" in parts or path.suffix not in (".py", ".md", ".toml", ".yml", ".c", ".h", ".txt", ".sh"):
            continue
        found = forbidden.search(path.read_text(encoding="utf-8", errors="replace"))
        assert found is None, f"{path.relative_to(ROOT)}: {found.group() if found else ''}"
