"""Changes to what a log says: illegal actions, wrong decks, other variants, editions, options, seeds.

In: a source of chance and the tree of a log. Out: another tree, or None where the change finds no place.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from hanalyze.game.variants import variant_names
from tests.fuzz.bases import EDITIONS
from tests.fuzz.trees import Array, Node, Object, edited, key, opened, text
from tests.fuzz.values import SEEDS, TEXTS

Change = Callable[[Random, Node], Node | None]
_NAMES: Final = tuple(variant_names())


def with_key(tree: Node, name: str, value: Node | None) -> Node | None:
    """Return the game with a key set; None takes it out."""
    node = opened(tree)
    if not isinstance(node, Object):
        return None
    pairs = [(own, old) for own, old in node.pairs if own != key(name)]
    if value is None:
        return Object(tuple(pairs))
    at = next((number for number, (own, _) in enumerate(node.pairs) if own == key(name)), len(pairs))
    return Object((*pairs[:at], (key(name), value), *pairs[at:]))


def _in(tree: Node, name: str, change: Callable[[Array], Node | None]) -> Node | None:
    """Return the game with the array of a key changed."""
    node = opened(tree)
    if not isinstance(node, Object):
        return None
    for at, (own, value) in enumerate(node.pairs):
        inner = opened(value)
        if own == key(name) and isinstance(inner, Array):
            return edited(node, (at,), lambda _, inner=inner: change(inner))
    return None


def action(random: Random) -> bytes:
    """Return an action of any kind, hardly ever a legal one."""
    kind = random.choice((0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, -1, 17, 255))
    target = random.choice(
        (*range(-2, 8), *range(10, 62, 5), 49, 50, 63, 64, 100, 10**9, -(2**63), 2**63 - 1)
    )
    value = random.choice((*range(-2, 12), 0, 0, 1, 2, 3, 100, 10**10, 2**63 - 1))
    if random.random() < 0.1:
        return b'{"type":%d,"target":%d}' % (kind, target)
    return b'{"type":%d,"target":%d,"value":%d}' % (kind, target, value)


def action_put_in(random: Random, tree: Node) -> Node | None:
    def change(node: Array) -> Node:
        at = random.randint(0, len(node.values))
        return Array((*node.values[:at], action(random), *node.values[at:]))

    return _in(tree, "actions", change)


def actions_put_behind(random: Random, tree: Node) -> Node | None:
    def change(node: Array) -> Node:
        return Array(node.values + tuple(action(random) for _ in range(random.randint(1, 30))))

    return _in(tree, "actions", change)


def legal_looking(random: Random, tree: Node) -> Node | None:
    """Play, discard and clue at random from the first hands on: some of it is legal."""

    def change(node: Array) -> Node:
        new = []
        for turn in range(random.randint(1, 25)):
            pick = random.random()
            if pick < 0.5:
                new.append(b'{"type":%d,"target":%d,"value":0}' % (pick < 0.2, random.randint(0, 10 + turn)))
            else:
                kind = random.choice((2, 3))
                new.append(
                    b'{"type":%d,"target":%d,"value":%d}' % (kind, random.randint(0, 3), random.randint(0, 5))
                )
        return Array(node.values[: random.randint(0, 6)] + tuple(new))

    return _in(tree, "actions", change)


def end_put_in(random: Random, tree: Node) -> Node | None:
    def change(node: Array) -> Node:
        end = b'{"type":%d,"target":%d,"value":%d}' % (
            random.choice((4, 4, 5)),
            random.randint(-1, 4),
            random.randint(-1, 14),
        )
        at = random.choice((0, len(node.values), random.randint(0, len(node.values))))
        return Array((*node.values[:at], end, *node.values[at:]))

    return _in(tree, "actions", change)


def actions_repeated(random: Random, tree: Node) -> Node | None:
    def change(node: Array) -> Node:
        times = random.choice((2, 2, 3, 5, 20))
        return Array((node.values * times)[:600])

    return _in(tree, "actions", change)


def clues_only(random: Random, tree: Node) -> Node | None:
    """Give more clues than there are tokens, some of them to oneself."""

    def change(node: Array) -> Node:
        clue = random.choice((b'{"type":2,"target":1,"value":0}', b'{"type":3,"target":0,"value":1}'))
        return Array(node.values[:3] + (clue,) * random.randint(1, 60))

    return _in(tree, "actions", change)


def too_many_actions(random: Random, tree: Node) -> Node | None:
    """Write as many actions as are numbered, or one more; rarely, for they are a megabyte."""
    if random.random() > 0.02:
        return None

    def change(node: Array) -> Node:
        one = random.choice(
            (b'{"type":3,"target":0,"value":1}', b'{"type":0,"target":0}', b'{"type":9,"target":0,"value":0}')
        )
        return Array((one,) * random.choice((32_766, 32_767, 32_768, 33_000)))

    return _in(tree, "actions", change)


def actions_shuffled(random: Random, tree: Node) -> Node | None:
    return _in(tree, "actions", lambda node: Array(tuple(random.sample(node.values, len(node.values)))))


def action_from_start(random: Random, tree: Node) -> Node | None:
    """Leave out the first actions."""
    return _in(tree, "actions", lambda node: Array(node.values[random.randint(1, 3) :]))


def _deck(change: Callable[[Random, tuple[Node, ...]], tuple[Node, ...]]) -> Change:
    def with_deck(random: Random, tree: Node) -> Node | None:
        return _in(tree, "deck", lambda node: Array(change(random, node.values)))

    return with_deck


def _a_card_changed(random: Random, cards: tuple[Node, ...]) -> tuple[Node, ...]:
    at = random.randrange(len(cards) + 1)
    card = b'{"suitIndex":%d,"rank":%d}' % (
        random.choice((*range(-1, 8), 255)),
        random.choice((*range(-1, 9), 32)),
    )
    return (*cards[:at], card, *cards[at + 1 :])


def _two_swapped(random: Random, cards: tuple[Node, ...]) -> tuple[Node, ...]:
    if len(cards) < 2:
        return cards
    at, other = sorted(random.sample(range(len(cards)), 2))
    return (*cards[:at], cards[other], *cards[at + 1 : other], cards[at], *cards[other + 1 :])


def _shorter_or_longer(random: Random, cards: tuple[Node, ...]) -> tuple[Node, ...]:
    return random.choice((cards[:-1], cards[1:], cards + cards[:1], cards * 2, (), cards[:1], cards * 7))


def no_deck(random: Random, tree: Node) -> Node | None:
    tree = with_key(tree, "deck", random.choice((None, b"null"))) or tree
    return with_key(tree, "seed", random.choice((None, b"null", b'""'))) if random.random() < 0.4 else tree


def seed(random: Random, tree: Node) -> Node | None:
    if random.random() < 0.5:
        tree = with_key(tree, "deck", None) or tree
    return with_key(tree, "seed", random.choice(SEEDS))


def shuffle(random: Random, tree: Node) -> Node | None:
    if random.random() < 0.7:
        tree = with_key(tree, "deck", None) or tree
    if random.random() < 0.5:
        tree = with_key(tree, "seed", b"%d" % random.randint(-2, 10**6)) or tree
    names = ("hle", "hanab-live", "hanabi-data", "hanab-live-legacy", "riffle", "", "HLE", "\x1b[31m")
    return with_key(tree, "shuffle", text(random.choice(names)))


_EDITIONS: Final = (
    *EDITIONS,
    "hanab-live",
    "",
    "hle+",
    "+",
    "chess",
    "abacus+farbrausch",
    "abacus+farbrausch-2",
    "rnr+variant-1",
    "rnr+variant-9",
    "abacus+variant-9",
    "hle+variant-9",
    "hle+strikes=0",
    "hle+strikes=99",
    "hle+strikes=x",
    "hle+clue_tokens=1",
    "hle+nothing=1",
    "hle+max_players=6",
    "hle+hand_size_change=-1",
    "hle+hand_size_change=-3",
    "hanab-live+hand_size_change=-3",
    "hanab-live+hand_size_change=2",
    "hle+rating=abacus",
    "HLE",
    " hle ",
    "\x1b[2J",
    "hle" + "+strikes=1" * 40,
)


def edition(random: Random, tree: Node) -> Node | None:
    return with_key(tree, "edition", text(random.choice(_EDITIONS)))


def options(random: Random, tree: Node) -> Node | None:
    """Set some options, right and wrong."""
    chosen: list[tuple[bytes, Node]] = []
    for _ in range(random.randint(0, 4)):
        name = random.choice(
            (
                *[
                    "startingPlayer",
                    "timed",
                    "timeBase",
                    "timePerTurn",
                    "speedrun",
                    "cardCycle",
                    "deckPlays",
                    "emptyClues",
                    "oneExtraCard",
                ],
                *["oneLessCard", "allOrNothing", "detrimentalCharacters", "flying"],
            )
        )
        value = random.choice(
            (
                b"true",
                b"true",
                b"true",
                b"false",
                b"0",
                b"1",
                b"3",
                b"-1",
                b"6",
                b"null",
                b"2147483648",
                b"1.5",
            )
        )
        chosen.append((key(name), value))
    if random.random() < 0.6:
        chosen.append((key("variant"), _variant(random)))
    return with_key(tree, "options", Object(tuple(chosen)))


def _variant(random: Random) -> bytes:
    pick = random.random()
    if pick < 0.5:
        return text(random.choice(_NAMES))
    if pick < 0.7:
        return text(
            random.choice(
                (
                    "R+G+B+Ra+Bk,TH",
                    "R+Y",
                    "R",
                    "R+R+R",
                    "R+G+B,ZZ",
                    "Rainbow (9 Suits)",
                    "no variant",
                    "0",
                    "2425",
                    "-1",
                    "",
                )
            )
        )
    return random.choice(TEXTS)


def variant(random: Random, tree: Node) -> Node | None:
    if random.random() < 0.7:
        tree = with_key(tree, "deck", None) or tree
    return with_key(tree, "options", Object(((key("variant"), _variant(random)),)))


def players(random: Random, tree: Node) -> Node | None:
    count = random.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 100))
    return with_key(tree, "players", Array(tuple(b'"%d"' % seat for seat in range(count))))


def hostile_names(random: Random, tree: Node) -> Node | None:
    return _in(tree, "players", lambda node: Array(tuple(random.choice(TEXTS) for _ in node.values)))


def notes(random: Random, tree: Node) -> Node | None:
    seats = random.randint(0, 7)
    return with_key(
        tree,
        "notes",
        Array(
            tuple(
                Array(tuple(random.choice(TEXTS) for _ in range(random.randint(0, 9)))) for _ in range(seats)
            )
        ),
    )


def characters(random: Random, tree: Node) -> Node | None:
    one = Object(((key("name"), random.choice(TEXTS)), (key("metadata"), b"%d" % random.randint(-2, 9))))
    return with_key(tree, "characters", Array((one,) * random.randint(0, 6)))


def claims(random: Random, tree: Node) -> Node | None:
    """Claim another score, starting player, id or source."""
    name = random.choice(("score", "first_player", "id", "source", "score"))
    value = (
        random.choice(TEXTS)
        if name == "source"
        else b"%d" % random.choice((-1, 0, 1, 2, 5, 25, 30, 2**31, 2**63 - 1, -(2**63)))
    )
    return with_key(tree, name, value)


MOVES: Final[dict[str, Change]] = {
    "action put in": action_put_in,
    "actions put behind": actions_put_behind,
    "actions that look legal": legal_looking,
    "end put in": end_put_in,
    "actions repeated": actions_repeated,
    "clues only": clues_only,
    "as many actions as there can be": too_many_actions,
    "actions in another order": actions_shuffled,
    "first actions missing": action_from_start,
    "a card changed": _deck(_a_card_changed),
    "two cards swapped": _deck(_two_swapped),
    "deck shorter or longer": _deck(_shorter_or_longer),
    "no deck": no_deck,
    "seed": seed,
    "shuffle": shuffle,
    "edition": edition,
    "options": options,
    "variant": variant,
    "players": players,
    "hostile names": hostile_names,
    "notes": notes,
    "characters": characters,
    "claims": claims,
}
