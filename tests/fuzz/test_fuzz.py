"""The fuzzer finds nothing; and it finds what is planted, makes it again, and cuts it down."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hanalyze as hz
from hanalyze.kernels.compiling import can_compile
from tests.fuzz.__main__ import report
from tests.fuzz.bases import make_bases
from tests.fuzz.checking import Checker, Finding
from tests.fuzz.commands import in_process
from tests.fuzz.files import FuzzFile, make_file, plan
from tests.fuzz.logs import MUTATIONS, Log
from tests.fuzz.moves import MOVES
from tests.fuzz.packing import before_damage, members
from tests.fuzz.running import SOUND, UNTIMED, Outcome, Pool, Question, run, shrink
from tests.fuzz.shapes import SHAPES
from tests.fuzz.shrinking import Budget, shrunk
from tests.fuzz.texts import TEXTS
from tests.fuzz.trees import opened, rendered

BASES = make_bases(1, rounds=0)
"""The sample logs: to play others takes seconds."""


def small_files(seed: int, logs: int) -> Iterator[tuple[int, FuzzFile]]:
    """Yield so many logs in small files, with their numbers."""
    number = 0
    while logs > 0:
        form, count = plan(seed, number)
        if count <= 60 and form != "borders":
            logs -= count
            yield number, make_file(seed, number, BASES)
        number += 1


@pytest.mark.heavy
def test_two_hundred_logs_without_the_compiler(tmp_path: Path) -> None:
    checker = Checker(tmp_path, compiled=False)
    for number, file in small_files(5, 200):
        assert checker.check(file, f"5 {number}") == [], f"--seed 5 --only {number} --interpreted"
    assert sum(count for (kind, _), count in checker.counts.items() if kind == "reject") > 50
    assert checker.counts["stored", ""] > 50


@pytest.mark.heavy
def test_the_commands_on_a_few_logs(tmp_path: Path) -> None:
    number, file = next((number, file) for number, file in small_files(7, 2_000) if 3 < len(file.logs) < 8)
    (tmp_path / "log.json").write_bytes(file.data)
    assert list(in_process(tmp_path / "log.json", tmp_path)) == [], f"--seed 7 --only {number}"


@pytest.mark.heavy
@pytest.mark.compiled
@pytest.mark.parametrize("count", [8_000, pytest.param(20_000, marks=pytest.mark.exhaustive)])
def test_thousands_of_logs(count: int) -> None:
    bases = make_bases(1)
    with Pool(bases, jobs=os.cpu_count() or 1, compiled=can_compile(), limits=UNTIMED) as pool:
        outcome = run(pool, seed=1, count=count)
    assert [str(found) for found in outcome.found] == []
    assert outcome.logs >= count
    assert not [name for name in MUTATIONS if not outcome.changes[name]]


# --- what it is made of -----------------------------------------------------------------------------------


def test_the_same_numbers_make_the_same_file() -> None:
    for number in range(8):
        one, other = make_file(3, number, BASES), make_file(3, number, BASES)
        assert one == other
        assert len(one.logs) == plan(3, number)[1]
    assert make_file(4, 0, BASES).data != make_file(3, 0, BASES).data


@pytest.mark.parametrize("name", MUTATIONS)
def test_each_change_is_made(name: str) -> None:
    random = Random(name)
    changed = 0
    for _ in range(300):
        base = random.choice(BASES)
        if name in TEXTS:
            changed += TEXTS[name](random, base, random.choice(BASES)) != base
        else:
            tree = (SHAPES.get(name) or MOVES[name])(random, base)
            changed += tree is not None and rendered(tree) != base
    assert changed


def test_a_sound_log_is_what_it_was() -> None:
    for base in BASES:
        assert rendered(opened(base)) == base


def test_logs_apart_stand_on_the_lines_that_are_said() -> None:
    number = next(number for number in range(100) if plan(2, number)[0] == "apart")
    file = make_file(2, number, BASES)
    lines = file.data.split(b"\n")
    for begin, log in zip(file.begins, file.logs, strict=False):
        assert b"\n".join(lines[begin - 1 :]).startswith(log.text)
        assert log.text.startswith(b"{") or lines[begin - 2].startswith(b'{"')


def test_what_stands_before_damage() -> None:
    random = Random(1)
    data = random.randbytes(20_000)
    packed = members(random, data)
    assert before_damage(packed) == (data, False)
    for end in random.sample(range(len(packed)), 20):
        before, damaged = before_damage(packed[:end])
        assert data.startswith(before)
        assert damaged or before == b"" or end == len(packed) or data[: len(before)] == before


# --- what is planted is found -----------------------------------------------------------------------------


def plant_a_crash() -> None:
    """Let replays fail where a player has an empty name."""
    module: Any = import_module("hanalyze.replaying")
    deal: Callable[..., Any] = module.deal_records

    def fail(records: Any, **how: Any) -> Any:
        if any("" in record.players for record in records):
            raise ZeroDivisionError("planted")
        return deal(records, **how)

    module.deal_records = fail


def plant_a_difference() -> None:
    """Let ingest lose what was refused for its number of players."""
    module: Any = import_module("hanalyze.store.ingest")
    deal: Callable[..., Any] = module.deal_segments

    def lose(segments: Any, **how: Any) -> Any:
        stack = deal(segments, **how)
        return stack._replace(rejects=[pair for pair in stack.rejects if pair[1].rule != "player_count"])

    module.deal_segments = lose


def plant_a_hang() -> None:
    def hang(*_: object, **__: object) -> None:
        while True:
            pass

    hz.read = hang


def plant_greed() -> None:
    def take(*_: object, **__: object) -> None:
        held = [bytes(2**20)]
        while True:
            held.append(bytearray(b"x" * 2**20))

    hz.read = take


def plant_a_death() -> None:
    def die(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)

    hz.read = die


NOBODY = b'{"players":["","B"],"actions":[],"seed":"p2v0s1","notes":[["f","x"]],"source":"here"}'
ALONE = b'{"players":["A"],"actions":[],"seed":"p2v0s1","notes":[["f","x"]],"source":"here"}'


def file_of(*texts: bytes) -> FuzzFile:
    return FuzzFile("wild", b"\n".join((SOUND, *texts, SOUND)), [Log(text) for text in texts], [])


def found(prepare: Callable[[], object], *texts: bytes, **limits: Any) -> list[Finding]:
    with Pool(BASES, compiled=False, prepare=prepare, limits=UNTIMED._replace(**limits)) as pool:
        [answer] = pool.check(iter([Question(1, 1, len(texts), file_of(*texts))]))
    return list(answer[3])


def test_nothing_is_found_where_nothing_is_planted(tmp_path: Path) -> None:
    assert Checker(tmp_path, compiled=False).check(file_of(NOBODY, ALONE), "key") == []


def test_a_planted_crash_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is planted is taken out again.
    module = import_module("hanalyze.replaying")
    monkeypatch.setattr(module, "deal_records", module.deal_records)
    plant_a_crash()
    checker = Checker(tmp_path, compiled=False)
    crash = checker.check(file_of(NOBODY), "key")[0]
    assert crash.kind == "replay: exception ZeroDivisionError in replaying.py replay_many"
    assert checker.check(file_of(ALONE), "key") == []


def test_a_planted_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("hanalyze.store.ingest")
    monkeypatch.setattr(module, "deal_segments", module.deal_segments)
    plant_a_difference()
    checker = Checker(tmp_path, compiled=False)
    kinds = [finding.kind for finding in checker.check(file_of(ALONE), "key")]
    assert "read and ingest refuse differently" in kinds
    assert checker.check(file_of(NOBODY), "key") == []


@pytest.mark.heavy
def test_a_hang_greed_and_death_are_found_from_outside() -> None:
    assert [finding.kind for finding in found(plant_a_hang, NOBODY, processor=1.0)] == ["read: hangs"]
    assert [finding.kind for finding in found(plant_greed, NOBODY, memory=2**29)] == ["read: memory"]
    [death] = found(plant_a_death, NOBODY)
    assert (death.kind, death.what) == ("read: the process died", "exit code -11")


@pytest.mark.heavy
def test_a_planted_difference_is_cut_down_to_what_shows_it() -> None:
    with Pool(BASES, compiled=False, prepare=plant_a_difference, limits=UNTIMED) as pool:
        numbers = (
            number
            for number, file in small_files(9, 5_000)
            if any("players" in log.changes for log in file.logs)
        )
        for number in numbers:
            outcome = run(pool, seed=9, count=0, only=number, say=lambda text: None)
            kinds = [found.finding.kind for found in outcome.found]
            if "read and ingest refuse differently" in kinds:
                break
        small = shrink(pool, 9, number, "read and ingest refuse differently", BASES, Budget(400, 3_600))
    assert small is not None
    lines = [line for line in small.split(b"\n") if line and line != SOUND]
    assert len(lines) == 1
    assert len(lines[0]) < 120
    assert b'"players":[' in lines[0]


def test_shrinking_keeps_keys_and_values_that_are_needed() -> None:
    parts = [
        BASES[0],
        b"rubbish",
        BASES[1].replace(b'"actions":[', b'"actions":[{"type":77,"target":0,"value":0},'),
        BASES[2],
    ]
    [small] = shrunk(parts, lambda some: any(b'"type":77' in part for part in some), Budget(5_000, 3_600))
    assert small == b'"type":77'


def test_what_never_came_up_is_said() -> None:
    outcome = Outcome(logs=3, files=1)
    outcome.changes["null"] = 3
    outcome.counts["reject", "not_json"] = 2
    outcome.counts["reject", "made_up"] = 1
    lines = report(outcome, 4)
    assert lines[-1].startswith("seed 4: 3 logs in 1 files, 0 stored, 3 rejected")
    assert "reject rules that are not listed: made_up" in lines
    never = next(line for line in lines if line.startswith("never came up, reject rules"))
    assert "deck_size" in never
    assert "not_json" not in never
