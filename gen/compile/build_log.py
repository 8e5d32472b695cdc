"""What a C++ compiler says of a source: of all its lines the first error, where it is, and what it means in short."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from gen.compile.absent import absent_names, listed
from gen.errors import Diagnostic

_ERROR = re.compile(r"(?:^|: )(?:fatal )?error: (?P<said>\S.*)$")
_LINK = re.compile(r"undefined (?:reference to|symbol:?) .+$")
_Q, _E = "[‘'`\"]", "[’'\"]"
_TYPES = (
    (re.compile(r"AscendC::LocalTensor<(\w+)>"), r"\1"),
    (re.compile(r"AscendC::GlobalTensor<(\w+)>"), r"\1 in GM"),
    (re.compile(r"\b(?:AscendC|aicore)::(?:\w+::)*"), ""),
    (re.compile(r"__(?:ubuf|gm|cbuf|cc|ca|cb)__ "), ""),
)
_MEANS = (
    (
        re.compile(r"static assertion failed: (?P<said>.+)"),
        "{said}",
    ),
    (
        re.compile(
            rf"no matching function for call to {_Q}(?P<name>[\w:]+?)(?:<.*>)?\((?P<types>.*)\){_E}"
        ),
        "{name} does not take operands of these number formats: {types}",
    ),
    (
        re.compile(rf"cannot convert {_Q}(?P<a>.+?){_E}(?: \(.*?\))? to {_Q}(?P<b>.+?){_E}"),
        "{a} stands where {b} is needed",
    ),
    (
        re.compile(
            rf"invalid conversion from {_Q}(?P<a>.+?){_E}(?: \(.*?\))? to {_Q}(?P<b>.+?){_E}"
        ),
        "{a} stands where {b} is needed",
    ),
)


@dataclass(frozen=True)
class Complaint:
    """The first error: in the compiler's words, and at which line of the source it is or was called for (0: unknown)."""

    said: str
    line: int = 0
    column: int = 0

    @property
    def meaning(self) -> str:
        """In short, where it is one of the mistakes that are known; else the compiler's words."""
        for pattern, words in _MEANS:
            if match := pattern.search(self.said):
                return _plain(words.format(**match.groupdict()))
        return self.said


def first_complaint(log: str, place: Path) -> Complaint:
    """The first error in `log`; what is wrong in a header counts where `place` asks for it.

    A log without an error (the linker, or a compiler that was not understood) yields its last line that says something.
    """
    lines = log.splitlines()
    errors = [(n, m["said"]) for n, text in enumerate(lines) if (m := _ERROR.search(text))]
    if not errors:
        links = [m[0] for text in lines if (m := _LINK.search(text))]
        last = [text.strip() for text in lines if text.strip()]
        return Complaint([*links[:1], *last[-1:], "it says nothing"][0])
    first, said = errors[0]
    end = errors[1][0] if len(errors) > 1 else len(lines)
    where = re.compile(rf"{re.escape(str(place))}:(\d+):(\d+):")
    # The calls that lead to an error in a template stand above it.
    for text in (*reversed(lines[: first + 1]), *lines[first + 1 : end]):
        if match := where.search(text):
            return Complaint(said, int(match[1]), int(match[2]))
    return Complaint(said)


def not_compiled(
    path: Path, text: str, place: Path, origins: Mapping[int, int], log: str, compiler: str
) -> Diagnostic:
    """What to say where the source at `place`, which `compiler` made of the kernel `text`, is not compiled (E405).

    At the line of the kernel that the emitted line comes from, where `origins` has it.
    """
    emitted = place.read_text("utf-8") if place.is_file() else ""
    found = first_complaint(log, place)
    if absent := absent_names(log, emitted):
        message = f"the model lacks {listed(absent)}"
    else:
        message = f"what {compiler} emits for this statement does not compile: {found.meaning}"
    code = emitted.splitlines()[found.line - 1].strip() if found.line else ""
    where = f" at {place}:{found.line}: `{code}`" if code else ""
    said = f": {found.said}" if found.meaning not in found.said else ""
    help = f"the C++ compiler says{said}{where}" if said or where else ""
    diagnostic = Diagnostic("E405", message, str(path), help=help)
    line = origins.get(found.line, 0) if found.line else 0
    written = text.splitlines()
    if not 0 < line <= len(written):
        message = message.replace("this statement", "this kernel")
        return replace(diagnostic, message=message)
    source = written[line - 1]
    statement = source.strip()
    return replace(
        diagnostic,
        line=line,
        column=source.index(statement) + 1,
        length=len(statement),
        source_line=source,
    )


def _plain(words: str) -> str:
    """Without the names of classes that hold a number format."""
    for pattern, by in _TYPES:
        words = pattern.sub(by, words)
    return words
