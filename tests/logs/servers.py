"""A server on this machine that answers as hanab.live does, or badly, and remembers what it was asked.

In: what it answers. Out: its address, and the log of requests.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    """Answers by `answer`, and remembers what it was asked."""

    daemon_threads = True
    answer: Callable[[BaseHTTPRequestHandler], None]

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str]] = []
        self.address = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of connections that the other end closed."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["User-Agent"]))
        self.server.answer(self)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str) -> None:
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    with suppress(OSError):
        handler.wfile.write(body)


def endless(handler: BaseHTTPRequestHandler, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    with suppress(OSError):
        while True:
            handler.wfile.write(b" " * 2**20)


def every_game(handler: BaseHTTPRequestHandler) -> None:
    """Answer as a site that has a game of every number, in which nobody has moved, and empty lists."""
    kind, _, number = handler.path.rpartition("/")
    game = (
        {"id": int(number), "players": ["A", "B"], "actions": [], "seed": "p2v0s1"}
        if kind == "/export"
        else []
    )
    send(handler, 200, json.dumps(game).encode())


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server; what it answers is set by the test."""
    one = Server()
    threading.Thread(target=one.serve_forever, args=(0.02,), daemon=True).start()
    yield one
    one.shutdown()
    one.server_close()
