"""Layout of rendered source: black for Python, clang-format for Ascend C.

Both are looked up only when something is formatted.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from gen.cache import content_key, keep, recall

PYTHON_LINE_LENGTH = 100

# The layout of the vendor's samples: asc-devkit, examples/01_simd_cpp_api.
ASCENDC_STYLE = (
    "{BasedOnStyle: Google, Language: Cpp, Standard: c++17, IndentWidth: 4, ColumnLimit: 120,"
    " AccessModifierOffset: -4, ContinuationIndentWidth: 4, NamespaceIndentation: None,"
    " DerivePointerAlignment: false, PointerAlignment: Left,"
    " BreakBeforeBraces: Custom, BraceWrapping: {AfterFunction: true, SplitEmptyFunction: false},"
    " AllowShortFunctionsOnASingleLine: Empty, AllowShortIfStatementsOnASingleLine: Never,"
    " AllowShortLoopsOnASingleLine: false, AllowAllParametersOfDeclarationOnNextLine: false,"
    " BinPackParameters: true, BinPackArguments: true, AlignAfterOpenBracket: Align,"
    " SpacesBeforeTrailingComments: 1, SortIncludes: Never, ReflowComments: Never,"
    " AttributeMacros: [__aicore__, __global__, __vector__, __cube__, __gm__]}"
)


class FormatError(Exception):
    """A formatter refused the text; the message says why."""


def format_text(text: str, path: str) -> str:
    """`text` laid out as its file name asks: `.py` by black, `.asc` and `.h` by clang-format.

    What was formatted before comes from the cache, without loading a formatter. Raises FormatError
    where a formatter refuses the text.
    """
    suffix = PurePosixPath(path).suffix
    if suffix not in _FORMATTERS:
        return text
    package, formatter, settings = _FORMATTERS[suffix]
    key = content_key(suffix, _version(package), settings, text)
    known = recall("formatted", key)
    if known is not None:
        return known.decode()
    formatted = formatter(text)
    keep("formatted", key, formatted.encode())
    return formatted


def format_python(text: str) -> str:
    """Raises FormatError where `text` is not Python."""
    import black
    from black.parsing import InvalidInput

    try:
        return black.format_str(text, mode=black.Mode(line_length=PYTHON_LINE_LENGTH))
    except InvalidInput as error:
        raise FormatError(str(error)) from None


def format_ascendc(text: str) -> str:
    """Raises FormatError where clang-format cannot run."""
    command = [_clang_format(), f"--style={ASCENDC_STYLE}", "--assume-filename=kernel.cpp"]
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, encoding="utf-8", check=False
        )
    except OSError as error:
        raise FormatError(f"clang-format cannot run: {error.strerror}") from None
    if done.returncode != 0:
        raise FormatError(done.stderr.strip())
    return done.stdout


_FORMATTERS: Mapping[str, tuple[str, Callable[[str], str], str]] = {
    ".py": ("black", format_python, str(PYTHON_LINE_LENGTH)),
    ".asc": ("clang-format", format_ascendc, ASCENDC_STYLE),
    ".h": ("clang-format", format_ascendc, ASCENDC_STYLE),
}


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        raise FormatError(f"the package {package} is not installed") from None


@cache
def _clang_format() -> str:
    """The program inside the `clang-format` distribution, without its Python wrapper."""
    package = find_spec("clang_format")
    if package is None or package.origin is None:
        raise FormatError("the package clang-format is not installed")
    return str(Path(package.origin).parent / "data" / "bin" / "clang-format")
