"""Only what pyproject.toml cannot say of the extension module: flags by compiler, and that it is an abi3 module.

The module is optional: without a C compiler the installation succeeds and everything runs without it. A build of wheels
that are to be shipped sets DETCHECK_REQUIRE_NATIVE=1 and fails instead.
"""

import os

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.extension import Extension

#: /fp:precise neither contracts nor reassociates; the GCC and Clang flags stand in pyproject.toml
_MSVC_FLAGS = ["/O2", "/fp:precise", "/std:c11"]


class PinnedBuild(build_ext):
    """Compiles with the pinned flags of the compiler at hand, and lets the module say which these were."""

    def build_extension(self, ext: Extension) -> None:
        if self.compiler.compiler_type == "msvc":
            ext.extra_compile_args = list(_MSVC_FLAGS)
            ext.extra_link_args = []
        if os.environ.get("DETCHECK_REQUIRE_NATIVE") == "1":
            ext.optional = False
        ext.define_macros.append(("DC_BUILD_FLAGS", '"' + " ".join(ext.extra_compile_args) + '"'))
        super().build_extension(ext)


setup(cmdclass={"build_ext": PinnedBuild}, options={"bdist_wheel": {"py_limited_api": "cp311"}})
