"""Search for log files in paths, folders and patterns."""

from __future__ import annotations

import glob
import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hanalyze.errors import LogError
from hanalyze.logs.formats.registry import HANAB_LIVE, HEAD, format_of
from hanalyze.logs.sources.site import game_reference

MORE_ENDINGS: Final = (".log", ".txt", ".safetensors")
"""Endings of files that are read from a folder only if a format other than hanab.live's recognises them."""
ENDINGS: Final = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
"""Endings of files that are read from a folder; a file given by its own path can have any ending."""


def files_of(path: str) -> list[str]:
    """Return the files of a path: the logs in a folder, the files that match a pattern, or the path itself.

    A missing file and a folder without read permission stay in the list, so that reading them raises the
    error. Raises `LogError`: rule `no_file` for a folder without logs or a pattern without a match, rule
    `bad_link` for a link to the site that is not a link to a game.

    >>> files_of("-"), files_of("no-such-file.json")
    (['-'], ['no-such-file.json'])
    """
    if game_reference(path) is not None:
        return [path]
    if os.path.isdir(path):
        files: list[str] = []
        has_tables = False

        def keep(error: OSError) -> None:
            files.append(os.fspath(error.filename))

        for folder, _, names in os.walk(path, onerror=keep):
            paths = [(os.path.join(folder, name), name.lower()) for name in names]
            has_tables |= any(name.endswith(".parquet") for _, name in paths)
            files += [
                file
                for file, name in paths
                if name.endswith(ENDINGS) or (name.endswith(MORE_ENDINGS) and _is_recognised(file))
            ]
        if not files:
            advice = "logs end in " + ", ".join(ENDINGS)
            if has_tables:
                advice = f"if it is a database, `hanalyze info {shlex.quote(path)}` describes it"
            raise LogError("there is no log in this folder", rule="no_file", file=path, advice=advice)
        return sorted(files)
    if glob.has_magic(path) and not os.path.lexists(path):
        fitting = sorted(match for match in glob.glob(path, recursive=True) if os.path.isfile(match))
        if not fitting:
            what = "there is no such file, and no file matches it as a pattern"
            raise LogError(what, rule="no_file", file=path)
        return fitting
    return [path]


def _is_recognised(file: str) -> bool:
    """Return whether a file is not read as hanab.live's JSON: another format or no format recognises it."""
    try:
        with open(file, "rb") as stream:
            return format_of(stream.read(HEAD)).name != HANAB_LIVE.name
    except OSError:
        return False


def find_files(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return the files of all paths without duplicates; see `files_of`."""
    return list(dict.fromkeys(file for path in paths for file in files_of(os.fspath(path))))


def sample_folder() -> Path:
    """Return the folder of the sample logs. Raises `LogError` (rule `no_file`) if it does not exist.

    >>> (sample_folder() / "SOURCE.md").exists()
    True
    """
    package = Path(__file__).parents[2]
    # An installed package contains the sample logs; a source checkout has them beside the package.
    for folder in (package / "sample_logs", package.parent / "sample_logs"):
        if (folder / "game.json").is_file():
            return folder
    raise LogError("the sample logs are missing", rule="no_file", advice="reinstall hanalyze")


def sample_logs() -> list[Path]:
    """Return the files with sample logs, sorted by name.

    >>> [path.name for path in sample_logs()]
    ['array.json.gz', 'broken.jsonl', 'editions.jsonl', 'endings.jsonl', 'game.json', 'games.jsonl']
    """
    return sorted(path for path in sample_folder().iterdir() if ".json" in path.name)
