"""The lines above and below a game's turns: players, rules, result, defects."""

from __future__ import annotations

from hanalyze.cli.screen import Line, wrapped
from hanalyze.cli.words import Words
from hanalyze.defect_report import FoundDefect
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import Replay
from hanalyze.text import printable, shorten


def edition_name(replay: Replay, edition: str | None) -> str:
    """Return the edition that a game was replayed with; `edition` is given on the command line."""
    return edition or replay.record.edition or replay.rules.edition


def heading(replay: Replay, words: Words, edition: str | None, width: int) -> list[Line]:
    """Return the lines above a game; `edition` is given on the command line."""
    record = replay.record
    facts = [f"variant {replay.variant.name}", f"edition {shorten(edition_name(replay, edition))}"]
    if record.seed is not None:
        facts.append(f"seed {shorten(record.seed)}")
    options = _options(record, words)
    if record.deck_known is not None:
        facts.append(f"deck known up to card {record.deck_known}, the order of the others is arbitrary")
    if options:
        facts.append(f"options: {', '.join(options)}")
    lines: list[Line] = [title(record)]
    for label, items in (("players ", words.players), ("rules   ", facts)):
        lines += wrapped(label, [[(f"{item},", "")] for item in items[:-1]] + [[(items[-1], "")]], width)
    return lines


def title(record: GameRecord) -> Line:
    """Return a game's name, file and line; file and line distinguish games with the same name."""
    place = ""
    if record.file not in (None, "-"):
        place = f" ({printable(str(record.file))}" + (f", line {record.line})" if record.line else ")")
    return [(f"game {shorten(record.name)}", "bold"), (place, "dim")]


def _options(record: GameRecord, words: Words) -> list[str]:
    options = record.options
    named = [
        name.replace("_", " ")
        for name in (
            "deck_plays",
            "empty_clues",
            "card_cycle",
            "one_extra_card",
            "one_less_card",
            "all_or_nothing",
            "speedrun",
        )
        if getattr(options, name)
    ]
    if options.starting_player:
        named.append(f"{words.players[options.starting_player]} begins")
    return named


def outcome(replay: Replay, width: int) -> list[Line]:
    """Return the lines below a game: its result, and a line for each defect."""
    full = replay.variant.max_score
    result = f"{replay.score} of {full} points"
    if replay.max_score < full:
        result += f" (at most {replay.max_score} after the cards lost)"
    if replay.raw_score != replay.score:
        result += f", {replay.raw_score} on the stacks"
    result += f"; ended: {replay.end_condition.replace('_', ' ')}"
    if replay.rating is not None:
        result += f"; rating: {replay.rating}"
    lines: list[Line] = [*wrapped("result  ", [[(word, "bold")] for word in result.split()], width)]
    left = len(replay.record.actions) - replay.turn_count
    if left:
        actions = len(replay.record.actions)
        last, were = ("the last", "was") if left == 1 else (f"the last {left}", "were")
        lines.append([(f"          {last} of the log's {actions} actions {were} not carried out", "")])
    return [*lines, *(_defect(one) for one in replay.defects)]


def _defect(defect: FoundDefect) -> Line:
    where = f"turn {defect.turn + 1}: " if defect.turn is not None else ""
    return [
        ("defect    ", "red"),
        (f"{where}{defect.rule.sentence}: {printable(defect.found)}", ""),
        (f" [{defect.rule.label}]", "dim"),
    ]
