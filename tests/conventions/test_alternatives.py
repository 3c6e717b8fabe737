"""Explanations of clues that call cards which nobody shows us: the shortest counts, longer ones are kept.

In: four players, seat 0 with a hidden hand, as a log tells it that one of the players has written. Out: that
a clue is read which needs what only the longer explanation of an earlier one calls, and not without that one;
that a clue to a copy of what is called refutes the call; that a blind play of another card than the missing
one goes on.

Stacks g1. B clues 3 to A's oldest card: it is g3 if A's slot 1 is g2, or y3 if that is y1 and C has y2.
"""

from __future__ import annotations

from typing import Any

import pytest

from hanalyze.conventions.steps import BUILT_UPON, PLAIN, UNEXPLAINED, Chain, is_deep, weight_of
from hanalyze.game.meanings import Convention
from tests.conventions.cases import Read, read_sequence

A = ["xx", "xx", "xx", "xx"]
B = ["p4", "y4", "b3", "r4"]
D = ["b3", "r3", "p1", "p3"]
THREE: list[Any] = ["rank", 3, 1, 1]


def position(
    turn: int, hands: list[list[str]], orders: list[list[int]], discards: list[str]
) -> dict[str, Any]:
    """Return a position; A's oldest card is clued 3 from turn 2 on."""
    return {
        "turn": turn,
        "to_move": turn % 4,
        "play_stacks": [0, 0, 1, 0, 0],
        "clue_tokens": 6,
        "strikes": 0,
        "cards_left": 33 - len(discards),
        "early_game": not discards,
        "discards": discards,
        "hands": [
            [
                {"order": order, "id": name, "clues": [THREE] if order == 0 and turn > 1 else []}
                for order, name in zip(hand_orders, hand, strict=True)
            ]
            for hand_orders, hand in zip(orders, hands, strict=True)
        ],
    }


def reads(c: list[str], drawn: str) -> list[Read]:
    """Read: B clues 3 to A, C discards and draws, D clues yellow to B."""
    orders = [[3 + 4 * seat - i for i in range(4)] for seat in range(4)]
    later = [*orders[:2], [17, *orders[2][:3]], orders[3]]
    shared = {"level": 2, "label": "", "tags": [], "later_identities": {}}
    clue = {"k": "rank", "v": 3}
    first = {"type": "clue", "clue": clue, "target": 0, "list": [0]}
    discard = {"type": "discard", "order": 8, "suitIndex": "rygbp".index(c[3][0]), "rank": int(c[3][1])}
    last = {"type": "clue", "clue": {"k": "color", "v": "y"}, "target": 1, "list": [6]}
    cases = [
        {"case": "own#0", "position": position(1, [A, B, c, D], orders, []), "action": first},
        {"case": "own#1", "position": position(2, [A, B, c, D], orders, []), "action": discard},
        {
            "case": "own#2",
            "position": position(3, [A, B, [drawn, *c[:3]], D], later, [c[3]]),
            "action": last,
        },
    ]
    return list(read_sequence([{**shared, **case} for case in cases]))


def test_a_clue_builds_on_what_a_longer_explanation_calls() -> None:
    clue, _, yellow = reads(["y2", "b4", "r2", "g4"], "r4")
    assert clue.found[0] is Convention.SELF_FINESSE
    assert clue.cards == (3,)
    assert yellow.found[0] is Convention.PROMPT
    assert yellow.cards == (0,)


def test_without_the_card_that_it_needs_nothing_is_kept() -> None:
    """Then y2 can only be the next of A's own cards, which nobody shows us."""
    clue, _, yellow = reads(["b2", "b4", "r2", "g4"], "r4")
    assert clue.found[0] is Convention.SELF_FINESSE
    assert yellow.found[0] is Convention.PROMPT_FINESSE
    assert 2 in yellow.cards


def test_off_the_finesse_position_it_is_not_called() -> None:
    _, _, yellow = reads(["b4", "y2", "r2", "g4"], "r4")
    assert yellow.found[0] is Convention.PROMPT_FINESSE


@pytest.mark.parametrize(("giver", "meaning"), [(3, Convention.REVERSE_FINESSE), (0, Convention.UNEXPLAINED)])
def test_a_clue_to_a_copy_refutes_the_call_of_a_card_that_its_giver_sees(
    giver: int, meaning: Convention
) -> None:
    """B's 4 calls C's g2, then A's slot 1 as g3. D, who sees A's hand, clues B's g3; or A, who does not."""
    hands = [A, ["p4", "g3", "b3", "r4"], ["g2", "b4", "r2", "p4"], D]
    orders = [[3 + 4 * seat - i for i in range(4)] for seat in range(4)]
    start, later = position(1, hands, orders, []), position(giver or 4, hands, orders, [])
    later["hands"][0][-1]["clues"] = [["rank", 4, 1, 1]]
    four = {"type": "clue", "clue": {"k": "rank", "v": 4}, "target": 0, "list": [0]}
    green = {"type": "clue", "clue": {"k": "color", "v": "g"}, "target": 1, "list": [6]}
    shared = {"level": 2, "label": "", "tags": [], "later_identities": {}}
    called, clue = read_sequence(
        [
            {"case": "copy#0", "position": start, "action": four, **shared},
            {"case": "copy#1", "position": later, "action": green, **shared},
        ]
    )
    assert called.cards == (11, 3)
    assert clue.found[0] is meaning


@pytest.mark.parametrize(
    ("prompts", "blind", "layers", "hidden", "deep"),
    [
        (0, 0, 0, 0, False),
        (2, 0, 0, 0, False),
        (0, 1, 0, 0, False),
        (0, 2, 0, 0, False),
        (1, 1, 0, 1, False),
        (0, 1, 1, 0, False),
        (0, 1, 2, 0, True),
        (0, 2, 1, 1, True),
        (0, 4, 0, 0, True),
    ],
)
def test_what_is_deep(prompts: int, blind: int, layers: int, hidden: int, deep: bool) -> None:
    chain = Chain()
    chain.prompts, chain.blind, chain.layers, chain.hidden_prompts = prompts, blind, layers, hidden
    assert is_deep(chain) == deep


def test_every_step_takes_something_from_the_weight() -> None:
    weights = []
    for blind in range(8):
        chain = Chain()
        chain.blind = blind
        weights.append(weight_of(chain))
    assert weights[0] == PLAIN
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > weights[1] > weights[2] >= BUILT_UPON > UNEXPLAINED > 0
    assert weights[-1] > 0


def blind_plays(level: int) -> list[Read]:
    """Read: D clues yellow to B's y2, A plays p1 from slot 1, then p2 from the slot next to it."""
    hands = [A, ["r4", "y2", "b3", "r4"], ["b4", "g4", "r3", "g3"], D]
    orders = [[3 + 4 * seat - i for i in range(4)] for seat in range(4)]
    drawn = [[16, 2, 1, 0], *orders[1:]]
    start, played = position(3, hands, orders, []), position(4, hands, orders, [])
    later = position(8, hands, drawn, [])
    for one, purple in ((start, 0), (played, 0), (later, 1)):
        one["play_stacks"] = [0, 0, 0, 0, purple]
        one["hands"][0][-1]["clues"] = []
    for one in (played, later):
        one["hands"][1][1]["clues"] = [["color", "y", 3, 3]]
    clue = {"type": "clue", "clue": {"k": "color", "v": "y"}, "target": 1, "list": [6]}
    plays = [
        {"type": "play", "order": order, "suitIndex": 4, "rank": rank} for order, rank in ((3, 1), (2, 2))
    ]
    shared = {"level": level, "label": "", "tags": [], "later_identities": {}}
    moves = zip((start, played, later), (clue, *plays), strict=True)
    return list(
        read_sequence(
            [
                {"case": f"blind#{i}", "position": one, "action": move, **shared}
                for i, (one, move) in enumerate(moves)
            ]
        )
    )


def test_a_blind_play_of_another_card_goes_on() -> None:
    clue, first, second = blind_plays(5)
    assert clue.found[0] is Convention.FINESSE
    assert clue.cards == (3,)
    assert first.found[0] is second.found[0] is Convention.BLIND_PLAY


def test_no_card_lies_in_front_below_level_5() -> None:
    _, first, second = blind_plays(4)
    assert first.found[0] is Convention.BLIND_PLAY
    assert second.found[0] is Convention.PLAIN_PLAY
