"""Makes the sample logs anew: `python sample_logs/make.py [FOLDER]`.

In: nothing; every game is played by the project's own players from a seed. Out: the files that SOURCE.md
lists, the same bytes every time.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card
from hanalyze.game.editions import EndCondition
from hanalyze.logs.formats.hanab_live import to_json
from hanalyze.logs.record import GameRecord, Options
from hanalyze.replaying import replay

VARIANTS = (
    "No Variant",
    "6 Suits",
    "Rainbow (5 Suits)",
    "Black (6 Suits)",
    "White-Ones & Prism (5 Suits)",
    "Deceptive-Fives & Light Pink (6 Suits)",
    "Clue Starved (5 Suits)",
    "Throw It in a Hole & Rainbow (5 Suits)",
    "Alternating Clues & Brown (6 Suits)",
    "Up or Down (5 Suits)",
    "Sudoku (4 Suits)",
    "Orange Reversed (4 Suits)",
    "Odds and Evens (5 Suits)",
    "Cow & Pig (5 Suits)",
    "Scarce Ones & Omni (5 Suits)",
    "Critical Fours (5 Suits)",
)

OPTIONS = (
    Options(deck_plays=True),
    Options(card_cycle=True),
    Options(empty_clues=True),
    Options(one_extra_card=True),
    Options(one_less_card=True),
    Options(starting_player=1),
)

EDITIONS = (
    "cocktail",
    "keldon",
    "abacus",
    "abacus+fewer-storm-tokens",
    "abacus+spare-notes",
    "abacus+farbrausch",
    "abacus+farbrausch-short",
    "abacus+farbrausch-2",
    "rnr",
    "rnr+variant-1",
    "rnr+variant-3+variant-4",
    "everdeck",
    "hle",
    "hanabi-data",
)


def one(agent: str = "cautious", **arguments: object) -> GameRecord:
    """Return one simulated game."""
    return next(iter(simulate(agent, fast=False, **arguments)))


def until(end: EndCondition, agent: str, **arguments: object) -> GameRecord:
    """Return the first simulated game that ends so."""
    for seed in range(1, 2000):
        record = one(agent, seed=seed, **arguments)
        if replay(record).end_condition == end.label:
            return record
    raise LookupError(f"no game by {agent} ends by {end.label}")


def cut(record: GameRecord, turns: int, *more: Action) -> GameRecord:
    """Return the first `turns` actions of a game, then others."""
    return replace(record, actions=[*record.actions[:turns], *more], score=None)


def plain_games() -> Iterator[GameRecord]:
    """Yield games of every team size and of several variants and options."""
    for index, variant in enumerate(VARIANTS):
        yield one(players=2 + index % 5, variant=variant, seed=index + 1)
    for players in (2, 3, 4, 5, 6):
        yield one("cheating", players=players, seed=players)
    for index, options in enumerate(OPTIONS):
        yield one(players=2 + index % 4, options=options, seed=20 + index)


def endings() -> Iterator[GameRecord]:
    """Yield a game for each way to end that a log can have."""
    game = one(players=3, seed=40)
    yield until(EndCondition.NORMAL, "cheating", players=2)
    yield until(EndCondition.STRIKEOUT, "random", players=3)
    yield until(EndCondition.STRIKEOUT, "random", players=5)
    yield until(EndCondition.SPEEDRUN_FAIL, "cautious", players=4, options=Options(speedrun=True))
    yield until(EndCondition.ALL_OR_NOTHING_FAIL, "cautious", players=3, options=Options(all_or_nothing=True))
    # A rare end: the first of these players' games that comes to it.
    hole = "Throw It in a Hole (5 Suits)"
    yield one("cautious", players=5, variant=hole, options=Options(all_or_nothing=True), seed=989)
    yield cut(game, 20, Action(ActionKind.END_GAME, 2, EndCondition.TIMEOUT))
    yield cut(game, 30, Action(ActionKind.END_GAME, 0, EndCondition.TERMINATED_BY_PLAYER))
    yield cut(game, 12, Action(ActionKind.END_GAME, -1, EndCondition.IDLE_TIMEOUT))
    yield cut(game, 25, Action(ActionKind.END_VOTE, -1, EndCondition.TERMINATED_BY_VOTE))
    yield cut(game, 33)


def edition_games() -> Iterator[GameRecord]:
    """Yield a game of every edition."""
    for index, edition in enumerate(EDITIONS):
        yield one(players=2 + index % 4, edition=edition, seed=60 + index)


def broken_games() -> Iterator[GameRecord]:
    """Yield a log for each rule that a log can break."""
    game = one(players=3, seed=80)
    plays_end = replay(game)
    rank = next(r for r in range(1, 6) if all(card.rank != r for card in game.deck[5:10]))

    def mark(record: GameRecord, rule: str) -> GameRecord:
        return replace(record, source=f"made by hanalyze, broken on purpose: {rule}", score=None)

    yield mark(cut(game, 4, Action(9, 0, 0)), "unknown_action")
    yield mark(cut(game, 4, Action(ActionKind.PLAY, 77, 0)), "order_out_of_range")
    yield mark(cut(game, 4, Action(ActionKind.DISCARD, 49, 0)), "card_not_in_hand")
    yield mark(cut(game, 4, Action(ActionKind.RANK_CLUE, 3, 1)), "seat_out_of_range")
    yield mark(cut(game, 4, Action(ActionKind.COLOUR_CLUE, 0, 5)), "clue_not_in_variant")
    yield mark(cut(game, 4, Action(ActionKind.END_GAME, 0, 1)), "unknown_end")
    yield mark(replace(game, actions=[*game.actions, Action(ActionKind.RANK_CLUE, 0, 1)]), "action_after_end")
    yield mark(cut(game, 0, Action(ActionKind.RANK_CLUE, 0, 1)), "clue_to_self")
    colours = [
        Action(ActionKind.COLOUR_CLUE, (turn + 1) % 3, first_colour(game, (turn + 1) % 3))
        for turn in range(9)
    ]
    yield mark(cut(game, 0, *colours), "clue_without_token")
    yield mark(cut(game, 0, Action(ActionKind.RANK_CLUE, 1, rank)), "clue_touches_nothing")
    alternating = replace(game, variant="Alternating Clues (5 Suits)", seed=None)
    yield mark(cut(alternating, 0, *colours[:2]), "clue_kind_repeated")
    yield mark(cut(game, 0, Action(ActionKind.DISCARD, 0, 0)), "discard_at_full_tokens")
    deck = [game.deck[1], game.deck[0], *game.deck[2:]]
    yield mark(replace(game, deck=deck), "deck_differs_from_seed")
    yield replace(mark(game, "score_differs"), score=plays_end.score + 1)


def first_colour(game: GameRecord, seat: int) -> int:
    """Return a colour that touches a card of the hand that is dealt to `seat`."""
    assert game.deck is not None
    card: Card = game.deck[5 * seat]
    return card.suit


def files() -> dict[str, bytes]:
    """Return the files by name."""

    def lines(games: Iterator[GameRecord]) -> bytes:
        return b"".join(to_json(game) + b"\n" for game in games)

    array = (
        b"[\n"
        + b",\n".join(to_json(game) for game in simulate("cautious", players=4, games=3, fast=False))
        + b"\n]\n"
    )
    return {
        "game.json": to_json(one(players=3, seed=7)) + b"\n",
        "games.jsonl": lines(plain_games()),
        "endings.jsonl": lines(endings()),
        "editions.jsonl": lines(edition_games()),
        "broken.jsonl": lines(broken_games()),
        "array.json.gz": gzip.compress(array, mtime=0),
    }


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    for name, content in files().items():
        (folder / name).write_bytes(content)
        print(name, len(content))


if __name__ == "__main__":
    main()
