"""Replay and analyse recorded games of Hanabi.

Public names are imported at their first use, so that the import of the package is fast.

>>> import hanalyze as hz
>>> record = hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[hz.Action(3, 1, 5)])
>>> hz.replay(record)
<Replay of game p2v0s1: No Variant, 2 players, 1 turns, score 0, unfinished>
"""

from __future__ import annotations

import sys
from importlib import import_module

from hanalyze.version import __version__ as __version__

TYPE_CHECKING = False  # without the import of `typing`, which is slow
if TYPE_CHECKING:
    # Editors and type checkers, which do not run this file, need explicit imports of the names.
    from hanalyze import analysis as analysis, decks as decks
    from hanalyze.agents import AGENTS as AGENTS, Game as Game, simulate as simulate
    from hanalyze.analysis.player import me as me
    from hanalyze.decks import SHUFFLES as SHUFFLES, deck as deck
    from hanalyze.errors import (
        HanalyzeError as HanalyzeError,
        IllegalAction as IllegalAction,
        LogError as LogError,
        UnknownName as UnknownName,
        UnsupportedOption as UnsupportedOption,
    )
    from hanalyze.game.actions import Action as Action, ActionKind as ActionKind
    from hanalyze.game.cards import Card as Card, IdentitySet as IdentitySet
    from hanalyze.game.defects import Defect as Defect
    from hanalyze.game.editions import EDITIONS as EDITIONS, Rules as Rules, edition as edition
    from hanalyze.game.variants import Variant as Variant, variant as variant, variant_names as variant_names
    from hanalyze.logs import (
        GameRecord as GameRecord,
        Options as Options,
        load as load,
        read as read,
        write as write,
    )
    from hanalyze.position import Position as Position
    from hanalyze.puzzles.search import quiz as quiz
    from hanalyze.replaying import Replay as Replay, replay as replay, replay_many as replay_many
    from hanalyze.report.dashboard.aggregates import sum_up as sum_up
    from hanalyze.report.dashboard.build import dashboard as dashboard
    from hanalyze.report.dashboard.figures import figure as figure
    from hanalyze.report.explore.build import explore as explore
    from hanalyze.report.game.game_mistakes import findings as findings, mistakes as mistakes
    from hanalyze.report.game.review import review as review
    from hanalyze.solver.deals import deals as deals
    from hanalyze.solver.ranking import Sampling as Sampling, rank_moves as rank_moves
    from hanalyze.solver.solving import solve as solve, solve_many as solve_many
    from hanalyze.store import Database as Database, connect as connect, open as open, worded as worded

_HOMES = {
    "hanalyze": ("analysis", "decks"),
    "hanalyze.agents": ("AGENTS", "Game", "simulate"),
    "hanalyze.analysis.player": ("me",),
    "hanalyze.decks": ("SHUFFLES", "deck"),
    "hanalyze.errors": ("HanalyzeError", "IllegalAction", "LogError", "UnknownName", "UnsupportedOption"),
    "hanalyze.game.actions": ("Action", "ActionKind"),
    "hanalyze.game.cards": ("Card", "IdentitySet"),
    "hanalyze.game.defects": ("Defect",),
    "hanalyze.game.editions": ("EDITIONS", "Rules", "edition"),
    "hanalyze.game.variants": ("Variant", "variant", "variant_names"),
    "hanalyze.logs": ("GameRecord", "Options", "load", "read", "write"),
    "hanalyze.position": ("Position",),
    "hanalyze.puzzles.search": ("quiz",),
    "hanalyze.replaying": ("Replay", "replay", "replay_many"),
    "hanalyze.report.dashboard.build": ("dashboard",),
    "hanalyze.report.dashboard.figures": ("figure",),
    "hanalyze.report.explore.build": ("explore",),
    "hanalyze.report.game.game_mistakes": ("findings", "mistakes"),
    "hanalyze.report.game.review": ("review",),
    "hanalyze.report.dashboard.aggregates": ("sum_up",),
    "hanalyze.solver.deals": ("deals",),
    "hanalyze.solver.solving": ("solve", "solve_many"),
    "hanalyze.solver.ranking": ("Sampling", "rank_moves"),
    "hanalyze.store": ("Database", "connect", "open", "worded"),
    "hanalyze.version": ("__version__",),
}
"""Public names by the module from which they are imported."""

if (_ipython := sys.modules.get("IPython")) and (_shell := _ipython.get_ipython()):
    # In a notebook, games and databases are displayed as HTML.
    import_module("hanalyze.report.jupyter").register(_shell)

if not TYPE_CHECKING:
    # Hidden from type checkers, which would otherwise accept every name.
    _HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
    __all__ = list(_HOME_OF)

    def __getattr__(name: str) -> object:
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if home == __name__:
            # The import of a subpackage also sets this name in the package.
            return import_module(f"{home}.{name}")
        value = getattr(import_module(home), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
