"""What setup.py tells the module of its build."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import warnings
from pathlib import Path
from types import ModuleType

import pytest

SETUP = Path(__file__).parents[2] / "setup.py"
CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


@pytest.fixture(scope="module")
def setup_py() -> ModuleType:
    """setup.py as a module; nothing is built."""
    if importlib.util.find_spec("setuptools") is None or not SETUP.exists():
        pytest.skip("no setuptools, or no setup.py here")
    spec = importlib.util.spec_from_file_location("detcheck_setup", SETUP)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # setuptools' own
        spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(CC is None, reason="no C compiler here")
@pytest.mark.parametrize(
    "flags", ['-O2 -DX="a b"', "-DP='C:\\new\\0'", "-D'Q=??/ \n\t%s'", "-DÜ=日本", "x" * 3000, '-DA=\\"1\\"']
)
def test_any_flag_is_told_as_it_was_given(flags: str, setup_py: ModuleType, tmp_path: Path) -> None:
    """Quotes, backslashes, trigraphs, line ends, other scripts: the macro is one C string of just that text."""
    source = tmp_path / "tell.c"
    source.write_text("#include <stdio.h>\nint main(void) { fputs(DC_BUILD_FLAGS, stdout); return 0; }\n")
    assert CC is not None
    macro = f"-DDC_BUILD_FLAGS={setup_py.c_string(flags)}"
    subprocess.run([CC, "-std=c11", macro, "-o", tmp_path / "tell", source], check=True)
    assert subprocess.run([tmp_path / "tell"], capture_output=True, check=True).stdout == flags.encode()


def test_flags_of_the_environment_are_told_in_order(setup_py: ModuleType) -> None:
    """Python's own flags, the environment's, then ours, which win; neither the program nor where libraries lie."""
    from setuptools import Distribution
    from setuptools.extension import Extension

    build = setup_py.PinnedBuild(Distribution())

    class Compiler:
        compiler_type = "unix"
        compiler_so = ("ccache", "cc", "-fPIC", "-ffp-contract=fast", "-DX=a b")
        linker_so = ("cc", "-shared", "-L/opt/lib", "-Wl,-rpath,/opt/lib", "-Wl,-O1")

    build.compiler = Compiler()
    ours = Extension("m", [], extra_compile_args=["-O3", "-ffp-contract=off"], extra_link_args=["-lm"])
    assert build._flags(ours) == "-fPIC -ffp-contract=fast '-DX=a b' -O3 -ffp-contract=off -shared -Wl,-O1 -lm"
