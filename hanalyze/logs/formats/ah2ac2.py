"""Files of AH2AC2: human games on hanab.live as arrays. Needs the library safetensors.

Source: Dizdarevic et al. 2025, Ad-Hoc Human-AI Coordination Challenge; docs/formats.md describes the arrays.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from functools import partial
from typing import IO, Any, Final

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from hanalyze.errors import LogError
from hanalyze.game.editions import Rules
from hanalyze.lazy import needed
from hanalyze.logs.formats import hle
from hanalyze.logs.record import NO_VARIANT, GameRecord, lost_parts

TITLE: Final = "safetensors files of AH2AC2: human games as arrays (Dizdarevic et al. 2025)"
_bad: Final = partial(LogError, rule="bad_ah2ac2")
SOURCE: Final = "AH2AC2"
_MOST_BYTES: Final = 2**31
_CARDS: Final = 50
_NO_ID: Final = -1  # written for games without an id
_SHAPES: Final = {"decks": 3, "actions": 3, "num_actions": 1, "scores": 1, "game_ids": 1}
"""Number of dimensions of each array."""

Ints = NDArray[np.int64]


def recognises(head: bytes) -> bool:
    """Return whether a file that begins with `head` is in this format."""
    return head[6:9] == b"\0\0{"


def games_of_arrays(stream: io.BufferedReader, file: str) -> Iterator[GameRecord | LogError]:
    """Yield the games of a file, and errors for games that cannot be read."""
    try:
        arrays = _arrays(stream.read(_MOST_BYTES + 1))
    except LogError as error:
        yield error.at(file=file)
        return
    for number in range(len(arrays["decks"])):
        try:
            yield structs.replace(_record(arrays, number), file=file, line=number + 1)
        except LogError as error:
            yield error.at(file=file, line=number + 1)


def lost(record: GameRecord) -> tuple[str, ...]:
    """Return the parts of a game that the format cannot store."""
    parts = ("notes", "seed", "rules", "source", "dates", "tags", "ending", "which cards are unknown")
    own = {"rules": record.edition == "hle", "source": record.source not in (None, SOURCE)}
    return ("names", *lost_parts(record, *parts, **own))


def write(records: Iterable[GameRecord], stream: IO[bytes]) -> None:
    """Write games that all have the same number of players.

    Raises `LogError` for a game that the format cannot store, and if there is no game.
    """
    records = list(records)
    if not records:
        raise _bad("there are no games to write")
    players = len(records[0].players)
    games = [_game(record, players) for record in records]
    longest = max(len(game["moves"]) for game in games)
    actions = np.full((len(games), longest, players), _no_move(players), np.int32)
    for row, game in zip(actions, games, strict=True):
        turns = np.arange(len(game["moves"]))
        row[turns, turns % players] = game["moves"]
    cards = np.array([game["deck"] for game in games], np.int32)
    arrays = {
        "actions": actions,
        "decks": np.stack([cards // 5, cards % 5], axis=2),
        "game_ids": np.array([game["id"] for game in games], np.int32),
        "num_actions": np.array([len(game["moves"]) for game in games], np.int32),
        "num_players": np.array(players, np.int32),
        "scores": np.array([game["score"] for game in games], np.int32),
    }
    stream.write(needed("safetensors.numpy").save(arrays))


def _arrays(data: bytes) -> dict[str, Ints]:
    """Return the arrays of a file. Raises `LogError`."""
    if len(data) > _MOST_BYTES:
        raise _bad("the file is larger than 2 GiB")
    safetensors = needed("safetensors.numpy")
    try:
        arrays: dict[str, Any] = safetensors.load(data)
    except Exception as error:
        raise _bad(f"this is not a safetensors file ({' '.join(str(error).split())[:60]})") from None
    for name, count in _SHAPES.items():
        if name not in arrays or arrays[name].ndim != count:
            raise _bad(f"the array {name} is missing or has the wrong shape")
    fits = len({len(arrays[name]) for name in _SHAPES}) == 1 and arrays["decks"].shape[1:] == (_CARDS, 2)
    if not fits or not 2 <= arrays["actions"].shape[2] <= 5:
        raise _bad("the shapes of the arrays do not match")
    return {name: arrays[name].astype(np.int64) for name in _SHAPES}


def _record(arrays: dict[str, Ints], number: int) -> GameRecord:
    actions = arrays["actions"][number]
    turns, players = int(arrays["num_actions"][number]), actions.shape[1]
    if not 0 <= turns <= len(actions):
        raise _bad(f"the game has {turns} turns, but the arrays have at most {len(actions)}")
    none = _no_move(players)
    number_of_game = int(arrays["game_ids"][number])
    game = {
        "players": players,
        "deck": (arrays["decks"][number, :, 0] * 5 + arrays["decks"][number, :, 1]).tolist(),
        "moves": actions[np.arange(turns), np.arange(turns) % players].tolist(),
        "score": int(arrays["scores"][number]),
        "id": None if number_of_game == _NO_ID else number_of_game,
    }
    if (actions != none).sum() != turns or none in game["moves"]:
        raise _bad("the players do not move in turn")
    return structs.replace(hle.record_of(game), edition=None, source=SOURCE)


def _no_move(players: int) -> int:
    return 2 * Rules().hand_size(players) + 10 * (players - 1)


def _game(record: GameRecord, players: int) -> dict[str, Any]:
    """Return the values of a game for the arrays. Raises `LogError` if the format cannot store the game."""
    what = None
    if len(record.players) != players:
        what = f"{len(record.players)} players, but the first game has {players}"
    elif record.variant != NO_VARIANT:
        what = f'it was played with the variant "{record.variant}", but this format only stores {NO_VARIANT}'
    elif record.edition not in (None, "hanab-live", "hle"):
        what = f'it was played by the rules "{record.edition}", which this format does not have'
    elif record.options.starting_player:
        what = "a player other than the first begins"
    elif record.deck is None or len(record.deck) != _CARDS:
        what = "its deck is not in the log"
    elif record.score is None:
        what = "its score is not in the log"
    elif record.id is not None and not 0 <= record.id < 2**31:
        what = f"its id is {record.id}, but the format only stores ids from 0 to 2147483647"
    if what is not None:
        raise _bad(what)
    return {**hle.game_of(record), "id": _NO_ID if record.id is None else record.id, "score": record.score}
