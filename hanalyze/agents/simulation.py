"""Games made by players of our own.

In: who plays, how many, which variant and rules, a number to start from. Out: `GameRecord`s as if read from a
log. The same arguments give the same games, at both speeds of the engine.
"""

from __future__ import annotations

import difflib
import functools
import zlib
from collections.abc import Iterator
from typing import Final

import numpy as np

from hanalyze.agents.players import AGENTS, NO_ACTION, choose_action
from hanalyze.decks import decks
from hanalyze.engine import state as at
from hanalyze.engine.batch import Deal, GameBatch, make_batch, rules_of, variant_of
from hanalyze.engine.compile import can_compile, compiled
from hanalyze.engine.run import start_game
from hanalyze.engine.state import Ints, new_state
from hanalyze.engine.step import NORMAL, UNFINISHED, apply_action
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.actions import Action
from hanalyze.game.cards import IDENTITIES, card_of
from hanalyze.game.rules import Rules
from hanalyze.game.variants import Variant
from hanalyze.logs.record import GameRecord, Options

__all__ = ["simulate"]

NAMES: Final = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")

_CHUNK: Final = 2000
"""Games that are held at a time."""

_WORTH_COMPILING: Final = 100
"""Games from which on starting the compiler takes less time than it saves."""


def play_agents(batch: GameBatch, s: Ints, agent: int, noise: Ints, room: int, out: Ints, ends: Ints) -> None:
    """Let agent number `agent` play all games of a batch.

    `noise` (games): where each game's random numbers start. `out` (games, room, 3): their actions. `ends`
    (games, 3): number of actions, end condition, cards on the stacks.
    """
    for game in range(len(batch.seats)):
        start_game(s, batch, game)
        s[at.NOISE] = noise[game]
        turn = 0
        while s[at.END_CONDITION] == UNFINISHED and turn < room:
            choose_action(s, agent)
            if s[at.CHOICE] == NO_ACTION:
                break
            kind, target, value = s[at.CHOICE], s[at.CHOICE + 1], s[at.CHOICE + 2]
            apply_action(s, kind, target, value)
            out[game, turn, 0] = kind
            out[game, turn, 1] = target
            out[game, turn, 2] = value
            turn += 1
        ends[game, 0] = turn
        ends[game, 1] = s[at.END_CONDITION]
        ends[game, 2] = s[at.RAW_SCORE]


def _check(agent: str, players: int, starting_player: int, games: int, rules: Rules) -> None:
    if agent not in AGENTS:
        near = tuple(difflib.get_close_matches(agent[:100], AGENTS, n=1, cutoff=0.4))
        raise UnknownName("agent", agent, near, advice="one of: " + ", ".join(AGENTS))
    if not 2 <= players <= rules.max_players:
        raise HanalyzeError(
            f"{players} players, where {rules.edition} is for 2 to {rules.max_players}", rule="player_count"
        )
    if not 0 <= starting_player < players:
        raise HanalyzeError(
            f"starting player {starting_player}, where seats are 0 to {players - 1}", rule="starting_player"
        )
    if games < 0:
        raise HanalyzeError(f"{games} games", rule="bad_number", advice="give 0 or more")


def simulate(
    agent: str = "cautious",
    *,
    players: int = 3,
    games: int = 1,
    seed: int = 1,
    variant: str = "No Variant",
    edition: str | None = None,
    options: Options | None = None,
    fast: bool | None = None,
) -> Iterator[GameRecord]:
    """Yield `games` games that `players` copies of an agent play, on the seeds from number `seed` on.

    Game i is dealt from the hanab.live seed `p{players}v{variant id}s{seed + i}`. `agent` is one of `AGENTS`:
    `random` chooses among all legal actions alike, `cautious` plays what it knows to be playable, `cheating`
    sees all cards. `fast` is the engine's speed; by default compiled for many games, where it can be. Raises
    `UnknownName` for an agent, variant or edition that does not exist.

    >>> [record] = simulate("random", players=2, seed=7)
    >>> record.seed, record.actions[0]
    ('p2v0s7', Action(kind=3, target=1, value=3))
    """
    table = GameRecord(
        players=NAMES[: max(players, 0)],
        actions=[],
        variant=variant,
        options=options or Options(),
        edition=edition,
    )
    rules = rules_of(table)
    _check(agent, players, table.options.starting_player, games, rules)
    played = variant_of(table, rules)
    if fast is None:
        fast = can_compile() and games >= _WORTH_COMPILING
    return _records(table, rules, played, agent, range(seed, seed + games), fast)


def _records(
    table: GameRecord, rules: Rules, variant: Variant, agent: str, numbers: range, fast: bool
) -> Iterator[GameRecord]:
    """Play and yield the games, a chunk at a time."""
    run = compiled(play_agents) if fast else play_agents
    # Each play or discard uses up a card, each clue a token, and tokens come from cards.
    actions = _actions()
    room = 2 * variant.deck_size + rules.clue_tokens
    code = variant.code if variant.id is None else variant.id
    for start in range(0, len(numbers), _CHUNK):
        seeds = [f"p{len(table.players)}v{code}s{number}" for number in numbers[start : start + _CHUNK]]
        dealt = decks(seeds, variant)
        batch = make_batch([Deal(table, rules, variant, deck, False) for deck in dealt])
        noise = np.array([zlib.crc32(f"{agent} {seed}".encode()) | 1 for seed in seeds], np.int64)
        out = np.zeros((len(seeds), room, 3), np.int64)
        ends = np.zeros((len(seeds), 3), np.int64)
        run(batch, new_state(), AGENTS.index(agent), noise, room, out, ends)
        codes = (out[:, :, 0] * _TARGETS + out[:, :, 1]) * _VALUES + out[:, :, 2]
        for i, seed in enumerate(seeds):
            turns, end, score = ends[i].tolist()
            yield GameRecord(
                players=table.players,
                deck=[_CARDS[number] for number in dealt[i].tolist()],
                actions=[actions[code] for code in codes[i, :turns].tolist()],
                variant=variant.name,
                options=table.options,
                seed=seed,
                edition=table.edition,
                score=0 if end > NORMAL and rules.zero_when_lost else score,
                source=f"hanalyze simulate, {agent}",
            )


_CARDS: Final = [card_of(number) for number in range(IDENTITIES)]
_TARGETS: Final = 64
_VALUES: Final = 8


@functools.cache
def _actions() -> list[Action]:
    """Return every action that a player can choose, by `(kind * _TARGETS + target) * _VALUES + value`.

    Games share them, which is several times as fast as making each anew.
    """
    return [
        Action(kind, target, value)
        for kind in range(4)
        for target in range(_TARGETS)
        for value in range(_VALUES)
    ]
