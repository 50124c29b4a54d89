"""[scenario]: summary, backends, generator, seed, ticks and rates."""

from __future__ import annotations

from dataclasses import dataclass

from detcheck.errors import visible
from detcheck.model.schema import RngSpec
from detcheck.numbers import BACKENDS
from detcheck.scenario.ranges import I32_MAX, SEED_MAX, TICK_RATE_MAX
from detcheck.scenario.section import Section, did_you_mean, kind_of, shown

KEYS = ("summary", "backends", "rng", "seed", "ticks", "tick_rate", "hash_every", "inputs_file")

_RNG_HINT = 'write rng = "mt19937", rng = "splitmix64" or rng = { kind = "mt19937", x87_precision = 24 }'
_PRECISIONS = (53, 24)


@dataclass(frozen=True)
class Settings:
    """What [scenario] says. None stands for what is missing or wrong, of which there is a fault.

    backends is None, too, when the file lists none.
    """

    summary: str
    backends: tuple[str, ...] | None
    rng: RngSpec | None
    seed: int | None
    ticks: int | None
    tick_rate: int | None
    hash_every: int | None
    inputs_file: str | None


NO_SETTINGS = Settings("", None, None, None, None, None, None, None)


def read_settings(section: Section) -> Settings:
    """Read [scenario]; faults are noted in the section."""
    section.refuse_unknown(KEYS)
    rng = _rng(section)
    return Settings(
        summary=section.string("summary") or "",
        backends=_backends(section),
        rng=rng,
        seed=_seed(section, rng),
        ticks=_count(section, "ticks", 0, I32_MAX, "600"),
        tick_rate=_count(section, "tick_rate", 1, TICK_RATE_MAX, "60"),
        hash_every=_count(section, "hash_every", 1, I32_MAX, "60"),
        inputs_file=section.string("inputs_file"),
    )


def _count(section: Section, key: str, low: int, high: int, example: str) -> int | None:
    if not section.required(key, f"{key} = {example}"):
        return None
    return section.integer(key, low, high)


def _seed(section: Section, rng: RngSpec | None) -> int | None:
    if not section.required("seed", "seed = 0x1DE7C0DE"):
        return None
    if rng is None:
        return section.integer("seed", 0, SEED_MAX["splitmix64"])
    seed = section.take("seed", int, f"an integer 0 .. {SEED_MAX[rng.kind]}")
    if seed is None or 0 <= seed <= SEED_MAX[rng.kind]:
        return seed
    message = f"seed is {shown(seed)}, {rng.kind} takes 0 .. {SEED_MAX[rng.kind]}"
    section.fault("scenario.range", message, section.value_at("seed"))
    return None


def _backends(section: Section) -> tuple[str, ...] | None:
    hint = "leave backends out to replay on every backend that supports all ops used"
    listed = section.take("backends", list, "an array of backend ids", hint)
    if listed is None:
        return None
    if not listed:
        section.fault("scenario.backends", "backends is empty", section.value_at("backends"), hint)
        return None
    good: list[str] = []
    for i, item in enumerate(listed):
        where = section.document.value((*section.path, "backends", i))
        if not isinstance(item, str):
            section.fault("scenario.type", f"a backend id is a string, this is {kind_of(item)}", where)
        elif item not in BACKENDS:
            message = f'there is no backend "{visible(item, 60)}"'
            section.fault("backend.unknown", message, where, did_you_mean(item, BACKENDS))
        elif item in good:
            section.fault("scenario.backends", f'"{item}" is listed twice', where, "list each backend once")
        else:
            good.append(item)
    return tuple(good)


def _rng(section: Section) -> RngSpec | None:
    if not section.required("rng", 'rng = "mt19937"'):
        return None
    value = section.values["rng"]
    if isinstance(value, str):
        return _rng_of_kind(section, value, "rng")
    if not isinstance(value, dict):
        message = f"rng is {kind_of(value)}, it has to be a string or a table"
        section.fault("scenario.type", message, section.value_at("rng"), _RNG_HINT)
        return None
    inner = Section(section.document, (*section.path, "rng"), value, section.faults)
    inner.refuse_unknown(("kind", "x87_precision"))
    if not inner.required("kind", _RNG_HINT):
        return None
    kind = inner.string("kind", hint=_RNG_HINT)
    spec = None if kind is None else _rng_of_kind(inner, kind, "kind")
    return spec if spec is None or "x87_precision" not in value else _with_precision(inner, spec)


def _rng_of_kind(section: Section, kind: str, key: str) -> RngSpec | None:
    if kind == "mt19937":
        return RngSpec(kind, _PRECISIONS[0])
    if kind == "splitmix64":
        return RngSpec(kind)
    message = f'there is no generator "{visible(kind, 60)}"'
    section.fault("scenario.rng", message, section.value_at(key), did_you_mean(kind, SEED_MAX))
    return None


def _with_precision(section: Section, spec: RngSpec) -> RngSpec | None:
    if spec.kind != "mt19937":
        section.fault("scenario.rng", f"{spec.kind} has no x87_precision", section.key_at("x87_precision"), "remove it")
        return spec
    precision = section.take("x87_precision", int, "53 or 24")
    if precision is None:
        return spec
    if precision not in _PRECISIONS:
        message = f"x87_precision is {shown(precision)}, it has to be 53 or 24"
        section.fault("scenario.range", message, section.value_at("x87_precision"))
        return spec
    return RngSpec(spec.kind, precision)
