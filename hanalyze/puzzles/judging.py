"""Which turns are puzzles: every legal move is right, wrong or open, by the evidence before the move.

A move is open, neither right nor wrong, if players may reasonably prefer it. A turn is a puzzle only if its
right moves are clearly apart from the rest, by the margins below, and if no card contradicts the evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hanalyze.conventions.classes import GETTING, SAVES, STALLS, conventions_in, is_any, set_of
from hanalyze.engine.measure import pace
from hanalyze.game.actions import COLOUR_CLUE, PLAY, RANK_CLUE
from hanalyze.game.cards import card_of
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.masks import members, popcount
from hanalyze.position import Position
from hanalyze.puzzles.moves import Move, Turn
from hanalyze.store.judging_options import PLAY as PLAY_THRESHOLD
from hanalyze.text import plural
from hanalyze.words import (
    GameNames,
    is_against_convention,
    listed,
    meaning_words,
    named_convention,
    percent,
    reason_words,
)

CHANCE_MARGIN: Final = 0.3
"""A play that nothing called is wrong only if its chance is this much below the play threshold, or below the
threshold while a called card, a known play or a save waits."""
CARDS_MARGIN: Final = 2
"""The best clue gets at least this many cards. A save is right only if no save gets this many more."""
MOST_OPEN: Final = 3
"""A puzzle has at most this many open moves."""
MOST_RIGHT: Final = 3
"""A puzzle has at most this many right moves."""
MOST_READINGS: Final = 2
"""The focus of the receiver's question has at most this many readings."""
LIKELY: Final = 0.5
"""If the player has a clued card that is playable with this chance, a clue or discard is no answer."""
RISKY: Final = 0.35
"""A discard is right only if its chance of being critical is lower than this."""
LEAST_DECK: Final = 8
"""With fewer cards in the deck, a position is no puzzle: the last moves follow other rules."""
LEAST_PACE: Final = 4
"""With a lower pace, discards cost points, and no position is quiet."""

FORMS: Final = ("play", "known", "save", "get", "quiet", "cards")
"""A card called now; a card known to be playable; a clue that must save; the best clue; nothing special; the
receiver's question."""
_CLEAR_CLUES: Final = frozenset(
    one.label
    for one in conventions_in(
        SAVES
        | set_of(Convention.PLAY_CLUE, Convention.DELAYED_PLAY_CLUE, Convention.SELF_PROMPT)
        | set_of(Convention.PROMPT, to=Convention.REVERSE_FINESSE)
    )
)
"""Clues that can be right if they call at most one other card; about the worth of others, such as bluffs and
layers, strong players differ."""
_DIRECT: Final = frozenset(
    one.label for one in conventions_in(SAVES | set_of(Convention.PLAY_CLUE, Convention.DELAYED_PLAY_CLUE))
)
"""Clues about their focus alone."""
_GETTING: Final = frozenset(one.label for one in conventions_in(GETTING & ~SAVES))
_UNSURE: Final = (Reason.HIDDEN_CARD, Reason.GIVERS_CARD, Reason.FINESSE_OR_BLUFF)

_KINDS: Final = {"colour_clue": COLOUR_CLUE, "rank_clue": RANK_CLUE}

RIGHT: Final = "right"
WRONG: Final = "wrong"
OPEN: Final = "open"
Judgement = tuple[str, str]
"""A verdict (right, wrong, open) and a sentence."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """An answer: `kind` is play, discard, clue, card or keep; `identity` is that of the card in a slot."""

    kind: str
    label: str
    verdict: str
    why: str
    slot: int | None = None
    seat: int | None = None
    clue: tuple[int, int] | None = None
    identity: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle: the position before `turn` as `seat` sees it, a question, and all answers with verdicts."""

    game_id: int
    turn: int
    seat: int
    form: str
    theme: str
    phase: str
    level: int
    difficulty: int
    share: float
    key: str
    question: str
    alternatives: tuple[Alternative, ...]
    explained: str
    mistake: str | None = None

    @property
    def right(self) -> list[Alternative]:
        """Return the right answers."""
        return [one for one in self.alternatives if one.verdict == RIGHT]


class Judge:
    """Verdicts on the moves of one turn."""

    def __init__(
        self,
        row: Mapping[str, Any],
        turn: Turn,
        names: GameNames,
        deck: list[tuple[int, int]],
        messages: Mapping[int, Mapping[str, Any]],
        play_threshold: float = PLAY_THRESHOLD,
    ) -> None:
        self.row, self.turn, self.names, self.deck = row, turn, names, deck
        self.messages, self.play_threshold = messages, play_threshold
        self.game, self.state = turn.game, turn.state
        self.seat = int(row["seat"])

    # --- words -----------------------------------------------------------------------------------------

    def card(self, order: int) -> str:
        """Return a card in words; cards of the asked player are named by their slots."""
        holder = self.game.place[order]
        if holder == self.seat:
            return f"your slot {self.turn.slot(order)}"
        name = self.names.card_name(self.deck[order])
        return f"{self.names.players[holder]}'s {name}" if 0 <= holder < self.game.seats else name

    def cards(self, orders: int) -> str:
        """Return some cards in words."""
        return " and ".join(map(self.card, members(orders)))

    def identities(self, mask: int) -> str:
        """Return identities in words."""
        return "".join(
            map(str, listed([self.names.card_name(card_of(one)) for one in members(mask)], " or "))
        )

    def label(self, move: Move) -> str:
        """Return a move in words."""
        kind, target, value = move.action
        if move.is_clue:
            return f"clue {self.names.players[target]} {self.names.clue_name(kind, value)}"
        return f"{'play' if kind == PLAY else 'discard'} slot {self.turn.slot(target)}"

    def meaning(self, finding: Mapping[str, Any]) -> str:
        """Return what a message means, as a sentence without a full stop."""
        plain = {**finding, "focus": None if (finding["focus"] or 0) < 0 else finding["focus"]}
        words = meaning_words(plain, self.card)
        return words[:1].upper() + words[1:]

    def message(self) -> str:
        """Return the message that the question is about, as a sentence."""
        finding = self.messages[self.row["cause"]]
        giver = self.names.players[finding["seat"]]
        return f"{giver}, turn {finding['turn'] + 1}: {self.meaning(finding)}."

    # --- verdicts --------------------------------------------------------------------------------------

    def clue_worth(self, move: Move) -> int:
        """Return the cards that an allowed clue gets, 0 for other clues."""
        return move.finding["worth"] if move.is_clue and move.finding["legal"] else 0

    def chance(self, order: int) -> float:
        """Return the chance that an own card is playable."""
        return float(self.row["playable"][self.turn.slot(order) - 1] or 0.0)

    def judge_play(self, move: Move, right: int) -> Judgement:
        """Judge a play; `right` are the cards whose play is right."""
        order = move.action.target
        view = self.state.turn_view
        if right >> order & 1:
            if self.row["form"] == "play" and self.turn.slot(order) == self.row["due_slot"]:
                return RIGHT, f"{self.message()} Slot {self.turn.slot(order)} is called now."
            return RIGHT, f"Known to be playable: {self.identities(view.belief[order])}."
        if view.playable_now >> order & 1:
            return OPEN, f"Probably playable: {self.identities(view.belief[order])}."
        if view.known_trash >> order & 1:
            return WRONG, "Known to be trash."
        chance = self.chance(order)
        sentence = f"Not known to be playable: {percent(chance)}% likely."
        # A called card, a known play or a save is better than any play below the threshold.
        margin = 0.0 if right or self.row["form"] == "save" else CHANCE_MARGIN
        return (WRONG if chance < self.play_threshold - margin else OPEN), sentence

    def judge_discard(self, move: Move, right: int) -> Judgement:
        """Judge a discard; `right` are the cards whose discard is right."""
        order, form = move.action.target, self.row["form"]
        view = self.state.turn_view
        trash = bool(view.known_trash >> order & 1)
        if right >> order & 1:
            what = "known trash" if trash else "the chop"
            return RIGHT, f"Nothing is called, and no clue gets a card: discard {what}."
        if form == "play":
            return WRONG, "A called card waits: play it first."
        if form == "known":
            return WRONG, "A card known to be playable waits: play it first."
        if form == "save":
            risk = self.cards(self.state.offers.at_risk)
            if move.has(Reason.SAVE_MISSED):
                return WRONG, f"Leaves {risk} unsaved: it may be discarded next."
            if move.has(Reason.SAVE_LEFT):
                return OPEN, f"Leaves {risk} to another player."
            return OPEN, f"Keeps {risk} for now: the discard is not due next."
        if form == "get":
            return WRONG, "A clue gets several cards; a discard can wait."
        if view.gotten >> order & 1:
            return WRONG, "It was clued, and is not known to be trash."
        if view.known_trash & view.cards[self.seat]:
            return WRONG, "Another card is known to be trash: discard that one."
        return WRONG, f"Not the chop; your chop is slot {self.turn.slot(view.chop[self.seat])}."

    def judge_clue(self, move: Move, best: int) -> Judgement:
        """Judge a clue; `best` is the number of cards that the best clue gets."""
        finding, form = move.finding, self.row["form"]
        sentence = self.clue_sentence(move)
        allowed = bool(finding["legal"])
        if form == "play":
            late = move.has(Reason.LATE) or not allowed
            return (WRONG if late else OPEN), sentence + (" The called card waits." if late else "")
        if form == "save":
            return self._judge_save(move, best, sentence)
        worth = finding["worth"] if allowed else 0
        if form == "get":
            gets = worth == best and finding["convention"] in _GETTING
            if gets and self.is_clear(move) and self.is_safe_after(move):
                return RIGHT, sentence
            if worth > 0 or self.shows_play(move):
                return OPEN, sentence
            return WRONG, f"{sentence} Another clue gets {plural(best, 'card')}."
        return (OPEN if allowed or self.shows_play(move) else WRONG), sentence

    def _judge_save(self, move: Move, best: int, sentence: str) -> Judgement:
        finding, rest = move.finding, self.state.offers.at_risk & ~move.saved
        following = self.state.turn_view.cards[(self.seat + 1) % self.game.seats]
        busy = self.state.turn_view.cards[move.action.target] if self.gives_play(move) else 0
        if rest & following & ~busy:
            return WRONG, f"{sentence} It leaves {self.cards(rest)} unsaved."
        if move.saved and finding["legal"]:
            right = self.is_clear(move) and finding["worth"] > best - CARDS_MARGIN and not rest
            return (
                RIGHT if right and self.is_safe_after(move) else OPEN
            ), f"{sentence} It saves {self.cards(move.saved)}."
        if move.has(Reason.SAVE_MISSED) and rest & ~busy:
            return WRONG, f"{sentence} It leaves {self.cards(rest)} unsaved."
        return (WRONG if is_against_convention(finding) and not self.gives_play(move) else OPEN), sentence

    def is_clear(self, move: Move) -> bool:
        """Return whether a clue can be right: plain, without bad touch, and independent of unknown cards."""
        finding, view = move.finding, self.state.turn_view
        own = 0
        for order in members(view.gotten & view.cards[self.seat]):
            own |= view.belief[order]
        repeats = any(own >> self.game.identity[order] & 1 for order in members(move.newly))
        plain = finding["convention"] in _CLEAR_CLUES and finding["steps"] <= 1 and not finding["bad_touch"]
        return plain and not repeats and not any(map(move.has, _UNSURE))

    def is_as_good(self, move: Move, best: int) -> bool:
        """Return whether a clue leaves no save undone and gets as many cards as the best save."""
        waits = not move.saved and not move.has(Reason.SAVE_MISSED)
        return waits and self.clue_worth(move) >= max(best, 1) and self.is_clear(move)

    def shows_play(self, move: Move) -> bool:
        """Return whether a clue makes a card surely playable of which its holder does not know it yet."""
        view, game, receiver = self.state.turn_view, self.game, move.action.target
        for place, order in enumerate(self.turn.hand(receiver)):
            if not (view.gotten | move.touched) >> order & 1 or view.playable_now >> order & 1:
                continue
            if any(
                game.identity[one] == game.identity[order] for one in members(view.gotten & ~(1 << order))
            ):
                continue
            possible = game.know.known[receiver][place] & view.needed
            possible &= move.identities if move.touched >> order & 1 else ~move.identities
            if possible and not possible & ~game.playable:
                return True
        return False

    def gives_play(self, move: Move) -> bool:
        """Return whether the receiver of a clue then has a play because of it."""
        finding = move.finding
        if finding["convention"] in _GETTING and not finding["bad_touch"]:
            return bool(self.game.playable >> self.game.identity[finding["focus"]] & 1) or self.shows_play(
                move
            )
        return self.shows_play(move)

    def is_safe_after(self, move: Move) -> bool:
        """Return whether the receiver of a clue then has a play or a chop that may go."""
        view, game, receiver = self.state.turn_view, self.game, move.action.target
        if self.gives_play(move) or self.may_play(receiver):
            return True
        free = [one for one in self.turn.hand(receiver) if not (view.gotten | move.touched) >> one & 1]
        return bool(free) and not view.critical >> game.identity[free[0]] & 1

    def may_play(self, seat: int) -> bool:
        """Return whether a player holds a card to play, or one that may be meant to be played."""
        view, game = self.state.turn_view, self.game
        return any(
            game.playable >> game.identity[order] & 1 and view.belief[order] & game.playable
            for order in members(view.gotten & view.cards[seat])
        )

    def clue_sentence(self, move: Move) -> str:
        """Return what a clue means, gets, and what speaks against it."""
        finding = move.finding
        if finding["convention"] == "unexplained":
            text = "No convention explains it"
        else:
            text = self.meaning(finding)
        shown = sum(1 << one for one in (Reason.SAVE_MISSED, Reason.SAVE_LEFT, Reason.LATE))
        reasons = reason_words({**finding, "reasons": finding["reasons"] & ~shown})
        if reasons:
            text += f" ({reasons})"
        if finding["legal"] and finding["worth"] > 0:
            text += f"; gets {plural(finding['worth'], 'card')}"
        return text + "."


def make_puzzle(judge: Judge, position: Position) -> Puzzle | None:
    """Return the puzzle of a candidate, None if its right answers are not clearly apart."""
    row = judge.row
    if not _has_plain_chops(judge, position):
        return None
    found = _receiver(judge, position) if row["form"] == "cards" else _mover(judge)
    if found is None:
        return None
    question, alternatives, level, steps, explained = found
    view, common = judge.state.turn_view, judge.state.common
    phase = "end" if view.end_phase else "early" if common.early else "middle"
    theme = row["theme"]
    return Puzzle(
        game_id=row["game_id"],
        turn=row["turn"],
        seat=judge.seat,
        form=row["form"],
        theme=theme,
        phase=phase,
        level=level,
        difficulty=min(5, 1 + steps + (level >= 5) + (level >= 11)),
        share=round(row["share"], 3),
        key=_key(position, judge.seat, row["form"]),
        question=question,
        alternatives=alternatives,
        explained=explained,
        mistake=row.get("kind"),
    )


def _has_plain_chops(judge: Judge, position: Position) -> bool:
    """Return whether each chop is the oldest unclued card; about other chops, players may differ."""
    chops = [next((card.order for card in hand if not card.clued), -1) for hand in position.hands]
    return chops == list(judge.state.turn_view.chop[: len(chops)])


Parts = tuple[str, tuple[Alternative, ...], int, int, str]


def _mover(judge: Judge) -> Parts | None:
    """Return question and answers for the player to move."""
    row, turn, state, game = judge.row, judge.turn, judge.state, judge.game
    view, form, seat = state.turn_view, judge.row["form"], judge.seat
    own = view.cards[seat]
    if not turn.is_true() or view.doubtful & own or pace(game) < (LEAST_PACE if form == "quiet" else 0):
        return None
    known = _known_plays(judge)
    moves = turn.moves()
    best = max(map(judge.clue_worth, moves), default=0)
    plays = discards = 0
    if form == "play":
        hand = turn.hand(seat)
        due = hand[len(hand) - row["due_slot"]]
        cause = judge.messages[row["cause"]]
        # After a round, or if the clue saved a card or told old cards apart, it has another explanation.
        if row["turn"] - row["cause"] > game.seats or cause["saved"] or not cause["newly_touched"]:
            return None
        # If the call allows for a card that is not playable yet, the player may wait.
        if view.belief[due] & ~game.playable or not game.playable >> game.identity[due] & 1:
            return None
        if not cause["legal"] or _is_elsewhere(judge, due):
            return None
        plays = 1 << due
        if not judge.state.common.blind & plays:
            # A blind play comes first; of other plays, each is right.
            plays |= known
            if judge.state.common.blind & plays:
                return None
    elif form == "known":
        plays = known
    elif form == "quiet":
        if best > 0 or not _is_quiet(judge, moves):
            return None
        discards = view.known_trash & own or 1 << view.chop[seat]
    elif form == "save":
        best = max((one.finding["worth"] for one in moves if one.saved and one.finding["legal"]), default=0)
        if any(judge.is_as_good(one, best) for one in moves):
            return None
        # In the early game, the next player may clue before the first discard.
        if state.common.early or any(
            judge.may_play(game.place[one]) for one in members(state.offers.at_risk)
        ):
            return None
    elif row["theme"] not in _CLEAR_CLUES & _GETTING or best < CARDS_MARGIN:
        return None
    if not plays and any(judge.chance(order) >= LIKELY for order in members(view.gotten & own)):
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
    right = [one for one in alternatives if one.verdict == RIGHT]
    is_open = [one for one in alternatives if one.verdict == OPEN]
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


def _known_plays(judge: Judge) -> int:
    """Return the own cards that are playable whatever they are."""
    game, plays = judge.game, 0
    for order, possible in zip(judge.turn.hand(judge.seat), game.know.known[judge.seat], strict=False):
        if not possible & ~game.playable:
            plays |= 1 << order
    return plays


def _is_elsewhere(judge: Judge, due: int) -> bool:
    """Return whether the player sees another card that the call might be about."""
    game, view = judge.game, judge.state.turn_view
    for seat in range(game.seats):
        for order in judge.turn.hand(seat):
            ready = view.gotten >> order & 1 or view.finesse_card[seat] == order
            if seat != judge.seat and ready and game.identity[order] == game.identity[due]:
                return True
    return False


def _is_quiet(judge: Judge, moves: list[Move]) -> bool:
    """Return whether a discard is clearly right: no card can be got, and the discard is hardly critical."""
    view, game, seat = judge.state.turn_view, judge.game, judge.seat
    playable = game.playable | view.hypo_playable
    waits = judge.state.common.blind & view.called
    for other in range(game.seats):
        for order in judge.turn.hand(other) if other != seat else ():
            gotten = bool(view.gotten >> order & 1)
            # The holder may know a clued card from cards that the player to move does not see.
            known = gotten and not game.possible[order] & view.needed & ~game.playable
            ready = view.needed & (game.playable if gotten else playable)
            if ready >> game.identity[order] & 1 and not known and not waits >> order & 1:
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


def _receiver(judge: Judge, position: Position) -> Parts | None:
    """Return question and answers for the receiver of the clue of the turn before."""
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
    # Players differ about identities that the giver holds without knowing them.
    giver_ids = sum(1 << game.identity[order] for order in members(view.gotten & view.cards[finding["seat"]]))
    if possible & view.needed & giver_ids:
        return None
    if popcount(possible) <= popcount(reading) or finding["touched_slots"] == 0:
        return None
    touched = [order for order in hand if finding["touched_slots"] >> turn.slot(order) - 1 & 1]
    clue = judge.names.clue_name(_KINDS[finding["action"]], finding["clue_value"])
    giver = judge.names.players[finding["seat"]]
    slot = turn.slot(focus)
    if focus != _plain_focus(judge, position, touched):
        return None
    said = judge.identities(reading)
    meaning = judge.meaning(finding)
    later = reading & ~game.playable
    now = reading & game.playable
    task = "Play it now" if not later else "Keep it for now" if not now else "It may have to wait"
    explained = f"{meaning}. The clue is about slot {slot}: {said}. {task}."
    other = f"The clue is about slot {slot}, not this card."
    others = [turn.slot(order) for order in reversed(touched) if order != focus]
    alternatives = [Alternative("card", f"slot {place}", WRONG, other, slot=place) for place in others]
    for number in members(possible):
        card = card_of(number)
        label = f"slot {slot} is {judge.names.card_name(card)}"
        right = reading >> number & 1
        verdict, why = (RIGHT, "The reading allows it.") if right else (WRONG, _why_not(judge, number, said))
        identity = (card.suit, card.rank)
        alternatives.append(Alternative("card", label, verdict, why, slot=slot, identity=identity))
    if later:
        alternatives.append(Alternative("keep", "keep it for now", RIGHT, f"{task}.", slot=slot))
    else:
        why = f"Slot {slot} is {said}, which is playable."
        alternatives.append(Alternative("keep", "keep it for now", WRONG, why, slot=slot))
    question = f"{giver} clued you {clue}. Which card is the clue about, and what is it?"
    return question, tuple(alternatives), finding["level"], finding["steps"], explained


def _plain_focus(judge: Judge, position: Position, touched: list[int]) -> int:
    """Return the focus of the clue of the turn before, by clue marks alone: no moved chop, no call."""
    clue = judge.row["turn"] - 1
    hand = position.hands[judge.seat]
    old = {card.order for card in hand if any(mark.touched and mark.turn < clue for mark in card.clues)}
    new = [order for order in touched if order not in old]
    chop = next((card.order for card in hand if card.order not in old), -1)
    return chop if chop in new else (new or touched)[-1]


def _why_not(judge: Judge, number: int, said: str) -> str:
    name = judge.names.card_name(card_of(number))
    if not judge.state.turn_view.needed >> number & 1:
        return f"{name} is trash, which clues do not touch."
    view = judge.state.turn_view
    for order in members(view.gotten & ~view.cards[judge.seat]):
        if judge.game.identity[order] == number:
            return f"{judge.card(order)} is clued or called already."
    if judge.game.playable >> number & 1:
        return f"{name} is not open to this clue; the reading is {said}."
    return f"{name} could not be played or saved; the reading is {said}."


def _key(position: Position, seat: int, form: str) -> str:
    """Return a digest of the position as the seat sees it; the names of players do not count."""
    seen = position.seen_by(seat)
    hands = [[(one.card, one.possible.mask, one.clues) for one in hand] for hand in seen.hands]
    text = repr((form, seat, hands, seen.stacks, seen.discards, seen.clue_tokens, seen.strikes, seen.deck))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
