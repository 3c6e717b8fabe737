"""Replays of Kaggle's environments: language models and other agents at OpenSpiel's Hanabi.

In: a replay, a JSON object with `configuration`, `info` and `steps`, alone in a file or one per line. Out: a
`GameRecord` of the edition `hle`. Read only: a replay holds what each agent saw at every step, which is more
than a game. Deck and moves come from the last `serializedGameAndState` (`hanalyze.logs.open_spiel`, also for
cards that were never dealt).

- A seed of the configuration is that of the environment, another stands in the game's parameters, and neither
  deals a deck that could be dealt again: none becomes the record's.
- What an agent was asked and answered (`call_details`, else `thoughts`) becomes a note of its player, on the
  card that was played, discarded or, newest first, touched; a note begins with the turn as people count it.
- Names are `TeamNames`; the score is what the environment returned for a game that came to its end.

Source: kaggle-environments, `core_harness.py`, `envs/open_spiel_env`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from hanalyze.errors import LogError
from hanalyze.logs.by_line import games_of_json
from hanalyze.logs.noting import notes_by_turn
from hanalyze.logs.open_spiel import Played, played, record_of
from hanalyze.logs.record import GameRecord

RULES: Final = {"bad_kaggle": "a replay of Kaggle's environments that holds no game of Hanabi"}
"""What can be wrong with a replay."""

SOURCE: Final = "Kaggle"
"""The source of games that were read from replays."""

_OURS: Final = re.compile(rb'"open_spiel_hanabi|"openSpielGame(?:Name|String)"\s*:\s*"hanabi')


class _Observation(msgspec.Struct, gc=False):
    serialized: Any = msgspec.field(default=None, name="serializedGameAndState")
    text: Any = msgspec.field(default=None, name="observationString")


class _Agent(msgspec.Struct, gc=False):
    action: Any = None
    observation: _Observation | None = None


class _Info(msgspec.Struct, gc=False):
    names: Any = msgspec.field(default=None, name="TeamNames")


class _Replay(msgspec.Struct, gc=False):
    steps: list[list[_Agent]]
    info: _Info | None = None


_DECODER: Final = msgspec.json.Decoder(_Replay)


class KaggleFormat:
    """Kaggle's replays as a format of logs."""

    name = "kaggle"
    title = "replays of Kaggle's environments: OpenSpiel's Hanabi, with what language models answered"

    def recognises(self, head: bytes) -> bool:
        """Return whether a file that begins so is one."""
        return head.lstrip().startswith(b"{") and _OURS.search(head) is not None

    def read(self, stream: io.BufferedReader, file: str) -> Iterator[GameRecord | LogError]:
        """Yield the games of a file."""
        return games_of_json(stream, file, parse)


def parse(data: bytes, *, file: str | None = None, line: int | None = None) -> GameRecord:
    """Read one replay. Raises `LogError`.

    >>> parse(b'{"steps": []}', file="replay.json")
    Traceback (most recent call last):
    hanalyze.errors.LogError: replay.json: there is no serializedGameAndState
    """
    try:
        replay = _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problem = LogError(f"not a replay of Kaggle's: {error}", rule="bad_kaggle")
    else:
        try:
            return _record(replay, file, line)
        except LogError as error:
            problem = LogError(error.message, rule="bad_kaggle")
    raise problem.at(file=file, line=line)


def _record(replay: _Replay, file: str | None, line: int | None) -> GameRecord:
    last = next((text for step in reversed(replay.steps) if (text := _serialized(step)) is not None), None)
    if last is None:
        raise LogError("there is no serializedGameAndState", rule="bad_kaggle")
    game = played(last)
    known: dict[str, Any] = {"score": _score(replay)}
    players, names = game.config["players"], replay.info.names if replay.info is not None else None
    if isinstance(names, list) and len(names) == players and all(isinstance(one, str) for one in names):
        known["names"] = tuple(names)
    record = record_of(game, file, line, **known)
    notes = notes_by_turn(_said(replay, game), record, game.config.get("hand_size"))
    return replace(record, source=SOURCE, notes=notes)


def _serialized(step: list[_Agent]) -> str | None:
    """Return the longest text of a step: all agents see the same game, those that came late less of it."""
    texts = [one.observation.serialized for one in step if one.observation is not None]
    return max((text for text in texts if isinstance(text, str)), key=len, default=None)


def _score(replay: _Replay) -> int | None:
    """Return what the environment returned, None for a game that did not come to its end."""
    for agent in replay.steps[-1] if replay.steps else ():
        text = agent.observation.text if agent.observation is not None else None
        if isinstance(text, str):
            try:
                seen = msgspec.json.decode(text, type=_Seen)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue
            if seen.is_terminal and seen.returns and -1000 < seen.returns[0] < 1000:
                return int(seen.returns[0])
    return None


class _Seen(msgspec.Struct, gc=False):
    is_terminal: bool = False
    returns: list[float] = []


def _said(replay: _Replay, game: Played) -> list[str]:
    """Return per move what its agent was asked and answered."""
    found: list[str] = []
    players = game.config["players"]
    for step in replay.steps:
        if len(found) == len(game.moves):
            break
        seat = (game.first_player + len(found)) % players
        action = step[seat].action if seat < len(step) else None
        if isinstance(action, dict) and action.get("submission") == game.moves[len(found)]:
            found.append(_text(action))
    return found


def _text(action: dict[str, Any]) -> str:
    """Return the texts of an action: prompts and responses, else thoughts."""
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
