"""``gen run`` judges any kernel file, and never calls clean what did not run to its end and compute something."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")

KERNEL = """// launch: blocks=1 x=float32[64]:in y=float32[64]:out
#include "kernel_operator.h"
#include <csignal>
using namespace AscendC;

__global__ __vector__ void copied(GM_ADDR x, GM_ADDR y)
{
    LocalTensor<float> a(TPosition::VECCALC, 0, 64);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 64);
    gy.SetGlobalBuffer((__gm__ float*)y, 64);
    DataCopy(a, gx, 64);
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    @@
    DataCopy(gy, a, 64);
}
"""
RACE = KERNEL.replace("WaitFlag<HardEvent::MTE2_MTE3>(0);", "")
HOST = """#include "acl/acl.h"
#include "kernel_operator.h"
#include <cstdio>

__global__ __vector__ void nothing(GM_ADDR x) {}

int main()
{
    @@
    return 0;
}
"""
DOUBLED = """import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def doubled(n, dtype="float32"):
    @T.prim_func
    def main(x: T.Tensor((n,), dtype), y: T.Tensor((n,), dtype)):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((n // 2,), dtype)
            T.copy(x[vid * (n // 2)], a)
            T.barrier_all()
            T.tile.add(a, a, a)
            T.barrier_all()
            T.copy(a, y[vid * (n // 2)])

    return main
"""


@pytest.fixture
def kernel(tmp_path):
    """Writes a kernel whose middle is `body`; returns its path."""

    def write(body: str = "", text: str = KERNEL, name: str = "copied.asc"):
        path = tmp_path / name
        path.write_text(text.replace("@@", body))
        return path

    return write


def verdict_of(result) -> dict:
    return json.loads(result.out)["verdict"]


# ---- what a verdict says ---------------------------------------------------------------------------------------------


def test_a_clean_kernel(gen, kernel):
    result = gen("run", kernel())
    assert (result.status, result.err) == (0, "")
    assert "clean" in result.out
    assert "judged for chip=2201, auto_sync=on, flag_identity=doc, xflag=counter" in result.out
    assert "output y: float32[64], sha256 " in result.out


def test_the_digest_tells_equal_outputs_from_others(gen, kernel):
    path = kernel()
    one, same, other = (
        verdict_of(gen("run", path, "--json", "--seed", seed))["outputs"][0] for seed in (1, 1, 2)
    )
    assert one == same
    assert one["sha256"] != other["sha256"]


def test_a_race_at_the_kernels_own_lines(gen, kernel):
    path = kernel(text=RACE)
    result = gen("run", path, "--json")
    assert result.status == 1
    verdict = verdict_of(result)
    assert (verdict["outcome"], verdict["clean"]) == ("findings", False)
    (finding,) = [f for f in verdict["findings"] if f["code"] == "race-raw"]
    assert finding["edge"] == "MTE2→MTE3"
    texts = [place["text"].strip() for place in finding["places"]]
    assert texts == ["DataCopy(a, gx, 64);", "DataCopy(gy, a, 64);"]
    assert {place["file"] for place in finding["places"]} == {str(path)}


def test_every_verdict_names_its_profile(gen, kernel):
    options = ("--auto-sync", "off", "--flag-identity", "strict", "--xflag", "binary")
    verdict = verdict_of(gen("run", kernel(), "--chip", "950", *options, "--json"))
    assert verdict["profile"] == {
        "chip": "3510",
        "auto_sync": "off",
        "flag_identity": "strict",
        "xflag": "binary",
        "k_tail": "group",
    }


def test_a_launch_from_the_command_line(gen, kernel):
    launch = "blocks=1 x=float32[64]{arange}:in y=float32[64]:out"
    assert gen("run", kernel(), "--launch", launch).status == 0


def test_inputs_from_files(gen, kernel, tmp_path):
    path = kernel()
    array = np.arange(64, dtype=np.float32)
    np.save(tmp_path / "x.npy", array)
    array.tofile(tmp_path / "x.bin")
    made = [
        verdict_of(gen("run", path, "--input", f"x={tmp_path / name}", "--json"))["outputs"]
        for name in ("x.npy", "x.bin")
    ]
    assert made[0] == made[1]


def test_a_host_program_of_its_own(gen, kernel):
    copies = (
        "uint8_t* x = nullptr; aclrtMalloc((void**)&x, 256, ACL_MEM_MALLOC_HUGE_FIRST);"
        "uint8_t* y = nullptr; aclrtMalloc((void**)&y, 256, ACL_MEM_MALLOC_HUGE_FIRST);"
        "float host[64] = {}; aclrtMemcpy(x, 256, host, 256, ACL_MEMCPY_HOST_TO_DEVICE);"
        "copied<<<1, nullptr, nullptr>>>(x, y);"
    )
    text = KERNEL.replace('#include "kernel', '#include "acl/acl.h"\n#include "kernel', 1)
    text = text.replace("@@", "").split("\n", 1)[1] + f"int main() {{ {copies} return 0; }}\n"
    result = gen("run", kernel(text=text), "--json")
    assert result.status == 0, result.out
    (output,) = verdict_of(result)["outputs"]
    assert output["shape"] == [256]


def test_python_kernels_take_arguments(gen, kernel, a_tree):
    path = kernel(text=DOUBLED, name="doubled.py")
    verdict = verdict_of(gen("run", path, "--arg", "n=64", "--arg", "dtype=float16", "--json"))
    assert verdict["outcome"] == "clean"
    assert [(o["dtype"], o["shape"]) for o in verdict["outputs"]] == [("float16", [64])]


@pytest.fixture
def a_tree():
    from gen.compile.a_tree.toolchain import status

    if status().toolchain is None:
        pytest.skip("run `gen toolchain install a-tree`")


# ---- what is never clean ---------------------------------------------------------------------------------------------

ENDS = {
    "*(volatile int*)nullptr = 1;": "the program crashed (SIGSEGV) in AIV0 of block 0",
    "std::abort();": "the program crashed (SIGABRT)",
    "throw 1;": "the program crashed (SIGABRT)",
    "raise(SIGKILL);": "it left no report (SIGKILL)",
    "std::exit(0);": "no launch was complete when it ended",
    "std::exit(3);": "it left no report (exit code 3)",
    'while (true) { asm volatile(""); }': "it did not end within 2 s",
}


@pytest.mark.parametrize("body", ENDS)
def test_a_kernel_that_does_not_reach_its_end(gen, kernel, body):
    result = gen("run", kernel(body), "--json", "--timeout", "2")
    verdict = verdict_of(result)
    assert (result.status, verdict["outcome"]) == (1, "failed")
    assert ENDS[body] in verdict["reason"]
    assert verdict["outputs"] == []


def test_a_crash_names_its_line(gen, kernel):
    result = gen("run", kernel("*(volatile int*)nullptr = 1;"))
    assert "copied.asc:15" in result.out


def test_where_it_stood_when_the_time_was_over(gen, kernel):
    body = 'while (true) { asm volatile(""); }'
    result = gen("run", kernel(body), "--timeout", "2")
    assert "error[timeout]: AIV0 of block 0 stood here when the time was over" in result.out
    assert "copied.asc:15" in result.out


def test_an_instruction_that_the_model_lacks(gen, kernel):
    result = gen("run", kernel("SetCtrlSpr<48, 48>(1);"))
    assert result.status == 1
    assert "unsupported: the model lacks AscendC::SetCtrlSpr" in result.out


def test_a_call_that_the_interface_has_and_the_model_lacks_is_named_with_its_uses(gen, kernel):
    body = "RmsNorm(a, a); if (n) RmsNorm(a, a); WelfordUpdate(a); // RmsNorm"
    result = gen("run", kernel(body))
    assert result.status == 1
    lacking = (
        "unsupported: the model lacks AscendC::RmsNorm (2 uses), AscendC::WelfordUpdate (1 use)"
    )
    assert lacking in result.out


def test_a_misspelt_call_of_the_interface_fails(gen, kernel):
    result = gen("run", kernel("RmsNorn(a, a);"))
    assert result.status == 1
    assert "error[E402]" in result.out
    assert "unsupported" not in result.out


def test_a_name_that_nobody_declares(gen, kernel):
    result = gen("run", kernel("NoSuchCall(a);"))
    assert result.status == 1
    assert "error[E402]" in result.out
    assert "copied.asc:15:5" in result.out


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "no launch was complete when it ended"),
        ("return 3;", "exit code 3"),
        ("nothing<<<1, nullptr, nullptr>>>(nullptr);", "the kernel issued no instruction"),
    ],
)
def test_a_host_program_that_runs_nothing(gen, kernel, body, reason):
    result = gen("run", kernel(body, HOST), "--json")
    verdict = verdict_of(result)
    assert (result.status, verdict["outcome"]) == (1, "failed"), verdict
    assert reason in verdict["reason"]


def test_a_launch_of_no_blocks(gen, kernel):
    launch = "blocks=0 x=float32[64]:in y=float32[64]:out"
    result = gen("run", kernel(), "--launch", launch)
    assert result.status == 2
    assert "error[E141]: blocks is a number from 1" in result.err
    assert "clean" not in result.out


def test_a_file_that_is_too_long_to_be_a_kernel(gen, kernel):
    result = gen("run", kernel("// " + "x" * (5 << 20)))
    assert result.status == 2
    assert "error[E101]: a kernel of " in result.err


def test_an_output_that_nothing_is_written_to(gen, kernel):
    result = gen("run", kernel("return;"), "--json")
    assert result.status == 1
    codes = [f["code"] for f in verdict_of(result)["findings"]]
    assert codes == ["output-not-written"]


def test_a_kernel_that_writes_nothing_at_all(gen, kernel):
    launch = "x=float32[64]:in y=float32[64]:inout"
    result = gen("run", kernel("return;"), "--launch", launch)
    assert result.status == 1
    assert "the kernel wrote to no tensor" in result.out


def test_no_compiler_for_cpp(gen, kernel):
    result = gen("run", kernel(), CXX="/nonexistent/c++")
    assert result.status == 1
    assert "not run" in result.out
    assert "error[E401]" in result.out
    assert "clean" not in result.out


def test_a_compiler_that_always_fails(gen, kernel):
    result = gen("run", kernel(), CXX="/bin/false")
    assert result.status == 1
    assert "clean" not in result.out


def test_a_model_that_does_not_compile_is_no_fault_of_the_kernel(gen, kernel, tmp_path):
    broken = tmp_path / "cxx"
    broken.write_text('#!/bin/sh\ncase "$*" in *native/src*) exit 1;; esac\nexec g++ "$@"\n')
    broken.chmod(0o755)
    result = gen("run", kernel(), CXX=str(broken), CROSSTREE_CACHE=str(tmp_path / "empty"))
    assert result.status == 3
    assert "internal error" in result.err
    assert result.out == ""


def test_no_compiler_for_the_a_tree(gen, kernel, tmp_path):
    path = kernel(text=DOUBLED, name="doubled.py")
    empty = str(tmp_path / "empty")
    result = gen("run", path, "--arg", "n=64", "--a-tree", "compiler", CROSSTREE_CACHE=empty)
    assert result.status == 1
    assert "not run" in result.out
    assert "error[E401]" in result.out


# ---- what the user got wrong -----------------------------------------------------------------------------------------


def wrong(result, code: str, *words: str) -> None:
    """A mistake of the user: exit 2, a diagnostic on stderr, no verdict."""
    assert result.status == 2, result.out + result.err
    assert f"error[{code}]" in result.err
    assert all(word in result.err for word in words), result.err
    assert result.out == ""
    assert "Traceback" not in result.err


def test_a_file_that_is_not_there(gen, tmp_path):
    wrong(gen("run", tmp_path / "none.asc"), "E101", "No such file")


def test_a_file_that_is_no_text(gen, tmp_path):
    path = tmp_path / "binary.asc"
    path.write_bytes(b"\xff\xfe\x00\x81")
    wrong(gen("run", path), "E101", "not UTF-8")


def test_a_folder(gen, tmp_path):
    wrong(gen("run", tmp_path), "E101", "directory")


@pytest.mark.parametrize("name", ["notes.txt", "script.py"])
def test_a_file_of_no_tree(gen, tmp_path, name):
    path = tmp_path / name
    path.write_text("print(1)\n")
    wrong(gen("run", path), "E143", "belongs to no tree")


def test_a_file_that_is_no_python_is_not_said_to_import_nothing(gen, tmp_path):
    path = tmp_path / "kernel.py"
    path.write_text("imprt tilelang\n", encoding="utf-8")
    wrong(gen("run", path), "E143", "the file is no Python: invalid syntax")


def test_a_kernel_without_a_launch(gen, kernel):
    text = KERNEL.split("\n", 1)[1]
    wrong(gen("run", kernel(text=text)), "E141", "`copied`", "launch: blocks=2")


@pytest.mark.parametrize(
    ("launch", "words"),
    [
        ("x=float32[64]:in", ("takes 2 arguments", "`x` and `y`")),
        ("x=float32[64]:in y=3", ("`y` is a tensor",)),
        ("x=float31[64]:in y=float32[64]:out", ("float31", "did you mean `float32`?")),
        ("x=float32[0]:in y=float32[64]:out", ("`0` is no extent",)),
        ("x=float32[64]:oot y=float32[64]:out", ("`oot`", "did you mean `out`?")),
        ("x=float32[64]{1-9} y=float32[64]:out", ("lo..hi",)),
        ("y=float32[64]:out z=float32[64]:in", ("does not stand where",)),
        ("x=float32[64] x=float32[64]", ("given twice",)),
        ("blocks=many x=float32[64] y=float32[64]", ("blocks is a number",)),
        ("blocks=65536 x=float32[64] y=float32[64]", ("blocks is a number",)),
        ("kind=cube x=float32[64] y=float32[64]", ("declared as vector",)),
        ("kind=vektor x=float32[64] y=float32[64]", ("did you mean `vector`?",)),
        ("kernel=copid x=float32[64] y=float32[64]", ("did you mean `copied`?",)),
        ("x float32[64]", ("not name=value",)),
        ("x=[64] y=float32[64]", ("neither a tensor nor a number",)),
    ],
)
def test_a_launch_that_is_wrong(gen, kernel, launch, words):
    wrong(gen("run", kernel(), "--launch", launch), "E141", *words)


def test_a_launch_line_that_is_wrong_is_shown_in_the_file(gen, kernel):
    path = kernel(text=KERNEL.replace("y=float32", "y=flaot32"))
    wrong(gen("run", path), "E141", "copied.asc:1:40", "did you mean `float32`?")


def test_inputs_that_do_not_fit(gen, kernel, tmp_path):
    path = kernel()
    np.save(tmp_path / "short.npy", np.zeros(63, np.float32))
    np.save(tmp_path / "double.npy", np.zeros(64))
    (tmp_path / "short.bin").write_bytes(b"\0" * 255)
    (tmp_path / "empty.npy").write_bytes(b"")
    launch = ("--launch", "x=float32[64]:in y=float32[64]:out")

    def given(value: str):
        return gen("run", path, *launch, "--input", value)

    wrong(given(f"x=float32[64]={tmp_path / 'short.npy'}"), "E142", "shape [63]")
    wrong(given(f"x=float32[64]={tmp_path / 'double.npy'}"), "E142", "float64")
    wrong(given(f"x={tmp_path / 'short.bin'}"), "E142", "255 bytes", "needs 256")
    wrong(given(f"x={tmp_path / 'empty.npy'}"), "E142", "cannot read the input x")
    wrong(given("x=none.bin"), "E142", "no file `none.bin`")
    wrong(given(f"z={tmp_path / 'short.bin'}"), "E142", "no tensor `z`", "`x` and `y`")
    wrong(given("x"), "E140", "not name=value")


def test_options_that_do_not_go_with_the_file(gen, kernel, tmp_path):
    path = kernel()
    wrong(gen("run", path, "--arg", "n=3"), "E140", "--arg is for Python kernels")
    wrong(gen("run", path, "--chip", "910c"), "E140", "`910c`", "did you mean `910b`?")
    python = kernel(text=DOUBLED, name="doubled.py")
    wrong(gen("run", python, "--chip", "950"), "E140", "builds for ascend910b only")
    wrong(gen("run", python, "--arg", "m=3"), "E140", "has no argument `m`", "`n` and `dtype`")
    wrong(gen("run", python), "E140", "needs a value for `n`")
    wrong(gen("run", python, "--function", "double"), "E140", "did you mean `doubled`?")
    wrong(gen("run", python, "--arg", "n"), "E140", "not name=value")


def test_a_python_kernel_says_itself_how_it_is_launched(gen, kernel):
    python = kernel(text=DOUBLED, name="doubled.py")
    wrong(gen("run", python, "--launch", "blocks=2 x=float32[64]"), "E141", "`blocks`")
    wrong(gen("run", python, "--launch", "n=64 x=float32[64]"), "E141", "`n`", "--arg n=64")


def test_mistakes_as_json(gen, kernel):
    result = gen("run", kernel(), "--launch", "x=1", "--json")
    assert result.status == 2
    (error,) = json.loads(result.out)["errors"]
    assert error["code"] == "E141"


# ---- what the file expects -------------------------------------------------------------------------------------------

EXPECTING = RACE.replace("// launch", "// expect: EXPECTED\n// launch").replace(
    "DataCopy(a, gx, 64);", "DataCopy(a, gx, 64); // @load"
)


@pytest.mark.parametrize(
    ("expected", "status"),
    [
        ("race-raw MTE2→MTE3 @load", 0),
        ("race-raw MTE2->MTE3", 0),
        ("clean", 1),
        ("race-raw V→MTE3 @load", 1),
        ("race-raw; queue-left", 1),
        ("unsupported", 1),
        ("rejected", 1),
    ],
)
def test_a_verdict_beside_what_is_expected(gen, kernel, expected, status):
    result = gen("run", kernel(text=EXPECTING.replace("EXPECTED", expected)), "--expect")
    assert result.status == status, result.out + result.err
    assert result.out.startswith("differs" if status else "as expected")


def test_values_beside_what_is_expected(gen, kernel):
    text = KERNEL.replace("// launch", "// expect: clean\n// values: y = VALUE\n// launch")
    assert gen("run", kernel(text=text.replace("VALUE", "x")), "--expect").status == 0
    result = gen("run", kernel(text=text.replace("VALUE", "2 * x")), "--expect")
    assert result.status == 1
    assert "wrong values: y[0] = " in result.out
    result = gen("run", kernel(text=text.replace("VALUE", "2 * w")), "--expect")
    wrong(result, "E144", "NameError")


@pytest.mark.parametrize(
    ("words", "option"),
    [(["--chip", "950"], "--chip"), (["--auto-sync", "off", "--k-tail", "exact"], "--k-tail")],
)
def test_the_profile_is_said_by_the_file_that_expects(gen, kernel, words, option):
    text = EXPECTING.replace("EXPECTED", "clean")
    wrong(gen("run", kernel(text=text), "--expect", *words), "E140", option, "the file's `expect:`")


def test_what_is_expected_of_the_front_end_that_is_asked_for(gen, kernel):
    """`--a-tree` counts, and so do the arguments."""
    text = "# expect: clean\n# values: y = 2 * x\n" + DOUBLED
    words = [
        "run",
        kernel(text=text, name="k.py"),
        "--expect",
        "--a-tree",
        "interpreter",
        "--arg",
        "n=64",
    ]
    (found,) = json.loads(gen(*words, "--json").out)["results"]
    assert found["as_expected"], found
    assert found["verdict"]["front_end"] == "interpreter"
    assert found["verdict"]["outputs"][0]["shape"] == [64]


def test_what_python_does_not_parse_starts_no_compiler(gen, kernel):
    path = kernel(text="import tilelang\n\n\ndef f(:\n", name="kernel.py")
    result = gen("run", path)
    assert "error[E402]: SyntaxError: invalid syntax" in result.out
    assert f"{path}:4:7" in result.out


def test_a_file_may_begin_with_a_byte_order_mark(gen, kernel):
    path = kernel(text="\ufeff" + DOUBLED, name="doubled.py")
    result = gen("run", path, "--arg", "n=64", "--a-tree", "interpreter")
    assert result.out.startswith(f"{path}: clean"), result.out


def test_values_alone_are_no_input(gen, kernel):
    result = gen("run", kernel(), "--input", "x={ones}")
    assert result.status == 2
    assert "a tensor such as float32[64]{ones}" in result.err
