"""The words people use for a tick, a hash, a generator, an input, the writer, a setting, an id. A table each.

Names are compared after `plain`: lower case, letters and digits only.
"""

from __future__ import annotations

import re
from functools import lru_cache


def word_set(text: str) -> frozenset[str]:
    """The words of a table written as one text."""
    return frozenset(text.split())


#: best first: where a record has several, the earliest in this list is its tick
TICK_WORDS = (
    *("tick", "tickindex", "tickid", "ticknumber", "ticknum", "tickno", "tickcount", "ticks", "simtick", "gametick"),
    *("worldtick", "servertick", "currenttick", "localtick", "fixedtick", "logictick", "synctick", "absolutetick"),
    *("frame", "frameindex", "frameid", "framenumber", "framenum", "frameno", "simframe", "gameframe", "netframe"),
    *("logicframe", "currentframe", "syncframe", "framecount", "verifiedframe", "turn", "turnnumber", "turnid"),
    *("currentturn", "turnindex", "step", "stepindex", "stepnumber", "simstep", "stepcount", "fixedstep", "cycle"),
    *("gamecycle", "gametime", "simtime", "synctime", "iteration", "updatecount", "update", "generation"),
    *("timestep", "timesteps", "iter", "gameloop", "mainloop", "blocknumber", "blockheight", "t"),
)
_TICK_STEMS = ("tick", "frame", "turn", "step", "cycle", "loop", "lockstep")
_TICK_BEFORE = sorted(
    word_set(
        "sim simulation game world server current cur local fixed logic sync net physics battle match lockstep "
        "confirmed verified engine state snapshot rollback global absolute update m n i u g"
    )
)
_TICK_AFTER = ("", "index", "idx", "id", "number", "num", "no", "nr", "count", "counter")
#: what stands around a word for the tick: `physicsTick`, `m_frame`, `lockstep_turn_number`
_TICK_MADE = [before + stem + after for stem in _TICK_STEMS for after in _TICK_AFTER for before in ("", *_TICK_BEFORE)]
_TICK_RANK = {word: rank for rank, word in enumerate(dict.fromkeys((*TICK_WORDS, *_TICK_MADE[1:])))}

#: names that may as well mean something else: the tick only where their numbers rise through a file, best first
WEAK_TICK_WORDS = (
    *("round", "roundnumber", "epoch", "gen", "block", "blockno", "height", "blockheight", "number", "sequence"),
    *("sequencenumber", "sequenceno", "seq", "seqno", "seqnum", "counter", "n", "day", "year"),
    *("simulationtime", "time", "simt", "timems", "ts", "timestamp", "ms"),
)
#: those of them that may be the clock of a machine
TIME_WORDS = word_set("simulationtime time simt timems ts timestamp ms")
_WEAK_TICK_RANK = {word: rank for rank, word in enumerate(WEAK_TICK_WORDS)}
_WEAK_STEMS = frozenset((*_TICK_STEMS, "ticks", "iteration", "generation", "timestep"))

HASH_WORDS = word_set(
    "hash statehash checksum crc crc16 crc32 crc64 digest fingerprint md5 sha1 sha256 sha512 xxh3 xxh64 xxh32 "
    "xxhash fnv fnv1a adler adler32 murmur synchash syncchecksum sum worldhash simhash gamehash fullhash synccrc "
    "stateroot merkleroot storageroot receiptsroot transactionsroot txroot logsbloom "
)
_HASH_ENDS = ("hash", "checksum", "crc", "crc32", "digest", "checksums", "hashes")
#: the whole state's hash, whatever a writer calls it
WHOLE_HASH_WORDS = word_set(
    "hash statehash checksum crc crc32 digest worldhash simhash gamehash fullhash synchash syncchecksum sum "
    "gamestatehash worldstatehash statechecksum statecrc gamechecksum worldchecksum crc16 crc64 synccrc "
    "fingerprint "
)
HASH_GROUP_WORDS = word_set("hashes checksums parts parthashes digests crcs partdigests partchecksums")

_RNG_PARTS = word_set("rng prng random rand randstate rngs mersenne mt19937 xorshift pcg splitmix64 lcg seed")
_RNG_WHOLE = re.compile(
    r"(?:s|g|sim|game|world|shared|sync|synced)?(?:rng|prng|random|rand)(?:s|state|states|seed|marks?|streams?|calls?"
    r"|count|index|draws?|gen|generator|counter|value)?\d*|gameseed|currentseed|lastseed|genstate|seed|mt19937|xorshift"
    r"|splitmix64|pcg32|draws?|drawcount"
)

INPUT_WORDS = word_set(
    "input inputs command commands cmd cmds order orders playerinputs playerinput commandhash inputhash "
    "inputshash commandshash orderhash ordershash commandcrc inputcrc commandchecksum inputchecksum "
    "inputchecksums usercmd usercmds ordersissued issuedorders issuedcommands inputbits buttons "
)
WRITER_WORDS = word_set(
    "peer peerid player host hostname machine computer client clientid pid processid user username platform os "
    "writer recordedby localplayer localplayerid localplayerindex localpeer localclient node instance wallclock "
    "walltime timestamp datetime date created createdat writtenat recordedat utc unixtime realtime iplayer "
    "myplayer ishost isserver role hostid sourcename arch cpu compiler osversion runtime machineid devicename "
    "device pathname started startedat starttime startdate saved savedat savetime recorded recordedon recordtime "
    "exported exportedat exportedby exporttime dumpedat dumpedby dumptime dumpdate writtenby writtenon generatedat "
    "generatedby capturedat capturedby capturetime loggedat lastmodified modifiedat buildtime builddate buildhost "
    "builduser nick nickname displayname playername author "
)
_PERHAPS_WRITER = word_set(
    "player client node instance role user date device platform computer created machine started starttime startdate "
    "saved savetime recorded recordtime exported nick nickname displayname playername author"
)
HEAD_WORDS = word_set(
    "version format schema schemaversion formatversion gameid sessionid session matchid match map mapname mapid "
    "mod modname game build buildid buildnumber engine engineversion protocol protocolversion initialseed "
    "initseed mapseed worldseed tickrate hz playercount numplayers settings config configuration rules ruleset "
    "mapchecksum modchecksum maphash modhash confighash datahash contenthash identity scenario backend number "
    "syncver syncversion gameversion gamename level levelname replayid replay rulesethash dataversion assethash "
    "lobbyid roomid "
)
SESSION_WORDS = word_set("session sessionid match matchid game gameid room roomid run runid world worldid")
#: best first
ID_WORDS = (
    *("id", "entityid", "entity", "eid", "uid", "netid", "networkid", "objectid", "unitid", "actorid"),
    *("unit", "actor", "object", "uuid", "guid", "handle", "oid", "pid", "playerid", "key", "index", "idx", "slot"),
    *("name", "ent", "droid", "agent", "agentid", "body"),
    *("bodyid", "particle", "ship", "player", "sprite", "component"),
)
#: what tells the parts of one thing apart, where each is there once
PART_WORDS = word_set("type typename componenttype kind class classname tag label field attribute property system what")
_ID_RANK = {word: rank for rank, word in enumerate(ID_WORDS)}
#: top-level keys under which a document keeps its list of ticks
LIST_WORDS = word_set(
    "checkpoints frames ticks states history snapshots records steps turns log entries samples dumps timeline data "
)
EVENT_WORDS = word_set("trace calls rngcalls rngtrace rnglog drawlog eventlog randomcalls draws")


def plain(name: str) -> str:
    """`Tick_Index` and `tickIndex` are `tickindex`; nothing for a name too long to mean anything."""
    if len(name) > 100:
        return ""
    return name.lower() if name.isalnum() else _plain(name)


@lru_cache(maxsize=16384)
def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def words(name: str) -> tuple[str, ...]:
    """`rngMarks_after` is ("rng", "marks", "after")."""
    return _words(name[:256])


@lru_cache(maxsize=4096)
def _words(name: str) -> tuple[str, ...]:
    return tuple(part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name))


def tick_rank(name: str) -> int | None:
    """How surely a name means the tick: 0 is best, None not at all."""
    return _TICK_RANK.get(plain(name))


def weak_tick_rank(name: str) -> int | None:
    """The same for names that mean the tick only where their numbers rise through a file."""
    rank = _WEAK_TICK_RANK.get(plain(name))
    if rank is None and not _WEAK_STEMS.isdisjoint(words(name)):
        return -1
    return rank


def id_rank(name: str) -> int | None:
    """How surely a name is the id of a row: 0 is best, None not at all."""
    found = _ID_RANK.get(plain(name))
    if found is None and name.lower().endswith(("_id", "-id")):
        return len(ID_WORDS)
    return found


def is_hash(name: str) -> bool:
    """A checksum of something: `state_hash`, `crc32`, `physicsChecksum`."""
    word = plain(name)
    return word in HASH_WORDS or word.endswith(_HASH_ENDS)


def is_whole_hash(name: str) -> bool:
    """A checksum of the whole state."""
    return plain(name) in WHOLE_HASH_WORDS


def is_rng(name: str) -> bool:
    """A generator's state, seed, draw count or marks."""
    if _RNG_WHOLE.fullmatch(plain(name)):
        return True
    parts = words(name)
    return bool(parts) and any(part in _RNG_PARTS and part != "seed" for part in parts)


def is_input(name: str) -> bool:
    """Commands and inputs, or a checksum of them."""
    return plain(name) in INPUT_WORDS


def is_writer(name: str) -> bool:
    """Names the one who wrote the dump, or when: never a difference."""
    return plain(name) in WRITER_WORDS


def is_surely_writer(name: str) -> bool:
    """A writer's name even in the state of a tick, where `player` may be whose turn it is."""
    word = plain(name)
    return word in WRITER_WORDS and word not in _PERHAPS_WRITER


def is_head(name: str) -> bool:
    """A setting, version or id that decides whether two sides are comparable."""
    return plain(name) in HEAD_WORDS


def is_strong_id(name: str) -> bool:
    """A word that means nothing but the id of an entity."""
    rank = id_rank(name)
    return rank is not None and rank < ID_WORDS.index("handle")


def tick_in_name(stem: str) -> int | None:
    """The tick a file's name states with a word: tick_000123.json, desync640400_p0.txt, frame-12; else None."""
    found = re.findall(
        r"(?i)(?:tick|frame|turn|step|sync|gametime|cycle|snapshot|checkpoint)s?[ _.=-]*(\d{1,18})", stem
    )
    return int(found[-1]) if found else None
