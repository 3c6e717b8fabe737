"""Selection of puzzles: turns whose right answers are clear by the margins below."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from hanalyze.conventions.classes import BLUFFS, GETTING, SAVES, STALLS, is_any, set_of
from hanalyze.engine.measure import pace
from hanalyze.game.actions import PLAY, ActionKind
from hanalyze.game.cards import card_of
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.masks import members, popcount
from hanalyze.position import position_of, seen_game
from hanalyze.puzzles.moves import Move
from hanalyze.puzzles.verdicts import (
    CARDS_MARGIN,
    CLEAR_CLUES,
    GETTING_CLUES,
    OPEN,
    RIGHT,
    SAVING_CLUES,
    WRONG,
    Alternative,
    Judge,
    Puzzle,
    labels_in,
)
from hanalyze.text import plural
from hanalyze.words import named_convention, percent

MOST_OPEN: Final = 3  # maximum number of open moves in a puzzle
MOST_RIGHT: Final = 3  # maximum number of right moves in a puzzle
MOST_READINGS: Final = 2  # maximum number of readings of the focus in the form `cards`
LIKELY: Final = 0.5
"""A turn without a right play is no puzzle if a clued or called card is playable with this chance or more."""
RISKY: Final = 0.35  # a discard of the chop is right only if it is less likely than this to be critical
LEAST_DECK: Final = 8  # minimum number of cards in the deck before the turn of a puzzle
LEAST_PACE: Final = 4  # minimum pace of a quiet position
FORMS: Final = ("play", "known", "save", "get", "quiet", "cards")
"""The forms of puzzles: a called card; a card known to be playable; a necessary save; the best clue; a quiet
position; the focus of a received clue."""
STUDY: Final = "study"  # form of a requested position that is not a puzzle
_DIRECT: Final = labels_in(SAVES | set_of(Convention.PLAY_CLUE, Convention.DELAYED_PLAY_CLUE))
"""Clues that call or save only their focus."""
_BLUFF_NAMES: Final = labels_in(BLUFFS)


def make_puzzle(judge: Judge) -> Puzzle | None:
    """Return the puzzle of a candidate turn; None if its right answers are not clear."""
    row = judge.row
    if not _has_plain_chops(judge):
        return None
    parts = _receiver(judge) if row["form"] == "cards" else _mover(judge)
    if parts is None:
        return None
    question, alternatives, level, steps, explained = parts
    difficulty = min(5, 1 + steps + (level >= 5) + (level >= 11))
    return Puzzle(
        **_shared_fields(judge, row["form"], row["theme"]),
        level=level,
        difficulty=difficulty,
        share=round(row["share"], 3),
        question=question,
        alternatives=alternatives,
        explained=explained,
        mistake=row.get("kind"),
    )


def _shared_fields(judge: Judge, form: str, theme: str) -> dict[str, Any]:
    phase = "end" if judge.state.turn_view.end_phase else "early" if judge.state.common.early else "middle"
    fields = {"game_id": judge.row["game_id"], "turn": judge.row["turn"], "seat": judge.seat}
    return {**fields, "form": form, "theme": theme, "phase": phase, "key": _key(judge, form)}


def study(judge: Judge) -> Puzzle:
    """Return a puzzle of the form `STUDY`, whose answers are all open.

    Its explanation names the actual move, its cost and the better move, from `judge.row`.
    """
    row, better = judge.row, judge.row["better"]
    cost = f" It cost {plural(row['points'], 'point')}." if row["points"] else ""
    return Puzzle(
        **_shared_fields(judge, STUDY, row["kind"]),
        level=None,
        difficulty=None,
        share=None,
        question="What would you do here?",
        alternatives=tuple(_alternative(judge, one, OPEN, _about(judge, one)) for one in judge.turn.moves()),
        explained=f"In the game: {row['text']}.{cost}" + (f" Better: {better}." if better else ""),
    )


def _about(judge: Judge, move: Move) -> str:
    """Return a sentence on the meaning of a move, or on the chance that its card is playable or critical."""
    if move.is_clue:
        return judge.clue_sentence(move)
    order = move.action.target
    if move.action.kind == PLAY:
        return f"{percent(judge.chance(order))}% likely to be playable."
    critical = judge.row["critical"][judge.turn.slot(order) - 1]
    return f"{percent(critical or 0.0)}% likely to be critical."


def _has_plain_chops(judge: Judge) -> bool:
    """Return whether each chop is the oldest unclued card; players may disagree about other chops."""
    hands, clued = map(judge.turn.hand, range(judge.game.seats)), judge.game.clued
    chops = [next((order for order in hand if not clued >> order & 1), -1) for hand in hands]
    return chops == list(judge.state.turn_view.chop[: len(chops)])


Parts = tuple[str, tuple[Alternative, ...], int, int, str]
"""Question, answers, H-Group level, number of plays called before the focus, and explanation of a puzzle."""


def _mover(judge: Judge) -> Parts | None:
    """Return the parts of a puzzle for the player to move, None if no answers are clearly right."""
    row, turn, state, game = judge.row, judge.turn, judge.state, judge.game
    view, form, seat = state.turn_view, judge.row["form"], judge.seat
    own = view.cards[seat]
    if _may_be_layered(judge) or _had_unexplained_clue(judge):
        return None
    if not turn.is_true() or view.doubtful & own or pace(game) < (LEAST_PACE if form == "quiet" else 0):
        return None
    plays = _right_plays(judge)
    if not plays:
        if form in ("play", "known") or any(
            judge.chance(order) >= LIKELY for order in members(view.gotten & own)
        ):
            return None
        # In the early game, the next player may clue instead of discarding, so no save is urgent.
        if form == "save" and state.common.early:
            return None
        if form == "get" and row["theme"] not in CLEAR_CLUES & GETTING_CLUES:
            return None
    moves = turn.moves()
    best = max(map(judge.clue_worth, moves), default=0)
    discards = 0
    if form == "quiet":
        if best > 0 or _had_odd_discard(judge) or not _is_quiet(judge, moves):
            return None
        discards = view.known_trash & own or 1 << view.chop[seat]
    elif form == "save":
        best = max((judge.clue_worth(move) for move in moves if move.saved), default=0)
        if any(judge.is_as_good(move, best) for move in moves):
            return None
        if any(judge.may_play(game.place[order]) for order in members(state.offers.at_risk)):
            return None
    elif form == "get" and best < CARDS_MARGIN:
        return None
    alternatives = []
    for move in moves:
        if move.is_clue:
            verdict, why = judge.judge_clue(move, best)
        elif move.action.kind == PLAY:
            verdict, why = judge.judge_play(move, plays)
        else:
            verdict, why = judge.judge_discard(move, discards)
        alternatives.append(_alternative(judge, move, verdict, why))
    right = [answer for answer in alternatives if answer.verdict == RIGHT]
    is_open = [answer for answer in alternatives if answer.verdict == OPEN]
    if not 1 <= len(right) <= MOST_RIGHT or len(is_open) > MOST_OPEN:
        return None
    if form == "quiet" and is_open:
        return None
    level, steps = row["level"] or 1, row["steps"]
    if form in ("save", "get"):
        main = [m for m, one in zip(moves, alternatives, strict=True) if one.verdict == RIGHT]
        if row["theme"] not in {m.finding["convention"] for m in main}:
            return None
        level = max(m.finding["level"] for m in main)
        steps = min(m.finding["steps"] for m in main)
    elif form == "play":
        level = judge.messages[row["cause"]]["level"]
    return "What do you do?", tuple(alternatives), level, steps, right[0].why


def _right_plays(judge: Judge) -> int:
    """Return the mask of the player's cards that are right to play; 0 also if the call is not clear."""
    game, view, row = judge.game, judge.state.turn_view, judge.row
    if row["form"] == "known":
        return _known_plays(judge)
    if row["form"] != "play":
        return 0
    hand = judge.turn.hand(judge.seat)
    due: int = hand[len(hand) - row["due_slot"]]
    cause = judge.messages[row["cause"]]
    # After a round, or if the clue saved a card or only retouched cards, it may have another explanation.
    if row["turn"] - row["cause"] > game.seats or cause["saved"] or not cause["newly_touched"]:
        return 0
    # If the called card may not be playable yet, the player may wait.
    if view.belief[due] & ~game.playable or not game.playable >> game.identity[due] & 1:
        return 0
    if not cause["legal"] or _is_elsewhere(judge, due):
        return 0
    blind = judge.state.common.blind
    if blind >> due & 1:
        return 1 << due
    # A blind play comes first; all other plays are equally right.
    plays = 1 << due | _known_plays(judge)
    return 0 if blind & plays else plays


def _known_plays(judge: Judge) -> int:
    """Return the mask of the player's cards whose possible identities are all playable."""
    game, plays = judge.game, 0
    for order, possible in zip(judge.turn.hand(judge.seat), game.know.known[judge.seat], strict=False):
        if not possible & ~game.playable:
            plays |= 1 << order
    return plays


def _may_be_layered(judge: Judge) -> bool:
    """Return whether the player answered a bluff whose focus is two or more cards away from playable.

    Before level 13, such a bluff is a layered finesse, in which the call moves on to the next card.
    """
    game, messages = judge.game, judge.messages
    ready = game.playable | judge.state.turn_view.hypo_playable
    played = {
        call["focus"]
        for turn, call in messages.items()
        if turn < judge.row["turn"] and call["seat"] == judge.seat and call["convention"] == "blind_play"
    }
    # The identity after a ready one has the next number.
    ready |= ready << 1
    for call in messages.values():
        answered = call["convention"] in _BLUFF_NAMES and call["cards"][0] in played
        if answered and game.place[call["focus"]] >= 0 and not ready >> game.identity[call["focus"]] & 1:
            return True
    return False


def _had_unexplained_clue(judge: Judge) -> bool:
    """Return whether this round has a clue that no convention explains; the player may take it for a call."""
    turns = range(max(judge.row["turn"] - judge.game.seats + 1, 0), judge.row["turn"])
    return any(judge.messages.get(turn, {}).get("convention") == "unexplained" for turn in turns)


def _had_odd_discard(judge: Judge) -> bool:
    """Return whether, in this round, another player discarded a card that was neither chop nor known trash.

    Such a discard may be a signal. A card that was never clued, called or named does not count as known
    trash, because others cannot tell whether its holder knew it to be trash.
    """
    now, needed, got_turn = judge.row["turn"], judge.state.turn_view.needed, judge.state.common.got_turn
    for turn in range(max(now - judge.game.seats + 1, 0), now):
        message = judge.messages.get(turn)
        if message is None or message["action"] != "discard":
            continue
        if message["convention"] != "plain_discard" or message["reasons"] >> Reason.OUT_OF_ORDER & 1:
            return True
        trash = got_turn[message["focus"]] > 0 and not message["readings"] & needed
        if not trash and any(
            order < message["focus"] and not _was_clued(judge, order, turn)
            for order in judge.turn.hand(message["seat"])
        ):
            return True
    return False


def _was_clued(judge: Judge, order: int, turn: int) -> bool:
    """Return whether a clue had touched a card before a turn."""
    return any(mark.touched and mark.turn < turn for mark in judge.turn.marks(order))


def _is_elsewhere(judge: Judge, due: int) -> bool:
    """Return whether the player sees another card that the call may be for."""
    game, view = judge.game, judge.state.turn_view
    for seat in range(game.seats):
        for order in judge.turn.hand(seat):
            ready = view.gotten >> order & 1 or view.finesse_card[seat] == order
            if seat != judge.seat and ready and game.identity[order] == game.identity[due]:
                return True
    return False


def _is_quiet(judge: Judge, moves: list[Move]) -> bool:
    """Return whether a discard is clearly right.

    The pace must be at least the number of players. No other player may have a playable card to learn about,
    and no allowed clue may get a card or be a stall. The hand must have known trash, or a chop that is not
    critical and whose chance of being critical is below `RISKY`.
    """
    view, game, seat = judge.state.turn_view, judge.game, judge.seat
    playable = game.playable | view.hypo_playable
    waiting = judge.state.common.blind & view.called
    for other in range(game.seats):
        for order in judge.turn.hand(other) if other != seat else ():
            gotten = bool(view.gotten >> order & 1)
            # The holder may have identified a clued card from cards that the player to move does not see.
            known = gotten and not game.possible[order] & view.needed & ~game.playable
            ready = view.needed & (game.playable if gotten else playable)
            if ready >> game.identity[order] & 1 and not known and not waiting >> order & 1:
                return False
    clues = [move.finding for move in moves if move.is_clue and move.finding["legal"]]
    if view.end_phase or any(is_any(named_convention(one["convention"]), GETTING | STALLS) for one in clues):
        return False
    if view.known_trash & view.cards[seat]:
        return True
    chop = view.chop[seat]
    critical = judge.row["critical"][judge.turn.slot(chop) - 1] or 0.0
    return critical < RISKY and not view.critical >> judge.game.identity[chop] & 1


def _alternative(judge: Judge, move: Move, verdict: str, why: str) -> Alternative:
    kind, target, value = move.action
    label = judge.label(move)
    if move.is_clue:
        return Alternative("clue", label, verdict, why, seat=target, clue=(kind, value))
    name = "play" if kind == PLAY else "discard"
    return Alternative(name, label, verdict, why, slot=judge.turn.slot(target))


def _receiver(judge: Judge) -> Parts | None:
    """Return the parts of a puzzle for the receiver of the last clue, None if its reading is not clear."""
    turn, game, view = judge.turn, judge.game, judge.state.turn_view
    finding = judge.messages[judge.row["turn"] - 1]
    focus = finding["focus"]
    if focus is None or game.place[focus] != judge.seat or not turn.is_true():
        return None
    hand = turn.hand(judge.seat)
    reading = view.belief[focus]
    possible = game.know.known[judge.seat][hand.index(focus)]
    if not reading & finding["readings"] or popcount(reading) > MOST_READINGS:
        return None
    if finding["convention"] not in _DIRECT and any(
        popcount(game.know.known[judge.seat][place]) > 1 and view.gotten >> order & 1
        for place, order in enumerate(hand)
        if order != focus
    ):
        return None
    # Players disagree about whether the card can have an identity that a gotten card of the giver has.
    giver_ids = sum(1 << game.identity[order] for order in members(view.gotten & view.cards[finding["seat"]]))
    if possible & view.needed & giver_ids:
        return None
    if popcount(possible) <= popcount(reading) or finding["touched_slots"] == 0:
        return None
    if _is_shared(judge, focus, possible & view.needed & ~reading):
        return None
    touched = [order for order in hand if finding["touched_slots"] >> turn.slot(order) - 1 & 1]
    clue = judge.names.clue_name(ActionKind[finding["action"].upper()], finding["clue_value"])
    giver = judge.names.players[finding["seat"]]
    slot = turn.slot(focus)
    if focus != _plain_focus(judge, touched):
        return None
    cards = judge.identities(reading)
    meaning = judge.meaning(finding)
    if finding["convention"] in SAVING_CLUES and reading & game.playable:
        meaning = f"Play or save clue: your slot {slot}"
    later = reading & ~game.playable
    now = reading & game.playable
    task = "Play it now" if not later else "Keep it for now" if not now else "It may have to wait"
    explained = f"{meaning}. The clue is about slot {slot}: {cards}. {task}."
    other = f"The clue is about slot {slot}, not this card."
    others = [turn.slot(order) for order in reversed(touched) if order != focus]
    alternatives = [Alternative("card", f"slot {place}", WRONG, other, slot=place) for place in others]
    for number in members(possible):
        card = card_of(number)
        label = f"slot {slot} is {judge.names.card_name(card)}"
        right = reading >> number & 1
        verdict, why = (RIGHT, "The reading allows it.") if right else (WRONG, _why_not(judge, number, cards))
        identity = (card.suit, card.rank)
        alternatives.append(Alternative("card", label, verdict, why, slot=slot, identity=identity))
    playable = f"Slot {slot} is {cards}, which is playable."
    verdict, why = (RIGHT, f"{task}.") if later else (WRONG, playable)
    alternatives.append(Alternative("keep", "keep it for now", verdict, why, slot=slot))
    question = f"{giver} clued you {clue}. Which card is the clue about, and what is it?"
    return question, tuple(alternatives), finding["level"], finding["steps"], explained


def _is_shared(judge: Judge, focus: int, others: int) -> bool:
    """Return whether an earlier message left another card several identities, including one of `others`."""
    known = dict(zip(judge.turn.hand(judge.seat), judge.game.know.known[judge.seat], strict=False))
    for turn, message in judge.messages.items():
        if turn < judge.row["turn"] - 1 and message["focus"] != focus and message["focus"] in known:
            remaining = message["readings"] & known[message["focus"]] & judge.state.turn_view.needed
            if remaining & others and popcount(remaining) > 1:
                return True
    return False


def _plain_focus(judge: Judge, touched: list[int]) -> int:
    """Return the focus of the previous turn's clue by clue marks only, ignoring chop moves and calls."""
    hand = judge.turn.hand(judge.seat)
    old = {order for order in hand if _was_clued(judge, order, judge.row["turn"] - 1)}
    new = [order for order in touched if order not in old]
    chop = next((order for order in hand if order not in old), -1)
    return chop if chop in new else (new or touched)[-1]


def _why_not(judge: Judge, number: int, cards: str) -> str:
    name = judge.names.card_name(card_of(number))
    if not judge.state.turn_view.needed >> number & 1:
        return f"{name} is trash, which clues do not touch."
    view = judge.state.turn_view
    for order in members(view.gotten & ~view.cards[judge.seat]):
        if judge.game.identity[order] == number:
            return f"{judge.card(order)} is clued or called already."
    if judge.game.playable >> number & 1:
        return f"{name} is not a reading of this clue; it means {cards}."
    return f"{name} would be neither a play nor a save; the reading is {cards}."


def _key(judge: Judge, form: str) -> str:
    """Return a digest of the position as the seat sees it, without the players' names."""
    seat, names, turn = judge.seat, judge.names, judge.turn
    view = position_of(seen_game(turn.game), tuple(names.players), names.letters, turn.history).seen_by(seat)
    hands = [[(card.card, card.possible.mask, card.clues) for card in hand] for hand in view.hands]
    text = repr((form, seat, hands, view.stacks, view.discards, view.clue_tokens, view.strikes, view.deck))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
