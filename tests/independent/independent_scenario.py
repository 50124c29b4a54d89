"""Scenario files: what a replay needs of one, and the digest of its inputs.

Part of the second implementation: written from the design pages alone, it imports nothing of detcheck.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import xxhash

LANES = {"vec2": 2, "vec3": 3}
TYPES = ("num", "vec2", "vec3", "i32", "u32", "angle", "bool")
_DECIMAL = re.compile(r"[+-]?[0-9_]*\.?[0-9_]*(?:[eE]([+-]?[0-9_]+))?")


class Refused(Exception):
    """The scenario is not one."""


class Decimal:
    """An exact decimal; `negative_zero` where a zero is written with a minus."""

    def __init__(self, text: str) -> None:
        matched = _DECIMAL.fullmatch(text)
        if not matched or len(text) > 64 or (matched[1] and abs(int(matched[1])) > 99):
            raise Refused(f"decimal {text}")
        self.value = Fraction(text.replace("_", ""))
        self.negative_zero = self.value == 0 and text.startswith("-")


Number = int | Decimal


@dataclass(frozen=True)
class Constant:
    """A number as written: an integer or a decimal, and the minus sign before it, which applies after conversion."""

    is_integer: bool
    value: Fraction
    negated: bool = False
    negative_zero: bool = False

    @classmethod
    def of(cls, number: Number, *, negated: bool = False) -> Constant:
        if isinstance(number, Decimal):
            return cls(False, number.value, negated, number.negative_zero)
        return cls(True, Fraction(number), negated)

    @property
    def signed(self) -> Fraction:
        return -self.value if self.negated else self.value


class Scenario:
    """A scenario's text, read. `columns` is {table: {column: type}}, `world` always among them."""

    def __init__(self, text: str, folder: Path | None = None) -> None:
        data = tomllib.loads(text, parse_float=Decimal)
        head = data["scenario"]
        rng = head["rng"] if isinstance(head["rng"], dict) else {"kind": head["rng"]}
        self.rng: str = rng["kind"]
        self.x87_precision: int = rng.get("x87_precision", 53)
        self.seed: int = head["seed"]
        self.ticks: int = head["ticks"]
        self.tick_rate: int = head["tick_rate"]
        self.hash_every: int = head["hash_every"]
        self.config: dict[str, Number] = data.get("config", {})
        self.columns: dict[str, dict[str, str]] = {"world": data.get("world", {})}
        self.rows = {"world": 1}
        declared = {"players": data["players"]} if "players" in data else {}
        for name, columns in {**declared, **data.get("tables", {})}.items():
            self.rows[name] = columns.pop("rows")
            self.columns[name] = columns
        if any(type_ not in TYPES for columns in self.columns.values() for type_ in columns.values()):
            raise Refused("a type")
        self.inputs: list[dict[str, Any]] = data.get("inputs", [])
        if "inputs_file" in head and folder is not None:
            lines = (folder / head["inputs_file"]).read_text(encoding="utf-8-sig").splitlines()
            self.inputs = [json.loads(line, parse_float=Decimal) for line in lines if line.strip()]
        self.setup: dict[str, str] = data.get("setup", {})
        self.systems: list[dict[str, str]] = data.get("systems", [])

    def inputs_digest(self) -> str:
        """XXH3-128 of the canonical JSON of the script."""
        entries = []
        for entry in self.inputs:
            named = [name for name in self.columns.get("players", {}) if name in entry]
            columns = [[name, [_canonical(value) for value in _listed(entry[name])]] for name in named]
            entries.append([entry["tick"], entry.get("hold", 1), entry["player"], columns])
        text = json.dumps(["detcheck-inputs", 1, entries], separators=(",", ":"))
        return xxhash.xxh3_128_hexdigest(text.encode())


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _canonical(value: bool | Number) -> list[str]:
    if isinstance(value, int):
        return ["i", str(int(value))]
    return ["d", f"{'-0' if value.negative_zero else value.value.numerator}/{value.value.denominator}"]
