"""The Typer application: it imports a command when the command runs, and prints each error as one line."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any, Final, cast

import typer
from typer.core import TyperGroup

from hanalyze.cli.exits import FAILED, complain, exit_code, was_interrupted
from hanalyze.cli.parameters import EXAMPLES, PlainCommand, plain_parameters
from hanalyze.errors import HanalyzeError
from hanalyze.text import printable
from hanalyze.version import __version__

# Typer exports only subclasses of this usage error.
_UsageError = cast(type[Exception], typer.BadParameter.__base__)
_COMPLETING: Final = "_HANALYZE_COMPLETE"  # environment variable with which a shell requests completions

_COMMANDS: Final = {
    "demo": ("demo", "Build every output from the sample logs."),
    "replay": ("replay", "Replay recorded games and show every turn."),
    "mistakes": ("mistakes", "List the mistakes in games."),
    "review": ("review", "Make a page for one game."),
    "quiz": ("quiz", "Make a page of puzzles from games."),
    "conventions": ("conventions", "Show what moves meant, and whether they worked."),
    "solve": ("solve", "Find the best score with all cards open, and the losses."),
    "ingest": ("database", "Read logs and store all turns, clues and cards."),
    "stats": ("stats", "Show statistics of many games, with intervals."),
    "dashboard": ("dashboard", "Make a page about all games in a database."),
    "me": ("quiz", "Make a page about one player's own decisions."),
    "explore": ("dashboard", "Make a page for your own questions about all games in a database."),
    "plot": ("dashboard", "Draw one figure of the dashboard."),
    "compare": ("stats", "Compare two groups of games."),
    "research": ("stats", "Show metrics from Hanabi papers."),
    "sql": ("sql", "Query the database."),
    "simulate": ("simulate", "Let agents play, and write their games as logs."),
    "fetch": ("logs", "Fetch games from hanab.live into a file."),
    "convert": ("logs", "Convert logs from one format to another."),
    "formats": ("logs", "List the formats of logs."),
    "deck": ("deck", "Show the deck that a seed deals."),
    "seed": ("deck", "Find the hanab.live seeds of decks."),
    "deals": ("solve", "Check which deals can be won, and how hard they are."),
    "info": ("database", "Show the contents of a database."),
    "sums": ("database", "Store aggregates, so that dashboards open in seconds."),
    "export": ("database", "Write all tables as Parquet."),
    "compact": ("database", "Join the small files of a folder."),
}
"""Module and summary of each command, in the order of the help; the function has the command's name."""

_ONE_THREAD: Final = frozenset({"replay", "mistakes", "review", "conventions", "solve"})
"""Commands for which OpenBLAS gets one thread, unless OMP_NUM_THREADS or OPENBLAS_NUM_THREADS is set."""

_JUDGING: Final = frozenset({"mistakes", "review"})
"""Commands for which DuckDB starts while Python imports them, if a path ends in .json or .json.gz."""

_GROUPS: Final = {
    "demo": "One game",
    "ingest": "Many games",
    "simulate": "Make, fetch and convert games",
    "info": "Databases",
}
"""Headings in the help, by the first command of each group."""


def command_groups() -> dict[str, list[str]]:
    """Return the names of all commands by heading, in the order of the help."""
    groups: dict[str, list[str]] = {}
    heading = ""
    for name in _COMMANDS:
        heading = _GROUPS.get(name, heading)
        groups.setdefault(heading, []).append(name)
    return groups


def command(name: str) -> Any:
    """Import a command, and return it; its help ends with its examples."""
    function = getattr(import_module(f"hanalyze.cli.{_COMMANDS[name][0]}"), name)
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    epilog = "\b\nExamples:\n" + "".join(f"  {line}\n" for line in EXAMPLES[name])
    app.command(name, cls=PlainCommand, epilog=epilog)(function)
    return typer.main.get_command(app)


class _Commands(TyperGroup):
    """Group of all commands, which turns errors into exit codes."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, including `--help`, changed by `plain_parameters`."""
        return plain_parameters(super().get_params(ctx))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands in groups; the summaries of all groups begin in the same column."""
        width = max(map(len, _COMMANDS))
        for heading, names in command_groups().items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:{width}}", _COMMANDS[name][1]) for name in names])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import the command that the arguments name; return its name, the command and its arguments."""
        name, known, rest = super().resolve_command(ctx, args)
        if name in _ONE_THREAD and "OMP_NUM_THREADS" not in os.environ:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if name in _JUDGING and any(path.endswith((".json", ".json.gz")) for path in rest):
            from hanalyze.store.opening import open_early

            sys.setswitchinterval(1e-4)  # seconds; DuckDB's threads need the interpreter often and briefly
            open_early()
        known = known and command(str(name))
        if ctx.obj is not None:
            ctx.obj()
        return name, known, rest

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, and install completion if requested.

        Raises `HanalyzeError` (rule `no_home`) if completion needs a writable home folder and there is none.
        """
        home = os.path.expanduser("~")
        if "--install-completion" in args and not (os.path.isdir(home) and os.access(home, os.W_OK)):
            advice = "hanalyze --show-completion prints what would be installed"
            raise HanalyzeError("there is no writable home folder", rule="no_home", advice=advice)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; print an error that ends it, unless already shown, and exit with its exit code."""
        announced: set[str] = set()
        try:
            with _announcements() as announced:
                return super().invoke(ctx)
        except (typer.Exit, _UsageError):
            raise
        except BaseException as raised:
            error = KeyboardInterrupt() if was_interrupted() else raised
            if str(error) in announced:
                raise typer.Exit(FAILED) from None
            raise typer.Exit(exit_code(error, ctx.invoked_subcommand or "")) from None


@contextmanager
def _announcements() -> Iterator[set[str]]:
    """Show the library's log messages on standard error, each once; yield the set of messages shown."""
    messages: set[str] = set()

    class Announcements(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if (message := record.getMessage()) not in messages:
                messages.add(message)
                complain(message)

    logger = logging.getLogger("hanalyze")
    handler, level = Announcements(), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"hanalyze {__version__}")
        raise typer.Exit


def _main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version, and exit.")
    ] = False,
) -> None:
    """Replay and analyse recorded games of Hanabi.

    `hanalyze COMMAND --help` explains a command and has examples.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _app() -> typer.Typer:
    # The help is printed without Rich, which is slow to import.
    app = typer.Typer(
        name="hanalyze",
        cls=_Commands,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_main)
    for name, (_, summary) in _COMMANDS.items():
        app.command(name, short_help=summary)(lambda: None)  # `resolve_command` imports the command
    return app


def run(arguments: list[str], on_import: Callable[[], object] | None = None) -> int:
    """Run the command line and return its exit code; call `on_import` before an imported command runs."""
    if _COMPLETING in os.environ:
        # Prevent line breaks in descriptions: fish reads each line as a separate candidate.
        os.environ["COLUMNS"] = "1000"
    try:
        app = typer.main.get_command(_app())
        code = app.main(arguments, prog_name="hanalyze", standalone_mode=False, obj=on_import)
        sys.stdout.flush()
    except _UsageError as error:
        complain(_usage(error))
        return FAILED
    except (HanalyzeError, OSError) as error:
        return exit_code(error)
    return code if isinstance(code, int) else 0


def _usage(error: Exception) -> str:
    message = " ".join(cast(Any, error).format_message().split()).rstrip(".")
    for pattern, ours in _WORDS.items():
        message = re.sub(pattern, ours, message)
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "hanalyze"
    line = printable(message[:1].lower() + message[1:])
    if line.startswith("missing argument"):
        return f"{line}; for example: {EXAMPLES[command.split()[-1]][0]}"
    return line if line.endswith("?") else f"{line}; see {command} --help"


_WORDS: Final = {
    # Typer and Click may both add this suggestion.
    r"\. Did you mean '([^']*)'\?.*$": r'; did you mean "\1"?',
    r" \(Possible options: (.*)\)$": r"; did you mean \1?",
    r"extra argument\(s\) \((.*)\)$": r'extra argument: "\1"',
}
