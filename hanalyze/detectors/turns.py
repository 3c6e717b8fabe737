"""Arguments of detectors (`Moment`, `Turn`) and their results (`Finding`, `Outcome`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final

from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_clue, touched_mask
from hanalyze.conventions.rows import room_for
from hanalyze.conventions.state import ConventionState
from hanalyze.detectors.views import Meaning, View, meanings_of, view_of
from hanalyze.engine.game import Game, next_seats
from hanalyze.engine.rules import find_defect
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE, Action, ActionKind
from hanalyze.game.cards import Card
from hanalyze.game.editions import EndCondition, Rules
from hanalyze.game.names import suit_letters, suit_names
from hanalyze.game.variants import Variant
from hanalyze.kernels.masks import members
from hanalyze.position import MoveHistory


@dataclass(frozen=True, slots=True)
class Step:
    """A card that a finding expects to leave a hand, with its seat, its order, and the expected action."""

    seat: int
    order: int
    by: str = "played"
    """`played` or `discarded`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A result of a detector for one action.

    `label` is a word chosen by the detector. `cards` contains at most 6 orders, `seats` the seats that the
    finding concerns. `certainty` is in percent. `legal` is None if the detector does not judge legality.
    `reasons` are texts for or against the action. `expects` contains the steps expected of later turns, in
    order. `opportunity` is True if the action could have had the label, whether or not it had it.

    >>> Finding("early_save", cards=(7,), seats=(1,)).certainty
    100
    """

    label: str
    cards: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    certainty: int = 100
    legal: bool | None = None
    reasons: tuple[str, ...] = ()
    expects: tuple[Step, ...] = ()
    opportunity: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a finding.

    `kind` is a label of `hanalyze.game.meanings.OutcomeKind`. `turn` is the turn that decided it, or None.
    """

    kind: str
    turn: int | None = None


ACTION_WORDS: Final = ("play", "discard", "clue")
"""The actions for which a detector can be called; a misplay is a play."""

MAX_MEANINGS: Final = 4
"""Maximum number of meanings of an action."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Settings of a game: the players' names by seat, the variant, the rules and the convention level."""

    players: tuple[str, ...]
    variant: Variant
    rules: Rules
    level: int

    @property
    def edition(self) -> str:
        """The name of the edition from which the rules were derived."""
        return self.rules.edition

    @property
    def letters(self) -> tuple[str, ...]:
        """One letter for each suit, unique within the game."""
        return suit_letters(self.variant, suit_names(self.variant, self.rules))


@dataclass(frozen=True, slots=True)
class LegalClue:
    """A legal clue.

    `touched` and `newly` contain the orders of the touched and of the newly touched cards. `meanings`
    contains the meanings according to the built-in reader, the main convention first.
    """

    action: Action
    touched: tuple[int, ...]
    newly: tuple[int, ...]
    meanings: tuple[Meaning, ...]

    @property
    def receiver(self) -> int:
        """The seat that would receive the clue."""
        return self.action.target


class Situation:
    """The position before an action as one viewer sees it, with the legal clues."""

    def __init__(self, setting: Setting, game: Game, state: ConventionState, history: MoveHistory) -> None:
        """Store the frozen `state` and the frozen game, without the cards hidden from the viewer."""
        self.setting = setting
        self.game = game
        self.state = state
        self._history = history

    @cached_property
    def before(self) -> View:
        """The view before the action."""
        players, letters = self.setting.players, self.setting.letters
        return view_of(self.game, self.state, players, letters, self._history)

    @cached_property
    def legal_clues(self) -> tuple[LegalClue, ...]:
        """All clues that the player to move could give to hands that the viewer sees."""
        game, state = self.game.copy(), self.state.copy()
        if game.end_condition != EndCondition.UNFINISHED:
            return ()
        find_opportunities(game, state)
        values = [(COLOUR_CLUE, colour) for colour in range(game.variant.colours)]
        values += [(RANK_CLUE, rank) for rank in self.setting.variant.clue_ranks]
        return tuple(
            self._clue(game, state, Action(kind, seat, value))
            for seat in next_seats(game.seat, game.seats)
            if all(game.identity[order] >= 0 for order in game.hands[seat][: game.hand_len[seat]])
            for kind, value in values
            if not find_defect(game, kind, seat, value)
        )

    def _clue(self, game: Game, state: ConventionState, action: Action) -> LegalClue:
        kind, receiver, value = action
        touched = touched_mask(game, receiver, kind, value)
        own, rows = state.copy(), room_for(MAX_MEANINGS)
        own.row = 0
        read_clue(game, own, rows, kind, receiver, value, touched)
        meanings = meanings_of(rows.findings[:, : own.row], self.setting.letters)
        return LegalClue(action, tuple(members(touched)), tuple(members(touched & ~game.clued)), meanings)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Moment:
    """A turn before its action, from one viewer's view.

    If a detector has `reads_truth`, the viewer is a spectator. Otherwise the viewer is the player to move,
    whose own cards have no identity, not even in `history`. No view contains the cards in the deck.
    """

    _situation: Situation
    _past: tuple[Turn, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.turn}, seat {self.seat}>"

    @property
    def setting(self) -> Setting:
        """The parameters of the game: `players`, `variant`, `rules`, `edition`, `level`."""
        return self._situation.setting

    @property
    def turn(self) -> int:
        """The number of the turn, from 0."""
        return self._situation.game.turn

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self._situation.game.seat

    @property
    def before(self) -> View:
        """The position before the action."""
        return self._situation.before

    @property
    def phase(self) -> str:
        """`early_game`, `mid_game` or `end_game`."""
        return self.before.phase

    @property
    def stall_severity(self) -> int:
        """The stall severity: 0 none, 1 early game, 2 no discard, 3 locked, 4 all tokens."""
        return self.before.stall_severity

    @property
    def history(self) -> tuple[Turn, ...]:
        """The earlier turns from the same viewer's view, oldest first."""
        return self._past

    def legal_clues(self) -> tuple[LegalClue, ...]:
        """Return the legal clues of the turn with their meanings according to the built-in reader.

        The first call takes some milliseconds; later calls return the stored result.
        """
        return self._situation.legal_clues


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Turn(Moment):
    """A turn with its action and meanings."""

    action: Action
    """The action as in logs. In Cow & Pig and Duck, the receiver of a clue sees the value -1."""
    result: str
    """`played`, `misplayed`, `discarded`, `clued` or `ended`."""
    card: Card | None
    """The card that was played or discarded, which is public; None for other actions."""
    drawn: int | None
    """The order of the card drawn after the action, None if no card was drawn."""
    touched: tuple[int, ...]
    """The orders of the cards that the clue touched."""
    newly_touched: tuple[int, ...]
    """The orders of the touched cards that no earlier clue had touched."""
    meanings: tuple[Meaning, ...]
    """The meanings of the action according to the built-in reader, the main convention first."""
    findings: Mapping[str, tuple[Finding, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """The findings for this action, by detector name, of the detectors named in `after`."""
    _following: Situation

    def moment(self) -> Moment:
        """Return the turn without its action."""
        return Moment(_situation=self._situation, _past=self._past)

    @property
    def found(self) -> Mapping[str, tuple[Finding, ...]]:
        """Another name for `findings`."""
        return self.findings

    @property
    def after(self) -> View:
        """The position after the action; the drawn card is hidden from the acting player."""
        return self._following.before

    @property
    def kind(self) -> str:
        """`play`, `discard` or `clue`; `end` for an action that ends the game."""
        return ("play", "discard", "clue", "clue", "end", "end")[self.action.kind]

    @property
    def order(self) -> int | None:
        """The order of the card that was played or discarded, None for other actions."""
        return self.action.target if self.action.kind <= ActionKind.DISCARD else None

    @property
    def receiver(self) -> int | None:
        """The seat that received the clue, None for other actions."""
        return self.action.target if self.kind == "clue" else None

    @property
    def retouched(self) -> tuple[int, ...]:
        """The orders of the touched cards that an earlier clue had touched."""
        return tuple(order for order in self.touched if order not in self.newly_touched)
