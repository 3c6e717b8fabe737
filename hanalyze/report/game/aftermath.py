"""What came of a turn: the turns that belong to it, how it ended, whose a strike is, and the open cards.

In: a `Case` and a turn. Out: parts, and turns with what happened on them. Only here a verdict reads later
turns, and only `hindsight` reads cards that the player did not see.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from hanalyze.game.explained import explained
from hanalyze.game.meanings import OutcomeKind
from hanalyze.report.game.evidence import missed_calls
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.sentence_parts import (
    APOSTROPHE,
    NUMBERS,
    Part,
    Parts,
    capital,
    card,
    owner,
    seat,
    term,
    turn,
)
from hanalyze.report.game.verdict_context import Case, bits_of
from hanalyze.report.game.verdict_words import BLAME, EXCUSES, FAULTS_OF
from hanalyze.words import listed, outcome_words

_SHOWN: Final = 3
"""Turns in a row at most."""
_TURN: Final = re.compile(r"turn (\d+)")


# --- the turns ----------------------------------------------------------------------------------------------


def came_of(case: Case, at: int) -> Row | None:
    """Return the turns that belong to a turn, itself among them, and a line on how it ended."""
    marks = case.mistakes.get(at, [])
    main = case.main(at)
    text: Parts = []
    turns: set[int] = set()
    acted = case.reading.card_knowledge[at]
    if main is not None and main["outcome"] != "nothing_expected":
        turns |= _followed_up(case, at, main)
        text = [*_outcome(main), *_in_spite_of(main, marks)]
    elif (
        acted is not None
        and acted.turn >= 0
        and (marks or main is None or main["convention"] != "plain_play")
    ):
        turns.add(acted.turn)
    if missed_calls(case, at):
        more, text = _after_missed_call(case, at)
        turns |= more
    for mark in marks:
        more, said = _after_mark(case, at, mark)
        turns |= more
        text = [*text, *([" "] if text and said else []), *said]
    cost = _cost(marks)
    if cost:
        text = [*text, *([" "] if text else []), cost]
    before = sorted(one for one in turns if one < at)[-1:]
    after = sorted(one for one in turns if one > at)[: _SHOWN - 1 - len(before)]
    shown = [*before, at, *after] if before or after else []
    if not shown and not text:
        return None
    return {"turns": [_step(case, one) for one in shown], "text": text}


def _followed_up(case: Case, at: int, finding: Row) -> set[int]:
    """Return when the cards left the hands that a message was about."""
    orders = [order for order in finding["cards"] if order >= 0]
    orders += [finding["focus"]] if finding["focus"] is not None else []
    fates = {case.fates[order] for order in orders} | {finding["closed_turn"]}
    closed, end = finding["closed_turn"], len(case.actions)
    last = end if closed is None else closed
    return {one for one in fates if one is not None and at < one <= last and one < end}


def _step(case: Case, at: int) -> Row:
    """Return a turn with what happened: the player, the move, the result, 1 if good, -1 if bad."""
    action = case.actions[at]
    mover = case.mover(at)
    if action["kind"] == "clue":
        move: Part = {"clue": action["clue"]}
        return {"turn": at, "seat": mover, "move": move, "result": ["to ", seat(action["to"])], "sign": 0}
    if action["kind"] == "end":
        return {"turn": at, "seat": mover, "move": "", "result": ["ends the game"], "sign": 0}
    now, then = case.positions[at], case.positions[at + 1]
    acted = case.reading.card_knowledge[at]
    result, good = "discarded", 0
    if action["result"] == "misplayed":
        result, good = f"strike {then['strikes']}", -1
    elif action["result"] == "played":
        result = "played" if acted is None or acted.gotten else "unclued"
        main = case.main(at)
        result = "blind" if main and main["convention"] == "blind_play" else result
        result, good = ("+1 token" if then["tokens"] > now["tokens"] else result), 1
    elif then["max"] < now["max"]:
        result, good = "last copy", -1
    elif then["tokens"] > now["tokens"]:
        result = "+1 token"
    return {"turn": at, "seat": mover, "move": case.card(action["order"]), "result": [result], "sign": good}


def _outcome(finding: Row) -> Parts:
    """Return what became of a message, its word leading to the definition."""
    words = outcome_words(finding)
    kind = OutcomeKind[finding["outcome"].upper()]
    title = explained(kind).title
    parts: Parts = [term(f"outcome {kind.label}", title)]
    rest = words[len(title) :]
    place = 0
    for found in _TURN.finditer(rest):
        parts += [rest[place : found.start()], turn(int(found[1]) - 1)]
        place = found.end()
    return [*parts, rest[place:] + "."]


def _in_spite_of(finding: Row, marks: list[Row]) -> Parts:
    """Return the strike that a message led to although it worked in the end."""
    caused = [mark for mark in marks if mark["kind"] == "strike_caused"]
    strike = _value(caused[0], "turn") if caused and finding["outcome"] == "success" else None
    return [" But it had led to the strike of ", turn(int(strike)), "."] if strike is not None else []


def _cost(marks: list[Row]) -> str:
    """Say what mistakes cost."""
    costs = [
        f"{number:g} {word}{'' if number == 1 or word == 'pace' else 's'}"
        for word, number in (
            ("point", sum(mark["points"] for mark in marks)),
            ("clue token", max((mark["tokens"] for mark in marks), default=0)),
            ("pace", max((mark["pace"] for mark in marks), default=0)),
        )
        if number
    ]
    return f"Cost: {', '.join(costs)}." if costs else ""


# --- what came of a mistake ---------------------------------------------------------------------------------


def _after_mark(case: Case, at: int, mark: Row) -> tuple[set[int], Parts]:
    """Return the turns that a mistake led to, and what became of its card."""
    if mark["kind"] in ("discard_unsaved", "strike_caused"):
        gone = _value(mark, "turn")
        return ({int(gone)} if gone is not None else set()), []
    order = case.actions[at].get("order")
    if order is None:
        return set(), []
    if case.positions[at + 1]["max"] < case.positions[at]["max"]:
        return set(), _out_of_reach(case, at, order) if mark["points"] else []
    if mark["kind"] == "misplay":
        return _after_misplay(case, at, order)
    return set(), []


def _value(mark: Row, name: str) -> Any:
    """Return one of the values that the evidence of a mistake names."""
    values = json.loads(mark["evidence_values"] or "{}")
    return values.get(name) if isinstance(values, dict) else None


def _out_of_reach(case: Case, at: int, order: int) -> Parts:
    """Return the cards that can no longer be played, beside the one that went."""
    lost = case.positions[at]["needed"] & ~case.positions[at + 1]["needed"]
    suit, rank = case.replay.deck[order]
    lost &= ~(1 << suit * 8 + rank)
    if not lost:
        return []
    cards = [card(divmod(bit, 8), [order]) for bit in bits_of(lost)]
    return [*listed(cards), " are" if len(cards) > 1 else " is", " out of reach, too."]


def _after_misplay(case: Case, at: int, order: int) -> tuple[set[int], Parts]:
    """Return when the card before it came, and what became of the other copies."""
    suit, rank = case.replay.deck[order]
    played = {
        tuple(case.replay.deck[action["order"]]): number
        for number, action in enumerate(case.actions)
        if number > at and action["kind"] == "play" and action["result"] == "played"
    }
    soon = played.get((suit, rank - 1))
    turns = {soon} if soon is not None and soon <= at + 2 * len(case.names.players) else set()
    if not case.positions[at + 1]["needed"] >> suit * 8 + rank & 1:
        return turns, []
    copies = case.replay.variant.copies[suit][list(case.replay.variant.ranks).index(rank)]
    gone = sum(tuple(case.replay.deck[one]) == (suit, rank) for one in case.positions[at + 1]["gone"])
    left = max(0, copies - gone)
    one = card((suit, rank), [order])
    if left == 0:
        return turns, ["It was the last ", one, "."]
    said: Parts = [f"{NUMBERS[left].capitalize()} ", one, " was left" if left == 1 else " were left"]
    later = played.get((suit, rank))
    return turns, [*said, "; it played on ", turn(later), "."] if later is not None else [*said, "."]


def _after_missed_call(case: Case, at: int) -> tuple[set[int], Parts]:
    """Return the call, the strike that it led to, and what became of the called card."""
    turns: set[int] = set()
    text: Parts = []
    for order, called in missed_calls(case, at).items():
        turns.add(called)
        fate = case.fates[order]
        if fate is not None and not text:
            verb = {"played": "played", "misplayed": "was misplayed"}.get(
                str(case.actions[fate].get("result")), "was discarded"
            )
            text = [case.card(order), f" {verb} on ", turn(fate), "."]
    turns |= {strike for strike, (blamed, *_) in _blamed(case).items() if blamed == at}
    if len(turns) == 1 and text:
        turns.add(text[2]["turn"])
    return turns, text


# --- whose a strike is --------------------------------------------------------------------------------------

_OWN: Final = {"player", "shared", "nobody"}


def _blamed(case: Case) -> dict[int, tuple[int, int, str]]:
    """Return per misplay that is another player's fault: the turn to blame, the seat, the rule."""
    found = {}
    for at, rows in case.findings.items():
        row = rows[0]
        if row["fault"] in _OWN | {"none"} or row["fault_seat"] < 0:
            continue
        acted = case.reading.card_knowledge[at]
        by_giver = row["fault"] == "giver" and acted is not None and acted.seat == row["fault_seat"]
        turns = [one for one in range(at) if case.mover(one) == row["fault_seat"]]
        blamed = acted.turn if by_giver and acted is not None and acted.turn >= 0 else max(turns, default=-1)
        said = [
            mark["fault_turn"] for mark in case.mistakes.get(at, []) if mark.get("fault_turn") is not None
        ]
        blamed = said[0] if said else blamed
        if blamed >= 0:
            found[at] = (blamed, row["fault_seat"], row["fault_rule"])
    return found


def is_excused(mark: Row) -> bool:
    """Return whether a misplay that the conventions call the player's own was no mistake all the same."""
    own = mark["kind"] == "misplay" and mark.get("fault") == "player"
    return own and mark["severity"] in EXCUSES


def blames(case: Case) -> dict[int, Parts]:
    """Say by turn whose a strike is: on the turn of the misplay, and on the turn that led to it."""
    found: dict[int, Parts] = {}
    for at, (blamed, guilty, _) in _blamed(case).items():
        if blamed != at:
            innocent = [", not ", *owner(case.mover(at))[:1], APOSTROPHE + "s."]
            found[blamed] = ["The strike of ", turn(at), " is ", seat(guilty), APOSTROPHE + "s", *innocent]
    for at, rows in case.findings.items():
        row = rows[0]
        if row["fault"] == "none":
            continue
        excused = [mark for mark in case.mistakes.get(at, []) if is_excused(mark)]
        if excused:
            found[at] = ["Not blamed: ", EXCUSES[excused[0]["severity"]], "."]
            continue
        rule = row["fault_rule"]
        _, said = FAULTS_OF.get((rule, row["convention"]), ("", BLAME[rule]))
        why = term(f"fault {rule}", said)
        if row["fault"] == "nobody":
            found[at] = ["Not blamed: ", why, "."]
            continue
        whose = [seat(row["fault_seat"]), APOSTROPHE + "s"]
        if row["fault"] == "shared":
            whose += [" and ", seat(case.mover(at)), APOSTROPHE + "s"]
        found[at] = ["The strike is ", *whose, ": ", why, "."]
    return found


# --- hindsight ----------------------------------------------------------------------------------------------


def hindsight(case: Case, at: int) -> Parts:
    """Say what of the hand of the player to move would have played, and what was trash."""
    position = case.positions[at]
    hand = position["hands"][case.mover(at)]
    fits: Parts = []
    trash: Parts = []
    for number, order in enumerate(reversed(hand), 1):
        if order == case.actions[at].get("order"):
            continue
        suit, rank = case.replay.deck[order]
        bit = suit * 8 + rank
        one = [f"slot {number} ", case.card(order)]
        if position["playable"] >> bit & 1:
            fits.append(one)
        elif not position["needed"] >> bit & 1:
            trash.append(one)
    parts: Parts = []
    for group, word in ((fits, "would have played"), (trash, "trash")):
        if group:
            flat: Parts = [
                part for one in listed(group) for part in (one if isinstance(one, list) else [one])
            ]
            verb = "" if word != "trash" else "were " if len(group) > 1 else "was "
            parts += [*([" "] if parts else []), *capital(flat), f" {verb}{word}."]
    return parts
