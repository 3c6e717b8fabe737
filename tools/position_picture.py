"""A position as a small SVG picture, and the move of a turn in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import card_name
from hanalyze.position import Position
from hanalyze.replaying import Replay
from hanalyze.report.theme import suit_styles


def position_picture(position: Position, suits: Sequence[str]) -> str:
    """Return the hands, stacks and discards of a position as an SVG document; `suits` are the names of suits.

    >>> import hanalyze as hz
    >>> game = hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
    >>> picture = position_picture(game.state(0), game.suit_names)
    >>> picture.startswith("<svg"), picture.count("<rect")
    (True, 16)
    """
    styles = suit_styles(suits)
    parts: list[str] = []

    def line(number: int, title: str, cards: Iterable[tuple[int, str, bool]], bold: bool) -> None:
        y, weight = 6 + 56 * number, ' font-weight="700"' if bold else ""
        parts.append(f'<text x="6" y="{y + 28}" fill="#33312c"{weight}>{escape(title)}</text>')
        for index, (suit, name, clued) in enumerate(cards):
            x, (tint, _), (ink, _) = 70 + 40 * index, styles[suit].tint, styles[suit].ink
            frame = 'stroke="#1a1917" stroke-width="3"' if clued else 'stroke="#b9b6ac"'
            parts.append(f'<rect x="{x}" y="{y}" width="34" height="44" rx="5" fill="{tint}" {frame}/>')
            parts.append(f'<text x="{x + 17}" y="{y + 28}" text-anchor="middle" fill="{ink}">{name}</text>')

    for seat, hand in enumerate(position.hands):
        cards = [(one.card, one.clued) for one in reversed(hand) if one.card is not None]
        shown = [(card.suit, card_name(card, position.letters), clued) for card, clued in cards]
        line(seat, position.players[seat], shown, seat == position.seat)
    count = len(position.hands)
    tops = ((suit, top.replace("0", "-"), False) for suit, top in enumerate(position.stack_tops))
    line(count, "stacks", tops, False)
    discards = " ".join(card_name(card, position.letters) for card in position.discards) or "none"
    facts = f"{position.clue_tokens:g} clue tokens, {position.strikes} strikes, {position.deck} in the deck"
    high = 56 * (count + 1) + 54
    for y, text in ((high - 32, f"discards: {discards}"), (high - 10, facts)):
        parts.append(f'<text x="6" y="{y}" fill="#33312c">{escape(text)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="{high}" viewBox="0 0 400 {high}"'
        ' font-family="system-ui, sans-serif" font-size="15">'
        f'<rect width="400" height="{high}" rx="8" fill="#fbfaf7"/>{"".join(parts)}</svg>\n'
    )


def move_words(replay: Replay, turn: int) -> str:
    """Return the move of a turn, counted from 0, in words; the turn must not end the game by vote or clock.

    >>> import hanalyze as hz
    >>> game = hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[hz.Action(3, 1, 5)])
    >>> move_words(hz.replay(game), 0)
    'Alice clues Bob rank 5'
    """
    position, (kind, target, value) = replay.state(turn), replay.record.actions[turn]
    name = position.players[position.seat]
    if kind in (ActionKind.COLOUR_CLUE, ActionKind.RANK_CLUE):
        is_rank = kind == ActionKind.RANK_CLUE
        said = f"rank {value}" if is_rank else replay.deal.clue_colours[value].lower()
        return f"{name} clues {position.players[target]} {said}"
    verb = "plays" if kind == ActionKind.PLAY else "discards"
    for one in position.hands[position.seat]:
        if one.order == target and one.card is not None:
            return f"{name} {verb} {card_name(one.card, position.letters)} from slot {one.slot}"
    return f"{name} {verb} the top card of the deck"
