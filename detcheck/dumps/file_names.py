"""What the names of the files of a folder say: their ticks, which are of one tick, which are a pair, or no dumps."""

from __future__ import annotations

import re
from collections import Counter

from detcheck.dumps import names
from detcheck.dumps.unwrap import Member, natural


def ticks_of(members: list[Member]) -> list[int | None]:
    """The tick each name states; None for one that states none beside those that do, or for all of them."""
    every = _all_ticks(members)
    if every is not None:
        return [*every]
    numbered = [member for member in members if re.search(r"\d", member.name)]
    shape = Counter(map(_shape, numbered)).most_common(1)[0][0] if numbered else ""
    alike = [member for member in numbered if _shape(member) == shape]
    for some in (numbered, alike if 2 * len(alike) > len(numbered) else []):
        ticks = _all_ticks(some) if len(some) > 1 else _only_number(some)
        if ticks is not None:
            known = dict(zip((member.name for member in some), ticks, strict=True))
            return [known.get(member.name, _same_tick(member, ticks)) for member in members]
    stated = [names.tick_in_name(member.name) for member in members]
    return [*stated] if 2 * stated.count(None) < len(stated) else [None] * len(members)


def _shape(member: Member) -> str:
    return re.sub(r"\d+", "#", member.name)


def _only_number(members: list[Member]) -> list[int] | None:
    """The tick of the only file that has a number in its name."""
    numbers = [re.findall(r"\d{1,18}", member.name) for member in members]
    return [int(numbers[0][0])] if len(numbers) == 1 and len(numbers[0]) == 1 else None


def _same_tick(member: Member, ticks: list[int]) -> int | None:
    """The tick of a file that is named in another way than most, where they have one of its number."""
    numbers = re.findall(r"\d{1,18}", member.name)
    return int(numbers[0]) if len(numbers) == 1 and int(numbers[0]) in ticks else None


def _all_ticks(members: list[Member]) -> list[int] | None:
    """The tick each name states, when all do: by a word, else by the one number that varies.

    Several files may be of one tick (`tick_5_units.json`, `tick_5_rng.json`), where the rest of their names differs.
    """
    stated = [names.tick_in_name(member.name) for member in members]
    ticks = [tick for tick in stated if tick is not None]
    if len(ticks) == len(members) and (len(set(ticks)) == len(ticks) or len(set(ticks)) > 1):
        return ticks
    numbers = [re.findall(r"\d{1,18}", member.name) for member in members]
    if len(members) < 2 or len({len(found) for found in numbers}) != 1 or not numbers[0]:
        return None
    varying = [i for i in range(len(numbers[0])) if len({found[i] for found in numbers}) == len(members)]
    if not varying:
        varying = [i for i in range(len(numbers[0])) if _is_grid([found[i] for found in numbers], members)]
    return [int(found[varying[-1]]) for found in numbers] if varying else None


def _is_grid(values: list[str], members: list[Member]) -> bool:
    """Whether there are some kinds of files, nearly each of them for every value."""
    kinds = set(map(_shape, members))
    return len(set(values)) > 1 and 5 * len(members) >= 4 * len(set(values)) * len(kinds)


def kinds_of(members: list[Member]) -> list[str]:
    """What tells files of one tick apart: the pieces of their names that are not all the same and no numbers."""
    pieces = [[one for one in re.split(r"[\W\d_]+", member.name) if one] for member in members]
    common = set(pieces[0]).intersection(*pieces)
    return [" ".join(one for one in found if one not in common) for found in pieces]


_DOCUMENT = re.compile(
    r"(?i)(?:.*/)?(?:(?:readme|license|licence|notice|changelog|thumbs\.db|desktop\.ini|\.ds_store|\.git\w*)(?:\.\w+)?"
    r"|.*\.(?:md|rst|html?|png|jpe?g|gif|bmp|pdf|sh|bat|py|exe|dll|so))"
)


def without_others(members: list[Member], shared: frozenset[str] | None) -> tuple[list[Member], list[Member]]:
    """Members that are dumps, and others beside files of one tick each: documents, and what the other side lacks."""
    stated = [member for member in members if names.tick_in_name(member.name) is not None]
    if len(stated) < 2:
        shape = Counter(map(_shape, members)).most_common(1)
        most = shape[0][0] if shape and "#" in shape[0][0] and shape[0][1] > 1 else None
        stated = [member for member in members if _shape(member) == most]
    if len(stated) * 2 <= len(members) or len(stated) < 2:
        return members, []
    kept = {id(member) for member in stated}
    others = [
        member
        for member in members
        if id(member) not in kept
        and (_DOCUMENT.fullmatch(member.name) or (shared is not None and member.name not in shared))
        and not re.search(r"\d", member.name.rpartition(".")[0])
    ]
    gone = {id(member) for member in others}
    return [member for member in members if id(member) not in gone], others


def order_of(a: list[str], b: list[str]) -> tuple[tuple[dict[str, int], dict[str, int]], str]:
    """The place of each name of two sides, the same one for those that are a pair, and what to say of unlike names.

    Names that are the same are a pair. Where none is (`peerA.log`, `peerB.log`): those with the same numbers, or all in
    their order.
    """
    both = sorted({*a, *b}, key=natural)
    places = {name: place for place, name in enumerate(both)}
    if not a or not b or set(a) & set(b):
        return (places, places), ""
    keys = [[tuple(re.findall(r"\d+", name)) for name in side] for side in (a, b)]
    numbered = all(len(set(side)) == len(side) and () not in side for side in keys) and set(keys[0]) & set(keys[1])
    if numbered:
        order = {
            key: place
            for place, key in enumerate(sorted({*keys[0], *keys[1]}, key=lambda key: (len(key), [*map(int, key)])))
        }
        found = tuple(
            {name: order[key] for name, key in zip(side, one, strict=True)}
            for side, one in zip((a, b), keys, strict=True)
        )
        return (found[0], found[1]), "files are paired by the numbers in their names"
    if len(a) != len(b):
        return (places, places), ""
    found = tuple({name: place for place, name in enumerate(sorted(side, key=natural))} for side in (a, b))
    return (found[0], found[1]), "" if len(
        a
    ) == 1 else "no file has the name of one of the other side; they are paired in their order"


def tick_of_file(stem: str) -> int | None:
    """The tick that a single file's name leaves no doubt about: tick00013.csv, state_turn13.csv, 13.csv; else None."""
    stem = stem.rpartition("/")[2]
    found = re.findall(r"(?i)(?<![a-z])(?:tick|frame|turn|step|gametime|cycle)[ _.=-]*(\d{1,18})", stem)
    alone = re.fullmatch(r"(\d{1,18})(?:\.[A-Za-z]\w*)*", stem)
    if found:
        return int(found[-1])
    return int(alone[1]) if alone else None
