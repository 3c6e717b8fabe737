"""HanabiLogs and HanabiRewards: games of language models, one row of JSON per turn (see docs/formats.md).

The module was tested with the documented fields and with states printed by the Hanabi Learning Environment,
not with the data set itself.
Sources: the card of the data set Mahesh111000/Hanabi_data; its authors' environment (mahesh-ramesh/hanabi on
the Prime Intellect hub); Ramesh et al. 2026, Sparks of cooperative reasoning, arXiv 2601.18077.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import groupby, pairwise
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from hanalyze.decks import deck as deal
from hanalyze.errors import HanalyzeError, LogError
from hanalyze.logs.formats.by_line import first_of, lines_of, notes_by_turn
from hanalyze.logs.formats.hanab_live import MAX_GAME_BYTES
from hanalyze.logs.formats.hle_states import (
    State,
    card_of,
    is_beginning,
    move_text,
    moves_between,
    next_state,
    number_of,
    state_of,
)
from hanalyze.logs.formats.open_spiel import SerializedGame, record_of
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.streams import limited
from hanalyze.text import shorten

TITLE: Final = "rows of HanabiLogs and HanabiRewards: games of language models, a row per turn"
_bad: Final = partial(LogError, rule="bad_hanabi_logs")
SOURCE: Final = "HanabiLogs"
_OURS: Final = re.compile(rb'"(?:raw_game_state_before_move|legal_moves_description_for_llm)"\s*:')
_MOST_CHARACTERS: Final = 2**30  # maximum number of characters of states and answers in memory
_MOST_GAMES: Final = 32  # maximum number of games with the same model, players, seed and run
_NO_MOVE: Final = "(this answer names no legal move, so the game ends here)"

_Count = Annotated[int, Meta(ge=0, le=10_000)]
_Seat = Annotated[int, Meta(ge=0, le=4)]


class _Row(msgspec.Struct, gc=False):
    model: Annotated[str, Meta(min_length=1, max_length=200)] = msgspec.field(name="model_name")
    players: Annotated[int, Meta(ge=2, le=5)]
    seed: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
    turn: _Count = msgspec.field(name="turn_number")
    seat: _Seat = msgspec.field(name="current_player")
    state: Annotated[str, Meta(max_length=100_000)] = msgspec.field(name="raw_game_state_before_move")
    deck_size: _Count | None = None
    answer: str | None = msgspec.field(default=None, name="response_content")
    legal: dict[str, str | None] | None = msgspec.field(default=None, name="legal_moves_description_for_llm")
    run: str | int | None = msgspec.field(default=None, name="meta_game_run_id")


_DECODER: Final = msgspec.json.Decoder(_Row)


@dataclass(frozen=True, eq=False)
class _Turn:
    """A row with its line and its legal moves, indexed by their numbers."""

    line: int
    row: _Row
    moves: tuple[str, ...]

    @property
    def answer(self) -> str:
        """The model's answer, empty if the row has none."""
        return self.row.answer or ""

    @cached_property
    def meant(self) -> str | None:
        """The move named by the answer, None if it does not name exactly one legal move."""
        return move_named(self.answer, self.moves)

    @cached_property
    def state(self) -> State:
        """The state before the move. Raises `LogError` if it is invalid or contradicts other fields."""
        row = self.row
        try:
            state = state_of(row.state)
        except LogError as error:
            what = f"raw_game_state_before_move is not a state of this environment: {error.message}"
            raise _bad(what).at(line=self.line) from None
        for name, value, shown in (
            ("players", row.players, len(state.hands)),
            ("current_player", row.seat, state.mover),
            ("deck_size", row.deck_size, state.deck),
        ):
            if value not in (None, shown):
                raise _bad(f"{name} is {value}, but the state shows {shown}").at(line=self.line)
        return state

    @cached_property
    def is_first(self) -> bool:
        """Whether the state is the beginning of a game."""
        return is_beginning(self.state)

    def leads_to(self, after: _Turn) -> bool:
        """Return whether the row `after` can be the next row of the same game."""
        if after.row.turn != self.row.turn + 1:
            return False
        return self.state == after.state or bool(moves_between(self.state, after.state))


def recognises(head: bytes) -> bool:
    """Return whether a file that begins with `head` is in this format."""
    return head.lstrip().startswith(b"{") and _OURS.search(first_of(head)) is not None


def games_of_rows(stream: io.BufferedReader, file: str) -> Iterator[GameRecord | LogError]:
    """Yield the errors of a file's rows, then its games (or their errors) after all rows are read.

    Games with the same model, players, seed and run come together, in the order of their first rows.
    """
    return limited(_outcomes(stream, file), file)


def move_named(answer: str, moves: Sequence[str]) -> str | None:
    r"""Return the move that an answer names, None if it does not name exactly one legal move.

    `moves` are the legal moves, indexed by their numbers. Accepted answers: a JSON object with `action`,
    optionally after other text; text with lines such as `Chosen Move Number: 5`, `Move: (Play 0)` or
    `Action: 5` that all name the same move; a number alone; a move alone.

    >>> moves = ["Play 0", "Reveal player +1 color R"]
    >>> move_named('{"reason": "red", "action": 1}', moves), move_named("Good.\nChosen Move Number: 0", moves)
    ('Reveal player +1 color R', 'Play 0')
    >>> move_named("I would play my first card", moves), move_named("Move: 0\nMove: 1", moves)
    (None, None)
    """
    end = answer.rfind("}") + 1
    for begin in (answer.find("{"), answer.rfind("\n{", 0, end) + 1):
        try:
            action = msgspec.json.decode(answer[begin:end], type=_Answer).action
        except (msgspec.DecodeError, RecursionError):
            continue
        return _move_of(str(action), moves)
    named_moves = {_move_of(name, moves) for name in _NAMED.findall(answer)} or {_move_of(answer, moves)}
    return named_moves.pop() if len(named_moves) == 1 else None


class _Answer(msgspec.Struct, gc=False):
    action: int | str


_NAMED: Final = re.compile(
    r"^[ \t>#*_`-]{0,20}(?:(?:chosen|final|best)[ \t_])?(?:move|action)(?:[ \t_](?:number|index))?"
    r"[*_`]{0,3}[ \t]?:[ \t*_`]{0,8}([^\n]{1,120}?)[ \t*_`.]{0,8}$",
    re.IGNORECASE | re.MULTILINE | re.ASCII,
)
_NUMBERED: Final = re.compile(
    r"\[?([0-9]{1,3})\]?(?:[ \t.:-]{1,3}(\(?(play|discard|reveal|hint|clue|give|tell)\b[^\n]*))?",
    re.IGNORECASE | re.ASCII,
)
"""A number, optionally followed by a move in words."""


def _listed(legal: dict[str, str | None] | None) -> tuple[str, ...]:
    """Return the legal moves, indexed by their numbers; the text of a number without a move is empty."""
    moves = {
        int(number): _plain(text) or ""
        for number, text in (legal or {}).items()
        if text is not None and len(text) < _LONGEST_MOVE and re.fullmatch("[0-9]{1,3}", number)
    }
    return tuple(moves.get(number, "") for number in range(max(moves, default=-1) + 1))


_plain = lru_cache(1024)(move_text)
_LONGEST_MOVE: Final = 60


def _move_of(text: str, moves: Sequence[str]) -> str | None:
    """Return the legal move named by a number, a move, or a number with its move; None for other texts."""
    move = move_text(text)
    if move is not None:
        return move if move in moves else None
    match = _NUMBERED.fullmatch(text.strip())
    if match is None or int(match[1]) >= len(moves):
        return None
    move, words = moves[int(match[1])], match[2]
    if not words:
        return move or None
    kind = match[3].capitalize()
    is_kind = move.startswith(kind if kind in ("Play", "Discard") else "Reveal")
    return move if is_kind and move_text(words) in (move, None) else None


# --- from rows to games -----------------------------------------------------------------------------------


def _outcomes(stream: io.BufferedReader, file: str) -> Iterator[GameRecord | LogError]:
    keys: dict[tuple[str, int, int, str | int | None], list[_Turn]] = {}
    size = 0
    for line, text in lines_of(stream):
        try:
            turn = _turn(text, line)
        except LogError as error:
            yield error.at(file=file, line=line)
            continue
        row = turn.row
        size += len(row.state) + len(turn.answer)
        if size > _MOST_CHARACTERS:
            what = f"more than {_MOST_CHARACTERS / 2**30:g} GiB of states and answers: the rest was not read"
            advice = "split the file so that the rows of a game stay together"
            yield LogError(what, rule="too_large", advice=advice, file=file, line=line)
            break
        keys.setdefault((row.model, row.players, row.seed, row.run), []).append(turn)
    for key in list(keys):
        name = f"{shorten(key[0])}, seed {key[2]}"
        games: list[list[_Turn]] = []
        try:
            games = _games(keys.pop(key))
        except LogError as error:
            yield error.at(file=file, game=name)
        for turns in games:
            line = min(turn.line for turn in turns)
            try:
                yield replace(_record(turns), file=file, line=line)
            except LogError as error:
                yield error.at(file=file, line=line, game=name)


def _turn(text: bytes, line: int) -> _Turn:
    if len(text) > MAX_GAME_BYTES:
        raise LogError(f"a row of more than {MAX_GAME_BYTES} bytes", rule="too_large")
    try:
        row = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _bad(f"not a row of HanabiLogs: {error}") from None
    moves = _listed(row.legal)
    row.legal = None
    return _Turn(line, row, moves)


def _games(turns: list[_Turn]) -> list[list[_Turn]]:
    """Split rows with the same model, players, seed and run into games, sorted by turn. Raises `LogError`."""
    turns.sort(key=lambda one: (one.row.turn, one.line))
    games: list[list[_Turn]] = []
    current: list[list[_Turn]] = []
    for number, same in groupby(turns, key=lambda one: one.row.turn):
        rows = list(same)
        if len(rows) > _MOST_GAMES:
            what = f"{len(rows)} rows for turn {number}, but at most {_MOST_GAMES} games can be told apart"
            raise _bad(what).at(line=rows[0].line)
        if len(rows) == len(games) == 1:
            games[0] += rows  # an error in the row is reported as an error of this game
            current = games[:]
            continue
        before, current = current, []
        for row, possible in sorted(
            ((row, [game for game in before if game[-1].leads_to(row)]) for row in rows),
            key=lambda pair: len(pair[1]),
        ):
            game = _nearest([game for game in possible if game[-1].row.turn == number - 1], row)
            if not game:
                games.append(game)
            game.append(row)
            current.append(game)
    # Rows that follow no beginning may belong to any game. So the first of these rows after the end of a game
    # is added to this game, and the gap is reported.
    rest = [game for game in games if not game[0].is_first]
    longest = max(rest, key=lambda game: game[-1].row.turn, default=[])
    for game in games:
        if game[0].is_first:
            game.extend([turn for turn in longest if turn.row.turn > game[-1].row.turn][:1])
    return sorted(games, key=lambda game: min(turn.line for turn in game))


def _nearest(games: Sequence[list[_Turn]], after: _Turn) -> list[_Turn]:
    """Return the game that a row most likely continues, an empty list if `games` is empty."""

    def nearness(game: list[_Turn]) -> tuple[bool, bool, bool, int]:
        before = game[-1]
        is_meant = before.meant in moves_between(before.state, after.state)
        return game[0].is_first, is_meant, before.line < after.line, before.line

    return max(games, key=nearness, default=[])


def _record(turns: Sequence[_Turn]) -> GameRecord:
    """Return the game that consists of these turns. Raises `LogError`."""
    first = turns[0]
    if not first.is_first:
        what = f"the first row of this game is turn {first.row.turn}, which is not the beginning of a game"
        raise _bad(what).at(line=first.line)
    players = first.row.players
    deck = [card_of(card) for hand in first.state.hands for card in hand]
    moves: list[str] = []
    notes: list[str] = [""]
    for one, after in pairwise(turns):
        notes[-1] += one.answer
        move = _move(one, after)
        if move is None:
            notes[-1] += " / " if notes[-1] else ""
            continue
        moves.append(move)
        notes.append("")
        if not move.startswith("Reveal") and one.state.deck:
            deck.append(card_of(after.state.hands[one.state.mover][-1]))
    last = turns[-1]
    move = last.meant
    if move is not None and next_state(last.state, move) is not None:
        moves.append(move)
    else:
        notes[-1] += _NO_MOVE + (" " if last.answer else "")
    notes[-1] += last.answer
    numbers = [number_of(one, players) for one in moves]
    game = SerializedGame({"players": players}, deck, numbers, first.state.mover)
    try:
        record = record_of(game, names=(first.row.model,) * players)
    except LogError as error:
        raise _bad(error.message) from None
    record = replace(record, source=SOURCE, notes=notes_by_turn(notes, record))
    return _with_seed(record, first.row.seed, len(deck))


def _move(before: _Turn, after: _Turn) -> str | None:
    """Return the move between two rows, None if no move was made. Raises `LogError`."""
    turn = before.row.turn
    if after.row.turn != turn + 1:
        raise _bad(f"turn {turn + 1} is missing").at(line=after.line)
    if before.state == after.state:
        return None
    possible = moves_between(before.state, after.state)
    moves = [move for move in possible if move in before.moves] if before.moves else possible
    if before.meant in moves or (moves and (len(moves) == 1 or not moves[0].startswith("Reveal"))):
        return before.meant if before.meant in moves else moves[0]
    if moves:
        what = f"turn {turn} may be {moves[0]} or {moves[1]}, and its answer names neither"
    elif possible:
        what = f"{possible[0]} was made on turn {turn}, but is not among the legal moves"
    else:
        what = f"no move leads from the state of turn {turn} to that of turn {after.row.turn}"
    raise _bad(what).at(line=before.line if possible else after.line)


def _with_seed(record: GameRecord, seed: int, dealt: int) -> GameRecord:
    """Return the record with the seed instead of the deck if the first `dealt` cards of both agree."""
    try:
        whole = deal(seed, shuffle="hle")
    except HanalyzeError:
        return record
    if whole[:dealt] != (record.deck or [])[:dealt]:
        return record
    return replace(record, deck=None, deck_known=None, seed=str(seed), shuffle="hle")
