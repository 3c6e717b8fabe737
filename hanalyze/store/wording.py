"""Put mistakes into words: the evidence and the better move of a row of `mistakes`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple, TypeAlias

from hanalyze.chances.model import MODELS, load_model, rows_like
from hanalyze.game.meanings import FaultRule
from hanalyze.text import apart, plural, printable
from hanalyze.words import chance_in_words, percent, seat_name, with_minus

Part: TypeAlias = str | tuple[str, Any]
"""Part of a sentence: a text, ("seat", number from 0), or ("card", name)."""


def worded(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the evidence for a mistake and the better move in words; "" if there is no better move.

    `row` is a row of `Database.mistakes()` as a mapping, such as `frame.row(0, named=True)`. The columns
    `evidence`, `evidence_values`, `names` and those that begin with `better_` are read. Both texts are safe
    to show. Raises `KeyError` for a missing column.

    >>> row = {"evidence": "discarded {card}", "evidence_values": '{"card": "r5"}', "names": ["Al", "Bo"]}
    >>> row |= {"better_kind": "play", "better_slot": 2, "better_seat": None}
    >>> worded({**row, "better_value": "b1", "better_chance": None})
    ('discarded r5', 'play slot 2 (b1)')
    """
    players = apart(row["names"])
    return sentence(evidence_parts(row), players), sentence(better_parts(row), players)


def evidence_parts(row: Mapping[str, Any]) -> list[Part]:
    """Return the parts of the evidence with its values filled in; a name without a value stays unchanged.

    >>> row = {"evidence": "{seat} held {n:card}, {p_trash} trash, since turn {turn}"}
    >>> row["evidence_values"] = '{"seat": 1, "n": 2, "p_trash": 0.125, "turn": 3}'
    >>> evidence_parts(row)
    [('seat', 1), ' held ', '2 cards', ', ', '13%', ' trash, since turn ', '4']
    """
    template = row["evidence"] or ""
    values = json.loads(row["evidence_values"] or "{}")
    try:
        fields = list(Formatter().parse(template))
    except ValueError:  # an unmatched brace
        return [template]
    parts: list[Part] = []
    for text, name, noun, _ in fields:
        if text:
            parts.append(text)
        if name is not None:
            value = values.get(name) if isinstance(values, dict) else None
            if value is not None and name.endswith("_in_games"):
                where = (values.get(key) for key in ("model", "features", "place"))
                parts.append(said_in_games(name, value, *where))
            else:
                parts.append(f"{{{name}}}" if value is None else _value(name, value, noun or ""))
    return parts


def said_in_games(
    name: str, chance: float, model: str | None, features: str | None = None, place: str | None = None
) -> str:
    """Return a model's chance in words, rounded coarsely if few training cards had a similar chance.

    `name` is the name of the chance: `p_critical_in_games`, `p_needed_in_games` (not trash) or similar for
    the card played or discarded, or `p_best_in_games` for the most likely playable card of the hand. `model`,
    `features` and `place` are columns of `decisions`.

    >>> said_in_games("p_critical_in_games", 0.082, "real", "conventions", "chop")
    '8%'
    >>> said_in_games("p_critical_in_games", 0.33, "real", "conventions", "chop")
    'about 30%'
    """
    word = name.removeprefix("p_").removesuffix("_in_games")
    target = {"needed": "trash", "best": "playable"}.get(word, word)
    fit = load_model(model or MODELS[0]).fits[features or "conventions"]
    tenth_of = 1.0 - chance if word == "needed" else chance
    return chance_in_words(chance, rows_like(fit, target, tenth_of, None if word == "best" else place))


def _value(name: str, value: Any, noun: str) -> Part:
    """Return a value as part of a sentence; the first word of `name` determines its form."""
    kind = name.split("_", maxsplit=1)[0]
    if kind == "card":
        return ("card", str(value))
    if kind == "rule":
        rule = next((one for one in FaultRule if one.label == value), None)
        return str(value) if rule is None else rule.cause
    if not isinstance(value, int | float):
        return str(value)
    if kind == "seat":
        return ("seat", int(value))
    if kind == "turn":
        return f"{value + 1:g}"
    if kind == "p":
        return f"{percent(value)}%"
    if noun:
        one, _, more = noun.partition("/")
        return f"{value:g} {one if value == 1 else more or one + 's'}"
    return with_minus(f"{value:g}")


class Luck(NamedTuple):
    """Luck of a game: points as text, such as "+0.5" (lost less than expected), and an explanation."""

    points: str
    explained: str


def luck_of(decisions: Iterable[Mapping[str, Any]], mistakes: Iterable[Mapping[str, Any]]) -> Luck | None:
    """Return the luck of one game from its rows of `decisions` and `mistakes`, None if no model judged them.

    Points that are charged to an earlier move, such as a missed save, do not count as bad luck. The function
    reads the columns `turn`, `act_points`, `model`, `result`, `max_score_before`, `max_score_after` and
    `charged_turn`.

    >>> judged = {"turn": 5, "result": "discarded", "max_score_before": 25, "max_score_after": 23}
    >>> judged |= {"act_points": 0.5, "model": "real"}
    >>> luck_of([judged, {"act_points": None}], []).points
    '\N{MINUS SIGN}1.5'
    >>> luck_of([judged], [{"turn": 5, "charged_turn": 3}]).points
    '+0.5'
    """
    judged = [row for row in decisions if row["act_points"] is not None]
    if not judged:
        return None
    charged = {row["turn"] for row in mistakes if row.get("charged_turn") not in (None, row["turn"])}
    expected = sum(row["act_points"] for row in judged)
    lost = elsewhere = 0
    for row in judged:
        points = row["max_score_before"] - row["max_score_after"]
        if row["turn"] in charged:
            elsewhere += points
        elif row["result"] != "played":
            lost += points
    luck = expected - lost
    model = load_model(judged[0]["model"])
    # A rounded zero gets no sign.
    text = with_minus(f"{luck:+.1f}") if round(luck, 1) else "0.0"
    return Luck(
        text,
        f"The plays and discards lost {plural(lost, 'point')}"
        + (f", not counting {elsewhere} charged to earlier moves" if elsewhere else "")
        + f"; such moves lose {expected:.1f} on average (fitted to {model.games:,} games).",
    )


def better_parts(row: Mapping[str, Any]) -> list[Part]:
    """Return the better move as parts; an empty list if there is no better move.

    >>> row = {"better_kind": "clue", "better_seat": 1, "better_clue": "red", "better_value": "r3"}
    >>> row |= {"better_convention": "finesse", "better_gets": ["r2"]}
    >>> sentence(better_parts(row), ["Alice", "Bob"])
    'clue Bob red: r3, and r2 by finesse'
    """
    kind, slot, seat = row["better_kind"], row.get("better_slot"), row.get("better_seat")
    value, chance, clue = row.get("better_value"), row.get("better_chance"), row.get("better_clue")
    if kind is None:
        return []
    if kind == "clue" and seat is not None and clue is not None:
        clue_parts: list[Part] = ["clue ", ("seat", seat), f" {clue}"]
        if value is not None:
            clue_parts += [": ", ("card", value)]
        for number, name in enumerate(row.get("better_gets") or ()):
            clue_parts += [", and " if number == 0 else ", ", ("card", name)]
        if row.get("better_convention") and value is not None:
            clue_parts.append((" by " if row.get("better_gets") else ", ") + row["better_convention"])
        return clue_parts
    if kind == "clue" and seat is None:
        return ["give any clue"]
    where = "" if slot is None else f"slot {slot}"
    if kind == "clue":
        what: Part = where if value is None else ("card", value)
        return ["clue ", ("seat", seat), *(["'s ", what] if what else [])]
    parts: list[Part] = [" ".join(filter(None, (kind.replace("_", " "), where)))]
    what = "playable" if kind == "play" else "critical"
    said = []
    if chance is not None:
        model = row.get("better_model")
        in_words = f"{percent(chance)}%" if model is None else said_in_games(f"p_{what}", chance, model)
        said.append(f"{in_words} likely to be {what}")
    if value == "called":
        parts.append(f" ({'; '.join(['called', *said])})")
        return parts
    if value == "trash":
        parts.append(", known trash")
    elif value is not None:
        parts += [" (", ("card", value), ")"]
    parts += [f", {one}" for one in said]
    return parts


def sentence(parts: Sequence[Part], players: Sequence[str]) -> str:
    """Return parts as text that is safe to show; `players` are the names by seat.

    >>> sentence(["clue ", ("seat", 1), ", not ", ("seat", 4)], ["Alice", "Bob"])
    'clue Bob, not seat 5'
    """
    words = []
    for part in parts:
        text: Any = part if isinstance(part, str) else part[1]
        if part[0] == "seat":
            text = seat_name(text, players)
        words.append(printable(text))
    return "".join(words)
