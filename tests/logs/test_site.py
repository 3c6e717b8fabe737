"""Addresses of games on hanab.live, against links that others made and a decoder of the site's format."""

from __future__ import annotations

import pytest

from hanalyze import replay
from hanalyze.agents import simulate
from hanalyze.decks import deck
from hanalyze.game.actions import Action
from hanalyze.game.cards import Card
from hanalyze.logs.formats.share_strings import compact
from hanalyze.logs.record import GameRecord, Options
from hanalyze.logs.sources.site import compact_address, numbered_address
from tests.site_strings import expanded

# Links to hanab.live as they were published, with the seeds of their decks. Both were made by programs that
# give plays and discards a value of 0.
PUBLISHED = {
    "p4v0s1": "415ifirpxqufunsxcwgc-tbokayavlbjdgwqvekus-pdfanhhmkrpml,03tdeh-sbxckceeeisbkdeg1bep-"
    "edodeleufaerxaexwdez-fjgcfbffeswaeywcf5en-fvfqe2eo1bgce7emf3f4-ewf0tctdeHeIecocekkb-obe1fJf8f6et,0",
    "p4v0s10": "415howrnrhjibpqadkaq-glbsvtsfvpnulfyxumcc-kxeiwkagpufdm,02fcla-dkdpoblddqdolcefdsob-"
    "ddduejdtidicdydrdwrc-,0",
}


@pytest.mark.parametrize("seed", PUBLISHED)
def test_published_links(seed: str) -> None:
    theirs = PUBLISHED[seed]
    record = expanded(theirs)
    assert record.deck == list(deck(seed))
    assert not replay(record).defects
    ours = compact(record)
    assert ours is not None
    assert ours.split(",")[0] == theirs.split(",")[0]
    assert ours.rsplit(",", 1)[1] == "0"
    assert expanded(ours) == record
    assert all(len(line) == 20 for line in ours.split("-")[:-1])


@pytest.mark.parametrize(
    ("players", "variant"), [(2, "No Variant"), (6, "Up or Down (6 Suits)"), (5, "6 Suits")]
)
def test_there_and_back(players: int, variant: str) -> None:
    for record in simulate("cautious", players=players, variant=variant, games=3, seed=1):
        played = replay(record)
        text = compact(record, played.deck)
        assert text is not None
        again = expanded(text)
        assert again.deck == list(played.deck)
        assert again.actions == record.actions
        assert len(again.players) == players


PLAIN = next(iter(simulate("cautious", players=2, games=1, seed=5)))
NOT_THERE = [
    ({"edition": "abacus"}, "other rules"),
    ({"options": Options(starting_player=1)}, "an option that is lost"),
    ({"options": Options(empty_clues=True)}, "an option that is lost"),
    ({"variant": "R+G+B,TH"}, "a variant that the site does not have"),
    ({"deck": None}, "no deck"),
    ({"deck": [Card(0, 2), Card(0, 3)]}, "no card of rank 1: the site would read other ranks"),
    ({"actions": [Action(9, 0, 0)]}, "a kind that the site does not have"),
    ({"actions": [Action(0, 70, 0)]}, "no letter for it"),
    ({"players": ("A",)}, "one player"),
]


@pytest.mark.parametrize(("changed", "comment"), NOT_THERE)
def test_games_that_have_no_string(changed: dict[str, object], comment: str) -> None:
    cards = list(replay(PLAIN).deck)
    fields = {name: getattr(PLAIN, name) for name in ("players", "actions", "variant", "options", "edition")}
    assert compact_address(GameRecord(**{**fields, "deck": cards})) is not None
    assert compact_address(GameRecord(**{**fields, "deck": cards, **changed})) is None, comment


def test_options_that_change_no_move_and_ends_by_hand() -> None:
    cards = list(replay(PLAIN).deck)
    timed = Options(timed=True, time_base=120, card_cycle=True)
    record = GameRecord(
        players=("A", "B"), deck=cards, options=timed, actions=[*PLAIN.actions[:5], Action(4, 0, 4)]
    )
    text = compact(record)
    assert text is not None
    assert expanded(text).actions == PLAIN.actions[:5]


def test_numbers() -> None:
    assert numbered_address(123, "hanab.live export") == "https://hanab.live/replay/123"
    assert numbered_address(None, "hanab.live") is None
    assert numbered_address(123, "HanabiData") is None
