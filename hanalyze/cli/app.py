"""The commands of `hanalyze`, and how they are run.

In: arguments. Out: the exit code. Typer reads them; errors are ours: a line each, without a traceback.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any, Final, cast

import typer

from hanalyze.cli.exits import FAILED, code_of, complain, was_interrupted
from hanalyze.cli.quick import QuickCommand, QuickGroup
from hanalyze.errors import HanalyzeError
from hanalyze.text import printable
from hanalyze.version import __version__

# The errors of usage are public by their most special kind only.
_UsageError = cast(type[Exception], typer.BadParameter.__base__)
_COMPLETING: Final = "_HANALYZE_COMPLETE"
"""The variable by which a shell asks for completions."""


@contextmanager
def _announced() -> Iterator[None]:
    """Show on standard error what takes long before it begins: the library says it to its logger."""
    import logging  # the help does without

    class Announcements(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            complain(record.getMessage())

    logger = logging.getLogger("hanalyze")
    handler, level = Announcements(), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


class _Commands(QuickGroup):
    """The commands; whatever ends one early becomes its exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; Typer installs completion on the way, and needs a home for it."""
        home = os.path.expanduser("~")
        if "--install-completion" in args and not (os.path.isdir(home) and os.access(home, os.W_OK)):
            raise HanalyzeError(
                "there is no writable home folder",
                rule="no_home",
                advice="hanalyze --show-completion prints what would be installed",
            )
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            with _announced():
                return super().invoke(ctx)
        except (HanalyzeError, OSError, KeyboardInterrupt) as error:
            ended: BaseException = error
        except (typer.Exit, _UsageError):
            raise
        except BaseException as error:
            if not was_interrupted():
                raise
            ended = error
        command = ctx.invoked_subcommand or ""
        raise typer.Exit(code_of(KeyboardInterrupt() if was_interrupted() else ended, command))


_COMMANDS: Final = (
    "demo",
    "replay",
    "deck",
    "seed",
    "convert",
    "formats",
    "fetch",
    "simulate",
    "ingest",
    "sums",
    "review",
    "mistakes",
    "solve",
    "deals",
    "dashboard",
    "plot",
    "stats",
    "conventions",
    "compare",
    "research",
    "sql",
    "export",
    "compact",
    "info",
)
"""The commands in the order of the help; each is the function of its name in the module of its name."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hanalyze {__version__}")
        raise typer.Exit


def _main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version, and exit.")
    ] = False,
) -> None:
    """Replay and analyse recorded games of Hanabi.

    `hanalyze COMMAND --help` tells more about a command and has examples.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _app(names: Iterable[str]) -> typer.Typer:
    """Return the application with these commands."""
    # Without Rich in its help Typer starts twice as fast.
    app = typer.Typer(
        name="hanalyze",
        cls=_Commands,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_main)
    for name in names:
        module = import_module(f"hanalyze.cli.{name}")
        kind = module.SeedCommand if name == "deck" else QuickCommand
        app.command(epilog=module.EXAMPLES, cls=kind)(getattr(module, name))
    return app


def run(arguments: list[str]) -> int:
    """Run the command line and return its exit code."""
    if _COMPLETING in os.environ:
        # Descriptions are wrapped to the terminal's width, and fish takes each line for a word to choose.
        os.environ["COLUMNS"] = "1000"
    # Who names a command need not wait for the others.
    names = arguments[:1] if arguments and arguments[0] in _COMMANDS else _COMMANDS
    try:
        command = typer.main.get_command(_app(names))
        code = command.main(arguments, prog_name="hanalyze", standalone_mode=False)
        sys.stdout.flush()
    except _UsageError as error:
        complain(_usage(error))
        return FAILED
    except (HanalyzeError, OSError) as error:
        return code_of(error)
    return code if isinstance(code, int) else 0


def _usage(error: Exception) -> str:
    """Return an error of usage as one line."""
    message = " ".join(cast(Any, error).format_message().split()).rstrip(".")
    for pattern, ours in _WORDS.items():
        message = re.sub(pattern, ours, message)
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "hanalyze"
    said = printable(message[:1].lower() + message[1:])
    return said if said.endswith("?") else f"{said}; see {command} --help"


_WORDS: Final = {
    # Typer and Click may both say so.
    r"\. Did you mean '([^']*)'\?.*$": r'; did you mean "\1"?',
    r" \(Possible options: (.*)\)$": r"; did you mean \1?",
    r"extra argument\(s\) \((.*)\)$": r'extra argument: "\1"',
}
"""What errors of usage say, and how it is said here."""
