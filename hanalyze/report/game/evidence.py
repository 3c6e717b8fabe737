"""Evidence for the verdict on a turn, in rows for logic, convention and chance; the decisive row is first.

A row has `source`, `text`, `messages` (lines, each for one player), `bars` (chances to compare, as key,
label, share and share in words) and `note` (the games that the chances are based on).
"""

from __future__ import annotations

from typing import Final, TypeAlias

from hanalyze.chances.inference_chances import load_reading_model, reading_chances
from hanalyze.chances.model import load_model
from hanalyze.conventions.classes import SILENT_MOVES, is_any
from hanalyze.conventions.game_reading import CardKnowledge, CardMessage
from hanalyze.game.meanings import Convention, Reason
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.sentence_parts import (
    RISKS,
    SEVERE,
    Part,
    Parts,
    capital,
    joined,
    listed_parts,
    owner,
    per_cent,
    seat,
    strong,
    term,
    turn,
)
from hanalyze.report.game.verdict_context import MOST_LISTED, VerdictContext, bits_of
from hanalyze.store.definitions import CHANCES
from hanalyze.store.wording import said_in_games
from hanalyze.words import chance_in_words, is_against_convention, listed

ONE_CHOICE: Final = {
    "only_play": "Only a play was legal: neither a clue nor a discard.",
    "locked_without_token": "No clue was legal, every card was clued, and none was known to be playable"
    " or trash.",
    "no_token": "No clue was legal, no play was likely, and no card was safer than the chop: it had"
    " to be discarded.",
    "full_tokens": "No discard was legal, and no play was likely: a clue had to be given.",
    "settled": "The result was settled: nothing more could be won or lost by this move.",
}
"""Sentences for decisions with only one sensible choice, by reason."""

Bar: TypeAlias = tuple[str, str, float, str]

_MOST_MESSAGES: Final = 4
_SURE: Final = 0.995
"""Least chance that is shown as 100%."""
_FEW: Final = 3
"""Maximum number of identities listed for a card with one of `_TASKS`."""
_OTHERS_AT_FAULT: Final = {"giver", "third", "nobody"}
_TASKS: Final = {
    "keep": (": keep it", ": keep them"),
    "trash": (" is trash", " are trash"),
    "hold": (": do not play it", ": do not play them"),
}
"""Last words of a message about one card and about several, by task."""


def convention_term(convention: Convention) -> Part:
    """Return the name of a convention as a link to its definition."""
    return term(f"convention {convention.label}", convention.words)


def reasons_of(game: VerdictContext, at: int, evidence: Parts) -> list[Row]:
    """Return the rows of evidence for a turn; `evidence` is the text of the turn's first mark."""
    marks = game.mistakes.get(at, [])
    rows = {
        "logic": _logic(game, at),
        "convention": _convention(game, at),
        "chance": _chance(game, at, marks[0]["kind"] if marks else ""),
    }
    order = list(rows)
    if marks:
        basis = str(marks[0]["basis"])
        order.sort(key=lambda source: source != basis)
        decisive = rows[basis] or _row(basis)
        # The text of the blame already names the strike that a missed call caused.
        blamed = marks[0]["kind"] == "strike_caused" and missed_calls(game, at)
        if not blamed and (not decisive["text"] or not game.kinds[marks[0]["kind"]].chance):
            decisive["text"] = joined([*capital(evidence), "."] if evidence else [], decisive["text"])
        if fault_of(game, at, marks[0]) is None and not missed_calls(game, at):
            texts = [decisive["text"], _severity(marks[0])]
            # The text directly before the bars is their title, so the severity precedes it.
            decisive["text"] = joined(*(texts[::-1] if decisive["bars"] else texts))
        rows[basis] = decisive
    return [row for source in order if (row := rows[source])]


def fault_of(game: VerdictContext, at: int, mark: Row) -> str | None:
    """Return the rule that determines who is at fault for a misplay; None if no rule applies."""
    if mark["kind"] != "misplay":
        return None
    main = game.main(at)
    rule = mark.get("fault_rule") or (main["fault_rule"] if main else None)
    return None if rule in (None, "no_rule") else unless_known_unfit(game, at, str(rule))


def unless_known_unfit(game: VerdictContext, at: int, rule: str) -> str:
    """Return `rule`, or `known_unfit` instead of `no_message` if the card was known to be unplayable."""
    chance = game.decisions[at]["p_playable"] if at in game.decisions else None
    return "known_unfit" if rule == "no_message" and chance is not None and chance < 1e-9 else rule


def _row(source: str, *text: Part) -> Row:
    return {"source": source, "text": list(text), "messages": [], "bars": [], "note": ""}


def _severity(mark: Row) -> Parts:
    """Return a sentence on what the player could know; empty if the severity has none."""
    severity = mark["severity"] or ""
    template = RISKS.get((mark["kind"], severity), SEVERE.get(severity))
    if template is None:
        return []
    before, name, after = template.partition("{who}")
    return [*([before] if before else []), *([seat(mark["seat"])] if name else []), f"{after}."]


# --- logic --------------------------------------------------------------------------------------------------


def _logic(game: VerdictContext, at: int) -> Row | None:
    """Return what clues and visible cards prove, or why a mistake had no alternative; None without either."""
    decision = game.decisions.get(at)
    if decision is None:
        return None
    if decision["was_forced"] and game.mistakes.get(at):
        text: Parts = [ONE_CHOICE[decision["one_choice"]]]
        best, slot = decision["best_p_playable"], decision["best_playable_slot"]
        if slot and best and decision["action"] != "play":
            text.append(f" The best play, slot {slot}, has a chance of {per_cent(best)}.")
        return _row("logic", *text)
    order = decision["order"]
    if order is None or decision["possibilities"] is None or not game.mistakes.get(at):
        return None
    if decision["possibilities"] == 1:
        return _row("logic", f"Slot {decision['slot']} was known for certain.")
    if decision["p_playable"] < 1e-9 and decision["action"] == "play":
        return _row("logic", f"Slot {decision['slot']} was not playable, whatever its identity.")
    sure = {"p_playable": "was playable", "p_trash": "was trash", "p_critical": "was a last copy"}
    for column, word in sure.items():
        if decision[column] > 1 - 1e-9:
            return _row("logic", f"Slot {decision['slot']} {word}, whatever its identity.")
    return None


# --- convention ---------------------------------------------------------------------------------------------


def _convention(game: VerdictContext, at: int) -> Row | None:
    """Return the messages that an action sends or answers, and the findings on it; None without either."""
    lines = _messages(game, at)[:_MOST_MESSAGES]
    text: Parts = []
    acted = game.conventions.card_knowledge[at]
    marked = bool(game.mistakes.get(at))
    main = game.main(at)
    if not lines and (marked or main is None or not game.is_quiet(at) or missed_calls(game, at)):
        if missed_calls(game, at):
            lines, text = _missed_call_lines(game, at)
        elif acted is not None and acted.turn >= 0 and (acted.gotten or game.actions[at]["kind"] == "play"):
            lines, text = _earlier_message(game, at, acted)
        elif marked and acted is not None and not acted.gotten:
            # A call that has ended does not explain a discard. The lack of a message does not explain a play
            # of a card that could not be playable.
            is_play = game.actions[at]["kind"] == "play"
            if not is_play or unless_known_unfit(game, at, "no_message") == "no_message":
                text = _no_message(game, at)
    elif not lines and main is not None and main["reasons"] >> Reason.OUT_OF_ORDER & 1:
        text = _chop_moved(game, at)
    text = joined(text, _findings(game, at))
    if not lines and not text:
        return None
    note = readings_note() if any(map(_reading_chances, game.conventions.messages[at])) else ""
    return {**_row("convention", *text), "messages": lines, "note": note}


def _messages(game: VerdictContext, at: int) -> list[Parts]:
    """Return a line per message; a player's unidentified cards with the same task of `_TASKS` share one."""
    groups: dict[tuple[int, str, int], list[CardMessage]] = {}
    for one in game.conventions.messages[at]:
        order = -1 if one.task in _TASKS and not one.identities else one.order
        groups.setdefault((one.seat, one.task, order), []).append(one)
    return [_message_words(game, at, group) for group in groups.values()]


def _message_words(game: VerdictContext, at: int, group: list[CardMessage]) -> Parts:
    """Return a line on the message to a player about one card, or about several cards with the same task."""
    one = group[0]
    places = [game.place(other.order, at) for other in group]
    slots = sorted(place[1] for place in places if place)
    named = "".join(map(str, listed([str(slot) for slot in slots])))
    parts: Parts = [strong("To ", seat(one.seat), ":"), f" slot{'s' if len(slots) > 1 else ''} {named}"]
    if one.task in _TASKS:
        few = one.identities and one.identities.bit_count() <= _FEW
        cards = [" is ", *game.identities(at, one.identities, _reading_chances(one))] if few else []
        return [*parts, *cards, _TASKS[one.task][len(slots) > 1]]
    if not one.holder_knows:
        parts += [" is ", game.card(one.order)]
    elif one.identities:
        parts += [" is ", *game.identities(at, one.identities, _reading_chances(one))]
    playable = game.positions[at]["playable"]
    if one.after >= 0 and one.task == "wait":
        return [*parts, ": wait for ", seat(one.after)]
    if not one.identities or one.identities & playable:
        return [*parts, ": play it now"] if one.task == "play" else parts
    listed_one_by_one = one.holder_knows and one.identities.bit_count() <= MOST_LISTED
    waits = listed_one_by_one and any(game.waits(at, bit) for bit in bits_of(one.identities))
    return parts if waits else [*parts, ": play it later"]


def _reading_chances(one: CardMessage) -> dict[int, str]:
    """Return the chance in words of each identity that a clue leaves open; empty if too many to list."""
    if one.identities.bit_count() > (_FEW if one.task in _TASKS else MOST_LISTED):
        return {}
    return {
        number: chance_in_words(chance, rows) for number, (chance, rows) in reading_chances(one.open).items()
    }


def readings_note() -> str:
    """Return a note on the games from which the chances of readings were fitted.

    >>> readings_note().startswith("Chances in brackets: from ")
    True
    """
    model = load_reading_model()
    return f"Chances in brackets: from {model.clues:,} such clues in {model.games:,} games."


def missed_calls(game: VerdictContext, at: int) -> dict[int, int]:
    """Return the turn of each missed call, by the order of the card that was due but not played."""
    main = game.main(at)
    late = main is not None and main["reasons"] >> Reason.LATE & 1
    if not late and all(mark["kind"] != "call_missed" for mark in game.mistakes.get(at, [])):
        return {}
    acted = game.actions[at].get("order")
    return {order: called for order, called in game.conventions.due_plays[at].items() if order != acted}


def _missed_call_lines(game: VerdictContext, at: int) -> tuple[list[Parts], Parts]:
    """Return a line for each missed call, and a sentence on the message of the first call."""
    lines = []
    source: Parts = []
    for order, called in missed_calls(game, at).items():
        place = game.place(order, at)
        if place is None:
            continue
        mask = next((one.identities for one in game.conventions.messages[called] if one.order == order), 0)
        name = [" is ", *game.identities(at, mask)] if mask else []
        lines.append([strong("To ", seat(place[0]), ":"), f" slot {place[1]}", *name, ": play it first"])
        source = source or _message(game, called)
    return lines, source


def _earlier_message(game: VerdictContext, at: int, acted: CardKnowledge) -> tuple[list[Parts], Parts]:
    """Return a line on what a message told about the card acted on, and a sentence that names the message."""
    mover, slot = game.mover(at), game.actions[at]["slot"]
    whose = [strong("To ", seat(mover), ":"), f" slot {slot} "]
    main = game.main(at)
    # If the giver is at fault, the play answers the message to blame.
    blamed = game.fault_turn(at) if main is not None and main["fault"] == "giver" else None
    source = _message(game, acted.turn if blamed is None else blamed)
    if not acted.gotten and acted.identities.bit_count() > MOST_LISTED:
        # A clue against convention does not call a card.
        return [[*whose, "seemed to be called"]], source
    return [[*whose, "is ", *game.identities(at, _useless_ids(game, at, acted) or acted.identities)]], source


def _useless_ids(game: VerdictContext, at: int, acted: CardKnowledge) -> int:
    """Return the mask of identities that a message gave a discarded card; 0 if one is still needed."""
    if game.actions[at]["kind"] == "play":
        return 0
    mask = game.message_ids(acted.turn, game.actions[at]["order"])
    return 0 if mask & game.positions[at]["needed"] else mask


def _message(game: VerdictContext, message: int) -> Parts:
    if message < 0:
        return []
    row = game.main(message)
    explained = row is not None and row["convention"] != Convention.UNEXPLAINED
    what = convention_term(row["convention"]) if row and explained else "clue"
    return ["By ", *owner(game.mover(message)), what, " of ", turn(message), "."]


def _no_message(game: VerdictContext, at: int) -> Parts:
    order = game.actions[at]["order"]
    mark = game.conventions.marks[at].get(order)
    slot = game.actions[at]["slot"]
    if mark is not None and mark.word == "moved":
        return _chop_moved(game, at)
    if mark is not None and mark.word == "chop":
        return [f"Nobody had clued or chop-moved slot {slot}."]
    return [f"Nobody had clued or called slot {slot}."] if game.actions[at]["kind"] == "play" else []


def _chop_moved(game: VerdictContext, at: int) -> Parts:
    order = game.actions[at].get("order")
    mark = None if order is None else game.conventions.marks[at].get(order)
    if mark is None or mark.word != "moved":
        return []
    slot = game.actions[at]["slot"]
    return [f"Slot {slot} was ", term("mark moved", "chop-moved"), " on ", turn(mark.turn), "."]


_SLOT_COLUMNS: Final = {Reason.PLAYABLE_HELD: "playable_slots", Reason.TRASH_HELD: "trash_slots"}
"""Reasons about other cards in hand, with the column of `convention_opportunities` that names these cards."""


def reason_parts(game: VerdictContext, at: int, reason: Reason) -> Parts:
    """Return a reason for or against an action, with the newest other card in hand that it is about."""
    parts: Parts = [term(f"reason {reason.label}", reason.words)]
    if reason not in _SLOT_COLUMNS:
        return parts
    acted, hand = game.actions[at].get("order"), game.positions[at]["hands"][game.mover(at)]
    slots = int(game.conventions.output.opportunities[_SLOT_COLUMNS[reason]][at])
    for bit in bits_of(slots):
        order = hand[len(hand) - 1 - bit]
        if order != acted:
            mark = game.conventions.marks[at].get(order)
            since = [", since ", turn(mark.turn)] if mark is not None and mark.turn >= 0 else []
            return [*parts, f" (slot {bit + 1}", *since, ")"]
    return parts


def _findings(game: VerdictContext, at: int) -> Parts:
    """Return the reasons for or against the action, and its further meanings."""
    rows = game.findings.get(at, [])
    if not rows:
        return []
    main, *others = rows
    # The mark already gives these reasons.
    left_out = {Reason.GUESS, Reason.MISPLAY} if main["fault"] != "none" and game.mistakes.get(at) else set()
    if main["legal"] and all(mark["kind"] != "discard_unsaved" for mark in game.mistakes.get(at, [])):
        left_out |= {Reason.SAVE_MISSED}
    silent = SILENT_MOVES
    if missed_calls(game, at):
        left_out, silent = {Reason.LATE}, SILENT_MOVES | 1 << Convention.DEFERRAL
    named = [reason_parts(game, at, one) for one in Reason.among(main["reasons"]) if one not in left_out]
    reasons = listed_parts(named)
    parts: Parts = []
    if main["convention"] == Convention.UNEXPLAINED:
        parts += ["No ", term("convention unexplained", "convention"), " explains it"]
        parts += [": ", *reasons, "."] if reasons else ["."]
    elif reasons and is_against_convention(main) and main["fault"] not in _OTHERS_AT_FAULT:
        parts += ["Against convention: ", *reasons, "."]
    elif reasons:
        parts += [*capital(reasons), "."]
    also = [convention_term(one["convention"]) for one in others if not is_any(one["convention"], silent)]
    return joined(parts, ["Also: ", *listed(also), "."] if also else [])


# --- chance -------------------------------------------------------------------------------------------------


def _chance(game: VerdictContext, at: int, kind: str) -> Row | None:
    """Return the chances of the card acted on, called, or due and not played; `kind` is the first mark's."""
    action, decision = game.actions[at], game.decisions.get(at)
    for order in missed_calls(game, at):
        chance = per_cent(game.chance_playable(at, order))
        place = game.place(order, at)
        slot = place[1] if place else 0
        text = f"By card counting, the chance that slot {slot} is playable is {chance}, but it was called."
        return _row("chance", text)
    if action["kind"] == "clue":
        return _chance_of_call(game, at)
    if decision is None or decision["possibilities"] in (None, 1) or not action.get("slot"):
        return None
    called = game.conventions.card_knowledge[at]
    if not kind and (game.is_quiet(at) or action["kind"] != "play"):
        return None
    usual = "p_playable" if action["kind"] == "play" else "p_critical"
    column = game.kinds[kind].chance if kind else usual
    if not column:
        return None
    word = CHANCES[column]
    by_counting = decision[column] or 0.0
    if by_counting > _SURE and not kind:
        return None
    bars: list[Bar] = [("raw", "by card counting", by_counting, per_cent(by_counting))]
    main = game.main(at)
    # Omit the chance as called: it excludes the identity clued elsewhere, which this card may have.
    if main is not None and main["fault_rule"] == "later_copy" and main["fault"] in ("player", "shared"):
        return _odds(action["slot"], word, bars, True)
    if column == "p_playable" and called is not None and called.turn >= 0:
        as_called = game.chance_playable(at, action["order"], called.identities)
        bars.append(("called", "as called", as_called, per_cent(as_called)))
    row = _odds(action["slot"], word, [*bars, *_in_games(decision, column)], action["kind"] == "play")
    like = row["bars"] and row["bars"][-1][0] == "like"
    return {**row, "note": model_note(decision["model"])} if like else row


def _in_games(decision: Row, column: str) -> list[Bar]:
    """Return a bar with the calibrated chance of the card; empty if no model applies."""
    chance = decision.get(f"{column}_in_games")
    if chance is None or not is_calibrated(decision):
        return []
    where = (decision[name] for name in ("model", "features", "place"))
    words = said_in_games(f"{column}_in_games", chance, *where)
    return [("like", "calibrated", float(chance), words)]


def is_calibrated(decision: Row) -> bool:
    """Return whether calibrated chances apply to the card; they do not for plays of unclued cards."""
    return bool(decision["action"] != "play" or decision["place"] == "clued")


def model_note(name: str) -> str:
    """Return a note on the games to which a model of chances was fitted.

    >>> model_note("real")
    'Calibrated chances: model “real”, fitted to 111 games.'
    """
    return f"Calibrated chances: model “{name}”, fitted to {load_model(name).games:,} games."


def _odds(slot: int, word: str, bars: list[Bar], is_play: bool) -> Row:
    """Return a row with chances: a sentence for one chance or two equal ones, otherwise bars on one scale."""
    by_counting, last = bars[0][2], bars[-1]
    counted = f"By card counting, the chance that slot {slot} {word} is {per_cent(by_counting)}"
    if is_play and len(bars) == 2 and last[0] == "called" and last[2] > _SURE > by_counting:
        return _row("chance", f"{counted}: only the call makes it safe.")
    if len(bars) == 1 or (len(bars) == 2 and abs(by_counting - last[2]) < 1 - _SURE):
        return _row("chance", f"{counted}.")
    return {**_row("chance", f"Slot {slot} {word}:"), "bars": bars}


def _chance_of_call(game: VerdictContext, at: int) -> Row | None:
    """Return a row on the chance of the first card called for a blind play; None if none is called."""
    for one in game.conventions.messages[at]:
        mark = game.conventions.marks[at].get(one.order)
        blind = mark is not None and mark.word in ("finesse", "chop")
        if one.task == "play" and blind and one.order not in game.actions[at]["touched"]:
            chance = per_cent(game.chance_playable(at, one.order))
            after = f" is playable is {chance}: only the call makes it safe."
            before = "By card counting, the chance that "
            return _row("chance", before, *game.slot(one.order, at), after)
    return None
