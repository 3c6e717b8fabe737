"""The verdict on every turn: what the panel beside the board says, in its order.

In: a `Case`. Out: by turn `title`, `move`, `blame`, `why`, `better`, `came` and `hind`, those that are empty
left out; and the definitions of all words that they lead to. A turn without a mark or a message is
quiet: its title is the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from hanalyze.conventions.classes import (
    CALLS,
    NAMING,
    PUSHES,
    SIGNALS,
    SILENT_MOVES,
    is_any,
)
from hanalyze.game.explained import EVIDENCE, MARKS, explained
from hanalyze.game.meanings import Convention, FaultRule, OutcomeKind, Reason
from hanalyze.report.game.aftermath import blames, came_of, hindsight, is_excused
from hanalyze.report.game.better_move import KEEPS, better_move, named_parts
from hanalyze.report.game.evidence import convention_term, fault_of, missed_calls, reasons_of
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.sentence_parts import (
    NUMBERS,
    Parts,
    capital,
    owner,
    seat,
    term,
    turn,
    unless_hidden,
)
from hanalyze.report.game.verdict_context import Case
from hanalyze.report.game.verdict_words import FAULT_TITLES, FAULTS_OF, MISPLAYS
from hanalyze.store.definitions import Definition
from hanalyze.store.mistakes import BLAMELESS
from hanalyze.store.wording import evidence_parts
from hanalyze.words import listed, named_convention

_BY_PLACE: Final = SIGNALS | PUSHES
_SAID: Final = {
    "gentlemans_discard": "a token, nothing lost",
    "baton_discard": "a token, nothing lost",
    "sarcastic_discard": "a token, nothing lost",
    "blind_play": "as called",
    "prompted_play": "as called",
    "order_of_ones": "the next of several",
    "deferral": "a called card left for later",
    "fill_in": "tells more of clued cards",
    "burn": "tells nothing new",
    "hard_burn": "tells nothing new",
    "distribution_clue": "shares the last plays",
}
"""What else a convention comes to in a few words."""


def verdicts(case: Case) -> list[Row]:
    """Return the verdict on each turn, and on the end of the game."""
    whose = blames(case)
    found = []
    for at in range(len(case.actions)):
        marks = case.mistakes.get(at, [])
        evidence = named_parts(case, at, evidence_parts(marks[0])) if marks else []
        verdict = {
            "title": _title(case, at, evidence),
            "move": _move(case, at),
            "blame": whose.get(at, []),
            "why": reasons_of(case, at, evidence),
            "better": better_move(case, at),
            "came": came_of(case, at),
            "hind": hindsight(case, at) if marks else [],
        }
        if verdict["title"] == _plain_move(case, at):
            verdict["move"] = _quiet_words(case, at)
        if not marks and _is_quiet(case, at) and not verdict["why"]:
            verdict["came"] = None
        found.append({name: value for name, value in verdict.items() if value})
    return found


def _is_quiet(case: Case, at: int) -> bool:
    main = case.main(at)
    return main is None or is_any(named_convention(main["convention"]), SILENT_MOVES)


# --- the judgement ------------------------------------------------------------------------------------------


def _title(case: Case, at: int, evidence: Parts) -> Parts:
    """Return the verdict in a line: of the first mark, else of what the move meant."""
    marks = case.mistakes.get(at, [])
    main = case.main(at)
    missed = _missed_title(case, at)
    # What a call that was let pass led to is said by the blame.
    if missed and (not marks or marks[0]["severity"] in BLAMELESS or marks[0]["kind"] == "strike_caused"):
        return missed
    if marks:
        return _mark_title(case, at, marks[0], evidence)
    if main is None or _is_quiet(case, at) or main["convention"] == "unexplained":
        return _plain_move(case, at)
    name = capital([convention_term(main["convention"])])
    if not main["legal"]:
        return [*name, ", against convention"]
    said = _in_short(case, at, main)
    return [*name, ": ", *said] if said else name


def _mark_title(case: Case, at: int, mark: Row, evidence: Parts) -> Parts:
    """Return the verdict on a mistake; one of the reader's own kinds says its evidence."""
    kind = case.kinds[mark["kind"]]
    if mark["kind"] == "call_missed":
        return _missed_title(case, at) or capital(evidence)
    if mark["kind"] == "misplay":
        rule, main = fault_of(case, at, mark), case.main(at)
        if not rule or is_excused(mark):
            return [MISPLAYS.get(mark["severity"], "A misplay")]
        title, _ = FAULTS_OF.get((rule, main["convention"] if main else ""), (FAULT_TITLES[rule], ""))
        return [title]
    if not kind.sentence:
        return capital(evidence) or _plain_move(case, at)
    if mark.get("came_true") is False and kind.averted:
        return [kind.averted]
    if "{card}" not in kind.sentence:
        return [kind.sentence]
    before, _, after = kind.sentence.partition("{card}")
    order = case.actions[at].get("order")
    if order is None or mark["kind"] in ("discard_unsaved", "strike_caused"):
        # The card that the evidence is about.
        about: Parts = [part for part in evidence if isinstance(part, dict) and "card" in part]
        return [before, *about[:1], after] if about else capital(evidence)
    place = case.reading.marks[at].get(order)
    on_chop = not after and place is not None and place.word == "chop"
    from_chop = [", from the ", term("mark chop", "chop")] if on_chop else []
    return [before, case.card(order), after, *from_chop]


def _missed_title(case: Case, at: int) -> Parts:
    """Return which call was let pass."""
    due = list(missed_calls(case, at).values())
    main = case.main(due[0]) if due else None
    if main is None:
        return []
    what = "call" if main["convention"] == "unexplained" else convention_term(main["convention"])
    return ["Let the ", what, " of ", turn(due[0]), " pass"]


def _in_short(case: Case, at: int, main: Row) -> Parts:
    """Say in a few words what a message comes to."""
    name = named_convention(main["convention"])
    focus: Parts = [case.card(main["focus"])] if main["focus"] is not None else []
    kept = [case.card(one.order) for one in case.reading.messages[at] if one.task == "keep"]
    if is_any(name, CALLS) and focus:
        count = max(main["worth"], main["steps"] + 1 if main["steps"] else 0)
        if count > 1:
            return [f"{NUMBERS[min(count, 6)]} cards for one clue"]
        return ["gets " if main["worth"] else "makes playable ", *focus]
    if is_any(name, KEEPS):
        return ["keeps ", *listed(kept or focus)] if kept or focus else []
    if name == Convention.FIX_CLUE and focus:
        return ["stops ", *focus]
    if name in (Convention.POSITIONAL_DISCARD, Convention.POSITIONAL_MISPLAY) or is_any(name, _BY_PLACE):
        called = [case.card(one.order) for one in case.reading.messages[at] if one.task == "play"]
        return ["calls ", *listed(called)] if called else []
    said = _SAID.get(name.label)
    return [said] if said else []


# --- the move -----------------------------------------------------------------------------------------------


def _plain_move(case: Case, at: int) -> Parts:
    """Return the move in a line."""
    action, mover = case.actions[at], case.mover(at)
    if action["kind"] == "end":
        return [seat(mover if action["seat"] is None else action["seat"]), " ends the game"]
    if action["kind"] == "clue":
        return [seat(mover), " clues ", seat(action["to"]), " ", {"clue": action["clue"]}]
    where = f"slot {action['slot']}" if action["slot"] else "the deck"
    return [seat(mover), f" {action['kind']}s ", case.card(action["order"]), f" from {where}"]


def _move(case: Case, at: int) -> Parts:
    """Return the move with what it changed."""
    action = case.actions[at]
    parts = _plain_move(case, at)
    if action["kind"] == "clue":
        touched = sorted(action["touched"], reverse=True)
        on = (
            [" on ", *listed([case.card(order) for order in touched])]
            if touched
            else [", which touches nothing"]
        )
        main = case.main(at)
        focus = main["focus"] if main else None
        if focus is not None and main and is_any(named_convention(main["convention"]), CALLS):
            on.append(unless_hidden(focus, f"; {case.stack(at, case.replay.deck[focus][0])}"))
        return [*parts, *on, "."]
    if action["kind"] == "end":
        return [*parts, "."]
    now, then = case.positions[at], case.positions[at + 1]
    if action["result"] == "misplayed":
        stack = case.stack(at, case.replay.deck[action["order"]][0])
        parts.append(unless_hidden(action["order"], f"; {stack}"))
    if then["max"] < now["max"]:
        parts.append(f": {now['max']} points become {then['max']}")
    return [*parts, ".", *_also_held(case, at)]


def _also_held(case: Case, at: int) -> Parts:
    """Say who holds the copy that a discard names."""
    main = case.main(at)
    if main is None or not is_any(named_convention(main["convention"]), NAMING):
        return []
    for one in case.reading.messages[at]:
        if one.identities:
            place = case.place(one.order, at)
            slot = place[1] if place else 0
            return [" ", *capital([*owner(one.seat), f"slot {slot} is "]), case.card(one.order), ", too."]
    return []


def _quiet_words(case: Case, at: int) -> Parts:
    """Say in a line what was known of a card that was played or discarded without more."""
    action, decision = case.actions[at], case.decisions.get(at)
    acted = case.reading.card_knowledge[at]
    if action["kind"] == "clue":
        touched = [case.card(order) for order in sorted(action["touched"], reverse=True)]
        return ["Touches ", *listed(touched), "."] if touched else ["Touches no card."]
    if decision is None or action["kind"] not in ("play", "discard"):
        return []
    mark = case.reading.marks[at].get(action["order"])
    if decision["possibilities"] == 1:
        return ["Known for certain."]
    if action["kind"] == "play":
        if (decision["p_playable"] or 0) > 1 - 1e-9:
            return ["Whatever it could be, it fits."]
        if acted is not None and acted.turn >= 0:
            return ["As told on ", turn(acted.turn), "."]
        return []
    if mark is not None and mark.word in ("trash", "chop"):
        return (
            ["Known ", term("mark trash", "trash"), "."]
            if mark.word == "trash"
            else ["From the ", term("mark chop", "chop"), "."]
        )
    return []


# --- definitions --------------------------------------------------------------------------------------------


def definitions_of(found: Any, used: Iterable[str], kinds: Mapping[str, Definition]) -> dict[str, list[str]]:
    """Return the definitions of all terms in some values: title, kind, sentence, example, address.

    `used` are the kinds of mistakes of the game; the board's marks and the evidence are always there.
    """
    names = {f"mark {word}" for word in MARKS} | set(EVIDENCE)
    names |= {f"kind {kind}" for kind in used} | set(_terms(found))
    return {name: _definition(name, kinds) for name in sorted(names)}


def _terms(found: Any) -> Iterator[str]:
    if isinstance(found, dict):
        if "term" in found:
            yield found["term"]
        for value in found.values():
            yield from _terms(value)
    elif isinstance(found, list):
        for value in found:
            yield from _terms(value)


def _definition(name: str, kinds: Mapping[str, Definition]) -> list[str]:
    """Return the definition of a term."""
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
