"""Consequences of a turn: the later turns, the outcome, the blame for a strike, and hindsight.

Only `hindsight` judges by the player's hidden cards.
"""

from __future__ import annotations

from typing import Final

from hanalyze.game.meanings import Convention
from hanalyze.report.game.evidence import missed_calls, unless_known_unfit
from hanalyze.report.game.game_mistakes import Row
from hanalyze.report.game.sentence_parts import (
    APOSTROPHE,
    EXCUSES,
    FAULTS,
    FAULTS_OF,
    NUMBERS,
    Part,
    Parts,
    capital,
    card,
    is_excused,
    joined,
    listed_parts,
    seat,
    term,
    turn,
)
from hanalyze.report.game.verdict_context import VerdictContext, bits_of, evidence_value
from hanalyze.store.mistakes import BLAMELESS, PLAYERS_TO_CHARGE
from hanalyze.words import costs_in_words, listed, outcome_parts

_SHOWN: Final = 3
"""Maximum number of turns shown, including the turn itself."""


# --- the turns ----------------------------------------------------------------------------------------------


def consequences(game: VerdictContext, at: int) -> Row | None:
    """Return the turn with related turns, and a text on the outcome; None without related turns and text."""
    marks = game.mistakes.get(at, [])
    main = game.main(at)
    text: Parts = []
    turns: set[int] = set()
    acted = game.conventions.card_knowledge[at]
    plain = main is not None and main["convention"] == Convention.PLAIN_PLAY
    if main is not None and main["outcome"] != "nothing_expected":
        turns |= _turns_of_cards(game, at, main)
        text = joined(_outcome(main), _strike_in_spite_of(main, marks))
    elif acted is not None and acted.turn >= 0 and (marks or not plain):
        turns.add(acted.turn)
    if missed_calls(game, at):
        more, text = _after_missed_call(game, at)
        turns |= more
    for mark in marks:
        more, sentence = _after_mark(game, at, mark)
        turns |= more
        text = joined(text, sentence)
    text = joined(text, _cost(marks))
    before = sorted(one for one in turns if one < at)[-1:]
    after = sorted(one for one in turns if one > at)[: _SHOWN - 1 - len(before)]
    shown = [*before, at, *after] if before or after else []
    if not shown and not text:
        return None
    return {"turns": [_step(game, one) for one in shown], "text": text}


def _turns_of_cards(game: VerdictContext, at: int, finding: Row) -> set[int]:
    """Return the turns after `at` on which a message's cards left their hands or the message was settled."""
    orders = [order for order in finding["cards"] if order >= 0]
    orders += [finding["focus"]] if finding["focus"] is not None else []
    fates = {game.fates[order] for order in orders} | {finding["closed_turn"]}
    closed, end = finding["closed_turn"], len(game.actions)
    last = end if closed is None else closed
    return {one for one in fates if one is not None and at < one <= last and one < end}


def _step(game: VerdictContext, at: int) -> Row:
    """Return a turn as a row: player, move, result, and `sign` (1 good, -1 bad, 0 neutral)."""
    action = game.actions[at]
    mover = game.mover(at)
    if action["kind"] == "clue":
        move: Part = {"clue": action["clue"]}
        return {"turn": at, "seat": mover, "move": move, "result": ["to ", seat(action["to"])], "sign": 0}
    if action["kind"] == "end":
        return {"turn": at, "seat": mover, "move": "", "result": ["ends the game"], "sign": 0}
    now, then = game.positions[at], game.positions[at + 1]
    acted = game.conventions.card_knowledge[at]
    result, good = "discarded", 0
    if action["result"] == "misplayed":
        result, good = f"strike {then['strikes']}", -1
    elif action["result"] == "played":
        result = "played" if acted is None or acted.gotten else "unclued"
        main = game.main(at)
        result = "blind" if main and main["convention"] == Convention.BLIND_PLAY else result
        result, good = ("+1 token" if then["tokens"] > now["tokens"] else result), 1
    elif then["max"] < now["max"]:
        result, good = "last copy", -1
    elif then["tokens"] > now["tokens"]:
        result = "+1 token"
    return {"turn": at, "seat": mover, "move": game.card(action["order"]), "result": [result], "sign": good}


def _outcome(finding: Row) -> Parts:
    """Return the outcome of a message; its first word links to the definition."""
    name, *rest = outcome_parts(finding)
    parts = [turn(part) if isinstance(part, int) else part for part in rest]
    return [*capital([term(f"outcome {finding['outcome']}", str(name))]), *parts, "."]


def _strike_in_spite_of(finding: Row, marks: list[Row]) -> Parts:
    """Return a sentence on the strike that a message caused, if the message worked in the end."""
    caused = [evidence_value(mark, "turn") for mark in marks if mark["kind"] == "strike_caused"]
    strike = caused[0] if caused and finding["outcome"] == "success" else None
    return ["But it had led to the strike of ", turn(int(strike)), "."] if strike is not None else []


def _cost(marks: list[Row]) -> Parts:
    points = sum(mark["points"] for mark in marks)
    tokens, pace = (max((mark[name] for mark in marks), default=0) for name in ("tokens", "pace"))
    costs = costs_in_words(points, tokens, pace)
    return [f"Cost: {costs}."] if costs else []


# --- consequences of a mistake ------------------------------------------------------------------------------


def _after_mark(game: VerdictContext, at: int, mark: Row) -> tuple[set[int], Parts]:
    """Return the turns on which a mistake had an effect, and a text on its cards."""
    if mark["kind"] in ("clue_repaired", "discard_unsaved", "fix_missed", "strike_caused"):
        lost_on = evidence_value(mark, "turn")
        return ({int(lost_on)} if lost_on is not None else set()), []
    order = game.actions[at].get("order")
    if order is None:
        return set(), []
    if game.positions[at + 1]["max"] < game.positions[at]["max"]:
        # discard_out_of_pace is charged for the lost turn, not for the card, so it lists no cards.
        lost = mark["points"] or mark.get("charged_turn") is not None
        is_lost = lost and mark["kind"] != "discard_out_of_pace"
        return set(), _out_of_reach(game, at, order) if is_lost else []
    if mark["kind"] == "misplay":
        return _after_misplay(game, at, order)
    return set(), []


def _out_of_reach(game: VerdictContext, at: int, order: int) -> Parts:
    """Return a sentence on the other cards that can no longer be played after a card was lost."""
    lost = game.positions[at]["needed"] & ~game.positions[at + 1]["needed"]
    suit, rank = game.replay.deck[order]
    lost &= ~(1 << suit * 8 + rank)
    if not lost:
        return []
    cards = [card(divmod(bit, 8), [order]) for bit in bits_of(lost)]
    return [*listed(cards), " are" if len(cards) > 1 else " is", " out of reach, too."]


def _after_misplay(game: VerdictContext, at: int, order: int) -> tuple[set[int], Parts]:
    """Return the turn of the preceding card if it was played within two rounds, and a text on the copies."""
    suit, rank = game.replay.deck[order]
    fits = [position["playable"] >> suit * 8 + rank & 1 for position in game.positions]
    two_rounds = range(at + 1, min(at + 1 + 2 * len(game.names.players), len(game.actions)))
    turns = {number for number in two_rounds if fits[number + 1] and not fits[number]}
    if not game.positions[at + 1]["needed"] >> suit * 8 + rank & 1:
        return turns, []
    copies = game.replay.variant.copies[suit][list(game.replay.variant.ranks).index(rank)]
    discarded = sum(
        tuple(game.replay.deck[one]) == (suit, rank) for one in game.positions[at + 1]["discards"]
    )
    left = max(0, copies - discarded)
    name = card((suit, rank), [order])
    if left == 0:
        return turns, ["It was the last ", name, "."]
    played = {
        tuple(game.replay.deck[action["order"]]): number
        for number, action in enumerate(game.actions)
        if number > at and action.get("result") == "played"
    }
    later = played.get((suit, rank))
    end = ["; it played on ", turn(later), "."] if later is not None else ["."]
    return turns, [f"{NUMBERS[left].capitalize()} ", name, f" {'was' if left == 1 else 'were'} left", *end]


def _after_missed_call(game: VerdictContext, at: int) -> tuple[set[int], Parts]:
    """Return the turns of the missed calls and of their strikes, and a text on a called card's fate."""
    calls = missed_calls(game, at)
    strikes = {strike for strike, blamed in _blamed(game).items() if blamed == at}
    turns = {*calls.values()} | strikes
    fates = ((order, game.fates[order]) for order in calls)
    order, fate = next(((order, fate) for order, fate in fates if fate is not None), (-1, None))
    if fate is None:
        return turns, []
    verbs = {"played": "played", "misplayed": "was misplayed"}
    verb = verbs.get(str(game.actions[fate].get("result")), "was discarded")
    text = [game.card(order), f" {verb} on ", turn(fate), "."]
    return turns | {fate} if len(turns) == 1 else turns, text


# --- blame for strikes --------------------------------------------------------------------------------------


def _seats_at_fault(game: VerdictContext, at: int) -> list[int]:
    """Return the seats at fault for a misplay; the seat that is charged comes first."""
    row = game.findings[at][0]
    acted = game.conventions.card_knowledge[at]
    if row["fault"] == "shared":
        both = [row["fault_seat"], game.mover(at)]
        return both[::-1] if row["fault_rule"] in PLAYERS_TO_CHARGE else both
    if row["fault_rule"] == "not_fixed" and acted is not None and acted.seat not in (-1, row["fault_seat"]):
        return [row["fault_seat"], acted.seat]
    return [row["fault_seat"]]


def _possessives(seats: list[int]) -> Parts:
    """Return the possessives of one or two players: "Alice's and Bob's"."""
    first, *others = [[seat(number), APOSTROPHE + "s"] for number in seats]
    return [*first, *(part for other in others for part in (" and ", *other))]


def _blamed(game: VerdictContext) -> dict[int, int]:
    """Return another player's turn at fault for each misplay, by turn of the misplay.

    If the turn is unknown, it is that of the giver's message, else the last turn of the player at fault.
    """
    blamed = {}
    for at, rows in game.findings.items():
        row = rows[0]
        if row["fault"] in ("none", "player", "nobody") or row["fault_seat"] < 0:
            continue
        acted = game.conventions.card_knowledge[at]
        by_giver = row["fault"] == "giver" and acted is not None and acted.seat == row["fault_seat"]
        turns = [one for one in range(at) if game.mover(one) == row["fault_seat"]]
        last = acted.turn if by_giver and acted is not None and acted.turn >= 0 else max(turns, default=-1)
        # If the fault is shared, the marks give the turn of the misplay itself as the turn at fault.
        fault_turn = row["fault_turn"] if row["fault"] == "shared" else game.fault_turn(at)
        if (turn_to_blame := last if fault_turn is None else fault_turn) >= 0:
            blamed[at] = turn_to_blame
    return blamed


def blames(game: VerdictContext) -> dict[int, Parts]:
    """Return sentences on the blame for unsaved cards and strikes, by turn of the loss or turn at fault."""
    sentences: dict[int, Parts] = {}
    for at, marks in game.mistakes.items():
        charged = marks[0].get("charged_turn")
        if charged is not None and charged != at:
            sentences[at] = ["Not saved by ", seat(marks[0]["charged_seat"]), " on ", turn(charged), "."]
            if any(one["severity"] not in BLAMELESS for one in marks):
                sentences[at][-1:] = ["; ", seat(game.mover(at)), " is to blame, too."]
    for at, blamed in _blamed(game).items():
        if blamed != at and _is_doubtful(game, blamed):
            sentences[blamed] = ["The strike of ", turn(at), " may have been an answer to this clue."]
        elif blamed != at:
            guilty, mover = _seats_at_fault(game, at), game.mover(at)
            innocent = [] if mover in guilty else [", not ", *_possessives([mover])]
            whose = ["The strike of ", turn(at), " is ", *_possessives(guilty), *innocent]
            sentences[blamed] = [*whose, *_fixer(game, at), "."]
    for at, rows in game.findings.items():
        row = rows[0]
        if row["fault"] == "none":
            continue
        excused = [mark for mark in game.mistakes.get(at, []) if is_excused(mark)]
        if excused:
            sentences[at] = ["Not blamed: ", EXCUSES[excused[0]["severity"]], "."]
            continue
        rule = unless_known_unfit(game, at, row["fault_rule"])
        _, reason = FAULTS_OF.get((rule, row["convention"]), FAULTS[rule])
        if rule == "known_unfit" and (suit := _complete_suit(game, at)):
            reason = f"{suit} is complete"
        why = term(f"fault {rule}", reason)
        if row["fault"] == "nobody" or (rule == "unclear_call" and row["fault"] != "shared"):
            sentences[at] = ["Not blamed: ", why, "."]
            continue
        whose = ["The strike is ", *_possessives(_seats_at_fault(game, at)), ": ", why]
        sentences[at] = [*whose, *_fixer(game, at), "."]
    return sentences


def _is_doubtful(game: VerdictContext, at: int) -> bool:
    """Return whether it is uncertain that a clue seemed to call the card that a teammate misplayed."""
    marks = game.mistakes.get(at, [])
    return any(mark["kind"] == "strike_caused" and mark["severity"] == "gamble" for mark in marks)


def _fixer(game: VerdictContext, at: int) -> Parts:
    """Return a clause on the last other player who could have fixed the clue behind a misplay, or nothing."""
    row = game.findings[at][0]
    if row["unfixed_seat"] is None:
        return []
    return ["; ", seat(row["unfixed_seat"]), " could have fixed it on ", turn(row["unfixed_turn"])]


def _complete_suit(game: VerdictContext, at: int) -> str:
    """Return the suit of a misplayed card if its stack was complete, else ""."""
    suit, _ = game.replay.deck[game.actions[at]["order"]]
    is_complete = len(game.positions[at]["stacks"][suit]) == game.replay.variant.stack_size
    return str(game.names.suits[suit]) if is_complete else ""


# --- hindsight ----------------------------------------------------------------------------------------------


def hindsight(game: VerdictContext, at: int) -> Parts:
    """Return sentences that name the mover's other cards that were playable or trash."""
    position = game.positions[at]
    hand = position["hands"][game.mover(at)]
    playable: Parts = []
    trash: Parts = []
    for number, order in enumerate(reversed(hand), 1):
        if order == game.actions[at].get("order"):
            continue
        suit, rank = game.replay.deck[order]
        bit = suit * 8 + rank
        name = [f"slot {number} ", game.card(order)]
        if position["playable"] >> bit & 1:
            playable.append(name)
        elif not position["needed"] >> bit & 1:
            trash.append(name)
    were = "were" if len(trash) > 1 else "was"
    return joined(
        [*capital(listed_parts(playable)), " would have played."] if playable else [],
        [*capital(listed_parts(trash)), f" {were} trash."] if trash else [],
    )
