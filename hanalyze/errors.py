"""Exceptions with place, rule, message and advice as fields; their text is one line."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

from hanalyze.text import printable, shorten


@dataclass(eq=False, repr=False)
class HanalyzeError(Exception):
    """Base of all errors of the package.

    `rule` is a short name from a closed set, and `message` describes the problem. The other fields are None
    if they do not apply: `advice` is a suggestion, `file` the path as given, `line` the line of the file
    (from 1), `game` the name of the game. `turn` and `seat` count from 0; the text counts turns from 1.

    >>> str(HanalyzeError("no clue token left", rule="no_clue_token", game="p3v0s7", turn=12))
    'game p3v0s7, turn 13: no clue token left'
    """

    message: str
    _: KW_ONLY
    rule: str
    advice: str | None = None
    file: str | None = None
    line: int | None = None
    game: str | None = None
    turn: int | None = None
    seat: int | None = None

    def __post_init__(self) -> None:
        super().__init__(self.message)

    def at(self, *, file: str | None = None, line: int | None = None, game: str | None = None) -> Self:
        """Set the parts of the place that are still None, and return the error itself."""
        self.file = self.file if self.file is not None else file
        self.line = self.line if self.line is not None else line
        self.game = self.game if self.game is not None else game
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # The fields must be preserved when the error is sent to another process.
        return Exception.__new__, (type(self), *self.args), self.__dict__

    @property
    def place(self) -> str:
        """File, line, game and turn (from 1) as text, as far as they are known; "" if none is."""
        file = [] if self.file is None else [printable(self.file)]
        if file and self.line is not None:
            file.append(f"line {self.line}")
        game = [] if self.game is None else [f"game {shorten(self.game)}"]
        if self.turn is not None:
            game.append(f"turn {self.turn + 1}")
        return ": ".join(", ".join(part) for part in (file, game) if part)

    def __str__(self) -> str:
        place = self.place
        text = printable(self.message)
        if self.advice:
            text += f"; {printable(self.advice)}"
        return f"{place}: {text}" if place else text


class LogError(HanalyzeError):
    """A log that cannot be found, read, dealt or stored in a format."""


class UnsupportedOption(LogError):
    """A log with an unsupported option; `option` is the name of the option."""

    def __init__(self, message: str, *, option: str, game: str | None = None) -> None:
        super().__init__(message, rule="unsupported_option", game=game)
        self.option = option


class UnknownName(HanalyzeError):
    """A name that does not exist, of a `kind` such as "variant"; any `nearest` names replace `advice`."""

    def __init__(
        self, kind: str, name: str, nearest: tuple[str, ...] = (), *, advice: str | None = None
    ) -> None:
        if nearest:
            advice = "did you mean " + " or ".join(f'"{near}"' for near in nearest) + "?"
        super().__init__(
            f'there is no {kind} "{shorten(str(name))}"',
            rule=f"unknown_{kind.replace(' ', '_')}",
            advice=advice,
        )
        self.kind = kind
        self.name = name
        self.nearest = nearest


class IllegalAction(HanalyzeError):
    """A rule that an agent's action breaks, or the first that a log breaks in a strict replay or ingest."""


def check_kind(value: object, kind: type, advice: str) -> None:
    """Raise `HanalyzeError` (rule `usage`) with `advice` unless a value is an instance of `kind`.

    >>> check_kind("game.json", int, "give a number")
    Traceback (most recent call last):
    hanalyze.errors.HanalyzeError: expected int, got str; give a number
    """
    if not isinstance(value, kind):
        problem = f"expected {kind.__name__}, got {type(value).__name__}"
        raise HanalyzeError(problem, rule="usage", advice=advice)


def check_unicode(text: str) -> None:
    r"""Raise `HanalyzeError` (rule `bad_name`) for a name that is not valid Unicode.

    Python decodes invalid UTF-8 in command line arguments to lone surrogates.

    >>> check_unicode("bad\udcff")
    Traceback (most recent call last):
    hanalyze.errors.HanalyzeError: "bad\udcff" is not valid Unicode; use names in UTF-8
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        begin = max(0, error.start - 40)
        problem = f'"{"…" if begin else ""}{shorten(text[begin:])}" is not valid Unicode'
        raise HanalyzeError(problem, rule="bad_name", advice="use names in UTF-8") from None
