"""Merging the reports of many platforms into the support list (source: the first seed's support matrix).

A fixed-point backend is bit-exact everywhere by the language standards, so a divergence there is a fault of a build and
fails the merge. binary32 is promised per platform only: a diverging platform is declared unsupported, and no golden is
ever refitted for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, permutations

from detcheck.errors import DetcheckError, Where, visible
from detcheck.model.matrix import Cell, Disagreement, Matrix, Platform, Row
from detcheck.numbers import BACKENDS
from detcheck.runner.run_reports import ReportedResult, ReportedRun

#: backends whose divergence on a platform is declared, not failed
DECLARED_BACKENDS = ("float_pinned_32",)

#: platform fields that always stand in a label; others only where they tell two platforms apart
_LABEL_FIELDS = ("os", "arch")

#: worst first: which of a platform's several reports of one replay stands for it
_WORST = ("diverged", "error", "inconclusive", "equal")

_Key = tuple[str, str]
_Fields = tuple[tuple[str, str], ...]


def merge(runs: Iterable[ReportedRun]) -> Matrix:
    """The support list of these reports. Raises DetcheckError when two reports cannot be merged (identity, version)."""
    runs = list(runs)
    _same_version(runs)
    _same_identities(runs)
    platforms = _platforms(runs)
    by_platform: dict[str, dict[_Key, list[ReportedResult]]] = {p.label: {} for p in platforms}
    label_of = {p.fields: p.label for p in platforms}
    for run in runs:
        for result in run.results:
            cells = by_platform[label_of[run.platform]]
            cells.setdefault((result.scenario, result.backend), []).append(result)
    keys = sorted({key for cells in by_platform.values() for key in cells})
    rows = tuple(_row(key, by_platform) for key in keys)
    gaps = _gaps(rows, platforms)
    failures = _failures(rows)
    remarks = (*_remarks(rows), *(f"{gap.words()}; is a shard missing?" for gap in gaps))
    return Matrix(
        platforms, rows, _support(rows, platforms, gaps), failures, remarks, _exit_code(rows, failures, bool(gaps))
    )


def _same_version(runs: list[ReportedRun]) -> None:
    if not runs:
        raise DetcheckError(
            "matrix.empty", "no report was given", None, "name the files that detcheck run --json wrote"
        )
    for run in runs[1:]:
        if run.detcheck != runs[0].detcheck:
            first = runs[0]
            message = f"is of detcheck {visible(run.detcheck)}, {visible(first.file)} of {visible(first.detcheck)}"
            raise DetcheckError("matrix.version", message, Where(run.file), "merge reports of one version only")


def _same_identities(runs: list[ReportedRun]) -> None:
    seen: dict[_Key, tuple[str, _Fields]] = {}
    for run in runs:
        for result in run.results:
            if result.identity is None:
                continue
            key = (result.scenario, result.backend)
            file, identity = seen.setdefault(key, (run.file, result.identity))
            if dict(identity) != dict(result.identity):
                raise _identity_fault(key, (file, identity), (run.file, result.identity))


def _identity_fault(key: _Key, a: tuple[str, _Fields], b: tuple[str, _Fields]) -> DetcheckError:
    left, right = dict(a[1]), dict(b[1])
    unlike = [f for f in left | right if left.get(f) != right.get(f)]
    detail = "; ".join(f"{visible(f)} {visible(left.get(f))} there, {visible(right.get(f))} here" for f in unlike)
    message = f"{visible(key[0])} [{visible(key[1])}] has another identity than in {visible(a[0])}: {detail}"
    hint = "run the same commit's scenarios on every platform, then merge"
    return DetcheckError("matrix.identity", message, Where(b[0]), hint)


def _platforms(runs: list[ReportedRun]) -> tuple[Platform, ...]:
    files: dict[_Fields, list[str]] = {}
    for run in runs:
        files.setdefault(run.platform, []).append(run.file)
    labels = _labels(list(files))
    return tuple(Platform(labels[fields], fields, tuple(names)) for fields, names in files.items())


def _labels(platforms: list[_Fields]) -> dict[_Fields, str]:
    """os and arch, and any field in which platforms of the same os and arch differ."""
    groups: dict[tuple[str, ...], list[_Fields]] = {}
    for fields in platforms:
        groups.setdefault(_base(fields), []).append(fields)
    labels = {}
    for base, members in groups.items():
        names = list(dict.fromkeys(name for fields in members for name, _ in fields))
        telling = [n for n in names if len({dict(m).get(n) for m in members}) > 1]
        for fields in members:
            values = dict(fields)
            labels[fields] = " ".join([*base, *(f"{n}={values.get(n, '-')}" for n in telling)])
    return labels


def _row(key: _Key, by_platform: dict[str, dict[_Key, list[ReportedResult]]]) -> Row:
    cells, hashes, disagreements = [], {}, []
    for label, results_of in by_platform.items():
        results = results_of.get(key, [])
        cells.append((label, _cell(results)))
        merged: dict[int, str] = {}
        for result in results:
            tick = first_unlike(merged, result.hashes)
            if tick is not None:
                disagreements.append(Disagreement(label, label, tick))
            merged = result.hashes | merged
        if merged:
            hashes[label] = merged
    for a, b in combinations(hashes, 2):
        tick = first_unlike(hashes[a], hashes[b])
        if tick is not None:
            disagreements.append(Disagreement(a, b, tick))
    contradictions = _contradictions(dict(cells), hashes)
    return Row(*key, tuple(cells), _groups(hashes), tuple(disagreements), contradictions)


def _contradictions(cells: dict[str, Cell], hashes: dict[str, dict[int, str]]) -> tuple[str, ...]:
    """What two reports cannot both say of one golden: a platform is no reason for it, whatever the backend."""
    out = []
    for a, b in permutations((label for label in hashes if cells[label].verdict in ("equal", "diverged")), 2):
        unlike, tick = first_unlike(hashes[a], hashes[b]), cells[b].tick
        verdicts = (cells[a].verdict, cells[b].verdict)
        if verdicts == ("equal", "equal") and unlike is not None and a < b:
            out.append(
                f"{visible(a)} and {visible(b)} are both equal to a golden, but not to each other at tick {unlike}"
            )
        if verdicts == ("equal", "diverged") and unlike is None and tick in hashes[a] and tick in hashes[b]:
            same = f"{visible(b)} diverges at checkpoint {tick} with the very hash of {visible(a)}, which is equal"
            out.append(f"{same}: another golden there, or a replay unlike itself")
    return tuple(out)


def first_unlike(a: dict[int, str], b: dict[int, str]) -> int | None:
    """The first tick that both have and whose hashes differ."""
    return min((t for t in a.keys() & b.keys() if a[t] != b[t]), default=None)


def _groups(hashes: dict[str, dict[int, str]]) -> tuple[tuple[str, ...], ...]:
    groups: list[list[str]] = []
    for label, values in hashes.items():
        home = next((g for g in groups if all(first_unlike(hashes[m], values) is None for m in g)), None)
        if home is None:
            groups.append([label])
        else:
            home.append(label)
    return tuple(tuple(g) for g in sorted(groups, key=len, reverse=True))


def _cell(results: list[ReportedResult]) -> Cell:
    if not results:
        return Cell("not run")
    worst = min(results, key=lambda r: _WORST.index(r.verdict))
    return Cell(worst.verdict, worst.reason, worst.divergent)


@dataclass(frozen=True)
class _Gap:
    """Replays of a backend that no machine of one os and arch did, though it did others of that backend."""

    backend: str
    base: tuple[str, ...]
    scenarios: tuple[str, ...]
    total: int

    def words(self) -> str:
        named = ", ".join(visible(name) for name in self.scenarios[:5])
        more = f" and {len(self.scenarios) - 5} more" if len(self.scenarios) > 5 else ""
        where = visible(" ".join(self.base))
        return f"{self.backend} on {where}: {len(self.scenarios)} of {self.total} replays were not run: {named}{more}"


def _gaps(rows: tuple[Row, ...], platforms: tuple[Platform, ...]) -> tuple[_Gap, ...]:
    """By os and arch, not by label: shards of one platform may run on machines that differ in a detail."""
    labels: dict[tuple[str, ...], list[str]] = {}
    for platform in platforms:
        labels.setdefault(_base(platform.fields), []).append(platform.label)
    out = []
    for backend in _backends(rows):
        of_backend = [(row.scenario, dict(row.cells)) for row in rows if row.backend == backend]
        for base, members in labels.items():
            missing = [s for s, cells in of_backend if all(cells[m].verdict == "not run" for m in members)]
            if missing and len(missing) < len(of_backend):
                out.append(_Gap(backend, base, tuple(missing), len(of_backend)))
    return tuple(out)


def _base(fields: _Fields) -> tuple[str, ...]:
    values = dict(fields)
    return tuple(values.get(name, "?") for name in _LABEL_FIELDS)


def _backends(rows: tuple[Row, ...]) -> list[str]:
    """In the order of the table, unknown ones last; a file that is no scenario has none."""
    found = dict.fromkeys(row.backend for row in rows if row.backend)
    return sorted(found, key=lambda b: BACKENDS.index(b) if b in BACKENDS else len(BACKENDS))


def _support(
    rows: tuple[Row, ...], platforms: tuple[Platform, ...], gaps: tuple[_Gap, ...]
) -> tuple[tuple[str, str, str], ...]:
    incomplete = {(gap.backend, gap.base) for gap in gaps}
    out = []
    for backend in _backends(rows):
        for platform in platforms:
            verdicts = {dict(row.cells)[platform.label].verdict for row in rows if row.backend == backend}
            word = _support_word(backend, verdicts, (backend, _base(platform.fields)) in incomplete)
            out.append((backend, platform.label, word))
    return tuple(out)


def _support_word(backend: str, verdicts: set[str], incomplete: bool) -> str:
    if "diverged" in verdicts:
        return "unsupported" if backend in DECLARED_BACKENDS else "diverged"
    equal = "equal" in verdicts and verdicts <= {"equal", "not run"}
    return "supported" if equal and not incomplete else "not run"


def _name(row: Row) -> str:
    return f"{visible(row.scenario)} [{visible(row.backend)}]" if row.backend else visible(row.scenario)


def _failures(rows: tuple[Row, ...]) -> tuple[str, ...]:
    """Divergences that fail the merge, in words."""
    out = []
    for row in rows:
        name = _name(row)
        for label, cell in row.cells:
            if cell.verdict == "diverged" and row.backend not in DECLARED_BACKENDS:
                out.append(f"{name}: {visible(label)} diverges from the golden{_at(cell.tick)}")
        out.extend(f"{name}: two reports of {visible(d.a)} disagree at tick {d.tick}" for d in row.unlike_itself())
        if row.backend not in DECLARED_BACKENDS:
            out.extend(f"{name}: {words}" for words in _pairs(row))
        out.extend(f"{name}: {words}" for words in row.contradictions)
    return tuple(out)


def _pairs(row: Row) -> list[str]:
    """Groups that disagree, of platforms that were not already said to diverge from the golden."""
    cells = dict(row.cells)
    out = []
    for groups in row.group_pairs():
        left, right = ([label for label in group if cells[label].verdict != "diverged"] for group in groups[:2])
        if left and right:
            out.append(f"{_some(left)} and {_some(right)} disagree at tick {groups[2]}")
    return out


def _some(labels: list[str]) -> str:
    """The first of some platforms, and how many more."""
    return visible(labels[0]) + (f" (and {len(labels) - 1} like it)" if len(labels) > 1 else "")


def _remarks(rows: tuple[Row, ...]) -> tuple[str, ...]:
    out = []
    for row in rows:
        name = _name(row)
        for label, cell in row.cells:
            if cell.verdict in ("error", "inconclusive"):
                out.append(f"{name}: {cell.verdict} on {visible(label)}: {visible(cell.reason)}")
            elif cell.verdict == "diverged" and row.backend in DECLARED_BACKENDS:
                out.append(f"{name}: {visible(label)} diverges{_at(cell.tick)}; declared unsupported, the golden stays")
    return tuple(out)


def _at(tick: int | None) -> str:
    return "" if tick is None else f" at checkpoint {tick}"


def _exit_code(rows: tuple[Row, ...], failures: tuple[str, ...], gaps: bool) -> int:
    verdicts = {cell.verdict for row in rows for _, cell in row.cells}
    if "error" in verdicts:
        return 2
    if failures:
        return 1
    if "inconclusive" in verdicts or gaps:
        return 3
    return 0 if rows else 4
