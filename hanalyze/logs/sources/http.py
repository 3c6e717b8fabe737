"""HTTP requests to one site, with limits on time, tries, rate and the length of answers.

A redirect to another site is an error.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from hanalyze.logs.formats.hanab_live import MAX_GAME_BYTES
from hanalyze.version import __version__

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.request import OpenerDirector

USER_AGENT: Final = f"hanalyze/{__version__}"
WAIT: Final = 10.0  # timeout of a connection in seconds
MOST_TIME: Final = 60.0  # maximum number of seconds for one answer, and for all tries of `fetch_game`
_PAUSE: Final = 1.0
"""Seconds before the second try, doubled for each further try, if the site does not ask for a pause."""
_LONGEST_PAUSE: Final = 60.0
_AGAIN: Final = frozenset({429, 500, 502, 503, 504})
_NOT_FOUND: Final = 404
_PART: Final = 2**16
_HOST: Final = re.compile(r"[a-z0-9._:\[\]-]+")
"""A host with an optional port, without user, password, spaces or escapes."""


def origin(address: str) -> str | None:
    """Return scheme, host and port of a web address, None if they are not valid.

    >>> origin("HTTP://Example.org:80/games?page=2"), origin("https://bücher.example")
    ('http://example.org:80', 'https://xn--bcher-kva.example')
    >>> origin("http://[::1"), origin("http://a:99999"), origin("http://me:secret@a"), origin("file:///a")
    (None, None, None, None)
    """
    try:
        parts = urlsplit(address)
        place = parts.netloc.encode("idna").decode("ascii").lower()
        is_valid = parts.scheme in ("http", "https") and parts.hostname is not None and parts.port != 0
    except ValueError:  # raised by Python for invalid brackets, ports and host names
        return None
    return f"{parts.scheme}://{place}" if is_valid and _HOST.fullmatch(place) else None


class RefusedError(Exception):
    """Raised for an unusable answer; `rule` is the rule for a `LogError`.

    `again` is None if the request must not be repeated, -1 if it can be, or the seconds that the site asks to
    wait before the next try. `is_told_to_wait` tells whether this pause exceeds `RequestLimits.patience`.
    """

    def __init__(self, message: str, rule: str = "site_refused", again: float | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.again = again
        self.is_told_to_wait = False


@dataclass(kw_only=True)
class RequestLimits:
    """Limits of the requests to a site.

    `tries` is the maximum number of tries of a request, and `patience` the longest pause between two tries in
    seconds. `spacing` is the minimum number of seconds between the starts of two requests. `total` is the
    maximum number of seconds for all tries of a request, None for no limit. `reconnects` tells whether to
    retry a failed connection.
    """

    tries: int = 3
    patience: float = MOST_TIME
    spacing: float = 0.0
    total: float | None = None
    reconnects: bool = False
    _next: float = field(default=0.0, init=False)

    def wait_for_turn(self) -> None:
        """Wait until the next request may begin."""
        pause = self._next - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        self._next = time.monotonic() + self.spacing


def get(address: str, limits: RequestLimits, *, most_bytes: int = MAX_GAME_BYTES) -> bytes:
    """Return the body of the site's answer, retrying as often as `limits` allows.

    Raises `RefusedError` for an unusable answer, and `OSError` if there is no connection.
    """
    from http.client import HTTPException

    opener = _opener()
    pause = _PAUSE
    end = None if limits.total is None else time.monotonic() + limits.total
    for left in reversed(range(limits.tries)):
        limits.wait_for_turn()
        within = MOST_TIME if end is None else min(MOST_TIME, end - time.monotonic())
        try:
            return _in_time(lambda: _get_once(opener, address, most_bytes), within)
        except RefusedError as error:
            if error.again is None:
                raise
            # Wait as long as the site asks; if it does not ask, double the pause with each try.
            wait = error.again if error.again >= 0 else pause
            is_too_long = wait > limits.patience or (end is not None and time.monotonic() + wait > end)
            if is_too_long and error.again >= 0:
                problem = RefusedError(f"{error}, and asks to wait {wait:,.0f} s", error.rule, error.again)
                problem.is_told_to_wait = wait > limits.patience
                raise problem from None
            if is_too_long or not left:
                raise
        except HTTPException as error:
            if not left:
                raise RefusedError(f"the answer is cut off or damaged ({reason_of(error)})") from error
            wait = pause
        except OSError:
            if not left or not limits.reconnects:
                raise
            wait = pause
        time.sleep(wait)
        pause = min(2 * pause, _LONGEST_PAUSE)
    raise AssertionError("the last try returns or raises")


def reason_of(error: object) -> str:
    """Return the cause of a failed connection in at most 80 characters on one line."""
    return " ".join((getattr(error, "strerror", None) or str(error)).split())[:80]


def _in_time(request: Callable[[], bytes], within: float) -> bytes:
    """Return the result of a request. Raises `RefusedError` if it takes longer than `within` seconds."""
    results: list[bytes | Exception] = []

    def run() -> None:
        try:
            results.append(request())
        except Exception as error:
            results.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(max(within, 0.0))
    if not results:
        raise RefusedError(f"no complete answer within {MOST_TIME:g} s")
    if isinstance(results[0], Exception):
        raise results[0]
    return results[0]


def _get_once(opener: OpenerDirector, address: str, most_bytes: int) -> bytes:
    from http.client import InvalidURL
    from urllib.error import HTTPError
    from urllib.request import Request

    headers = {"User-Agent": USER_AGENT, "Accept": "application/json", "Accept-Encoding": "identity"}
    request = Request(address, headers=headers)
    try:
        with opener.open(request, timeout=WAIT) as answer:
            return _body(answer, most_bytes)
    except HTTPError as error:
        error.close()
        if error.code == _NOT_FOUND:
            raise RefusedError("the site has no such game", "no_such_game") from None
        again = _pause_asked(error.headers.get("Retry-After")) if error.code in _AGAIN else None
        raise RefusedError(f"the site refused the request (status {error.code})", again=again) from None
    except (ValueError, InvalidURL):
        # Python's message is not used, because it contains the address and any password in it.
        raise RefusedError("the address of the proxy is not valid") from None


def _pause_asked(text: str | None) -> float:
    """Return the seconds that a Retry-After header asks to wait, -1 if it is missing or invalid."""
    if text is None:
        return -1.0
    if text.isascii() and text.isdecimal():
        return float(text[:6])
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        date = parsedate_to_datetime(text).astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        return -1.0
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def _body(answer: HTTPResponse, most_bytes: int) -> bytes:
    """Return the body of an answer.

    Raises `RefusedError` if it is compressed or longer than `most_bytes`, `IncompleteRead` if it is cut off.
    """
    from http.client import IncompleteRead

    if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise RefusedError("the site sent a compressed answer, which was not requested")
    body = bytearray()
    while part := answer.read1(_PART):
        body += part
        if len(body) > most_bytes:
            raise RefusedError("the answer is longer than any game can be", "not_a_game")
    if answer.length:  # announced bytes that did not arrive
        raise IncompleteRead(b"", answer.length)
    return bytes(body)


def _opener() -> OpenerDirector:
    """Return a URL opener that follows redirects within the same site; others raise `RefusedError`."""
    from urllib.request import HTTPRedirectHandler, build_opener

    class SameSite(HTTPRedirectHandler):
        max_redirections = 3
        max_repeats = 2

        def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> Any:
            try:
                return super().http_error_302(req, fp, code, msg, headers)
            except ValueError:
                fp.close()
                raise RefusedError("the site redirected to an invalid address") from None

        http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

        def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
            fp.close()  # otherwise the rest of the answer would be read
            if origin(req.full_url) != origin(newurl):
                raise RefusedError("the site redirected to another site, which is not allowed")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return build_opener(SameSite)
