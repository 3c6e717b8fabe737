"""Plain values for the page of a game: positions, possible identities of cards, mistakes, verdicts.

Sets of identities are 48-bit masks. Sentences that name cards or seats are split into parts
(`sentence_parts`), so that the page can hide a card from its holder.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Any, Final

from hanalyze.agents.seen_chops import seen_chops
from hanalyze.conventions.game_reading import follow_game
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.game.cards import rank_letter
from hanalyze.replaying import Replay
from hanalyze.report.game.better_move import page_parts
from hanalyze.report.game.evidence import ONE_CHOICE, fault_of, is_calibrated, model_note
from hanalyze.report.game.game_mistakes import Row, came_to_nothing, judge_game
from hanalyze.report.game.positions import Names, board_rows, site_address
from hanalyze.report.game.summary import TITLES, headline, meanings_of, player_rows, points_of, solved
from hanalyze.report.game.verdict_context import VerdictContext
from hanalyze.report.game.verdicts import definitions_of, verdicts
from hanalyze.store.definitions import definitions
from hanalyze.store.judging_options import PLAY
from hanalyze.store.levels import sentence_of
from hanalyze.store.mistakes import BLAMELESS
from hanalyze.store.wording import evidence_parts, luck_of, said_in_games
from hanalyze.text import plural, printable, shorten
from hanalyze.words import listed, percent, with_minus

_NOTE_WIDTH: Final = 300
"""Maximum length of a note in characters."""
_NO_CONVENTIONS: Final = "Moves are judged by logic, without conventions."
_OTHER_SYSTEM: Final = "The players seem to follow another system: moves are judged only by deduction."
_NOTES: Final = 400
"""Maximum number of notes on a page."""


def game_view(
    replay: Replay,
    folder: str | os.PathLike[str] | None = None,
    level: int | None = None,
    play_threshold: float = PLAY,
    *,
    fast: bool = False,
    other_system: bool = False,
) -> dict[str, Any]:
    """Return all values for the page of a game; its options are those of `review`.

    `fast` selects the compiled solver. Raises `HanalyzeError` as `judge_game` does.
    """
    names = Names(replay)
    with ThreadPoolExecutor(2) as pool:  # DuckDB works while Python reads, replays and solves
        read_up_to = HIGHEST_LEVEL if level is None else level
        follow = pool.submit(follow_game, replay.record, read_up_to)
        read = (lambda: follow.result().output) if level != 0 else None
        judge = pool.submit(
            judge_game, replay, folder, level, read, play_threshold, other_system=other_system
        )
        reading = follow.result()  # judging waits for it, so it comes first
        hindsight = solved(replay, names, fast=fast)
        states = list(replay)
        turns, actions = board_rows(replay, names, states)
        chops = list(seen_chops(replay, read_up_to))
        decisions, mistakes, shown = judge.result()
    decided = {row["turn"] for row in decisions}
    mistakes = [row for row in mistakes if row["turn"] in decided and not came_to_nothing(row)]
    kinds = definitions(folder)
    game = VerdictContext(
        replay=replay,
        names=names,
        states=states,
        positions=turns,
        actions=actions,
        decisions={row["turn"]: row for row in decisions},
        mistakes={turn: list(rows) for turn, rows in groupby(mistakes, lambda row: row["turn"])},
        conventions=reading,
        kinds=kinds,
    )
    for position, marks, seen in zip(turns, reading.marks, chops, strict=True):
        position["card_marks"] = {order: list(mark) for order, mark in marks.items()}
        position["chops"] = seen
    sentences = verdicts(game)
    used = {row["kind"]: kinds[row["kind"]] for row in mistakes}
    fates = ("holder", "drawn_turn", "fate_turn")
    full, luck = replay.variant.max_score, luck_of(decisions, mistakes)
    return {
        "heading": f"{''.join(listed(names.players))}: {replay.score} of {full}",
        "about": _about(replay),
        "headline": headline(points_of(replay), mistakes, kinds),
        "summary": {
            "titles": TITLES,
            "players": player_rows(names.players, decisions, mistakes, meanings_of(read and read())),
        },
        "level": sentence_of(shown) if level != 0 else _OTHER_SYSTEM if other_system else _NO_CONVENTIONS,
        "luck": "" if luck is None else f"Luck: {luck.points} points. {luck.explained}",
        "site": site_address(replay),
        "game": shorten(replay.record.name),
        "variant": replay.variant.name,
        "players": names.players,
        "suits": names.suit_values(),
        "ranks": [{"rank": rank, "label": rank_letter(rank)} for rank in replay.variant.ranks],
        "clues": names.clue_values(),
        "stackSize": replay.variant.stack_size,
        "score": replay.score,
        "full": full,
        "tokens": replay.rules.clue_tokens,
        "strikes": replay.rules.strikes,
        "silent": replay.variant.duck or replay.variant.cow_and_pig,
        "hole": replay.variant.throw_it_in_a_hole,
        "deck": [list(card) for card in replay.deck],
        "cards": [[card[name] for name in fates] for card in replay.card_rows()],
        "turns": turns,
        "actions": actions,
        "decisions": _decisions(decisions),
        "verdicts": sentences,
        "marks": [_mark(row, game) for row in mistakes],
        "solved": hindsight,
        "kinds": {
            kind.kind: {"title": kind.title, "veiled": kind.veiled, "noun": kind.noun}
            for kind in used.values()
        },
        "definitions": definitions_of(sentences, used, kinds),
        "defects": [printable(str(defect)) for defect in replay.defects],
        "stopped": replay.turn_count < len(replay.record.actions),
        "notes": _notes(replay),
    }


def _about(replay: Replay) -> str:
    parts = [replay.variant.name, f"{len(replay.record.players)} players", plural(replay.turn_count, "turn")]
    if replay.rules.edition != "hanab-live":
        parts.append(f"rules of {replay.record.edition or replay.rules.edition}")
    end = replay.end_condition.removeprefix("terminated_by_").replace("_", " ")
    if end != "normal":
        parts.append("not finished" if end == "unfinished" else f"ended by {end}")
    return ", ".join(parts) + "."


# --- what was known, and the mistakes ----------------------------------------------------------------------


def _decisions(rows: list[Row]) -> dict[int, list[str]]:
    """Return sentences on what the player could know, by turn; they do not name cards."""
    sentences: dict[int, list[str]] = {}
    for row in rows:
        lines = sentences.setdefault(row["turn"], [])
        if row["possibilities"] == 1:
            lines.append("The card was known for certain.")
        elif row["possibilities"]:
            lines.append(
                f"The card had {row['possibilities']} possible identities; by card counting"
                f" {percent(row['p_playable'])}% playable, {percent(row['p_critical'])}% critical,"
                f" {percent(row['p_trash'])}% trash."
            )
            lines += _in_games(row)
        lines.append(
            f"Cards in hand known to be playable: {row['known_playable'] or 'none'},"
            f" known to be trash: {row['known_trash'] or 'none'}."
        )
        tokens = f"{row['clue_tokens_before']:g}"
        pace_now = "" if row["pace_before"] is None else f", pace {with_minus(str(row['pace_before']))}"
        lines.append(f"Clue tokens: {tokens}{pace_now}, {plural(row['deck_before'], 'card')} in the deck.")
        if row["next_chop_critical"]:
            lines.append("The next player's chop was critical.")
        if row["one_choice"]:
            lines.append(ONE_CHOICE[row["one_choice"]])
    return sentences


def _in_games(row: Row) -> list[str]:
    if row["p_playable_in_games"] is None or not is_calibrated(row):
        return []
    where = (row["model"], row["features"], row["place"])
    chances = [
        f"{said_in_games(f'p_{what}_in_games', row[f'p_{what}_in_games'], *where)} {what}"
        for what in ("playable", "critical", "trash")
    ]
    return [f"Calibrated: {', '.join(chances)}.", model_note(row["model"])]


def _mark(row: Row, game: VerdictContext) -> Row:
    severity = row["severity"]
    if severity in BLAMELESS:
        sign = "none"
    elif row["points"]:
        sign = "bad"
    else:
        sign = "risk" if severity == "lucky" else "warn"
    return {
        "turn": row["turn"],
        "seat": row["seat"],
        "kind": row["kind"],
        "whose": _whose(row, game),
        "sign": sign,
        "evidence": page_parts(game, row["turn"], evidence_parts(row)),
    }


def _whose(row: Row, game: VerdictContext) -> int | None:
    """Return the seat to blame for a mistake; None if nobody is to blame."""
    main = game.main(row["turn"])
    if fault_of(game, row["turn"], row) is not None and main is not None:
        if main["fault"] in ("giver", "third"):
            return int(main["fault_seat"])
        if main["fault"] == "nobody":
            return None
    if row["severity"] not in BLAMELESS:
        return int(row["seat"])
    return int(row["charged_seat"]) if row.get("charged_turn") not in (None, row["turn"]) else None


def _notes(replay: Replay) -> dict[int, list[list[Any]]]:
    """Return the notes on each card as [seat, text], by the order of the card."""
    notes: dict[int, list[list[Any]]] = {}
    count = 0
    for seat, texts in enumerate(replay.record.notes[: len(replay.record.players)]):
        for order, text in enumerate(texts[: len(replay.deck)]):
            if text and count < _NOTES:
                notes.setdefault(order, []).append([seat, shorten(text, _NOTE_WIDTH)])
                count += 1
    return notes
