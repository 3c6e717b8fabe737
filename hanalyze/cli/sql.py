"""`hanalyze sql`: write the result of a query as a table, CSV, JSON or Parquet."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from tempfile import TemporaryDirectory
from typing import Annotated, Final

from hanalyze.cli.exits import UsageError, say_written
from hanalyze.cli.frame_text import SUSPECT, safe_cell, table_lines
from hanalyze.cli.options import DB, Csv, JsonRows, MemoryLimit, Output, Raw, Rows
from hanalyze.cli.parameters import argument, examples, flag
from hanalyze.output import check_target, write_pieces
from hanalyze.store import connect
from hanalyze.store.definition_queries import COLUMNS
from hanalyze.store.results import Result
from hanalyze.store.wording import better_parts, evidence_parts, sentence
from hanalyze.text import apart, plural


class Format(StrEnum):
    """Output format of a result."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


@examples(
    'hanalyze sql games.duckdb "SELECT players, avg(score) FROM games GROUP BY ALL ORDER BY ALL"',
    'hanalyze sql games.duckdb "SELECT seed, score FROM games" --csv scores.csv',
    "hanalyze sql games.duckdb \"FROM turns WHERE result = 'misplayed'\" --format parquet"
    " -o misplays.parquet",
)
def sql(
    database: DB,
    query: Annotated[str, argument("QUERY", "SQL, in DuckDB's dialect.")],
    format_: Annotated[
        Format, flag("--format", "The format of the result; json is one object per line.")
    ] = Format.TABLE,
    output: Output = "-",
    rows: Rows = 100,
    as_json: JsonRows = False,
    csv: Csv = None,
    raw: Raw = False,
    allow_files: Annotated[bool, flag("--allow-files", "Let the query read and write any file.")] = False,
    memory_limit: MemoryLimit = None,
) -> None:
    """Query the database and show the result.

    The query cannot change the database, and reaches files and the network only with --allow-files. --json is
    short for --format json, and --csv PATH for --format csv -o PATH.
    """
    if (format_ != Format.TABLE) + as_json + (csv is not None) > 1:
        raise UsageError("--format, --json and --csv exclude each other", "give one of them")
    if csv is not None and output != "-":
        raise UsageError("--csv names the file to write", "give it without -o")
    if csv is not None:
        format_, output = Format.CSV, csv
    elif as_json:
        format_ = Format.JSON
    if format_ == Format.PARQUET and output == "-" and sys.stdout.isatty():
        raise UsageError("Parquet cannot be shown on a terminal", "give -o FILE")
    if raw and format_ != Format.CSV:
        raise UsageError("--raw is for CSV", "give --csv PATH")
    check_target(output)
    with TemporaryDirectory(prefix="hanalyze-") as folder:
        # DuckDB writes Parquet itself, and gets access only to this folder.
        files_in = None if allow_files else [folder] if format_ == Format.PARQUET else []
        with (
            connect(database, read_only=True, files_in=files_in, memory_limit=memory_limit) as db,
            db.result(query) as result,
        ):
            if format_ == Format.PARQUET:
                file = os.path.join(folder, "result.parquet")
                result.write_parquet(file)
                pieces = _pieces_of(file)
            else:
                texts = {
                    Format.CSV: _csv(result, raw),
                    Format.JSON: result.json(),
                    Format.TABLE: _table(result, rows),
                }
                pieces = (text.encode("utf-8", "backslashreplace") for text in texts[format_])
            write_pieces(pieces, output)
            say_written("table" if format_ == Format.TABLE else plural(result.row_count, "row"), output)


def _pieces_of(file: str) -> Iterator[bytes]:
    with open(file, "rb") as stream:
        while piece := stream.read(1 << 20):
            yield piece


def _table(result: Result, rows: int) -> Iterator[str]:
    """Yield the first rows as a table.

    Evidence and better moves become sentences if the result has all columns needed for them.
    """
    types = {**COLUMNS, "names": "VARCHAR[]"}
    columns = zip(result.names, result.types, strict=True)
    available = {name for name, kind in columns if types.get(name) == kind}
    better = {name for name in types if name.startswith("better_")}
    parts = {"evidence", "evidence_values"}
    optional = {"names"} | (better if better <= available else set())
    parts = available & (parts | optional) if parts <= available else set()
    cells = result.cells(rows + 1 if rows else None, parts)
    body = [_worded(dict(zip(result.names, row, strict=True)), parts) for row in cells[: rows or None]]
    headings = zip(result.names, result.numeric(), strict=True)
    visible = [heading for heading in headings if heading[0] not in parts or heading[0] in _SENTENCES]
    lines = table_lines(
        [_SENTENCES[name] if name in parts else name for name, _ in visible],
        [[row[name] for name, _ in visible] for row in body],
        [numeric and name not in parts for name, numeric in visible],
        [_SENTENCES[name] for name in parts & _SENTENCES.keys()],
    )
    yield "".join(f"{line}\n" for line in lines)
    if rows and len(cells) > rows:
        yield "... more rows; --rows 0 shows all\n"


_SENTENCES: Final = {"names": "names", "evidence": "evidence", "better_kind": "better"}
"""Headings of the columns of `mistakes` that are shown as text, by column."""


def _worded(row: dict[str, str | None], parts: Collection[str]) -> dict[str, str | None]:
    """Return the cells of a row, with words instead of the JSON cells in `parts`."""
    if not parts:
        return row
    values = {name: json.loads(row[name] or "null") for name in parts}
    players = apart(values.get("names") or [])
    evidence = evidence_parts({**values, "evidence_values": row["evidence_values"]})
    words = {"names": ", ".join(players), "evidence": sentence(evidence, players)}
    if "better_kind" in parts:
        words["better_kind"] = sentence(better_parts(values), players)
    return {**row, **words}


def _csv(result: Result, raw: bool) -> Iterator[str]:
    """Yield lines of CSV after a header line; cells are escaped unless `raw`."""
    head = ",".join(_quoted(name if raw else safe_cell(name)) for name in result.names)
    head += "\n" if head else ""
    texts = [not number for number in result.numeric()]
    for lines in result.csv("" if raw else SUSPECT):
        yield "".join([head, *(_safe_line(line, texts) if suspect else line for line, suspect in lines)])
        head = ""
    yield head


_CELL: Final = re.compile(r'(?:^|,)("(?:[^"]|"")*"|[^,"]*)')


def _safe_line(line: str, texts: Sequence[bool]) -> str:
    r"""Apply `safe_cell` to the text cells of a CSV line; `texts` tells which cells are text.

    >>> _safe_line('-1,"=1+1,",@x,"",\n', [False, True, True, True, True])
    '-1,"\'=1+1,",\'@x,"",\n'
    """
    cells = []
    for cell, text in zip(_CELL.findall(line.removesuffix("\n")), texts, strict=True):
        if not text or not cell or cell == '""':
            cells.append(cell)
        elif cell.startswith('"'):
            cells.append(_quoted(safe_cell(cell[1:-1].replace('""', '"'))))
        else:
            cells.append(safe_cell(cell))
    return ",".join(cells) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\r\n]', text) or not text else text
