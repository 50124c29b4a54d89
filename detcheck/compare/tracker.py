"""Goes through the aligned ticks once and remembers what a verdict needs: where they part, what is before and after."""

from __future__ import annotations

from collections import Counter, deque

from detcheck.compare.align import Pair, Run
from detcheck.compare.bulk import equal_run, run_after
from detcheck.compare.columns import Columns
from detcheck.compare.cut_tail import Cut, cut_of
from detcheck.compare.diff import Diff, merge_counts
from detcheck.compare.noise import clocks_beside, is_clock, may_be_background
from detcheck.compare.options import FOLLOW_WORK, KEEP_FINDINGS, Options
from detcheck.compare.records import diff_records
from detcheck.compare.run_ids import RunIds
from detcheck.compare.seen import MAX_CONTEXT_VALUES, Divergence, Window, labels_agreed
from detcheck.compare.session_ends import Elsewhere
from detcheck.compare.strip import EQUAL, MISSING, UNLIKE, Strip
from detcheck.compare.writers import first_seen, steady
from detcheck.model.record import Record, Skipped

#: what looking at a tick costs at least, and one value of it, equal or unlike, of the budget after the divergence
TICK_COST, VALUE_COST, UNLIKE_COST = 150, 5, 10


def _span(skipped: Skipped) -> int:
    """About how many ticks stand in lines whose ticks were not counted: for the picture alone."""
    if skipped.first_tick is None or skipped.last_tick is None:
        return 0
    return max(0, min(skipped.lines, skipped.last_tick - skipped.first_tick + 1))


class Tracker:
    """Feed it every Pair and Run in order; `more` says whether there is a reason to read on."""

    def __init__(self, options: Options, skipped: Skipped | None) -> None:
        self.options = options
        self.a, self.b = Window(), Window()
        #: what the sides hold, also where --ticks lets nothing through
        self.held_a, self.held_b = (self.a, self.b) if options.ticks == (None, None) else (Window(), Window())
        self.strip = Strip()
        #: the same, with what is background until now shown as unlike
        self.pending_strip = Strip()
        self.common = 0
        self.head_skipped = False
        #: lines of the head that was skipped, and whether it is known how many ticks stand in them
        self.skipped_lines, self.ticks_counted = 0, True
        self.first_common: int | None = None
        self.last_equal: int | None = None
        self.equal_session = 0
        self.last_common: int | None = None
        self.values = 0
        self.only_a = self.only_b = 0
        self.background: frozenset[str] = frozenset()
        self.clocks: set[str] = set()
        #: paths of what names the writer, differing since it was first seen
        self.writers: frozenset[str] = frozenset()
        self.ids = RunIds()
        self.pending: Divergence | None = None
        self.divergence: Divergence | None = None
        self.ignored: Counter[str] = Counter()
        self.hash_one_sided: Counter[str] = Counter()
        self.state_only: Counter[str] = Counter()
        self.used: set[str] = set()
        #: what only one of two tables has by its header
        self.columns: Columns | None = None
        self.tolerated: tuple[int | None, Diff] | None = None
        self.tolerated_count = 0
        self.order_seen: tuple[int | None, Diff] | None = None
        self.remarks: dict[str, None] = {}
        #: names of sessions that have one, and those behind the session of the divergence that diverge too
        self.session_names: dict[int, str] = {}
        self.elsewhere = Elsewhere()
        #: what was left out of ticks that have several records, and which ticks
        self.again: dict[str, list[int | None]] = {}
        #: where the only record of a side ends, when all before that is equal
        self.cut_inside: str | None = None
        self.budget = FOLLOW_WORK
        #: whether the sides may agree under a shift of their ticks
        self.signing = True
        self.context: deque[tuple[Record, Record]] = deque(maxlen=options.context)
        self.previous: tuple[Record, Record] | None = None
        self._skip(skipped)

    def _skip(self, skipped: Skipped | None) -> None:
        """Records equal byte for byte that were not even read."""
        if skipped is None or not skipped.lines:
            return
        self.head_skipped = True
        self.skipped_lines, self.ticks_counted = skipped.lines, skipped.records is not None
        records = skipped.records or 0
        self.common = records
        self.first_common, self.last_equal, self.last_common = skipped.first_tick, skipped.last_tick, skipped.last_tick
        for window in (self.a, self.b):
            window.first, window.last, window.records = skipped.first_tick, skipped.last_tick, records
            window.line_shaped = True
        self.mark(EQUAL, EQUAL, records or _span(skipped))

    @property
    def more(self) -> bool:
        """False once enough of what follows the divergence has been seen."""
        return self.options.all or self.budget > 0

    def feed(self, item: Pair | Run) -> None:
        """One more tick, or a run of plain hashes."""
        if isinstance(item, Run):
            self._run(item)
            return
        if item.a is None or item.b is None:
            self._one_sided(item)
        else:
            if item.a.beside is not None and item.a.beside is item.b.beside:
                self._stepped(item.a.beside, item.a.session)
            self.pair(item.a, item.b)

    def _run(self, run: Run) -> None:
        """A run of plain hashes: only the first unlike entry becomes records."""
        if self.pending is not None:
            for index in range(run.length):
                self.pair(*run.records(index))
            return
        at = 0
        unlike = run.unlike()
        if self.divergence is None:
            at = run.length if not unlike else unlike[0]
            equal_run(self, run, at)
            if unlike:
                self.pair(*run.records(at))
                at, unlike = at + 1, unlike[1:]
        if at < run.length:
            assert self.divergence is not None
            run_after(self, self.divergence.after, run, at, unlike)

    def _one_sided(self, pair: Pair) -> None:
        record, window = (pair.a, self.a) if pair.a is not None else (pair.b, self.b)
        assert record is not None
        self._hold(pair.a, pair.b)
        if not self.options.includes(record.tick):
            return
        window.see(record.tick, record.session, record.line)
        if pair.a is not None:
            self.only_a += 1
        else:
            self.only_b += 1
        self.mark(MISSING, MISSING)
        if self.signing and (self.common == 0 or self.divergence is not None):
            window.sign(record)
        if self.divergence is not None:
            self.budget -= TICK_COST

    def _hold(self, a: Record | None, b: Record | None) -> None:
        """Remember ticks that --ticks may leave out."""
        for record, held, window in ((a, self.held_a, self.a), (b, self.held_b, self.b)):
            if record is not None and held is not window:
                held.see(record.tick, record.session, record.line)

    def _stepped(self, gone: Skipped, session: int) -> None:
        """Ticks that are equal byte for byte on both sides and were not read."""
        assert gone.first_tick is not None
        assert gone.last_tick is not None
        self.skipped_lines += gone.lines
        self.common += gone.lines
        self.last_common = gone.last_tick
        self.mark(EQUAL, EQUAL, gone.lines)
        for window in (self.a, self.b):
            window.records += gone.lines
            window.last = gone.last_tick
        after = self.divergence or self.pending
        if self.divergence is None:
            self.last_equal, self.equal_session = gone.last_tick, session
        if after is not None and (self.divergence is None or session == after.session):
            step = (gone.last_tick - gone.first_tick) // (gone.lines - 1)
            after.after.add_stretch(range(gone.first_tick, gone.last_tick + 1, step), 0, Counter(), Counter())

    def pair(self, a: Record, b: Record) -> None:
        """The records of one tick."""
        tick = b.tick if a.tick is None else a.tick
        self._hold(a, b)
        if not self.options.includes(tick):
            return
        if self.columns is not None:
            self.columns.strip(a, b)
        if a.again or b.again:
            from detcheck.compare.again import weighed

            a, b, told = weighed(a, b)
            if told:
                self.again.setdefault(told, []).append(tick)
        cut = cut_of(a, b, self.options, self.previous)
        if cut is not None and cut.sure:
            if cut.equal and (self.common or self.head_skipped):
                told = (
                    f"{cut.side} is cut short at line {cut.line}; its last tick, {tick}, is not whole and was left out"
                )
                self.remarks[told] = None
                self._one_sided(Pair(None, b) if cut.side == "a" else Pair(a, None))
                return
            a, b = cut.a, cut.b
        self._note_cut(cut, tick)
        self.a.see(a.tick, a.session, a.line)
        self.b.see(b.tick, b.session, b.line)
        if (a.tick is None) != (b.tick is None):
            self.remarks[
                f"{'a' if a.tick is None else 'b'} names no tick; taken as the one of the other side, {tick}"
            ] = None
        keep = KEEP_FINDINGS if self.divergence is None else 0
        diff = diff_records(a, b, self.options, keep, self.background)
        first = self.common == 0 and not self.head_skipped
        self.ids.see(a, b, diff, first)
        named = first_seen(diff, first, self.previous)
        if named:
            self.writers |= named
            self.background |= named
            diff = diff_records(a, b, self.options, keep, self.background)
        self.common += 1
        self.values += diff.compared
        self.last_common = tick
        self.first_common = tick if first else self.first_common
        self._note(tick, diff)
        if self.divergence is None:
            self._before(tick, a, b, diff, first)
        else:
            self._after(tick, a, b, diff)

    def _note_cut(self, cut: Cut | None, tick: int | None) -> None:
        """What to say of a side that ends inside the record that is compared."""
        if cut is None:
            return
        if not cut.sure and self.divergence is not None:
            return
        if not cut.sure:
            told = f"what {cut.side} lacks stands at the very end of the other side; {cut.side} may be cut short"
            self.remarks[f"{told} after line {cut.line}"] = None
            return
        told = f"{cut.side} is cut short at line {cut.line}" + ("" if tick is None else f", inside tick {tick}")
        self.remarks[f"{told}; what the other side has behind that place was not compared"] = None
        self.cut_inside = told if cut.equal else None

    def _note(self, tick: int | None, diff: Diff) -> None:
        merge_counts(self.ignored, diff.ignored.items())
        self.used |= diff.used
        merge_counts(self.hash_one_sided, diff.hash_one_sided.items())
        if diff.state_only is not None:
            self.state_only[diff.state_only] += 1
        if diff.tolerated_count:
            self.tolerated = self.tolerated or (tick, diff)
            self.tolerated_count += diff.tolerated_count
        if diff.orders and self.order_seen is None:
            self.order_seen = (tick, diff)

    def _before(self, tick: int | None, a: Record, b: Record, diff: Diff, first: bool) -> None:
        if self.pending is not None:
            self.pending.after.add(tick, max(0, diff.behind - len(self.writers)), diff.by_part, diff.counts)
            self.pending.next_pair = self.pending.next_pair or (a, b)
            self._sign(a, b)
        parted = steady(a, b, diff, self.common)
        if not parted and is_clock(a, b, diff, first):
            self.clocks.update(diff.paths())
            self.background |= diff.paths()
            self._equal(tick, a, b, diff)
        elif diff.differing == 0:
            self._equal(tick, a, b, diff)
        else:
            self._unlike(tick, a, b, diff, first)

    def _equal(self, tick: int | None, a: Record, b: Record, diff: Diff) -> None:
        """An equal tick before any divergence, but for background."""
        self.mark(EQUAL, UNLIKE if diff.behind > len(self.writers) and self.pending is not None else EQUAL)
        self.last_equal, self.equal_session = tick, a.session
        self.previous = None
        if diff.compared <= MAX_CONTEXT_VALUES:
            self.previous = (a, b)
            self.context.append(self.previous)

    def _unlike(self, tick: int | None, a: Record, b: Record, diff: Diff, first: bool) -> None:
        """The divergence, or what may be background because it is there from the first common tick on."""
        beside = clocks_beside(diff, first) - steady(a, b, diff, self.common)
        if beside:
            self.clocks.update(beside)
            self.background |= beside
            diff = diff_records(a, b, self.options, KEEP_FINDINGS, self.background)
        found = self._divergence(tick, a, b, diff, first)
        if first and may_be_background(a, b, diff):
            self.pending, self.background = found, self.background | diff.paths()
            self.mark(EQUAL, UNLIKE)
        else:
            self.divergence = found
            self.mark(UNLIKE, UNLIKE)

    def mark(self, kind: str, pending_kind: str, count: int = 1) -> None:
        """Ticks in both strips; the second shows what is background for now as unlike."""
        self.strip.add(kind, count)
        self.pending_strip.add(pending_kind, count)

    def _divergence(self, tick: int | None, a: Record, b: Record, diff: Diff, first: bool) -> Divergence:
        before = tuple(self.context)
        if not before and self.previous is not None:
            before = (self.previous,)
        same_session = self.equal_session == a.session
        last_equal = self.last_equal if same_session else None
        found = Divergence(tick, a, b, diff, last_equal, first, a.session, before, place=self.common)
        found.after.add_diff(tick, diff)
        self.signing = not labels_agreed(found, self.first_common)
        self._sign(a, b)
        return found

    def _sign(self, a: Record, b: Record) -> None:
        """Remember contents by tick, where it may be the labels that differ."""
        if self.signing:
            self.a.sign(a)
            self.b.sign(b)

    def _after(self, tick: int | None, a: Record, b: Record, diff: Diff) -> None:
        assert self.divergence is not None
        if a.session != self.divergence.session:
            mark = UNLIKE if diff.differing else EQUAL
            self.mark(mark, mark)
            self.elsewhere.add(a.session, tick, diff.differing > 0)
            self.budget -= max(TICK_COST, VALUE_COST * diff.compared + UNLIKE_COST * diff.differing)
            return
        after = self.divergence.after
        if after.ticks == 1 and diff.compared <= MAX_CONTEXT_VALUES:
            self.divergence.next_pair = (a, b)
        after.add_diff(tick, diff)
        kind = UNLIKE if diff.differing else EQUAL
        self.mark(kind, kind)
        if after.later_fields is None and diff.counts["field"] + diff.counts["rng"]:
            kept = diff_records(a, b, self.options, 20, self.background)
            after.later_fields = (tick, kept.findings, kept.differing)
        self._sign(a, b)
        self.budget -= max(TICK_COST, VALUE_COST * diff.compared + UNLIKE_COST * diff.differing)

    def settle(self) -> None:
        """At the end: what only ever differed as it did at the first common tick is the divergence after all."""
        if self.divergence is None and self.pending is not None:
            self.divergence, self.pending = self.pending, None
            self.strip = self.pending_strip
            self.background = self.writers
