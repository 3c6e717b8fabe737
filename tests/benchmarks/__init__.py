"""Benchmarks: how fast, always beside something else that was measured in the same run.

Machines are shared and noisy, so a figure alone says little: each benchmark prints its ratio to a yardstick,
and the median of several runs.
"""
