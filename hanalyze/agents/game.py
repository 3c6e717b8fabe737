"""A game that is played action by action under the rules of the engine."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from msgspec.structs import replace

from hanalyze.agents.sight import PastAction, Sight, legal_actions, sight_of
from hanalyze.decks.hanab_live import seed_name
from hanalyze.engine import game as engine
from hanalyze.engine.batch import deal_records, make_batch, rules_of as rules_of_record, variant_of
from hanalyze.engine.knowledge import read_hands
from hanalyze.engine.measure import score
from hanalyze.engine.playing import start_game
from hanalyze.engine.rules import apply_action, find_defect, touched_indices
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, Action, ActionKind, Result
from hanalyze.game.cards import Card, card_of
from hanalyze.game.defects import Defect
from hanalyze.game.editions import EndCondition
from hanalyze.game.variants import Variant
from hanalyze.logs.formats.share_strings import NAMES
from hanalyze.logs.record import NO_VARIANT, GameRecord, Options
from hanalyze.position import NO_MOVES, MoveHistory, check_seat
from hanalyze.replaying import FoundDefect, Replay, describe_defect, replay
from hanalyze.text import shorten


def _check_that_all_is_seen(variant: Variant) -> None:
    """Raise `HanalyzeError` for a variant that hides plays or the values of clues from players."""
    if variant.cow_and_pig or variant.duck or variant.throw_it_in_a_hole:
        what = "was played" if variant.throw_it_in_a_hole else "clues mean"
        problem = f'in "{variant.name}" players do not see what {what}'
        raise HanalyzeError(problem, rule="hidden_variant", advice="agents can play the other variants")


class Game:
    """A game that is being played.

    `players` is the number of players, or their names. `seed` is a hanab.live seed, or a number k for the
    seed `p{players}v{variant id}s{k}`. A `deck` (suit and rank of each card, top card first) replaces the
    seed. Raises `LogError` if the game cannot be dealt, `UnknownName` for a variant or edition that does not
    exist, and `HanalyzeError` for an impossible number of players (rule `player_count`) or a variant that
    hides what was played or clued (`hidden_variant`).

    >>> game = Game(2, seed="p2v0s1")
    >>> game.legal()[0], game.seat
    (Action(kind=0, target=0, value=0), 0)
    >>> game.step(game.legal()[-1]).touched
    (9,)
    >>> game.undo(), game.turn
    (Action(kind=3, target=1, value=4), 0)
    """

    def __init__(
        self,
        players: int | Sequence[str] = 3,
        *,
        seed: str | int = 1,
        deck: Sequence[tuple[int, int]] | None = None,
        variant: str = NO_VARIANT,
        edition: str | None = None,
        options: Options | None = None,
    ) -> None:
        if isinstance(players, int) and not 0 <= players <= len(NAMES):
            raise HanalyzeError(f"{players} players", rule="player_count", advice="give 2 to 6")
        names = NAMES[:players] if isinstance(players, int) else tuple(players)
        template = GameRecord(players=names, variant=variant, options=options or Options(), edition=edition)
        if deck is None and isinstance(seed, int):
            seed = seed_name(len(names), variant_of(template, rules_of_record(template)), seed)
        cards = None if deck is None else [Card(*card) for card in deck]
        self._record = replace(template, deck=cards, seed=None if cards is not None else str(seed))
        [self._deal] = deal_records([self._record])
        _check_that_all_is_seen(self._deal.variant)
        self._batch = make_batch([self._deal]).laid_out(fast=False)
        self._state = engine.Game()
        self._past: list[PastAction] = []
        self._history: MoveHistory = NO_MOVES
        start_game(self._state, self._batch, 0)

    def __repr__(self) -> str:
        return (
            f"<Game {shorten(self.name)}: {self._deal.variant.name}, {len(self.players)} players,"
            f" turn {self.turn + 1}, score {self.score}, {self.end_condition}>"
        )

    @property
    def name(self) -> str:
        """The seed, or "-" for a game with a given deck."""
        return self._record.name

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return self._record.players

    @property
    def state(self) -> engine.Game:
        """The state of the engine, with all cards open; do not modify it."""
        return self._state

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self._state.seat

    @property
    def turn(self) -> int:
        """Number of actions carried out so far."""
        return self._state.turn

    @property
    def score(self) -> int:
        """The score under the rules of the edition."""
        return score(self._state)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._state.end_condition != EndCondition.UNFINISHED

    @property
    def end_condition(self) -> str:
        """The end condition, as in the tables; `unfinished` while the game continues."""
        return EndCondition(self._state.end_condition).label

    def legal(self) -> tuple[Action, ...]:
        """Return the actions that the player to move knows to be legal: plays, discards, then clues.

        The result is empty once the game is over.
        """
        read_hands(self._state)
        return legal_actions(self._state)

    def sees(self, seat: int | None = None) -> Sight:
        """Return what the player of a seat knows, by default the player to move.

        Raises `HanalyzeError` (rule `no_such_seat`) for a seat that does not exist.
        """
        me = self._state.seat if seat is None else seat
        check_seat(me, self.players)
        read_hands(self._state)
        return sight_of(self._state, me, self._deal, self._history, self._past)

    def step(self, action: Action | Sequence[int]) -> PastAction:
        """Carry out an action of the player to move; return it with its public results.

        Raises the errors of `check`; the game is then unchanged.
        """
        move = self.check(action)
        kind, target, value = move
        state = self._state
        turn, seat = state.turn, state.seat
        touched: tuple[int, ...] = ()
        if kind in (COLOUR_CLUE, RANK_CLUE):
            indices = touched_indices(state, target, kind, value)
            hand = state.hands[target][: state.hand_len[target]]
            touched = tuple(order for i, order in enumerate(hand) if indices >> i & 1)
        self._history = self._history.after(state, *move)
        apply_action(state, *move)
        card = slot = None
        if kind in (PLAY, DISCARD):
            card, slot = card_of(state.identity[target]), state.last.slot
        past = PastAction(turn, seat, move, Result(state.last.result).name.lower(), card, slot, touched)
        self._past.append(past)
        return past

    def check(self, action: Action | Sequence[int]) -> Action:
        """Return an action of the player to move if the rules allow it.

        Raises `IllegalAction` with the label of the broken rule, and `HanalyzeError` (rule `bad_action`) for
        anything that is not a kind, target and value.
        """
        state = self._state
        try:
            kind, target, value = map(operator.index, action)
            chosen = Action(kind, target, value)
        except (TypeError, ValueError):
            what = f"not an action: {shorten(repr(action))}"
            advice = "an action has a kind, a target and a value, as in Action(3, 1, 5)"
            raise HanalyzeError(
                what, rule="bad_action", advice=advice, game=self.name, turn=state.turn
            ) from None
        broken = 0
        if chosen.kind not in list(ActionKind)[: RANK_CLUE + 1]:
            broken = Defect.UNKNOWN_ACTION
        elif self.over:
            broken = Defect.ACTION_AFTER_END
        else:
            broken = find_defect(state, *chosen)
        if broken:
            rule = Defect(broken)
            colours = self._deal.clue_colours
            words = describe_defect(rule, chosen, state.seat, self.players, colours, state.cards)
            raise FoundDefect(rule, self.name, state.turn, state.seat, words).error()
        return chosen

    def undo(self) -> Action:
        """Undo the last action and return it.

        Raises `HanalyzeError` (rule `nothing_to_undo`) before the first action.
        """
        if not self._past:
            raise HanalyzeError("there is no action to undo", rule="nothing_to_undo", game=self.name)
        *others, last = self._past
        self._past, self._history = [], NO_MOVES
        start_game(self._state, self._batch, 0)
        for done in others:
            self.step(done.action)
        return last.action

    def record(self, source: str | None = None) -> GameRecord:
        """Return the game so far as a record with its deck; `source` describes where the game comes from."""
        deck = [card_of(number) for number in self._deal.deck.tolist()]
        actions = [done.action for done in self._past]
        own = {"deck": deck, "actions": actions, "variant": self._deal.variant.name, "score": self.score}
        return replace(self._record, **own, source=source)

    def replay(self) -> Replay:
        """Return the `Replay` of the game so far, with the positions and tables of all turns.

        >>> Game(2, seed="p2v0s1").replay().state(0).deck
        40
        """
        return replay(self.record())
