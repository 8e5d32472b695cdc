"""A tape that is not whole, not a tape, or not for these tensors is refused in one sentence."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from gen.sim import run_program
from gen.sim.profile import Profile
from gen.sim.tape import (
    Core,
    Global,
    Local,
    NeedsValueError,
    Register,
    TapeError,
    TapeTensor,
    TapeWriter,
)
from tests.tape.kernels import SIZE, record, run, values, window, write, writer

Damage = Callable[[bytes], bytes]


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


DAMAGE: dict[str, tuple[Damage, str]] = {
    "empty": (lambda data: b"", "is no tape"),
    "foreign": (lambda data: b"\x7fELF" + data, "is no tape"),
    "only a head": (lambda data: data[:20], "is cut off"),
    "cut off": (lambda data: data[:-1], "is cut off: "),
    "half": (lambda data: data[: len(data) // 2], "is cut off: "),
    "flipped": (flipped, "is damaged: its checksum does not match"),
    "longer": (lambda data: data + b"x", "is damaged"),
    "of another version": (
        lambda data: data[:8] + struct.pack("<I", 99) + data[12:],
        "is a tape of version 99, not 1; record it again",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_is_refused(tmp_path: Path, name: str) -> None:
    damage, complaint = DAMAGE[name]
    program = write(tmp_path / "add.tape")
    file = tmp_path / "add.tape"
    file.write_bytes(damage(file.read_bytes()))
    done, _ = run(program, tmp_path)
    assert done.crashed is not None
    assert str(file) in done.crashed
    assert complaint in done.crashed
    assert not done.clean


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    program = write(tmp_path / "add.tape")
    (tmp_path / "add.tape").unlink()
    done, _ = run(program, tmp_path)
    assert done.crashed == f"cannot open the tape {tmp_path / 'add.tape'}"


def test_tensors_must_have_the_size_that_the_kernel_was_recorded_for(tmp_path: Path) -> None:
    program = write(tmp_path / "add.tape")
    values().tofile(tmp_path / "X")
    argv = [f"X:in:{4 * SIZE - 32}:{tmp_path / 'X'}", f"Z:out:{4 * SIZE}:{tmp_path / 'Z'}"]
    done = run_program(program, argv=argv, profile=Profile(), timeout=60)
    assert done.crashed == (
        f"the kernel was recorded for a tensor X of {4 * SIZE} bytes; "
        f"it was given one of {4 * SIZE - 32}"
    )


def test_a_tensor_must_be_given(tmp_path: Path) -> None:
    done = run_program(write(tmp_path / "add.tape"), profile=Profile(), timeout=60)
    assert done.crashed is not None
    assert "no tensor of this name was given: X" in done.stderr


X = Global(0, "float32")
REFUSED: dict[str, tuple[tuple[object, ...], str]] = {
    "unknown": (("Prelu", window(0), window(0)), "AscendC::Prelu"),
    "type": (
        ("Exp", Local("VECCALC", "int32", 0, 8, 0, 32), Local("VECCALC", "int32", 0, 8, 0, 32), 8),
        "AscendC::Exp of int32_t, which this chip does not have",
    ),
    "two types": (
        ("Adds", window(0), window(0).cast("int32"), 1.0, 8),
        "AscendC::Adds (argument 2 has another element type than this call takes there)",
    ),
    "missing": (("Adds", window(0), window(0), 1.0), "AscendC::Adds (with 3 arguments)"),
    "no tensor": (("Exp", 1, window(0), 8), "AscendC::Exp (argument 1 is no tensor)"),
    "global": (
        ("Exp", X, window(0), 8),
        "AscendC::Exp (argument 1 is no tensor in on-chip memory)",
    ),
    "form": (("DataCopy", window(0), X, 1, 2), "AscendC::DataCopy (with 4 arguments)"),
    "event": (
        ("SetFlag", "MTE2_X", 0),
        "AscendC::SetFlag (argument 1 is no pair of pipes that has event flags)",
    ),
    "pipe": (
        ("PipeBarrier", "V"),
        "AscendC::PipeBarrier (argument 1 is no pipe that this call takes)",
    ),
    "position": (
        ("Exp", Local("GM", "float32", 0, 8, 0, 32), window(0), 8),
        "AscendC::Exp (argument 1 is at a position without a memory)",
    ),
    "mode": (
        ("CrossCoreSetFlag", 3, "PIPE_MTE3", 1),
        "AscendC::CrossCoreSetFlag (argument 1 is no mode of flags between cores)",
    ),
    "cast": (
        ("Cast", window(0).cast("int8"), window(0), "CAST_RINT", 8),
        "AscendC::Cast (argument 2 has a type that this chip does not convert to the first one's)",
    ),
    "rounding": (
        ("Cast", window(0).cast("float16"), window(0), "CAST_UP", 8),
        "AscendC::Cast (argument 3 is a name that this call does not take)",
    ),
    "dump": (
        ("PRINTF", "%p", 1),
        "AscendC::PRINTF (argument 1 has a conversion that is not modelled)",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_model_lacks_is_unsupported(tmp_path: Path, name: str) -> None:
    (call, *arguments), what = REFUSED[name]

    def recorder(core: Core) -> None:
        record(core)
        if core.name == "aiv0":
            core.call(str(call), core.place([("add", "add.py", 1)]), *arguments)  # type: ignore[arg-type]

    done, _ = run(write(tmp_path / "add.tape", recorder), tmp_path)
    assert done.unsupported == what
    assert not done.clean


def written(**changes: object) -> TapeWriter:
    settings: dict[str, object] = {"kernel": "k", "kind": "mix_1_1", "blocks": 2, "tensors": []}
    return TapeWriter(**settings | changes)  # type: ignore[arg-type]


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "kind": (lambda: written(kind="mix"), "there is no kind of kernel 'mix': one of vector, "),
    "blocks": (lambda: written(blocks=0), "launched on 1 block or more, not on 0"),
    "type": (
        lambda: written(tensors=[TapeTensor("A", "fp8", "in", 4)]),
        "A: no element type 'fp8': float32, ",
    ),
    "role": (
        lambda: written(tensors=[TapeTensor("A", "int8", "both", 4)]),
        "A: no role 'both': one of in, out, inout, workspace",
    ),
    "core": (lambda: written().core(1, "aiv1"), "a mix_1_1 kernel on 2 blocks has no aiv1 of 1"),
    "block": (lambda: written().core(2, "aic"), "a mix_1_1 kernel on 2 blocks has no aic of 2"),
    "place": (lambda: written().core(0, "aic").call("TPipe", 5), "TPipe: place 5 is not one that "),
    "live": (lambda: written().live(0, "aic"), "a live core needs the command that starts "),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_writer_says_what_is_wrong(name: str) -> None:
    action, complaint = WRONG[name]
    with pytest.raises(TapeError, match=complaint):
        action()


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ([1], "an argument of type list cannot be written"),
        (1 << 64, "does not fit into 64 bits"),
        (Local("UB", "float32", 0, 8, 0, 32), "no position 'UB'"),
        (Local("VECCALC", "float32", 0, 1 << 40, 0, 32), "does not fit into 32 bits"),
        (Global(0, "fp8"), "no element type 'fp8'"),
    ],
)
def test_an_argument_that_no_tape_can_hold_is_refused(argument: object, complaint: str) -> None:
    core = written().core(0, "aic")
    with pytest.raises(TapeError, match=complaint):
        core.call("Exp", core.place([("f", "f.py", 1)]), argument)  # type: ignore[arg-type]


def test_a_core_that_was_not_recorded_is_missed(tmp_path: Path) -> None:
    tape = writer()
    record(tape.core(0, "aic"))
    with pytest.raises(TapeError, match="aiv0 of block 0 was not recorded"):
        tape.write(tmp_path / "add.tape")


def test_a_stored_tape_knows_no_values() -> None:
    core = writer().core(0, "aiv0")
    register = core.read_scalar(core.place([("f", "f.py", 1)]), window(0), 3)
    assert register == Register(0, "float32")
    with pytest.raises(NeedsValueError, match="aiv0 of block 0 needs a value"):
        core.value(register)


def test_views_count_as_those_of_the_api_do() -> None:
    tile = Local("VECCALC", "float32", 64, 16, 64, 128)
    assert tile.at(4) == Local("VECCALC", "float32", 80, 12, 64, 128)
    assert tile.at(16).elements == 0
    assert tile.at(-20).address == 2**32 - 16
    assert tile.cast("int8") == Local("VECCALC", "int8", 64, 64, 64, 128)
    assert Global(1, "float16", 3).at(-5) == Global(1, "float16", -2)
