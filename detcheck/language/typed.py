"""The typed tree: what typing gives and lowering reads.

`type` is a type of functions.TYPES, or PENDING for an expression of constants alone whose type the outside decides
(it is settled before lowering), or BAD after a fault: a poisoned type that silences what follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.language.functions import CLASSES, Form
from detcheck.language.places import Place
from detcheck.model.schema import Const

PENDING = "constant"
BAD = "bad"


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal, a config constant or dt, its minus sign applied. `form`: plain, turn, raw or bits."""

    type: str
    place: Place
    const: Const
    form: str = "plain"

    @property
    def is_num(self) -> bool:
        """Whether it is a num where nothing outside decides."""
        return self.const.kind == "d"


@dataclass(frozen=True, slots=True)
class Truth:
    type: str
    place: Place
    value: bool


@dataclass(frozen=True, slots=True)
class Column:
    """The active row's value of a column of the own table; in a fold's body, of the folded table."""

    type: str
    place: Place
    table: str
    name: str


@dataclass(frozen=True, slots=True)
class Local:
    type: str
    place: Place
    name: str


@dataclass(frozen=True, slots=True)
class World:
    """`world.name`: the same for every row."""

    type: str
    place: Place
    name: str


@dataclass(frozen=True, slots=True)
class Gather:
    """`table[index].name`."""

    type: str
    place: Place
    table: str
    name: str
    index: Expr


@dataclass(frozen=True, slots=True)
class Builtin:
    """row or tick."""

    type: str
    place: Place
    name: str


@dataclass(frozen=True, slots=True)
class Lane:
    """One component of a vector: 0 is x."""

    type: str
    place: Place
    value: Expr
    lane: int


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator or function on arguments in source order; `form` is the one that fitted."""

    type: str
    place: Place
    op: str
    args: tuple[Expr, ...]
    form: Form

    @property
    def is_num(self) -> bool:
        """Of a pending one: whether it is a num where nothing outside decides (a decimal in it, `/`, `lerp`)."""
        allowed = CLASSES[self.form.result]
        if "i32" not in allowed or "num" not in allowed:
            return "num" in allowed
        return any(arg.is_num for arg in self.args if isinstance(arg, Constant | Apply) and arg.type == PENDING)


@dataclass(frozen=True, slots=True)
class Fold:
    """`op` is sum, min, max or count; the body runs over all rows of `table`."""

    type: str
    place: Place
    op: str
    table: str
    body: Expr


@dataclass(frozen=True, slots=True)
class Poison:
    """Where a fault was reported."""

    type: str
    place: Place


Expr = Constant | Truth | Column | Local | World | Gather | Builtin | Lane | Apply | Fold | Poison


@dataclass(frozen=True, slots=True)
class Target:
    """What a statement sets: a column of the own table or a local, whole or one lane. `type` is the whole's."""

    kind: str
    name: str
    type: str
    lane: int | None
    place: Place


@dataclass(frozen=True, slots=True)
class Assign:
    """target = value; for an `op=` the value already is the operation on the target."""

    target: Target
    value: Expr


@dataclass(frozen=True, slots=True)
class SinCos:
    """sine, cosine = sincos(argument)."""

    sine: Target
    cosine: Target
    argument: Expr
    place: Place


@dataclass(frozen=True, slots=True)
class Scatter:
    """table[index].column += value, or -= where `subtract`."""

    table: str
    column: str
    index: Expr
    value: Expr
    subtract: bool
    place: Place


Step = Assign | SinCos | Scatter
