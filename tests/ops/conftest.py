"""The instruction bodies, compiled once per content."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import numpy as np
import pytest

from tests.ops.ops_model import Chip, Model, build, locked


@pytest.fixture(autouse=True)
def quiet_numpy() -> Iterator[None]:
    """References meet NaN and infinity on purpose."""
    with np.errstate(all="ignore"):
        yield


@pytest.fixture(scope="session")
def library(pytestconfig: pytest.Config) -> ctypes.CDLL:
    folder = pytestconfig.cache.mkdir("ops")
    with locked(folder):
        return ctypes.CDLL(str(build(folder)))


@pytest.fixture(params=[Chip.A2, Chip.A5], ids=["2201", "3510"])
def chip(request: pytest.FixtureRequest) -> Chip:
    return request.param


@pytest.fixture
def model(library: ctypes.CDLL, chip: Chip) -> Model:
    """A core of each chip with poisoned memories."""
    m = Model(library)
    m.reset(chip)
    return m


@pytest.fixture
def a2(library: ctypes.CDLL) -> Model:
    return Model(library)


@pytest.fixture
def a5(library: ctypes.CDLL) -> Model:
    m = Model(library)
    m.reset(Chip.A5)
    return m
