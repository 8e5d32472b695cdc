"""What kernels stored in global memory can be kept, whatever the host program does with it afterwards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sim_cases import program

from gen.sim import Profile, Run, run_program


def kept(case: str, folder: Path, **profile: object) -> Run:
    settings = Profile(**{"chip": "2201", "auto_sync": False, **profile})  # type: ignore[arg-type]
    return run_program(program("memory"), argv=[case], profile=settings, timeout=60, outputs=folder)


def test_a_tensor_that_a_kernel_wrote_is_kept_under_its_name(tmp_path: Path) -> None:
    run = kept("blocks_apart", tmp_path / "made")
    assert [(o.index, o.name, o.bytes) for o in run.outputs] == [(1, "out", 65536)]
    assert run.outputs[0].path == tmp_path / "made" / "1_out.bin"
    got = np.fromfile(run.outputs[0].path, np.uint8)
    assert got.size == 65536
    assert (
        run.tensors[1].written_bytes == np.count_nonzero(got.reshape(-1, 1024).any(axis=1)) * 1024
    )


@pytest.mark.parametrize("hazards", [True, False])
def test_a_tensor_without_a_name_is_kept_as_the_argument_it_was(
    tmp_path: Path, hazards: bool
) -> None:
    run = kept("whole_output", tmp_path, hazards=hazards)
    assert [(o.index, o.name, o.bytes) for o in run.outputs] == [(2, "argument 3", 65531)]
    assert run.outputs[0].path.name == "2_argument_3.bin"


def test_nothing_is_kept_unless_it_is_asked_for() -> None:
    run = run_program(
        program("memory"), argv=["blocks_apart"], profile=Profile(auto_sync=False), timeout=60
    )
    assert run.clean
    assert run.outputs == ()


def test_a_kernel_that_writes_nothing_leaves_nothing(tmp_path: Path) -> None:
    assert kept("inside_buffer", tmp_path).outputs == ()
    assert list(tmp_path.iterdir()) == []
