"""``gen doctor``: what is installed, and how far each tree can be proven with it."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, replace

from gen.cli import machine
from gen.cli.exits import Exit
from gen.cli.guard import print_json, wants_color
from gen.cli.machine import Part

_GREEN, _YELLOW, _BOLD, _RESET = "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[0m"


INTERPRETER = Part("interpreter", "in place of tilelang-ascend")
LEGEND = (
    "simulated: kernels run on the model of the AI Core, which is as far as one gets without an NPU"
)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the source of one tree can be proven on this machine."""

    tree: str
    title: str
    level: str
    """One of none, rendered, compiled, simulated."""
    missing: tuple[Part, ...] = ()
    """What keeps it from going further."""
    instead: Part | None = None
    """What stands in for the tree's own compiler, and would be replaced by that."""


def examine(*, as_json: bool) -> Exit:
    """Prints what is installed. Findings when some tree cannot be run on the model."""
    parts = {
        "python": machine.python(),
        "host": machine.host(),
        "cache": machine.cache(),
        "formatters": machine.formatters(),
        "cxx": machine.cxx(),
        "tilelang": machine.tilelang(),
        "tilelang_ascend": machine.tilelang_ascend(),
        "qemu": machine.qemu(),
        "cann": machine.cann(),
        "npu": machine.npu(),
    }
    reaches = reach(parts)
    if as_json:
        _print_json(parts, reaches)
    else:
        _print(parts, reaches)
    return Exit.CLEAN if all(r.level == "simulated" for r in reaches) else Exit.FINDINGS


def reach(parts: dict[str, Part]) -> tuple[Reach, ...]:
    """The level of each tree: a source is rendered, then compiled, then simulated."""
    own = parts["tilelang_ascend"]
    # The interpreter takes kernels where the compiler is not installed, and is part of this package.
    a_tree = own if own.usable else INTERPRETER
    ladders = {
        ("a_tree", "A tree"): (parts["formatters"], a_tree, parts["cxx"]),
        ("m_tree", "M tree"): (parts["formatters"], parts["tilelang"], parts["cxx"]),
        # its own front end is the C++ compiler
        ("ascendc", "Ascend C"): (parts["formatters"], parts["cxx"], parts["cxx"]),
    }
    found = [_climb(tree, title, steps) for (tree, title), steps in ladders.items()]
    return tuple(
        replace(r, instead=own) if r.tree == "a_tree" and not own.usable else r for r in found
    )


def _climb(tree: str, title: str, steps: tuple[Part, ...]) -> Reach:
    levels = ("none", "rendered", "compiled", "simulated")
    height = next((i for i, part in enumerate(steps) if not part.usable), len(steps))
    missing = tuple(dict.fromkeys(part for part in steps if not part.usable))
    return Reach(tree, title, levels[height], missing)


def _print(parts: dict[str, Part], reaches: tuple[Reach, ...]) -> None:
    color = wants_color(sys.stdout)

    def paint(style: str, text: str) -> str:
        return f"{style}{text}{_RESET}" if color else text

    print(paint(_BOLD, "On this machine"))
    for part in parts.values():
        line = ": ".join(text for text in (part.found, part.problem) if text)
        missing = "·" if part.optional else paint(_YELLOW, "–")
        mark = paint(_GREEN, "✓") if part.usable else missing
        print(f"  {mark} {part.name:<16} {line}")
    print(paint(_BOLD, "\nHow far gen check can go"))
    for r in reaches:
        style = _GREEN if r.level == "simulated" else _YELLOW
        why = [f"needs: {', '.join(part.name for part in r.missing)}"] if r.missing else []
        why += [f"by the {INTERPRETER.name}, {INTERPRETER.found}"] if r.instead else []
        reason = f" ({'; '.join(why)})" if why else ""
        print(f"    {r.title:<16} {paint(style, r.level)}{reason}")
    print(f"  {LEGEND}")
    lacking = [p for r in reaches for p in (*r.missing, r.instead) if p]
    lacking += [p for p in parts.values() if p.problem and not p.optional]
    helps = dict.fromkeys(p.help for p in lacking if p.help)
    if helps:
        print(paint(_BOLD, "\nTo go further"))
        for help in helps:
            print(f"    {help}")


def _print_json(parts: dict[str, Part], reaches: tuple[Reach, ...]) -> None:
    trees = {
        r.tree: {
            "level": r.level,
            "missing": [p.name for p in r.missing],
            "help": [p.help for p in r.missing if p.help],
            "instead_of": r.instead and r.instead.name,
        }
        for r in reaches
    }
    print_json(
        {
            "parts": {key: {**asdict(p), "usable": p.usable} for key, p in parts.items()},
            "trees": trees,
        }
    )
