"""What comparing two records finds, as it is reported: inputs, generators, fields, order, derived values, hashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from detcheck.compare.nodes import Budget
from detcheck.compare.options import Options
from detcheck.compare.paths import part_of
from detcheck.compare.scalars import delta_ulps, exact
from detcheck.compare.wording import short_note
from detcheck.dumps.names import HASH_WORDS, plain
from detcheck.model.comparison import Finding
from detcheck.model.record import Scalar

CLASSES = ("input", "rng", "field", "order", "derived", "hash")


class Diff:
    """Collects the differences of one pair of records. At most `keep` findings a class are held; all are counted."""

    def __init__(self, options: Options, keep: int, derived: frozenset[str] = frozenset()) -> None:
        self.options = options
        self.keep = keep
        self.derived = derived
        self.budget = Budget()
        self.found: dict[str, list[Finding]] = {name: [] for name in CLASSES}
        self.counts: Counter[str] = Counter()
        self.by_part: Counter[str] = Counter()
        self.ignored: Counter[str] = Counter()
        #: patterns of --only and --ignore that fitted something
        self.used: set[str] = set()
        self.tolerated: list[Finding] = []
        self.tolerated_count = 0
        self.remarks: list[str] = []
        self.orders: list[Finding] = []
        self.compared = 0
        self.state_only: str | None = None
        self.hash_one_sided: Counter[str] = Counter()
        self.watch: frozenset[str] = frozenset()
        self.watched: dict[str, tuple[Scalar, Scalar]] = {}
        self.background: frozenset[str] = frozenset()
        self.behind = 0
        #: whether differences are only counted: nothing depends on the path of each
        self.counting = keep == 0 and options.plain

    @property
    def differing(self) -> int:
        """How many differences there are, background left out."""
        return sum(self.counts.values())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those that are kept, in the order of CLASSES; the order of rows alone is a remark, never the first."""
        first = [f for name in ("input", "rng", "field") for f in self.found[name]]
        last = [f for name in ("order", "derived", "hash") for f in self.found[name]]
        return (*first, *self.orders, *last)

    @property
    def values_only(self) -> bool:
        """Whether nothing but plain fields differ: such differences at the first common tick may be background."""
        return self.differing > 0 and self.counts["field"] == self.differing

    def only_counts(self, group: str) -> bool:
        """Whether one more difference of a class is only counted: enough are kept, and nothing depends on its path."""
        full = self.options.plain and not (self.background or self.derived) and len(self.found[group]) >= self.keep
        return self.counting or full

    def paths(self) -> frozenset[str]:
        """The paths of all kept findings."""
        return frozenset(f.path for f in self.findings)

    def wanted(self, path: str) -> bool:
        """Whether --only lets a path through."""
        if not self.options.only:
            return True
        fitting = [f"--only {p.text}" for p in self.options.only if p.matches(path)]
        self.used.update(fitting)
        return bool(fitting)

    def ignores(self, path: str) -> bool:
        """Whether --ignore leaves a path out."""
        fitting = [f"--ignore {p.text}" for p in self.options.ignore if p.matches(path)]
        self.used.update(fitting)
        return bool(fitting)

    def takes(self, path: str) -> bool:
        """Whether a value there is compared at all."""
        return self.wanted(path) and not self.ignores(path)

    def skip(self, path: str, differs: bool) -> None:
        """A value that --ignore leaves out: counted where it differs."""
        if differs:
            self._ignore(path)

    def weighs(self, path: str, a: Scalar, b: Scalar, differs: bool) -> bool:
        """Whether a pair of values of its own (a hash, a generator) is a difference; counted and watched on the way."""
        if not self.wanted(path):
            return False
        if self.ignores(path):
            self.skip(path, differs)
            return False
        self.compared += 1
        if path in self.watch:
            self.watched[path] = (a, b)
        return differs

    def count(self, group: str, part: str, number: int) -> None:
        """Count differences that are not kept one by one."""
        self.counts[group] += number
        self.by_part[part] += number

    def value(self, path: str, a: Scalar, b: Scalar, group: str = "field", note: str | None = None) -> None:
        """Two values that are unlike at a path."""
        if self._left_out(path) or self._tolerates(path, a, b):
            return
        if group == "field" and self._is_derived(path):
            self.add("derived", Finding(path, "hash", a, b))
            return
        kind = {"field": "value", "derived": "hash"}.get(group, group)
        self.add(group, Finding(path, kind, a, b, delta_ulps(a, b), note or short_note(a, b)))

    def one_sided(self, path: str, a: Scalar, b: Scalar, group: str, note: str | None = None) -> None:
        """Something only one side has."""
        if any(p.matches(path) for p in self.options.ignore):
            self._ignore(path)
            return
        if self.options.only and not any(p.touches(path) for p in self.options.only):
            return
        kind = ("missing" if b.kind == "absent" else "extra") if group == "field" else group
        self.add(group, Finding(path, kind, a, b, None, note))

    def add(self, group: str, finding: Finding) -> None:
        """Keep or count a finding."""
        if finding.path in self.background:
            self.behind += 1
            return
        self.counts[group] += 1
        self.by_part[part_of(finding.path)] += 1
        if len(self.found[group]) < self.keep:
            self.found[group].append(finding)

    def reordered(self, finding: Finding, differs: bool) -> None:
        """The same content in another order: a finding where order is content, else a remark."""
        if self._left_out(finding.path):
            return
        if differs:
            self.add("order", finding)
        elif len(self.orders) < self.keep:
            self.orders.append(finding)

    def _left_out(self, path: str) -> bool:
        if any(p.matches(path) for p in self.options.ignore):
            self._ignore(path)
            return True
        return not self.wanted(path)

    def _is_derived(self, path: str) -> bool:
        """Computed from others: as the reader knows or, where it knows of none, by a name that means a checksum."""
        if self.derived:
            return path in self.derived
        return plain(path.rpartition(".")[2]) in HASH_WORDS

    def _ignore(self, path: str) -> None:
        pattern = next(p for p in self.options.ignore if p.matches(path))
        self.ignored[f"--ignore {pattern.text}"] += 1

    def _tolerates(self, path: str, a: Scalar, b: Scalar) -> bool:
        rule = next((t for t in self.options.tolerances if t.path.matches(path)), None)
        if rule is None:
            return False
        mine, theirs = exact(a), exact(b)
        if mine is None or theirs is None or abs(mine - theirs) > rule.limit:
            return False
        self.tolerated_count += 1
        if len(self.tolerated) < 20:
            self.tolerated.append(Finding(path, "value", a, b, delta_ulps(a, b), f"within --tolerance {rule.text}"))
        return True


def merge_counts(into: Counter[str], more: Iterable[tuple[str, int]]) -> None:
    """Add counts of the same names."""
    for name, number in more:
        into[name] += number
