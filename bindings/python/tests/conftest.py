"""Seeds and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# The machine of the checks is shared: no deadline of a single example.
settings.register_profile(
    "default", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20261128)


def circle_pairs(positions: np.ndarray, radius: np.ndarray) -> set[tuple[int, int]]:
    """The pairs of circles that touch, each operation in the dtype of the values."""
    x, y = positions[:, 0], positions[:, 1]
    r = radius[:, None] + radius[None, :]
    dx, dy = np.abs(x[:, None] - x), np.abs(y[:, None] - y)
    touch = (dx * dx + dy * dy <= r * r) & (dx <= r) & (dy <= r)
    return {(int(a), int(b)) for a, b in np.argwhere(np.triu(touch, 1))}


def box_pairs(low: np.ndarray, high: np.ndarray) -> set[tuple[int, int]]:
    """The pairs of boxes that touch."""
    touch = np.ones((len(low), len(low)), dtype=bool)
    for axis in range(2):
        touch &= low[:, None, axis] <= high[None, :, axis]
        touch &= low[None, :, axis] <= high[:, None, axis]
    return {(int(a), int(b)) for a, b in np.argwhere(np.triu(touch, 1))}


def as_set(pairs: np.ndarray) -> set[tuple[int, int]]:
    found = {(int(a), int(b)) for a, b in pairs}
    assert len(found) == len(pairs)
    return found
