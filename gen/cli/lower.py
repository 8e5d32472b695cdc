"""``gen lower``: what a TileLang compiler makes of a kernel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gen.cache import require_cache
from gen.check.foreign import RunOptions
from gen.check.lowered import LoweredKernel, lower_file, lower_spec
from gen.cli.exits import Exit
from gen.cli.forms import require_asked
from gen.cli.guard import print_json
from gen.cli.run import progress
from gen.cli.terminal import stdout_console
from gen.errors import Diagnostic, GenError
from gen.plan import Form
from gen.show.lowered import show, to_json
from gen.spec import load

KERNEL_SUFFIXES = frozenset({".py", ".asc", ".cpp", ".cc", ".cce", ".h", ".hpp"})


def lower(
    what: str,
    form: Form | None,
    options: RunOptions,
    *,
    source: Path | None = None,
    with_passes: bool,
    full: bool,
    as_json: bool,
) -> Exit:
    """Prints the device source of a spec's rendering or of a kernel file."""
    require_cache()
    kernel = _lowered(what, form, options, source, with_passes)
    if as_json:
        print_json({"lowered": to_json(kernel, full=full)})
    else:
        show(kernel, stdout_console(), full=full)
    return Exit.CLEAN


def _lowered(
    what: str, form: Form | None, options: RunOptions, source: Path | None, with_passes: bool
) -> LoweredKernel:
    path = Path(what)
    with progress(path.name) as report:
        if path.suffix in KERNEL_SUFFIXES:
            if source is not None:
                message, help = (
                    "--source goes with a spec",
                    "leave it out: a file is lowered as it stands",
                )
                raise GenError([Diagnostic("E140", message, what, help=help)])
            options = replace(options, tree=form.tree if form else None)
            return lower_file(path, options, with_passes=with_passes, progress=report)
        spec = load(what)
        given = {
            "--function": options.function,
            "--arg": options.arguments,
            "--input": options.inputs,
        }
        if wrong := [name for name, value in given.items() if value]:
            message = f"{wrong[0]} is for kernel files: a spec says what its kernel is"
            raise GenError([Diagnostic("E140", message, what, help=f"leave {wrong[0]} out")])
        form = form or Form.M
        require_asked(spec, [form])
        return lower_spec(spec, form, source=source, with_passes=with_passes, progress=report)
