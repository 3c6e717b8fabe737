"""Print the lower bounds of pyproject.toml as exact versions, as constraints for pip: `python .ci/lowest.py`.

Those of the package and of all its extras but `dev` and `docs`: users need no linters and build no site.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))["project"]
extras = project["optional-dependencies"]
own = [one for name in extras if name not in ("dev", "docs") for one in extras[name]]
wanted = project["dependencies"] + own
print(*sorted({re.sub(">=", "==", one) for one in wanted if ">=" in one}), sep="\n")
