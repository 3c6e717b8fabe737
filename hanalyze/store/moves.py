"""The best moves of each kind on a turn with a mistake, and the effects that the player could expect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from hanalyze.conventions.classes import KEEPING, SAVES, is_any, set_of
from hanalyze.game.cards import card_name
from hanalyze.game.meanings import Convention
from hanalyze.store.schema import sql_text
from hanalyze.store.wording import Part, better_parts, sentence
from hanalyze.text import apart, plural
from hanalyze.words import named_convention, percent

MOVES_SQL: Final = sql_text("moves")
"""Query for the rows that `moves_of` reads, over one game and the views of `store.mistakes.prepare`."""
MOST_MOVES: Final = 5
_SURE: Final = 1 - 1e-9
_NEW_CARDS: Final = set_of(Convention.FIVE_STALL, Convention.LOCKED_HAND_SAVE, Convention.EIGHT_CLUE_SAVE)
"""Stalls that get a new card."""


class Move(NamedTuple):
    """A possible move, and the effect that the player could expect.

    `kind` is play, clue or discard. `slot` is the slot of the card to play or discard; `seat` and `clue` are
    the receiver and the colour or rank of a clue. Fields that do not apply are None. `is_made` tells whether
    the player made this move. `chance` is the chance that a played card is playable, or that a discarded card
    is a last copy; None if unknown. `name` and `effect` are the move and its effect in words.
    """

    kind: str
    slot: int | None
    seat: int | None
    clue: str | None
    is_made: bool
    chance: float | None
    name: list[Part]
    effect: list[Part]


def in_words(moves: Iterable[Move], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return moves as rows, with name and effect as sentences; `names` are the players' names by seat."""
    players = apart(names)
    return [
        {**one._asdict(), "name": sentence(one.name, players), "effect": sentence(one.effect, players)}
        for one in moves
    ]


def moves_of(row: Mapping[str, Any]) -> list[Move]:
    """Return up to `MOST_MOVES` moves of a row of `MOVES_SQL`: the best of each kind, and the one made.

    The better move is always among them.
    """
    moves = [*_plays(row), *_clues(row), *_better_clue(row), *_discards(row)]
    if not any(one.is_made for one in moves):
        moves.append(_actual_move(row))
    if len(moves) > MOST_MOVES:
        # This happens only if the better move is a clue without a name. A discard can then be left out.
        moves.remove([one for one in moves if not one.is_made][-1])
    return moves


def _own_move(row: Mapping[str, Any], kind: str, slot: int, chance: float | None, effect: str) -> Move:
    made = row["action"] == kind and row["slot"] == slot
    return Move(kind, slot, None, None, made, chance, [f"{kind} slot {slot}"], [effect, *_risk(row, None)])


def _plays(row: Mapping[str, Any]) -> Iterable[Move]:
    """Yield the best play: a certainly playable card, else the better move, else a called or likely card."""
    if (row["best_p_playable"] or 0) > _SURE:
        yield _own_move(row, "play", row["best_playable_slot"], 1.0, "certainly playable")
        return
    chances, called, slot = row["playable_in_games"] or [], _called(row), row["due_slot"]
    if row["better_kind"] == "play":
        slot = row["better_slot"]
    elif called and slot not in called:
        # No called card is due, or the due card may not be playable yet. Of equally likely called cards, the
        # oldest is chosen, because 1s are played in this order.
        slot = max(called, key=lambda slot: (percent(chances[slot - 1] or 0), slot))
    if slot is not None:
        is_due = slot == row["due_slot"]
        since = f"called on turn {row['due_turn'] + 1}" if is_due else "called; "
        # The chance of a card called blind does not reflect the call.
        chance = chances[slot - 1] if slot <= len(chances) and not is_due else None
        yield _play(row, slot, chance, since)
    elif (best := max((one or 0 for one in chances), default=0)) > 0:
        yield _play(row, chances.index(best) + 1, best, "")
    elif row["best_playable_slot"] is not None and row["best_p_playable"]:
        yield _play(row, row["best_playable_slot"], row["best_p_playable"], "")


def _called(row: Mapping[str, Any]) -> list[int]:
    """Return the slots of cards that messages called to be played; [] if the chances are unknown."""
    slots = range(1, len(row["playable_in_games"] or ()) + 1)
    return [slot for slot in slots if (row["playable_slots"] or 0) >> (slot - 1) & 1]


def _play(row: Mapping[str, Any], slot: int, chance: float | None, why: str) -> Move:
    fits = "" if chance is None else f"{percent(chance)}% likely to be playable"
    return _own_move(row, "play", slot, chance, f"{why}{fits}".removesuffix("; "))


def _clues(row: Mapping[str, Any]) -> Iterable[Move]:
    if row["clue_convention"] is None or not row["could_clue"]:
        return
    value, kind, seat = row["new_value"], row["clue_kind"], row["clue_receiver"]
    made = (row["action"], row["receiver"], row["clue_value"]) == (kind, seat, value)
    clue = _clue_name(row, kind, value)
    focus = card_name((row["clue_suit"], row["clue_rank"]), row["letters"])
    effect = [*_clue_effect(row, focus), *(["; stops a misplay"] if row["clue_fixes"] else [])]
    left = [] if row["clue_saves"] else _risk(row, seat)
    yield Move("clue", None, seat, clue, made, None, ["clue ", ("seat", seat), f" {clue}"], [*effect, *left])


def _clue_effect(row: Mapping[str, Any], focus: str) -> list[Part]:
    """Return the effect of the best clue, whose focus is the card `focus`, in words."""
    convention = named_convention(row["clue_convention"])
    stalls = row["clue_stalls"] and not is_any(convention, SAVES | set_of(Convention.TEMPO_CLUE))
    if stalls and not is_any(convention, _NEW_CARDS):
        return [f"{convention.words}: passes the turn"]
    if convention == Convention.FIX_CLUE and row["clue_trash"]:
        return [f"{convention.words}: shows that slot {row['clue_slot']} is trash"]
    if convention == Convention.FIX_CLUE:
        return [f"{convention.words}: corrects slot {row['clue_slot']}, ", ("card", focus)]
    saves = row["clue_saves"] or is_any(convention, SAVES | KEEPING)
    effect: list[Part] = [f"{convention.words}: ", "saves " if saves else "gets ", ("card", focus)]
    for one in row["clue_gets"] or ():
        if one >= 0:
            effect += [", ", ("card", card_name(divmod(one, 8), row["letters"]))]
    return [*effect, ", and passes the turn"] if stalls else effect


def _better_clue(row: Mapping[str, Any]) -> Iterable[Move]:
    """Yield the better move if it is a clue other than the best clue, or a clue without colour or rank."""
    clue, seat = row["better_clue"], row["better_seat"]
    best = None if row["clue_convention"] is None else _clue_name(row, row["clue_kind"], row["new_value"])
    if row["better_kind"] == "clue" and (clue is None or (seat, clue) != (row["clue_receiver"], best)):
        name: list[Part] = better_parts(row) if clue is None else ["clue ", ("seat", seat), f" {clue}"]
        of: Part = ("card", row["better_value"]) if clue and row["better_value"] else "it"
        effect: list[Part] = ["passes the turn"] if seat is None else ["tells ", ("seat", seat), " of ", of]
        yield Move("clue", None, seat, clue, False, None, name, effect)


def _clue_name(row: Mapping[str, Any], kind: str, value: int) -> str:
    return str(value) if kind == "rank_clue" else str(row["colours"].split(",")[value].lower())


def _discards(row: Mapping[str, Any]) -> Iterable[Move]:
    """Yield the discard of known trash, and the discard of the chop.

    In a hand without a chop, the second discard is that of the safest card, unless the card is called to be
    played. If the better move is a discard, it replaces one of the two.
    """
    if not row["could_discard"]:
        return
    slots = [slot for slot in range(1, 7) if (row["trash_slots"] or 0) >> (slot - 1) & 1]
    if (row["best_p_trash"] or 0) > _SURE:
        slots = [row["best_trash_slot"]]
    better = row["better_slot"] if row["better_kind"] == "discard" else None
    if better is not None and row["better_value"] == "trash":
        slots = [better]
    if slots:
        yield _own_move(row, "discard", slots[0], 0.0, "known trash: gains a token")
    chances = row["critical_in_games"] or []
    chop = row["chop_slot"]
    chance = chances[chop - 1] if chop and chop <= len(chances) else None
    if chop is None and row["safest_slot"] not in (None, row["due_slot"], *_called(row)):
        chop, chance = row["safest_slot"], row["least_p_critical"]
    if better is not None and row["better_value"] is None and better != chop:
        chop, chance = better, row["better_chance"]
    if chop is not None and chop not in slots:
        what = "the chop" if row["chop_slot"] == chop else "the safest card"
        risk = "" if chance is None else f"; {percent(chance)}% likely to be a last copy"
        yield _own_move(row, "discard", chop, chance, f"gains a token: {what}{risk}")


def _actual_move(row: Mapping[str, Any]) -> Move:
    if row["action"] in ("play", "discard"):
        plays = row["action"] == "play"
        in_games = row["playable_in_games" if plays else "critical_in_games"] or []
        chance = in_games[row["slot"] - 1] if 0 < row["slot"] <= len(in_games) else None
        if chance is None:
            chance = row["p_playable" if plays else "p_critical"] or 0.0
        what = "be playable" if plays else "be a last copy"
        return _own_move(row, row["action"], row["slot"], chance, f"{percent(chance)}% likely to {what}")
    seat, clue = row["receiver"], _clue_name(row, row["action"], row["clue_value"])
    effect = "a clue"
    if row["convention"] is not None and row["convention"] != "unexplained":
        words = named_convention(row["convention"]).words
        effect = f"{words}: gets {plural(row['worth'], 'card')}" if row["legal"] and row["worth"] else words
    name: list[Part] = ["clue ", ("seat", seat), f" {clue}"]
    return Move("clue", None, seat, clue, True, None, name, [effect, *_risk(row, seat)])


def _risk(row: Mapping[str, Any], receiver: int | None) -> list[Part]:
    """Return words about the card at risk that a move leaves on a chop; [] if none is left there.

    `receiver` is the receiver of the clue, None for other moves. A clue to the holder leaves no card at risk.
    """
    card, seat = row["left_card"], row["left_seat"]
    if row["clue_saves"]:
        card, seat = card_name((row["clue_suit"], row["clue_rank"]), row["letters"]), row["clue_receiver"]
    if card is None or receiver == seat:
        return []
    return ["; leaves ", ("card", card), " on the chop of ", ("seat", seat)]
