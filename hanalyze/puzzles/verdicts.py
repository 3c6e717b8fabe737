"""Verdicts on the legal moves of a turn: right, wrong or open, by the evidence before the move.

A move is open, neither right nor wrong, if a player may reasonably prefer it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hanalyze.conventions.classes import GETTING, SAVES, conventions_in, set_of
from hanalyze.game.actions import PLAY
from hanalyze.game.cards import card_of
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.masks import members, popcount
from hanalyze.puzzles.moves import Move, Turn
from hanalyze.store.judging_options import PLAY as PLAY_THRESHOLD
from hanalyze.text import plural
from hanalyze.words import GameNames, is_against_convention, listed, meaning_words, percent, reason_words

CHANCE_MARGIN: Final = 0.3
"""An uncalled play is wrong only if its chance is this far below the play threshold, or anywhere below it if
a called card, a known play or a save has priority."""
CARDS_MARGIN: Final = 2
"""Least number of cards that a right clue of the form `get` gets. A save that gets this many cards fewer than
the best save is not right."""


def labels_in(conventions: int) -> frozenset[str]:
    """Return the labels of the conventions in a set."""
    return frozenset(one.label for one in conventions_in(conventions))


CLEAR_CLUES: Final = labels_in(
    SAVES
    | set_of(Convention.PLAY_CLUE, Convention.DELAYED_PLAY_CLUE, Convention.SELF_PROMPT)
    | set_of(Convention.PROMPT, to=Convention.REVERSE_FINESSE)
)
"""Clues that can be right if they call at most one card before their focus. Strong players disagree about the
value of other clues, such as bluffs and layered finesses."""
SAVING_CLUES: Final = labels_in(SAVES)
"""Clues that save their focus."""
GETTING_CLUES: Final = labels_in(GETTING & ~SAVES)
_UNSURE: Final = (Reason.HIDDEN_CARD, Reason.GIVERS_CARD, Reason.FINESSE_OR_BLUFF)

RIGHT: Final = "right"
WRONG: Final = "wrong"
OPEN: Final = "open"
Judgement = tuple[str, str]  # a verdict (right, wrong, open) and a sentence


@dataclass(frozen=True, slots=True)
class Alternative:
    """A possible answer: `kind` is play, discard, clue, card or keep. Fields that do not apply are None.

    `clue` has the kind of a clue and its colour or rank, `identity` the suit and rank of the card in `slot`
    (1: newest card); `seat` (from 0) is the receiver of the clue.
    """

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
    """A puzzle: the position before `turn` as `seat` sees it, a question, and all answers with verdicts.

    The fields are columns of `hanalyze.tables.quiz.QUIZ`, except `alternatives`, which are the answers.
    """

    game_id: int
    turn: int
    seat: int
    form: str
    theme: str
    phase: str
    level: int | None
    difficulty: int | None
    share: float | None
    key: str
    question: str
    alternatives: tuple[Alternative, ...]
    explained: str
    mistake: str | None = None

    @property
    def right(self) -> list[Alternative]:
        """The right answers."""
        return [answer for answer in self.alternatives if answer.verdict == RIGHT]


class Judge:
    """Verdicts on the moves of one turn.

    `row` is a candidate turn, `deck` has suit and rank by order, `messages` the main finding of each turn.
    """

    def __init__(
        self,
        row: Mapping[str, Any],
        turn: Turn,
        names: GameNames,
        deck: list[tuple[int, int]],
        messages: Mapping[int, Mapping[str, Any]],
    ) -> None:
        self.row, self.turn, self.names, self.deck, self.messages = row, turn, names, deck, messages
        self.game, self.state = turn.game, turn.state
        self.seat = int(row["seat"])

    # --- words -----------------------------------------------------------------------------------------

    def card(self, order: int) -> str:
        """Return a card in words; the player's own cards are named by their slots."""
        holder = self.game.place[order]
        if holder == self.seat:
            return f"your slot {self.turn.slot(order)}"
        name = self.names.card_name(self.deck[order])
        return f"{self.names.players[holder]}'s {name}" if 0 <= holder < self.game.seats else name

    def cards(self, orders: int) -> str:
        """Return a mask of cards in words."""
        return " and ".join(map(self.card, members(orders)))

    def identities(self, mask: int) -> str:
        """Return a mask of identities in words."""
        return "".join(listed([self.names.card_name(card_of(number)) for number in members(mask)], " or "))

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
        """Return how many distinct needed identities an allowed clue newly gets; 0 for other moves."""
        finding, view, game = move.finding, self.state.turn_view, self.game
        if not move.is_clue or not finding["legal"]:
            return 0
        cards = move.newly
        for order in finding["cards"]:
            cards |= 1 << order if order >= 0 and game.place[order] != self.seat else 0
        new = 0
        for order in members(cards & ~view.gotten):
            new |= 1 << game.identity[order]
        return min(int(finding["worth"]), popcount(new & view.needed & ~view.elsewhere_ids[self.seat]))

    def chance(self, order: int) -> float:
        """Return the chance that one of the player's own cards is playable."""
        return float(self.row["playable"][self.turn.slot(order) - 1] or 0.0)

    def judge_play(self, move: Move, right: int) -> Judgement:
        """Return the judgement of a play; `right` is the mask of the cards that are right to play."""
        order = move.action.target
        view = self.state.turn_view
        if right >> order & 1:
            if self.row["form"] == "play" and self.turn.slot(order) == self.row["due_slot"]:
                return RIGHT, f"{self.message()} Slot {self.turn.slot(order)} is called now."
            return RIGHT, f"Known to be playable: {self.identities(view.belief[order])}."
        if view.playable_now >> order & 1:
            certainty = "Known to be" if self.game.clued >> order & 1 else "Probably"
            return OPEN, f"{certainty} playable: {self.identities(view.belief[order])}."
        if view.known_trash >> order & 1:
            return WRONG, "Known to be trash."
        chance = self.chance(order)
        sentence = f"Not known to be playable: {percent(chance)}% (calibrated chance)."
        # A called card, a known play or a save has priority over any play below the threshold.
        margin = 0.0 if right or self.row["form"] == "save" else CHANCE_MARGIN
        return (WRONG if chance < PLAY_THRESHOLD - margin else OPEN), sentence

    def judge_discard(self, move: Move, right: int) -> Judgement:
        """Return the judgement of a discard; `right` is the mask of the cards that are right to discard."""
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
            if trash or order == view.chop[self.seat]:
                if move.has(Reason.SAVE_LEFT):
                    return OPEN, f"Leaves {risk} to another player."
                return OPEN, f"Leaves {risk} unsaved; no discard is due next."
        if form == "get":
            return WRONG, "A clue gets several cards; a discard can wait."
        if view.gotten >> order & 1:
            how = "clued" if self.game.clued >> order & 1 else "called"
            return WRONG, f"It was {how}, and is not known to be trash."
        if view.known_trash & view.cards[self.seat]:
            return WRONG, "Another card is known to be trash: discard that one."
        return WRONG, f"Not the chop; your chop is slot {self.turn.slot(view.chop[self.seat])}."

    def judge_clue(self, move: Move, best: int) -> Judgement:
        """Return the judgement of a clue; `best` is the number of cards that the best clue gets."""
        finding, form = move.finding, self.row["form"]
        sentence = self.clue_sentence(move)
        allowed = bool(finding["legal"])
        if form == "play":
            late = move.has(Reason.LATE) or not allowed
            return (WRONG if late else OPEN), sentence + (" The called card waits." if late else "")
        if form == "save":
            return self._judge_save(move, best, sentence)
        if form == "get":
            gets = self.clue_worth(move) == best and finding["convention"] in GETTING_CLUES
            if gets and self.is_clear(move) and self.is_safe_after(move):
                return RIGHT, sentence
            if (allowed and finding["worth"] > 0) or self.shows_play(move):
                return OPEN, sentence
            return WRONG, f"{sentence} Another clue gets {plural(best, 'card')}."
        return (OPEN if allowed or self.shows_play(move) else WRONG), sentence

    def _judge_save(self, move: Move, best: int, sentence: str) -> Judgement:
        finding, rest = move.finding, self.state.offers.at_risk & ~move.saved
        following = self.state.turn_view.cards[(self.seat + 1) % self.game.seats]
        gives = self.gives_play(move) or self.shows_trash(move)
        busy = self.state.turn_view.cards[move.action.target] if gives else 0
        if rest & following & ~busy:
            return WRONG, f"{sentence} It leaves {self.cards(rest)} unsaved."
        if move.saved and finding["legal"]:
            right = self.is_clear(move) and self.clue_worth(move) > best - CARDS_MARGIN and not rest
            if finding["convention"] not in SAVING_CLUES or move.saved != 1 << finding["focus"]:
                sentence = f"{sentence} It saves {self.cards(move.saved)}."
            return (RIGHT if right and self.is_safe_after(move) else OPEN), sentence
        if move.has(Reason.SAVE_MISSED) and rest & ~busy:
            return WRONG, f"{sentence} It leaves {self.cards(rest)} unsaved."
        return (WRONG if is_against_convention(finding) and not gives else OPEN), sentence

    def is_clear(self, move: Move) -> bool:
        """Return whether a clue can be right: plain, without bad touch, and independent of unknown cards.

        If the clue touches the chop, the chop must be its focus; other rules of focus belong to high levels.
        """
        finding, view = move.finding, self.state.turn_view
        own = 0
        for order in members(view.gotten & view.cards[self.seat]):
            own |= view.belief[order]
        repeats = any(own >> self.game.identity[order] & 1 for order in members(move.newly))
        plain = finding["convention"] in CLEAR_CLUES and finding["steps"] <= 1 and not finding["bad_touch"]
        chop = view.chop[move.action.target]
        plain = plain and (chop < 0 or not move.newly >> chop & 1 or finding["focus"] == chop)
        return plain and not repeats and not any(map(move.has, _UNSURE))

    def is_as_good(self, move: Move, best: int) -> bool:
        """Return whether a clear clue postpones the save and gets at least as many cards as the best save."""
        can_wait = not move.saved and not move.has(Reason.SAVE_MISSED)
        return can_wait and self.clue_worth(move) >= max(best, 1) and self.is_clear(move)

    def shows_play(self, move: Move) -> bool:
        """Return whether a clue newly shows its receiver that a card is certainly playable."""
        view, game, receiver = self.state.turn_view, self.game, move.action.target
        for place, order in enumerate(self.turn.hand(receiver)):
            if not (view.gotten | move.touched) >> order & 1 or view.playable_now >> order & 1:
                continue
            if any(
                game.identity[other] == game.identity[order] for other in members(view.gotten & ~(1 << order))
            ):
                continue
            possible = game.know.known[receiver][place] & view.needed
            possible &= move.identities if move.touched >> order & 1 else ~move.identities
            # If its true identity is not among these, the holder would misplay the card.
            if possible >> game.identity[order] & 1 and not possible & ~game.playable:
                return True
        return False

    def shows_trash(self, move: Move) -> bool:
        """Return whether a clue shows its receiver that a touched card is trash."""
        view, receiver = self.state.turn_view, move.action.target
        hand = zip(self.turn.hand(receiver), self.game.know.known[receiver], strict=False)
        return any(
            move.touched >> order & 1 and not possible & move.identities & view.needed
            for order, possible in hand
        )

    def gives_play(self, move: Move) -> bool:
        """Return whether a clue gets a playable focus by convention, without bad touch, or `shows_play`."""
        finding, game = move.finding, self.game
        gets = finding["convention"] in GETTING_CLUES and not finding["bad_touch"]
        is_playable = gets and game.playable >> game.identity[finding["focus"]] & 1 == 1
        return is_playable or self.shows_play(move)

    def is_safe_after(self, move: Move) -> bool:
        """Return whether the receiver of a clue then has a play, or a chop that is not critical."""
        view, game, receiver = self.state.turn_view, self.game, move.action.target
        if self.gives_play(move) or self.may_play(receiver):
            return True
        free = [order for order in self.turn.hand(receiver) if not (view.gotten | move.touched) >> order & 1]
        return bool(free) and not view.critical >> game.identity[free[0]] & 1

    def may_play(self, seat: int) -> bool:
        """Return whether a player holds a playable gotten card that the player may infer to be playable."""
        view, game = self.state.turn_view, self.game
        return any(
            game.playable >> game.identity[order] & 1 and view.belief[order] & game.playable
            for order in members(view.gotten & view.cards[seat])
        )

    def clue_sentence(self, move: Move) -> str:
        """Return a sentence on what a clue means, what it gets, and the reasons against it."""
        finding = move.finding
        is_explained = finding["convention"] != "unexplained"
        text = self.meaning(finding) if is_explained else "No convention explains it"
        verdict_reasons = sum(1 << reason for reason in (Reason.SAVE_MISSED, Reason.SAVE_LEFT, Reason.LATE))
        reasons = reason_words({**finding, "reasons": finding["reasons"] & ~verdict_reasons})
        if not reasons and not finding["legal"]:
            better = self.state.offers.best > 0
            reasons = (Reason.BETTER_CLUE if better else Reason.STALL_NOT_ALLOWED).words
        if reasons:
            text += f" ({reasons})"
        worth = self.clue_worth(move)
        if worth > 0:
            text += f"; gets {plural(worth, 'card')}"
        return text + "."
