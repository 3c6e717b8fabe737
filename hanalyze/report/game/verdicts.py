"""Verdicts on all turns for the panel beside the board, and definitions of their terms.

`schemas/review.schema.json` describes the fields of a verdict; empty fields are omitted. The title of a turn
without a missed call, a mark or a message is the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from hanalyze.conventions.classes import CALLS, NAMING, PUSHES, SIGNALS, is_any
from hanalyze.game.explained import EVIDENCE, MARKS, explained
from hanalyze.game.meanings import Convention, FaultRule, OutcomeKind, Reason
from hanalyze.report.game.aftermath import blames, consequences, hindsight
from hanalyze.report.game.better_move import KEEPS, better_move, page_parts
from hanalyze.report.game.evidence import convention_term, fault_of, missed_calls, reason_parts, reasons_of
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.sentence_parts import (
    NUMBERS,
    Parts,
    capital,
    mark_title,
    owner,
    seat,
    term,
    turn,
    unless_hidden,
)
from hanalyze.report.game.verdict_context import VerdictContext
from hanalyze.store.definitions import Definition
from hanalyze.store.mistakes import BLAMELESS
from hanalyze.store.wording import evidence_parts
from hanalyze.words import is_against_convention, listed

_BY_PLACE: Final = SIGNALS | PUSHES
_IN_SHORT: Final = {
    Convention.GENTLEMANS_DISCARD: "a token, nothing lost",
    Convention.BATON_DISCARD: "a token, nothing lost",
    Convention.SARCASTIC_DISCARD: "a token, nothing lost",
    Convention.BLIND_PLAY: "as called",
    Convention.PROMPTED_PLAY: "as called",
    Convention.ORDER_OF_ONES: "the next of several",
    Convention.DEFERRAL: "a called card left for later",
    Convention.FILL_IN: "tells more about clued cards",
    Convention.BURN: "passes the turn",
    Convention.HARD_BURN: "passes the turn",
    Convention.DISTRIBUTION_CLUE: "shares the last plays",
}


def verdicts(game: VerdictContext) -> list[Row]:
    """Return the verdict on each action of the game, by turn."""
    blame = blames(game)
    result = []
    for at in range(len(game.actions)):
        marks = game.mistakes.get(at, [])
        evidence = page_parts(game, at, evidence_parts(marks[0])) if marks else []
        title = _title(game, at, evidence)
        verdict = {
            "title": title or _plain_move(game, at),
            "move": _move(game, at) if title else _remark(game, at),
            "blame": blame.get(at, []),
            "why": reasons_of(game, at, evidence),
            "better": better_move(game, at),
            "moves": _moves(game, at),
            "consequences": consequences(game, at),
            "hindsight": hindsight(game, at) if marks else [],
        }
        if not marks and game.is_quiet(at) and not verdict["why"]:
            verdict["consequences"] = None
        result.append({name: value for name, value in verdict.items() if value})
    return result


def _moves(game: VerdictContext, at: int) -> list[list[Parts]]:
    """Return the name and expected effect of each compared move; the actual move is marked."""
    [mark, *_] = game.mistakes.get(at) or [{}]
    return [
        [page_parts(game, at, parts) for parts in ([*one.name, *[" (actual)"] * one.is_made], one.effect)]
        for one in mark.get("moves", ())
    ]


# --- the judgement ------------------------------------------------------------------------------------------


def _title(game: VerdictContext, at: int, evidence: Parts) -> Parts:
    """Return the title of a turn: its missed call, first mark or meaning; empty if it has none of them."""
    marks = game.mistakes.get(at, [])
    main = game.main(at)
    missed = _missed_title(game, at)
    # The text of the blame already names the strike that a missed call caused.
    if missed and (not marks or marks[0]["severity"] in BLAMELESS or marks[0]["kind"] == "strike_caused"):
        return missed
    if marks:
        return _mark_title(game, at, marks[0], evidence)
    if main is None or game.is_quiet(at) or main["convention"] == Convention.UNEXPLAINED:
        return []
    name = capital([convention_term(main["convention"])])
    if is_against_convention(main):
        first, *_ = Reason.among(main["reasons"])
        return [*name, ", against convention: ", *reason_parts(game, at, first)]
    summary = _in_short(game, at, main) if main["legal"] else []
    return [*name, ": ", *summary] if summary else name


def _mark_title(game: VerdictContext, at: int, mark: Row, evidence: Parts) -> Parts:
    """Return the title of a mistake; for user-defined kinds without a sentence, the evidence."""
    if mark["kind"] == "call_missed":
        return _missed_title(game, at) or capital(evidence)
    main, rule = game.main(at), fault_of(game, at, mark)
    title = mark_title(game.kinds[mark["kind"]], mark, rule, main["convention"] if main else None)
    if not title:
        return capital(evidence)
    order = game.actions[at].get("order")
    parts = page_parts(game, at, title)
    if order is None or parts[-1] != game.card(order):
        return parts
    place = game.conventions.marks[at].get(order)
    if place is not None and place.word == "chop":
        parts += [", from the ", term("mark chop", "chop")]
    return parts


def _missed_title(game: VerdictContext, at: int) -> Parts:
    """Return the title for a missed call; empty if no call was missed."""
    due = list(missed_calls(game, at).values())
    main = game.main(due[0]) if due else None
    if main is None:
        return []
    what = "call" if main["convention"] == Convention.UNEXPLAINED else convention_term(main["convention"])
    return ["Missed the ", what, " of ", turn(due[0])]


def _in_short(game: VerdictContext, at: int, main: Row) -> Parts:
    name = main["convention"]
    focus: Parts = [game.card(main["focus"])] if main["focus"] is not None else []
    saved = [game.card(one.order) for one in game.conventions.messages[at] if one.task == "keep"]
    if is_any(name, CALLS) and focus:
        count = max(main["worth"], main["steps"] + 1 if main["steps"] else 0)
        if count > 1:
            return [f"{NUMBERS[min(count, 6)]} cards for one clue"]
        return ["gets " if main["worth"] else "makes playable ", *focus]
    if is_any(name, KEEPS):
        return ["keeps ", *listed(saved or focus)] if saved or focus else []
    if name == Convention.FIX_CLUE and focus:
        return ["stops ", *focus]
    if name in (Convention.POSITIONAL_DISCARD, Convention.POSITIONAL_MISPLAY) or is_any(name, _BY_PLACE):
        called = [game.card(one.order) for one in game.conventions.messages[at] if one.task == "play"]
        return ["calls ", *listed(called)] if called else []
    return [_IN_SHORT[name]] if name in _IN_SHORT else []


# --- the move -----------------------------------------------------------------------------------------------


def _plain_move(game: VerdictContext, at: int) -> Parts:
    action, mover = game.actions[at], game.mover(at)
    if action["kind"] == "end":
        return ["The game is ended"] if action["seat"] is None else [seat(action["seat"]), " ends the game"]
    if action["kind"] == "clue":
        return [seat(mover), " clues ", seat(action["to"]), " ", {"clue": action["clue"]}]
    where = f"slot {action['slot']}" if action["slot"] else "the deck"
    return [seat(mover), f" {action['kind']}s ", game.card(action["order"]), f" from {where}"]


def _move(game: VerdictContext, at: int) -> Parts:
    action = game.actions[at]
    parts = _plain_move(game, at)
    if action["kind"] == "clue":
        touched = [game.card(order) for order in sorted(action["touched"], reverse=True)]
        on = [" on ", *listed(touched)] if touched else [", which touches nothing"]
        main = game.main(at)
        focus = main["focus"] if main else None
        if focus is not None and main and is_any(main["convention"], CALLS):
            on.append(unless_hidden(focus, f"; {game.stack(at, game.replay.deck[focus][0])}"))
        return [*parts, *on, "."]
    if action["kind"] == "end":
        return [*parts, "."]
    now, then = game.positions[at], game.positions[at + 1]
    if action["result"] == "misplayed":
        stack = game.stack(at, game.replay.deck[action["order"]][0])
        parts.append(unless_hidden(action["order"], f"; {stack}"))
    if then["max"] < now["max"]:
        parts.append(f": {now['max']} points become {then['max']}")
    return [*parts, ".", *_also_held(game, at)]


def _also_held(game: VerdictContext, at: int) -> Parts:
    """Return a sentence on the holder of the copy that a discard reveals; empty for other actions."""
    main = game.main(at)
    if main is None or not is_any(main["convention"], NAMING):
        return []
    for one in game.conventions.messages[at]:
        if one.identities:
            place = game.place(one.order, at)
            slot = place[1] if place else 0
            return [" ", *capital([*owner(one.seat), f"slot {slot} is "]), game.card(one.order), ", too."]
    return []


def _remark(game: VerdictContext, at: int) -> Parts:
    """Return the line below a move without a title: how its card was known, or which cards a clue touches."""
    action, decision = game.actions[at], game.decisions.get(at)
    acted = game.conventions.card_knowledge[at]
    if action["kind"] == "clue":
        touched = [game.card(order) for order in sorted(action["touched"], reverse=True)]
        return ["Touches ", *listed(touched), "."] if touched else ["Touches no card."]
    if decision is None or action["kind"] not in ("play", "discard"):
        return []
    mark = game.conventions.marks[at].get(action["order"])
    if decision["possibilities"] == 1:
        return ["Known for certain."]
    if action["kind"] == "play":
        if (decision["p_playable"] or 0) > 1 - 1e-9:
            return ["It is playable, whatever its identity."]
        if acted is not None and acted.turn >= 0:
            return ["As told on ", turn(acted.turn), "."]
        return []
    before = {"trash": "Known ", "chop": "From the "}
    if mark is not None and mark.word in before:
        return [before[mark.word], term(f"mark {mark.word}", mark.word), "."]
    return []


# --- definitions --------------------------------------------------------------------------------------------


def definitions_of(
    verdicts: list[Row], used: Iterable[str], kinds: Mapping[str, Definition]
) -> dict[str, list[str]]:
    """Return the definition of each term in the verdicts: title, kind, sentence, example and address.

    `used` are the kinds of mistakes in the game. Marks on the board and evidence are always defined.
    """
    names = {f"mark {word}" for word in MARKS} | set(EVIDENCE)
    names |= {f"kind {kind}" for kind in used} | set(_terms(verdicts))
    return {name: _definition(name, kinds) for name in sorted(names)}


def _terms(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "term" in value:
            yield value["term"]
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _terms(one)


def _definition(name: str, kinds: Mapping[str, Definition]) -> list[str]:
    if name in EVIDENCE:
        return list(EVIDENCE[name])
    group, _, word = name.partition(" ")
    if group == "mark":
        return [word.capitalize(), "Mark on the board", MARKS[word], "", ""]
    if group == "kind":
        kind = kinds[word]
        return [kind.noun, "Kind of mistake", kind.definition, kind.example, ""]
    words = {"convention": Convention, "reason": Reason, "outcome": OutcomeKind, "fault": FaultRule}
    return list(explained(words[group][word.upper()]))
