"""Write the reference pages of the site from the package: `python -m tools.reference FOLDER`.

`docs/conf.py` calls `write` whenever the site is built. Examples are positions that the tests judge.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from msgspec.structs import replace

import hanalyze as hz
from hanalyze.analysis.columns import FRAMES
from hanalyze.analysis.reports import RESEARCH_REPORTS, SAME_DEAL_REPORTS, STATS_REPORTS
from hanalyze.cli.app import command, command_groups
from hanalyze.cli.parameters import EXAMPLES
from hanalyze.game.explained import explained
from hanalyze.game.meanings import Convention
from hanalyze.logs import GameRecord
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.store.definitions import definitions
from hanalyze.store.mistakes import SEVERITIES
from tests.cases.positions import Log, cases, record
from tests.conventions.positions import SEATS, game, positions
from tests.store.test_meant_mistakes import ALONE, CASES as MEANT
from tools.position_picture import move_words, position_picture
from tools.write_schemas import columns_text

ROOT: Final = Path(__file__).parents[1]

Example = tuple[GameRecord, int, str]
"""A game, the number of a turn from 0, and a sentence about the turn."""
Pictures = dict[str, str]
"""Pictures of the pages, by file name."""


def _table(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(titles)]
    lines += [["---"] * len(lines[0])]
    lines += [[" ".join(cell.replace("|", "\\|").split()) for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _block(text: str, language: str = "") -> str:
    return f"```{language}\n{text.strip()}\n```\n"


def _command(name: str) -> list[str]:
    cli_command = command(name)
    own = {"resilient_parsing": True, "help_option_names": ["-h", "--help"]}
    context = cli_command.make_context(name, [], **own)
    helps = filter(None, (one.get_help_record(context) for one in cli_command.get_params(context)))
    return [
        f"### {name}\n",
        _block(f"hanalyze {name} {' '.join(cli_command.collect_usage_pieces(context))}"),
        f"{inspect.cleandoc(cli_command.help)}\n",
        _table(("argument or option", "meaning"), ((f"`{names}`", text) for names, text in helps)),
        _block("\n".join(EXAMPLES[name]), "sh"),
    ]


def commands_page(_: Pictures) -> str:
    """Return the page of all commands and options, in the groups of `hanalyze --help`."""
    parts = ["# Commands and options\n", "[Examples by task](../commands.md) are on another page.\n"]
    for heading, names in command_groups().items():
        parts += [f"## {heading}\n", *(part for name in names for part in _command(name))]
    return "\n".join(parts)


def _documented(name: str, value: object) -> str:
    if inspect.isclass(value):
        return _block(f".. autoclass:: {name}\n   :members:", "{eval-rst}")
    return _block(f".. {'autofunction' if callable(value) else 'autodata'}:: {name}", "{eval-rst}")


def python_page(_: Pictures) -> str:
    """Return the page of the Python interface: every public name, and the functions of public modules."""
    homes = {name: home for home, names in hz._HOMES.items() for name in names}
    parts = ["# Python interface\n", "`import hanalyze as hz`: every public name, with types and examples.\n"]
    for name in sorted(set(homes) - {"__version__"}, key=lambda name: (name.lower(), name)):
        value = getattr(hz, name)
        parts += [f"## hz.{name}\n"]
        if not isinstance(value, ModuleType):
            is_data = not (inspect.isclass(value) or inspect.isfunction(value))
            parts += [_documented(f"{homes[name] if is_data else 'hanalyze'}.{name}", value)]
            continue
        parts += [f"{inspect.getdoc(value)}\n"]
        for own, member in sorted(vars(value).items()):
            is_own = getattr(member, "__module__", "").startswith(value.__name__)
            if is_own and not own.startswith("_") and (inspect.isclass(member) or inspect.isfunction(member)):
                parts += [f"### hz.{name}.{own}\n", _documented(f"{value.__name__}.{own}", member)]
    return "\n".join([*parts, "## hz.\\_\\_version\\_\\_\n", "The version of the package, as a string.\n"])


def mistake_examples() -> dict[str, Example]:
    """Return an example of each kind of mistake."""
    examples: dict[str, Example] = {}
    for case in cases():
        for kind, _ in sorted(case.found):
            examples.setdefault(kind, (record(case.log), case.turn, case.comment))
    for meant in (*MEANT, *ALONE):  # mistakes judged by conventions
        for word in meant.found.split():
            log = Log(3, "No Variant", "", "", meant.deck, meant.actions)
            examples.setdefault(word.partition(":")[0], (record(log), meant.turn, f"{meant.comment}."))
    [sample] = [one for one in hz.read(ROOT / "sample_logs/editions.jsonl") if one.seed == "p2v0s64"]
    examples.setdefault("discard_kept", (sample, 25, "Earlier clues had moved b4 off the chop."))
    return examples


def convention_examples() -> dict[str, Example]:
    """Return an example of each convention that the tests judge; players have the letters of the tests."""
    examples: dict[str, Example] = {}
    for one in positions():
        for name in one["convention"].split("|")[:1] + one["also"].split():
            if name and name not in examples:
                case = game(one)
                letters = tuple(
                    SEATS[(seat - case.first_seat) % case.players] for seat in range(case.players)
                )
                examples[name] = (replace(case.record, players=letters), case.turn, one["comment"])
    return examples


def _drawn(name: str, examples: Mapping[str, Example], pictures: Pictures) -> list[str]:
    if name not in examples:
        return []
    log, turn, comment = examples[name]
    replay = hz.replay(log)
    pictures[f"{name}.svg"] = position_picture(replay.state(turn), replay.suit_names)
    words = " ".join(str(replay.state(turn)).split())
    return [f"![{words}](pictures/{name}.svg)\n", f"**{move_words(replay, turn)}.** {comment}\n"]


_PICTURES: Final = (
    "Pictures show all hands before the move: the newest card on the left, clued cards in a dark frame, the"
    " name of the player to move in bold. Each position is a test of the program.\n"
)


def mistakes_page(pictures: Pictures) -> str:
    """Return the page of all kinds of mistakes."""
    examples = mistake_examples()
    severities = ((f"`{name}`", one.definition) for name, one in SEVERITIES.items())
    parts = ["# Kinds of mistakes\n", "[How moves are judged](../mistakes.md) is on another page.", _PICTURES]
    parts += [_table(("severity", "meaning"), severities)]
    for one in definitions().values():
        facts = {
            "Definition": one.definition,
            "Opportunities": f"{one.opportunity}: `{one.where}`",
            "Thresholds": ", ".join(f"`{name}` {value:g}" for name, value in one.thresholds.items()),
            "Not a mistake if it means": ", ".join(f"`{name}`" for name in one.explained),
            "Example": one.example,
            "Source": one.source,
        }
        query = "\n".join(line for line in one.text.splitlines() if not line.startswith("--"))
        parts += [f"## {one.kind}\n", f"{one.title}.\n"]
        parts += [f"**{title}:** {text}\n" for title, text in facts.items() if text]
        parts += [*_drawn(one.kind, examples, pictures), _block(query, "sql")]
    return "\n".join(parts)


def conventions_page(pictures: Pictures) -> str:
    """Return the page of all conventions, by level."""
    examples = convention_examples()
    parts = [
        "# Conventions by level\n",
        "[How moves are read](../conventions.md) is on another page.",
        _PICTURES,
    ]
    for one in sorted(Convention, key=lambda one: one.level):
        about = explained(one)
        link = f"[H-Group, {about.kind.lower()}]({about.address})" if about.address else about.kind
        parts += [f"## {one.label}\n", f"{about.sentence} {link}.\n"]
        parts += [f"**Example:** {about.example}\n"] if about.example else []
        parts += _drawn(one.label, examples, pictures)
    return "\n".join(parts)


def reports_page(_: Pictures) -> str:
    """Return the page of all reports and figures; the meaning of a column contains its formula."""
    reports = {"stats": STATS_REPORTS, "research": RESEARCH_REPORTS, "compare --same-deal": SAME_DEAL_REPORTS}
    parts = ["# Reports and figures\n", "[Measures](../measures.md) has the methods and their sources.\n"]
    for of, named in reports.items():
        parts += [f"## hanalyze {of}\n"]
        for name, report in named.items():
            columns = ((f"`{one.name}`", one.unit, one.meaning) for one in FRAMES[report.frame])
            parts += [f"### {of.split()[0]} {name}\n", f"`hz.analysis.{report.frame}`. {report.subject}\n"]
            parts += [_block(f"{inspect.getdoc(report.function)}\n\n{report.note}")]
            parts += [_table(("column", "unit", "meaning"), columns)]
    figures = ((f"`{one.name}`", one.section, one.title, one.definition) for one in QUESTIONS.values())
    parts += ["## Figures of the dashboard\n", "`hanalyze plot` and `hz.figure` draw one of them.\n"]
    return "\n".join([*parts, _table(("figure", "section", "title", "definition"), figures)])


def _fields(schema: Mapping[str, Any]) -> str:
    """Return a table of the fields of a schema; fields of nested objects are only named."""
    rows = []
    for name, value in schema.get("properties", {}).items():
        inside = re.findall(r'"(\w+)": \{', json.dumps(value.get("items", {}).get("properties", {})))
        rows += [(f"`{name}`", f"objects with {', '.join(inside)}" if inside else f"`{json.dumps(value)}`")]
    return _table(("field", "value"), rows) if rows else _block(json.dumps(schema), "json")


def json_page(_: Pictures) -> str:
    """Return the page of the JSON schemas: of the output of commands, and of the data in files and pages."""
    parts = [
        "# JSON\n",
        "The schemas are files in `schemas/`; tests compare them with what commands print and pages embed.\n",
    ]
    for path in sorted((ROOT / "schemas").glob("*.schema.json")):
        schema = json.loads(path.read_text("utf-8"))
        parts += [f"## {schema['title']}\n", f"`{path.name}`. {schema.get('description', '')}\n"]
        own = schema["$defs"]
        if "properties" in schema:
            parts += [_fields(schema)]
            continue
        if "$ref" in schema:  # of a page
            parts += [_fields(own["page"])]
            of = path.name.partition(".")[0]
            own = {f"{of}: {name}": part for name, part in own.items() if name != "page"}
        for name, part in own.items():
            frames = "Rows can begin with columns of `groups`.\n" if "$ref" in part else ""
            parts += [f"### {name}\n", frames, _fields(part)]
    return "\n".join(parts)


def pages() -> tuple[dict[str, str], Pictures]:
    """Return the pages by file name, and the pictures on them."""
    pictures: Pictures = {}
    writers = (commands_page, python_page, mistakes_page, conventions_page, reports_page, json_page)
    texts = {f"{page.__name__.removesuffix('_page')}.md": page(pictures) for page in writers}
    texts["tables.md"] = columns_text().replace("# Columns", "# Tables and columns", 1)
    for name in ("contributing", "changelog"):
        texts[f"{name}.md"] = (ROOT / f"{name.upper()}.md").read_text("utf-8")
    return texts, pictures


def write(folder: Path) -> None:
    """Write pages and pictures into a folder, which is created if missing; write only files that change."""
    texts, pictures = pages()
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    for name, text in {**texts, **{f"pictures/{name}": text for name, text in pictures.items()}}.items():
        if not (path := folder / name).exists() or path.read_text("utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
