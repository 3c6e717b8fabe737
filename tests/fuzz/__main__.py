"""`python -m tests.fuzz --count 1000000 --seed N`: logs wrong in every way, through the whole package.

Each file of the run is made from the seed and its number alone, so `--seed N --only K` makes it again. What
is found is printed, cut down to the smallest log that shows it, and saved; then the exit code is 1. What is
run on each log, and what only on some, is said in `checking.py`; the closing lines count it. Besides, the
commands are run in process on every eighth of the files of 25 logs and fewer, and as processes on one file
in 400.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from hanalyze.game.defects import Defect
from hanalyze.kernels.compiling import can_compile
from tests.fuzz.bases import make_bases
from tests.fuzz.logs import MUTATIONS
from tests.fuzz.packing import DAMAGES, PACKINGS
from tests.fuzz.rules import RULES
from tests.fuzz.running import Outcome, Pool, run, shrink
from tests.fuzz.shrinking import Budget

_MOST_SHRUNK = 20


def report(outcome: Outcome, seed: int) -> list[str]:
    """Return the lines that say what was run, what came up, and what never did."""
    counts = outcome.counts

    def of(what: str) -> dict[str, int]:
        return {name: number for (kind, name), number in sorted(counts.items()) if kind == what}

    def listed(numbers: dict[str, int]) -> str:
        return ", ".join(
            f"{name} {number:,}" for name, number in sorted(numbers.items(), key=lambda pair: -pair[1])
        )

    rules, defects, packings = of("reject"), of("defect"), of("packing")
    never = {
        "changes": [name for name in MUTATIONS if not outcome.changes[name]],
        "reject rules": [rule for rule in RULES if rule not in rules],
        "defect rules": [defect.label for defect in Defect if defect.label not in defects],
        "packings": [name for name in (*PACKINGS, *DAMAGES) if name not in packings],
    }
    unknown = [rule for rule in rules if rule not in RULES]
    return [
        f"changes: {listed(dict(outcome.changes))}",
        f"rejects: {listed(rules)}",
        f"defects: {listed(defects)}",
        f"packings: {listed(packings)}",
        *(f"never came up, {what}: {', '.join(names)}" for what, names in never.items() if names),
        *([f"reject rules that are not listed: {', '.join(unknown)}"] if unknown else []),
        f"logs by what was run on them: {listed(of('logs'))}",
        f"seed {seed}: {outcome.logs:,} logs in {outcome.files:,} files, {counts['stored', '']:,} stored,"
        f" {sum(rules.values()):,} rejected, {sum(defects.values()):,} defects,"
        f" {sum(outcome.kinds.values()):,} findings of {len(outcome.kinds)} kinds,"
        f" at most {outcome.most_memory >> 20} MiB, {outcome.seconds:.0f} s",
    ]


def main(arguments: list[str] | None = None) -> int:
    """Run, say what came of it, and return the exit code."""
    parser = argparse.ArgumentParser(
        "python -m tests.fuzz", description=(__doc__ or "").split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--count", type=int, default=20_000, help="logs to check")
    parser.add_argument("--seed", type=int, default=1, help="what all files are made from")
    parser.add_argument("--minutes", type=float, help="stop after so many")
    parser.add_argument("--only", type=int, metavar="K", help="check file K of the run alone")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes, by default one a core"
    )
    parser.add_argument("--interpreted", action="store_true", help="do without the compiler")
    parser.add_argument(
        "--save", type=Path, default=Path("fuzz-findings"), metavar="DIR", help="where findings go"
    )
    wish = parser.parse_args(arguments)
    bases = make_bases(wish.seed)
    compiled = can_compile() and not wish.interpreted
    with Pool(bases, jobs=1 if wish.only is not None else wish.jobs, compiled=compiled) as pool:
        outcome = run(pool, seed=wish.seed, count=wish.count, minutes=wish.minutes, only=wish.only, say=_say)
    for found in outcome.found[:_MOST_SHRUNK]:
        with Pool(bases, compiled=compiled) as pool:
            found.shrunk = shrink(pool, wish.seed, found.number, found.finding.kind, bases, Budget(600, 90))
        name = re.sub(r"[^a-z0-9]+", "-", found.finding.kind.lower())[:60]
        if found.shrunk is None:
            _say(f"{found.finding.kind}: --only {found.number} does not show it again")
            continue
        wish.save.mkdir(exist_ok=True)
        path = wish.save / f"{wish.seed}-{found.number}-{name}.log"
        path.write_bytes(found.shrunk)
        _say(f"{found.finding.kind}: {path}, {len(found.shrunk)} bytes: {found.shrunk[:600]!a}")
    for line in report(outcome, wish.seed):
        _say(line)
    return 1 if outcome.kinds else 0


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
