"""Games of the Hanabi Learning Environment and of OpenSpiel: deck or seed, and the numbers of the moves.

The environment writes no logs; docs/formats.md describes this format. Sources: hanabi-learning-environment,
`hanabi_game.cc` (numbers of moves and cards), `hanabi_state.cc` (the deal).
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct, structs

from hanalyze.errors import HanalyzeError, LogError, UnknownName
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card
from hanalyze.game.editions import Rules, edition
from hanalyze.game.variants import variant
from hanalyze.logs.formats.by_line import Hands
from hanalyze.logs.record import ENDS, NO_VARIANT, GameRecord, Options, lost_parts
from hanalyze.text import plural

TITLE: Final = "games of the Hanabi Learning Environment and OpenSpiel: deck or seed, and numbers of moves"
_bad: Final = partial(LogError, rule="bad_hle")
_COLOURS: Final = 5
_RANKS: Final = 5
_FIRST: Final = re.compile(rb'\s*\{[^\n]*"moves"\s*:\s*\[')
_OURS: Final = re.compile(rb'[^\n]*"actions"\s*:')
_PLAYERS: Final = range(2, 6)


class _Config(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    players: int | None = None
    colors: int = _COLOURS
    ranks: int = _RANKS
    hand_size: int | None = None
    max_information_tokens: int = 8
    max_life_tokens: int = 3


class _Game(Struct, kw_only=True, omit_defaults=True):
    id: int | None = None
    players: int | None = None
    names: tuple[str, ...] | None = None
    deck: list[int] | None = None
    seed: int | None = None
    config: _Config | None = None
    first_player: int = 0
    moves: list[int]
    score: int | None = None
    deck_known: int | None = None


_DECODER: Final = msgspec.json.Decoder(_Game)
_ENCODER: Final = msgspec.json.Encoder()


def recognises(head: bytes) -> bool:
    """Return whether a file that begins with `head` is in this format."""
    return _FIRST.match(head) is not None and _OURS.match(head) is None


def lost(record: GameRecord) -> tuple[str, ...]:
    """Return the parts of a game that the format cannot store."""
    seed = record.seed is not None and (record.shuffle != "hle" or record.deck is not None)
    rules = not (record.edition or "").startswith("hle")
    parts = ("notes", "source", "dates", "tags", "seed", "rules", "ending")
    return lost_parts(record, *parts, seed=seed, rules=rules)


def parse(data: bytes) -> GameRecord:
    """Return the game of a line. Raises `LogError`.

    >>> record = parse(b'{"players": 2, "seed": 1, "moves": [15, 0]}')
    >>> record.actions
    [Action(kind=3, target=1, value=1), Action(kind=1, target=5, value=0)]
    """
    try:
        return _record(_DECODER.decode(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _bad(f"not a game of this format: {error}") from None


def record_of(game: dict[str, Any]) -> GameRecord:
    """Return the record of a game given as a dict with the keys of the JSON. Raises `LogError`."""
    try:
        return _record(msgspec.convert(game, _Game))
    except msgspec.ValidationError as error:
        raise _bad(f"not a game of this format: {error}") from None


def game_of(record: GameRecord) -> dict[str, Any]:
    """Return a game as a dict with the keys of the JSON. Raises `LogError`."""
    return structs.asdict(_game(record))


def _record(game: _Game) -> GameRecord:
    config = game.config or _Config()
    players = game.players or config.players or len(game.names or ())
    if players not in _PLAYERS:
        raise _bad(f"{plural(players, 'player')}, but there can be 2 to 5")
    names = game.names or tuple(f"Player {seat + 1}" for seat in range(players))
    if len(names) != players:
        raise _bad(f"{len(names)} names for {players} players")
    if config.ranks != _RANKS or not 1 <= config.colors <= _COLOURS:
        what = "only games with 1 to 5 colours and 5 ranks can be read"
        raise _bad(f"{config.colors} colours and {config.ranks} ranks: {what}")
    usual = Rules().hand_size(players)
    size = usual if config.hand_size is None else config.hand_size
    if not 0 <= game.first_player < players:
        raise _bad(f"first_player is {game.first_player}, but there are {players} players")
    if (game.deck is None) == (game.seed is None):
        raise _bad("a game needs a deck or a seed, but not both")
    if game.seed is not None and config.colors != _COLOURS:
        raise _bad("the deck of a seed has 5 colours; give the deck")
    return GameRecord(
        players=names,
        deck=None if game.deck is None else [_card(uid, config.colors) for uid in game.deck],
        actions=_actions(game, players, size),
        variant=NO_VARIANT if config.colors == _COLOURS else "+".join("RYGBP"[: config.colors]),
        options=Options(starting_player=game.first_player),
        id=game.id,
        seed=None if game.seed is None else str(game.seed),
        shuffle=None if game.seed is None else "hle",
        edition=_edition(config, size - usual),
        score=game.score,
        deck_known=game.deck_known,
    )


def _edition(config: _Config, more_cards: int) -> str:
    values = {"clue_tokens": config.max_information_tokens, "strikes": config.max_life_tokens}
    values["hand_size_change"] = more_cards
    changes = [f"+{field}={value}" for field, value in values.items() if value != getattr(Rules(), field)]
    text = "hle" + "".join(changes)
    try:
        edition(text)
    except HanalyzeError as error:
        raise _bad(str(error)) from None
    return text


def _card(uid: int, colours: int) -> Card:
    if not 0 <= uid < colours * _RANKS:
        raise _bad(f"{uid} is not a card")
    return Card(uid // _RANKS, uid % _RANKS + 1)


def _actions(game: _Game, players: int, size: int) -> list[Action]:
    colours = (game.config or _Config()).colors
    cards = 10 * colours if game.deck is None else len(game.deck)
    hands = Hands(players, cards, size)
    actions = []
    clues = players - 1
    for turn, uid in enumerate(game.moves):
        seat = (game.first_player + turn) % players
        if 0 <= uid < 2 * size:
            try:
                order = hands.take(seat, uid % size)
            except IndexError:
                raise _bad(f"moves[{turn}] is {uid}, but the hand has no such card") from None
            actions.append(Action(int(ActionKind.DISCARD if uid < size else ActionKind.PLAY), order, 0))
            continue
        ahead, value = divmod(uid - 2 * size, colours)
        kind = ActionKind.COLOUR_CLUE
        if ahead >= clues:
            ahead, value = divmod(uid - 2 * size - clues * colours, _RANKS)
            kind, value = ActionKind.RANK_CLUE, value + 1
        if not 0 <= ahead < clues:
            raise _bad(f"moves[{turn}] is {uid}, which is not a move")
        actions.append(Action(int(kind), (seat + 1 + ahead) % players, value))
    return actions


def to_json(record: GameRecord) -> bytes:
    """Return a game as a line. Raises `LogError` (rule `bad_hle`) if the format cannot store the game.

    >>> to_json(parse(b'{"players": 2, "seed": 1, "moves": [15, 0]}'))
    b'{"names":["Player 1","Player 2"],"seed":1,"moves":[15,0]}'
    """
    return _ENCODER.encode(_game(record))


def _game(record: GameRecord) -> _Game:
    players, options = len(record.players), record.options
    if players not in _PLAYERS:
        raise _bad(f"{plural(players, 'player')}, but there can be 2 to 5")
    if options != Options(starting_player=options.starting_player):
        raise _bad("it was played with options that this format does not have")
    try:
        rules = edition(record.edition or "hanab-live")
        codes = variant(record.variant).code.split("+")
    except UnknownName as error:
        raise _bad(str(error)) from None
    colours = len(codes)
    if codes != list("RYGBP"[:colours]):
        raise _bad(f'the Hanabi Learning Environment does not have the variant "{record.variant}"')
    size = rules.hand_size(players)
    if record.deck is None and (record.shuffle != "hle" or record.seed is None):
        raise _bad("its deck is not in the record; set the deck, as in `hz.replay(record).deck`")
    config = _Config(
        colors=colours,
        hand_size=size if rules.hand_size_change else None,
        max_information_tokens=rules.clue_tokens,
        max_life_tokens=rules.strikes,
    )
    return _Game(
        id=record.id,
        names=record.players,
        deck=None if record.deck is None else [suit * _RANKS + rank - 1 for suit, rank in record.deck],
        seed=None if record.deck is not None else int(record.seed or 0),
        config=None if config == _Config() else config,
        first_player=options.starting_player,
        moves=_moves(record, size, colours),
        score=record.score,
        deck_known=record.deck_known,
    )


def _moves(record: GameRecord, size: int, colours: int) -> list[int]:
    players = len(record.players)
    hands = Hands(players, 10 * colours if record.deck is None else len(record.deck), size)
    moves = []
    actions = [action for action in record.actions if action.kind not in ENDS]
    for turn, (kind, target, value) in enumerate(actions):
        seat = (record.options.starting_player + turn) % players
        if kind in (ActionKind.PLAY, ActionKind.DISCARD):
            try:
                place = hands.place_of(seat, target)
            except ValueError:
                what = f"turn {turn + 1} plays or discards a card that is not in the player's hand"
                raise _bad(what) from None
            hands.take(seat, place)
            moves.append(place + (size if kind == ActionKind.PLAY else 0))
        elif kind in (ActionKind.COLOUR_CLUE, ActionKind.RANK_CLUE) and target != seat:
            ahead = (target - seat - 1) % players
            ranks = kind == ActionKind.RANK_CLUE
            each = _RANKS if ranks else colours
            if not ranks <= value < each + ranks or not 0 <= target < players:
                raise _bad(f"turn {turn + 1} gives a clue that does not exist")
            moves.append(2 * size + (players - 1) * colours * ranks + ahead * each + value - ranks)
        else:
            raise _bad(f"turn {turn + 1} is not a move of this format")
    return moves
