"""``gen run``: any kernel file on the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from gen.cache import require_cache
from gen.check import Outcome
from gen.check.foreign import FileVerdict, RunOptions, run_file
from gen.check.foreign.prepared import Progress
from gen.cli.exits import Exit
from gen.cli.guard import finished, print_json
from gen.cli.terminal import stdout_console
from gen.errors import Diagnostic, GenError
from gen.show.file_verdict import show, to_json


def pairs(option: str, values: Sequence[str]) -> dict[str, str]:
    """`name=value` by name. Raises GenError (E140) for anything else."""
    found: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not (equals and name.isidentifier() and value):
            help = f"write {option} name=value"
            raise GenError([Diagnostic("E140", f"`{text}` is not name=value", option, help=help)])
        if name in found:
            raise GenError([Diagnostic("E140", f"`{name}` is given twice", option)])
        found[name] = value
    return found


def run_kernel(path: Path, options: RunOptions, *, notes: bool = False, as_json: bool) -> Exit:
    """Runs one file once and prints the verdict."""
    require_cache()
    with progress(path.name) as report:
        verdict = run_file(path, options, report)
    if as_json:
        print_json({"verdict": to_json(verdict), "values": "not compared"})
    else:
        show(verdict, stdout_console(), notes=notes)
    return exit_of([verdict])


def run_with_script(
    path: Path,
    options: RunOptions,
    words: Sequence[str],
    *,
    comparison: bool,
    notes: bool,
    as_json: bool,
) -> Exit:
    """Runs the file with its own script; `comparison`: shows what the script's check says in full."""
    from gen.check.foreign.script import run_script
    from gen.show.script_verdict import show_script
    from gen.show.script_verdict import to_json as script_json

    require_cache()
    refuse_with_script(path, options)
    with progress(path.name) as report:
        verdict = run_script(path, options, words, report)
    if as_json:
        print_json({"verdict": script_json(verdict)})
    else:
        show_script(verdict, stdout_console(), notes=notes, comparison=comparison)
    if verdict.interrupted:
        return Exit.INTERRUPTED
    return Exit.CLEAN if verdict.clean else Exit.FINDINGS


def refuse_with_script(path: Path, options: RunOptions) -> None:
    """Options that say what the script itself says. Raises GenError (E140)."""
    given = {
        "--arg": options.arguments,
        "--input": options.inputs,
        "--launch": options.launch,
        "--function": options.function,
    }
    help = "leave it out; give words to the script with --script-arg"
    _refuse(path, "--script", "the script says that itself", given, help)


def _refuse(
    path: Path,
    mode: str,
    reason: str,
    given: Mapping[str, object],
    help: str = "leave it out",
) -> None:
    """Options that say what something else says. Raises GenError (E140), one mistake for each."""
    found = [
        Diagnostic("E140", f"{name} does not go with {mode}: {reason}", str(path), help=help)
        for name, value in given.items()
        if value
    ]
    if found:
        raise GenError(found)


def refuse_without_script(file: str, words: Sequence[str]) -> None:
    """Words for a script that is not run. Raises GenError (E140)."""
    if words:
        message, help = "--script-arg goes with --script", "add --script"
        raise GenError([Diagnostic("E140", message, file, help=help)])


def run_expected(path: Path, options: RunOptions, *, as_json: bool) -> Exit:
    """Runs one file under every profile that it speaks of; clean where all is as it says.

    An interrupt ends it: what was judged until then is printed.
    """
    from gen.score.corpus import judge_all, read
    from gen.show.expected import result_json, show_results

    require_cache()
    _refuse(path, "--expect", "the file's `expect:` lines say that", _profile(options))
    file = read(path)
    with progress(path.name) as report:
        results, interrupted = finished(judge_all(file, report, options))
    if as_json:
        print_json({"results": [result_json(r) for r in results], "interrupted": interrupted})
    else:
        show_results(results, stdout_console())
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.FINDINGS if any(r.differences for r in results) else Exit.CLEAN


def _profile(options: RunOptions) -> dict[str, object]:
    """What a command line says of the profile, by option; false where it is silent."""
    usual = RunOptions()
    return {
        "--chip": options.chip,
        "--auto-sync": options.auto_sync is not None,
        "--flag-identity": options.flag_identity != usual.flag_identity,
        "--xflag": options.xflag != usual.xflag,
        "--k-tail": options.k_tail != usual.k_tail,
        "--tree": options.tree,
    }


def exit_of(verdicts: Sequence[FileVerdict]) -> Exit:
    """Clean only where every verdict is."""
    clean = bool(verdicts) and all(v.outcome is Outcome.CLEAN for v in verdicts)
    return Exit.CLEAN if clean else Exit.FINDINGS


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """What is done now, in one line on stderr; nothing where nobody watches."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status(title) as status:

        def tell(what: str) -> None:
            if what == "debugging":
                status.stop()
            else:
                status.start()
                status.update(f"{title}: {what}")

        yield tell
