"""A race between cores that the model saw from the wrong end: the read that came before the write was to come after it.

Two accesses of different cores that nothing orders have no first and second. Where the memory was filled before the
kernel began, the model takes a read that happened to be early for one that should be. The kernel's text may say better:
where it tells of the write (a cross-core flag, an IBSet), the read was meant to hear of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gen.check.block_calls import block_calls
from gen.check.cross_calls import Between, cross_calls, misplaced
from gen.check.places import Place
from gen.check.statements import statement
from gen.check.wording import Kernel
from gen.sim import Finding

_MESSAGE = re.compile(
    r"WAR on (?P<where>.+?): (?P<writer>[^:]+? \(\w+\)) overwrites what (?P<reader>.+? \(\w+\)) reads; "
    r"nothing orders (?P<one>\S+ \S+) and (?P<other>\S+ \S+) here(?P<rest>.*)"
)


def as_meant(
    finding: Finding, kernel: Kernel, first: Place | None, second: Place | None
) -> Finding:
    """`finding`, or the same race as one of a read that does not wait for its write, where the kernel tells of that write.

    `first` and `second` are the places of the finding in the kernel's text.
    """
    if finding.code != "race-war" or finding.fix is None or first is None or second is None:
        return finding
    told = _TOLD.get(str(finding.fix["kind"]))
    return _turned(finding) if told and told(finding.fix, kernel, second, first) else finding


def _by_flag(fix: Mapping[str, Any], kernel: Kernel, writer: Place, reader: Place) -> bool:
    python = kernel.tree != "ascendc"
    where = Between(
        statement(kernel.text, writer.line, python=python)[1],
        statement(kernel.text, reader.line, python=python)[0],
        str(fix["to_core"]).rstrip("01"),
        str(fix["from_core"]).rstrip("01"),
        str(fix["to"]),
        str(fix["from"]),
    )
    found = misplaced(kernel.text, cross_calls(kernel.text, kernel.dialect), where)
    # Behind a wait on another pipe, flags of the core may order the read.
    return found is not None and (found.what != "pipe" or found.call.sets)


def _by_block(fix: Mapping[str, Any], kernel: Kernel, writer: Place, reader: Place) -> bool:
    calls = block_calls(kernel.text)
    return any(c.sets and c.beside(kernel.text, writer.line) for c in calls) and not any(
        c.beside(kernel.text, reader.line) for c in calls
    )


_TOLD = {"cross": _by_flag, "sync_all": _by_block}


def _turned(finding: Finding) -> Finding:
    assert finding.fix is not None
    swapped = dict(finding.fix)
    for one, other in (("from", "to"), ("from_core", "to_core")):
        if one in swapped:
            swapped[one], swapped[other] = finding.fix[other], finding.fix[one]
    message = _MESSAGE.fullmatch(finding.message)
    text = (
        f"RAW on {message['where']}: {message['reader']} reads what {message['writer']} writes; "
        f"nothing orders {message['other']} and {message['one']} here{message['rest']}"
        if message
        else finding.message
    )
    return replace(
        finding,
        code="race-raw",
        message=text,
        edge="→".join(reversed(finding.edge.split("→"))),
        first=finding.second,
        second=finding.first,
        fix=swapped,
        behind=None,
    )
