"""What a detector is handed: `Moment`, the turn before its action, and `Turn`, with it.

In: scenes of one eye (`hanalyze.detectors.watching`), and what other detectors found. Out: the
context of one action, and the turns before it. Later turns are not there to be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import overload

from hanalyze.detectors.findings import Finding
from hanalyze.detectors.views import Meaning, View
from hanalyze.detectors.watching import LegalClue, Scene, Setting, Stage
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card

ACTION_WORDS = ("play", "discard", "clue")
"""What a detector can ask to be called for; a misplay is a play."""

Past = Sequence[tuple[Scene, Mapping[str, Sequence[Finding]]]]
"""Scenes, each with what detectors found for its action, by their names."""


class Moment:
    """A turn before its action, as one eye sees it.

    For a detector that does not read the truth the eye is that of the player to move, whose own cards have no
    identity, in `history` neither; else it is a spectator's. The cards in the deck are in no view.
    """

    def __init__(self, stage: Stage, past: Past) -> None:
        """Take the stage, and the scenes before it."""
        self._stage = stage
        self._past = tuple(past)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.turn}, seat {self.seat}>"

    @property
    def setting(self) -> Setting:
        """What the game is played with: `players`, `variant`, `rules`, `edition`, `level`."""
        return self._stage.setting

    @property
    def turn(self) -> int:
        """The number of the turn, from 0."""
        return self.before.turn

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self.before.seat

    @property
    def before(self) -> View:
        """The position before the action."""
        return self._stage.before

    @property
    def phase(self) -> str:
        """`early_game`, `mid_game` or `end_game`."""
        return self.before.phase

    @property
    def stall_severity(self) -> int:
        """How badly the player must stall: 0 not, 1 early game, 2 no discard, 3 locked, 4 all tokens."""
        return self.before.stall_severity

    @property
    def history(self) -> History:
        """The turns before this one, the first first, as the same eye saw them."""
        return History(self._past)

    def legal_clues(self) -> tuple[LegalClue, ...]:
        """Return every clue that could be given now, with what the built-in reader says that it would mean.

        It takes some milliseconds on the first call, and nothing after it.
        """
        return self._stage.legal_clues


class Turn(Moment):
    """An action with all that led to it.

    Besides what a `Moment` has: what was done and what came of it, the position after it, what the built-in
    reader says that it means (`meanings`), and what the detectors that this one comes after found (`found`).
    """

    def __init__(self, scene: Scene, past: Past, found: Mapping[str, Sequence[Finding]]) -> None:
        """Take the scene, the scenes before it, and the findings for its action by detector."""
        super().__init__(scene.stage, past)
        self._scene = scene
        self._found = MappingProxyType({name: tuple(findings) for name, findings in found.items()})

    def moment(self) -> Moment:
        """Return the turn without its action."""
        return Moment(self._stage, self._past)

    @property
    def after(self) -> View:
        """The position after the action; of the drawn card the acting player sees nothing."""
        return self._scene.after

    @property
    def action(self) -> Action:
        """The action as logs write it. In Cow & Pig and Duck its value is -1 for who gets a clue."""
        return self._scene.action

    @property
    def kind(self) -> str:
        """`play`, `discard` or `clue`; `end` for a game that was ended by hand."""
        return ("play", "discard", "clue", "clue", "end", "end")[self.action.kind]

    @property
    def result(self) -> str:
        """`played`, `misplayed`, `discarded`, `clued` or `ended`."""
        return self._scene.result

    @property
    def order(self) -> int | None:
        """The order of the card that was played or discarded, None for other actions."""
        return self.action.target if self.action.kind <= ActionKind.DISCARD else None

    @property
    def card(self) -> Card | None:
        """What that card was, as all see once it is on the table."""
        return self._scene.card

    @property
    def drawn(self) -> int | None:
        """The order of the card drawn afterwards, if any."""
        return self._scene.drawn

    @property
    def receiver(self) -> int | None:
        """The seat that got the clue, None for other actions."""
        return self.action.target if self.kind == "clue" else None

    @property
    def touched(self) -> tuple[int, ...]:
        """The orders that the clue touched."""
        return self._scene.touched

    @property
    def newly_touched(self) -> tuple[int, ...]:
        """Those of them that no clue touched before."""
        return self._scene.newly

    @property
    def retouched(self) -> tuple[int, ...]:
        """Those of them that a clue touched before."""
        return tuple(order for order in self.touched if order not in self.newly_touched)

    @property
    def meanings(self) -> tuple[Meaning, ...]:
        """What the action means by the built-in reader, the main convention first."""
        return self._scene.meanings

    @property
    def found(self) -> Mapping[str, tuple[Finding, ...]]:
        """What the detectors named in this one's `after` found for this action, by their names."""
        return self._found


class History(Sequence[Turn]):
    """Turns in order; the last is the one before the turn whose history it is."""

    def __init__(self, past: Past) -> None:
        """Take the scenes of these turns."""
        self._past = past

    def __len__(self) -> int:
        return len(self._past)

    @overload
    def __getitem__(self, index: int) -> Turn: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Turn, ...]: ...

    def __getitem__(self, index: int | slice) -> Turn | tuple[Turn, ...]:
        if isinstance(index, slice):
            return tuple(self[one] for one in range(*index.indices(len(self))))
        scene, found = self._past[index]
        return Turn(scene, self._past[: index if index >= 0 else len(self) + index], found)
