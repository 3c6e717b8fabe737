"""Databases that are folders of Parquet files: written by units of work, read through a manifest.

Files of rows are never changed. They count only if the manifest names them, so the files of a killed worker
do not count.
"""
