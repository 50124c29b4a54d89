"""Random scenarios: detcheck against an implementation written from the design pages alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from independent_pair import seen_by_product, seen_by_second
from programs import BACKENDS, RNGS, scenario_text

EXAMPLES = int(os.environ.get("DETCHECK_EXAMPLES", "1"))


@pytest.mark.parametrize("rng", RNGS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_random_scenarios_agree(backend: str, rng: str, tmp_path: Path) -> None:
    """Every tick's hash and parts are equal, and so is a trap's tick, system, row, reason and source line."""
    completed = 0
    for seed in range(9 * EXAMPLES):
        text = scenario_text(seed, backend, rng)
        executor = ("reference", "auto")[seed % 2]
        expected = seen_by_second(text, backend)
        assert expected.refused is None, f"seed {seed}"
        assert seen_by_product(tmp_path / "random.toml", text, backend, executor) == expected, f"seed {seed}"
        completed += expected.trap is None
    assert completed > 0
