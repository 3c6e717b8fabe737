"""The best score that a position still allows with open cards, and a line that reaches it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from hanalyze.engine.batch import make_batch
from hanalyze.errors import HanalyzeError, check_kind
from hanalyze.game.actions import Action
from hanalyze.game.rules import Rules
from hanalyze.game.variants import Variant
from hanalyze.kernels.compiling import can_compile
from hanalyze.replaying import Replay
from hanalyze.solver.search_plan import Budget, Games, Seeker, Speed
from hanalyze.text import shorten

_CHUNK: Final = 1000  # games that are held at a time


@dataclass(frozen=True, slots=True, repr=False)
class Line:
    """Moves that the engine has carried out by the rules: from a turn of a game to a score.

    `turn`: the turn of its first action, from 0. `score`: points on the stacks after the last.
    """

    game: Replay = field(compare=False)
    turn: int
    actions: tuple[Action, ...]
    score: int

    def __len__(self) -> int:
        return len(self.actions)

    def replay(self) -> Replay:
        """Return the game with this line in the place of what was played."""
        return self.game.with_actions([*self.game.record.actions[: self.turn], *self.actions])

    def __repr__(self) -> str:
        name = shorten(self.game.record.name)
        return f"<Line of game {name}: {len(self)} actions from turn {self.turn} on, to {self.score} points>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best score that a position allows with all cards open.

    `turn`, from 0, and `seat`: where, and whose turn it is. `low`: the score that `line` reaches, which is
    the game's own where it has none. `high`: what no line exceeds. `nodes`: positions that were looked at.
    `why`: what keeps the score from being higher than `high`: `cards`, `time`, `hands`, `order`; empty at the
    maximum.
    """

    turn: int
    seat: int
    low: int
    high: int
    line: Line | None = field(repr=False)
    nodes: int
    why: str

    @property
    def score(self) -> int | None:
        """The best score; None if it is open."""
        return self.low if self.low == self.high else None

    def reachable(self, score: int) -> bool | None:
        """Return whether a score can be reached; None if that is open."""
        return True if score <= self.low else False if score > self.high else None


def check_covered(variant: Variant, rules: Rules, deck_known: int | None = None) -> None:
    """Raise `HanalyzeError` (rule `not_covered`) for what the solver does not play.

    `deck_known` is that of the game's record: with all cards open is no question of a deck partly made up.
    """
    kinds = {
        "decks of which the log tells a part": deck_known is not None,
        "Up or Down": variant.up_or_down,
        "Sudoku": variant.sudoku,
        "inverted suits": any(suit.inverted for suit in variant.suits),
        "all or nothing": rules.all_or_nothing,
        "speedruns": rules.speedrun,
        "plays from the deck": rules.deck_plays,
    }
    for kind, is_so in kinds.items():
        if is_so:
            raise HanalyzeError(f"the solver does not cover {kind}", rule="not_covered")


class Case:
    """A game that is being solved."""

    def __init__(self, game: Replay, seeker: Seeker) -> None:
        self.game = game
        self.seeker = seeker
        self.full = len(game.variant.suits) * game.variant.stack_size

    def best(self, turn: int, low: int, high: int, nodes: int | None = None) -> Best:
        """Return the best score of a position that is known to be in a range; `low` needs no line."""
        found = self.seeker.best(turn, low, high, nodes)
        options = self.game.record.options
        return Best(
            turn=turn,
            seat=(options.starting_player + turn) % len(self.game.record.players),
            low=found.low,
            high=found.high,
            line=Line(self.game, turn, found.actions, found.low) if found.actions else None,
            nodes=found.nodes,
            why=found.why,
        )


def cases(games: Iterable[Replay], budget: Budget, *, fast: bool | None = None) -> Iterator[Case]:
    """Yield games to be solved, in order and in bounded memory.

    `fast` chooses compiled code; by default it does, where it is installed, what takes long. Raises
    `HanalyzeError` (rule `not_covered`) for rules and variants that the solver does not play, and (rule
    `usage`) for what is no replay.
    """
    speed = Speed(False, can_compile()) if fast is None else Speed(fast, fast)
    stream = iter(games)
    while chunk := list(itertools.islice(stream, _CHUNK)):
        for game in chunk:
            check_kind(game, Replay, "replay the game first, as in solve(replay(load(path)))")
            check_covered(game.variant, game.rules, game.record.deck_known)
        table = Games.of(make_batch([game.deal for game in chunk]), speed)
        for number, game in enumerate(chunk):
            yield Case(game, Seeker(table, number, budget))
