"""Types as a kernel writes them, out of the names that a C++ compiler has for them."""

from __future__ import annotations

import re

from gen.compile.cpp_text import split_arguments

_NUMBERS = (
    (r"aicore::Float16<aicore::detail::F16Format>", "half"),
    (r"aicore::Float16<aicore::detail::Bf16Format>", "bfloat16_t"),
    (r"\blong (?:long )?unsigned int\b|\bunsigned long(?: long)?\b", "uint64_t"),
    (r"\bshort unsigned int\b|\bunsigned short\b", "uint16_t"),
    (r"\bunsigned int\b", "uint32_t"),
    (r"\bunsigned char\b", "uint8_t"),
    (r"\bsigned char\b", "int8_t"),
    (r"\blong (?:long )?int\b", "int64_t"),
    (r"\bshort int\b", "int16_t"),
    (r"(?<=[<, ])int(?=[,>])", "int32_t"),
    (r"(?:::)?\baicore::ascendc::Repeat\b", "uint8_t"),
    (r"\bchar ?\[\d+\]", "string"),
    (r"<brace-enclosed initializer list>|<braced-init-list>", "{…}"),
)
_NOISE = (
    r" \{aka [‘'][^’']*[’']\}",
    r" ?\[-f\w+\]",
    r"(?:::)?\b(?:AscendC|aicore)::(?:ascendc::|c_api::|detail::)?",
    r"\b(?:class|struct|enum) (?=\w)",
    r"\b__(?:ubuf|gm|cbuf|cc|ca|cb)__ ",
)


def plain(words: str) -> str:
    """A sentence of the compiler with the types of kernels in it."""
    words = re.sub(r" +>", ">", words)
    for pattern, by in _NUMBERS:
        words = re.sub(pattern, by, words)
    for pattern in _NOISE:
        words = re.sub(pattern, "", words)
    return words


def plain_type(word: str) -> str:
    """One type, without `const` and references."""
    bare = re.sub(r"(?:^|(?<=[ (]))const |&+$", "", plain(word).strip()).strip()
    return re.sub(r"\s*&+$|^::", "", bare)


def split(words: str) -> list[str]:
    """The parts between the commas that stand in no brackets."""
    return [words[a:b].strip() for a, b in split_arguments(words) if words[a:b].strip()]
