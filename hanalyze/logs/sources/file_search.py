"""Finds the files of logs in paths, folders and patterns."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hanalyze.errors import LogError
from hanalyze.logs.sources.game_references import named

MORE_ENDINGS: Final = (".log", ".txt", ".safetensors")
"""Endings of the files that are taken from a folder where a format other than JSON recognises them."""
ENDINGS: Final = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
"""Endings of the files that are taken from a folder; a file that is named itself may have any."""


def files_of(path: str) -> list[str]:
    """Return the files that a path means.

    A file that does not exist, and a folder that may not be searched, stay in the list: reading them says so.
    Raises `LogError` (rule `no_file`) for a folder without a log, and for a pattern that nothing fits; (rule
    `bad_link`) for a link to the site that is none to a game.

    >>> files_of("-"), files_of("no-such-file.json")
    (['-'], ['no-such-file.json'])
    """
    if named(path) is not None:
        return [path]
    if os.path.isdir(path):
        files: list[str] = []

        def keep(error: OSError) -> None:
            files.append(os.fspath(error.filename))

        for folder, _, names in os.walk(path, onerror=keep):
            paths = [(os.path.join(folder, name), name.lower()) for name in names]
            files += [
                file
                for file, name in paths
                if name.endswith(ENDINGS) or (name.endswith(MORE_ENDINGS) and _is_recognised(file))
            ]
        if not files:
            advice = "logs end in " + ", ".join(ENDINGS)
            raise LogError("there is no log in this folder", rule="no_file", file=path, advice=advice)
        return sorted(files)
    if glob.has_magic(path) and not os.path.lexists(path):
        fitting = sorted(one for one in glob.glob(path, recursive=True) if os.path.isfile(one))
        if not fitting:
            what = "there is no such file, and no file matches it as a pattern"
            raise LogError(what, rule="no_file", file=path)
        return fitting
    return [path]


def _is_recognised(file: str) -> bool:
    """Return whether a file is in a format that is recognised by its content."""
    from hanalyze.logs.formats.registry import (  # most folders have no such file
        HANAB_LIVE,
        HEAD,
        format_of,
    )

    try:
        with open(file, "rb") as stream:
            return format_of(stream.read(HEAD)).name != HANAB_LIVE.name
    except OSError:
        return False


def find_files(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return the files that paths mean, each once; see `files_of`."""
    return list(dict.fromkeys(file for path in paths for file in files_of(os.fspath(path))))


def sample_folder() -> Path:
    """Return the folder of the sample logs. Raises `LogError` (rule `no_file`) where there is none.

    >>> (sample_folder() / "SOURCE.md").exists()
    True
    """
    package = Path(__file__).parents[2]
    # In what is installed they are in the package, in a checkout beside it.
    for folder in (package / "sample_logs", package.parent / "sample_logs"):
        if (folder / "game.json").is_file():
            return folder
    raise LogError("the sample logs are missing", rule="no_file", advice="reinstall hanalyze")


def sample_logs() -> list[Path]:
    """Return the files with sample logs, by name.

    >>> [path.name for path in sample_logs()]
    ['array.json.gz', 'broken.jsonl', 'editions.jsonl', 'endings.jsonl', 'game.json', 'games.jsonl']
    """
    return sorted(path for path in sample_folder().iterdir() if ".json" in path.name)
