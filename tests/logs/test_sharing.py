"""The strings by which games are shared: both ways, against links that others made and against damage."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from hanalyze import replay
from hanalyze.agents import simulate
from hanalyze.errors import LogError
from hanalyze.logs.formats.share_strings import NAMES, compact, expand, is_compact, to_line
from hanalyze.logs.record import Options
from tests.logs.test_site import PUBLISHED
from tests.site_strings import expanded


@pytest.mark.parametrize("text", PUBLISHED.values())
def test_published_strings_are_read_as_the_site_reads_them(text: str) -> None:
    theirs = expanded(text)
    ours = expand(text)
    assert (ours.deck, ours.actions, ours.variant) == (theirs.deck, theirs.actions, theirs.variant)
    assert ours.players == NAMES[: len(theirs.players)]
    assert not replay(ours).defects


@pytest.mark.parametrize(
    ("players", "variant"),
    [(2, "No Variant"), (6, "Up or Down (6 Suits)"), (3, "Clue Starved (5 Suits)"), (5, "6 Suits")],
)
def test_there_and_back_is_the_identity(players: int, variant: str) -> None:
    for record in simulate("cautious", players=players, variant=variant, games=5, seed=2):
        text = compact(record, replay(record).deck)
        assert text is not None
        assert is_compact(text)
        again = expand(text)
        assert (again.deck, again.actions, again.variant) == (
            list(replay(record).deck),
            record.actions,
            record.variant,
        )
        assert compact(again) == text


def test_what_a_string_cannot_store_is_named() -> None:
    [record] = simulate("cautious", players=2, games=1, seed=2, options=Options(deck_plays=True))
    with pytest.raises(LogError, match="cannot store the option deck plays"):
        to_line(record)
    other = replace(record, options=Options(), edition="abacus")
    with pytest.raises(LogError, match='cannot store the rules "abacus"'):
        to_line(other)


SOUND = "415ifirpxqufunsxcwgctbokayavlbjdgwqvekuspdfanhhmkrpml,03tdehsbxckc,0"
DAMAGED = [
    ("415ifirp", "not 1", "cut off within the deck"),
    (SOUND.rpartition(",")[0], "not 2", "the variant is missing"),
    (SOUND + ",1", "not 4", "something follows"),
    ("915" + SOUND[3:], "cannot be players and ranks", "nine players"),
    ("451" + SOUND[3:], "cannot be players and ranks", "the highest rank is below the lowest"),
    ("4" + SOUND[3:], "3 digits", "the ranks are missing"),
    (SOUND.replace(",03", ",05"), "cannot be kinds", "a kind of action that does not exist"),
    (SOUND.replace(",03", ",30"), "cannot be kinds", "the kinds in the wrong order"),
    (SOUND.replace("ckc,", "ck,"), "cut off", "an odd number of letters"),
    (SOUND.replace("ifir", "if_r"), '"_" is not a valid', "a letter that is none"),
    (SOUND.replace(",03td", ",03cd"), "turn 1", "a clue without its value"),
    (SOUND[:-1] + "99999", "no variant", "a variant that the site does not have"),
    (SOUND[:-1] + "x", "no variant", "no number"),
    (SOUND[:-1] + "9" * 5000, "no variant", "a number that is too long to be one"),
]


@pytest.mark.parametrize(("text", "said", "comment"), DAMAGED)
def test_damage_is_said(text: str, said: str, comment: str) -> None:
    with pytest.raises(LogError) as found:
        expand(text)
    assert found.value.rule == "bad_share_string", comment
    assert said in str(found.value), comment
    assert len(str(found.value)) < 200


@given(st.text("abcXYZ0159,-é_", max_size=60))
def test_any_text_is_a_game_or_one_error(text: str) -> None:
    rules = set()
    try:
        players = len(expand(text).players)
    except LogError as error:
        rules.add(error.rule)
        players = 2
    assert rules <= {"bad_share_string"}
    assert 2 <= players <= 6
