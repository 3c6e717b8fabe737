"""`import hanalyze as hz`: every public name is there, is what it says, and is loaded when it is used."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import hanalyze as hz

MODULES = {"analysis", "decks"}


def test_every_name_is_there() -> None:
    for name in hz.__all__:
        assert getattr(hz, name) is not None
        assert name in dir(hz)


@pytest.mark.parametrize("name", sorted(set(hz.__all__) - MODULES - {"__version__"}))
def test_every_name_is_that_of_its_home(name: str) -> None:
    value = getattr(hz, name)
    assert not isinstance(value, ModuleType)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert value.__name__ == ("connect" if name == "open" else name)
        assert value.__doc__


def test_a_name_stays_what_it_is_when_the_module_of_that_name_is_imported() -> None:
    import hanalyze.cli.app
    import hanalyze.cli.replay
    import hanalyze.decks.hle

    assert hanalyze.cli.app
    for name in ("replay", "deck", "simulate", "variant", "edition", "read"):
        assert inspect.isfunction(getattr(hz, name))
    for name in MODULES:
        assert isinstance(getattr(hz, name), ModuleType)
    assert hz.decks.decks(["p2v0s1"]).shape == (1, 50)


def test_other_names_do_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'hanalyze' has no attribute 'nothing'"):
        hz.nothing  # noqa: B018
    assert not hasattr(hz, "Deck")


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(hz.__file__).read_text(encoding="utf-8"))
    imported = {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hanalyze")
        for alias in node.names
    }
    assert imported == set(hz.__all__)


def test_importing_loads_nothing() -> None:
    script = (
        "import sys, hanalyze as hz\n"
        "assert [name for name in sys.modules if name.startswith('hanalyze.')] == ['hanalyze.version']\n"
        "hz.Card\n"
        "assert 'numpy' not in sys.modules and 'msgspec' not in sys.modules\n"
        "assert hz.decks.deck is hz.deck\n"
        "from hanalyze import *\n"
        "assert replay is hz.replay and decks is hz.decks\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=600)


@pytest.mark.heavy
def test_the_names_work_together(tmp_path: Path) -> None:
    games = list(hz.simulate("cautious", players=3, games=2, seed=7, options=hz.Options(empty_clues=True)))
    assert hz.write(games, tmp_path / "games.jsonl") == 2
    assert list(hz.read(tmp_path / "games.jsonl")) == games
    hz.write(games[:1], tmp_path / "game.json")
    replay = hz.replay(hz.load(tmp_path / "game.json"))
    assert isinstance(replay, hz.Replay)
    assert isinstance(replay.state(3), hz.Position)
    assert next(hz.replay_many(games)).score == replay.score
    assert replay.deck == hz.deck("p3v0s7")
    assert hz.variant("No Variant").name == hz.variant_names()[0]
    assert hz.edition("hle") == hz.EDITIONS["hle"]
    bad = hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[hz.Action(1, 0, 0)])
    assert [found.rule for found in hz.replay(bad).defects] == [hz.Defect.DISCARD_AT_FULL_TOKENS]
    with pytest.raises(hz.IllegalAction):
        hz.replay(bad, strict=True)
    with pytest.raises(hz.LogError):
        hz.load(tmp_path / "missing.json")
    with pytest.raises(hz.UnknownName):
        hz.variant("Nothing")
    assert hz.review(replay).startswith("<!doctype html>")
    with hz.connect() as db:
        db.add(games)
        assert "2 games for 3 players" in hz.dashboard(db)
        assert hz.figure("scores", db, {"players": 3}).data
    assert hz.open is hz.connect
    assert eval(repr(replay.deck[0]), {"Card": hz.Card}) == replay.deck[0]
    assert (str(hz.Card(0, 5)), f"{hz.Card(5, 1)}", str(hz.Card(1, 7))) == ("r5", "t1", "yS")


def test_one_game_has_the_rows_of_a_database() -> None:
    """Replays can be stored; mistakes and meanings of one are the same without a database."""
    replay = hz.replay(hz.load(Path(__file__).parents[1] / "sample_logs" / "game.json"))
    other = hz.replay(replay.record, edition="hle")
    with hz.connect() as db:
        assert db.add([replay]).stored == 1
        db.read_conventions()
        assert hz.mistakes(replay).equals(db.mistakes())
        assert hz.mistakes(replay).schema == db.mistakes().schema
        assert hz.mistakes(replay, "discard").equals(db.mistakes("discard"))
        assert hz.findings(replay).equals(db.findings())
        assert hz.findings(replay).schema == db.findings().schema
        db.judge(by_logic=True)
        assert hz.mistakes(replay, level=0).equals(db.mistakes())
        with pytest.raises(hz.HanalyzeError, match="under rules other than its log's"):
            db.add([other])
    for function in (hz.mistakes, hz.findings):
        with pytest.raises(hz.HanalyzeError, match="under rules other than its log's"):
            function(other)
    with pytest.raises(hz.UnknownName):
        hz.mistakes(replay, "blunder")
    assert hz.mistakes(hz.replay(hz.GameRecord(players=("A", "B"), seed="p2v0s1"))).is_empty()
    assert replay.state(22).odds(0)[0].critical == replay.state(22).odds(0)[0][2]
    assert issubclass(hz.UnsupportedOption, hz.LogError)
    assert issubclass(hz.LogError, hz.HanalyzeError)
