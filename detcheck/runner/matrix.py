"""Merging the reports of many platforms into the support list (source: the first seed's support matrix).

A fixed-point backend is bit-exact everywhere by the language standards, so a divergence there is a fault of a build and
fails the merge. binary32 is promised per platform only: a diverging platform is declared unsupported, and no golden is
ever refitted for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from detcheck.errors import DetcheckError, Where, visible
from detcheck.model.matrix import Cell, Disagreement, Matrix, Platform, Row
from detcheck.numbers import BACKENDS
from detcheck.runner.matrix_coverage import Gap, base_of, few_reports, gaps
from detcheck.runner.run_reports import ReportedResult, ReportedRun

#: backends whose divergence on a platform is declared, not failed
DECLARED_BACKENDS = ("float_pinned_32",)

#: worst first: which of a platform's several reports of one replay stands for it
_WORST = ("diverged", "error", "inconclusive", "equal")

_Key = tuple[str, str]
_Fields = tuple[tuple[str, str], ...]


def merge(runs: Iterable[ReportedRun], expected: int | None = None) -> Matrix:
    """The support list of these reports. Raises DetcheckError when two reports cannot be merged (identity, version).

    `expected` is how many there should be: a machine that died before it wrote one is seen by nothing else.
    """
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
    missing = gaps(runs, rows, platforms)
    canaries = _canary_remarks(runs)
    lost = few_reports(len(runs), expected)
    failures = _failures(rows)
    remarks = (*_remarks(rows), *(gap.words for gap in missing), *canaries, *lost)
    unsure = frozenset(label_of[run.platform] for run in runs if run.failed_canaries)
    support = _support(rows, platforms, missing, unsure)
    return Matrix(
        platforms, rows, support, failures, remarks, _exit_code(rows, failures, bool(missing or canaries or lost))
    )


def _canary_remarks(runs: list[ReportedRun]) -> tuple[str, ...]:
    return tuple(
        f"{visible(run.file)}: canary {visible(run.failed_canaries[0])} failed there: what it says proves nothing"
        for run in runs
        if run.failed_canaries
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
        groups.setdefault(base_of(fields), []).append(fields)
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
    shown = tuple(_alone(dict(cells), hashes).items())
    return Row(*key, shown, _groups(hashes), tuple(disagreements), contradictions)


def _contradictions(cells: dict[str, Cell], hashes: dict[str, dict[int, str]]) -> tuple[str, ...]:
    """What two reports cannot both say of one golden: a platform is no reason for it, whatever the backend."""
    out = []
    for b in (label for label in hashes if cells[label].verdict == "diverged"):
        tick = cells[b].tick
        for a in (label for label in hashes if cells[label].verdict == "equal"):
            if tick in hashes[a] and tick in hashes[b] and first_unlike(hashes[a], hashes[b]) is None:
                same = f"{visible(b)} diverges at checkpoint {tick} with the very hash of {visible(a)}, which is equal"
                out.append(f"{same}: another golden there, or a replay unlike itself")
                break
    return tuple(out)


def _alone(cells: dict[str, Cell], hashes: dict[str, dict[int, str]]) -> dict[str, Cell]:
    """A platform that shares no checkpoint with any other was compared with none: its cell says so."""
    out = dict(cells)
    for label, values in hashes.items():
        others = [h for other, h in hashes.items() if other != label]
        if cells[label].verdict == "equal" and others and not any(values.keys() & h.keys() for h in others):
            out[label] = Cell("inconclusive", "said to be equal, but it shares no checkpoint with another platform")
    return out


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


def _backends(rows: tuple[Row, ...]) -> list[str]:
    """In the order of the table, unknown ones last; a file that is no scenario has none."""
    found = dict.fromkeys(row.backend for row in rows if row.backend)
    return sorted(found, key=lambda b: BACKENDS.index(b) if b in BACKENDS else len(BACKENDS))


def _support(
    rows: tuple[Row, ...], platforms: tuple[Platform, ...], missing: tuple[Gap, ...], unsure: frozenset[str]
) -> tuple[tuple[str, str, str], ...]:
    gone = {(gap.backend, gap.base) for gap in missing}
    out = []
    for backend in _backends(rows):
        for platform in platforms:
            label, base = platform.label, base_of(platform.fields)
            of_backend = [row for row in rows if row.backend == backend]
            verdicts = {dict(row.cells)[label].verdict for row in of_backend}
            verdicts |= {"diverged" for row in of_backend if label in _outvoted(row)}
            incomplete = not gone.isdisjoint({(backend, base), (None, base)}) or label in unsure
            word = _support_word(backend, verdicts, incomplete)
            out.append((backend, platform.label, word))
    return tuple(out)


def _outvoted(row: Row) -> set[str]:
    """Platforms said to be equal that cannot be: unlike themselves, or not among the most that agree.

    Where no group is the largest, all of them.
    """
    cells = dict(row.cells)
    groups = [found for group in row.groups if (found := [m for m in group if cells[m].verdict == "equal"])]
    most = max(map(len, groups), default=0)
    largest = [group for group in groups if len(group) == most]
    right = largest[0] if len(largest) == 1 else []
    return {m for group in groups for m in group if m not in right} | {d.a for d in row.unlike_itself()}


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
            said = any(words.startswith(f"{visible(label)} diverges at checkpoint ") for words in row.contradictions)
            if cell.verdict == "diverged" and row.backend not in DECLARED_BACKENDS and not said:
                out.append(f"{name}: {visible(label)} diverges from the golden{_at(cell.tick)}")
        out.extend(f"{name}: two reports of {visible(d.a)} disagree at tick {d.tick}" for d in row.unlike_itself())
        out.extend(f"{name}: {words}" for words in _pairs(row))
        out.extend(f"{name}: {words}" for words in row.contradictions)
    return tuple(out)


def _pairs(row: Row) -> list[str]:
    """Groups that disagree, of platforms that were not already said to diverge from the golden.

    Unlike each other yet equal to one golden cannot be on any backend; otherwise binary32 may differ.
    """
    cells = dict(row.cells)
    out = []
    for groups in row.group_pairs():
        left, right = ([label for label in group if cells[label].verdict != "diverged"] for group in groups[:2])
        if not left or not right:
            continue
        pair = f"{_some(left)} and {_some(right)}"
        if all(any(cells[label].verdict == "equal" for label in side) for side in (left, right)):
            out.append(f"{pair} are both equal to a golden, but not to each other at tick {groups[2]}")
        elif row.backend not in DECLARED_BACKENDS:
            out.append(f"{pair} disagree at tick {groups[2]}")
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
    if not rows:
        return 4
    if "error" in verdicts:
        return 2
    if failures:
        return 1
    if "inconclusive" in verdicts or gaps:
        return 3
    return 0
