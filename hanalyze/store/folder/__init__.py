"""Databases that are folders of Parquet files: written by units of work, read through a manifest.

Files of rows are written once and never changed. A file counts only if the manifest names it, so whatever a
killed worker or a full disk leaves behind is ignored.
"""
