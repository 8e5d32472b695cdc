"""Random valid specs: the three trees against the reference and against each other."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from gen.spec import Spec

from .conftest import assert_clean
from .strategies import elementwise, gemm, norm

SLOW = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@SLOW
@given(elementwise().filter(bool))
def test_any_elementwise_spec(spec: Spec) -> None:
    assert_clean(spec)


@SLOW
@given(gemm().filter(bool))
def test_any_gemm_spec(spec: Spec) -> None:
    assert_clean(spec)


@SLOW
@given(norm().filter(bool))
def test_any_norm_spec(spec: Spec) -> None:
    assert_clean(spec)
