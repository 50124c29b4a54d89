"""What does not fit together, in words (design: diff, Decide 7). Each is a rule over what the tracker has seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from detcheck.compare.nodes import Budget, TooMuch, signature
from detcheck.compare.paths import child
from detcheck.compare.seen import Divergence
from detcheck.compare.shift import shifted
from detcheck.compare.tracker import Tracker
from detcheck.compare.wording import plural, tick_words
from detcheck.dumps.names import id_rank, is_hash
from detcheck.errors import visible
from detcheck.model.comparison import Finding
from detcheck.model.record import Group, Items, Lanes, Node, Record, Scalar

MAX_SHOWN = 5
#: groups looked at for names given crosswise
MAX_GROUPS = 2_000
MAX_NODES = 500_000
#: kinds of values that also stand beside a hash in a log without state
_NO_STATE = ("hash", "str", "null")


def _hash_alone(found: Divergence, tracker: Tracker) -> Iterator[str]:
    """The hash differs and every field agrees."""
    counts = found.diff.counts
    hashes = counts["hash"] + counts["derived"]
    if not hashes or hashes != found.diff.differing or not (has_state(found.a) and has_state(found.b)):
        return
    fields = plural(max(0, found.diff.compared - hashes), "other value")
    left_out = _left_out(found, tracker)
    if left_out:
        yield f"the hash differs at {tick_words(found.tick)} although all {fields} that count agree; {left_out}"
    elif found.first_common:
        yield (
            f"the hash differs from the very first common tick ({found.tick}) although all {fields} agree: suspect the "
            "hash itself (a hasher seeded per process, pointers or padding bytes hashed), or state that is not dumped"
        )
    else:
        yield (
            f"the hash differs at {tick_words(found.tick)} although all {fields} agree: the dump is lossy "
            "(too few digits) or leaves something out that the hash covers"
        )


def _left_out(found: Divergence, tracker: Tracker) -> str:
    """What differs at that tick and is no difference of a field, but may be one to the hash."""
    diff = found.diff
    if diff.orders:
        return "rows stand in another order, on which a hash may depend"
    if diff.tolerated_count:
        return f"{plural(diff.tolerated_count, 'difference')} within --tolerance may be what it covers: it is exact"
    if diff.ignored:
        return f"{plural(sum(diff.ignored.values()), 'difference')} that --ignore leaves out may be what it covers"
    if diff.behind:
        return f"{plural(diff.behind, 'difference')} that was there from the first tick on may be what it covers"
    return "with --only, most was not looked at" if tracker.options.only else ""


def has_state(record: Record) -> bool:
    """Whether anything but hashes and what names their rows was dumped."""
    if record.rng or record.inputs is not None or record.events:
        return True
    stack: list[tuple[str, Node, str | None]] = [("", record.fields, None)]
    while stack:
        name, node, key = stack.pop()
        if isinstance(node, Items):
            stack.extend((name, item, node.key) for item in node.items)
        elif isinstance(node, Group):
            stack.extend((inner, child_node, key) for inner, child_node in node.items.items() if inner != key)
        elif isinstance(node, Lanes) or (node.kind not in _NO_STATE and not is_hash(name) and id_rank(name) is None):
            return True
    return False


def _hash_late(found: Divergence, tracker: Tracker) -> Iterator[str]:
    """Fields differ before the hash does."""
    both = "hash" in found.a.hashes and "hash" in found.b.hashes
    if not both or found.diff.counts["hash"] or not found.diff.counts["field"] + found.diff.counts["rng"]:
        return
    if "hash" in found.diff.background or any(p.matches("hash") for p in tracker.options.ignore):
        return
    later = found.after.first_of.get("hash")
    when = "in no tick compared" if later is None else f"only at {tick_words(later)}"
    yield (
        f"fields differ at {tick_words(found.tick)} while the hash is equal; it differs {when}: "
        "the hash covers too little"
    )


def _dump_late(found: Divergence, tracker: Tracker) -> Iterator[str]:
    """The first state that was dumped is later than the first bad hash."""
    later = found.after.later_fields
    if found.diff.counts["hash"] != found.diff.differing or later is None or found.a.fields.items:
        return
    tick, findings, total = later
    if tick is None or found.tick is None:
        return
    shown = ", ".join(_in_words(f) for f in findings[:MAX_SHOWN] if f.kind != "hash")
    more = f" (first {MAX_SHOWN} of {total:,})" if total > MAX_SHOWN else ""
    yield (
        f"the first state to compare is at tick {tick}, {plural(tick - found.tick, 'tick')} later than the first bad "
        f"hash: what differs there may be symptoms: {shown}{more}"
    )


def _in_words(finding: Finding) -> str:
    return f"{visible(finding.path, 80)} {visible(finding.a.text, 40)} / {visible(finding.b.text, 40)}"


def _crosswise(found: Divergence, tracker: Tracker) -> Iterator[str]:
    """The two sides give two things each other's names."""
    pairs = [("", *found.crosswise)] if found.crosswise else []
    for path, one, other in chain(crossed(found.a.fields, found.b.fields, Budget(MAX_NODES)), pairs):
        place = f" in {visible(path, 80)}" if path else ""
        yield (
            f"the sides name the same two things crosswise{place}: {visible(one, 40)} of a is {visible(other, 40)} of "
            f"b and the other way round; compare with --map {visible(one, 40)}={visible(other, 40)}"
        )
        return


def crossed(a: Node, b: Node, budget: Budget) -> Iterator[tuple[str, str, str]]:
    """(path, name, name) of groups in which two unlike children have changed places, as far as the budget lasts."""
    stack: list[tuple[str, Node, Node]] = [("", a, b)]
    seen = 0
    while stack and seen < MAX_GROUPS:
        path, x, y = stack.pop()
        if not (isinstance(x, Group) and isinstance(y, Group)):
            continue
        seen += 1
        unlike = [name for name in x.items if name in y.items and x.items[name] is not y.items[name]]
        if len(unlike) > 16:
            unlike = [name for name in unlike if isinstance(x.items[name], Group)][:16]
        telling = [name for name in unlike if _telling(x.items[name])]
        try:
            for one, other in _swapped(x, y, telling, budget):
                yield path, one, other
        except TooMuch:
            return
        stack.extend((child(path, name), x.items[name], y.items[name]) for name in unlike)


def _swapped(a: Group, b: Group, names: list[str], budget: Budget) -> Iterator[tuple[str, str]]:
    if len(names) < 2:
        return
    mine = {name: signature(a.items[name], budget) for name in names}
    theirs = {name: signature(b.items[name], budget) for name in names}
    unlike = [name for name in names if mine[name] != theirs[name]]
    for at, one in enumerate(unlike):
        for other in unlike[at + 1 :]:
            if mine[one] == theirs[other] and mine[other] == theirs[one]:
                yield one, other


def _telling(node: Node) -> bool:
    """Whether finding it elsewhere means something: a group or a word does, a small number does not."""
    return not isinstance(node, Scalar) or (node.kind == "str" and len(node.text) > 1)


#: every rule, in the order the notes are given
CONTRADICTIONS: tuple[Callable[[Divergence, Tracker], Iterator[str]], ...] = (
    shifted,
    _crosswise,
    _hash_alone,
    _hash_late,
    _dump_late,
)


def contradictions(found: Divergence, tracker: Tracker) -> list[str]:
    """All notes that apply."""
    return [note for rule in CONTRADICTIONS for note in rule(found, tracker)]
