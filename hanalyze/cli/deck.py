"""`hanalyze deck` and `seed find`: show the deck of a seed, and find the seed of a deck."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hanalyze.cli.exits import Problems, UsageError
from hanalyze.cli.parameters import argument, examples, flag, option
from hanalyze.cli.screen import Line, Part, Screen, Words, show_json
from hanalyze.decks import deck as deal, variant_named
from hanalyze.game.cards import Card
from hanalyze.game.editions import EDITIONS
from hanalyze.game.variants import variant as named_variant
from hanalyze.text import shorten

if TYPE_CHECKING:
    from hanalyze.engine.batch import Deal

_PER_LINE: Final = 10
_CHUNK: Final = 1000


@examples(
    "hanalyze deck p3v0s7",
    "hanalyze deck p4v16s1 --json",
    'hanalyze deck any-text --variant "Rainbow (5 Suits)"',
    "hanalyze deck -5 --shuffle hle",
)
def deck(
    seed: Annotated[str, argument("SEED", "The seed: text for hanab-live, a number for the other schemes.")],
    variant: Annotated[
        str | None, option("NAME", "The variant (default: from the seed, else No Variant).")
    ] = None,
    shuffle: Annotated[
        str, option("NAME", "The scheme that turns the seed into a deck: hanab-live, hle or hanabi-data.")
    ] = "hanab-live",
    as_json: Annotated[bool, flag("--json", "Print the cards as [[suit index, rank], ...].")] = False,
) -> None:
    """Show the deck that a seed deals, in the order of dealing."""
    if variant is None:
        variant = variant_named(seed, shuffle)
    cards = deal(seed, variant, shuffle)
    if as_json:
        show_json(cards)
    else:
        Screen().show(_deck_lines(cards, seed, variant, shuffle))


def _deck_lines(cards: list[Card], seed: str, variant: str, shuffle: str) -> list[Line]:
    played = named_variant(variant)
    # The edition with the shuffle's name may have its own names of suits.
    names = EDITIONS[shuffle].suits or tuple(suit.name for suit in played.suits)
    words = Words(played, names, ())
    about = f" of variant {played.name}, shuffle {shuffle}: {len(cards)} cards in dealing order"
    lines: list[Line] = [[(f"deck {shorten(seed)}", "bold"), (about, "")]]
    for start in range(0, len(cards), _PER_LINE):
        line: list[Part] = [(f"{start:>4} ", "dim")]
        for card in cards[start : start + _PER_LINE]:
            line += [(" ", ""), words.card(card)]
        lines.append(line)
    return lines


@examples(
    "hanalyze seed find games.jsonl --up-to 20000", "hanalyze seed find games.jsonl --up-to 20000 --json"
)
def seed(
    action: Annotated[str, argument("find", "The action: find.")],
    paths: Annotated[list[str], argument("PATH", "Logs, or folders with logs.")],
    up_to: Annotated[int, option("N", "The highest seed number tried for each team size.")] = 1_000_000,
    as_json: Annotated[bool, flag("--json", "Print one JSON object per game.")] = False,
) -> None:
    """Find the hanab.live seeds of decks.

    The first run deals all seeds p{players}v{variant}s1 to sN (a few seconds per million) and stores
    them in the cache folder; later runs find a deck immediately. A seed is reported only if it deals exactly
    the cards of the log. Before April 2020 any seat could play first: logs that number seats from the first
    player are also matched, and that player's number on the site is shown.
    """
    if action != "find":
        raise UsageError(f'unknown action "{action}"', "use hanalyze seed find PATH")
    problems = Problems()
    games = with_seed = 0
    for dealt, row in _seeds(paths, up_to, problems):
        games += 1
        with_seed += row["seed"] is not None
        if as_json:
            show_json(row)
        else:
            typer.echo(_seed_line(dealt, row))
    if not as_json:
        typer.echo(f"seeds found for {with_seed:,} of {games:,} games")
    raise typer.Exit(problems.code)


def _seeds(paths: list[str], up_to: int, problems: Problems) -> Iterator[tuple[Deal, dict[str, Any]]]:
    """Yield each dealt game with its name, seed and rotation; the last two are None if no seed was found."""
    # Imported here: `hanalyze deck` does not need the engine.
    from hanalyze.decks.seed_search import find_seed
    from hanalyze.engine.batch import deal_records
    from hanalyze.logs.files import read

    records = read(paths, on_error=problems.add)
    while chunk := list(itertools.islice(records, _CHUNK)):
        for dealt in deal_records(chunk, on_error=lambda _, error: problems.add(error)):
            players = len(dealt.record.players)
            size = dealt.rules.hand_size(players)
            match = None
            if dealt.variant.id is not None and dealt.record.deck_known is None:
                match = find_seed(dealt.deck, players, dealt.variant, hand_size=size, up_to=up_to)
            seed = {"seed": match and match.seed, "rotation": match and match.rotation}
            yield dealt, {"game": dealt.record.name, **seed}


def _seed_line(dealt: Deal, row: dict[str, Any]) -> str:
    from hanalyze.cli.game_text import title

    text = row["seed"] or "no seed found"
    if row["rotation"]:
        text += f", where {shorten(dealt.record.players[0], 20)} is player {row['rotation'] + 1}"
    return "".join(part for part, _ in title(dealt.record)) + f": {text}"
