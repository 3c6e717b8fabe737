"""The JSON of hanab.live: what is read, what is refused and how that is said, what is written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from hanalyze.errors import LogError, UnsupportedOption
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card
from hanalyze.logs import Character, GameRecord, Options, parse, to_json
from tests.logs.documents import BAD, GOOD, action, game
from tests.logs.problems import checked
from tests.logs.records import records
from tests.shared import golden

FULL = GameRecord(
    id=7,
    players=("Alice", "Bob"),
    deck=[Card(0, 1), Card(5, 7)],
    actions=[Action(ActionKind.PLAY, 0, 0), Action(ActionKind.COLOUR_CLUE, 1, 3)],
    variant="Rainbow (6 Suits)",
    options=Options(1, True, 120, 20, True, True, True, True, True, True, True, True),
    notes=(("f", ""), ()),
    characters=(Character("Fuming", 2), Character("Dumbfounded", -1)),
    seed="p2v1s7",
    edition="hanab-live",
    shuffle="hanab-live",
    score=24,
    source="hanab.live",
)


@given(records)
def test_a_record_survives_writing_and_reading(record):
    text = to_json(record)
    assert parse(text) == record
    assert to_json(parse(text)) == text


@pytest.mark.parametrize("name", ["real-3p", "variants"])
def test_golden_games_are_read_and_written_as_they_were(name):
    for line in golden(name):
        export = line["game"]
        record = parse(json.dumps(export).encode())
        assert record.name == str(export["id"])
        export.pop("_dataset_score", None)
        if export.get("options") == {"variant": "No Variant"}:
            del export["options"]
        assert json.loads(to_json(record)) == export


def test_keys_are_written_in_the_order_of_the_site():
    assert to_json(FULL).decode() == (
        '{"id":7,"players":["Alice","Bob"],"deck":[{"suitIndex":0,"rank":1},{"suitIndex":5,"rank":7}],'
        '"actions":[{"type":0,"target":0,"value":0},{"type":2,"target":1,"value":3}],'
        '"options":{"startingPlayer":1,"variant":"Rainbow (6 Suits)","timed":true,"timeBase":120,'
        '"timePerTurn":20,"speedrun":true,"cardCycle":true,"deckPlays":true,"emptyClues":true,'
        '"oneExtraCard":true,"oneLessCard":true,"allOrNothing":true,"detrimentalCharacters":true},'
        '"notes":[["f",""],[]],"characters":[{"name":"Fuming","metadata":2},'
        '{"name":"Dumbfounded","metadata":-1}],"seed":"p2v1s7",'
        '"edition":"hanab-live","shuffle":"hanab-live","score":24,"source":"hanab.live"}'
    )
    assert parse(to_json(FULL)) == FULL


def test_defaults_are_left_out():
    assert to_json(GameRecord(players=())) == b'{"players":[],"actions":[]}'
    # Another copy of the text must not count as another variant.
    copied = "".join(["No", " ", "Variant"])
    assert to_json(GameRecord(players=(), variant=copied)) == b'{"players":[],"actions":[]}'
    timed = GameRecord(players=(), variant=copied, options=Options(timed=True))
    assert to_json(timed) == b'{"players":[],"actions":[],"options":{"timed":true}}'


def test_what_is_missing_has_the_defaults_of_the_site():
    record = parse(game())
    assert record == GameRecord(players=("Alice", "Bob"))
    assert record.deck is None
    assert record.variant == "No Variant"
    assert record.options == Options(0, False, 0, 0, False, False, False, False, False, False, False, False)
    assert parse(game(b'"deck":null,"notes":null,"options":null')) == record
    assert parse(game(b'"deck":[]')).deck == []


def test_keys_beyond_the_standard():
    assert parse(game(b'"seed":42')).seed == "42"
    assert parse(game(b'"first_player":1')).options.starting_player == 1
    assert parse(game(b'"first_player":1,"options":{"startingPlayer":2}')).options.starting_player == 2
    assert parse(game(b'"id":1,"id":2')).id == 2
    assert parse(game(b'"_dataset_score":24')) == parse(game())
    assert parse(action(b'{"type":1,"target":9}')).actions[1] == Action(ActionKind.DISCARD, 9, 0)


def test_games_share_their_cards_and_actions():
    text = game(b'"deck":[{"suitIndex":3,"rank":5}]', actions=b'[{"type":2,"target":4,"value":5}]')
    first, second = parse(text), parse(text)
    assert first.deck[0] is second.deck[0]
    assert first.actions[0] is second.actions[0]
    assert type(first.deck[0]) is Card
    assert type(first.actions[0]) is Action


@pytest.mark.parametrize(("text", "comment"), GOOD, ids=[comment for _, comment in GOOD])
def test_accepted(text, comment):
    record = parse(text, file="games.jsonl", line=3)
    assert (record.file, record.line) == ("games.jsonl", 3)
    assert parse(to_json(record)) == record


@pytest.mark.parametrize(("text", "rule", "says", "comment"), BAD, ids=[comment for *_, comment in BAD])
def test_refused(text, rule, says, comment):
    with pytest.raises(LogError) as caught:
        parse(text, file="games.jsonl", line=3)
    error = checked(caught.value, "games.jsonl")
    assert error.rule == rule
    assert error.line == 3
    assert says in str(error)
    assert str(error).startswith("games.jsonl, line 3: ")


def test_an_error_names_the_game_where_it_can():
    def name(text):
        with pytest.raises(LogError) as caught:
            parse(text)
        return checked(caught.value, None).game

    assert name(game(b'"id":12,"seed":"p2v0s1","score":[]')) == "12"
    assert name(game(b'"id":null,"seed":"p2v0s1","score":[]')) == "p2v0s1"
    assert name(game(b'"id":{},"seed":"p2v0s1","score":[]')) == "p2v0s1"
    assert name(game(b'"seed":5,"score":[]')) == "5"
    assert name(game(b'"score":[]')) is None
    assert name(game(b'"id":12,"seed":"p2v0s1","score":')) is None


def test_an_unknown_option_is_a_field_of_its_error():
    with pytest.raises(UnsupportedOption) as caught:
        parse(game(b'"options":{"a` - at `$.b":1}'))
    assert caught.value.option == "a` - at `$.b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (game(b'"seed":"\\u001b]0;x\\u0007","score":[]'), "game \\x1b]0;x\\x07: score is [], not an integer"),
        (game(b'"seed":"a\\nb","score":[]'), "game a\\nb: score is [], not an integer"),
        (game(b'"score":"\\u202e\xe2\x80\xaeevil"'), 'score is "\\u202e\\u{202e}evil", not an integer'),
        (game(b'"score":\x1b[31m'), 'not JSON near byte 48: "score":\\x1b[31m}'),
    ],
)
def test_errors_print_what_strangers_wrote_escaped(text, shown):
    with pytest.raises(LogError) as caught:
        parse(text)
    assert str(checked(caught.value, None)) == shown


def test_text_that_cannot_be_written():
    with pytest.raises(LogError) as caught:
        to_json(GameRecord(players=("\ud800",), id=3, file="x", line=9))
    assert caught.value.rule == "bad_encoding"
    assert (
        str(checked(caught.value, "x"))
        == 'x, line 9: game 3: cannot be written: "\\ud800" is not valid Unicode'
    )


@given(records, st.data())
def test_a_damaged_game_is_read_or_refused_in_one_line(record, data):
    text = bytearray(to_json(record))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        if not text:
            break
    try:
        parse(bytes(text))
    except LogError as error:
        checked(error, None)


@given(records)
def test_a_game_cut_short_is_refused(record):
    text = to_json(record)
    for end in range(0, len(text), 7):
        with pytest.raises(LogError) as caught:
            parse(text[:end])
        assert checked(caught.value, None).rule in {"truncated", "bad_encoding"}
