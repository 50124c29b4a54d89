"""One line of a hash log, in any of the spellings people use: which tick, which hashes, which session."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from detcheck.dumps import names
from detcheck.dumps.readers.hash_beside import Beside, beside, is_place
from detcheck.dumps.readers.hash_places import alone, placed
from detcheck.dumps.readers.log_prefix import stripped

_TICK_NAMES = (
    r"(?:(?:net|sim|game|logic|sync|current|server|client|world|fixed|verified|confirmed|physics)[ _-]?)?"
    r"(?:tick|frame|turn|step|cycle|gametime|simtime|iteration|checkpoint|(?:game|level)?tic|beat|generation)"
    r"(?:[ _-]?(?:no\.?|num(?:ber)?|nr|n|index|idx|id|count|info))?"
)
_TICK = re.compile(
    rf"(?<![A-Za-z]){_TICK_NAMES}s?['\"]?\s*+(?:[:=#(\[_>]|is|->)?+\s*+['\"#]?"
    r"(-?\d{1,3}(?:,\d{3}){1,5}(?![\d,])|-?\d{1,18})(?![\w.]*[A-Za-z_])",
    re.IGNORECASE,
)
_GAME_TIME = re.compile(r"(?<![A-Za-z])(?:game|sim|sync)[ _]?time\s*+[:=]?+\s*+(\d{1,18})\b", re.IGNORECASE)
_HEX_TICK = re.compile(
    rf"(?<![A-Za-z]){_TICK_NAMES}['\"]?\s*+[:=]\s*+['\"]?(0[xX][0-9a-fA-F]{{1,15}})\b", re.IGNORECASE
)
#: OpenTTD: date, part of the day, both words of the generator; a day has 74 ticks
_DATED = re.compile(
    r"(?:\bsync: ?|\bdate\{)([0-9a-f]{8}); ([0-9a-f]{2}); (?:[0-9a-f]{2}\} )?([0-9a-f]{8})(?:;? ([0-9a-f]{8}))?"
)
_DAY_TICKS = 74
_SHORT_TICK = re.compile(
    r"(?:(?:^|[\s,;|\[({])[\"']?[tfTF][\"']?\s*[:=]\s*|(?:^|[\])])[\[(<]?[tfTF]#?)0*(\d{1,18})(?=$|[\s,;:=|\])}>])"
)

_VALUE = r"([A-Za-z0-9+/_-]{10,86}={1,2}|0[xX][0-9a-fA-F]{1,128}|[0-9a-fA-F]{4,128}|-?\d{1,40})(?![\w.])"
_KEYED = re.compile(
    r"(?<![A-Za-z0-9])([A-Za-z][\w.-]{0,40}?[ ]?)?"
    r"((?:hash|checksum|check_sum|crc(?:16|32|64)?|digest|chksum|cksum|synccheck)(?:es|s)?|(?<![A-Za-z0-9])(?:fingerprint"
    r"|md5|sha1|sha256|sha512|xxh(?:ash|3|32|64)|fnv1?a?|adler(?:32)?|murmur\d?|csum|sum|sync))"
    r"(?:[ _.]([A-Za-z]\w{0,40}?))??['\"]?\s{0,8}(?:[:=#(\[>]+|is|of|->|=>)?\s{0,8}['\"]?" + _VALUE,
    re.IGNORECASE,
)
_PAIR = re.compile(r"([A-Za-z][\w.-]{0,60})['\"]?\s{0,8}[:=]\s{0,8}['\"]?" + _VALUE)
_BARE_HEX = re.compile(
    r"(?<![\w.@])(0[xX][0-9a-fA-F]{1,128}|(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{6,128}|[0-9a-fA-F]{16,128})(?![\w.])"
)
_LEADING = re.compile(r"(?:[^\w-]|-(?!\d))*+(-?\d{1,18})(?=[\s,;:|\])}=>'\"-]|\.\s|$)[\s,;:.|\])}=>'\"-]*(.*)")
_ONLY_DIGITS = re.compile(r"[\s;]*\d{6,40}\s*")
#: looking for these words first is much faster than the patterns
_SESSION_WORDS = ("session", "match", "game", "room", "run", "world", "lobby")
_QUALIFIER_WORDS = (
    *("player", "peer", "client", "system", "part", "module", "layer", "entity", "unit", "channel", "category", "slot"),
    *("phase", "stage", "handle"),
)
_SESSION = re.compile(
    r"(?<![A-Za-z])(?:(session|match|game|room|run|world|lobby)(?:[ _-]?id)?\s*+[:=#]\s*+['\"]?([\w.-]{1,64})"
    r"|(session|match|game|room|lobby)(?:[ _-]?id)?\s*+[\[(]([\w.-]{1,64})[\])]"
    r"|(?<=[\[(<{])(session|match|game|room|lobby)[ _-]([\w.-]{1,64})(?=[\])>}])"
    r"|(?<!\S)(session|match|game|room|lobby)[ _-]#?([\w.-]{0,63}\d[\w.-]{0,63}?)(?=:|\s[|-]))",
    re.IGNORECASE,
)
#: a line of columns with signs between them
_CELLS = re.compile(r"\W{0,4}\d{1,18}[\"']?\s?[,;|\t]")
_QUALIFIER = re.compile(
    r"(?<![A-Za-z])(player|peer|client|system|part|module|layer|entity|unit|channel|category|slot|phase|stage|handle)"
    r"(?:[ _-]?id)?(?![A-Za-z])\s*+[:=#]?+\s*+['\"]?([\w.-]{1,64})",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"(?<![\w.@-])\d{4,128}(?![\w.])")
_LEAD = re.compile(r"(?:.*[^\w.-])?([A-Za-z][\w.-]{0,40})\W*")


#: no log line states its hash later than this
_LONGEST = 4096
_LONGEST_LEAD = 100


@dataclass
class Words:
    """What one line says. `hashes` are (name, token) in the order of the line; a name of "" is the whole state's.

    keyed   the tick stands behind a word for it; `named` a hash behind a word for one
    extra   other values with their names, without those that measure the machine
    beside  the same and those, with their places behind the log prefix
    lead    the word in front of the tick
    """

    tick: int | None = None
    hashes: list[tuple[str, str]] = field(default_factory=list)
    session: str | None = None
    keyed: bool = False
    named: bool = False
    extra: list[tuple[str, str]] = field(default_factory=list)
    lead: str = ""
    beside: list[Beside] = field(default_factory=list, compare=False)


def words_of(line: str, tick_field: str | None = None, lengths: frozenset[int] = frozenset()) -> Words:
    """What a line says of ticks and hashes; empty when nothing. Digits alone of one of `lengths` are a hash too."""
    text = whole = stripped(line[:_LONGEST])
    found = Words()
    dated = None if tick_field else _DATED.search(text)
    if dated:
        found.tick, found.keyed, found.named = int(dated[1], 16) * _DAY_TICKS + int(dated[2], 16), True, True
        found.hashes = [(f"random {i}", token) for i, token in enumerate(dated.groups()[2:]) if token]
        return found
    lower = text.lower()
    session = _SESSION.search(text) if any(word in lower for word in _SESSION_WORDS) else None
    if session and not re.fullmatch(r"0[xX][0-9a-fA-F]{6,}", _last(session)):
        found.session = f"{session[session.lastindex - 1].lower()} {_last(session)}"  # type: ignore[operator]
        if not re.search(r"\w", text[: session.start()]):
            text = text[session.end() :].lstrip(" ;,:|])>}-")
    rest, (start, end) = _take_tick(text, found, tick_field)
    if found.tick is None and not tick_field:
        place = placed(text)
        if place is not None:
            found.tick, found.keyed = place.tick, True
            found.named = place.named
            found.hashes = [place.hash]
            return found
        found.tick = alone(text)
        found.keyed = found.tick is not None
    _take_hashes(rest, found, lengths)
    if not found.hashes and found.tick is not None and not found.keyed:
        _take_columns(rest, found)
    if found.hashes:
        gone = len(whole) - len(text)
        _take_beside(whole, found, session, (start + gone, end + gone))
    return found


def _last(match: re.Match[str]) -> str:
    return match[match.lastindex or 0]


def _take_tick(text: str, found: Words, tick_field: str | None) -> tuple[str, tuple[int, int]]:
    """Finds the tick; gives the text without it, so that its number is not taken for a hash, and where it stands."""
    if tick_field:
        pattern = re.compile(rf"(?<!\w){re.escape(tick_field)}['\"]?\s*+[:=#(\[]?+\s*+['\"]?(-?\d{{1,18}})")
        matches = [pattern.search(text)]
    else:
        matches = [_TICK.search(text) or _GAME_TIME.search(text) or _SHORT_TICK.search(text) or _HEX_TICK.search(text)]
    match = matches[0]
    if match:
        found.tick, found.keyed = int(match[1].replace(",", ""), 16 if match.re is _HEX_TICK else 10), True
        lead = _LEAD.fullmatch(text[: match.start()]) if match.start() < _LONGEST_LEAD else None
        found.lead = lead[1] if lead else ""
        return text[: match.start()] + " ; " + text[match.end() :], match.span()
    leading = None if tick_field else _LEADING.match(text)
    if leading and leading[2]:
        found.tick = int(leading[1])
        return leading[2], leading.span(1)
    return text, (0, 0)


def _take_hashes(rest: str, found: Words, lengths: frozenset[int]) -> None:
    lower = rest.lower()
    qualifier = _QUALIFIER.search(rest) if any(word in lower for word in _QUALIFIER_WORDS) else None
    label = f"{qualifier[1].lower()} {qualifier[2]}" if qualifier else ""
    told = f"{rest[: qualifier.start()]} ; {rest[qualifier.end() :]}" if qualifier else rest
    for match in _KEYED.finditer(told):
        if match[3] and is_place(f"{match[2]}.{match[3]}"):
            continue
        name = _name(match[1], match[2], match[3])
        found.hashes.append((f"{label} {name}".strip(), match[4]))
    if found.hashes:
        found.named = True
        return
    # key=value where the key is no known word: `tick=5 physics=0x1234abcd`
    for match in _PAIR.finditer(rest):
        token = match[2]
        is_hash = _BARE_HEX.fullmatch(token) or (token.isdigit() and len(token) in lengths)
        if is_hash and not names.is_writer(match[1]) and names.plain(match[1]) not in _NOT_HASHES:
            found.hashes.append(("" if names.plain(match[1]) in _SHORT_NAMES else match[1], token))
    if found.hashes:
        return
    if _ONLY_DIGITS.fullmatch(rest):
        found.hashes.append(("", rest.strip(" ;")))
        return
    bare = [(match.start(), match.end(), match[1]) for match in _BARE_HEX.finditer(rest)]
    if lengths:
        bare += [(m.start(), m.end(), m[0]) for m in _DIGITS.finditer(rest) if len(m[0]) in lengths and len(m[0]) < 16]
        bare.sort()
    _take_bare(rest, bare, label, found)


def _take_bare(rest: str, bare: list[tuple[int, int, str]], label: str, found: Words) -> None:
    """Hashes without a word for one: named by the words right before them, else by their places."""
    if len(bare) == 1:
        found.hashes.append((label or _label(rest[: bare[0][0]]), bare[0][2]))
        return
    ends = [0, *(end for _, end, _ in bare)]
    labels = [_label(rest[end:start]) for end, (start, _, _) in zip(ends, bare, strict=False)]
    if len(set(labels)) < len(labels):
        labels = [f"hash{i + 1}" if i else "" for i in range(len(bare))]
    found.hashes.extend((name, token) for name, (_, _, token) in zip(labels, bare, strict=True))


def _take_beside(text: str, found: Words, session: re.Match[str] | None, tick: tuple[int, int]) -> None:
    """What else the line says."""
    tokens = frozenset(token for _, token in found.hashes)
    taken = [match.span() for token in tokens for match in re.finditer(re.escape(token), text)]
    taken.append(tick)
    if found.session and session:
        taken.append(session.span())
    qualifier = _QUALIFIER.search(text) if any(word in text.lower() for word in _QUALIFIER_WORDS) else None
    if qualifier:
        taken.append(qualifier.span())
    cells = not found.named and _CELLS.match(text) is not None
    found.beside = beside(text, taken, tokens, tick[1], cells)
    found.extra = [(one.name, one.value) for one in found.beside if not one.noise]


_SHORT_NAMES = names.word_set("h cs ck chk value val v")
_NOT_HASHES = names.word_set(
    "this self address ptr pointer addr color colour flags mask seed uuid guid id build version commit state rng "
    "random prng"
)


def _take_columns(rest: str, found: Words) -> None:
    """`120 3735928559`, `120 81234 99120`: numbers alone behind the tick are checksums in decimal."""
    tokens = re.split(r"[\s,;|]+", rest.strip(" \t,;|"))
    if tokens and all(re.fullmatch(r"\d{1,40}|[0-9a-fA-F]{4,128}", token) for token in tokens):
        found.hashes.extend((f"hash{i + 1}" if i else "", token) for i, token in enumerate(tokens))


def _name(before: str | None, word: str, after: str | None) -> str:
    """ "" for a plain `hash` or `state_hash`; else the words that say of what."""
    parts = [part.strip(" _.-") for part in (before, after) if part and names.plain(part) not in _FILLERS]
    whole = names.plain("".join([before or "", word, after or ""]))
    if whole in names.WHOLE_HASH_WORDS or not any(parts):
        return ""
    return " ".join(part for part in parts if part) or word


def _label(before: str) -> str:
    """`120 physics 0x1234`: the word right before a hash says of what it is."""
    match = re.search(r"([A-Za-z][\w.-]*)\W*$", before)
    word = match[1] if match else ""
    return "" if names.plain(word) in _FILLERS or names.is_whole_hash(word) else word


_FILLERS = names.word_set(
    "is has of state value with for at the crc sync ok done hash local frame tick turn step game world sim final "
    "current my own full total computed calculated new got its a an and simulation "
    "gamestate net save saved snapshot "
)
