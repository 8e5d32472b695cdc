"""The profile that a kernel is judged for, from its chip and what the user chose."""

from __future__ import annotations

from gen.chips import Chip
from gen.plan import Tree
from gen.sim import Profile


def profile_of(
    chip: Chip,
    tree: Tree,
    *,
    auto_sync: bool | None = None,
    flag_identity: str = "doc",
    xflag: str = "counter",
    k_tail: str = "group",
    hazards: bool = True,
    deep: bool = False,
) -> Profile:
    """`auto_sync` None: as bisheng does by default (on). Raises ValueError for an unknown word.

    What tilelang emits for the M tree is the pointer C API, to which bisheng adds no synchronisation
    (asc-devkit, docs, 核内同步/关键特性说明): always off.
    """
    if (
        flag_identity not in ("doc", "strict")
        or xflag not in ("counter", "binary")
        or k_tail not in ("group", "exact")
    ):
        raise ValueError(f"no such profile: {flag_identity}, {xflag}, {k_tail}")
    return Profile(
        chip="2201" if chip.arch == "dav-2201" else "3510",
        auto_sync=auto_sync is not False and tree is not Tree.M,
        flag_identity="strict" if flag_identity == "strict" else "doc",
        xflag="binary" if xflag == "binary" else "counter",
        k_tail="exact" if k_tail == "exact" else "group",
        hazards=hazards,
        deep=deep,
    )


def words(profile: Profile) -> dict[str, str]:
    """What a verdict depends on beside the kernel, by the names and values of the options."""
    return {
        "chip": profile.chip,
        "auto_sync": "on" if profile.auto_sync else "off",
        "flag_identity": profile.flag_identity,
        "xflag": profile.xflag,
        "k_tail": profile.k_tail,
    }


def text(profile: Profile) -> str:
    """The same on one line."""
    return ",".join(f"{name}={value}" for name, value in words(profile).items())
