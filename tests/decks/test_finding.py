"""Search for the seeds of decks: of known seeds, of real games, and of decks without a seed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hanalyze.decks import decks
from hanalyze.decks.seed_search import FoundSeed, SeedIndex, find_seed, seed_index
from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import identity
from hanalyze.game.variants import variant
from tests.cli.running import hanalyze
from tests.shared import golden

PLAIN = variant("No Variant")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    seed_index.cache_clear()
    return tmp_path / "hanalyze" / "seeds"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("name", ["No Variant", "Rainbow (6 Suits)", "Rainbow (3 Suits)", "Sudoku (4 Suits)"])
def test_every_seed_is_found(players: int, name: str) -> None:
    played = variant(name)
    numbers = (1, 2, 99, 299, 300)
    seeds = [f"p{players}v{played.id}s{number}" for number in numbers]
    size = 3 if players == 6 else 4 if players > 3 else 5
    if players * size > played.deck_size:
        return
    for seed, deck in zip(seeds, decks(seeds, played), strict=True):
        assert find_seed(deck, players, played, hand_size=size, up_to=300) == FoundSeed(seed, 0)
    beyond = decks([f"p{players}v{played.id}s301"], played)[0]
    assert find_seed(beyond, players, played, hand_size=size, up_to=300) is None


def test_the_table_turned_round() -> None:
    deck = decks(["p4v0s12"], PLAIN)[0]
    hands = [deck[4 * seat : 4 * seat + 4] for seat in range(4)]
    for first in range(4):
        # The log begins with seat `first` of the site.
        turned = np.concatenate([hands[(first + ahead) % 4] for ahead in range(4)] + [deck[16:]])
        assert find_seed(turned, 4, PLAIN, hand_size=4, up_to=20) == FoundSeed("p4v0s12", first)
    # Cards that changed places in a hand are no other deal of the seed.
    deck[[0, 1]] = deck[[1, 0]]
    assert deck[0] != deck[1]
    assert find_seed(deck, 4, PLAIN, hand_size=4, up_to=20) is None


def test_random_decks_have_no_seed() -> None:
    cards = np.array([identity(*card) for card in PLAIN.deck], np.uint8)
    dice = np.random.default_rng(7)
    for _ in range(1000):
        assert find_seed(dice.permutation(cards), 3, PLAIN, hand_size=5, up_to=20_000) is None


def test_a_key_alone_finds_nothing() -> None:
    """A deck that shares only its key (the last cards) with the deck of a seed does not match the seed."""
    deck = decks(["p3v0s5"], PLAIN)[0]
    other = np.concatenate([np.sort(deck[:40]), deck[40:]])
    index = SeedIndex.dealt(3, PLAIN, 10)
    assert index.find(deck) == ["p3v0s5"]
    assert index.find(other) == []


def test_what_is_kept_serves_and_grows(cache: Path) -> None:
    seed_index(3, PLAIN, 100)
    [file] = cache.iterdir()
    assert (file.name, len(np.load(file))) == ("p3v0.npy", 100)
    before = file.stat().st_mtime_ns
    seed_index.cache_clear()
    assert len(seed_index(3, PLAIN, 60)) == 100
    assert file.stat().st_mtime_ns == before
    assert len(seed_index(3, PLAIN, 150)) == 150
    assert np.array_equal(np.load(file), SeedIndex.dealt(3, PLAIN, 150)._entries)
    # A larger index returns no seed above `up_to`.
    deck = decks(["p3v0s120"], PLAIN)[0]
    assert find_seed(deck, 3, PLAIN, hand_size=5, up_to=100) is None
    file.write_bytes(file.read_bytes()[:300])
    seed_index.cache_clear()
    assert find_seed(deck, 3, PLAIN, hand_size=5, up_to=130) == FoundSeed("p3v0s120", 0)


def test_what_cannot_be_asked() -> None:
    for number in (0, 100_000_001):
        with pytest.raises(HanalyzeError, match="give 1 to 100,000,000"):
            seed_index(3, PLAIN, number)
    with pytest.raises(HanalyzeError, match="no seeds for it"):
        seed_index(3, variant("R+Y"), 5)


def test_the_real_games() -> None:
    games = [line["game"] for line in golden("real-3p")]
    found = []
    seed_index(3, PLAIN, 5000)
    for game in games:
        deck = np.array([identity(card["suitIndex"], card["rank"]) for card in game["deck"]], np.uint8)
        found.append(find_seed(deck, 3, PLAIN, hand_size=5, up_to=5000))
    # The other games have seeds of another form: no number up to a million deals them.
    assert len(games) == 111
    assert [sum(one is not None and one.rotation == seat for one in found) for seat in range(3)] == [
        47,
        26,
        26,
    ]


def test_the_command(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    assert hanalyze("simulate", "--games", "3", "--seed", "8", "-o", games).code == 0
    bare = "\n".join(
        json.dumps({key: value for key, value in json.loads(line).items() if key != "seed"} | {"id": number})
        for number, line in enumerate(games.read_text().splitlines(), 1)
    )
    games.write_text(bare + "\n")
    ran = hanalyze("seed", "find", games, "--up-to", "9")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"game 1 ({games}, line 1): p3v0s8",
        f"game 2 ({games}, line 2): p3v0s9",
        f"game 3 ({games}, line 3): no seed found",
        "seeds found for 2 of 3 games",
    ]
    ran = hanalyze("seed", "find", games, "--up-to", "9", "--json")
    assert [json.loads(line)["seed"] for line in ran.out.splitlines()] == ["p3v0s8", "p3v0s9", None]
    ran = hanalyze("seed", "lose", games)
    assert (ran.code, ran.err) == (2, 'hanalyze: unknown action "lose"; use hanalyze seed find PATH\n')
