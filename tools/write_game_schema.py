"""Write `schemas/game.schema.json` from the types that read a log: `python -m tools.write_game_schema`.

The reader also rejects `1.0` as an integer and text that is not Unicode; a schema cannot express this.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import msgspec

from hanalyze.logs.formats.hanab_live import GameJSON

_FILE: Final = Path(__file__).parents[1] / "schemas" / "game.schema.json"
_DESCRIPTIONS: Final[dict[str, dict[str, str]]] = {
    "GameJSON": {
        "id": "Number of the game at its source.",
        "players": "Names in the order of the seats.",
        "deck": "The cards, top card first; optional if they can be dealt from the seed.",
        "actions": "The actions in the order of the turns.",
        "options": "Optional if every option has its default value.",
        "notes": "Notes of each seat on the cards, in the order of the deck, then on the stacks.",
        "characters": "Detrimental character of each seat, in a game with such characters.",
        "seed": "Seed of the deck.",
        "edition": "Name of the edition of the rules.",
        "shuffle": "Name of the shuffle that deals the deck from the seed.",
        "score": "The final score, as recorded.",
        "source": "Source of the game.",
        "started": "Time at which the game began.",
        "finished": "Time at which the game ended.",
        "tags": "Tags that players gave the game; in a string, separated by commas.",
        "deck_known": "Number of known cards of the deck; the order of the other cards is arbitrary.",
        "first_player": "Seat that moves first; `startingPlayer` takes precedence unless it is 0.",
    },
    "CardJSON": {
        "suitIndex": "Index of the suit in the variant's list of suits, from 0.",
        "rank": "1 to 5; 7 is the START card of Up or Down.",
    },
    "ActionJSON": {
        "type": "0 play, 1 discard, 2 colour clue, 3 rank clue, 4 end of the game, 5 end by vote.",
        "target": "Play, discard: the card's index in the deck. Clue: the receiver's seat."
        " End: the seat that ended the game, or -1.",
        "value": "Play, discard: 0 (optional). Colour clue: index into the variant's clue colours."
        " Rank clue: the rank. End: how the game ended.",
    },
    "OptionsJSON": {
        "startingPlayer": "Seat that moves first.",
        "variant": "Name of the variant.",
        "timed": "Whether the players had clocks.",
        "timeBase": "Seconds on a clock at the start.",
        "timePerTurn": "Seconds that every turn adds to a clock.",
        "speedrun": "Whether the game ends as soon as the full score is out of reach.",
        "cardCycle": "Whether giving a clue moves the giver's chop to the newest slot.",
        "deckPlays": "Whether the last card of the deck may be played from the deck.",
        "emptyClues": "Whether clues that touch no card are allowed.",
        "oneExtraCard": "Whether hands have one extra card.",
        "oneLessCard": "Whether hands have one card fewer.",
        "allOrNothing": "Whether the game ends only when the full score is reached or out of reach.",
        "detrimentalCharacters": "Whether players have detrimental characters (handicaps).",
    },
    "CharacterJSON": {
        "name": "Name of the character.",
        "metadata": "Parameter of the character, or -1.",
    },
}
"""Descriptions of the keys, by type."""


def game_schema() -> dict[str, Any]:
    """Return the schema of one game.

    >>> game_schema()["title"], game_schema()["required"]
    ('Hanabi game', ['players', 'actions'])
    """
    (_, definitions) = msgspec.json.schema_components([GameJSON], ref_template="#/$defs/{name}")
    for name, descriptions in _DESCRIPTIONS.items():
        keys = definitions[name]["properties"]
        definitions[name]["properties"] = {
            key: {"description": descriptions[key], **keys[key]} for key in keys
        }
    game = definitions.pop("GameJSON")
    # The order of the two alternatives depends on the version of msgspec.
    game["properties"]["options"]["anyOf"].sort(key=lambda one: one == {"type": "null"})
    # Types cannot express that one key requires another.
    definitions["ActionJSON"] |= {
        "if": {"properties": {"type": {"enum": [0, 1]}}},
        "else": {"required": ["value"]},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_renamed(game | {"title": "Hanabi game", "$defs": definitions}),
    }


def text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(game_schema(), indent=2, ensure_ascii=False) + "\n"


def _renamed(part: Any) -> Any:
    """Return part of the schema with the suffix `JSON` of type names removed."""
    if isinstance(part, dict):
        return {key.removesuffix("JSON"): _renamed(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_renamed(value) for value in part]
    return part.removesuffix("JSON") if isinstance(part, str) else part


if __name__ == "__main__":
    _FILE.write_text(text(), encoding="utf-8")
