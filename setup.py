"""Only what pyproject.toml cannot say of the extension module: flags by compiler, and that it is an abi3 module.

The module is optional: without a C compiler the installation succeeds and everything runs without it. A build of wheels
that are to be shipped sets DETCHECK_REQUIRE_NATIVE=1 and fails instead.
"""

import os
import shlex
from collections.abc import Sequence

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.extension import Extension

#: /fp:precise neither contracts nor reassociates; the GCC and Clang flags stand in pyproject.toml
_MSVC_FLAGS = ["/O2", "/fp:precise", "/std:c11"]


def c_string(text: str) -> str:
    """A C string literal of any text; what could end it, or mean something in it, is written as an octal escape."""
    plain = set(b" !#$%&'()*+,-./:;<=>@[]^_`{|}~") | {b for b in range(128) if chr(b).isalnum()}
    return '"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in text.encode("utf-8", "replace")) + '"'


def flags_of(command: Sequence[str]) -> list[str]:
    """The flags of a compiler's or linker's command, without the program and what it is started by (ccache, env).

    Nor where libraries lie: that changes no bit, and whoever is shown a report need not know it.
    """
    first = next((i for i, word in enumerate(command) if word.startswith("-")), len(command))
    return [word for word in command[first:] if not word.startswith(("-L", "-Wl,-rpath"))]


class PinnedBuild(build_ext):
    """Compiles with the pinned flags of the compiler at hand, and lets the module say which these were."""

    def build_extension(self, ext: Extension) -> None:
        if self.compiler.compiler_type == "msvc":
            ext.extra_compile_args = list(_MSVC_FLAGS)
            ext.extra_link_args = []
        if os.environ.get("DETCHECK_REQUIRE_NATIVE") == "1":
            ext.optional = False
        ext.define_macros.append(("DC_BUILD_FLAGS", c_string(self._flags(ext))))
        super().build_extension(ext)

    def _flags(self, ext: Extension) -> str:
        """All flags as a shell would take them, the compiler's, then the linker's.

        Each in the order they are passed: Python's own, those of the environment (CFLAGS, LDFLAGS), ours.
        """
        if self.compiler.compiler_type == "msvc":
            ours = [*os.environ.get("CL", "").split(), *ext.extra_compile_args, *os.environ.get("_CL_", "").split()]
            return " ".join(ours)
        compile_flags = [*flags_of(getattr(self.compiler, "compiler_so", ())), *ext.extra_compile_args]
        link_flags = [*flags_of(getattr(self.compiler, "linker_so", ())), *ext.extra_link_args]
        return shlex.join([*compile_flags, *link_flags])


if __name__ == "__main__":
    setup(cmdclass={"build_ext": PinnedBuild}, options={"bdist_wheel": {"py_limited_api": "cp311"}})
