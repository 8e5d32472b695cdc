"""The commands and their options. What a command does is imported when it runs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gen.cli.exits import Exit
from gen.cli.guard import guarded

app = typer.Typer(
    name="gen",
    help="One operator spec in, the same kernel for three Ascend source trees out.",
    epilog="Exit status: 0 clean, 1 findings, 2 wrong command line or spec, 3 internal error, 130 after Ctrl-C.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # guard.py says what went wrong
    rich_markup_mode=None,  # rich takes longer to import than everything else
    context_settings={"help_option_names": ["-h", "--help"]},
)


class TreeName(StrEnum):
    """The source trees, as options name them."""

    A_TREE = "a_tree"
    M_TREE = "m_tree"
    ASCENDC = "ascendc"


class FormName(StrEnum):
    """The forms of the trees that a spec can ask for; as `gen.plan.Form`."""

    A_TREE = "a_tree"
    A_TREE_AUTO = "a_tree_auto"
    M_TREE = "m_tree"
    M_TREE_MANUAL = "m_tree_manual"
    ASCENDC = "ascendc"


class KindName(StrEnum):
    """The kinds of spec, as arguments name them."""

    ELEMENTWISE = "elementwise"
    GEMM = "gemm"
    NORM = "norm"


class Switch(StrEnum):
    """On or off, where neither is the default."""

    ON = "on"
    OFF = "off"


class FlagIdentityName(StrEnum):
    """What tells event flags apart."""

    DOC = "doc"
    STRICT = "strict"


class CrossFlagName(StrEnum):
    """What cross-core flags hold."""

    COUNTER = "counter"
    BINARY = "binary"


class FrontEndName(StrEnum):
    """What takes the kernels of the A tree."""

    DEFAULT = "default"
    COMPILER = "compiler"
    INTERPRETER = "interpreter"
    BOTH = "both"


class KTailName(StrEnum):
    """What Mmad multiplies of the last block of K."""

    GROUP = "group"
    EXACT = "exact"


class LevelName(StrEnum):
    """The levels that can be required."""

    COMPILED = "compiled"
    SIMULATED = "simulated"
    DEVICE = "device"


Specs = Annotated[
    list[str],
    typer.Argument(metavar="SPEC...", help="Spec files, or names of shipped specs: gemm."),
]
Out = Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="Folder of the renderings.")]
Trees = Annotated[
    list[FormName] | None,
    typer.Option("--tree", "-t", help="Only this tree, or form of one; may be repeated."),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json",
        help="Write one JSON object to stdout, for mistakes too (`errors`). The exit status is the same.",
    ),
]


def _version(wanted: bool) -> None:
    if wanted:
        from gen import __version__

        print(f"crosstree {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


@app.command()
def render(
    specs: Specs,
    *,
    out: Out = "out",
    tree: Trees = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")
    ] = False,
    list_: Annotated[
        bool, typer.Option("--list", help="Write nothing; say what would be written.")
    ] = False,
    json: Json = False,
) -> None:
    """Write the kernels of specs to OUT/<name>/. Unchanged files are not touched."""
    from gen.cli.render import Mode, render_specs

    if check and list_:
        raise typer.BadParameter("--check and --list exclude each other")
    mode = Mode.CHECK if check else Mode.LIST if list_ else Mode.WRITE
    guarded(lambda: render_specs(specs, out, tree or (), mode, as_json=json), as_json=json)


AutoSync = Annotated[
    Switch | None,
    typer.Option(help="Judge for a compiler that inserts synchronisation, or not. Default: on."),
]
FlagIdentity = Annotated[
    FlagIdentityName,
    typer.Option(
        help="doc: event flags are told apart by both pipes and the id; strict: by the source pipe and the id."
    ),
]
CrossFlags = Annotated[
    CrossFlagName,
    typer.Option("--xflag", help="Cross-core flags count every set, or hold one."),
]
KTails = Annotated[
    KTailName,
    typer.Option(
        "--k-tail",
        help="Mmad multiplies whole 32-byte groups of K, lanes beyond k included, or exactly k.",
    ),
]
ATree = Annotated[
    FrontEndName,
    typer.Option(
        "--a-tree",
        help="Who takes kernels of the A tree: its compiler, the interpreter, or both, which must agree."
        " Default: the compiler where it is installed.",
    ),
]
Notes = Annotated[
    bool, typer.Option("--notes", help="Show notes in full, not only how many there are.")
]
Deep = Annotated[
    bool,
    typer.Option(
        "--deep",
        help="Rerun under all schedules, where no number may change, and without each flag and barrier: which could go?",
    ),
]
Source = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Take the kernels as they stand below DIR/<name>/, edits included, not fresh ones.",
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        min=0.1,
        help="Seconds that a kernel may run on the model; compilers have limits of their own.",
    ),
]


@app.command(
    epilog="Exit status: 0 clean; 1 findings, wrong values, or anything else that is not clean; 2 the command line or a"
    " spec is wrong; 3 internal error; 130 after Ctrl-C, which prints what was judged until then. JSON: `verdicts`."
)
def check(
    specs: Specs,
    *,
    tree: Trees = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the inputs. Default: the one of the spec.")
    ] = None,
    auto_sync: AutoSync = None,
    flag_identity: FlagIdentity = FlagIdentityName.DOC,
    xflag: CrossFlags = CrossFlagName.COUNTER,
    k_tail: KTails = KTailName.GROUP,
    a_tree: ATree = FrontEndName.DEFAULT,
    source: Source = None,
    timeout: Timeout = 120.0,
    require: Annotated[
        LevelName | None, typer.Option(help="Exit 1 if a tree does not reach this level.")
    ] = None,
    deep: Deep = False,
    notes: Notes = False,
    json: Json = False,
) -> None:
    """Render, compile and run specs on the model, and judge them."""

    def run() -> Exit:
        from gen.check import Level, Options
        from gen.cli.check import check_specs

        options = Options(
            trees=tuple(tree or FormName),
            seed=seed,
            auto_sync=None if auto_sync is None else auto_sync is Switch.ON,
            flag_identity=flag_identity,
            xflag=xflag,
            k_tail=k_tail,
            a_tree=a_tree,
            source=None if source is None else Path(source),
            timeout=timeout,
            deep=deep,
        )
        level = Level(require) if require else None
        return check_specs(specs, options, level, tree or (), notes=notes, as_json=json)

    guarded(run, as_json=json)


Function = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The kernel function, where a Python file has several."),
]
Args = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="Argument of the kernel function, or an extent known at run time: M=1024. May be repeated.",
    ),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        metavar="NAME=TENSOR",
        help="float32[64], also with values: int8[64]{-128..127}, int8[64]{zeros} (or {ones}, {arange});"
        " a .npy or .bin file; or both: float32[64]=x.bin. May be repeated.",
    ),
]


RUN_STATUS = (
    "Exit status: 0 clean (with --script: and the script calls no number wrong; with --expect: all as the file says);"
    " 1 findings, unsupported, failed, not run, or wrong values; 2 the command line, the file or an input is wrong;"
    " 3 internal error; 130 after Ctrl-C, which prints what was judged until then."
    " JSON: `verdict`, or `results` with --expect."
)


@app.command(epilog=RUN_STATUS)
def run(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A TileLang kernel (.py) or Ascend C source.")
    ],
    *,
    tree: Annotated[
        TreeName | None, typer.Option("--tree", "-t", help="Default: as the file shows.")
    ] = None,
    chip: Annotated[
        str | None, typer.Option(help="910b or 950. Default: the file's, else the tree's own.")
    ] = None,
    function: Function = None,
    arg: Args = None,
    input_: Inputs = None,
    define: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Macro of an Ascend C source, as -D gives it. May be repeated.",
        ),
    ] = None,
    script: Annotated[
        bool,
        typer.Option(
            "--script",
            help="Run the file as the program that it is (a sample of Ascend C with its data scripts): it makes the"
            " inputs, calls its kernels and checks the results.",
        ),
    ] = False,
    script_arg: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD", help="A word for the script's command line; may be repeated."),
    ] = None,
    constant: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Another value of a constant of a Python file. May be repeated.",
        ),
    ] = None,
    launch: Annotated[
        str | None,
        typer.Option(
            help="How Ascend C without a main() is launched: 'blocks=2 x=float32[64]:in y=float32[64]:out n=3'."
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0, help="Seed of the inputs, and of the random numbers of a script that has none."
        ),
    ] = 0,
    auto_sync: AutoSync = None,
    flag_identity: FlagIdentity = FlagIdentityName.DOC,
    xflag: CrossFlags = CrossFlagName.COUNTER,
    k_tail: KTails = KTailName.GROUP,
    a_tree: ATree = FrontEndName.DEFAULT,
    timeout: Timeout = 120.0,
    expect: Annotated[
        bool,
        typer.Option(
            "--expect",
            help="Run under each profile that the file's `expect:` lines name; exit 1 where one differs."
            " With --script: show the script's output in full.",
        ),
    ] = False,
    deep: Deep = False,
    notes: Notes = False,
    json: Json = False,
) -> None:
    """Run any kernel file on the model and judge it.

    Without --script and --expect, inputs are random or from --input, and no number is compared with anything.
    """

    def command() -> Exit:
        from gen.check.foreign import RunOptions
        from gen.cli.run import (
            pairs,
            refuse_without_script,
            run_expected,
            run_kernel,
            run_with_script,
        )
        from gen.plan import Tree

        options = RunOptions(
            tree=None if tree is None else Tree(tree),
            chip=chip,
            function=function,
            arguments=pairs("--arg", arg or []),
            inputs=pairs("--input", input_ or []),
            launch=launch,
            defines=pairs("--define", define or []),
            constants=pairs("--set", constant or []),
            seed=seed,
            auto_sync=None if auto_sync is None else auto_sync is Switch.ON,
            flag_identity=flag_identity,
            xflag=xflag,
            k_tail=k_tail,
            a_tree=a_tree,
            timeout=timeout,
            deep=deep,
        )
        if script:
            words = script_arg or []
            return run_with_script(
                Path(file), options, words, comparison=expect, notes=notes, as_json=json
            )
        refuse_without_script(file, script_arg or [])
        if expect:
            return run_expected(Path(file), options, as_json=json)
        return run_kernel(Path(file), options, notes=notes, as_json=json)

    guarded(command, as_json=json)


class LoweredName(StrEnum):
    """The forms whose compilers can be watched, and the trees in short."""

    M = "m"
    A = "a"
    M_TREE = "m_tree"
    M_TREE_MANUAL = "m_tree_manual"
    A_TREE = "a_tree"
    A_TREE_AUTO = "a_tree_auto"


LOWER_STATUS = (
    "Exit status: 0 printed; 2 the command line, the spec or the kernel is wrong, or a compiler is missing;"
    " 3 internal error. JSON: `lowered`, with `lines`: each has its `text`, the line of the kernel that it comes `from`,"
    " and for synchronisation whether it was `inserted` and what it `guards`."
)


@app.command(epilog=LOWER_STATUS)
def lower(
    what: Annotated[
        str, typer.Argument(metavar="SPEC|FILE", help="A spec, or a TileLang kernel (.py).")
    ],
    *,
    tree: Annotated[
        LoweredName | None,
        typer.Option("--tree", "-t", help="Default: m for a spec, else as the file shows."),
    ] = None,
    source: Source = None,
    function: Function = None,
    arg: Args = None,
    input_: Inputs = None,
    passes: Annotated[
        bool, typer.Option("--passes", help="Show what each pass of the compiler changed first.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="With --passes: the whole IR after each of them.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the device source of a TileLang kernel, and which synchronisation its compiler inserted for what.

    Each line has its number and, where it is known, the line of the kernel that it comes from; + marks what the compiler
    inserted, <- names the statement whose access that guards.
    """

    def command() -> Exit:
        from gen.check.foreign import RunOptions
        from gen.cli.lower import lower as lower_kernel
        from gen.cli.run import pairs
        from gen.plan import Form

        options = RunOptions(
            function=function,
            arguments=pairs("--arg", arg or []),
            inputs=pairs("--input", input_ or []),
        )
        short = {LoweredName.M: Form.M, LoweredName.A: Form.A}
        wanted = None if tree is None else short.get(tree) or Form(tree)
        return lower_kernel(
            what,
            wanted,
            options,
            source=None if source is None else Path(source),
            with_passes=passes,
            full=full,
            as_json=json,
        )

    if full and not passes:
        raise typer.BadParameter("--full goes with --passes")
    guarded(command, as_json=json)


@app.command()
def scorecard(
    *,
    corpus: Annotated[
        str, typer.Option(metavar="DIR", help="Folder with a_tree, m_tree and ascendc kernels.")
    ] = "tests/corpus",
    mutants: Annotated[
        str,
        typer.Option(
            metavar="N|all|none",
            help="Clean kernels of each tree whose mutants are run, beside the rendered ones.",
        ),
    ] = "20",
    write: Annotated[
        bool, typer.Option("--write", help="Write docs/scorecard.md and the README's table.")
    ] = False,
    json: Json = False,
) -> None:
    """Say how often the judge is right: every kernel of a corpus against what it expects."""

    def command() -> Exit:
        from gen.cli.scorecard import mutant_options, print_scorecard

        options = mutant_options(mutants)
        return print_scorecard(Path(corpus), options, write=write, as_json=json)

    guarded(command, as_json=json)


class OperatorName(StrEnum):
    """What can be done to a statement; as `gen.score.mutants.Operator`."""

    DELETE = "delete"
    MOVE = "move"
    SWAP = "swap"
    RETARGET = "retarget"
    ID = "id"
    STAGES = "stages"
    SHRINK = "shrink"


@app.command("break")
def break_(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A spec file.")],
    *,
    tree: Annotated[
        FormName | None, typer.Option("--tree", "-t", help="Default: the first that can be run.")
    ] = None,
    operator: Annotated[
        OperatorName, typer.Option(help="What is done to the statement.")
    ] = OperatorName.DELETE,
    number: Annotated[
        int | None, typer.Option(min=1, help="This mutant, as --list counts.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the choice.")] = 0,
    list_: Annotated[bool, typer.Option("--list", help="Only list what can be broken.")] = False,
    json: Json = False,
) -> None:
    """Break one statement of a rendered kernel and show what the model finds."""

    def command() -> Exit:
        from gen.cli.breaking import break_spec, list_mutants
        from gen.plan import Form
        from gen.score.breaking import Choice
        from gen.score.mutants import Operator

        wanted = None if tree is None else Form(tree)
        if list_:
            return list_mutants(spec, wanted, as_json=json)
        what = Operator(operator) if number is None else None
        return break_spec(spec, wanted, Choice(what, number, seed), as_json=json)

    guarded(command, as_json=json)


@app.command()
def diff(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A spec file.")],
    tree: Trees = None,
    host: Annotated[bool, typer.Option("--host", help="Show the host code too.")] = False,
    json: Json = False,
) -> None:
    """Show the trees of a spec side by side, aligned by step."""
    from gen.cli.diff import show_diff

    guarded(lambda: show_diff(spec, tree or (), host=host, as_json=json), as_json=json)


@app.command()
def explain(
    code: Annotated[
        str | None, typer.Argument(metavar="CODE", help="A rule (race-raw) or an error (E201).")
    ] = None,
    json: Json = False,
) -> None:
    """Say what a rule means and what to write instead; without CODE, list all rules."""
    from gen.cli.explain import explain as explain_code

    guarded(lambda: explain_code(code, as_json=json), as_json=json)


@app.command()
def schema(
    kind: Annotated[KindName | None, typer.Argument(help="Only this kind of spec.")] = None,
) -> None:
    """Print the JSON Schema of specs, for editors."""
    from gen.cli.schema import print_schema

    guarded(lambda: print_schema(kind), as_json=False)


@app.command(
    epilog="Exit status: 0 when kernels of every tree can be run on the model, else 1. JSON: `parts` and `trees`."
)
def doctor(json: Json = False) -> None:
    """Say what is installed and how far each tree can be proven."""
    from gen.cli.doctor import examine

    guarded(lambda: examine(as_json=json), as_json=json)


toolchain = typer.Typer(
    name="toolchain",
    help="The A tree's compiler, in the user's cache folder.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(toolchain)


class ToolchainName(StrEnum):
    """The compilers that crosstree can install."""

    A_TREE = "a-tree"


Toolchain = Annotated[ToolchainName, typer.Argument(help="Which compiler.")]


@toolchain.command()
def install(which: Toolchain) -> None:
    """Download it, prove that it works, and keep it. Does nothing when it is there."""
    from gen.cli.toolchain import install_a_tree

    guarded(install_a_tree, as_json=False)


@toolchain.command()
def remove(which: Toolchain) -> None:
    """Remove it with everything that an installation left."""
    from gen.cli.toolchain import remove_a_tree

    guarded(remove_a_tree, as_json=False)
