"""A tensor of a queue is used between AllocTensor and FreeTensor only, whoever holds its buffer afterwards."""

from __future__ import annotations

import pytest

from tests.face_ascendc.bodies import Suite
from tests.face_ascendc.harness import CHIPS, said

_HEAD = """
    GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)x, 16384);
    TPipe pipe; TQue<TPosition::VECIN, 1> queue; pipe.InitBuffer(queue, 1, 1024);
    TBuf<> buf; pipe.InitBuffer(buf, 1024); LocalTensor<float> u = buf.Get<float>();
    LocalTensor<float> t = queue.AllocTensor<float>();
    DataCopy(t, g, 256);
    queue.EnQue(t);
    t = queue.DeQue<float>();
"""

USED_AFTER_FREE = {
    "by a vector instruction": "queue.FreeTensor(t); Adds(u, t, 1.0f, 256);",
    "in part": "queue.FreeTensor(t); Adds(u, t[64], 1.0f, 64);",
    "as another type": "auto bits = t.ReinterpretCast<int32_t>(); queue.FreeTensor(t); Adds(bits, bits, 1, 256);",
    "by the scalar unit": "queue.FreeTensor(t); float v = t.GetValue(3); u.SetValue(0, v);",
    "when the buffer holds a new tile": """
    Adds(u, t, 1.0f, 256);
    queue.FreeTensor(t);
    LocalTensor<float> next = queue.AllocTensor<float>();
    DataCopy(next, g[256], 256);
    queue.EnQue(next);
    next = queue.DeQue<float>();
    Add(u, next, t, 256);
    queue.FreeTensor(next);""",
}
RIGHT = {
    "freed after its last use": "Adds(u, t, 1.0f, 256); queue.FreeTensor(t);",
    "a new handle of the same buffer": """
    Adds(u, t, 1.0f, 256);
    queue.FreeTensor(t);
    t = queue.AllocTensor<float>();
    DataCopy(t, g[256], 256);
    queue.EnQue(t);
    t = queue.DeQue<float>();
    Add(u, u, t, 256);
    queue.FreeTensor(t);""",
    "scratch memory is never freed": "queue.FreeTensor(t); Adds(u, u, 1.0f, 256);",
}
SUITE = Suite({name: _HEAD + body for name, body in {**USED_AFTER_FREE, **RIGHT}.items()})

chips = pytest.mark.parametrize("chip", CHIPS)


@chips
@pytest.mark.parametrize("name", USED_AFTER_FREE)
def test_a_freed_tensor_is_reported_where_it_is_freed_and_where_it_is_used(
    chip: str, name: str
) -> None:
    done = SUITE.verdict(name, chip)
    assert [f.code for f in done.errors] == ["queue-free"], said(done)
    (finding,) = done.errors
    assert "used after FreeTensor" in finding.message
    assert finding.first is not None
    assert finding.first.op == "FreeTensor"
    assert finding.first.line is not None
    assert finding.second is not None
    assert finding.second.line is not None


@chips
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_used_in_time_is_fine(chip: str, name: str) -> None:
    done = SUITE.verdict(name, chip)
    assert done.clean, said(done)
