"""The second implementation stays one."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: what plays both sides against each other
BOTH = "independent_pair.py"


def imported(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.split(".")[0] for name in names}


def test_it_imports_nothing_of_detcheck() -> None:
    """Its modules import the standard library, xxhash and each other."""
    modules = [path for path in sorted(HERE.glob("independent_*.py")) if path.name != BOTH]
    own = {path.stem for path in modules}
    assert len(own) > 5
    for path in modules:
        assert imported(path) - own - {"xxhash"} <= sys.stdlib_module_names, path.name
    assert "detcheck" in imported(HERE / BOTH)
