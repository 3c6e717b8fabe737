"""Replays of Kaggle's environments: language models and other agents that play OpenSpiel's Hanabi.

The format, which docs/formats.md describes, can only be read; the edition is `hle`.
Source: kaggle-environments, `core_harness.py`, `envs/open_spiel_env`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from hanalyze.errors import LogError
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.editions import EndCondition
from hanalyze.logs.formats.by_line import notes_by_turn
from hanalyze.logs.formats.open_spiel import SerializedGame, full_deck, game_of_text, record_of
from hanalyze.logs.record import GameRecord
from hanalyze.text import shorten

TITLE: Final = "replays of Kaggle's environments: OpenSpiel's Hanabi, with the answers of language models"
_bad: Final = partial(LogError, rule="bad_kaggle")
SOURCE: Final = "Kaggle"
_OURS: Final = re.compile(rb'"open_spiel_hanabi|"openSpielGame(?:Name|String)"\s*:\s*"hanabi')
_ARENA: Final = re.compile(r"hanabi_arena\(([a-z_]+=[0-9]{1,9}(?:,[a-z_]+=[0-9]{1,9})*)\)")
_SEATS: Final = 2  # number of players at a table of the arena
_FAILED: Final = ("ERROR", "INVALID", "TIMEOUT")


class _Observation(msgspec.Struct, gc=False):
    serialized: Any = msgspec.field(default=None, name="serializedGameAndState")
    text: Any = msgspec.field(default=None, name="observationString")
    mover: Any = msgspec.field(default=None, name="currentPlayer")


class _Agent(msgspec.Struct, gc=False):
    action: Any = None
    observation: _Observation | None = None
    status: Any = None
    reward: Any = None


class _Info(msgspec.Struct, gc=False):
    names: Any = msgspec.field(default=None, name="TeamNames")
    game: Any = msgspec.field(default=None, name="openSpielGameStringResolved")


class _Configuration(msgspec.Struct, gc=False):
    game: Any = msgspec.field(default=None, name="openSpielGameString")
    parameters: Any = msgspec.field(default=None, name="openSpielGameParameters")


class _Replay(msgspec.Struct, gc=False):
    steps: list[list[_Agent]]
    info: _Info | None = None
    configuration: _Configuration | None = None


class _Face(msgspec.Struct, gc=False):
    color: str
    rank: int


class _Held(msgspec.Struct, gc=False):
    card: _Face | None = None


class _Hand(msgspec.Struct, gc=False):
    player: int
    cards: list[_Held]


class _Move(msgspec.Struct, gc=False):
    seat: int
    action: int


class _Table(msgspec.Struct, gc=False):
    hands: list[_Hand]
    moves: list[_Move] = msgspec.field(name="move_history")
    score: int
    is_over: bool = msgspec.field(name="is_terminal")


class _View(msgspec.Struct, gc=False):
    is_terminal: bool = False
    returns: list[float] = []
    table: _Table | None = None


_DECODER: Final = msgspec.json.Decoder(_Replay)


def recognises(head: bytes) -> bool:
    """Return whether a file that begins with `head` is in this format."""
    return head.lstrip().startswith(b"{") and _OURS.search(head) is not None


def parse(data: bytes) -> list[GameRecord]:
    """Return the games of one replay. Raises `LogError`.

    >>> parse(b'{"steps": []}')
    Traceback (most recent call last):
    hanalyze.errors.LogError: there is no serializedGameAndState
    """
    try:
        return _records(_DECODER.decode(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _bad(f"not a replay of Kaggle's environments: {error}") from None
    except LogError as error:
        raise _bad(error.message) from None


def _records(replay: _Replay) -> list[GameRecord]:
    forfeit = _forfeit(replay)
    if (arena := _arena(replay)) is not None:
        tables = [_at_table(replay, arena, team) for team in (0, 1)]
    else:
        last = next((text for step in reversed(replay.steps) if (text := _serialized(step))), None)
        if last is None:
            raise _bad("there is no serializedGameAndState")
        tables = [(game_of_text(last), _score(replay))]
    records, first = [], 0
    for game, score in tables:
        players = game.config["players"]
        record = record_of(game, score=score, names=_names(replay, first, players))
        texts, end = _answers(replay, game, first), []
        if forfeit is not None and first <= forfeit[0] < first + players:
            agent, how = forfeit
            end = [Action(ActionKind.END_GAME, agent - first, how)]
            if len(texts) == len(game.moves):
                texts.append(_text(replay.steps[-1][agent].action))
        notes = notes_by_turn(texts, record, game.config.get("hand_size"))
        records.append(replace(record, source=SOURCE, notes=notes, actions=[*record.actions, *end]))
        first += players
    return records


def _forfeit(replay: _Replay) -> tuple[int, EndCondition] | None:
    """Return the index of the agent that forfeited and the end of its game, None if no agent forfeited.

    Raises `LogError` for an episode that Kaggle did not score.
    """
    last = replay.steps[-1] if replay.steps else []
    statuses = [agent.status for agent in last]
    failed = any(status in _FAILED for status in statuses)
    if failed and "DONE" not in statuses:
        status_list = ", ".join(shorten(str(status), 20) for status in statuses)
        raise _bad(f"Kaggle did not score this episode: an agent failed ({status_list})")
    is_loser = [agent.reward is None or agent.reward == -1 for agent in last]
    mover = next((agent.observation.mover for agent in last if agent.observation is not None), None)
    if not isinstance(mover, int) or not 0 <= mover < len(last):
        return None
    if "ACTIVE" in statuses or "DONE" not in statuses or not is_loser[mover] or all(is_loser):
        return None
    end = EndCondition.TIMEOUT if statuses[mover] == "TIMEOUT" else EndCondition.TERMINATED_BY_PLAYER
    return mover, end


def _names(replay: _Replay, first: int, players: int) -> tuple[str, ...]:
    """Return the names of the players at a table; its first player is agent `first`."""
    agents = len(replay.steps[0]) if replay.steps else 0
    names: Any = replay.info.names if replay.info is not None else None
    is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if is_list and len(names) == agents >= first + players:
        return tuple(names[first : first + players])
    return tuple(f"Player {number}" for number in range(first + 1, first + players + 1))


def _arena(replay: _Replay) -> dict[str, int] | None:
    """Return the parameters of Kaggle's `hanabi_arena` (two tables), None for a replay of another game."""
    configuration = replay.configuration or _Configuration()
    resolved = replay.info.game if replay.info is not None else None
    for text, more in ((resolved, None), (configuration.game, configuration.parameters)):
        match = _ARENA.fullmatch(text) if isinstance(text, str) else None
        if match is not None:
            numbers = {name: int(value) for name, value in (part.split("=") for part in match[1].split(","))}
            changes = more.items() if isinstance(more, dict) else ()
            return numbers | {name: value for name, value in changes if isinstance(value, int)}
    return None


def _at_table(replay: _Replay, arena: dict[str, int], team: int) -> tuple[SerializedGame, int | None]:
    """Return the game at a table of the arena and its score, None if it is not over. Raises `LogError`."""
    tables = [table for step in replay.steps for table in _tables(step, team)]
    if not tables:
        raise _bad(f"the replay has no observation of the table of team {team + 1}")
    last = max(tables, key=lambda table: len(table.moves))
    if any(move.seat != turn % _SEATS for turn, move in enumerate(last.moves)):
        raise _bad(f"team {team + 1} does not move in turn")
    config = {name: value for name, value in arena.items() if name != "seed"} | {"players": _SEATS}
    colours, size = config.get("colors", 5), config.get("hand_size", 5)
    deck = full_deck(colours)
    Random(arena.get("seed", 0)).shuffle(deck)
    dealt = ["RYGWB"[card // 5] + str(card % 5 + 1) for card in deck]
    for hand in [hand for table in tables if not table.moves for hand in table.hands]:
        for place, slot in enumerate(hand.cards, hand.player * size):
            if slot.card is not None and dealt[place : place + 1] != [f"{slot.card.color}{slot.card.rank}"]:
                raise _bad(f"the seed {arena.get('seed', 0)} does not deal the hands that the players saw")
    game = SerializedGame(config, deck, [move.action for move in last.moves], 0)
    return game, last.score if last.is_over else None


def _tables(step: list[_Agent], team: int) -> Iterator[_Table]:
    """Yield the observations of an arena table by its players at one step."""
    for agent in step[team * _SEATS : (team + 1) * _SEATS]:
        view = _view(agent)
        if view is not None and view.table is not None:
            yield view.table


def _view(agent: _Agent) -> _View | None:
    text = agent.observation.text if agent.observation is not None else None
    if not isinstance(text, str):
        return None
    try:
        return msgspec.json.decode(text, type=_View)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _serialized(step: list[_Agent]) -> str | None:
    """Return the longest serialized game of a step, if any; some agents' observations have fewer moves."""
    texts = [agent.observation.serialized for agent in step if agent.observation is not None]
    return max((text for text in texts if isinstance(text, str)), key=len, default=None)


def _score(replay: _Replay) -> int | None:
    """Return the score that the environment reports, None for an unfinished game."""
    for agent in replay.steps[-1] if replay.steps else ():
        view = _view(agent)
        if view is not None and view.is_terminal and view.returns and -1000 < view.returns[0] < 1000:
            return int(view.returns[0])
    return None


def _answers(replay: _Replay, game: SerializedGame, first: int) -> list[str]:
    """Return the prompts and answers for each move; the first player of the table is agent `first`."""
    texts: list[str] = []
    for step in replay.steps:
        if len(texts) == len(game.moves):
            break
        seat = first + (game.first_player + len(texts)) % game.config["players"]
        action = step[seat].action if seat < len(step) else None
        if isinstance(action, dict) and action.get("submission") == game.moves[len(texts)]:
            texts.append(_text(action))
    return texts


def _text(action: Any) -> str:
    """Return the prompts and responses of an action, with the thoughts if it has no response."""
    if not isinstance(action, dict):
        return ""
    details = action.get("call_details")
    parts = [
        f"{name}: {one[name]}"
        for one in (details if isinstance(details, list) else [])
        if isinstance(one, dict)
        for name in ("prompt", "response")
        if isinstance(one.get(name), str) and one[name]
    ]
    thoughts = action.get("thoughts")
    if not any(part.startswith("response") for part in parts) and isinstance(thoughts, str) and thoughts:
        parts.append(thoughts)
    return "; ".join(parts)
