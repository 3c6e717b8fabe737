"""Hypothesis's settings for all tests: no time limits, since a busy machine takes as long as it takes.

`-m hypothesis --hypothesis-profile many` runs all properties with more examples, as CI does.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The other health checks stay: what they find does not depend on the machine. Both profiles inherit from
# Hypothesis's own for CI where that applies, and so choose the same examples in each run there.
for name, examples in (("few", 8), ("many", 100)):
    settings.register_profile(
        name, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("few")
