"""Why a turn is judged as it is: rows of evidence, at most three, the one that decides first.

In: a `Case` and a turn. Out: rows with `source` (logic, convention or chance) and `text`; `told`, a line for
each player who was told something; `bars`, chances to compare, as (what, label, share, share in words), and
`note`, where they are from.
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
    Part,
    Parts,
    capital,
    owner,
    per_cent,
    seat,
    strong,
    term,
    turn,
)
from hanalyze.report.game.verdict_context import MOST_LISTED, Case
from hanalyze.report.game.verdict_words import BASIS, RISKS, SEVERE
from hanalyze.store.wording import said_in_games
from hanalyze.words import chance_in_words, listed, named_convention

ONE_CHOICE: Final = {
    "only_play": "Only a play was legal: neither a clue nor a discard.",
    "locked_without_token": "No clue was legal, every card was clued, and none was known playable or trash.",
    "no_token": "No clue was legal, no play was likely, and no card was safer than the chop: it had to go.",
    "full_tokens": "No discard was legal, and no play was likely: a clue had to be given.",
    "settled": "The result was settled: nothing more could be won or lost by this move.",
}
"""Why there was one sensible choice."""

Bar: TypeAlias = tuple[str, str, float, str]

_MOST: Final = 3
_TOLD: Final = 4
"""Lines of what was told at most."""
_SURE: Final = 0.995
_FEW: Final = 3
"""Identities of a card to be kept that are listed at most."""
_OTHERS: Final = {"giver", "third", "nobody"}
"""Faults for a misplay that are not the player's: it went against no convention."""
_TASKS: Final = {
    "keep": (": keep it", ": keep them"),
    "trash": (" is trash", " are trash"),
    "hold": (": do not play it", ": do not play them"),
}
"""What to do with a card, and with several."""
_COLUMNS: Final = {
    "misplay": ("p_playable", "fits"),
    "discard_playable": ("p_playable", "fits"),
    "discard_double": ("p_double_discard", "is the other copy"),
    "discard_over_trash": ("p_trash", "is trash"),
    "discard_clued": ("p_trash", "is trash"),
    "discard_last_copy": ("p_critical", "is a last copy"),
    "discard_five": ("p_critical", "is a last copy"),
}
"""Kinds that rest on a chance: its column of the decision, and what it is the chance of."""


def convention_term(name: str) -> Part:
    """Return the name of a convention, which leads to its definition."""
    one = named_convention(name)
    return term(f"convention {one.label}", one.words)


def reasons_of(case: Case, at: int, evidence: Parts) -> list[Row]:
    """Return the rows of evidence for a turn; `evidence` is what the first mark of the turn says."""
    marks = case.mistakes.get(at, [])
    rows = {
        "logic": _logic(case, at),
        "convention": _convention(case, at),
        "chance": _chance(case, at, marks[0]["kind"] if marks else ""),
    }
    order = ["logic", "convention", "chance"]
    if marks:
        basis = _basis(case, at, marks[0])
        order.remove(basis)
        order.insert(0, basis)
        deciding = rows[basis] or _row(basis)
        # What a call that was let pass led to is said by the blame.
        blamed = marks[0]["kind"] == "strike_caused" and missed_calls(case, at)
        if not blamed and (not deciding["text"] or marks[0]["kind"] not in _COLUMNS):
            deciding["text"] = _sentences([*capital(evidence), "."] if evidence else [], deciding["text"])
        if fault_of(case, at, marks[0]) is None and not missed_calls(case, at):
            known = _severity(marks[0])
            # Words before bars are what they are the chances of.
            last = bool(deciding["bars"])
            deciding["text"] = _sentences(*((known, deciding["text"]) if last else (deciding["text"], known)))
        rows[basis] = deciding
    found = [rows[source] for source in order]
    return [row for row in found if row][:_MOST]


def fault_of(case: Case, at: int, mark: Row) -> str | None:
    """Return the rule that says whose a misplay is, None where none was."""
    if mark["kind"] != "misplay":
        return None
    main = case.main(at)
    rule = mark.get("fault_rule") or (main["fault_rule"] if main else None)
    return None if rule in (None, "no_rule") else str(rule)


def _basis(case: Case, at: int, mark: Row) -> str:
    """Return the evidence that decides a mistake: logic, convention or chance."""
    if mark.get("basis"):
        return str(mark["basis"])
    if fault_of(case, at, mark) not in (None, "no_message", "intended"):
        return "convention"
    severity = mark["severity"] or "knew"
    return BASIS.get(severity, "chance" if mark["kind"] in _COLUMNS else "logic")


def _row(source: str, *text: Part) -> Row:
    return {"source": source, "text": list(text), "told": [], "bars": [], "note": ""}


def _severity(mark: Row) -> Parts:
    """Say what the player could know."""
    severity = mark["severity"] or ""
    said = RISKS.get((mark["kind"], severity), SEVERE.get(severity))
    if said is None:
        return []
    before, name, after = said.partition("{who}")
    return [*([before] if before else []), *([seat(mark["seat"])] if name else []), f"{after}."]


# --- logic --------------------------------------------------------------------------------------------------


def _logic(case: Case, at: int) -> Row | None:
    """Return what follows from clues and seen cards."""
    decision = case.decisions.get(at)
    if decision is None:
        return None
    if decision["was_forced"] and case.mistakes.get(at):
        said: Parts = [ONE_CHOICE[decision["one_choice"]]]
        best, slot = decision["best_p_playable"], decision["best_playable_slot"]
        if slot and best and decision["action"] != "play":
            said.append(f" The best play, slot {slot}, fits with {per_cent(best)}.")
        return _row("logic", *said)
    order = decision["order"]
    if order is None or decision["possibilities"] is None or not case.mistakes.get(at):
        return None
    if decision["possibilities"] == 1:
        return _row("logic", f"Slot {decision['slot']} was known for certain.")
    if decision["p_playable"] < 1e-9 and decision["action"] == "play":
        return _row("logic", f"Whatever it could be, slot {decision['slot']} did not fit.")
    sure = {"p_playable": "fitted", "p_trash": "was trash", "p_critical": "was a last copy"}
    for column, word in sure.items():
        if decision[column] > 1 - 1e-9:
            return _row("logic", f"Whatever it could be, slot {decision['slot']} {word}.")
    return None


# --- convention ---------------------------------------------------------------------------------------------


def _convention(case: Case, at: int) -> Row | None:
    """Return what messages told, and what speaks against the action."""
    told = _tellings(case, at)[:_TOLD]
    text: Parts = []
    acted = case.reading.card_knowledge[at]
    marked = bool(case.mistakes.get(at))
    main = case.main(at)
    plain = main is not None and is_any(named_convention(main["convention"]), SILENT_MOVES)
    if not told and (marked or not plain or missed_calls(case, at)):
        if missed_calls(case, at):
            told, text = _due(case, at)
        elif acted is not None and acted.turn >= 0 and (acted.gotten or case.actions[at]["kind"] == "play"):
            told, text = _told_before(case, at)
        elif marked and acted is not None and not acted.gotten:
            # Of a card that goes, a call that is over says nothing any more.
            text = _nobody_told(case, at)
    elif not told and main is not None and main["reasons"] >> Reason.OUT_OF_ORDER & 1:
        text = _kept(case, at)
    text = _sentences(text, _findings(case, at))
    if not told and not text:
        return None
    note = readings_note() if any(map(_likely, case.reading.messages[at])) else ""
    return {**_row("convention", *text), "told": told, "note": note}


def _sentences(first: Parts, second: Parts) -> Parts:
    return [*first, *([" "] if first and second else []), *second]


def _tellings(case: Case, at: int) -> list[Parts]:
    """Return a line for each player and task that a message was about."""
    lines: dict[tuple[int, str, int], list[CardMessage]] = {}
    for one in case.reading.messages[at]:
        alike = -1 if one.task in _TASKS and not one.identities else one.order
        lines.setdefault((one.seat, one.task, alike), []).append(one)
    return [_message_words(case, at, several) for several in lines.values()]


def _message_words(case: Case, at: int, several: list[CardMessage]) -> Parts:
    """Return a line for what a message told a player of a card, or of several with the same task."""
    one = several[0]
    places = [case.place(other.order, at) for other in several]
    slots = sorted(place[1] for place in places if place)
    named = "".join(map(str, listed([str(slot) for slot in slots])))
    parts: Parts = [strong("To ", seat(one.seat), ":"), f" slot{'s' if len(slots) > 1 else ''} {named}"]
    if one.task in _TASKS:
        few = one.identities and one.identities.bit_count() <= _FEW
        cards = [" is ", *case.identities(at, one.identities, _likely(one))] if few else []
        return [*parts, *cards, _TASKS[one.task][len(slots) > 1]]
    if not one.holder_knows:
        parts += [" is ", case.card(one.order)]
    elif one.identities:
        parts += [" is ", *case.identities(at, one.identities, _likely(one))]
    fits = not one.identities or one.identities & case.positions[at]["playable"]
    if one.after >= 0 and one.task == "wait":
        return [*parts, ": wait for ", seat(one.after)]
    if fits:
        return [*parts, ": play it now"] if one.task == "play" else parts
    # What has to be played before may stand there already.
    return parts if " has played " in parts else [*parts, ": play it later"]


def _likely(one: CardMessage) -> dict[int, str]:
    """Say by identity how likely each reading is of those that a clue leaves open, where they are listed."""
    if one.identities.bit_count() > (_FEW if one.task in _TASKS else MOST_LISTED):
        return {}
    return {
        number: chance_in_words(chance, rows).replace("%", "\N{NO-BREAK SPACE}%")
        for number, (chance, rows) in reading_chances(one.open).items()
    }


def readings_note() -> str:
    """Return which games the chances of readings were fitted on.

    >>> readings_note().startswith("Chances in brackets: from ")
    True
    """
    model = load_reading_model()
    return f"Chances in brackets: from {model.clues:,} such clues in {model.games:,} games."


def missed_calls(case: Case, at: int) -> dict[int, int]:
    """Return the called cards that were due and left without a reason, each with the turn of its call."""
    main = case.main(at)
    late = main is not None and main["reasons"] >> Reason.LATE & 1
    if not late and all(mark["kind"] != "call_missed" for mark in case.mistakes.get(at, [])):
        return {}
    acted = case.actions[at].get("order")
    return {order: called for order, called in case.reading.due_plays[at].items() if order != acted}


def _due(case: Case, at: int) -> tuple[list[Parts], Parts]:
    """Return the calls that were due when the player did something else."""
    lines = []
    source: Parts = []
    for order, called in missed_calls(case, at).items():
        place = case.place(order, at)
        if place is None:
            continue
        asked = [one for one in case.reading.messages[called] if one.order == order]
        mask = asked[0].identities if asked else 0
        named = [" is ", *case.identities(at, mask)] if mask else []
        lines.append([strong("To ", seat(place[0]), ":"), f" slot {place[1]}", *named, ": play it first"])
        source = source or _by(case, called)
    return lines, source


def _told_before(case: Case, at: int) -> tuple[list[Parts], Parts]:
    """Return what the card played or discarded had been told to be, and by which message."""
    acted = case.reading.card_knowledge[at]
    assert acted is not None
    mover, slot = case.mover(at), case.actions[at]["slot"]
    whose = [strong("To ", seat(mover), ":"), f" slot {slot} "]
    source = _by(case, _answered(case, at, acted.turn))
    if not acted.gotten and acted.identities.bit_count() > MOST_LISTED:
        # A clue that conventions do not allow calls no card: what it seemed to say is all there is.
        return [[*whose, "seemed to be called"]], source
    if done := _done(case, at, acted):
        return [[*whose, "is ", *case.identities(at, done)]], source
    return [[*whose, "is ", *case.identities(at, acted.identities)]], source


def _answered(case: Case, at: int, message: int) -> int:
    """Return the turn of the message that a play answers: where its giver is at fault, the one blamed."""
    main = case.main(at)
    if main is None or main["fault"] != "giver":
        return message
    blamed = [mark["fault_turn"] for mark in case.mistakes.get(at, []) if mark.get("fault_turn") is not None]
    return blamed[0] if blamed else message


def _done(case: Case, at: int, acted: CardKnowledge) -> int:
    """Return what a message had said of a card that goes, if all of it has been played since, else 0."""
    if case.actions[at]["kind"] == "play":
        return 0
    order = case.actions[at]["order"]
    said = [
        one.identities for one in case.reading.messages[acted.turn] if one.order == order and one.holder_knows
    ]
    return said[0] if said and not said[0] & case.positions[at]["needed"] else 0


def _by(case: Case, message: int) -> Parts:
    """Say which message it was."""
    if message < 0:
        return []
    row = case.main(message)
    what = convention_term(row["convention"]) if row and row["convention"] != "unexplained" else "clue"
    return ["By ", *owner(case.mover(message)), what, " of ", turn(message), "."]


def _nobody_told(case: Case, at: int) -> Parts:
    """Say that no message was about the card."""
    order = case.actions[at]["order"]
    mark = case.reading.marks[at].get(order)
    slot = case.actions[at]["slot"]
    if mark is not None and mark.word == "moved":
        return _kept(case, at)
    if mark is not None and mark.word == "chop":
        return [f"Nobody had clued slot {slot}, or moved it."]
    return [f"Nobody had clued or called slot {slot}."] if case.actions[at]["kind"] == "play" else []


def _kept(case: Case, at: int) -> Parts:
    """Say when the card that goes was moved off the chop."""
    order = case.actions[at].get("order")
    mark = None if order is None else case.reading.marks[at].get(order)
    if mark is None or mark.word != "moved":
        return []
    slot = case.actions[at]["slot"]
    return [f"Slot {slot} was ", term("mark moved", "kept"), " on ", turn(mark.turn), "."]


def _findings(case: Case, at: int) -> Parts:
    """Say what speaks against the action or explains it, and what else it means."""
    rows = case.findings.get(at, [])
    if not rows:
        return []
    main, *others = rows
    # What the mark says is not said twice.
    marked = {Reason.GUESS, Reason.MISPLAY} if main["fault"] != "none" and case.mistakes.get(at) else set()
    silent = SILENT_MOVES
    if missed_calls(case, at):
        marked, silent = {Reason.LATE}, SILENT_MOVES | 1 << Convention.DEFERRAL
    named = [one for one in Reason.among(main["reasons"]) if one not in marked]
    reasons = [term(f"reason {one.label}", one.words) for one in named]
    parts: Parts = []
    if main["convention"] == "unexplained":
        parts += ["No ", term("convention unexplained", "convention"), " explains it"]
        parts += [": ", *listed(reasons), "."] if reasons else ["."]
    elif not main["legal"] and main["fault"] not in _OTHERS:
        parts += ["Against convention", *([": ", *listed(reasons)] if reasons else []), "."]
    elif reasons:
        parts += [*capital(listed(reasons)), "."]
    more = [one for one in others if not is_any(named_convention(one["convention"]), silent)]
    if more:
        also = listed([convention_term(one["convention"]) for one in more])
        parts = _sentences(parts, ["Also: ", *also, "."])
    return parts


# --- chance -------------------------------------------------------------------------------------------------


def _chance(case: Case, at: int, kind: str) -> Row | None:
    """Return the odds of the action; of a clue those of the card that it calls blind."""
    action, decision = case.actions[at], case.decisions.get(at)
    for order in missed_calls(case, at):
        fits = per_cent(case.chance(at, order, case.positions[at]["playable"]))
        place = case.place(order, at)
        slot = place[1] if place else 0
        return _row("chance", f"By the cards alone slot {slot} fits with {fits}: here the call decides.")
    if action["kind"] == "clue":
        return _chance_of_call(case, at)
    if decision is None or decision["possibilities"] in (None, 1) or not action.get("slot"):
        return None
    called = case.reading.card_knowledge[at]
    main = case.main(at)
    quiet = main is None or is_any(named_convention(main["convention"]), SILENT_MOVES)
    if not kind and (quiet or action["kind"] != "play"):
        return None
    usual = ("p_playable", "fits") if action["kind"] == "play" else ("p_critical", "is a last copy")
    column, word = _COLUMNS.get(kind, usual)
    if kind and kind not in _COLUMNS:
        return None
    alone = decision[column] or 0.0
    if alone > _SURE and not kind:
        return None
    bars: list[Bar] = [("raw", "by the cards alone", alone, per_cent(alone))]
    if column == "p_playable" and called is not None and called.turn >= 0:
        playable = case.positions[at]["playable"]
        told = case.chance(at, action["order"], playable, called.identities)
        bars.append(("told", "as called", told, per_cent(told)))
    row = _odds(action["slot"], word, [*bars, *_in_games(decision, column)], action["kind"] == "play")
    like = row["bars"] and row["bars"][-1][0] == "like"
    return {**row, "note": model_note(decision["model"])} if like else row


def _in_games(decision: Row, column: str) -> list[Bar]:
    """Return what a model says of the card; of an unclued card that was played no model knows enough."""
    like = decision.get(f"{column}_in_games")
    if like is None or (decision["action"] == "play" and decision["place"] != "clued"):
        return []
    where = (decision[name] for name in ("model", "features", "place"))
    said = said_in_games(f"{column}_in_games", like, *where)
    return [("like", "in games like this", float(like), said.replace("%", "\N{NO-BREAK SPACE}%"))]


def model_note(name: str) -> str:
    """Return which games a model of chances was fitted on.

    >>> model_note("real")
    'Games like this: model “real”, 111 games.'
    """
    return f"Games like this: model “{name}”, {load_model(name).games:,} games."


def _odds(slot: int, word: str, bars: list[Bar], played: bool) -> Row:
    """Return chances: one as a sentence, several as bars on one scale."""
    alone, last = bars[0][2], bars[-1]
    if played and len(bars) == 2 and last[0] == "told" and last[2] > _SURE > alone:
        said = f"By the cards alone slot {slot} {word} with {per_cent(alone)}: only the call makes it safe."
        return _row("chance", said)
    if len(bars) == 1 or (len(bars) == 2 and abs(alone - last[2]) < 1 - _SURE):
        return _row("chance", f"By the cards alone slot {slot} {word} with {per_cent(alone)}.")
    return {**_row("chance", f"Slot {slot} {word}:"), "bars": bars}


def _chance_of_call(case: Case, at: int) -> Row | None:
    """Return how likely the first card that a clue calls blind fits, by the cards alone."""
    for one in case.reading.messages[at]:
        mark = case.reading.marks[at].get(one.order)
        blind = mark is not None and mark.word in ("finesse", "chop")
        if one.task == "play" and blind and one.order not in case.actions[at]["touched"]:
            fits = case.chance(at, one.order, case.positions[at]["playable"])
            said = f" fits with {per_cent(fits)}: only the call makes it safe."
            return _row("chance", "By the cards alone ", *case.slot(one.order, at), said)
    return None
