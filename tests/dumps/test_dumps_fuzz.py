"""Nothing a file can hold makes a reader fail in any other way than a DetcheckError."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from detcheck.dumps.open import open_source
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.pair import open_pair
from detcheck.dumps.readers import READERS
from detcheck.errors import DetcheckError
from detcheck.model.record import Source

SAMPLES = sorted(
    path
    for path in (Path(__file__).parent.parent / "data" / "dumps").rglob("*")
    if path.is_file() and path.name not in ("expected.json", "README.md")
)
EXAMPLES = int(os.environ.get("DETCHECK_EXAMPLES", "1"))
modest = settings(deadline=None, max_examples=12 * EXAMPLES, suppress_health_check=list(HealthCheck))
few = settings(deadline=None, max_examples=30 * EXAMPLES, suppress_health_check=list(HealthCheck))
LIMITS = {"max_record": 1 << 20, "max_unpacked": 1 << 24}

#: pieces that readers look for, so that random text gets past the sniffing
PIECES = st.sampled_from(
    [
        *("tick", "frame 7", "tick=3", "hash", "0x", "deadbeef", "checksum 12", "{", "}", "[", "]", '"', "'", ":", "="),
        *(
            ",",
            ";",
            "\n",
            "\n\t",
            "  ",
            "\r\n",
            "\0",
            "-",
            "- id: 3",
            "NaN",
            "1e999",
            "f32:3f000000",
            "-0.0",
            "\x1b[31m",
        ),
        *(
            '{"tick":1}',
            '{"tick":1,"hash":"ab"}',
            "[unit.7]",
            "===== BEGIN gameTime=1, 2 entries, CRC 0x1 =====",
            "<",
            ">",
        ),
        *(
            "frame: 3, seed: 4",
            "minFrame: 1",
            "syncVer: 2",
            "Sync for net frame 4 ---",
            "# detcheck golden 1",
            "rng draw",
        ),
        *(
            '{"detcheck":"dump"}',
            "Synced Traits:",
            "\t 1 a b c (5)",
            "\t\t x: 1,2",
            "units: 2",
            "9" * 30,
            "9" * 5000,
            "(",
        ),
        *(
            ")",
            "tick;id;x\n",
            "1;2;3,5\n",
            "a,b\n",
            "1,2\n",
            "\ufeff",
            "\u202e",
            "Orders Issued:",
            "12 0123456789abcdef\n",
        ),
    ]
)
texts = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=40).map(lambda parts: "".join(parts).encode())


def has_words(error: DetcheckError) -> None:
    """A fault says something, and not at endless length."""
    assert 0 < len(str(error)) < 5000


def drain(source: Source) -> None:
    """Reads everything a source has to give."""
    for one in source.blocks if source.blocks is not None else source.records:
        repr(one)
    repr((source.head, source.writer, source.remarks))


def read(data: bytes, reader: str | None = None) -> None:
    """Opens and reads; a DetcheckError has to have words."""
    try:
        drain(open_source(io.BytesIO(data), ReadOptions(reader=reader, **LIMITS)))
    except DetcheckError as error:
        has_words(error)


@pytest.mark.parametrize("name", [entry.name for entry in READERS])
@modest
@given(data=st.one_of(st.binary(max_size=400), texts))
def test_every_reader_survives_any_bytes(name: str, data: bytes) -> None:
    """A reader that is asked for reads anything or says why not."""
    read(data, name)


@few
@given(data=st.one_of(st.binary(max_size=400), texts))
def test_sniffing_survives_any_bytes(data: bytes) -> None:
    """Whatever is sniffed reads to its end."""
    read(data)


@few
@given(one=texts, other=texts)
def test_pairs_survive_any_text(one: bytes, other: bytes) -> None:
    """Two unlike texts open as a pair."""
    try:
        a, b = open_pair(io.BytesIO(one), io.BytesIO(other), ReadOptions(**LIMITS))
        drain(a)
        drain(b)
    except DetcheckError as error:
        has_words(error)


@st.composite
def mutated(draw: st.DrawFn, path: Path) -> bytes:
    """A sample with bytes changed, taken out, doubled, or its end cut off."""
    data = bytearray(path.read_bytes())
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        size = draw(st.integers(0, 40))
        kind = draw(st.sampled_from(("change", "cut", "double", "insert", "end")))
        if kind == "change" and data:
            data[at] = draw(st.integers(0, 255))
        elif kind == "cut":
            del data[at : at + size]
        elif kind == "double":
            data[at:at] = data[at : at + size]
        elif kind == "insert":
            data[at:at] = draw(texts)[:200]
        else:
            del data[at:]
    return bytes(data)


@pytest.mark.parametrize("path", SAMPLES[::2], ids=lambda path: f"{path.parent.name}-{path.name}")
@settings(deadline=None, max_examples=5 * EXAMPLES, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_mutated_samples_read_or_say_why_not(path: Path, data: st.DataObject) -> None:
    """A damaged sample reads, alone and beside the sound one, or ends in a DetcheckError."""
    changed = data.draw(mutated(path))
    read(changed)
    try:
        a, b = open_pair(io.BytesIO(path.read_bytes()), io.BytesIO(changed), ReadOptions(**LIMITS))
        drain(a)
        drain(b)
    except DetcheckError as error:
        has_words(error)
