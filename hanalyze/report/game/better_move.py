"""The better move of a turn, in words and as cards, which are drawn as the mover knew them."""

from __future__ import annotations

from typing import Any, Final

from hanalyze.conventions.classes import KEEPING, SAVES, is_any, set_of
from hanalyze.game.cards import Card, IdentitySet, card_named
from hanalyze.game.meanings import Convention
from hanalyze.report.game.evidence import convention_term, missed_calls
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.sentence_parts import Parts, capital, card, owner, seat
from hanalyze.report.game.verdict_context import VerdictContext, bits_of
from hanalyze.store.wording import better_parts
from hanalyze.words import listed, named_convention, seat_name

KEEPS: Final = (
    SAVES | KEEPING | set_of(Convention.FIVE_STALL, Convention.LOCKED_HAND_SAVE, Convention.EIGHT_CLUE_SAVE)
)
"""Conventions that protect a card but do not get a card played."""


def _card_named(game: VerdictContext, name: str | None) -> Card | None:
    return None if name is None else card_named(name, game.names.letters)


def page_parts(game: VerdictContext, at: int, database_parts: list[Any]) -> Parts:
    """Convert parts of a database sentence to page parts; cards get the orders that they may refer to."""
    players = game.names.players
    acted = game.actions[at].get("order")
    parts: Parts = []
    for one in database_parts:
        if isinstance(one, str):
            parts.append(one)
        elif one[0] == "seat":
            parts.append(seat(one[1]) if 0 <= one[1] < len(players) else seat_name(one[1], players))
        elif (identity := _card_named(game, one[1])) is None:
            parts.append(str(one[1]))
        elif acted is not None and game.replay.deck[acted] == identity:
            parts.append(card(identity, [acted]))
        else:
            parts.append(card(identity, _copies_in_hands(game, at, identity)))
    return parts


def _copies_in_hands(game: VerdictContext, at: int, identity: tuple[int, int]) -> list[int]:
    hands = game.positions[at]["hands"]
    return [order for hand in hands for order in hand if game.replay.deck[order] == identity]


def better_move(game: VerdictContext, at: int) -> Row | None:
    """Return the better move of a turn, from its first mark that has one; None if no mark has one."""
    row = next((mark for mark in game.mistakes.get(at, []) if mark["better_kind"]), None)
    if row is None:
        return None
    kind, giver = row["better_kind"], game.mover(at)
    place = _clue_place(game, row.get("better_clue"))
    clue = game.names.clue_values()[place[0]][place[1]] if place else None
    title = page_parts(game, at, better_parts(row))
    if kind == "clue" and place is not None and row["better_seat"] is not None:
        title = ["clue ", seat(row["better_seat"]), " ", {"clue": list(place)}]
    orders = _orders(game, at, row, clue)
    drawn = None
    if orders:
        holder = row["better_seat"] if kind == "clue" else giver
        drawn = {
            "seat": holder,
            "orders": orders,
            "tag": f"{kind}s" if kind != "clue" else clue["letter"] if clue else "clue",
            "label": _label(game, at, holder, orders, kind, clue["name"] if clue else ""),
            "cards": None if kind == "clue" else _as_known(game, at, giver),
        }
    return {"title": title, "text": _gain(game, at, row, orders), "drawn": drawn}


def _clue_place(game: VerdictContext, name: str | None) -> tuple[int, int] | None:
    for row, clues in enumerate(game.names.clue_values()):
        for place, clue in enumerate(clues):
            if name is not None and clue["name"].lower() == name.lower():
                return row, place
    return None


def _orders(game: VerdictContext, at: int, row: Row, clue: Row | None) -> list[int]:
    """Return the orders of the cards that the better move touches, plays or discards; empty if unknown."""
    kind, slot = row["better_kind"], row["better_slot"]
    holder = row["better_seat"] if kind == "clue" else game.mover(at)
    if holder is None or not 0 <= holder < len(game.names.players):
        return []
    hand = game.positions[at]["hands"][holder]
    if kind == "clue" and clue is not None:
        touch = IdentitySet(clue.get("touch", 0))
        return [order for order in hand if game.replay.deck[order] in touch]
    if kind == "clue" and (identity := _card_named(game, row["better_value"])) is not None:
        return [order for order in hand if game.replay.deck[order] == identity][:1]
    return [hand[-slot]] if slot is not None and 1 <= slot <= len(hand) else []


def _label(game: VerdictContext, at: int, holder: int, orders: list[int], kind: str, clue: str) -> Parts:
    """Describe a drawn hand for screen readers; `clue` is the name of the clue, "" if it has none."""
    hand = game.positions[at]["hands"][holder]
    slots = sorted(len(hand) - hand.index(order) for order in orders)
    named = f"slot{'' if len(slots) == 1 else 's'} {''.join(listed([str(one) for one in slots]))}"
    if kind != "clue":
        return [*owner(holder), f"hand, as known: {kind} {named}"]
    return [f"The clue {clue}".rstrip(), f" touches {named} of ", *owner(holder), "hand"]


def _as_known(game: VerdictContext, at: int, holder: int) -> list[list[Any]]:
    """Return [suit, rank, by call] for each slot, newest card first.

    An unknown suit or rank is None. `by call` is 1 if the holder knew the card only by a call, otherwise 0.
    """
    position, marks = game.positions[at], game.conventions.marks[at]
    hand = position["hands"][holder]
    drawn: list[list[Any]] = []
    for order in reversed(hand):
        mask = position["known"][holder][hand.index(order)]
        mark = marks.get(order)
        called = 0
        if mark is not None and mark.word == "called" and mark.turn >= 0:
            called = game.message_ids(mark.turn, order) & mask
        by_call = mask.bit_count() > 1 and called.bit_count() == 1
        cards = [divmod(bit, 8) for bit in bits_of(called if by_call else mask)]
        suits, ranks = {suit for suit, _ in cards}, {rank for _, rank in cards}
        drawn.append([*(next(iter(one)) if len(one) == 1 else None for one in (suits, ranks)), int(by_call)])
    return drawn


def _gain(game: VerdictContext, at: int, row: Row, orders: list[int]) -> Parts:
    """Return a sentence on what the better move achieves, such as its convention and its cards; or []."""
    parts: Parts = []
    names = [row["better_value"], *(row.get("better_gets") or ())] if row["better_kind"] == "clue" else []
    named = [_card_named(game, name) for name in dict.fromkeys(names)]
    gets = [card(one, _copies_in_hands(game, at, one)) for one in named if one is not None]
    convention = named_convention(row["better_convention"]) if row.get("better_convention") else None
    clue = ("clue", row["better_seat"], row.get("better_clue"))
    moves = [one.effect for one in row.get("moves", ()) if (one.kind, one.seat, one.clue) == clue]
    effect = moves[0] if moves else []
    if convention is None and effect and clue[2] is not None:
        others = [order for order in orders if game.replay.deck[order] != named[0]]
        besides = [", and touches ", *listed([game.card(order) for order in others])] if others else []
        return [*capital(page_parts(game, at, effect)), *besides, "."]
    if convention is not None:
        parts = capital([convention_term(convention)])
        if effect and effect[0] != f"{convention.words}: ":  # not only the cards
            [first, *rest] = page_parts(game, at, effect)
            return [*parts, str(first).removeprefix(convention.words), *rest, "."]
    if gets and convention is not None and is_any(convention, KEEPS):
        parts += [": keeps ", *listed(gets)]
    elif gets and (parts or row.get("better_gets")):
        parts += [": gets " if parts else "Gets ", *listed(gets)]
    for called in missed_calls(game, at).values() if row["better_kind"] == "play" else ():
        main = game.main(called)
        place = game.place(main["focus"], at) if main and main["focus"] is not None else None
        if main and place:
            return ["Then ", *owner(place[0]), game.card(main["focus"]), "."]
    return [*parts, "."] if parts else []
