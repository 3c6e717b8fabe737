"""The partial sums of a folder as views in the schema `sums`: those of its units, and later ones.

`later.sums.gone` lists the parts of units that are stale.
"""

from __future__ import annotations

from typing import Final

from hanalyze.lazy import duckdb
from hanalyze.store.folder.manifest import Manifest
from hanalyze.store.folder.storage import Place
from hanalyze.store.part_sums import tables_of_sums, versions_kept
from hanalyze.store.schema import LATER, quoted

SUMS: Final = "sums"
"""The folder of their files."""
LATER_SUMS: Final = f"{LATER}.sums"
GONE: Final = f"{LATER_SUMS}.gone"


def show_sums(connection: duckdb.DuckDBPyConnection, place: Place, manifest: Manifest) -> None:
    """Let the sums that a connection has be those of a manifest and of what was found later.

    They are of one version: that of the sums that were made later, else of those that were written last.
    """
    connection.execute("DROP SCHEMA IF EXISTS sums CASCADE")
    later = tables_of_sums(connection, LATER_SUMS)
    versions = versions_kept(connection, LATER_SUMS) if later else manifest.makers()
    if not versions:
        return
    files: dict[str, list[str]] = {}
    for _, part in manifest.sums(versions):
        files.setdefault(part.table.partition("/")[2], []).append(quoted(place.address(part.name)))
    if not files and not later:
        return
    connection.execute("CREATE SCHEMA sums")
    connection.execute("CREATE TABLE sums.makers (name VARCHAR, version VARCHAR)")
    for name, version in versions.items():
        connection.execute("INSERT INTO sums.makers VALUES (?, ?)", [name, version])
    counts = f" WHERE part NOT IN (SELECT gone.part FROM {GONE} gone)" if later else ""
    for table in sorted({*files, *later} - {"makers", "gone"}):
        queries = []
        if table in files:
            listed = ", ".join(files[table])
            queries.append(f"SELECT * FROM read_parquet([{listed}], hive_partitioning = false){counts}")
        if table in later:
            queries.append(f"SELECT * FROM {LATER_SUMS}.{table}")
        connection.execute(f"CREATE VIEW sums.{table} AS\n" + "\nUNION ALL BY NAME\n".join(queries))
