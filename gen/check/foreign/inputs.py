"""Inputs of a kernel file: described or read as `--input` says, else made from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gen.check.foreign.options import RunOptions
from gen.check.foreign.prepared import Prepared
from gen.check.foreign.tensor_files import file_tensor, read
from gen.check.foreign.tensors import (
    SpecError,
    TensorSpec,
    looks_like_tensor,
    make,
    parse_tensor,
)
from gen.check.formats import Array
from gen.errors import Diagnostic, GenError, hints, known, suggest


def described(path: Path, options: RunOptions) -> tuple[dict[str, TensorSpec], dict[str, Path]]:
    """Tensors that `--input` describes, and the files that hold values. Raises GenError (E142)."""
    given: dict[str, TensorSpec] = {}
    files: dict[str, Path] = {}
    for name, value in options.inputs.items():
        spec_text, _, file_text = (
            value.partition("=") if looks_like_tensor(value) else ("", "", value)
        )
        if spec_text:
            try:
                given[name] = parse_tensor(name, spec_text)
            except SpecError as error:
                raise GenError(
                    [Diagnostic("E142", str(error), f"--input {name}", help=error.help)]
                ) from None
        if file_text:
            files[name] = Path(file_text)
            if not files[name].is_file():
                message = f"there is no file `{file_text}` for the input {name}"
                tensor = f"float32[64]{file_text}" if file_text[:1] == "{" else "float32[64]"
                help = f"an input is a tensor such as {tensor}, or a .npy or .bin file"
                raise GenError([Diagnostic("E142", message, str(path), help=help)])
            found = None if spec_text else file_tensor(name, files[name])
            if found is not None:
                given[name] = replace(found, role="")
    return given, files


def require_known(
    path: Path, prepared: Prepared, given: Mapping[str, TensorSpec], files: Mapping[str, Path]
) -> None:
    """Raises GenError (E142) for inputs that the kernel does not take."""
    names = [t.name for t in prepared.tensors]
    unknown = [n for n in dict.fromkeys([*given, *files]) if n not in names]
    if unknown:
        help = hints(suggest(unknown[0], names), known("tensor", names))
        message = f"the kernel has no tensor `{unknown[0]}`"
        raise GenError([Diagnostic("E142", message, str(path), help=help)])


def input_values(
    prepared: Prepared, options: RunOptions, files: Mapping[str, Path]
) -> dict[str, Array]:
    """What goes in: from files, else random by the seed. Raises GenError (E142) where a file does not fit."""
    return {
        t.name: read(t, files[t.name]) if t.name in files else make(t, options.seed)
        for t in prepared.tensors
        if t.role != "out"
    }
