"""What a wheel holds besides the package: the sample logs, for `hanalyze demo`.

In: the folder `sample_logs`. Out: in the wheel `hanalyze/sample_logs`. An editable install gets no copy of
them: `hanalyze.logs.sources.file_search` finds the folder itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SampleLogs(BuildHookInterface):
    """Hatchling's way to add files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the logs, and where they come from; the script that makes them needs the repository."""
        if version == "editable":
            return
        for path in sorted(Path(self.root, "sample_logs").iterdir()):
            if path.is_file() and path.suffix != ".py":
                build_data["force_include"][str(path)] = f"hanalyze/sample_logs/{path.name}"
