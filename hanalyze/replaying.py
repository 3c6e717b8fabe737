"""Replays of recorded games by the rules, with turns, positions and defects."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from numpy.typing import NDArray

from hanalyze.engine.batch import Deal, deal_records, make_batch, rules_of
from hanalyze.engine.game import Game
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from hanalyze.engine.run import Output, play
from hanalyze.errors import HanalyzeError, IllegalAction, UnknownName
from hanalyze.frames import to_frame, to_rows
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card, IdentitySet, card_of
from hanalyze.game.defects import STOPPING, Defect
from hanalyze.game.editions import EndCondition, Rules, rating
from hanalyze.game.variants import Variant
from hanalyze.lazy import polars as pl
from hanalyze.logs.record import GameRecord
from hanalyze.position import NO_MOVES, Position, position_of, seen_game
from hanalyze.tables import CARDS, CLUES, FACTS, TURNS
from hanalyze.text import nearest, shorten


@dataclass(frozen=True, slots=True)
class FoundDefect:
    """A rule that a log breaks, with its place and a description, `found`.

    `turn` and `seat` count from 0; they are None if the defect concerns the whole log.
    """

    rule: Defect
    game: str
    turn: int | None
    seat: int | None
    found: str

    def error(self) -> IllegalAction:
        """Return the defect as the error that a strict replay raises."""
        what = f"{self.rule.sentence}: {self.found}"
        return IllegalAction(what, rule=self.rule.label, game=self.game, turn=self.turn, seat=self.seat)

    def __str__(self) -> str:
        return str(self.error())


def describe_defect(
    rule: Defect, action: Sequence[int], seat: int, players: Sequence[str], colours: Sequence[str], cards: int
) -> str:
    """Return a description of the action that broke a rule.

    `action` is the kind, target and value of the action, `seat` the seat of its player (from 0), `colours`
    the names of the clue colours, and `cards` the number of cards in the whole deck.
    """
    who = players[seat]
    kind, target, value = action
    if rule == Defect.UNKNOWN_ACTION:
        return f"{who}, action type {kind}"
    if rule == Defect.UNKNOWN_END:
        return f"action type {kind} with value {value}"
    if kind in (ActionKind.PLAY, ActionKind.DISCARD):
        does = "plays" if kind == ActionKind.PLAY else "discards"
        return f"{who} {does} the card of order {target}, of a deck of {cards}"
    if kind in (ActionKind.COLOUR_CLUE, ActionKind.RANK_CLUE):
        whom = players[target] if 0 <= target < len(players) else f"target {target}"
        if kind == ActionKind.RANK_CLUE:
            description = f"rank {value}"
        else:
            description = colours[value] if 0 <= value < len(colours) else f"colour {value} of {len(colours)}"
        return f"{who} clues {whom} {description}"
    return "an action that ends the game" if kind == ActionKind.END_GAME else "a vote that ends the game"


_CHUNK: Final = 1000  # number of games replayed in one batch


class Replay:
    """A recorded game replayed by the rules.

    `record`, `rules`, `variant` and `deck` (top card first) are the inputs; `defects` are the broken rules.
    """

    def __init__(self, deal: Deal, output: Output, defects: list[FoundDefect]) -> None:
        """Create a replay from the engine's output for this game, which may lack the measures of turns."""
        self.record: GameRecord = deal.record
        self.rules: Rules = deal.rules
        self.variant: Variant = deal.variant
        self.deck: list[Card] = [card_of(number) for number in deal.deck.tolist()]
        self.defects: tuple[FoundDefect, ...] = tuple(defects)
        self.deal: Deal = deal
        """The record with its rules, variant and deck."""
        self._output = output
        game = {name: column[0].item() for name, column in output.games.items()}
        self.turn_count: int = game["turns"]
        """Number of actions that were carried out."""
        self.score: int = game["score"]
        self.raw_score: int = game["raw_score"]
        """Number of cards on the play stacks at the end, even if the game was lost."""
        self.max_score: int = game["max_score"]
        """Points still possible at the end with the cards that were not lost."""
        self.end_condition: str = EndCondition(game["end_condition"]).label

    def __repr__(self) -> str:
        return (
            f"<Replay of game {shorten(self.record.name)}: {self.variant.name},"
            f" {len(self.record.players)} players, {self.turn_count} turns, score {self.score},"
            f" {self.end_condition}>"
        )

    @property
    def follows_its_log(self) -> bool:
        """Whether the replay used the rules of the log, not those of another edition.

        >>> record = GameRecord(players=("Alice", "Bob"), seed="p2v0s1")
        >>> replay(record).follows_its_log, replay(record, edition="hle").follows_its_log
        (True, False)
        """
        return rules_of(self.record) == self.rules

    def own_record(self) -> GameRecord:
        """Return the record; raise `HanalyzeError` (rule `other_rules`) if the replay used other rules."""
        if not self.follows_its_log:
            what = "the game was replayed under rules other than its log's"
            advice = "put the edition into the record"
            raise HanalyzeError(what, rule="other_rules", game=self.record.name, advice=advice)
        return self.record

    @property
    def rating(self) -> str | None:
        """The edition's label for the score; None if the edition has no scale."""
        return rating(self.score, self.variant.max_score, self.rules)

    def measured(self) -> Output:
        """Return the engine's output with all measures of turns; they are computed at the first call."""
        if len(self._output.turns) < len(TURNS):
            self._output = play(make_batch([self.deal]), fast=False)
        return self._output

    @property
    def turns(self) -> pl.DataFrame:
        """Frame with a row per action that was carried out; the columns are `hanalyze.tables.TURNS`."""
        return to_frame(TURNS, self.measured().turns.values())

    @property
    def clues(self) -> pl.DataFrame:
        """Frame with a row per clue; the columns are `hanalyze.tables.CLUES`."""
        return to_frame(CLUES, self.measured().clues.values())

    @property
    def cards(self) -> pl.DataFrame:
        """Frame with a row per card of the deck; the columns are `hanalyze.tables.CARDS`."""
        return to_frame(CARDS, self.measured().cards.values())

    @property
    def min_efficiency(self) -> float:
        """Cards per clue that a full score requires at the start (Hanab Live's minimum efficiency)."""
        return float(self.measured().games["min_efficiency"][0])

    @property
    def efficiency(self) -> float | None:
        """Cards gotten per clue given or lost, at the end; None without such clues."""
        value = float(self.measured().games["efficiency"][0])
        return None if math.isnan(value) else value

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the turns as dictionaries of plain values, with all columns."""
        return to_rows(TURNS, self.measured().turns.values())

    def card_rows(self) -> Iterator[dict[str, Any]]:
        """Yield the cards of the deck as dictionaries of plain values, with all columns."""
        return to_rows(CARDS, self.measured().cards.values())

    def facts(self) -> Iterator[dict[str, Any]]:
        """Yield the turns as dictionaries with the columns `hanalyze.tables.FACTS`, without the measures."""
        return to_rows(FACTS, list(self._output.turns.values())[: len(FACTS)])

    def empathy(self, turn: int) -> list[list[IdentitySet]]:
        """Return the identities that holders cannot rule out before `turn` (from 0), by seat and card.

        The sets equal `Position.possible`, oldest card first. Raises `HanalyzeError` as `state` does.
        """
        return [list(hand) for hand in self.state(turn).possible]

    def turn_number(self, turn: int) -> int:
        """Return a turn counted from 0; negative turns count from the end, and -1 is the end.

        Raises `HanalyzeError` (rule `no_such_turn`) if the game has no such turn.
        """
        number = turn if turn >= 0 else self.turn_count + 1 + turn
        if not 0 <= number <= self.turn_count:
            what = f"there is no turn {turn}"
            advice = f"turns are 0 to {self.turn_count} (the end)"
            raise HanalyzeError(what, rule="no_such_turn", game=self.record.name, advice=advice)
        return number

    def with_actions(self, actions: Iterable[Action]) -> Replay:
        """Return a replay of the same deal by the same rules with other actions.

        >>> game = replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
        >>> game.with_actions([Action(3, 1, 5)]).turn_count
        1
        """
        record = msgspec.structs.replace(self.record, actions=list(actions), score=None)
        return next(replay_deals([self.deal._replace(record=record)], fast=False))

    @property
    def suit_names(self) -> tuple[str, ...]:
        """Names of the suits: those of the edition if it has its own, otherwise those of the variant."""
        return self.deal.suit_names

    def states(self, until: int | None = None) -> Iterator[tuple[int, Game]]:
        """Yield each turn and the game before it, and finally the game at the end.

        The game is always the same object, which changes between turns. `until` is the last turn to yield.
        """
        batch = make_batch([self.deal]).laid_out(fast=False)
        state = Game()
        start_game(state, batch, 0)
        for turn in range(self.turn_count):
            yield turn, state
            if turn == until:
                return
            next_action(state, batch, turn)
            apply_action(state, *self.record.actions[turn])
        yield self.turn_count, state

    def state(self, turn: int) -> Position:
        """Return the position before `turn` (after `turn` actions); negative turns count from the end (-1).

        Raises `HanalyzeError` (rule `no_such_turn`) if the game has no such turn.
        """
        return next(self.positions(self.turn_number(turn)))

    def positions(self, first: int = 0) -> Iterator[Position]:
        """Yield the positions before turn `first` (from 0) and each later turn, and at the end.

        >>> game = replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[Action(3, 1, 5)]))
        >>> [position.clue_tokens for position in game.positions(1)]
        [7]
        """
        history = NO_MOVES
        for turn, state in self.states():
            if turn >= first:
                yield position_of(seen_game(state), tuple(self.record.players), self.deal.letters, history)
            if turn == self.turn_count:
                return
            history = history.after(state, *self.record.actions[turn])

    def __len__(self) -> int:
        """Return the number of positions: one before each turn, and one at the end."""
        return self.turn_count + 1

    def __getitem__(self, turn: int) -> Position:
        """Return the position before `turn`, as `state` does.

        >>> replay(GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))[0].deck
        40
        """
        return self.state(turn)

    def __iter__(self) -> Iterator[Position]:
        """Yield the positions, the first before turn 0 and the last at the end."""
        return self.positions()


def _forgiven_defects(forgive: Iterable[Defect | str]) -> frozenset[Defect]:
    """Return defects given as defects or labels.

    Raises `UnknownName`, and `HanalyzeError` (rule `bad_forgive`) for a defect that ends a replay.
    """
    forgiven = set()
    for one in forgive:
        try:
            defect = Defect[one.upper()] if isinstance(one, str) else Defect(one)
        except (KeyError, ValueError):
            names = [other.label for other in Defect]
            advice = "one of: " + ", ".join(names)
            raise UnknownName("defect", str(one), nearest(str(one), names), advice=advice) from None
        if defect in STOPPING:
            what = f"{defect.label} cannot be forgiven: such actions cannot be carried out"
            raise HanalyzeError(what, rule="bad_forgive")
        forgiven.add(defect)
    return frozenset(forgiven)


def find_defects(
    deals: Sequence[Deal], output: Output, forgiven: Collection[Defect] = ()
) -> dict[int, list[FoundDefect]]:
    """Return the defects, except those in `forgiven`, by index of the games that have any."""
    defects_of: dict[int, list[FoundDefect]] = {}

    def add(game: int, rule: Defect, text: str, turn: int | None = None, seat: int | None = None) -> None:
        if rule not in forgiven:
            defect = FoundDefect(rule, deals[game].record.name, turn, seat, text)
            defects_of.setdefault(game, []).append(defect)

    for game, deal in enumerate(deals):
        if deal.differs:
            add(game, Defect.DECK_DIFFERS_FROM_SEED, f"seed {deal.record.seed} is ignored")
    for game, turn, seat, number in zip(*(each.tolist() for each in output.defects.values()), strict=True):
        deal, rule = deals[game], Defect(number)
        names = deal.record.players, deal.clue_colours
        text = describe_defect(rule, deal.record.actions[turn], seat, *names, len(deal.deck))
        add(game, rule, text, turn, seat)
    for game, (deal, score) in enumerate(zip(deals, output.games["score"].tolist(), strict=True)):
        if deal.record.score not in (None, score):
            add(game, Defect.SCORE_DIFFERS, f"{deal.record.score} instead of {score}")
    return defects_of


def _of_game(output: Output, game: int, turn: int, clue: int, card: int, cards: int) -> Output:
    """Return one game's part of an output, without defects; its rows start at `turn`, `clue` and `card`."""

    def rows(columns: dict[str, NDArray[Any]], first: int, count: int) -> dict[str, NDArray[Any]]:
        return {name: column[first : first + count] for name, column in columns.items()}

    return Output(
        turns=rows(output.turns, turn, int(output.games["turns"][game])),
        games=rows(output.games, game, 1),
        defects=rows(output.defects, 0, 0),
        clues=rows(output.clues, clue, int(output.games["clues"][game])),
        cards=rows(output.cards, card, cards),
    )


def replay_deals(
    deals: Iterable[Deal],
    *,
    forgiven: frozenset[Defect] = frozenset(),
    measured: bool = False,
    fast: bool | None = None,
) -> Iterator[Replay]:
    """Yield the replay of each dealt game; all games are replayed in one batch."""
    deals = list(deals)
    if not deals:
        return
    output = play(make_batch(deals), fast=fast, measured=measured)
    defects = find_defects(deals, output, forgiven)
    turn = clue = card = 0
    for game, deal in enumerate(deals):
        cards = len(deal.deck)
        yield Replay(deal, _of_game(output, game, turn, clue, card, cards), defects.get(game, []))
        turn += int(output.games["turns"][game])
        clue += int(output.games["clues"][game])
        card += cards


def replay_many(
    records: Iterable[GameRecord],
    *,
    edition: str | None = None,
    strict: bool = False,
    forgive: Iterable[Defect | str] = (),
    on_error: Callable[[GameRecord, HanalyzeError], None] | None = None,
    measured: bool = False,
    fast: bool | None = None,
) -> Iterator[Replay]:
    """Yield the replay of each record, in order and in bounded memory.

    `edition`, `strict` and `forgive` are as in `replay`. `on_error` receives each record that cannot be
    dealt, or that breaks a rule under `strict`, with its error; without it, the error is raised. With
    `measured`, the columns of turns, clues and cards are computed for many games together; otherwise each
    replay computes them on demand. `fast` chooses the compiled engine; see `hanalyze.engine.run.play`.
    """
    forgiven = _forgiven_defects(forgive)
    if edition is not None:
        # Under rules that differ from the log's rules, a different score is not a defect of the log.
        forgiven |= {Defect.SCORE_DIFFERS}
    stream = iter(records)
    while chunk := list(itertools.islice(stream, _CHUNK)):
        deals = deal_records(chunk, edition=edition, on_error=on_error)
        for one in replay_deals(deals, forgiven=forgiven, measured=measured, fast=fast):
            if strict and one.defects:
                error = one.defects[0].error().at(file=one.record.file, line=one.record.line)
                if on_error is None:
                    raise error
                on_error(one.record, error)
            else:
                yield one


def replay(
    record: GameRecord,
    *,
    edition: str | None = None,
    strict: bool = False,
    forgive: Iterable[Defect | str] = (),
) -> Replay:
    """Replay a recorded game, and return it as a `Replay`.

    `edition` overrides the log's edition; `hanalyze.game.editions.edition` describes its form. Broken rules
    are listed in `Replay.defects`, except the rules in `forgive` (defects or their labels). With `strict`,
    the first broken rule is raised as `IllegalAction`. Raises `LogError` if the log cannot be dealt,
    `UnknownName` for an unknown edition, variant or defect, and `HanalyzeError` if `forgive` contains a
    defect that ends a replay (rule `bad_forgive`) or the object is not a record (`usage`).
    """
    return next(replay_many([record], edition=edition, strict=strict, forgive=forgive, fast=False))
