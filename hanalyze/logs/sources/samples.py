"""The sample logs that come with the project and the package."""

from __future__ import annotations

from pathlib import Path

from hanalyze.errors import LogError


def sample_folder() -> Path:
    """Return the folder of the sample logs. Raises `LogError` (rule `no_file`) where there is none.

    >>> (sample_folder() / "SOURCE.md").exists()
    True
    """
    package = Path(__file__).parents[1]
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
