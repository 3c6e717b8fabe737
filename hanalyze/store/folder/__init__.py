"""A database that is a folder of Parquet files: written by units, read only through its manifest.

In: logs. Out: files of rows that are written once and never changed, a marker for each unit of work that was
done, and a manifest that says which files count. Everything that may go wrong between these (a worker killed,
two of them at the same unit, a disk full) ends in a file that no manifest names.
"""
