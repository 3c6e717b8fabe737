"""JSON exported by Off-Belief Learning and similar programs: hanab.live's with `suit` instead of `suitIndex`.

The edition is `hle` unless the log names another. Source: off-belief-learning, `pyhanabi/game_exporter.py`.
"""

from __future__ import annotations

import re
from typing import Annotated, Final

import msgspec
from msgspec.structs import replace

from hanalyze.errors import LogError
from hanalyze.game.actions import ActionKind
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.formats.by_line import first_of
from hanalyze.logs.formats.hanab_live import CardJSON
from hanalyze.logs.record import GameRecord, lost_parts

TITLE: Final = "JSON that Off-Belief Learning exports: like hanab.live's, with suit instead of suitIndex"
EDITION: Final = "hle"

_FIRST: Final = re.compile(rb'"deck"\s*:\s*\[\s*\{[^{}]*"suit"\s*:')
_Int = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class _Card(msgspec.Struct, rename={"suit_index": "suitIndex"}, gc=False):
    rank: _Int
    suit: _Int | None = None
    suit_index: _Int | None = None


def recognises(head: bytes) -> bool:
    """Return whether a file that begins with `head` is in this format."""
    return head.lstrip().startswith(b"{") and _FIRST.search(first_of(head)) is not None


def lost(record: GameRecord) -> tuple[str, ...]:
    """Return the parts of a game that the format cannot store."""
    return lost_parts(record, "id", "seed", "score", "source", "dates", "tags")


def parse(data: bytes) -> GameRecord:
    """Return the game in a text. Raises `LogError`.

    >>> game = parse(b'{"players": ["p0", "p1"], "deck": [{"rank": 1, "suit": 4}], "actions": []}')
    >>> game.deck, game.edition
    ([Card(suit=4, rank=1)], 'hle')
    """
    try:
        game = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        if "deck" in game:
            cards = msgspec.json.decode(game["deck"], type=list[_Card] | None)
            game["deck"] = msgspec.Raw(msgspec.json.encode(_plain(cards)))
        text = msgspec.json.encode(game)
    except msgspec.ValidationError as error:
        raise LogError(f"its cards are not as the exporter writes them: {error}", rule="bad_obl") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return hanab_live.parse(data)  # raises a LogError that describes the problem
    record = hanab_live.parse(text)
    return record if record.edition is not None else replace(record, edition=EDITION)


def _plain(cards: list[_Card] | None) -> list[CardJSON] | None:
    """Return cards in the form of hanab.live. Raises `ValidationError` for a card without a suit."""
    if cards is None:
        return None
    plain = []
    for number, card in enumerate(cards):
        suit = card.suit if card.suit is not None else card.suit_index
        if suit is None:
            raise msgspec.ValidationError(f"deck[{number}] has no suit")
        plain.append(CardJSON(suit, card.rank))
    return plain


def to_json(record: GameRecord) -> bytes:
    """Return a game as a line, in the form of the exporter: plays and discards have no `value`.

    An edition other than `hle` (`hanab-live` if the record names none) is written as the key `edition`, which
    the exporter's own games do not have. Raises `LogError` for a game without a deck.

    >>> to_json(parse(b'{"players": ["p0", "p1"], "deck": [{"rank": 1, "suit": 4}], "actions": []}'))
    b'{"players":["p0","p1"],"deck":[{"rank":1,"suit":4}],"actions":[]}'
    """
    if record.deck is None:
        raise LogError("its deck is not in the log", rule="bad_obl")
    exported = replace(
        record,
        **dict.fromkeys(("id", "seed", "shuffle", "score", "source", "started", "finished")),
        edition=None if record.edition == EDITION else record.edition or "hanab-live",
        tags=(),
    )
    game = msgspec.json.decode(hanab_live.to_json(exported))
    game["deck"] = [{"rank": rank, "suit": suit} for suit, rank in record.deck]
    for action in game["actions"]:
        if action["type"] in (ActionKind.PLAY, ActionKind.DISCARD) and action["value"] == 0:
            del action["value"]
    return msgspec.json.encode(game)
