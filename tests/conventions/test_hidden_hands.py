"""What a player makes of an action, whose own hand is hidden: positions of the tables, one hand unseen.

In: the judged action of a position, read while the hand of one player is hidden. Out: that its convention is
the one that this player takes it for; the comment of the position says why, unless there is one here.
"""

from __future__ import annotations

import pytest

from hanalyze.agents.viewpoints import Room, hide, show
from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_clue, read_leaving, touched_mask
from hanalyze.conventions.rows import FINDING, room_for
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.meanings import Convention
from tests.conventions.positions import game, positions

BY_NAME = {position.name: position for position in positions()}


def read_without(name: str, player: str) -> str:
    """Return the convention of the judged action of a position, while the hand of a player is hidden."""
    position = BY_NAME[name]
    laid = game(position)
    hidden = 1 << laid.seat(player)
    record = laid.record
    batch = make_batch(deal_records([record])).laid_out(fast=False)
    running, state, rows = Game(), ConventionState(), room_for(4 * len(record.actions) + 4)
    room = Room()
    start_game(running, batch, 0)
    begin(running, state, position.level)
    for index in range(laid.turn + 1):
        next_action(running, batch, index)
        kind, target, value = running.action.kind, running.action.target, running.action.value
        is_clue = kind in (COLOUR_CLUE, RANK_CLUE)
        touched = touched_mask(running, target, kind, value) if is_clue else 0
        read_hands(running)
        hide(running, room, hidden, -1 if is_clue else target)
        begin_turn(running, state)
        find_opportunities(running, state)
        row = state.row
        if is_clue:
            read_clue(running, state, rows, kind, target, value, touched)
        else:
            read_leaving(running, state, rows, kind, target)
        show(running, room, hidden)
        apply_action(running, kind, target, value)
    return Convention(int(rows.findings[FINDING.convention, row])).label


@pytest.mark.parametrize(
    ("name", "player", "convention"),
    [
        # The own clued card is played before a finesse of a later player, but not if the card is clued there.
        ("prompt-goes-before-the-finesse-of-a-later-player", "B", "prompt"),
        ("reverse-finesse-behind-a-wrong-prompt", "C", "prompt"),
        ("self-finesse-not-past-a-wrong-prompt", "B", "prompt"),
        ("prompt-of-another-or-of-oneself-true-of-oneself", "B", "self_prompt"),
        # Who sees that the receiver's own cards explain the clue does not look for the card in the own hand.
        ("self-prompt", "C", "self_prompt"),
        ("self-prompt-four-players", "C", "self_prompt"),
        ("self-prompt-four-players", "D", "self_prompt"),
        ("self-finesse", "C", "self_finesse"),
        ("self-finesse-layered", "C", "layered_finesse"),
        # A colour clue would have touched the receiver's own card.
        ("retouch-without-a-finesse", "C", "unexplained"),
        # Nobody acts on a finesse but sees the card: it is the own one.
        ("ambiguous-finesse-passed-on", "C", "blind_play"),
        ("ambiguous-finesse-by-rank", "C", "blind_play"),
        ("two-holders-of-the-connector-the-second-plays", "D", "blind_play"),
        ("ambiguous-finesse-first-plays", "C", "plain_play"),
        # After the next player keeps what would have been a bluff, the card is the own one.
        ("truth-finesse-on-another-played", "C", "blind_play"),
        ("reverse-finesse-goes-before-a-bluff-played", "D", "blind_play"),
        # What the receiver learns of an own clued card decides whether the clue makes it playable.
        ("tempo-before-trash-chop-move", "B", "tempo_chop_move"),
        # A locked player, or one with all tokens, saves: no card is called.
        ("locked-hand-save-rank", "D", "locked_hand_save"),
        ("eight-clue-save", "C", "eight_clue_save"),
        # Four cards of one's own are too many.
        ("burn-early", "C", "burn"),
    ],
)
def test_a_player_reads_without_the_own_hand(name: str, player: str, convention: str) -> None:
    assert read_without(name, player) == convention
