"""Hash logs in the spellings people use."""

from __future__ import annotations

import io

import pytest

from detcheck.dumps.open import open_source
from detcheck.dumps.options import ReadOptions
from detcheck.dumps.pair import open_pair
from detcheck.dumps.readers.hash_words import words_of
from detcheck.model.record import HashBlock, Record, Source


def opened(text: str, name: str = "x.log", **options: str) -> Source:
    """A source over a text."""
    file = io.BytesIO(text.encode())
    file.name = name  # type: ignore[misc]
    return open_source(file, ReadOptions(**options))  # type: ignore[arg-type]


def entries(source: Source) -> list[tuple[int | None, dict[str, int | str]]]:
    """(tick, hashes by value) of every record."""
    return [
        (record.tick, {name: scalar.value for name, scalar in record.hashes.items()})  # type: ignore[misc]
        for record in source.records
    ]


A, B, C = 0x0123456789ABCDEF, 0xFEDCBA9876543210, 0xC0FFEE00DEADBEEF
HEX = (f"{A:016x}", f"{B:016x}", f"{C:016x}")

SPELLINGS = {
    "columns": "5 {0}\n6 {1}\n7 {2}\n",
    "tabs": "5\t{0}\n6\t{1}\n7\t{2}\n",
    "commas": "5,{0}\n6,{1}\n7,{2}\n",
    "padded ticks": "000005 {0}\n000006 {1}\n000007 {2}\n",
    "0x": "5 0x{0}\n6 0x{1}\n7 0x{2}\n",
    "upper case": "5 {0:upper}\n6 {1:upper}\n7 {2:upper}\n",
    "0X upper": "5 0X{0:upper}\n6 0X{1:upper}\n7 0X{2:upper}\n",
    "colon": "5: {0}\n6: {1}\n7: {2}\n",
    "equals": "5={0}\n6={1}\n7={2}\n",
    "brackets": "[5] {0}\n[6] {1}\n[7] {2}\n",
    "hash sign": "#5 {0}\n#6 {1}\n#7 {2}\n",
    "key=value": "tick=5 hash={0}\ntick=6 hash={1}\ntick=7 hash={2}\n",
    "key: value": "tick: 5, hash: {0}\ntick: 6, hash: {1}\ntick: 7, hash: {2}\n",
    "hash first": "hash={0} tick=5\nhash={1} tick=6\nhash={2} tick=7\n",
    "words": "Frame 5 checksum {0}\nFrame 6 checksum {1}\nFrame 7 checksum {2}\n",
    "sentence": "state hash of turn 5 is {0}\nstate hash of turn 6 is {1}\nstate hash of turn 7 is {2}\n",
    "net frame": "net frame 5 -> sync hash 0x{0}\nnet frame 6 -> sync hash 0x{1}\nnet frame 7 -> sync hash 0x{2}\n",
    "gameTime": "gameTime=5, CRC 0x{0}\ngameTime=6, CRC 0x{1}\ngameTime=7, CRC 0x{2}\n",
    "simframe": "[f=0000005] SyncChecksum: {0}\n[f=0000006] SyncChecksum: {1}\n[f=0000007] SyncChecksum: {2}\n",
    "camel": "currentTick=5 stateHash={0}\ncurrentTick=6 stateHash={1}\ncurrentTick=7 stateHash={2}\n",
    "step": "step #5: digest={0}\nstep #6: digest={1}\nstep #7: digest={2}\n",
    "quoted": '"tick": 5, "checksum": "{0}"\n"tick": 6, "checksum": "{1}"\n"tick": 7, "checksum": "{2}"\n',
    "iso time": "2024-05-01T12:00:01.123Z INFO tick=5 hash={0}\n2024-05-01T12:00:02.000Z INFO tick=6 hash={1}\n"
    "2024-05-01T12:00:02.500Z WARN tick=7 hash={2}\n",
    "clock": "[12:00:01] [Info] 5 {0}\n[12:00:02] [Info] 6 {1}\n[12:00:03] [Info] 7 {2}\n",
    "comma millis": "2024-05-01 12:00:01,123 - DEBUG - frame 5 hash {0}\n"
    "2024-05-01 12:00:01,223 - DEBUG - frame 6 hash {1}\n"
    "2024-05-01 12:00:01,323 - DEBUG - frame 7 hash {2}\n",
    "source place": "TRACE src/net/sync.rs:88: tick 5 checksum {0}\nTRACE src/net/sync.rs:88: tick 6 checksum {1}\n"
    "TRACE src/net/sync.rs:88: tick 7 checksum {2}\n",
    "syslog": "May  1 12:00:01 host sim[33]: tick=5 hash={0}\nMay  1 12:00:02 host sim[33]: tick=6 hash={1}\n"
    "May  1 12:00:03 host sim[33]: tick=7 hash={2}\n",
    "uptime": "[   12.345678] tick 5 hash {0}\n[   12.445678] tick 6 hash {1}\n[   12.545678] tick 7 hash {2}\n",
    "rust target": "INFO game::net::sync: tick=5 hash={0}\nINFO game::net::sync: tick=6 hash={1}\n"
    "INFO game::net::sync: tick=7 hash={2}\n",
    "two lines": "--- Tick 5 ---\nhash: {0}\n--- Tick 6 ---\nhash: {1}\n--- Tick 7 ---\nhash: {2}\n",
    "rollback library": "DEBUG a.rs:1: advancing to frame: 5\nDEBUG a.rs:2: frame 5 completed\n"
    "DEBUG a.rs:3: saving snapshot for frame 5\nTRACE b.rs:4: Frame has checksum {0}\n"
    "DEBUG a.rs:1: advancing to frame: 6\nTRACE b.rs:4: Frame has checksum {1}\n"
    "DEBUG a.rs:3: saving snapshot for frame 7\nTRACE b.rs:4: Frame has checksum {2}\n",
    "comments": "# run of today\n5 {0}\n# pause\n6 {1}\n7 {2}\n",
    "blank lines": "\n5 {0}\n\n6 {1}\n\n7 {2}\n\n",
    "CRLF": "5 {0}\r\n6 {1}\r\n7 {2}\r\n",
    "CR": "5 {0}\r6 {1}\r7 {2}\r",
    "no last newline": "5 {0}\n6 {1}\n7 {2}",
    "header": "tick hash\n5 {0}\n6 {1}\n7 {2}\n",
    "markdown": "| 5 | {0} |\n| 6 | {1} |\n| 7 | {2} |\n",
    "semicolons": "5; {0};\n6; {1};\n7; {2};\n",
    "parentheses": "tick(5) hash(0x{0})\ntick(6) hash(0x{1})\ntick(7) hash(0x{2})\n",
}


class _Case(str):
    """`{0:upper}` in a template."""

    def __format__(self, spec: str) -> str:
        return self.upper() if spec == "upper" else str(self)


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_spelling_is_read(name: str) -> None:
    """Tick and hash are found whatever stands around them."""
    source = opened(SPELLINGS[name].format(*map(_Case, HEX)))
    assert [tick for tick, _ in entries(source)] == [5, 6, 7], source.reader
    source = opened(SPELLINGS[name].format(*map(_Case, HEX)))
    values = [hashes.get("hash") for _, hashes in entries(source)]
    assert values == [A, B, C], source.reader


def test_decimal_checksums() -> None:
    """Numbers without letters of uneven width are decimal."""
    source = opened("tick 1 checksum 3735928559\ntick 2 checksum 12\ntick 3 checksum 995\n")
    assert entries(source) == [(1, {"hash": 3735928559}), (2, {"hash": 12}), (3, {"hash": 995})]
    assert entries(opened("1 3735928559\n2 400000012\n3 9950000\n4 77\n"))[3] == (4, {"hash": 77})


def test_digits_only_in_a_hex_stream_are_hex() -> None:
    """One hash that happens to have no letter is read like the others."""
    assert entries(opened("1 00ab34cd\n2 12345678\n3 99999999\n"))[1] == (2, {"hash": 0x12345678})


def test_a_pair_settles_on_one_base() -> None:
    """A side whose few hashes have no letters follows the other side."""
    a, b = open_pair(
        io.BytesIO(b"1 12345678\n2 12345679\n3 12345670\n"), io.BytesIO(b"1 12345678\n2 0000abcd\n3 12345670\n")
    )
    assert [record.hashes["hash"].value for record in a.records] == [0x12345678, 0x12345679, 0x12345670]
    assert next(b.records).hashes["hash"].value == 0x12345678


def test_gaps_and_intervals() -> None:
    """Ticks need not follow one another."""
    assert [tick for tick, _ in entries(opened(f"0 {HEX[0]}\n30 {HEX[1]}\n95 {HEX[2]}\n"))] == [0, 30, 95]


def test_the_tick_of_a_file_name() -> None:
    """A file that holds only a hash has its tick in its name."""
    assert entries(opened(f"hash: {HEX[0]}\n", name="frame-120.txt")) == [(120, {"hash": A})]
    assert entries(opened(f"{HEX[0]}\n", name="out/tick_000042.hash")) == [(42, {"hash": A})]


def test_sessions() -> None:
    """A tick at or below the session's first starts a new session."""
    source = opened("".join(f"{tick} {HEX[0]}\n" for tick in (3, 4, 5, 3, 4, 2, 3)))
    records = list(source.records)
    assert [(record.session, record.tick) for record in records] == [
        *((0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (2, 2), (2, 3)),
    ]
    assert any("3 sessions" in text for text in source.remarks)


def test_resimulation() -> None:
    """After any other fall or repeat the last value counts, in its place, and a remark says so."""
    text = f"10 {HEX[0]}\n11 {HEX[0]}\n12 {HEX[0]}\n11 {HEX[1]}\n12 {HEX[2]}\n13 {HEX[0]}\n"
    source = opened(text)
    assert entries(source) == [(10, {"hash": A}), (11, {"hash": B}), (12, {"hash": C}), (13, {"hash": A})]
    assert any("11, 12" in text and "corrected" in text for text in source.remarks)


def test_resimulation_across_blocks() -> None:
    """A rollback right at the border of two blocks of a large plain file reaches back over it."""
    lines = [f"{tick} {tick:016x}\n" for tick in range(20_000)]
    lines[10_000:10_000] = ["9990 ffffffffffffffff\n"]
    source = opened("".join(lines))
    found = dict(entries(source))
    assert len(found) == 20_000
    assert found[9990] == {"hash": 2**64 - 1}
    assert found[9991] == {"hash": 9991}


def test_several_hashes_of_a_tick() -> None:
    """Columns, names on one line, and a line a part."""
    columns = opened(f"1 {HEX[0]} {HEX[1]}\n2 {HEX[1]} {HEX[2]}\n3 {HEX[1]} {HEX[2]}\n")
    assert entries(columns)[1] == (2, {"hash": B, "hash2": C})
    named = opened(f"tick=1 physics_hash={HEX[0]} ai_hash={HEX[1]}\ntick=2 physics_hash={HEX[1]} ai_hash={HEX[2]}\n")
    assert entries(named)[0] == (1, {"physics": A, "ai": B})
    lines = opened(f"tick 1 player 1 hash {HEX[0]}\ntick 1 player 2 hash {HEX[1]}\ntick 2 player 1 hash {HEX[2]}\n")
    assert entries(lines)[0] == (1, {"player 1": A, "player 2": B})
    parts = opened(f"1 physics 0x{HEX[0]}\n1 economy 0x{HEX[1]}\n2 physics 0x{HEX[1]}\n2 economy 0x{HEX[1]}\n")
    assert entries(parts)[0] == (1, {"physics": A, "economy": B})


def test_named_sessions_may_be_interleaved() -> None:
    """Lines of two matches in one log are told apart by the match."""
    lines = [f"match={m} tick={t} hash={HEX[m - 7]}\n" for t in range(3) for m in (8, 7)]
    source = opened("".join(lines))
    records = list(source.records)
    assert [(record.session, record.tick) for record in records] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert source.sessions == {0: "match 8", 1: "match 7"}
    assert records[3].hashes["hash"].value == A


def test_chatter_between_hash_lines() -> None:
    """A log of which few lines are hashes still reads, and times do not become ticks."""
    text = "".join(
        f"2024-05-01 12:00:{s:02d} INFO connected to peer {s}\n2024-05-01 12:00:{s:02d} INFO ping 33 ms\n"
        f"2024-05-01 12:00:{s:02d} DEBUG tick {s} state hash {HEX[0]}\n"
        for s in range(10)
    )
    source = opened(text)
    assert source.reader == "hash-lines"
    assert [tick for tick, _ in entries(source)] == list(range(10))


def test_a_cut_last_hash_is_left_out() -> None:
    """The beginning of a hash is no hash."""
    source = opened(f"5 {HEX[0]}\n6 {HEX[1]}\n7 {HEX[2]}\n8 {HEX[0][:9]}")
    assert [tick for tick, _ in entries(source)] == [5, 6, 7]
    assert any("line 4 is cut short" in text for text in source.remarks)


def test_other_pairs_of_a_line_are_kept() -> None:
    """Draw counts and fields stand beside the hash; times of the machine do not."""
    lines = [f"tick={tick} hash={HEX[0]} rng_draws={tick + 4} units=12 dt=16.{tick}ms ping=33\n" for tick in (1, 2)]
    source = opened("".join(lines))
    record = next(source.records)
    assert record.rng["rng_draws"].value == 5  # type: ignore[union-attr]
    assert list(record.fields.items) == ["units"]


def test_the_tick_field_can_be_told() -> None:
    """--tick-field takes another word for the tick."""
    source = opened(f"beat=4 frame=900 hash={HEX[0]}\nbeat=5 frame=903 hash={HEX[1]}\n", tick_field="beat")
    assert [tick for tick, _ in entries(source)] == [4, 5]


def test_plain_columns_come_in_bulk() -> None:
    """A pair of plain streams gives blocks whose tokens compare as text, whatever their case and prefix."""
    a = "".join(f"{tick} {tick * 7919:016x}\n" for tick in range(100))
    b = "".join(f"{tick}, 0x{tick * 7919 + (tick > 50):016X}\n" for tick in range(100))
    left, right = open_pair(io.BytesIO(a.encode()), io.BytesIO(b.encode()))
    assert left.blocks is not None
    assert right.blocks is not None
    mine, theirs = list(left.blocks), list(right.blocks)
    ticks, equal = [], []
    for one, other in zip(mine, theirs, strict=True):
        assert isinstance(one, HashBlock)
        assert isinstance(other, HashBlock)
        assert one.ticks == other.ticks
        ticks += one.ticks
        equal += [x == y for x, y in zip(one.tokens, other.tokens, strict=True)]
    assert len(mine) == 2  # the first lines, by which a format would be learned, and the others
    assert ticks == list(range(100))
    assert equal == [tick <= 50 for tick in range(100)]
    one = mine[0]
    assert isinstance(one, HashBlock)
    assert one.record(3) == Record(3, 4, 0, one.record(3).hashes)


@pytest.mark.parametrize(
    "line",
    [
        "f{t}:{h}",
        "T{t} H={h}",
        "tick_{t}={h}",
        "hash[{t}] = 0x{h}",
        "checksum({t}) = {h}",
        "0x{t:08x} 0x{h}",
        "{h}  frames/frame_{t:06d}.sav",
        "MD5 (frame_{t}.sav) = {h}",
        "{h} @ {t}",
        "info: Beat {t}: MD5 {h}",
        "=== Saved frame info {t} (size: 3456  checksum: {h}).",
        '<tick n="{t}" crc="{h}"/>',
        "<frame id='{t}'><crc>{h}</crc></frame>",
        "\x1b[32mINFO\x1b[0m tick=\x1b[1m{t}\x1b[0m hash=\x1b[33m{h}\x1b[0m",
        "session[7] {t} {h}",
        "Turn 1,{t:03d}: checksum {h}",
        "gametic {t} sum {h}",
        "{t}. {h}",
        "('{t}', '{h}')",
        "[b][F{t}] CRC={h}",
        "SIM {t} {h}",
        "Hash@{t}={h}",
        "H({t}) = {h}",
        "T+{t} {h}",
        "f {t} h {h}",
        "snapshot[{t}].hash = {h}",
        "frames/{t}: {h}",
    ],
)
def test_odd_places_of_the_tick(line: str) -> None:
    """Behind the hash, in a file's name, in brackets, under words for it that few use."""
    text = "".join(line.format(t=t, h=f"{(t + 1) * 0x9E3779B97F4A7C15 % 2**64:016x}") + "\n" for t in range(12))
    found = entries(opened(text, reader="hash-lines"))
    shift = 1000 if "1,{t" in line else 0
    assert [tick for tick, _ in found] == [t + shift for t in range(12)]
    assert [hashes for _, hashes in found] == [{"hash": (t + 1) * 0x9E3779B97F4A7C15 % 2**64} for t in range(12)]


@pytest.mark.parametrize("form", ["tick {t} -> {h}", "Tick {t}: {h}", "T{t} H={h}", "{t}: [{h}, {k}]"])
def test_a_hash_without_a_letter(form: str) -> None:
    """Eight digits are a hash where the others have eight."""
    text = "".join(
        form.format(t=t, h="91714011" if t == 7 else f"{t:x}abcdef{t:x}", k="cafe0012") + "\n" for t in range(9)
    )
    found = entries(opened(text))
    assert [tick for tick, _ in found] == list(range(9))
    assert {len(hashes) for _, hashes in found} == {1 + ("{k}" in form)}
    assert 0x91714011 in found[7][1].values()


def test_names_of_hashes() -> None:
    """The word in front of the tick or right before a hash, and no word cut in two."""
    forms = {
        "{p} tick {t} crc {h}": ["body", "mind"],
        "tick={t} system={p} hash={h}": ["system body", "system mind"],
    }
    for form, names in forms.items():
        lines = [
            form.format(t=t, p=p, h=f"{t + 1:x}fedcba98765432{i}") + "\n"
            for t in range(9)
            for i, p in enumerate(("body", "mind"))
        ]
        found = entries(opened("".join(lines)))
        assert [list(hashes) for _, hashes in found] == [names] * 9
    assert words_of("tick 4 units=4 checksum=0xabcdef01").hashes == [("", "0xabcdef01")]
    assert words_of("Frame 4 | rng 0xabcdef01 | units 0xabcdef02").hashes == [
        ("rng", "0xabcdef01"),
        ("units", "0xabcdef02"),
    ]


def test_signed_hashes() -> None:
    """The same 32 or 64 bits printed with and without a sign are equal."""
    signed, plain = (
        opened("tick 0 crc -2\ntick 1 crc -9000000000000000000\ntick 2 crc 77\n"),
        opened("tick 0 crc 4294967294\ntick 1 crc 9446744073709551616\ntick 2 crc 77\n"),
    )
    assert entries(signed) == entries(plain)


def test_a_stack_behind_each_line() -> None:
    """Lines that say the same each time do not make a log something else."""
    stack = "Engine.Debug:Log (object)\nSim.World:Step () (at Sim/World.cs:112)\n\n"
    text = "".join(f"[Lockstep] Tick {t} hash: {t * 7919:08x}\n{stack}" for t in range(20))
    source = opened(text)
    assert source.reader == "hash-lines"
    assert [tick for tick, _ in entries(source)] == list(range(20))
