"""What a host program does with device memory: remarks, since no kernel is wrong because of it."""

from __future__ import annotations

from gen.sim import Run


def remarks(run: Run) -> tuple[str, ...]:
    """Memory that is never freed, and memory of a kernel's argument that nobody gives a value."""
    names = {t.index: t.name for launch in run.launches for t in launch.tensors}
    said = []
    for tensor in run.report.get("memory", ()):
        name = names.get(tensor["index"])
        if name is None:
            continue
        size = tensor["bytes"]
        if tensor["alive"]:
            said.append(f"the device memory of {name}, {size:,} bytes, is never freed")
        without = size - tensor["initialised"]
        if without and tensor["initialised"] and not tensor["stored"]:
            message = f"{without:,} of the {size:,} bytes of {name} are never given a value or used"
            said.append(message)
    return tuple(said)
