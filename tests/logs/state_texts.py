"""Rows of HanabiLogs made from games: a slow second writing of the Hanabi Learning Environment's texts.

In: a game with its deck and actions. Out: the rows of its turns. What holders were told is kept card by card,
as objects that change; nothing of the package is used but the record.
"""

from __future__ import annotations

from typing import Any

from hanalyze.logs.record import GameRecord

COLOURS = "RYGWB"


class Held:
    """A card in a hand and what its holder was told."""

    def __init__(self, suit: int, rank: int) -> None:
        self.suit, self.rank = suit, rank
        self.told_suit: int | None = None
        self.told_rank: int | None = None
        self.suits = set(range(5))
        self.ranks = set(range(1, 6))

    def name(self) -> str:
        return f"{COLOURS[self.suit]}{self.rank}"

    def line(self) -> str:
        told = "X" if self.told_suit is None else COLOURS[self.told_suit]
        told += "X" if self.told_rank is None else str(self.told_rank)
        allowed = "".join(COLOURS[suit] for suit in sorted(self.suits)) + "".join(
            map(str, sorted(self.ranks))
        )
        return f"{self.name()} || {told}|{allowed}"


def rows_of(
    record: GameRecord, model: str = "o3", seed: int = 999, first_turn: int = 1
) -> list[dict[str, Any]]:
    """Return a row per action of a game that has its deck; each answer names the move's number as JSON."""
    players = len(record.players)
    size = 5 if players < 4 else 4
    deck = [Held(suit, rank) for suit, rank in record.deck or ()]
    dealt, deck = deck[: players * size], deck[players * size :]
    order_of = {id(card): order for order, card in enumerate([*dealt, *deck])}
    hands = [dealt[seat * size : (seat + 1) * size] for seat in range(players)]
    stacks, lives, tokens = [0] * 5, 3, 8
    discards: list[Held] = []
    rows = []
    for turn, (kind, target, value) in enumerate(record.actions):
        seat = (record.options.starting_player + turn) % players
        legal = legal_moves(hands, seat, tokens)
        if kind < 2:
            [place] = [at for at, card in enumerate(hands[seat]) if order_of[id(card)] == target]
            done = f"({'Discard' if kind else 'Play'} {place})"
        elif kind == 2:
            done = f"(Reveal player +{(target - seat) % players} color {COLOURS[value]})"
        else:
            done = f"(Reveal player +{(target - seat) % players} rank {value})"
        rows.append(
            {
                "model_name": model,
                "players": players,
                "seed": seed,
                "turn_number": first_turn + turn,
                "current_player": seat,
                "raw_game_state_before_move": text(hands, seat, stacks, lives, tokens, len(deck), discards),
                "deck_size": len(deck),
                "user_prompt": 'Return {"reason": string, "action": int}',
                "response_content": f'{{"reason": "turn {turn + 1}", "action": {legal.index(done)}}}',
                "legal_moves_description_for_llm": {str(number): one for number, one in enumerate(legal)},
            }
        )
        if kind < 2:
            card = hands[seat].pop(place)
            if kind == 1:
                tokens += 1
                discards.append(card)
            elif stacks[card.suit] == card.rank - 1:
                stacks[card.suit] += 1
                tokens += card.rank == 5 and tokens < 8
            else:
                lives -= 1
                discards.append(card)
            hands[seat] += deck[:1]
            del deck[:1]
            continue
        tokens -= 1
        for card in hands[target]:
            if kind == 2 and card.suit == value:
                card.told_suit, card.suits = value, {value}
            elif kind == 2:
                card.suits.discard(value)
            elif card.rank == value:
                card.told_rank, card.ranks = value, {value}
            else:
                card.ranks.discard(value)
    return rows


def legal_moves(hands: list[list[Held]], seat: int, tokens: int) -> list[str]:
    """Return the legal moves in the library's order."""
    places = range(len(hands[seat]))
    moves = [f"(Discard {place})" for place in places if tokens < 8] + [f"(Play {place})" for place in places]
    others = [(ahead, hands[(seat + ahead) % len(hands)]) for ahead in range(1, len(hands)) if tokens]
    for ahead, hand in others:
        suits = sorted({card.suit for card in hand})
        moves += [f"(Reveal player +{ahead} color {COLOURS[suit]})" for suit in suits]
    for ahead, hand in others:
        moves += [f"(Reveal player +{ahead} rank {rank})" for rank in sorted({card.rank for card in hand})]
    return moves


def text(
    hands: list[list[Held]],
    seat: int,
    stacks: list[int],
    lives: int,
    tokens: int,
    deck: int,
    discards: list[Held],
) -> str:
    """Return what the library prints of a state."""
    shown = f"Life tokens: {lives}\nInfo tokens: {tokens}\nFireworks: "
    shown += (
        "".join(f"{colour}{height} " for colour, height in zip(COLOURS, stacks, strict=True)) + "\nHands:\n"
    )
    for number, hand in enumerate(hands):
        shown += ("-----\n" if number else "") + ("Cur player\n" if number == seat else "")
        shown += "".join(card.line() + "\n" for card in hand)
    return f"{shown}Deck size: {deck}\nDiscards:" + "".join(f" {card.name()}" for card in discards)
