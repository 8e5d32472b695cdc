"""A call that fits no form of its function: what it gives, and what the function takes instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gen.compile.cpp_forms import Form, Parameter, constructors, forms_in
from gen.compile.cpp_log import CppError
from gen.compile.cpp_types import plain, plain_type, split
from gen.errors import listing

_CALL = re.compile(
    r"no matching (?:member )?(?:function|constructor) for (?:call to|initialization of) [‘'](?P<call>.*)[’']"
)
_TENSOR = re.compile(r"^(?P<kind>LocalTensor|GlobalTensor)<(?P<element>.*)>$")
_NUMBER = re.compile(
    r"^(?:u?int(?:8|16|32|64)_t|int|unsigned|long|bool|char|float|double|half|bfloat16_t|event_t|TEventID)$"
)
_MISSING = re.compile(
    r"couldn[’']t (?:deduce|infer) template (?:parameter|argument) [‘'](?P<name>\w+)[’']"
)
_UNFIT = re.compile(
    r"could not convert [‘'](?P<given>.+?)[’'] from [‘'](?P<of>.+?)[’'] to [‘'](?P<wanted>.+?)[’']"
)
_MOST_FORMS = 4


@dataclass(frozen=True)
class Call:
    """The function's name as the kernel calls it, its template arguments, and the types of the arguments."""

    name: str
    explicit: tuple[str, ...]
    given: tuple[str, ...]


@dataclass(frozen=True)
class Misfit:
    """What is wrong with the argument `index` (from 0), which should be `wanted`; or, without that, with several."""

    message: str
    index: int = -1
    wanted: str = ""

    @property
    def told(self) -> str:
        """The message with what should stand there."""
        return f"{self.message}, and it takes {_a(self.wanted)}" if self.wanted else self.message


def call_of(said: str) -> Call | None:
    """The call that an error is about."""
    match = _CALL.search(said)
    if match is None:
        return None
    call = plain(match["call"])
    if not call.endswith(")"):
        return Call(re.split(r"::|<", call)[-1] if "<" not in call else call.split("<")[0], (), ())
    start = _opening(call)
    head, arguments = call[:start], split(call[start + 1 : -1])
    head = re.sub(r"^(?:\w+(?:<.*>)?::)+(?=\w+(?:<[^:]*>)?$)", "", head)
    name, _, explicit = head.partition("<")
    return Call(name, tuple(split(explicit.removesuffix(">"))), tuple(map(plain_type, arguments)))


def _opening(call: str) -> int:
    """Offset of the bracket that the last one closes."""
    depth = 0
    for i in range(len(call) - 1, -1, -1):
        depth += (call[i] == ")") - (call[i] == "(")
        if depth == 0:
            return i
    return len(call) - 1


def explain(error: CppError, call: Call) -> tuple[str, str]:
    """In a sentence what is wrong, and what to write instead."""
    forms = [f for f in forms_in(error.notes, call.name) if not _copies(f)]
    if not forms:
        return f"{call.name} takes no such arguments: {_listed(call.given)}", ""
    help = _help(forms)
    faults = {f: fault for f in forms if (fault := _template_fault(f, call))}
    if faults and all(f in faults for f in forms if f.takes(len(call.given))):
        return next(iter(faults.values())), help
    forms = [f for f in forms if f not in faults]
    if not any(f.takes(len(call.given)) for f in forms):
        return f"{call.name} takes {_counts(forms)}, and {_number(len(call.given))} given", help
    ranked = sorted(forms, key=lambda f: _weight(f, call))
    return _against(ranked, call), _help(ranked)


def _against(ranked: Sequence[Form], call: Call) -> str:
    """What stands against the form that comes closest, or against all that come as close."""
    best = _misfits(ranked[0], call)
    if not ranked[0].takes(len(call.given)):
        count = len(ranked[0].parameters)
        return f"{ranked[0]} has {count} parameters, and {_number(len(call.given))} given"
    if not best:
        return f"{call.name} takes no such arguments: {_listed(call.given)}"
    if len(best) > 2:
        return f"{call.name} takes no such arguments: {_listed(call.given)}"
    if len(best) > 1 or not best[0].wanted:
        return "; ".join(m.told for m in best)
    first: dict[int, list[str]] = {}
    for form in ranked:
        misfits = _misfits(form, call) if form.takes(len(call.given)) else []
        if len(misfits) == 1 and misfits[0].wanted:
            first.setdefault(misfits[0].index, []).append(misfits[0].wanted)
    index = max(first, key=lambda i: len(first[i]))
    same = next(m for f in ranked for m in _misfits(f, call) if m.index == index and m.wanted)
    return f"{same.message}, and it takes {' or '.join(map(_a, dict.fromkeys(first[index])))}"


def _copies(form: Form) -> bool:
    """Whether it is the constructor that copies, which no one calls by name."""
    return len(form.parameters) == 1 and form.parameters[0].type.split("<")[0] == form.name


def _template_fault(form: Form, call: Call) -> str:
    for reason in form.reasons:
        if (unfit := _UNFIT.search(reason)) and call.explicit:
            given, of, wanted = (plain_type(unfit[g]) for g in ("given", "of", "wanted"))
            return f"the template argument {given} of {call.name} is of type {of}, and it takes {_a(wanted)}"
        if (missing := _MISSING.search(reason)) and form.takes(len(call.given)):
            words = [w for w in form.templates if re.search(rf"\b{missing['name']}\b", w)]
            wanted = plain_type(words[0].partition("=")[0]) if words else missing["name"]
            is_type = wanted.startswith(("class ", "typename ")) or wanted == missing["name"]
            given = ", ".join([*call.explicit, "half" if is_type else "…"])
            what = "an element type" if is_type else f"`{wanted}`"
            return f"{call.name} lacks a template argument, {what}: write {call.name}<{given}>(…)"
    return ""


def _misfits(form: Form, call: Call) -> list[Misfit]:
    """What stands against taking the arguments by this form."""
    names = {w.split("=")[0].split()[-1] for w in form.templates if w.strip()}
    bound: dict[str, list[tuple[str, str]]] = {}
    found: list[Misfit] = []
    for name, word in zip(form.templates, call.explicit, strict=False):
        if name.split()[0] in ("class", "typename"):
            bound.setdefault(name.split("=")[0].split()[-1], []).append(
                ("the template argument", word)
            )
    for i, (parameter, given) in enumerate(zip(form.parameters, call.given, strict=False)):
        found += _misfit(i, parameter, given, call.name, names, bound)
    for uses in bound.values():
        if len({element for _, element in uses}) > 1:
            each = ", ".join(f"{element} of {name}" for name, element in uses)
            found.append(Misfit(f"{call.name} takes one element type for its operands, not {each}"))
    return found


def _misfit(
    index: int,
    parameter: Parameter,
    given: str,
    name: str,
    templates: set[str],
    bound: dict[str, list[tuple[str, str]]],
) -> list[Misfit]:
    called = parameter.name or f"argument {index + 1}"
    wanted = _TENSOR.match(parameter.type)
    tensor = _TENSOR.match(given)
    wrong = [
        Misfit(f"{called} (argument {index + 1}) of {name} is {_a(given)}", index, parameter.type)
    ]
    if parameter.type in templates:
        if not tensor and _NUMBER.match(given) and parameter.type in bound:
            bound[parameter.type].append((called, given))
        return []
    if wanted:
        if tensor is None or tensor["kind"] != wanted["kind"]:
            return wrong
        if wanted["element"] in templates:
            bound.setdefault(wanted["element"], []).append((called, tensor["element"]))
            return []
        return [] if tensor["element"] == wanted["element"] else wrong
    if _NUMBER.match(parameter.type):
        return [] if _NUMBER.match(given) else wrong
    if given == parameter.type or (given == "{…}" and not wanted):
        return []
    if inner := re.match(r"(\w+)<(\w+)>$", parameter.type):
        same = re.match(r"(\w+)<(.+)>$", given)
        if same and same[1] == inner[1] and inner[2] in templates:
            bound.setdefault(inner[2], []).append((called, same[2]))
            return []
    return [] if "*" in parameter.type and "[" in given else wrong


def _weight(form: Form, call: Call) -> int:
    """How far a form is from the call: another element type is nearer than another number of arguments, and that nearer
    than another kind of argument."""
    count = len(call.given)
    return 3 * max(form.least - count, count - len(form.parameters), 0) + sum(
        4 if m.wanted else 2 for m in _misfits(form, call)
    )


def _braces(form: Form) -> tuple[str, str] | None:
    """Where `{…}` makes no struct of the parameter's type."""
    said = next((r for r in form.reasons if "brace" in r), "")
    match = re.search(
        r"cannot convert [‘'](?P<given>\{.*\})[’'] .* to type [‘'](?P<type>[^’']+)", said
    )
    if match is None:
        return None
    type_name = plain_type(match["type"])
    return _no_constructor(match["given"], type_name)


def _no_constructor(given: str, type_name: str) -> tuple[str, str]:
    built = [f"{{{', '.join(names)}}}" for names in constructors(type_name.partition("<")[0])]
    help = (
        f"{type_name} is built of {listing(built)}, or set its fields one by one" if built else ""
    )
    return f"{given} makes no {type_name}", help


def braces_of(error: CppError, call: Call) -> tuple[str, str] | None:
    """The same where the arguments would do but for what stands in braces."""
    if "{…}" not in call.given:
        return None
    found = [f for form in forms_in(error.notes, call.name) if (f := _braces(form))]
    return next((f for f in found if f[1]), found[0] if found else None)


def _counts(forms: Sequence[Form]) -> str:
    counts = sorted({n for f in forms for n in range(f.least, len(f.parameters) + 1)})
    words = [str(n) for n in counts]
    joined = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return f"{joined if counts != [0] else 'no'} argument{'s' * (counts != [1])}"


def _number(count: int) -> str:
    return {0: "none is", 1: "1 is"}.get(count, f"{count} are")


def _listed(given: Sequence[str]) -> str:
    return ", ".join(given) or "none"


def _a(what: str) -> str:
    return (
        f"an {what}"
        if re.match(r"[aeio]|u?int", what) and not what.startswith("uint")
        else f"a {what}"
    )


def _help(forms: Sequence[Form]) -> str:
    """The forms, those that differ."""
    shown = list(dict.fromkeys(map(str, forms)))
    more = len(shown) - _MOST_FORMS
    words = listing([*shown[:_MOST_FORMS]])
    return f"it is {words}" + (f", and {more} more" if more > 0 else "")
