"""The page of a quiz: for each puzzle, the view of the player who is asked, and the compressed solution."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any, Final

from hanalyze.agents.seen_chops import CHOP, seen_chops
from hanalyze.game.cards import rank_letter
from hanalyze.lazy import needed
from hanalyze.output import write_text
from hanalyze.position import Position
from hanalyze.puzzles.search import FoundPuzzle
from hanalyze.puzzles.selection import STUDY
from hanalyze.puzzles.verdicts import Puzzle
from hanalyze.report.game.positions import Names, action_row, board_rows, position_row, site_address
from hanalyze.report.page import embedded_json, packed_json, policy, render, script_of, source
from hanalyze.report.theme import suit_classes, suit_css, theme_css
from hanalyze.store.definitions import definitions
from hanalyze.version import __version__
from hanalyze.words import named_convention, percent

_AFTER: Final = 2
"""Number of moves that are shown after the answer."""
_BOARD: Final = ("base", "board", "possibilities")
_THEMES: Final = {"known_play": "Known play", "discard": "Quiet turn"}

# Replacements for functions of a game's page that `_BOARD` uses, from scripts that a quiz does not include.
_STUBS: Final = """
const cluesInLine = () => [];
const viewer = () => now.view;
const isStrict = () => now.view !== "all";
const isSeatStrict = isStrict;
const isAsking = () => false;
const isVerdictHidden = () => false;
const betterHere = () => null;
const isMisplay = (action) => action.result === "misplayed";
const shownMask = (order) => knownMask(order);
"""
_USED: Final = "now, name, drawTable, drawHands, moveNodes, inMask, identityText, hidePossibilities"


def script() -> str:
    """Return the script of the page: the function `boardOf(game)`, which draws boards, and the quiz."""
    board = script_of(f"game/viewer/{name}.js" for name in _BOARD)
    # The page of a game reads its game from the page; a quiz passes each of its games to the function.
    board = re.sub(r"(?m)^const (?:game|loaded|values) = .*\n", "", board)
    drawing = f"function boardOf(game) {{\n{_STUBS}{board}return {{ {_USED} }};\n}}\n"
    code = script_of(["theme.js", "quiz/page/quiz.js"])
    return f'(() => {{\n"use strict";\n{drawing}{code}}})();\n'


def quiz_page(found: Sequence[FoundPuzzle], *, level: int, pages: Mapping[int, str] | None = None) -> str:
    """Return puzzles as an HTML page that works without a network.

    `level` is the H-Group level up to which the games were read. `pages` are the addresses of the pages of
    games, by `game_id`. Raises `HanalyzeError` if Jinja2 is not installed (rule `no_jinja2`).
    """
    needed("jinja2")
    kinds: dict[str, int] = {}
    variants: list[dict[str, Any]] = []
    styles = [theme_css()]
    puzzles = []
    for one in found:
        names = Names(one.replay)
        # Games of the same variant may have different suit names, depending on their editions.
        kind = json.dumps([one.replay.variant.name, list(names.suits), one.replay.rules.edition])
        if kind not in kinds:
            kinds[kind] = len(kinds)
            variants.append(_variant(one, names))
            styles.append(_style(names, kinds[kind]))
        puzzles.append(_puzzle(one, names, kinds[kind], level, pages or {}))
    code = f"{source('quiz/page/ts-fsrs.js')}\n{script()}"
    style = "".join(styles) + source("game/viewer/viewer.css") + source("quiz/page/quiz.css")
    symbols = re.search(r'<svg width="0".*?</svg>', source("game/viewer/page.html"), re.DOTALL)
    return render(
        "quiz/page/page.html",
        count=len(puzzles),
        level=level,
        version=__version__,
        policy=policy((code,), (style,)),
        symbols=symbols[0] if symbols else "",
        script=code,
        style=style,
        data=embedded_json({"variants": variants, "puzzles": puzzles}),
    )


def write_quiz(
    found: Sequence[FoundPuzzle],
    target: str | os.PathLike[str],
    *,
    level: int,
    pages: Mapping[int, str] | None = None,
) -> int:
    """Write the page of a quiz to a file ("-": standard output) and return its size in bytes.

    Raises `HanalyzeError` as `quiz_page` does, and if the file cannot be written (rule `unwritable`).
    """
    return write_text(quiz_page(found, level=level, pages=pages), os.fspath(target))


def _variant(one: FoundPuzzle, names: Names) -> dict[str, Any]:
    variant, rules = one.replay.variant, one.replay.rules
    return {
        "suits": names.suit_values(),
        "ranks": [{"rank": rank, "label": rank_letter(rank)} for rank in variant.ranks],
        "clues": names.clue_values(),
        "stackSize": variant.stack_size,
        "tokens": rules.clue_tokens,
        "strikes": rules.strikes,
        "silent": False,
        "hole": False,
    }


def _style(names: Names, number: int) -> str:
    parts = []
    for prefix, styles in (("s", names.suit_styles), ("c", names.colour_styles)):
        own = f"v{number}{prefix}"
        parts += [suit_css(styles, own), suit_classes(len(styles), prefix, own, f".v{number} ")]
    return "".join(parts)


def _puzzle(
    one: FoundPuzzle, names: Names, variant: int, level: int, pages: Mapping[int, str]
) -> dict[str, Any]:
    puzzle, replay = one.puzzle, one.replay
    turn, seat = puzzle.turn, puzzle.seat
    last = min(turn + _AFTER, replay.turn_count)
    states = list(islice(replay.positions(turn), last + 1 - turn))
    rows = list(replay.facts())
    hands = [[card.order for card in hand] for hand in states[0].hands]
    discards, actions = _history(one, names, rows[:turn])
    seen = states[0].seen_by(seat)
    used = (action["order"] for action in actions if "order" in action)
    drawn = 1 + max(*(order for hand in hands for order in hand), *used)
    known = {card.order: card.possible.mask for card in seen.hands[seat]}
    deck = [
        [0, 0] if order in known and known[order].bit_count() > 1 else list(replay.deck[order])
        for order in range(drawn)
    ]
    cards = [[row["holder"], row["drawn_turn"], row["fate_turn"]] for row in replay.card_rows()]
    position = {**position_row(seen), "discards": discards, "gotten": None, "lost": 0, "needs": None}
    position["chops"] = {seat: _chops(one, level)}
    clues = [[each.seat, *each.clue] for each in puzzle.alternatives if each.clue and each.seat is not None]
    solution = _solution(one, names, states, discards, cards, pages)
    return {
        "key": puzzle.key,
        "variant": variant,
        "turn": turn,
        "seat": seat,
        "form": puzzle.form if puzzle.form in ("cards", STUDY) else "move",
        "question": puzzle.question,
        "game": {
            "players": names.players,
            "deck": deck,
            "cards": [_until(card, turn) for card in cards[:drawn]],
            "actions": actions,
            "position": position,
            "legal": None if puzzle.form == "cards" else clues,
            "movers": [row["seat"] for row in rows[:turn]],
        },
        "solution": packed_json(json.dumps(solution, ensure_ascii=False, separators=(",", ":"))),
    }


def _chops(one: FoundPuzzle, level: int) -> dict[int, int]:
    """Return chops and chop moves as the player knows them; for a clue to read, the chop moves before it."""
    is_about_clue = one.puzzle.form == "cards"
    seen = seen_chops(one.replay, level, [one.puzzle.seat])
    [chops] = next(islice(seen, one.puzzle.turn - is_about_clue, None))
    return {order: turn for order, turn in chops.items() if not (is_about_clue and turn == CHOP)}


def _until(card: list[int | None], turn: int) -> list[int | None]:
    """Return [holder, drawn, gone] of a card; the turn `gone` is None unless it is before `turn`."""
    holder, drawn, gone = card
    return [holder, drawn, gone if gone is not None and gone < turn else None]


def _history(
    one: FoundPuzzle, names: Names, rows: list[dict[str, Any]]
) -> tuple[list[int], list[dict[str, Any]]]:
    """Return the orders in the discard pile after the turns of `rows`, and the actions of these turns."""
    discards: list[int] = []
    actions = []
    for (turn, game), row in zip(one.replay.states(), rows, strict=False):
        hands = [hand[:size] for hand, size in zip(game.hands, game.hand_len, strict=True)]
        action = action_row(one.replay, names, row, hands, turn)
        actions.append(action)
        if action["kind"] in ("play", "discard") and row["result"] != "played":
            discards.append(action["order"])
    return discards, actions


def _solution(
    one: FoundPuzzle,
    names: Names,
    states: list[Position],
    discards: list[int],
    cards: list[list[int | None]],
    pages: Mapping[int, str],
) -> dict[str, Any]:
    puzzle, replay = one.puzzle, one.replay
    turns, actions = board_rows(replay, names, states, discards)
    mistake = definitions().get(puzzle.mistake) if puzzle.mistake else None
    return {
        "theme": _theme(puzzle.theme),
        "level": puzzle.level,
        "difficulty": puzzle.difficulty,
        "mistake": mistake and mistake.title[:1].lower() + mistake.title[1:],
        "share": _share(puzzle),
        "explained": puzzle.explained,
        "link": _link(one, pages),
        "alternatives": [
            {key: value for key, value in asdict(each).items() if value is not None}
            for each in puzzle.alternatives
        ],
        "later": {
            "turns": turns,
            "actions": actions,
            "deck": [list(card) for card in replay.deck],
            "cards": [_until(card, puzzle.turn + _AFTER) for card in cards],
        },
    }


def _share(puzzle: Puzzle) -> str | None:
    """Return a clause on how often players made the expected move, or how often such clues did not fail."""
    if puzzle.share is None:
        return None
    share = f"{percent(puzzle.share)}% of such"
    if puzzle.form == "cards":
        return f"in these games, {share} clues did not fail"
    return f"in these games, players made the expected move on {share} turns"


def _theme(theme: str) -> str:
    """Return a theme in words; for a position for study, the theme is a kind of mistake."""
    if theme in definitions():
        return definitions()[theme].title
    words = _THEMES.get(theme) or named_convention(theme).words
    return words[:1].upper() + words[1:]


def _link(one: FoundPuzzle, pages: Mapping[int, str]) -> str | None:
    """Return the address of the turn: in the page of its game, else on hanab.live, else None."""
    turn = one.puzzle.turn + 1
    if one.puzzle.game_id in pages:
        return f"{pages[one.puzzle.game_id]}#turn={turn}"
    address = site_address(one.replay)
    return None if address is None else f"{address}#{turn}"
