"""Rows of HanabiLogs: states that the Hanabi Learning Environment printed, and rows made from games.

`hanabi_logs.jsonl.gz` has five games of two to five players that hanabi-learning-environment 0.0.4 played,
moves drawn at random: the numbers that it gives the moves, the score, and a row per turn with `str(state)`,
`str(move)` of its legal moves and an answer in one of four forms. No row of the data set itself was at hand.
"""

from __future__ import annotations

import copy
import gzip
import io
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.decks import deck as deal
from hanalyze.errors import LogError
from hanalyze.game.cards import Card
from hanalyze.logs.formats import hanabi_logs, hle
from hanalyze.logs.formats.hanabi_logs import move_named
from hanalyze.logs.formats.hle_states import move_text, state_of
from hanalyze.logs.formats.registry import format_named, format_of
from hanalyze.logs.record import GameRecord, Options
from hanalyze.logs.sources.open_log import buffered
from hanalyze.replaying import replay
from hanalyze.store import connect
from tests.logs.problems import checked
from tests.logs.state_texts import rows_of

with gzip.open(Path(__file__).with_name("hanabi_logs.jsonl.gz"), "rt", encoding="utf-8") as _lines:
    THEIRS = [json.loads(line) for line in _lines]


def outcomes(rows: Sequence[Any]) -> list[GameRecord | LogError]:
    data = b"\n".join(row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
    return list(format_named("hanabi-logs").read(buffered(io.BytesIO(data)), "f"))


def games(rows: Sequence[Any]) -> list[GameRecord]:
    found = [one for one in outcomes(rows) if isinstance(one, GameRecord)]
    assert len(found) == len(outcomes(rows)), outcomes(rows)
    return found


def errors(rows: Sequence[Any]) -> list[str]:
    return [str(checked(one, "f")) for one in outcomes(rows) if isinstance(one, LogError)]


def whole(records: Sequence[GameRecord]) -> list[GameRecord]:
    return [replace(one, deck=list(replay(one).deck), seed=None, edition="hle") for one in records]


def made(agent: str = "cautious", players: int = 3, seed: int = 1) -> GameRecord:
    return whole(list(simulate(agent, players=players, games=1, seed=seed)))[0]


# --- games that the library played ------------------------------------------------------------------------


@pytest.mark.parametrize("game", THEIRS, ids=lambda game: f"{game['rows'][0]['players']} players")
def test_the_library_s_own_texts(game: dict[str, Any]) -> None:
    rows = list(game["rows"])
    Random(3).shuffle(rows)
    [record] = games(rows)
    assert hle.game_of(record)["moves"] == game["moves"]
    played = replay(replace(record, score=game["score"]))
    assert not played.defects
    first = game["rows"][0]["current_player"]
    assert record.options.starting_player == first
    assert (record.players, record.source) == (("o3",) * len(record.players), "HanabiLogs")
    if game["rows"][0]["seed"] != 6:
        # No starting player was drawn, so the seed deals the deck.
        assert (record.seed, record.shuffle, record.deck) == (str(rows[0]["seed"]), "hle", None)
        assert list(played.deck) == deal(int(record.seed or 0), shuffle="hle")
        assert json.loads(hle.to_json(record))["seed"] == rows[0]["seed"]
    else:
        assert (record.seed, len(record.deck or []), first) == (None, 50, 2)


@pytest.mark.parametrize("game", THEIRS, ids=lambda game: f"{game['rows'][0]['players']} players")
def test_the_tests_own_texts_are_the_library_s(game: dict[str, Any]) -> None:
    """Rows made from the games are, but for answers, those that the library made."""
    [record] = games(game["rows"])
    ours = rows_of(replace(record, deck=list(replay(record).deck)), seed=game["rows"][0]["seed"])
    for one, theirs in zip(ours, game["rows"], strict=True):
        told = {"response_content": "", "user_prompt": ""}
        assert one | told == theirs | told


# --- games that were made here ----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, *(pytest.param(n, marks=pytest.mark.heavy) for n in (3, 4)), 5])
@pytest.mark.parametrize("agent", ["random", "cautious"])
def test_rows_of_games_give_the_games(agent: str, players: int) -> None:
    """200 games in all, the rows of 25 shuffled together."""
    options = Options(starting_player=players - 1)
    records = [
        *whole(list(simulate(agent, players=players, games=20, seed=players))),
        *whole(list(simulate(agent, players=players, games=5, seed=players, options=options))),
    ]
    rows = [
        row
        for number, one in enumerate(records)
        for row in rows_of(
            one, model="o3" if number % 2 else "o4-mini", seed=number // 2, first_turn=number % 2
        )
    ]
    Random(players).shuffle(rows)
    again = games(rows)
    assert len(again) == 25
    by_actions = {tuple(one.actions): one for one in records}
    for one in again:
        record = by_actions.pop(tuple(one.actions))
        assert one.options == record.options
        assert (one.deck or [])[: one.deck_known] == (record.deck or [])[: one.deck_known]
        assert sorted(one.deck or []) == sorted(record.deck or [])
        drawn = sum(action.kind < 2 for action in record.actions[:-1])
        assert one.deck_known in (None, players * (5 if players < 4 else 4) + drawn)
        assert not replay(one).defects
        said = [note for notes in one.notes for text in notes for note in text.split(" | ") if note]
        assert sorted(said, key=lambda note: int(note.split()[1][:-1])) == [
            f"turn {turn + 1}: {row['response_content']}" for turn, row in enumerate(rows_of(record))
        ]


def test_a_deck_of_a_seed_is_known_only_if_it_was_dealt() -> None:
    record = replace(made(), deck=deal(5, shuffle="hle"), actions=made().actions[:1])
    [one] = games(rows_of(record, seed=5))
    assert (one.seed, one.deck, one.deck_known) == ("5", None, None)
    cards = list(record.deck or [])
    cards[14], cards[40] = cards[40], cards[14]
    [other] = games(rows_of(replace(record, deck=cards), seed=5))
    assert (other.seed, other.deck_known, (other.deck or [])[:15]) == (None, 15, cards[:15])
    for seed in (-1, 2**40):
        assert games(rows_of(record, seed=seed))[0].seed is None


def test_two_games_of_one_key() -> None:
    """The same deal twice: one file after the other, row by row, and shuffled."""
    one = made(players=2, seed=5)
    other = replace(made("random", players=2, seed=5), deck=one.deck)
    first, second = rows_of(one), rows_of(replace(other, actions=legal_part(other)))
    mixed = [row for pair in zip(first, second, strict=False) for row in pair] + first[len(second) :]
    shuffled = mixed[:]
    Random(2).shuffle(shuffled)
    for rows in (first + second, second + first, mixed, shuffled):
        assert sorted(len(game.actions) for game in games(rows)) == sorted((len(first), len(second)))
        assert {tuple(game.actions) for game in games(rows)} == {tuple(one.actions), tuple(legal_part(other))}
    assert [game.notes for game in games(first + first)] == 2 * [games(first)[0].notes]
    assert len(games([*first, *({**row, "meta_game_run_id": "b"} for row in first)])) == 2


def legal_part(record: GameRecord) -> list[Any]:
    """Return the first actions of a game, played on another deck, until one cannot be done."""
    game = replay(record)
    turns = [defect.turn for defect in game.defects if defect.turn is not None]
    return record.actions[: min([len(record.actions), 6, *turns])]


def test_rows_of_other_numbers_of_players_are_other_games() -> None:
    two, three = rows_of(made(players=2)), rows_of(made(players=3))
    assert sorted(len(one.players) for one in games(three + two)) == [2, 3]


def test_a_model_whose_answer_was_no_move_was_asked_again() -> None:
    rows = rows_of(made())
    again = copy.deepcopy(rows[:4]) + copy.deepcopy(rows[3:])
    for number, row in enumerate(again):
        row["turn_number"] = number
    again[3]["response_content"] = "I pass"
    [record] = games(again)
    assert record.actions == made().actions
    assert any("turn 4: I pass / {" in note for notes in record.notes for note in notes)


# --- what the states leave open ---------------------------------------------------------------------------

SAME = [Card(0, 1), Card(0, 1), Card(1, 2), Card(2, 2), Card(3, 3)]


def two_alike() -> GameRecord:
    """Seat 0 plays the second of two red ones that lie side by side."""
    rest = list(made(players=2).deck or [])
    for card in SAME:
        rest.remove(card)
    rest.sort(key=lambda card: (card.rank, card.suit))
    cards = [*SAME, *rest[:5], *rest[5:]]
    record = made(players=2)
    return replace(
        record, deck=cards, actions=[type(record.actions[0])(*one) for one in [(0, 1, 0), (3, 0, 1)]]
    )


def test_cards_that_are_alike() -> None:
    rows = rows_of(two_alike())
    assert games(rows)[0].actions[0].target == 1  # as the answer says
    for answer in (None, "I play a card", '{"action": 400}', '{"action": 2}'):
        rows[0]["response_content"] = answer
        assert games(rows)[0].actions[0].target == 0


def test_clues_that_say_nothing_new() -> None:
    record = made(players=2)
    suit, rank = (record.deck or [])[5]
    clues = [
        (2, 1, suit),
        (2, 0, (record.deck or [])[0].suit),
        (3, 1, rank),
        (3, 0, (record.deck or [])[0].rank),
    ]
    actions = [type(record.actions[0])(*one) for one in [*clues, clues[2], clues[3]]]
    rows = rows_of(replace(record, actions=actions))
    assert games(rows)[0].actions == actions
    rows[4]["response_content"] = "a clue, said again"
    [said] = errors(rows)
    assert "turn 5 may be Reveal player +1 color" in said
    assert "and its answer names neither" in said


# --- answers ----------------------------------------------------------------------------------------------

LEGAL = ["Discard 0", "Play 0", "Reveal player +1 color R", "Reveal player +1 rank 2"]
ANSWERS: list[tuple[str, str | None]] = [
    ("Reasoning: Move 0 is bad.\nMove Ratings: Move 0: 0.5, Move 1: 1.0\nChosen Move Number: 2", LEGAL[2]),
    ("**Reasoning:** x\n\n**Chosen Move Number:** 3", LEGAL[3]),
    ("**Chosen Move Number: 3**", LEGAL[3]),
    ("Chosen Move Number: [1]", LEGAL[1]),
    ("Chosen Move Number: 1. (Play 0)", LEGAL[1]),
    ("Chosen Move Number: 1 (Discard 0)", None),
    ("Chosen Move Number: 1 - Play card 0, which is red", LEGAL[1]),
    ("Chosen Move Number: 3 (hint rank 2 to the next player)", LEGAL[3]),
    ("Chosen Move Number: 3 (Play card 2)", None),
    ("Chosen Move Number: 1: Reveal player +1 rank 2", None),
    ("chosen_move_number: 2", LEGAL[2]),
    ("Chosen Move Number: 1, or 2", None),
    ("Chosen Move Number: 4", None),
    ("Chosen Move Number: -1", None),
    ("Chosen Move Number: 1 or 2", None),
    ("Move: (Play 0)", LEGAL[1]),
    ("Action: reveal player +1 COLOR r", LEGAL[2]),
    ("Move: 0\nMove: 1", None),
    ("Move: 1\nMove: (Play 0)", LEGAL[1]),
    ("Move: (Play 3)", None),
    ("I think move 1 is best", None),
    ("2", LEGAL[2]),
    ("(Reveal player +1 rank 2)", LEGAL[3]),
    ("٢", None),
    ("", None),
    ('{"move_ratings": [{"action": 0, "rating": 0.1}], "reason": "a {b}", "action": 2}', LEGAL[2]),
    ('{"reason": "x", "action": "3"}', LEGAL[3]),
    ('{"reason": "x", "action": "(Play 0)"}', LEGAL[1]),
    ('{"reason": "x", "action": null}', None),
    ('{"reason": "x", "action": 9}', None),
    ('Sure {really}:\n{"action": 1}', LEGAL[1]),
    ('```json\n{\n "reason": "x",\n "action": 2\n}\n```', LEGAL[2]),
    ('Chosen Move Number: 1\n```\n{"action": 2}\n```', LEGAL[2]),
    ('{"move_ratings": [{"action": 0, "rating": 0.1}, ', None),
    ("```" * 1001, None),
    ("{" * 5000 + "}", None),
]


@pytest.mark.parametrize(("answer", "move"), ANSWERS)
def test_what_an_answer_names(answer: str, move: str | None) -> None:
    assert move_named(answer, LEGAL) == move
    assert move_named(answer, []) is None


def test_without_the_last_move_the_game_ends_before_it() -> None:
    rows = rows_of(made())
    rows[-1]["response_content"] = "I do not know"
    [record] = games(rows)
    assert record.actions == made().actions[:-1]
    said = f"turn {len(rows)}: (this answer names no legal move, so the game ends here) I do not know"
    assert sum(said in note for notes in record.notes for note in notes) == 1
    del rows[-1]["response_content"]
    rows[-1]["legal_moves_description_for_llm"] = None
    assert games(rows)[0].actions == record.actions


def test_an_illegal_last_move_is_none() -> None:
    rows = rows_of(made())
    rows[0]["legal_moves_description_for_llm"] = {
        "0": "(Discard 0)",
        "1": None,
        "x": "(Play 1)",
        "٢": "Play 1",
    }
    rows[0]["response_content"] = '{"action": 0}'
    assert games(rows[:1])[0].actions == []


# --- rows that are no game --------------------------------------------------------------------------------


def change(field: str, value: Any, at: int = 3) -> list[dict[str, Any]]:
    rows = copy.deepcopy(rows_of(made()))
    rows[at][field] = value
    return rows


def with_state(old: str, new: str, at: int = 3) -> list[dict[str, Any]]:
    text = rows_of(made())[at]["raw_game_state_before_move"]
    assert old in text
    return change("raw_game_state_before_move", text.replace(old, new, 1), at)


BAD: list[tuple[Any, str]] = [
    (
        lambda: change("raw_game_state_before_move", "x"),
        'expected a line such as "Life tokens: 3", found "x"',
    ),
    (lambda: change("raw_game_state_before_move", ""), 'expected a line such as "Life tokens: 3", found ""'),
    (lambda: change("raw_game_state_before_move", "x" * 5000), "a text of 5,000 characters"),
    (lambda: with_state("Info tokens", "Clues"), 'expected a line such as "Info tokens: 8", found "Clues:'),
    (lambda: with_state(" || ", " | "), 'expected a line such as "R1 || XX|RYGWB12345"'),
    (lambda: with_state("Cur player\n", ""), 'one line "Cur player", above the cards of a hand, found 0'),
    (lambda: with_state("Deck size: ", "Deck: "), 'found "Deck: '),
    (lambda: with_state("Discards:", "Discards: P1"), 'such as "Discards: G1 W2", found "Discards: P1'),
    (lambda: with_state("Discards:", "Discards:\nmore"), 'such as "Discards: G1 W2", found "more'),
    (lambda: with_state("Hands:\n", "Hands:\n-----\n-----\n-----\n"), "6 hands, but there can be 2 to 5"),
    (lambda: with_state("Life tokens: 3", "Life tokens: 2"), "no move leads from the state of turn 3"),
    (lambda: with_state("Life tokens: 3", "Life tokens: 4", 0), "not the beginning of a game"),
    (lambda: change("players", 4), "players is 4, but the state shows 3"),
    (lambda: change("current_player", 1), "current_player is 1, but the state shows 0"),
    (lambda: change("deck_size", 3), "deck_size is 3, but the state shows"),
    (lambda: change("players", 6), "not a row of HanabiLogs: Expected `int` <= 5 - at `$.players`"),
    (lambda: change("seed", "7"), "Expected `int`, got `str` - at `$.seed`"),
    (lambda: change("seed", 2**70), "not a row of HanabiLogs"),
    (lambda: change("turn_number", None), "at `$.turn_number`"),
    (lambda: change("turn_number", 10**9), "at `$.turn_number`"),
    (lambda: change("model_name", "m" * 300), "at `$.model_name`"),
    (lambda: change("legal_moves_description_for_llm", [1]), "at `$.legal_moves_description_for_llm`"),
    (
        lambda: change("legal_moves_description_for_llm", {"0": "(Play 9)", "1": "(Play 4)"}),
        "the legal moves",
    ),
    (lambda: change("response_content", {}), "at `$.response_content`"),
    (lambda: [*rows_of(made()), b"{"], "not a row of HanabiLogs: Input data was truncated"),
    (lambda: [*rows_of(made()), b"[" * 5000], "not a row of HanabiLogs"),
    (lambda: [*rows_of(made()), b"\xff"], "not a row of HanabiLogs"),
    (lambda: rows_of(made())[1:], "turn 2, which is not the beginning of a game"),
    (lambda: rows_of(made())[:5] + rows_of(made())[6:], "turn 6 is missing"),
    (lambda: rows_of(made())[:5] + rows_of(made())[4:], "the first row of this game is turn 5"),
    (lambda: rows_of(made())[:1] * 33, "33 rows for turn 1, but at most 32 games can be told apart"),
]


@pytest.mark.parametrize(("rows", "said"), BAD)
def test_rows_that_are_no_game(rows: Any, said: str) -> None:
    found = errors(rows())
    assert any(said in one for one in found), found
    assert all(one.startswith("f, line ") for one in found)


def test_a_gap_among_games_of_one_key() -> None:
    """Which of the two has the gap cannot be told where it begins after both end: neither is a game."""
    rows = rows_of(made())
    found = outcomes([*rows, *rows[:20], *rows[21:]])
    assert [one.actions == made().actions for one in found if isinstance(one, GameRecord)] == [True]
    both = outcomes([*rows[:20], *rows[21:], *rows[:20], *rows[21:]])
    assert not [one for one in both if isinstance(one, GameRecord)]


def test_one_row_twice_is_no_second_game() -> None:
    rows = rows_of(made())
    found = outcomes([*rows, rows[7]])
    assert [one.actions for one in found if isinstance(one, GameRecord)] == [made().actions]
    assert len(found) == 2


def test_a_file_of_other_texts_is_refused_in_a_line_a_game() -> None:
    rows = [{**row, "raw_game_state_before_move": "{'fireworks': {}}"} for row in rows_of(made())]
    [said] = errors(rows)
    assert said.startswith("f, line 1: game o3, seed 999: raw_game_state_before_move is not a state")


def test_games_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hanabi_logs, "_MOST_CHARACTERS", 5_000)
    found = outcomes(rows_of(made()))
    assert any("states and answers: the rest was not read" in str(one) for one in found)


@given(st.data())
def test_damaged_rows_are_errors(data: st.DataObject) -> None:
    rows: list[Any] = [json.dumps(row).encode() for row in rows_of(made(players=2))[:8]]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(rows) - 1))
        begin = data.draw(st.integers(0, len(rows[at])))
        end = begin + data.draw(st.integers(0, 12))
        rows[at] = rows[at][:begin] + data.draw(st.binary(max_size=6)) + rows[at][end:]
    for one in outcomes(rows):
        if isinstance(one, LogError):
            checked(one, "f")
        else:
            replay(one)


@given(st.text(max_size=80), st.integers(0, 700))
def test_any_text_is_a_state_or_an_error(noise: str, place: int) -> None:
    text = THEIRS[0]["rows"][9]["raw_game_state_before_move"]
    for one in (noise, text[:place] + noise + text[place:], text[:place] + noise):
        with suppress(LogError):
            state_of(one)
        move_text(one)
        move_named(one, LEGAL)


# --- with the rest of the package -------------------------------------------------------------------------


def test_they_are_recognised_and_stored(tmp_path: Path) -> None:
    rows = [row for game in THEIRS for row in game["rows"]]
    path = tmp_path / "Hanabi_mincon_nonreasoning.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert format_of(path.read_bytes()[:4096]).name == "hanabi-logs"
    with connect() as db:
        db.ingest(path)
        found = db.games().select("source", "score").rows()
    assert sorted(found) == sorted(("HanabiLogs", game["score"]) for game in THEIRS)
