"""How a kernel without a host program is launched, in one line.

`blocks=2 kind=vector x=float32[1024]:in y=float32[1024]:out n=0`: number of blocks, the cores that it runs on (where its
declaration does not say), and its arguments in the order of its parameters: tensors, and scalars as numbers or as a
brace list for a struct. `kernel=NAME` chooses among several kernels; it may have template arguments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from gen.check.foreign.files import HeaderLine
from gen.check.foreign.tensors import SpecError, TensorSpec, looks_like_tensor, parse_tensor
from gen.errors import Diagnostic, GenError, listing, suggest

KINDS = ("vector", "cube", "mix_1_0", "mix_0_1", "mix_1_1", "mix_1_2")
MAX_BLOCKS = 65535

_ITEM = re.compile(
    r"(?P<name>\w+)\s*=\s*(?P<value>(?:[^\s\[\]{}<>]|\[[^\]]*\]|\{[^}]*\}|<[^>]*>)+)"
)
_NUMBER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)[fFuUlL]*|true|false")


@dataclass(frozen=True)
class LaunchLine:
    """A launch as it was written; `source` is the line of the file, None where it came from the command line."""

    text: str
    path: Path
    source: HeaderLine | None = None
    blocks: int = 1
    kind: str = ""
    kernel: str = ""
    arguments: dict[str, TensorSpec | str] = field(default_factory=dict)

    @property
    def tensors(self) -> dict[str, TensorSpec]:
        """The tensors among the arguments, by name."""
        return {n: a for n, a in self.arguments.items() if isinstance(a, TensorSpec)}

    def require_tensors_only(self) -> None:
        """For a Python kernel, which says itself how it is launched. Raises GenError (E141)."""
        for word in ("blocks", "kind", "kernel"):
            if re.search(rf"\b{word}=", self.text):
                raise self.mistake(f"a Python kernel says itself what `{word}` is", at=f"{word}=")
        if scalars := [name for name in self.arguments if name not in self.tensors]:
            help = (
                f"give it to the kernel function: --arg {scalars[0]}={self.arguments[scalars[0]]}"
            )
            raise self.mistake(f"`{scalars[0]}` is no tensor", at=f"{scalars[0]}=", help=help)

    def mistake(self, message: str, *, at: str = "", help: str = "") -> GenError:
        """An E141 at the place in the file or on the command line."""
        if self.source is not None:
            return GenError([self.source.mistake("E141", self.path, message, at=at, help=help)])
        column = max(self.text.find(at), 0) + 1 if at else 1
        return GenError(
            [
                Diagnostic(
                    "E141", message, "--launch", 1, column, len(at or self.text), self.text, help
                )
            ]
        )


def parse_launch(text: str, path: Path, source: HeaderLine | None) -> LaunchLine:
    """Reads a launch line. Raises GenError (E141)."""
    bare = LaunchLine(text, path, source)
    items, position = [], 0
    for match in _ITEM.finditer(text):
        items.append((match["name"], match["value"], match.group()))
        if between := text[position : match.start()].strip():
            raise _no_item(bare, between)
        position = match.end()
    if rest := text[position:].strip():
        raise _no_item(bare, rest)
    known: dict[str, str] = {}
    arguments: dict[str, TensorSpec | str] = {}
    for name, value, whole in items:
        if name in known or name in arguments:
            raise bare.mistake(f"`{name}` is given twice", at=whole)
        if name in ("blocks", "kind", "kernel"):
            known[name] = value
        else:
            arguments[name] = _argument(bare, name, value)
    return LaunchLine(
        text,
        path,
        source,
        _blocks(bare, known),
        _kind(bare, known),
        known.get("kernel", ""),
        arguments,
    )


def _no_item(line: LaunchLine, text: str) -> GenError:
    help = "write blocks=N, then each argument as name=float32[64]:in or name=3"
    return line.mistake(f"`{text}` is not name=value", at=text, help=help)


def _argument(line: LaunchLine, name: str, value: str) -> TensorSpec | str:
    if looks_like_tensor(value):
        try:
            return parse_tensor(name, value)
        except SpecError as error:
            raise line.mistake(str(error), at=error.at, help=error.help) from None
    if _NUMBER.fullmatch(value) or re.fullmatch(r"\{[^}]*\}", value):
        return value
    help = "a scalar is a number, a struct is {1, 2}, a tensor is float32[64]:in"
    raise line.mistake(f"`{value}` is neither a tensor nor a number", at=value, help=help)


def _blocks(line: LaunchLine, known: dict[str, str]) -> int:
    value = known.get("blocks", "1")
    if not re.fullmatch(r"\d+", value) or not 1 <= int(value) <= MAX_BLOCKS:
        raise line.mistake(f"blocks is a number from 1 to {MAX_BLOCKS}", at=value)
    return int(value)


def _kind(line: LaunchLine, known: dict[str, str]) -> str:
    kind = known.get("kind", "")
    if kind and kind not in KINDS:
        help = suggest(kind, KINDS) or f"kinds are {listing(KINDS)}"
        raise line.mistake(f"there is no kind `{kind}`", at=kind, help=help)
    return kind
