"""A game from hanab.live by its number, asked for once and kept.

In: a number. Out: the JSON that the site exports. Only the site itself is asked, or the one that the
environment variable `HANALYZE_SITE` names; an answer that sends us elsewhere is refused. What the site sends
is taken for an untrusted text: its length, the time it may take and how often it is asked again are bounded.

Tested against a server on the same machine that answers as the site does, not against the site.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from hanalyze.errors import LogError
from hanalyze.folders import cache_folder
from hanalyze.logs import hanab_live
from hanalyze.logs.hanab_live import MAX_GAME_BYTES
from hanalyze.logs.site import SITE
from hanalyze.version import __version__

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

__all__ = ["RULES", "fetch_game", "site"]

RULES: Final = {
    "bad_link": "a link to the site that does not name a game, or a site that is no address",
    "no_connection": "the site cannot be reached",
    "no_such_game": "the site has no game of this number",
    "site_refused": "the site did not give the game",
    "not_a_game": "what the site sent is not the game that was asked for",
}
"""What can be wrong: every `rule` of a `LogError` from here, and its meaning."""

WAIT: Final = 10.0
"""Seconds without an answer after which a connection is given up."""
MOST_TIME: Final = 60.0
"""Seconds that one game may take altogether."""
TRIES: Final = 3
_PAUSE: Final = 1.0
"""Seconds before the site is asked again, doubled each time, where it does not say itself how long."""
_AGAIN: Final = frozenset({429, 500, 502, 503, 504})
_NOT_FOUND: Final = 404
_PART: Final = 2**16
_VARIABLE: Final = "HANALYZE_SITE"


class _RefusedError(Exception):
    """An answer that is not followed; `again` says after how many seconds the site may be asked once more."""

    def __init__(self, message: str, rule: str = "site_refused", again: float | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.again = again


def site() -> str:
    """Return the address of the site that is asked, without a slash at its end.

    Raises `LogError` (rule `bad_link`) where `HANALYZE_SITE` is not the address of a site.

    >>> site()
    'https://hanab.live'
    """
    given = os.environ.get(_VARIABLE, "").rstrip("/")
    if not given:
        return SITE
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path or parts.query:
        advice = f"set {_VARIABLE} to an address such as {SITE}"
        raise LogError("this is not the address of a site", rule="bad_link", file=given, advice=advice)
    return given


def fetch_game(number: int) -> bytes:
    """Return the exported JSON of a game, from the cache or from the site.

    A game that was fetched stays in the user's cache folder, so that the site is asked once. Raises
    `LogError` with a rule of `RULES`; without a connection it says how to save the game by hand.
    """
    address = f"{site()}/export/{number}"
    kept = _place(number)
    if kept is not None:
        with suppress(OSError):
            text = kept.read_bytes()
            if _is_game(text, number):
                return text
    try:
        text = _in_time(lambda: _asked(address))
    except _RefusedError as error:
        problem = LogError(str(error), rule=error.rule, file=address)
    except OSError as error:
        reason = getattr(error, "reason", None) or error
        advice = f"open {address} in a browser, save it as {number}.json, and give that file"
        problem = LogError(
            f"no connection ({_said(reason)})", rule="no_connection", file=address, advice=advice
        )
    else:
        if _is_game(text, number):
            if kept is not None:
                _keep(text, kept)
            return text
        problem = LogError(f"the answer is not game {number}", rule="not_a_game", file=address)
    raise problem


def _said(reason: object) -> str:
    return " ".join((getattr(reason, "strerror", None) or str(reason)).split())[:80]


def _place(number: int) -> Path | None:
    """Return where a game is kept: by site, for numbers are the site's own."""
    folder = cache_folder()
    host = urlsplit(site()).netloc.replace(":", "_")
    return None if folder is None else folder / "games" / host / f"{number}.json"


def _keep(text: bytes, place: Path) -> None:
    """Write a game to the cache at once or not at all; a full disk is no reason to fail."""
    part = place.with_suffix(f".{os.getpid()}.part")
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(text)
        part.replace(place)
    with suppress(OSError):
        part.unlink(missing_ok=True)


def _is_game(text: bytes, number: int) -> bool:
    """Return whether a text is the game of this number, whole."""
    try:
        record = hanab_live.parse(text)
    except LogError:
        return False
    return record.id == number


def _in_time(ask: Callable[[], bytes]) -> bytes:
    """Return what `ask` does. A server that sends a byte now and then is given up all the same."""
    found: list[bytes | Exception] = []

    def run() -> None:
        try:
            found.append(ask())
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(MOST_TIME)
    if not found:
        raise _RefusedError(f"no whole answer within {MOST_TIME:g} s")
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def _asked(address: str) -> bytes:
    """Return what the site answers, after some tries."""
    from http.client import HTTPException

    end = time.monotonic() + MOST_TIME
    opener = _opener()
    pause = _PAUSE
    for left in reversed(range(TRIES)):
        try:
            return _once(opener, address)
        except _RefusedError as error:
            wait = pause if error.again is None else error.again
            if error.rule != "site_refused" or error.again is None or not left:
                raise
            if time.monotonic() + wait > end:
                raise
        except HTTPException as error:
            if not left:
                raise _RefusedError(f"the answer is cut off or damaged ({_said(error)})") from error
            wait = pause
        time.sleep(wait)
        pause *= 2
    raise AssertionError("the last try returns or raises")


def _once(opener: OpenerDirector, address: str) -> bytes:
    """Ask once."""
    from urllib.error import HTTPError
    from urllib.request import Request

    request = Request(
        address,
        headers={
            "User-Agent": f"hanalyze/{__version__}",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        },
    )
    try:
        with opener.open(request, timeout=WAIT) as answer:
            return _body(answer)
    except HTTPError as error:
        error.close()
        if error.code == _NOT_FOUND:
            raise _RefusedError("the site has no such game", "no_such_game") from None
        again = _pause_asked(error.headers.get("Retry-After")) if error.code in _AGAIN else None
        raise _RefusedError(f"the site refused it (status {error.code})", again=again) from None


def _pause_asked(text: str | None) -> float:
    """Return the seconds that the site asks us to wait."""
    if text is not None and text.isascii() and text.isdecimal():
        return float(text[:6])
    return _PAUSE


def _body(answer: Any) -> bytes:
    """Return the text of an answer, within a bound of length."""
    from http.client import IncompleteRead

    if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise _RefusedError("the site sent a compressed answer that was not asked for")
    said = answer.headers.get("Content-Length")
    stream: IO[bytes] = answer
    parts: list[bytes] = []
    length = 0
    while part := stream.read1(_PART) if hasattr(stream, "read1") else stream.read(_PART):
        parts.append(part)
        length += len(part)
        if length > MAX_GAME_BYTES:
            raise _RefusedError("the answer is longer than any game can be", "not_a_game")
    if said is not None and said.isdecimal() and int(said) != length:
        raise IncompleteRead(b"", int(said) - length)
    return b"".join(parts)


def _opener() -> OpenerDirector:
    """Return what opens addresses of the site, and follows no answer to another one."""
    from urllib.request import HTTPRedirectHandler, build_opener

    class OnlyHere(HTTPRedirectHandler):
        max_redirections = 3
        max_repeats = 2

        def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
            here, there = urlsplit(req.full_url), urlsplit(newurl)
            if (here.scheme, here.netloc) != (there.scheme, there.netloc):
                fp.close()
                raise _RefusedError("the site sent us to another one, which is not asked")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return build_opener(OnlyHere)
