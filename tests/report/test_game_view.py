"""The values of a game's page: points add up, texts come in parts, and nothing is shown by other rules."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hanalyze.errors import HanalyzeError
from hanalyze.game.suits import suit_named
from hanalyze.game.variants import variant, variant_names
from hanalyze.logs import load, read
from hanalyze.replaying import replay
from hanalyze.report.game.game_view import game_view
from hanalyze.report.game.positions import Names
from hanalyze.report.game.review import review
from hanalyze.report.theme import INK_ON_TINT, PALETTE, TEXT_ON_SOLID, contrast, suit_style, suit_styles

SAMPLES = Path(__file__).parents[2] / "sample_logs"


@pytest.mark.parametrize("file", ["game.json", pytest.param("endings.jsonl", marks=pytest.mark.heavy)])
def test_the_points_add_up(file: str) -> None:
    for record in read(SAMPLES / file):
        text = game_view(replay(record))["headline"]
        [(score, full)] = re.findall(r"^(\d+) of (\d+)", text)
        assert int(score) + sum(map(int, re.findall(r"(\d+) points?", text))) == int(full)


def test_marks_are_the_rows_of_the_view() -> None:
    played = replay(load(SAMPLES / "game.json"))
    view = game_view(played)
    assert [mark["turn"] for mark in view["marks"]] == sorted(mark["turn"] for mark in view["marks"])
    for mark in view["marks"]:
        assert view["turns"][mark["turn"]]["seat"] == mark["seat"]
        assert view["definitions"][f"kind {mark['kind']}"][2]
        assert view["decisions"][mark["turn"]]
    parts = [part for mark in view["marks"] for part in mark["evidence"] if isinstance(part, dict)]
    named = [part for part in parts if "card" in part]
    assert named
    for part in named:
        assert all(list(played.deck[order]) == part["card"] for order in part["orders"])


def test_a_page_says_by_what_moves_are_judged() -> None:
    played = replay(load(SAMPLES / "game.json"))
    assert "logic" not in game_view(played)["level"]
    assert game_view(played, level=0)["level"] == "Moves are judged by logic, without conventions."


OWN = """-- Kept the newest card
--
-- definition: A discard of another card than the newest.
-- opportunity: discards
-- where: result = 'discarded'
SELECT game_id, turn, seat, NULL AS severity, NULL AS points, 0 AS tokens, 0 AS pace,
    'kept slot {new}, not {card}, as {seat} could see' AS evidence,
    {'new': 1, 'card': card, 'seat': (seat + 1) % players} AS evidence_values,
    'discard' AS better_kind, 1 AS better_slot
FROM decisions WHERE result = 'discarded' AND slot > 1
UNION ALL SELECT game_id, 999, 0, 'knew', 0, 0, 0, 'no such turn', NULL, 'play', 9 FROM games
"""


def test_a_definition_of_ones_own_is_shown_with_its_better_move(tmp_path: Path) -> None:
    (tmp_path / "oldest.sql").write_text(OWN)
    played = replay(load(SAMPLES / "game.json"))
    view = game_view(played, tmp_path)
    marks = [mark for mark in view["marks"] if mark["kind"] == "oldest"]
    assert len(marks) == sum(row["result"] == "discarded" and row["slot"] > 1 for row in played.facts())
    for mark in marks:
        order = view["actions"][mark["turn"]]["order"]
        assert mark["evidence"] == [
            *("kept slot ", "1", ", not ", {"card": list(played.deck[order]), "orders": [order]}, ", as "),
            *({"seat": (mark["seat"] + 1) % 3}, " could see"),
        ]
        better = view["verdicts"][mark["turn"]]["better"]
        first = next(row for row in view["marks"] if row["turn"] == mark["turn"])
        if first is mark:
            hand = view["turns"][mark["turn"]]["hands"][mark["seat"]]
            assert better["title"] == ["discard slot 1"]
            assert better["drawn"]["seat"] == mark["seat"]
            assert better["drawn"]["orders"] == [hand[-1]]
    assert view["kinds"]["oldest"]["title"] == "Kept the newest card"


def test_a_replay_by_other_rules_is_refused() -> None:
    record = load(SAMPLES / "game.json")
    with pytest.raises(HanalyzeError, match="under rules other than") as caught:
        review(replay(record, edition="abacus"))
    assert caught.value.rule == "other_rules"


def test_an_edition_names_its_own_suits() -> None:
    [record] = [one for one in read(SAMPLES / "editions.jsonl") if one.edition == "hanabi-data"]
    names = Names(replay(record))
    assert names.suits == ("Green", "Yellow", "White", "Blue", "Red")
    assert names.letters == ("g", "y", "w", "b", "r")
    assert names.colours == ("green", "yellow", "white", "blue", "red")
    assert names.suit_styles[2] == suit_style("White")


def test_moves_on_the_page_have_the_names_of_the_edition() -> None:
    [record] = [one for one in read(SAMPLES / "editions.jsonl") if one.edition == "hanabi-data"]
    verdicts = game_view(replay(record))["verdicts"]
    # On turn 36 Cathy clues the first colour, Green (hanab.live: Red); on turn 37 r5 (4, 5) is lost.
    assert record.actions[35] == (2, 0, 0)
    assert verdicts[35]["title"] == ["Left ", {"card": [4, 5], "orders": [25]}, " unsaved"]
    assert ["clue ", {"seat": 0}, " green", " (actual)"] in [name for name, _ in verdicts[35]["moves"]]
    # Instead of the discard of turn 60, Cathy could have burned a clue: colour 0 to g3 (0, 3) in slot 5.
    better = verdicts[59]["better"]
    assert better["title"] == ["clue ", {"seat": 0}, " ", {"clue": [0, 0]}]
    assert better["drawn"]["label"][0] == "The clue green"
    assert [list(replay(record).deck[order]) for order in better["drawn"]["orders"]] == [[0, 3]]
    assert ["clue ", {"seat": 0}, " green"] in [name for name, _ in verdicts[59]["moves"]]


def test_a_page_holds_its_values_and_loads_nothing() -> None:
    record = load(SAMPLES / "game.json")
    page = review(record)
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    assert json.loads(found[1]) == json.loads(json.dumps(game_view(replay(record))))
    # What it names of the web is a link, which loads nothing.
    site = "https://hanabi.github.io/"
    for known in ("http-equiv", "http://www.w3.org/2000/svg", "https://hanab.live/replay-json/", site):
        page = page.replace(known, "")
    assert "http" not in page


def test_every_suit_can_be_read() -> None:
    """By the contrasts that the palette promises, stripes apart; plain suits have a shape each."""
    for role in ("ink1", "ink2", "ink3", "good", "warn", "bad"):
        for theme in (0, 1):
            assert contrast(PALETTE[role][theme], PALETTE["panel"][theme]) >= 4.5
    seen = {suit.name for name in variant_names() for suit in variant(name).suits}
    for suit in sorted(seen):
        look = suit_style(suit_named(suit).name)
        for theme in (0, 1):
            if not look.tint[theme].startswith("linear"):
                assert contrast(look.tint[theme], look.ink[theme]) >= INK_ON_TINT
                assert contrast(look.solid[theme], look.text[theme]) >= TEXT_ON_SOLID
    shapes = [look.shape for look in suit_styles([suit.name for suit in variant("6 Suits").suits])]
    assert len(set(shapes)) == 6
