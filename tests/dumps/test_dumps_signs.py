"""The sign of a zero and of a NaN is a bit of it, in every shape that shows one."""

from __future__ import annotations

from pathlib import Path

import pytest

from detcheck.compare.api import diff

SHAPES = {
    "json-lines": lambda tick, value: f'{{"tick":{tick},"u":[{{"id":1,"x":{value}}}]}}\n',
    "table": lambda tick, value: ("tick,id,x\n" if tick == 0 else "") + f"{tick},1,{value}\n",
    "event-lines": lambda tick, value: f"tick {tick} x {value}\n",
    "text-tree": lambda tick, value: f"tick {tick}\n  unit 1\n    x: {value}\n    hp: 5\n",
}


@pytest.mark.parametrize(
    ("a", "b", "cause"), [("0", "-0", "zero_sign"), ("nan", "-nan", "nan_bits"), ("nan", "-nan(ind)", "nan_bits")]
)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_sign_is_a_difference(tmp_path: Path, shape: str, a: str, b: str, cause: str) -> None:
    """`%g` writes the negative zero as -0, and processors differ in the sign of the NaN they make: both differ."""
    if shape == "json-lines" and "nan" in a:
        return  # JSON has no NaN
    for name, late in (("a", a), ("b", b)):
        text = "".join(SHAPES[shape](tick, late if tick >= 4 else "2.5") for tick in range(8))
        (tmp_path / name).write_text(text, encoding="ascii")
    found = diff(tmp_path / "a", tmp_path / "b")
    assert (found.verdict, found.first_divergent_tick) == ("diverged", 4)
    assert [one.name for one in found.causes] == [cause]
