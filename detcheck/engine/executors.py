"""Every executor by name, and the choice `auto` makes."""

from __future__ import annotations

from collections.abc import Callable

from detcheck.engine.executor import Executor
from detcheck.errors import DetcheckError, visible
from detcheck.scenario.compiled import CompiledScenario


def _reference(compiled: CompiledScenario) -> Executor:
    from detcheck.engine.reference import ReferenceExecutor

    return ReferenceExecutor(compiled)


def _generated(compiled: CompiledScenario) -> Executor:
    from detcheck.engine.generated import GeneratedExecutor

    return GeneratedExecutor(compiled)


def _native(compiled: CompiledScenario) -> Executor:
    return _native_loops(compiled, "auto")


def _native_baseline(compiled: CompiledScenario) -> Executor:
    return _native_loops(compiled, "baseline")


def _native_loops(compiled: CompiledScenario, loops: str) -> Executor:
    if not native_available():
        raise DetcheckError(
            "executor.no_native",
            "the native executor is not built here",
            hint="install detcheck where a C compiler is found (pip install -v shows what went wrong), "
            "or use --executor auto; `detcheck doctor` says more",
        )
    from detcheck.engine.native import NativeExecutor

    return NativeExecutor(compiled, loops=loops)


def _auto(compiled: CompiledScenario) -> Executor:
    return _native(compiled) if native_available() else _generated(compiled)


#: executor name -> what makes one for a compiled scenario
EXECUTORS: dict[str, Callable[[CompiledScenario], Executor]] = {
    "auto": _auto,
    "native": _native,
    "native:baseline": _native_baseline,
    "reference": _reference,
    "generated": _generated,
}


def native_available() -> bool:
    """Whether the extension module can be used on this machine."""
    try:
        from detcheck.engine import native
    except ImportError:
        return False
    return native.available()


def resolve(name: str) -> str:
    """The executor that `name` stands for here: `auto` is native where it is built, else generated."""
    if name != "auto":
        return name
    return "native" if native_available() else "generated"


def make_executor(name: str, compiled: CompiledScenario) -> Executor:
    """A fresh executor, before setup. Raises DetcheckError `executor.unknown` or `executor.no_native`."""
    make = EXECUTORS.get(name)
    if make is None:
        raise DetcheckError(
            "executor.unknown",
            f"there is no executor {visible(name)}",
            hint=f"use one of: {', '.join(EXECUTORS)}",
        )
    return make(compiled)
