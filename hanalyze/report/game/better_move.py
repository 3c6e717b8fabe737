"""The better move of a turn: in words, and as cards to draw, beside the verdict and on the board.

In: a `Case` and a row of `mistakes`. Out: a `Row` with `title`, `text` and `drawn`, the cards to draw and
those that the board shows. A hand of the player to move is drawn as that player knew it.
"""

from __future__ import annotations

from typing import Any, Final

from hanalyze.conventions.classes import KEEPING, SAVES, is_any, set_of
from hanalyze.game.cards import card_named
from hanalyze.game.meanings import Convention
from hanalyze.report.game.evidence import convention_term, missed_calls
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.sentence_parts import Parts, capital, card, owner, seat
from hanalyze.report.game.verdict_context import Case, bits_of
from hanalyze.store.wording import better_parts
from hanalyze.words import listed, named_convention, seat_name

KEEPS: Final = (
    SAVES | KEEPING | set_of(Convention.FIVE_STALL, Convention.LOCKED_HAND_SAVE, Convention.EIGHT_CLUE_SAVE)
)
"""What keeps a card in its hand, and gets none to be played."""


def named_card(case: Case, name: str | None) -> tuple[int, int] | None:
    """Return the card of a name in the database."""
    return None if name is None else card_named(name, case.replay.variant.letters)


def named_parts(case: Case, at: int, said: list[Any]) -> Parts:
    """Return parts of the database as parts of the page: cards with the cards in hands that they may be."""
    players = case.names.players
    acted = case.actions[at].get("order")
    parts: Parts = []
    for one in said:
        if isinstance(one, str):
            parts.append(one)
        elif one[0] == "seat":
            known = 0 <= one[1] < len(players)
            parts.append(seat(one[1]) if known else seat_name(one[1], players))
        elif (found := named_card(case, one[1])) is None:
            parts.append(str(one[1]))
        elif acted is not None and tuple(case.replay.deck[acted]) == tuple(found):
            parts.append(card(found, [acted]))
        else:
            parts.append(card(found, _held(case, at, found)))
    return parts


def _held(case: Case, at: int, what: tuple[int, int]) -> list[int]:
    hands = case.positions[at]["hands"]
    return [order for hand in hands for order in hand if tuple(case.replay.deck[order]) == tuple(what)]


def better_move(case: Case, at: int) -> Row | None:
    """Return the better move of a turn: that of its first mark that has one."""
    row = next((mark for mark in case.mistakes.get(at, []) if mark["better_kind"]), None)
    if row is None:
        return None
    kind, giver = row["better_kind"], case.mover(at)
    place = _clue_place(case, row.get("better_clue"))
    title = named_parts(case, at, better_parts(row))
    if kind == "clue" and place is not None and row["better_seat"] is not None:
        title = ["clue ", seat(row["better_seat"]), " ", {"clue": list(place)}]
    orders = _orders(case, at, row, place)
    drawn = None
    if orders:
        holder = row["better_seat"] if kind == "clue" else giver
        drawn = {
            "seat": holder,
            "orders": orders,
            "tag": _tag(case, kind, place),
            "label": _label(case, at, holder, orders, kind, place),
            "cards": None if kind == "clue" else _as_known(case, at, giver),
        }
    return {"title": title, "text": _gain(case, at, row), "drawn": drawn}


def _clue_place(case: Case, said: str | None) -> tuple[int, int] | None:
    """Return the row and place of a clue as the database says it: red, 3."""
    if said is None:
        return None
    for row, clues in enumerate(case.names.clue_values()):
        for place, clue in enumerate(clues):
            if clue["name"].lower() == said.lower():
                return row, place
    return None


def _orders(case: Case, at: int, row: Row, place: tuple[int, int] | None) -> list[int]:
    """Return the cards that the better move touches, none where there is no such card."""
    kind, slot = row["better_kind"], row["better_slot"]
    holder = row["better_seat"] if kind == "clue" else case.mover(at)
    if holder is None or not 0 <= holder < len(case.names.players):
        return []
    hand = case.positions[at]["hands"][holder]
    variant = case.replay.variant
    if kind == "clue" and place is not None:
        value = case.names.clue_values()[place[0]][place[1]]["value"]
        masks = variant.colour_touch if place[0] == 0 else variant.rank_touch
        touch = 0 if value is None else int(masks[place[1]])
        return [order for order in hand if touch >> _bit(case, order) & 1]
    if kind == "clue" and (what := named_card(case, row["better_value"])) is not None:
        return [order for order in hand if tuple(case.replay.deck[order]) == tuple(what)][:1]
    return [hand[-slot]] if slot is not None and 1 <= slot <= len(hand) else []


def _bit(case: Case, order: int) -> int:
    suit, rank = case.replay.deck[order]
    return suit * 8 + rank


def _tag(case: Case, kind: str, place: tuple[int, int] | None) -> str:
    if kind != "clue":
        return f"{kind}s"
    return case.names.clue_values()[place[0]][place[1]]["letter"] if place else "clue"


def _label(
    case: Case, at: int, holder: int, orders: list[int], kind: str, place: tuple[int, int] | None
) -> Parts:
    """Return a drawn hand in a sentence, for who does not see it."""
    hand = case.positions[at]["hands"][holder]
    slots = sorted(len(hand) - hand.index(order) for order in orders)
    listed_slots = "".join(map(str, listed([str(one) for one in slots])))
    named = f"slot{'' if len(slots) == 1 else 's'} {listed_slots}"
    if kind != "clue":
        return [*owner(holder), f"hand, as known: {kind} {named}"]
    clue = case.names.clue_values()[place[0]][place[1]]["name"] if place else ""
    return [f"The clue {clue}".rstrip(), f" touches {named} of ", *owner(holder), "hand"]


def _as_known(case: Case, at: int, holder: int) -> list[list[Any]]:
    """Return by slot what the holder knew: suit and rank, None for unknown, and whether only by a call."""
    position, marks = case.positions[at], case.reading.marks[at]
    hand = position["hands"][holder]
    drawn: list[list[Any]] = []
    for order in reversed(hand):
        mask = position["known"][holder][hand.index(order)]
        mark = marks.get(order)
        told = 0
        if mark is not None and mark.word == "called" and mark.turn >= 0:
            lines = [
                one for one in case.reading.messages[mark.turn] if one.order == order and one.holder_knows
            ]
            told = lines[0].identities & mask if lines else 0
        by_call = mask.bit_count() > 1 and told.bit_count() == 1
        cards = [divmod(bit, 8) for bit in bits_of(told if by_call else mask)]
        suits, ranks = {suit for suit, _ in cards}, {rank for _, rank in cards}
        drawn.append(
            [
                *(next(iter(one)) if len(one) == 1 else None for one in (suits, ranks)),
                int(by_call),
            ]
        )
    return drawn


def _gain(case: Case, at: int, row: Row) -> Parts:
    """Say what the better move is, and what it gets."""
    parts: Parts = []
    if row.get("better_convention"):
        parts = capital([convention_term(row["better_convention"])])
    names = [row["better_value"], *(row.get("better_gets") or ())] if row["better_kind"] == "clue" else []
    named = [named_card(case, name) for name in dict.fromkeys(names)]
    gets = [card(found, _held(case, at, found)) for found in named if found is not None]
    if gets and parts and is_any(named_convention(row["better_convention"]), KEEPS):
        parts += [": keeps ", *listed(gets)]
    elif gets and (parts or row.get("better_gets")):
        parts += [": gets " if parts else "Gets ", *listed(gets)]
    for called in missed_calls(case, at).values() if row["better_kind"] == "play" else ():
        main = case.main(called)
        place = case.place(main["focus"], at) if main and main["focus"] is not None else None
        if main and place:
            return ["Then ", *owner(place[0]), case.card(main["focus"]), "."]
    return [*parts, "."] if parts else []
