"""Lines of a tree that are each one entity (`unit=7 x=3 hp=5`, `unit id=7 | x=3`, `7 x=3`): rows with an id."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from detcheck.dumps import names
from detcheck.dumps.readers.pairs import key_of, pairs_of
from detcheck.dumps.readers.rows import row_name

Pairs = list[tuple[str, str]]

#: words in front of an id that say what has it; verbs would make an ordered trace of the lines
_THINGS = names.word_set(
    "unit entity actor object obj player ship droid agent body particle sprite tank soldier building structure "
    "projectile bullet missile npc enemy monster creature character hero pawn vehicle item tile cell node planet fleet "
    "city army worker robot car ball team faction house tower squad mob component proj ent row"
)
#: ids of which there may be one alone; of the others (`name=…`, `slot=…`) two lines show that they are rows
_ALONE = names.word_set("droid agent agentid body bodyid particle ship sprite")
_LABELLED = re.compile(r"([A-Za-z_][\w.-]{0,60})\s+([A-Za-z_]\w{0,60})")
_NUMBER = r"[#\[(<@]?\s?(-?\d{1,18})\s?[\])>:,]?"
_LED = re.compile(rf"{_NUMBER}\s*[|(]?\s+([A-Za-z_][\w.\[\]-]{{0,80}})")
_THING_LED = re.compile(
    rf"([A-Za-z_][A-Za-z_.-]{{0,60}})(?:\s+{_NUMBER}|[#\[(_]?(\d{{1,18}})[\])]?)\s*[|:(]?\s+\(?([A-Za-z_][\w.\[\]-]{{0,80}})"
)
#: with a single pair behind it, a line is an entity only by a number in front
_LEADS = re.compile(r"\s*(?:[A-Za-z_.-]{1,60}[\s#\[(]\s?)?[#\[(<@]?\s?-?\d{1,18}\W{1,3}[A-Za-z_][^=:]{0,80}[=:]")


@dataclass(frozen=True, slots=True)
class Entity:
    """One line: the table it is a row of, the name of its id, and its pairs with the id in front."""

    table: str
    key: str
    pairs: Pairs
    alone: bool


def entity_of(text: str) -> Entity | None:
    """A line that names one thing by an id and says something of it; None for any other line."""
    if text.count("=") + text.count(":") < 2 and not _LEADS.match(text):
        return None
    pairs = pairs_of(text)
    first, value = pairs[0]
    if not first:
        return None
    if (led := _LED.fullmatch(first)) is not None:
        return Entity("row", "id", [("id", led[1]), (led[2], value), *pairs[1:]], True)
    if (led := _THING_LED.fullmatch(first)) is not None:
        if names.plain(led[1]) not in _THINGS:
            return None
        return Entity(led[1], "id", [("id", led[2] or led[3]), (led[4], value), *pairs[1:]], True)
    label, key = "", first
    if (labelled := _LABELLED.fullmatch(first)) is not None:
        label, key = labelled[1], labelled[2]
        if names.plain(label) not in _THINGS:
            return None
    if names.id_rank(key) is None or len(pairs) < 2:
        return None
    word = names.plain(key)
    alone = names.is_strong_id(key) or word in _ALONE or ((bool(label) or word == "player") and value.isdecimal())
    return Entity(label or row_name(key), key, [(key_of(key), value), *pairs[1:]], alone)


def tables_of(texts: Iterable[tuple[int, str]], alone: bool) -> dict[int, tuple[str, str | None, list[Pairs]]]:
    """(table, its key, its rows) for the place of the first row of each table; the places of its other rows have none.

    `alone`: whether a single line may be a table. The key is None where two rows have one id.
    """
    found: dict[tuple[str, str], list[tuple[int, Entity]]] = {}
    for place, text in texts:
        entity = entity_of(text)
        if entity is not None:
            found.setdefault((entity.table, entity.key), []).append((place, entity))
    tables: dict[int, tuple[str, str | None, list[Pairs]]] = {}
    for (table, key), held in found.items():
        if len(held) < 2 and not (alone and held[0][1].alone):
            continue
        distinct = len({entity.pairs[0][1] for _, entity in held}) == len(held)
        tables.update((place, (table, None, [])) for place, _ in held[1:])
        tables[held[0][0]] = (table, key if distinct else None, [entity.pairs for _, entity in held])
    return tables
