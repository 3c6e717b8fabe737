"""`hanalyze simulate`."""

from __future__ import annotations

import gzip
import io
import json
import os
from pathlib import Path

import pytest

from hanalyze.agents import AGENTS, simulate, simulate_with_meanings
from hanalyze.logs import GameRecord, Options, read, write
from tests.cli.running import hanalyze


def written(records: object) -> str:
    stream = io.BytesIO()
    write(records, stream)
    return stream.getvalue().decode()


def test_the_games_of_the_library() -> None:
    ran = hanalyze("simulate", "--agent", "random", "--players", "4", "--games", "3", "--seed", "7")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == written(simulate("random", players=4, games=3, seed=7))


def test_what_is_meant_without_arguments() -> None:
    assert hanalyze("simulate").out == written(simulate("cautious", players=3, games=1, seed=1))


def test_more_games_than_are_asked_for_at_a_time() -> None:
    ran = hanalyze("simulate", "--agent", "random", "--players", "2", "--games", "45")
    assert ran.out == written(simulate("random", players=2, games=45))


OPTIONS = {
    "deck-plays": Options(deck_plays=True),
    "empty-clues": Options(empty_clues=True),
    "all-or-nothing": Options(all_or_nothing=True),
    "speedrun": Options(speedrun=True),
    "card-cycle": Options(card_cycle=True),
    "one-extra-card": Options(one_extra_card=True),
    "one-less-card": Options(one_less_card=True),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_of_the_site(name: str) -> None:
    ran = hanalyze("simulate", f"--{name}", "--games", "2")
    assert ran.out == written(simulate(games=2, options=OPTIONS[name]))


def test_starting_player_variant_and_edition() -> None:
    ran = hanalyze(
        "simulate", "--starting-player", "3", "--variant", "16", "--edition", "hanab-live+strikes=1"
    )
    expected = simulate(variant="16", edition="hanab-live+strikes=1", options=Options(starting_player=2))
    assert ran.out == written(expected)
    assert '"startingPlayer":2' in ran.out


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.jsonl", "b.jsonl", "a.jsonl.gz", "b.jsonl.gz")]
    for file in files:
        assert hanalyze("simulate", "--games", "5", "-o", file) == (
            0,
            "",
            f"hanalyze: 5 games written to {file}\n",
        )
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[2].read_bytes() == files[3].read_bytes()
    assert gzip.decompress(files[2].read_bytes()) == files[0].read_bytes()
    assert list(read(files[0])) == list(simulate(games=5))
    assert sorted(os.listdir(tmp_path)) == sorted(file.name for file in files)


def test_no_games(tmp_path: Path) -> None:
    file = tmp_path / "none.jsonl"
    said = f"hanalyze: 0 games written to {file}\n"
    assert hanalyze("simulate", "--games", "0", "-o", file) == (0, "", said)
    assert file.read_bytes() == b""


def test_what_is_written_can_be_replayed(tmp_path: Path) -> None:
    for agent in AGENTS:
        file = tmp_path / f"{agent}.jsonl"
        assert hanalyze("simulate", "--agent", agent, "--games", "3", "--players", "5", "-o", file).code == 0
        ran = hanalyze("replay", file, "--strict")
        assert (ran.code, ran.err) == (0, "")


def test_a_file_changes_only_when_all_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"what was there\n")

    def interrupted(*_: object, **__: object) -> object:
        yield GameRecord(players=("Alice", "Bob"))
        assert len(os.listdir(tmp_path)) == 2
        raise KeyboardInterrupt

    monkeypatch.setattr("hanalyze.agents.simulate", interrupted)
    ran = hanalyze("simulate", "-o", file)
    assert ran == (130, "", "")
    assert file.read_bytes() == b"what was there\n"
    assert os.listdir(tmp_path) == ["games.jsonl"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "games.jsonl")
    assert hanalyze("simulate", "-o", tmp_path / "link.jsonl").code == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert len(list(read(tmp_path / "games.jsonl"))) == 1


def test_a_device_is_written_to() -> None:
    assert hanalyze("simulate", "-o", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()


def test_meanings_stand_beside_the_games(tmp_path: Path) -> None:
    games, meanings = tmp_path / "games.jsonl", tmp_path / "meanings.jsonl"
    arguments = ("--agent", "conventional", "--level", "1", "--games", "22", "--players", "2")
    ran = hanalyze("simulate", *arguments, "-o", games, "--meanings", meanings)
    said = (f"22 games written to {games}", f"meanings of 22 games written to {meanings}")
    assert ran == (0, "", "".join(f"hanalyze: {line}\n" for line in said))
    assert sorted(os.listdir(tmp_path)) == ["games.jsonl", "meanings.jsonl"]
    expected = list(simulate_with_meanings(players=2, games=22, level=1))
    assert list(read(games)) == [record for record, _ in expected]
    lines = [json.loads(line) for line in meanings.read_text().splitlines()]
    for line, (record, meant) in zip(lines, expected, strict=True):
        assert line["seed"] == record.seed
        assert [one["turn"] for one in line["meanings"]] == list(range(len(record.actions)))
        assert [(one["convention"], one["focus"], tuple(one["cards"])) for one in line["meanings"]] == [
            (one.convention.label, one.focus, one.cards) for one in meant
        ]


def test_meanings_on_standard_output(tmp_path: Path) -> None:
    arguments = ("simulate", "--agent", "conventional", "-o", tmp_path / "game.jsonl", "--meanings")
    ran = hanalyze(*arguments, "-")
    assert (ran.code, ran.err) == (0, f"hanalyze: 1 game written to {arguments[4]}\n")
    assert hanalyze(*arguments, tmp_path / "meanings.jsonl").code == 0
    assert ran.out == (tmp_path / "meanings.jsonl").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--meanings", "meanings.jsonl"), "use --meanings with --agent conventional"),
        (("--agent", "conventional", "--meanings", "-"), "give a file for one of them"),
        (("--agent", "conventional", "--meanings", "no/such/folder.jsonl"), "no such folder"),
        (("--agent", "conventional", "--level", "3"), "give 1 or 2"),
    ],
)
def test_meanings_that_cannot_be_written(
    arguments: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = hanalyze("simulate", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1
    assert os.listdir(tmp_path) == []
