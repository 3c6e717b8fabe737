"""A game turn by turn as several eyes see it: a spectator's, and each player's, whose own hand is hidden.

In: a dealt record. Out: a `Scene` per action and eye, each with arrays of its own. What an eye does not see
is in none of them: not the cards of the deck, and for a player not the own hand, nor what others make of it.
So whoever is handed a scene can look for it as they like. The messages are read by
`hanalyze.conventions.read` once per eye, from the first turn on: what a player takes a message for, no other
view decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.read import read_action, read_clue, touched_mask
from hanalyze.conventions.reading import Reading, begin, look
from hanalyze.conventions.rows import Rows, room_for
from hanalyze.detectors.views import Meaning, View, meanings_of, orders_in
from hanalyze.engine.batch import Deal, make_batch
from hanalyze.engine.game import SILENT, Game, Knowledge, PresentAction
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.step import apply_action, find_defect
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, Action, ActionKind
from hanalyze.game.cards import MAX_CARDS, Card, card_of
from hanalyze.game.rules import EndCondition, Rules
from hanalyze.game.variants import Variant
from hanalyze.tables.turns import FACTS

SPECTATOR: Final = -1
"""The eye that sees all hands."""

MOST_TURNS: Final = 500
"""Actions of a game that are watched; by the rules it has some 200 at most."""

_ROOM: Final = 4
"""Findings that an action can have at most, and more."""
_RESULTS: Final = next(column.words for column in FACTS if column.name == "result")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a game is played with: the players' names by seat, variant, rules, the level of conventions.

    Neither the deck nor what it can be dealt from is here.
    """

    players: tuple[str, ...]
    variant: Variant
    rules: Rules
    level: int

    @property
    def edition(self) -> str:
        """The name of the edition whose rules these are."""
        return self.rules.edition


@dataclass(frozen=True, slots=True)
class LegalClue:
    """A clue that could be given: its action, the orders that it touches, those of them for the first time.

    `meanings` is what it would mean by the built-in reader, the main convention first.
    """

    action: Action
    touched: tuple[int, ...]
    newly: tuple[int, ...]
    meanings: tuple[Meaning, ...]

    @property
    def receiver(self) -> int:
        """The seat that would get it."""
        return self.action.target


class Stage:
    """The table before an action as one eye sees it, with what could be clued."""

    def __init__(self, setting: Setting, before: View, arrays: tuple[Game, Reading]) -> None:
        """Take the view before the action, and what to judge clues in."""
        self.setting = setting
        self.before = before
        self.arrays = arrays

    @cached_property
    def legal_clues(self) -> tuple[LegalClue, ...]:
        """Every clue that the player to move could give to a hand that this eye sees."""
        game, reading = self.arrays[0].copy(), self.arrays[1].copy()
        find_opportunities(game, reading)
        seat = int(game.seat)
        found = []
        for ahead in range(1, int(game.seats)):
            receiver = (seat + ahead) % int(game.seats)
            hand = [int(game.hands[receiver][i]) for i in range(int(game.hand_len[receiver]))]
            if any(game.identity[order] < 0 for order in hand):
                continue
            clues = [(COLOUR_CLUE, colour) for colour in range(int(game.variant.colours))]
            clues += [(RANK_CLUE, rank) for rank in self.setting.variant.clue_ranks]
            found += [
                self._clue(game, reading, kind, receiver, value)
                for kind, value in clues
                if game.end_condition == EndCondition.UNFINISHED
                and not find_defect(game, kind, receiver, value)
            ]
        return tuple(found)

    def _clue(self, game: Game, reading: Reading, kind: int, receiver: int, value: int) -> LegalClue:
        """Return what a clue would mean."""
        touched = touched_mask(game, receiver, kind, value)
        own, rows = reading.copy(), room_for(_ROOM)
        own.row = 0
        read_clue(game, own, rows, kind, receiver, value, touched)
        return LegalClue(
            Action(kind, receiver, value),
            orders_in(touched),
            orders_in(touched & ~int(game.clued)),
            meanings_of(rows.findings[:, : own.row], self.before.letters),
        )


class Scene:
    """One action as one eye sees it: its stage, what was done, what it meant, the table after it."""

    def __init__(self, stage: Stage) -> None:
        """Take the stage; what happens on it is filled in."""
        self.stage = stage
        self.after: View = stage.before
        self.action: Action = Action(ActionKind.END_GAME, -1, 0)
        self.result = ""
        self.card: Card | None = None
        self.touched: tuple[int, ...] = ()
        self.newly: tuple[int, ...] = ()
        self.drawn: int | None = None
        self.meanings: tuple[Meaning, ...] = ()


def _seen_by(game: Game, eye: int) -> Game:
    """Return a running game without what an eye does not see, and without what others know from it."""
    seen = game.copy()
    seen.action = PresentAction()  # it may be one to come
    for order in range(game.drawn, MAX_CARDS):
        seen.identity[order] = -1
    # Room to work in, where the whole game has left its traces.
    room = Knowledge()
    room.unseen, room.known, room.certain = seen.know.unseen, seen.know.known, seen.know.certain
    room.unread = (1 << game.seats) - 1
    room.read = seen.know.read
    seen.know = room
    if eye == SPECTATOR:
        return seen
    for i in range(game.hand_len[eye]):
        order = game.hands[eye][i]
        bit = 1 << game.identity[order]
        seen.identity[order] = -1
        for other in range(game.seats):
            if other == eye:
                continue
            # One copy more that the other does not see: into the first of the masks that it is not in.
            unseen = seen.know.unseen[other]
            for copies in range(3):
                if not unseen[copies] & bit:
                    unseen[copies] |= bit
                    break
    return seen


class _Eye:
    """One eye on a game: what messages were for it so far, and the scene that it looks at."""

    def __init__(self, seat: int, setting: Setting, game: Game, rows: int) -> None:
        self.seat = seat
        self.setting = setting
        self.letters = setting.variant.letters
        self.reading = Reading()
        self.rows: Rows = room_for(rows)
        begin(game, self.reading, setting.level)

    def look(self, game: Game, gone: Sequence[int]) -> Scene:
        """Return the scene of the turn that begins."""
        seen = _seen_by(game, self.seat)
        look(seen, self.reading)
        arrays = seen.frozen(), self.reading.frozen()
        view = View(*arrays, tuple(gone), self.setting.players, self.letters)
        return Scene(Stage(self.setting, view, arrays))

    def read(self, scene: Scene, game: Game, action: Action, touched: int) -> None:
        """Read an action that is about to be carried out; `game` is the game as it is."""
        seen = scene.stage.arrays[0].copy()
        first = self.reading.row
        find_opportunities(seen, self.reading)
        kind, target, value = action
        scene.action = action
        if kind in (COLOUR_CLUE, RANK_CLUE):
            if game.variant.flags & SILENT and target == self.seat:
                scene.action = Action(kind, target, -1)
            scene.touched = orders_in(touched)
            scene.newly = orders_in(touched & ~int(game.clued))
            read_clue(seen, self.reading, self.rows, kind, target, value, touched)
        else:
            if kind in (PLAY, DISCARD):
                # Whoever holds it, now all see it.
                seen.identity[target] = game.identity[target]
                scene.card = card_of(int(game.identity[target]))
            read_action(seen, self.reading, self.rows, kind, target, value)
        scene.meanings = meanings_of(self.rows.findings[:, first : self.reading.row], self.letters)


def watch(deal: Deal, level: int, eyes: Iterable[int]) -> Iterator[dict[int, Scene]]:
    """Yield the scene of each action that is carried out, by eye, as the game goes.

    `eyes` are seats and `SPECTATOR`; `level` is the H-Group's level up to which messages are read, 1 to 25.
    Nothing of a later action is known when a scene is yielded. Stops after `MOST_TURNS`.
    """
    batch = make_batch([deal]).laid_out(fast=False)
    game = Game()
    start_game(game, batch, 0)
    setting = Setting(tuple(deal.record.players), deal.variant, deal.rules, level)
    count = min(len(deal.record.actions), MOST_TURNS)
    watchers = [_Eye(eye, setting, game, _ROOM * count) for eye in eyes]
    gone: list[int] = []
    scenes = {eye.seat: eye.look(game, gone) for eye in watchers}
    for index in range(count):
        if not next_action(game, batch, index):
            return
        kind, target, value = game.action.kind, game.action.target, game.action.value
        if game.action.after_end:
            # It was taken up again, and looks unfinished now.
            scenes = {eye.seat: eye.look(game, gone) for eye in watchers}
        clue = kind in (COLOUR_CLUE, RANK_CLUE)
        touched = touched_mask(game, target, kind, value) if clue else 0
        for eye in watchers:
            eye.read(scenes[eye.seat], game, Action(kind, target, value), touched)
        apply_action(game, kind, target, value)
        if kind in (PLAY, DISCARD):
            gone.append(target)
        following = {eye.seat: eye.look(game, gone) for eye in watchers}
        for seat, scene in scenes.items():
            scene.after = following[seat].stage.before
            scene.result = _RESULTS[int(game.last.result)]
            scene.drawn = int(game.last.drawn) if game.last.drawn >= 0 else None
        yield scenes
        scenes = following
