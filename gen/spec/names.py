"""Names that a spec may give to itself and to its tensors.

They become function, variable and folder names in three generated sources, so they have to be names
in Python and in C++ alike.
"""

from __future__ import annotations

import keyword
import re

from gen.spec.parse import FUNCTIONS

NAME_PATTERN = r"^[a-z][a-z0-9_]*$"
MAX_NAME = 64

# C++20 keywords and alternative tokens (ISO/IEC 14882:2020, [lex.key]) that match NAME_PATTERN, and
# the names of number formats and types that every Ascend C source uses.
_CPP = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
constinit continue decltype default delete do double dynamic_cast else enum explicit export extern
false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
operator or or_eq private protected public register reinterpret_cast requires return short signed
sizeof static static_assert static_cast struct switch template this thread_local throw true try
typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq half
bfloat16_t float16_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t main
std
"""

RESERVED: frozenset[str] = frozenset(
    [*_CPP.split(), *(word for word in [*keyword.kwlist, *keyword.softkwlist] if word.islower())]
)


#: Names that the rendered kernels give to things of their own, beside the tensors.
KERNEL_NAMES: frozenset[str] = frozenset(
    {"block", "cid", "core", "expected", "i", "j", "k", "kernel", "length", "loop", "main_kernel"}
    | {"offset", "pipe", "shape", "slot", "stage", "step", "t", "tile", "tilelang", "tiling"}
    | {"torch", "vid", "self", "s", "np", "bfloat16", "print", "tuple"}
)
#: Endings by which the rendered kernels tell the on-chip copies of a tensor from the tensor.
KERNEL_ENDINGS = ("_ub", "_l1", "_gm", "_f32")
#: Work buffers of the plan.
WORK_BUFFER = r"w\d+"


def taken_by(name: str) -> str:
    """Who claims a tensor name, as the end of "the name belongs to …"; empty when it is free."""
    if name in RESERVED:
        return "Python or C++"
    if name in FUNCTIONS:
        return "a function of expressions"
    if name in KERNEL_NAMES or name.endswith(KERNEL_ENDINGS) or re.fullmatch(WORK_BUFFER, name):
        return "the generated kernels"
    return ""


def is_name(text: str) -> bool:
    """Whether the text has the form of a name (it may still be reserved)."""
    return len(text) <= MAX_NAME and re.fullmatch(NAME_PATTERN, text) is not None


def closest_name(text: str) -> str:
    """A name as near to the text as the rules allow, or an empty string."""
    name = re.sub(r"[^a-z0-9_]+", "_", text.lower()).strip("_")
    name = name if not name[:1].isdigit() else f"n{name}"
    return name[:MAX_NAME] if is_name(name[:MAX_NAME]) and name not in RESERVED else ""
