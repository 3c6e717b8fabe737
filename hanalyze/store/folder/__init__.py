"""Databases that are folders of Parquet files: written by units of work, read through a manifest.

Files of rows are never changed. Readers use only files that the manifest names, and so ignore the files of a
killed worker.
"""
