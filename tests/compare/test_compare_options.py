"""Options from texts: what is accepted, and the words for what is not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from detcheck.compare.options import make_options
from detcheck.errors import DetcheckError


def test_texts_become_values() -> None:
    """Each option in its usual spellings."""
    options = make_options(tolerance=["a.b=1e-6", "c = .5"], ticks="10:20", mapping=["a=b"], ignore=["x.*"])
    assert [(t.path.text, t.limit) for t in options.tolerances] == [("a.b", Fraction("1e-6")), ("c", Fraction(1, 2))]
    assert options.ticks == (10, 20)
    assert options.mapping == (("a", "b"),)
    assert not options.plain
    assert make_options().plain
    assert [make_options(ticks=text).ticks for text in ("5", "5:", ":5", "-3:4")] == [
        (5, 5),
        (5, None),
        (None, 5),
        (-3, 4),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"tolerance": ["x"]}, {"tolerance": ["=1"]}, {"tolerance": ["x=-1"]}, {"tolerance": ["x=nan"]},
        {"tolerance": ["x=1e9999999999"]}, {"tolerance": ["x=1/3"]}, {"tolerance": ["x=" + "9" * 500]},
        {"ticks": "b:a"}, {"ticks": "9:3"}, {"ticks": ":"}, {"ticks": ""}, {"ticks": "1:2:3"},
        {"mapping": ["a"]}, {"mapping": ["=b"]}, {"mapping": ["a="]},
        {"ignore": [""]}, {"only": ["  "]}, {"ignore": ["[]"]}, {"context": -1},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_is_named(wrong: dict[str, Any]) -> None:
    """A malformed option is a fault that says what was expected."""
    with pytest.raises(DetcheckError, match="expected") as caught:
        make_options(**wrong)
    assert caught.value.exit_code == 2
    assert caught.value.code.startswith("options.")
