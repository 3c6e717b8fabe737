"""Conversion of untrusted text (names, notes, paths, seeds) to text that is safe to show on a terminal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable


def printable(text: str) -> str:
    r"""Return `text` with an escape for every character that is not printable.

    These are control characters (including terminal escapes), line ends, lone surrogates and invisible marks
    that reverse or hide text: the Unicode categories C and Z, except the space.

    >>> printable("Ali\x1b[31mce")
    'Ali\\x1b[31mce'
    >>> printable("two\nlines"), printable("Zoë 花火"), printable("\u202eecilA")
    ('two\\nlines', 'Zoë 花火', '\\u{202e}ecilA')
    """
    return text if text.isprintable() else "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    """Return a character or its escape; that of an invisible mark has braces, as hex digits may follow."""
    if character.isprintable():
        return character
    code = ord(character)
    is_mark = 0xFF < code < 0xD800 or code > 0xDFFF  # no half of a surrogate pair
    return f"\\u{{{code:x}}}" if is_mark else character.encode("unicode_escape").decode("ascii")


def printable_json(text: str) -> str:
    r"""Return JSON with a JSON escape for every character that is not printable, except line ends.

    The values of the JSON do not change.

    >>> printable_json('{"player":"\u202eecila 花火"}')
    '{"player":"\\u202eecila 花火"}'
    """
    if text.isascii() and "\x7f" not in text:
        return text
    for character in set(text):
        if not character.isprintable() and character != "\n":
            text = text.replace(character, json.dumps(character)[1:-1].replace("\x7f", "\\u007f"))
    return text


def shorten(text: str, width: int = 60) -> str:
    r"""Return `text` made printable; if longer than `width`, it is cut between escapes and ends with "…".

    >>> shorten("a" * 100, 10), shorten("Bob\x1b[31mred", 7)
    ('aaaaaaaaa…', 'Bob…')
    """
    # The text is cut before it is escaped, because it may be very long.
    text = text[: width + 1]
    if len(printable(text)) <= width:
        return printable(text)
    while text and len(printable(text)) >= width:
        text = text[:-1]
    return printable(text) + "…"


def apart(names: Iterable[str], width: int = 60) -> list[str]:
    """Return printable, distinct names of at most `width` characters; equal names are numbered.

    >>> apart(["Bob", "Bob", "Bob (2)", ""], 12), apart(["anna_the_first", "anna_the_second"], 8)
    (['Bob', 'Bob (2)', 'Bob (2) (2)', '(no name)'], ['anna_th…', 'ann… (2)'])
    """
    shown: dict[str, int] = {}
    for name in names:
        one = short = shorten(name, width) or "(no name)"
        count = shown.get(short, 1)
        while one in shown:
            count += 1
            number = f" ({count})"
            one = f"{shorten(name, width - len(number)) or short}{number}"
        shown[one] = 1
        shown[short] = count
    return list(shown)


def games_apart(games: Iterable[tuple[int, str]], width: int = 36) -> dict[int, str]:
    """Return a printable name for each game, by its key; equal names also contain the key.

    >>> games_apart([(7, "p2v0s1"), (8, "p2v0s1"), (7, "p2v0s1"), (9, "12")])
    {7: 'p2v0s1 (game_id 7)', 8: 'p2v0s1 (game_id 8)', 9: '12'}
    """
    names = {key: shorten(name, width) for key, name in games}
    often = Counter(names.values())
    return {key: f"{name} (game_id {key})" if often[name] > 1 else name for key, name in names.items()}


def nearest(word: str, words: Iterable[str], most: int = 2) -> tuple[str, ...]:
    """Return up to `most` names that are similar to a word, best first, regardless of case.

    >>> nearest("ELZA", ["Alice", "Elsa", "Bob"])
    ('Elsa',)
    """
    from difflib import get_close_matches  # slow to import, and rarely needed

    names = {name[:100].casefold(): name for name in words}
    return tuple(names[like] for like in get_close_matches(word[:100].casefold(), names, most))


def known_names(names: Collection[str]) -> str:
    """Return the advice that lists names, cut where they are too long for one line.

    >>> known_names(["Bob", "Ann"]), known_names([])
    ('one of: Ann, Bob', 'no game has names')
    """
    return f"one of: {shorten(', '.join(sorted(names)), 90)}" if names else "no game has names"


def plural(number: float, one: str, many: str | None = None) -> str:
    """Return a number with a noun; `many` is its plural, by default with an s.

    >>> plural(1, "game"), plural(1234, "game"), plural(2, "stratum", "strata")
    ('1 game', '1,234 games', '2 strata')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
