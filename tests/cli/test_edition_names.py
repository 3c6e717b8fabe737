"""Cards and colours have the names of the game's edition in every command, not those of the variant."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hanalyze.agents import Game
from hanalyze.game.actions import Action
from hanalyze.game.variants import variant
from hanalyze.logs import GameRecord, read
from hanalyze.replaying import replay
from hanalyze.store import connect
from tests.cli.running import hanalyze, saved
from tests.shared import shared

SAMPLES = Path(__file__).parents[2] / "sample_logs"

# Suits by number, and the moves of the log. The suits of hanab.live are Red Yellow Green Blue Purple.
# keldon: Blue Green Yellow Red Purple; hanabi-data: Green Yellow White Blue Red.
CONVENTIONS = {
    "keldon": {
        2: "Bob plays g1",  # suit 1
        6: "Cathy clues Alice red",  # colour 3
        11: "Bob clues Alice 2",
        35: "Bob discards r5",  # suit 3
    },
    "hanabi-data": {
        1: "Alice clues Bob 1",
        2: "Bob plays r1",  # suit 4
        5: "Bob clues Alice red",  # colour 4
        36: "Cathy clues Alice green",  # colour 0
        37: "Alice discards r5",  # suit 4
    },
}
MISTAKES = {
    "keldon": [
        "Turn 32, Bob: left the last b3 in the deck",
        "Turn 35, Bob: threw away the last r5 (1 point)",
    ],
    "hanabi-data": ["Turn 36, Cathy: left r5 unsaved", "Turn 37, Alice: threw away the last r5"],
}


def sample(folder: Path, edition: str) -> Path:
    """Write the sample game of an edition to a file, and return its path."""
    [record] = [one for one in read(SAMPLES / "editions.jsonl") if one.edition == edition]
    return saved(folder, record)


def moves(lines: list[str]) -> dict[int, str]:
    """Return the move of each turn in the output of `hanalyze conventions`."""
    return {int(turn): move for turn, move in re.findall(r"^turn (\d+), (.*?): ", "\n".join(lines), re.M)}


@pytest.mark.parametrize("edition", CONVENTIONS)
def test_the_commands_agree(tmp_path: Path, edition: str) -> None:
    file = sample(tmp_path, edition)
    named = moves(hanalyze("conventions", file).lines)
    assert {turn: named[turn] for turn in CONVENTIONS[edition]} == CONVENTIONS[edition]
    replayed = hanalyze("replay", file, columns=200).out
    shown = re.findall(r"^ +(\d+) +(\w+) +(\w+ .*?)(?: from| \(|  )", replayed, re.M)
    assert {int(turn): f"{player} {move}" for turn, player, move in shown} == {
        turn: move.replace("misplays", "plays") for turn, move in named.items()
    }
    text = hanalyze("mistakes", file, "--all").out
    for title in MISTAKES[edition]:
        assert f"\n{title}" in text
    assert text.rstrip().endswith("(the discard of r5).")


def test_a_database_and_json_agree_with_the_game(tmp_path: Path) -> None:
    file, path = sample(tmp_path, "hanabi-data"), tmp_path / "games.duckdb"
    with connect(path) as db:
        db.ingest(file, jobs=1)
        db.read_conventions()
        assert db.sql("SELECT letters, colours FROM games").row(0) == ("gywbr", "Green,Yellow,White,Blue,Red")
    assert hanalyze("conventions", path).out == hanalyze("conventions", file).out
    stored, rows = (
        [json.loads(line) for line in hanalyze("mistakes", one, "--json").lines] for one in (path, file)
    )
    assert [row["text"] for row in stored] == [row["text"] for row in rows]
    [saved_by] = [row for row in rows if row["kind"] == "discard_unsaved"]
    # On turn 36 Cathy clues Alice colour 0, and on turn 37 Alice discards suit 4, rank 5.
    assert saved_by["evidence_values"]["card"] == "r5"
    assert [one["name"] for one in saved_by["moves"] if one["is_made"]] == ["clue Alice green"]
    [lost] = [row for row in stored if row["kind"] == "discard_last_copy"]
    assert lost["text"].startswith("discarded r5 from slot 3, the last copy")


def log_moves(text: str) -> list[str]:
    """Return the moves of a log of HanabiData, as `hanalyze conventions` names them."""
    found = re.findall(
        r"^(\w+) (?:(plays|discards) (\w)\w+ (\d)|hints (\w+) about all their (?:(\d) hints|(\w+) cards))",
        text,
        re.M,
    )
    return [
        f"{player} {verb} {suit}{rank}" if verb else f"{player} clues {receiver} {number or colour}"
        for player, verb, suit, rank, receiver, number, colour in found
    ]


@pytest.mark.parametrize(
    ("file", "lost"),
    [
        ("game01a5c7c849fcd2e9", ""),
        ("game5a0544fc42071b96", "Turn 27, outer: threw away the last g2 (4 points)"),
    ],
)
def test_a_game_of_hanabi_data_has_the_names_of_its_log(file: str, lost: str) -> None:
    path = shared(f"logs/hanabi-data/{file}.log")
    named = moves(hanalyze("conventions", path).lines)
    told = [move.replace("misplays", "plays") for _, move in sorted(named.items())]
    assert told == log_moves(path.read_text("utf-8"))
    assert lost in hanalyze("mistakes", path).out


def test_a_defect_names_the_colour_of_the_edition() -> None:
    record = GameRecord(players=("Alice", "Bob"), seed="p2v0s1", edition="keldon", actions=[Action(2, 0, 3)])
    assert [defect.found for defect in replay(record).defects] == ["Alice clues Alice Red"]


def test_players_see_the_names_of_the_edition() -> None:
    deck = [(3, 1), *(card for card in variant("No Variant").deck if card != (3, 1)), (3, 1), (3, 1)]
    alice = Game(2, deck=deck, edition="keldon").sees(1)
    assert (alice.hands[0][0].card, str(alice.playable)) == ((3, 1), "b1 g1 y1 r1 p1")
    assert alice.clue_colours == ("Blue", "Green", "Yellow", "Red", "Purple")
    assert "  slot 5: r1; clues: none" in str(alice)
    game = Game(2, deck=deck, edition="keldon")
    assert game.sees().say(Action(2, 1, 3)) == "clue Bob Red"
