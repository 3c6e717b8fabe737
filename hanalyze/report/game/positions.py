"""Names, positions, actions and lines of moves as plain values for a game's page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Final

from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import rank_letter
from hanalyze.game.names import colour_names
from hanalyze.logs.sources.site import compact_address, numbered_address
from hanalyze.position import Position
from hanalyze.replaying import Replay
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.theme import suit_styles
from hanalyze.solver.solving import Line
from hanalyze.words import GameNames


class Names(GameNames):
    """Names in a game, with the styles of its suits and clue colours."""

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay.variant, replay.suit_names, replay.record.players)
        self.suit_styles = suit_styles(self.suits)
        self.colour_styles = suit_styles(colour_names(self.variant, self.suits))

    def suit_values(self) -> list[dict[str, Any]]:
        """Return the letter, name, shape and copies by rank of each suit."""
        of_suits = zip(self.letters, self.suits, self.suit_styles, self.variant.copies, strict=True)
        return [
            {
                "letter": letter.upper(),
                "name": name,
                "shape": style.shape,
                "copies": {rank_letter(rank): n for rank, n in zip(self.variant.ranks, copies, strict=True)},
            }
            for letter, name, style, copies in of_suits
        ]

    def clue_values(self) -> list[list[dict[str, Any]]]:
        """Return the clues shown as chips under each card, in two rows: colours and ranks.

        `value` is the clue value in the log; `colour` is the index in the styles of clue colours. If players
        cannot distinguish some clues, one entry represents all of these, with the value None. `touch` is the
        mask of the identities that the clue touches.
        """
        if self.variant.duck:
            return [[{"value": None, "letter": "D", "name": "a clue"}], []]
        if self.variant.cow_and_pig:
            return [
                [{"value": None, "letter": "C", "name": "a colour"}],
                [{"value": None, "letter": "R", "name": "a rank"}],
            ]
        of_colours = zip(self.colour_letters, self.colours, self.variant.colour_touch, strict=True)
        colours = [
            {"value": value, "letter": letter.upper(), "name": name, "touch": int(touch), "colour": value}
            for value, (letter, name, touch) in enumerate(of_colours)
        ]
        of_ranks = zip(self.variant.clue_ranks, self.variant.rank_touch, strict=True)
        names = [(rank, self.clue_name(ActionKind.RANK_CLUE, rank), touch) for rank, touch in of_ranks]
        ranks = [
            {"value": rank, "letter": name[:1].upper(), "name": name, "touch": int(touch)}
            for rank, name, touch in names
        ]
        return [colours, ranks]

    def clue_place(self, kind: int, value: int) -> tuple[int, int]:
        """Return the row and the index in `clue_values` of a clue in the log."""
        row = 0 if kind == ActionKind.COLOUR_CLUE else 1
        if self.variant.duck:
            return 0, 0
        if self.variant.cow_and_pig:
            return row, 0
        return row, value if row == 0 else self.variant.clue_ranks.index(value)


_LISTS: Final = ("hands", "stacks")
"""Values of a position that are indexed by seat or suit."""


def position_row(state: Position) -> Row:
    """Return a position as plain values; sets of identities are masks."""
    needs = state.future_efficiency
    return {
        **_line_row(state),
        "known": [[cards.mask for cards in hand] for hand in state.possible],
        "unseen": [[cards.mask for cards in sets] for sets in state.unseen],
        "odds": [
            [[round(chance, 4) for chance in odds] for odds in state.odds(seat)]
            for seat in range(len(state.hands))
        ],
        "needed": state.needed.mask,
        "gotten": state.cards_gotten,
        "lost": state.clues_lost,
        "needs": None if needs is None else round(needs, 4),
    }


def _line_row(state: Position) -> Row:
    """Return the values of a position that change along a line."""
    return {
        "seat": state.seat,
        "hands": [[card.order for card in hand] for hand in state.hands],
        "playable": state.playable.mask,
        "critical": state.critical.mask,
        "tokens": state.clue_tokens,
        "strikes": state.strikes,
        "deck": state.deck,
        "score": state.score,
        "max": state.max_score,
        "pace": state.pace,
        "stacks": [[card.rank for card in stack] for stack in state.stacks],
    }


def action_row(replay: Replay, names: Names, row: Row, hands: list[list[int]], turn: int) -> Row:
    """Return the action of a turn as plain values; cards are orders. `hands` are those before the action."""
    kind, target, value = replay.record.actions[turn]
    if kind in (ActionKind.PLAY, ActionKind.DISCARD):
        return {
            "kind": "play" if kind == ActionKind.PLAY else "discard",
            "result": row["result"],
            "order": target,
            "slot": row["slot"],
            "drawn": row["drawn"],
        }
    if kind in (ActionKind.COLOUR_CLUE, ActionKind.RANK_CLUE):
        place = names.clue_place(kind, value)
        hand = hands[target]
        slots = row["touched_slots"]
        touched = [order for i, order in enumerate(hand) if slots >> (len(hand) - 1 - i) & 1]
        return {
            "kind": "clue",
            "to": target,
            "clue": list(place),
            "meant": names.clue_name(kind, value),
            "touched": touched,
            "missed": [order for order in hand if order not in touched],
        }
    return {"kind": "end", "seat": target if 0 <= target < len(names.players) else None}


def board_rows(
    replay: Replay, names: Names, states: Sequence[Position], discards: Iterable[int] = ()
) -> tuple[list[Row], list[Row]]:
    """Return positions as plain values, each with its discards, and the actions between them.

    Discards are given as the orders of discarded and misplayed cards; `discards` are those before the first
    position.
    """
    rows = list(replay.facts())
    positions: list[Row] = []
    actions: list[Row] = []
    pile = list(discards)
    for state in states:
        if positions:
            turn = state.turn - 1
            actions.append(action_row(replay, names, rows[turn], positions[-1]["hands"], turn))
            if actions[-1]["kind"] in ("play", "discard") and rows[turn]["result"] != "played":
                pile.append(actions[-1]["order"])
        positions.append({**position_row(state), "discards": list(pile)})
    return positions, actions


def site_address(replay: Replay) -> str | None:
    """Return the address on hanab.live by number, else with the encoded game.

    None if a game without a number there has defects or cannot be encoded.
    """
    number = numbered_address(replay.record.id, replay.record.source)
    return number if number or replay.defects else compact_address(replay.record, replay.deck)


def line_steps(line: Line, names: Names) -> list[list[Row]]:
    """Return each move of a line as its action and the values of the position that the action changed.

    `hands` has only the changed hands, by seat; `stacks` has only the changed stacks, by suit. `discards` is
    the order of the card discarded or misplayed, if any.
    """
    replay = line.replay()
    rows = [row for row in replay.facts() if row["turn"] >= line.turn]
    positions = [_line_row(state) for state in replay.positions(line.turn)]
    steps = []
    for row, (before, after) in zip(rows, pairwise(positions), strict=True):
        action = action_row(replay, names, row, before["hands"], row["turn"])
        change: dict[str, Any] = {name: new for name, new in after.items() if before[name] != new}
        for name in [name for name in _LISTS if name in change]:
            both = enumerate(zip(before[name], after[name], strict=True))
            change[name] = {place: new for place, (old, new) in both if old != new}
        if row["result"] in ("discarded", "misplayed"):
            change["discards"] = action["order"]
        steps.append([action, change])
    return steps
