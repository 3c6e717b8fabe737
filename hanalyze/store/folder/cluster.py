"""Run units of work on a Dask cluster, which distributes and retries the units.

If a worker dies, another worker restarts its unit; if the scheduler dies, the same command continues the run.
All workers need the same version of hanalyze, the logs under the same paths, and access to the folder.
"""

from __future__ import annotations

import itertools
import logging
import os
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final

from hanalyze.errors import HanalyzeError
from hanalyze.game.editions import RULES_VERSION
from hanalyze.lazy import needed
from hanalyze.store.folder.run_unit import Target, UnitResult, run_unit
from hanalyze.store.folder.units import Unit
from hanalyze.tables import TABLES_VERSION
from hanalyze.tables.conventions import CONVENTIONS_VERSION
from hanalyze.text import printable, shorten
from hanalyze.version import __version__

LOCAL: Final = "local"
"""Name for a cluster of local processes, which ends with the run."""

_log = logging.getLogger("hanalyze")

_AT_ONCE: Final = 1_000
"""Maximum number of units submitted to the scheduler at a time, because each unit takes memory."""
_RETRIES: Final = 2
"""Number of retries of a failed unit; the next worker may have more memory."""
_VERSIONS: Final = (__version__, RULES_VERSION, TABLES_VERSION, CONVENTIONS_VERSION)
"""Versions that must be the same on all workers."""


def done_by_cluster(
    cluster: str, units: Sequence[Unit], target: Target, *, workers: int | None = None
) -> Iterator[tuple[Unit, UnitResult]]:
    """Yield units with their results (see `run_unit`) in order of completion.

    `cluster` and `workers` are those of `Database.ingest`; local processes have one thread each. Raises the
    `HanalyzeError` of a unit, or one with the rule `no_scheduler`, `workers_lost` (every worker that took a
    unit died), `worker_failed`, `scheduler_lost`, `other_version` or `no_distributed`.
    """
    distributed = needed("distributed")
    with _client(distributed, cluster, workers) as client:
        _log.info("Dask's dashboard: %s", printable(client.dashboard_link))
        if not client.nthreads():
            _log.info("no worker has joined %s yet", printable(cluster))
        run = secrets.token_hex(4)
        waiting = iter(units)
        submitted: dict[str, Unit] = {}

        def submit(count: int) -> list[Any]:
            futures = []
            for unit in itertools.islice(waiting, count):
                key = f"hanalyze-{unit.key}-{run}"
                submitted[key] = unit
                retries = 0 if target.strict else _RETRIES
                future = client.submit(_work, unit, target, _VERSIONS, key=key, pure=False, retries=retries)
                futures.append(future)
            return futures

        done = distributed.as_completed(submit(_AT_ONCE), loop=client.loop)
        try:
            for future in done:
                unit = submitted.pop(future.key)
                yield unit, _result(distributed, future, unit)
                done.update(submit(1))
        finally:
            # If a run ends early, no further units are started.
            client.cancel(list(done.futures), force=True) if client.status == "running" else None


def _work(unit: Unit, target: Target, versions: tuple[str, int, int, int]) -> UnitResult:
    """Process a unit on a worker. Raises `HanalyzeError` (rule `other_version`) if the versions differ."""
    if versions != _VERSIONS:
        own, rules, tables, conventions = _VERSIONS
        problem = f"a worker has hanalyze {own} (rules {rules}, tables {tables}, conventions {conventions})"
        problem += f", not {versions[0]} ({versions[1]}, {versions[2]}, {versions[3]})"
        advice = "install the same version everywhere"
        raise HanalyzeError(problem, rule="other_version", advice=advice)
    return run_unit(unit, target)


def _result(distributed: Any, future: Any, unit: Unit) -> UnitResult:
    """Return the result of a unit; raise its error as a `HanalyzeError`."""
    try:
        result: UnitResult = future.result()
        return result
    except HanalyzeError:
        raise
    except distributed.KilledWorker as error:
        advice = f"see the log of {shorten(str(error.last_worker))}; give workers more memory"
        problem, rule = "every worker that took this unit died", "workers_lost"
        raise HanalyzeError(problem, rule=rule, file=unit.path, advice=advice) from None
    except (CancelledError, OSError) as error:
        problem = f"the scheduler is gone ({shorten(str(error) or type(error).__name__)})"
        advice = "run the same command again: finished units are not repeated"
        raise HanalyzeError(problem, rule="scheduler_lost", advice=advice) from None
    except Exception as error:
        problem = f"a worker failed: {type(error).__name__}: {shorten(str(error))}"
        advice = "check that hanalyze is installed on the workers"
        raise HanalyzeError(problem, rule="worker_failed", file=unit.path, advice=advice) from error


@contextmanager
def _client(distributed: Any, cluster: str, workers: int | None) -> Iterator[Any]:
    """Yield a client of a cluster; start and stop a local one. Raises `HanalyzeError` (`no_scheduler`)."""
    with _local(distributed, workers) if cluster == LOCAL else nullcontext(cluster) as address:
        try:
            client = distributed.Client(address, set_as_default=False)
        except (OSError, ValueError, RuntimeError) as error:
            problem = f"no scheduler answers at {shorten(cluster)} ({shorten(str(error))})"
            advice = "start one with `dask scheduler`, or use --cluster local"
            raise HanalyzeError(problem, rule="no_scheduler", advice=advice) from None
        with client:
            yield client


def _local(distributed: Any, workers: int | None) -> AbstractContextManager[Any]:
    dask = needed("dask")
    # Each worker has one core, so a library must not start a thread for every core of the machine.
    dask.config.set({"distributed.nanny.pre-spawn-environ.POLARS_MAX_THREADS": 1})
    cluster: AbstractContextManager[Any] = distributed.LocalCluster(
        n_workers=workers or os.cpu_count() or 1,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.ERROR,
    )
    return cluster
