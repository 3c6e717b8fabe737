"""A file of logs through the package in every way, and what must come to the same.

In: bytes. Out: `Finding`s. What is run, for every file unless it is said otherwise:

- `hz.read`, and the replay of its games, interpreted for those of up to 15 actions, compiled for others;
- ingest that plays by compiled code; for files of up to 60 logs, ingest by the interpreter, too;
- ingest of the same bytes packed in one other way, and `hz.read` of them;
- for files whose logs stand apart: `hz.read` of each log alone; for three of ten of them, `hz.read` and
  ingest of the file packed and damaged.

All must agree: on the games and all their rows, and on what was refused, by line, rule and words.
"""

from __future__ import annotations

import io
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import polars as pl

import hanalyze as hz
from hanalyze.errors import HanalyzeError
from hanalyze.logs import GameRecord
from tests.fuzz.files import FuzzFile
from tests.fuzz.packing import DAMAGES, PACKINGS, before_damage, members

_SHORT: Final = 15
"""Actions up to which a game is replayed by the interpreter."""
_LONGEST_ERROR: Final = 1_000
_MOST_INTERPRETED: Final = 60
"""Logs of a file that ingest plays by the interpreter, too: it takes a hundred times as long."""
_TABLES: Final = ("games", "seats", "turns", "clues", "cards", "defects")
Reject = tuple[int | None, str | None, str, str]


class Finding(NamedTuple):
    """Something that must not be: what kind, and what was seen."""

    kind: str
    what: str


class Verdict(NamedTuple):
    """What became of a file: what each table holds (rows, sum of hashes), what was refused, the counts."""

    tables: dict[str, tuple[int, int]]
    frames: dict[str, pl.DataFrame]
    rejects: list[Reject]
    games: Counter[tuple[Any, ...]]
    counted: tuple[int, ...]


def _sorted(rejects: Sequence[Reject]) -> list[Reject]:
    return sorted(rejects, key=lambda row: (row[0] or 0, repr(row)))


def _shown(thing: object, most: int = 400) -> str:
    text = ascii(thing)
    return text if len(text) <= most else text[:most] + "…"


def _difference(one: Sequence[Any], other: Sequence[Any]) -> str:
    """Return what is in the one and not in the other, cut short."""
    first, second = Counter(map(repr, one)), Counter(map(repr, other))
    only = [list((mine - theirs).elements())[:3] for mine, theirs in ((first, second), (second, first))]
    return f"{_shown(only[0])} against {_shown(only[1])}"


class Checker:
    """Runs files in a folder of its own; counts what came up.

    `step` is told what is run now; `counts` has the number of logs and files by what was run on them, the
    rules that they broke, and so on. Without `compiled` all is interpreted. A step that takes more than
    `most_seconds` of processor time is a finding.
    """

    def __init__(
        self,
        folder: Path,
        step: Callable[[str], object] = lambda name: None,
        *,
        compiled: bool = True,
        most_seconds: float = math.inf,
    ) -> None:
        self.folder = folder
        self._compiled = compiled
        self._most_seconds = most_seconds
        self.counts: Counter[tuple[str, str]] = Counter()
        self._step = step
        self._findings: list[Finding] = []

    # --- running a step -------------------------------------------------------------------------------------

    @contextmanager
    def _watched(self, name: str) -> Iterator[None]:
        """Run a step: what it raises and how long it takes is a finding."""
        self._step(name)
        self.counts["step", name] += 1
        start = time.process_time()
        try:
            yield
        except HanalyzeError as error:
            self._find(f"{name}: stopped", f"{type(error).__name__} {_shown(str(error))}")
        except Exception as error:
            where = _place(error)
            self._find(f"{name}: exception {type(error).__name__} in {where}", _shown(str(error)))
        taken = time.process_time() - start
        if taken > self._most_seconds:
            self._find(f"{name}: slow", f"{taken:.1f} s of processor time")
        self._step("")

    def _find(self, kind: str, what: str) -> None:
        self._findings.append(Finding(kind, what))

    # --- what is run --------------------------------------------------------------------------------------

    def read(self, path: str) -> tuple[list[GameRecord], list[HanalyzeError]]:
        """Read a file by `hz.read`."""
        errors: list[HanalyzeError] = []
        records = list(hz.read(path, on_error=errors.append))
        for error in errors:
            self._check_error(error)
        return records, errors

    def _check_error(self, error: HanalyzeError) -> None:
        text = str(error)
        if not text.isprintable():
            self._find("an error that is not printable", _shown(text))
        if len(text) > _LONGEST_ERROR:
            self._find(
                f"an error of rule {error.rule} that is very long", f"{len(text)} characters: {_shown(text)}"
            )

    def ingest(self, path: str, *, fast: bool, jobs: int = 1) -> Verdict:
        """Store a file in a database in memory."""
        module = import_module("hanalyze.store.ingest")
        with ExitStack() as stack:
            stack.enter_context(patch.object(module, "pays_off", lambda *_: fast))
            db = stack.enter_context(hz.connect())
            summary = db.ingest(path, jobs=jobs)
            frames = {table: db.sql(f"SELECT * FROM {table}") for table in _TABLES}
            tables = {
                table: (frame.height, int(frame.hash_rows().sum()) if frame.height else 0)
                for table, frame in frames.items()
            }
            rejects = db.sql("SELECT line, game, rule, message FROM rejects").rows()
            games = db.sql(
                "SELECT source_id, seed, variant, score, turns, end_condition::VARCHAR, defects FROM games"
            ).rows()
        return Verdict(tables, frames, _sorted(rejects), Counter(games), tuple(summary[:5]))

    def warm_up(self) -> None:
        """Compile what is compiled, or take it from the cache: that is no step of a check."""
        path = self.folder / "warm.json"
        path.write_bytes(b'{"players":["A","B"],"actions":[{"type":0,"target":0}],"seed":"p2v0s1"}\n')
        self.ingest(str(path), fast=True)
        list(hz.replay_many(hz.read(path), fast=True))

    # --- what is checked ----------------------------------------------------------------------------------

    def check(self, file: FuzzFile, key: str, kind: str | None = None) -> list[Finding]:
        """Run a file through everything, and return what was found.

        `key` is what chance hangs on: how the file is packed, and damaged. With `kind` only what can show a
        finding of this kind is run.
        """
        self._findings = []
        compiled = self._compiled
        logs = len(file.logs)
        path = str(self.folder / "log.json")
        Path(path).write_bytes(file.data)
        records: list[GameRecord] = []
        errors: list[HanalyzeError] = []
        with self._watched("read"):
            records, errors = self.read(path)
        self.counts["logs", "read"] += logs
        verdict = None
        with self._watched("ingest" if compiled else "ingest, interpreted"):
            verdict = self.ingest(path, fast=compiled)
        if verdict is None:
            return self._findings
        self.counts["logs", "ingest"] += logs
        self.counts["stored", ""] += verdict.counted[1]
        for row in verdict.rejects:
            self.counts["reject", row[2]] += 1
        self._against_reading(records, errors, verdict)
        if compiled and logs <= _MOST_INTERPRETED:
            with self._watched("ingest, interpreted"):
                self._same("speeds differ", verdict, self.ingest(path, fast=False))
            self.counts["logs", "ingest, interpreted"] += logs
        if kind is None or any(name in kind for name in PACKINGS):
            self._in_another_packing(file, Random(f"packing {key}"), verdict)
        if kind is None or any(name in kind for name in DAMAGES):
            self._damaged(file, Random(f"damage {key}"))
        all_listed = not any(error.rule == "unlisted" for error in errors)
        if file.begins and all_listed and (kind is None or "alone" in kind):
            self._alone(file, records, errors)
            self.counts["logs", "read alone"] += logs
        return self._findings

    def _against_reading(
        self, records: list[GameRecord], errors: list[HanalyzeError], verdict: Verdict
    ) -> None:
        """Hold what was stored against what `hz.read` and the interpreted replay say."""
        refused: list[HanalyzeError] = []
        replayed: Counter[tuple[Any, ...]] = Counter()
        defects = 0
        with self._watched("replay"):
            for one in self._replays(records, refused):
                record = one.record
                row = (
                    record.id,
                    record.seed,
                    one.variant.name,
                    one.score,
                    one.turn_count,
                    one.end_condition,
                    len(one.defects),
                )
                replayed[row] += 1
                defects += len(one.defects)
                for defect in one.defects:
                    self.counts["defect", defect.rule.label] += 1
                    if not str(defect).isprintable():
                        self._find("a defect that is not printable", _shown(str(defect)))
        for error in refused:
            self._check_error(error)
        if not records:
            # A file without a game is one problem to `hz.read`.
            if (
                len(errors) != 1
                or len({row[0] for row in verdict.rejects}) < 1
                or (errors[0].line, errors[0].rule) not in [(row[0], row[2]) for row in verdict.rejects]
            ):
                self._find("read and ingest differ", f"{_shown(errors)} against {_shown(verdict.rejects)}")
            return
        if any(row[2] == "unlisted" for row in verdict.rejects):
            # What is beyond a bound is counted, and the two count otherwise: reading knows nothing of decks.
            self._replayed(replayed, verdict)
            return
        rows = [
            (error.line, error.game and _stored(error.game), error.rule, _stored(error.message))
            for error in (*errors, *refused)
        ]
        if _sorted(rows) != verdict.rejects:
            self._find("read and ingest refuse differently", _difference(_sorted(rows), verdict.rejects))
        else:
            self._replayed(replayed, verdict)
        if verdict.counted[0] != _number(records, errors):
            self._find(
                "read and ingest count differently",
                f"{len(records)} + {len(errors)} against {verdict.counted}",
            )

    def _replayed(self, replayed: Counter[tuple[Any, ...]], verdict: Verdict) -> None:
        """Hold replays against games: of several alike but for what they claim, one is stored."""
        more = {row for row in verdict.games if row not in replayed}
        less = {row[:-1] for row in replayed} - {row[:-1] for row in verdict.games}
        if more or less:
            self._find(
                "replay and ingest differ", f"{_shown(list(less)[:3])} against {_shown(list(more)[:3])}"
            )

    def _replays(self, records: list[GameRecord], refused: list[HanalyzeError]) -> Iterator[hz.Replay]:
        """Replay short games by the interpreter, long ones by compiled code."""
        for interpreted in (True, False):
            some = [record for record in records if (len(record.actions) <= _SHORT) == interpreted]
            fast = not (interpreted or not self._compiled)
            yield from hz.replay_many(some, on_error=lambda _, error: refused.append(error), fast=fast)
            self.counts["logs", "replay, compiled" if fast else "replay, interpreted"] += len(some)

    def _same(self, kind: str, one: Verdict, other: Verdict) -> None:
        unlisted = any(row[2] == "unlisted" for row in one.rejects)
        if one.rejects != other.rejects and not unlisted:
            self._find(f"{kind}: rejects", _difference(one.rejects, other.rejects))
        if one.games != other.games:
            self._find(
                f"{kind}: games", _difference(list(one.games.elements()), list(other.games.elements()))
            )
        elif one.tables != other.tables:
            tables = [name for name in _TABLES if one.tables[name] != other.tables[name]]
            self._find(f"{kind}: rows of {' '.join(tables)}", _rows_that_differ(one, other, tables[0]))
        if one.counted != other.counted:
            self._find(f"{kind}: counts", f"{one.counted} against {other.counted}")

    def _in_another_packing(self, file: FuzzFile, random: Random, verdict: Verdict) -> None:
        compiled = self._compiled
        name = random.choice(list(PACKINGS))
        if file.data[:1] == b"\x1f":
            return
        self.counts["packing", name] += 1
        self.counts["logs", "ingest, packed otherwise"] += len(file.logs)
        with self._watched(f"ingest through {name}"), PACKINGS[name](random, file.data, self.folder) as path:
            other = self.ingest(path, fast=compiled)
            self._same(f"{name} differs", verdict, other)
        with self._watched(f"read through {name}"), PACKINGS[name](random, file.data, self.folder) as path:
            records, errors = self.read(path)
            if records and _number(records, errors) != verdict.counted[0]:
                self._find(
                    f"read through {name} differs",
                    f"{len(records)} + {len(errors)} against {verdict.counted}",
                )

    def _damaged(self, file: FuzzFile, random: Random) -> None:
        """Damage gzip: all games before the damage are there, and the damage is one reject."""
        compiled = self._compiled
        name = random.choice(list(DAMAGES))
        if not file.begins or random.random() < 0.7:
            return
        packed = DAMAGES[name](random, members(random, file.data))
        before, damaged = before_damage(packed)
        if not damaged or not before.strip():
            return
        self.counts["packing", name] += 1
        self.counts["logs", "ingest, damaged"] += len(file.logs)
        path = str(self.folder / "damaged.gz")
        Path(path).write_bytes(packed)
        whole, sure = str(self.folder / "before.json"), str(self.folder / "sure.json")
        Path(whole).write_bytes(before)
        Path(sure).write_bytes(before[: before.rfind(b"\n{") + 1])
        ours = most = least = None
        with self._watched(f"ingest, {name}"):
            ours = self.ingest(path, fast=compiled)
        with self._watched(f"ingest of what is before, {name}"):
            most = self.ingest(whole, fast=compiled)
        with self._watched(f"ingest of what is surely before, {name}"):
            least = self.ingest(sure, fast=compiled)
        if ours is None or most is None or least is None:
            return
        if lost := set(least.games) - set(ours.games):
            what = f"{len(lost)} of {len(least.games)}: {_shown(list(lost)[:2])}"
            self._find(f"{name}: games before the damage lost", what)
        if more := set(ours.games) - set(most.games):
            self._find(f"{name}: games from nowhere", _shown(list(more)[:2]))
        # How many are not listed is another number in each of the three; counts are compared below.
        said = [row for row in _listed(ours) if row[0] is None and row not in most.rejects]
        if len(said) != 1 or said[0][2] not in ("truncated", "bad_gzip"):
            self._find(f"{name}: the damage is not one reject", _shown(said))
        for row in said:
            self.counts["reject", row[2]] += 1
        if not least.games:
            return
        if refused := [row for row in _listed(least) if row not in ours.rejects]:
            self._find(f"{name}: rejects before the damage lost", _shown(refused))
        with self._watched(f"read, {name}"):
            records, errors = self.read(path)
            mine = {(one.record.id, one.record.seed, one.score) for one in self._replays(records, [])}
            theirs = {(row[0], row[1], row[3]) for row in ours.games}
            if mine != theirs:
                self._find(f"{name}: read and ingest differ", _difference(list(mine), list(theirs)))
            if _number(records, errors) != ours.counted[0]:
                what = f"{len(records)} + {len(errors)} against {ours.counted}"
                self._find(f"{name}: read and ingest count differently", what)

    def _alone(self, file: FuzzFile, records: list[GameRecord], errors: list[HanalyzeError]) -> None:
        """Hold each log against itself alone between two sound ones."""
        found: dict[int, list[Any]] = {}
        outcomes: list[GameRecord | HanalyzeError] = sorted(
            [*records, *errors], key=lambda one: one.line or 0
        )
        begin = 0
        for outcome in outcomes:
            line = outcome.line or 0
            if line < file.begins[0]:
                continue
            while begin + 1 < len(file.begins) and line >= file.begins[begin + 1]:
                begin += 1
            found.setdefault(begin, []).append(_said(outcome, file.begins[begin]))
        first, _, _ = file.data.partition(b"\n")
        with self._watched("read, alone"):
            for number, log in enumerate(file.logs):
                last = 2 + log.text.count(b"\n") + 1
                data = first + b"\n" + log.text + b"\n" + first + b"\n"
                alone: list[Any] = []
                with patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(data))):
                    mine: list[HanalyzeError] = []
                    games = list(hz.read("-", on_error=mine.append))
                alone = [
                    _said(one, 2)
                    for one in sorted([*games, *mine], key=lambda one: one.line or 0)
                    if one.line is not None and 1 < one.line < last
                ]
                own = [one for one in found.get(number, []) if one[0] < log.text.count(b"\n") + 1]
                if alone != own:
                    self._find(
                        "alone and in the file differ", f"{_difference(alone, own)}: {_shown(log.text)}"
                    )


def _listed(verdict: Verdict) -> list[Reject]:
    return [row for row in verdict.rejects if row[2] != "unlisted"]


def _number(records: list[GameRecord], errors: list[HanalyzeError]) -> int:
    """Return how many games were read or refused, those that are only counted among them."""
    return len(records) + sum(getattr(error, "count", 1) for error in errors)


def _rows_that_differ(one: Verdict, other: Verdict, table: str) -> str:
    """Return the first row of a table that is in only one of two databases, as far as its columns differ."""
    mine, theirs = (verdict.frames[table].to_dicts() for verdict in (one, other))
    known = set(map(repr, theirs))
    keys = ("game_id", "turn", "order", "seat")
    for row in mine:
        if repr(row) not in known:
            alike = [own for own in theirs if all(own.get(name) == row.get(name) for name in keys)]
            if not alike:
                return f"only in one: {_shown(row)}"
            return _shown(
                {name: (value, alike[0][name]) for name, value in row.items() if alike[0][name] != value}
            )
    return f"{one.tables[table]} against {other.tables[table]}"


def _said(outcome: GameRecord | HanalyzeError, first: int) -> Any:
    line = (outcome.line or 0) - first
    if isinstance(outcome, GameRecord):
        return (line, outcome)
    return (line, outcome.game, outcome.rule, outcome.message)


def _stored(text: str) -> str:
    """Return text as the database holds it: without halves of surrogate pairs, of a thousand characters."""
    cut = text if len(text) <= 1000 else text[:999] + "…"
    return cut.encode("utf-8", "backslashreplace").decode()


def _place(error: BaseException) -> str:
    """Return where in the package an exception was raised: a finding is one, wherever it is met again."""
    import traceback

    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/hanalyze/" in frame.filename]
    if not frames:
        return "the fuzzer"
    return f"{Path(frames[-1].filename).name} {frames[-1].name}"
