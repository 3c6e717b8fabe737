"""Definitions of mistakes: the SQL files in `sql/mistakes/`, and those in a user's folder.

The comment at the head of a file defines the mistake and gives all its names. A field may continue on further
lines; lines that begin with "- " are items of a list.

    -- Title, one line
    --
    -- veiled: the title while the card is hidden, if the usual title would reveal its rank
    -- noun: a short name, for the page of a game
    -- label: a short name, for axes and lists
    -- sentence: the verdict on such a turn; `{card}` is the card
    -- averted: the verdict if the risk did not come true; by default the same sentence
    -- example: one position in which the mistake happens
    -- family: discard, play or clue, if the file name does not begin with the family
    -- chance: the column of `decisions` with the chance that the mistake depends on, one of `CHANCES`
    -- definition: the rule that decides which moves count as the mistake
    -- source: origin of the idea
    -- explained: labels of conventions; a legal move with one of these meanings is not the mistake
    -- opportunity: the decisions in the denominator of the rate, in words
    -- where: the same decisions, as a condition on a row of `decisions`
    -- rows: a necessary condition on a row `d` of `convention_decisions` and on the other tables of
    --     `sql/candidates.sql`; `$rows` in the query stands for it
    -- threshold name = 0.5: meaning of `$name` in the query

Only `definition`, `opportunity` and `where` are required. `messages` in `explained` stands for all
conventions that send a message. `hanalyze.store.definition_queries` lists the columns that the query returns.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from hanalyze.conventions.classes import MESSAGES, conventions_in
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.meanings import Convention
from hanalyze.text import nearest, shorten

Folder: TypeAlias = str | os.PathLike[str] | None
"""A folder with a user's definitions; None for the built-in definitions only."""
FAMILIES: Final = ("discard", "play", "clue")
CHANCES: Final = {
    "p_playable": "is playable",
    "p_critical": "is a last copy",
    "p_trash": "is trash",
    "p_double_discard": "is the other copy",
}
"""Columns of `decisions` with a chance of the card played or discarded, and what it is the chance of."""

_FOLDER: Final = Path(__file__).parent / "sql"
_FIELD: Final = re.compile(
    r"(veiled|noun|label|sentence|averted|example|family|chance|definition|source|explained|opportunity"
    r"|where|rows|threshold [a-z_]+ = [-0-9.e]+): ?(.*)"
)
_NAME: Final = re.compile(r"\$([a-z_]+)")
_NUMBERS: Final = {one.label: int(one) for one in Convention}


@dataclass(frozen=True, slots=True)
class Definition:
    """The definition of a kind of mistake.

    If the file lacks `veiled`, `noun` or `label`, the title is used; other missing texts are "". `where` is a
    condition on the rows of the view `decisions`; it selects the opportunities of the rate. `rows` is a
    necessary condition for the mistake, "" if there is none. `query` contains the values of the thresholds,
    and leaves out moves that mean one of the conventions `explained`. `text` is the text of the file, and
    `file` its path, None for a built-in definition.
    """

    kind: str
    title: str
    veiled: str
    noun: str
    label: str
    sentence: str
    averted: str
    example: str
    family: str
    chance: str
    definition: str
    source: str
    opportunity: str
    where: str
    rows: str
    thresholds: Mapping[str, float]
    explained: tuple[str, ...]
    query: str
    text: str
    file: str | None = None

    @property
    def necessary(self) -> str:
        """`rows`, and the condition that the move (`meant` in `legal_meanings`) means none of `explained`."""
        return f"({self.rows}) AND ({means(self.explained)}) IS NOT TRUE" if self.explained else self.rows

    @property
    def weighs_forced(self) -> bool:
        """Whether the query also returns decisions with one sensible choice, which no rate includes."""
        return "was_forced" in self.query


def bad_definition(file: str, problem: str, advice: str | None = None) -> HanalyzeError:
    """Return the error for a file that does not define a mistake."""
    return HanalyzeError(problem, rule="bad_definition", file=file, advice=advice)


def _parse(kind: str, text: str, file: str) -> Definition:
    lines = text.splitlines()
    end = next((number for number, line in enumerate(lines) if line[:2] != "--"), 0)
    head = [line[2:].strip() for line in lines[:end]]
    fields: dict[str, str] = {}
    name = ""
    for line in head[1:]:
        if match := _FIELD.fullmatch(line):
            name = match[1]
            fields[name] = match[2]
        elif name and line:
            fields[name] += ("\n" if line.startswith("- ") else " ") + line
    missing = [one for one in ("definition", "opportunity", "where") if not fields.get(one)]
    if missing or not head:
        problem = f"the definition of a mistake lacks its {missing[0] if missing else 'first comment'}"
        advice = "begin the file with comments like those that `hanalyze mistakes --explain misplay` prints"
        raise bad_definition(file, problem, advice)
    if (chance := fields.get("chance")) and chance not in CHANCES:
        raise bad_definition(file, f"there is no chance {shorten(chance)}", "one of: " + ", ".join(CHANCES))
    thresholds: dict[str, float] = {}
    for field in [field for field in fields if field.startswith("threshold ")]:
        threshold, number = field.removeprefix("threshold ").split(" = ")
        thresholds[threshold] = float(number)
        del fields[field]

    def value(match: re.Match[str]) -> str:
        if match[1] not in thresholds:
            advice = f"add a line like: -- threshold {match[1]} = 1: what it means"
            raise bad_definition(file, f"there is no threshold ${match[1]}", advice)
        return format(thresholds[match[1]], "g")

    title = head[0]
    fields = {
        **dict.fromkeys(("veiled", "noun", "label"), title),
        **dict.fromkeys(("sentence", "averted", "example", "chance", "source", "rows", "explained"), ""),
        "family": kind.split("_", maxsplit=1)[0],
        **fields,
    }
    query = "\n".join(lines[len(head) :])
    if fields["rows"]:
        query = query.replace("$rows", fields["rows"])
    query = _NAME.sub(value, query).strip().rstrip(";")
    for name in ("definition", "where", "rows"):
        fields[name] = _NAME.sub(value, fields[name])
    explained = _conventions(fields.pop("explained"), file)
    return Definition(
        kind=kind,
        title=title,
        thresholds=thresholds,
        explained=explained,
        query=_unexplained(query, explained),
        text=text.strip() + "\n",
        file=file,
        **fields,
    )


def _conventions(words: str, file: str) -> tuple[str, ...]:
    """Return the labels of the conventions in a field. Raises `HanalyzeError` (rule `bad_definition`)."""
    named = [word for word in re.split(r"[,\s]+", words) if word]
    for word in named:
        if word not in _NUMBERS and word != "messages":
            advice = "`hanalyze conventions --explain all` lists them"
            raise bad_definition(file, f"there is no convention {shorten(word)}", advice)
    listed = [one.label for one in conventions_in(MESSAGES)] if "messages" in named else []
    return tuple(dict.fromkeys([*listed, *(word for word in named if word != "messages")]))


def _unexplained(query: str, explained: Collection[str]) -> str:
    """Return a query without the rows of legal moves that mean one of the conventions `explained`."""
    if not explained:
        return query
    return f"""SELECT made.* FROM (
{query}
) AS made
ANTI JOIN legal_meanings AS meant ON meant.game_id = made.game_id AND meant.turn = made.turn
    AND {means(explained)}"""


def means(labels: Iterable[str]) -> str:
    """Return the SQL condition that a row `meant` of `legal_meanings` has one of these meanings.

    DuckDB binds a mask faster than a list of names.
    """
    mask = sum(1 << _NUMBERS[label] for label in labels)
    return f"({mask}::HUGEINT >> meant.meaning) & 1 = 1"


def _read(folder: Path, files: Iterable[Path]) -> dict[str, Definition]:
    read = {}
    for file in sorted(files):
        try:
            text = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise HanalyzeError(f"unreadable file ({error})", rule="unreadable", file=str(file)) from None
        if not re.fullmatch(r"[a-z][a-z0-9_]*", file.stem):
            problem = "the file name must consist of lowercase letters, digits and _, and begin with a letter"
            raise bad_definition(str(file), problem)
        read[file.stem] = _parse(file.stem, text, str(file))
    if not read:
        raise HanalyzeError("there is no .sql file in this folder", rule="no_file", file=str(folder))
    return read


@cache
def _built_in() -> dict[str, Definition]:
    ours = _read(_FOLDER, (_FOLDER / "mistakes").glob("*.sql"))
    return {kind: replace(one, file=None) for kind, one in ours.items()}


def definitions(folder: Folder = None) -> dict[str, Definition]:
    """Return the definitions by kind: those in `folder`, and the built-in ones of all other kinds.

    A file that replaces a built-in definition has its family and, if it names no other, its chance. Raises
    `HanalyzeError` (rules `no_file`, `bad_definition`, `unreadable`).

    >>> definitions()["misplay"].family
    'play'
    """
    if folder is None:
        return dict(_built_in())
    path = Path(folder)
    ours, own = _built_in(), _read(path, path.glob("*.sql"))
    for kind in ours.keys() & own.keys():
        replaced = ours[kind]
        own[kind] = replace(own[kind], family=replaced.family, chance=own[kind].chance or replaced.chance)
    return ours | own


def definition(kind: str, folder: Folder = None) -> Definition:
    """Return the definition of a kind of mistake. Raises `UnknownName`."""
    kinds = definitions(folder)
    if kind not in kinds:
        raise _unknown(kind, kinds)
    return kinds[kind]


def _unknown(kind: str, kinds: Iterable[str]) -> UnknownName:
    return UnknownName("kind of mistake", kind, nearest(kind, kinds), advice="one of: " + ", ".join(kinds))


def chosen(kinds: Iterable[str] = (), folder: Folder = None) -> dict[str, Definition]:
    """Return the definitions of the given kinds and families, or of all kinds if none is given.

    A name may have `-` instead of `_`. Raises `UnknownName`.

    >>> sorted(chosen(["play"]))
    ['call_missed', 'discard_out_of_pace', 'misplay', 'play_missed', 'play_narrows']
    """
    every_kind = definitions(folder)
    families = dict.fromkeys(one.family for one in every_kind.values())
    selected: dict[str, Definition] = {}
    for kind in kinds:
        word = str(kind).replace("-", "_")
        if word in families and word not in every_kind:
            selected |= {name: one for name, one in every_kind.items() if one.family == word}
        elif word in every_kind:
            selected[word] = every_kind[word]
        else:
            raise _unknown(word, [*families, *every_kind])
    return selected or every_kind
