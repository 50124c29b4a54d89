"""A pytest plugin, off unless `--detcheck` is given; then every scenario and backend collects as one item.

pytest loads this module wherever detcheck is installed, so it holds the options alone and imports nothing else: what
collects stands in `detcheck.pytest_items` and is imported when asked for.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--detcheck` and which scenarios it takes."""
    group = parser.getgroup("detcheck", "determinism checks")
    group.addoption("--detcheck", action="store_true", help="collect detcheck scenarios as test items")
    group.addoption(
        "--detcheck-scenario",
        action="append",
        metavar="NAME",
        help="with --detcheck: only this scenario, glob or file; may be given several times",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Add what collects, when asked for."""
    if config.getoption("--detcheck"):
        from detcheck.pytest_items import install

        install(config)
    elif config.getoption("--detcheck-scenario"):
        raise pytest.UsageError("--detcheck-scenario does nothing without --detcheck")
