"""Replay identity: two replays are comparable only when these are equal (design: formats, Identity)."""

from __future__ import annotations

from dataclasses import dataclass, fields

from detcheck.model.schema import RngSpec


@dataclass(frozen=True)
class Identity:
    """`seed` is an unsigned 64-bit value; `inputs` and `config` are 32 lower-case hex digits (xxh3_128)."""

    scenario: str
    backend: str
    rng: RngSpec
    seed: int
    inputs: str
    config: str
    math: int
    format: int

    def as_text(self) -> dict[str, str]:
        """Every field as it stands in a golden's header, in the header's order."""
        return {
            "scenario": self.scenario,
            "backend": self.backend,
            "rng": str(self.rng),
            "seed": f"0x{self.seed:016x}",
            "inputs": self.inputs,
            "config": self.config,
            "math": str(self.math),
            "format": str(self.format),
        }

    def differences(self, other: Identity) -> tuple[tuple[str, str, str], ...]:
        """(field, this side, other side) for each field that differs."""
        mine, theirs = self.as_text(), other.as_text()
        return tuple((f.name, mine[f.name], theirs[f.name]) for f in fields(self) if mine[f.name] != theirs[f.name])
