"""Capacities, cores and alignments of the two chips, each figure with its source.

Sources, in the docstring and the comments below:

* [arch2201], [arch3510]: mirror-cann/asc-devkit,
  docs/zh/guide/编程指南/高级编程/硬件实现/架构规格/NPU架构版本2201.md and NPU架构版本3510.md
* [limits]: the same repository, docs/zh/guide/编程指南/高级编程/硬件实现/硬件约束/
* [migration]: the same repository, docs/zh/guide/跨代迁移兼容性指南/3510架构迁移指导/
* [samples]: the same repository, examples/01_simd_cpp_api/05_best_practices, the READMEs
* [a_tree]: tile-ai/tilelang-ascend 0.1.4, the TBufs in the prologue of every emitted kernel
* [m_tree]: tilelang 0.1.15, the capacities in the messages of its Ascend scheduler
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

_KIB = 1024


class UbUse(StrEnum):
    """Who writes to UB: how much of it a kernel may claim depends on that."""

    A_TREE = "a_tree"
    A_TREE_SELECT = "a_tree_select"
    M_TREE = "m_tree"
    M_TREE_SIMT = "m_tree_simt"
    ASCENDC = "ascendc"


@dataclass(frozen=True, slots=True)
class Chip:
    """One AI Core generation. All sizes in bytes.

    ``ub … fb`` are the physical sizes [arch2201, arch3510]: UB 192 KiB | 256 KiB, L1 512 KiB, L0A
    and L0B 64 KiB, L0C 128 KiB | 256 KiB, BT (bias) 1 KiB | 4 KiB, FB (fixpipe) 2 KiB | 4 KiB.

    ``ub_usable`` is what a kernel may allocate, by use; see the comments at the two chips.
    ``l1_usable`` likewise: 256 B of L1 are reserved on 910B [arch2201], and the TBuf of every
    emitted kernel has 524032 B [a_tree].

    ``aic`` and ``aiv`` count the cores that a launch may use at once [samples]: 24 + 48 and 32 +
    64. Other SKUs have fewer (20 + 40); a persistent kernel is right on them too, only slower.

    Alignments of addresses [arch2201, limits]: UB and L1 32 B, L0A and L0B 512 B, L0C 64 B in
    general and 1024 B for the destination of Mmad (docs/zh/api, Mmad), BT 64 B, FB 64 B.
    ``gm_row_align`` is where GM rows should start for full bandwidth: 512 B | 128 B [samples,
    04_memory_access/data_copy]; any address is legal.

    ``max_grid`` is the largest number of blocks of one launch [limits]. ``vector_bytes`` is what
    one vector instruction repeat covers. ``fractal_bytes`` is the size of one cube fractal (16 rows
    of 32 B).
    """

    name: str
    arch: str
    ub: int
    l1: int
    l0a: int
    l0b: int
    l0c: int
    bt: int
    fb: int
    ub_usable: tuple[tuple[UbUse, int], ...]
    l1_usable: int
    aic: int
    aiv: int
    gm_row_align: int
    ub_align: int = 32
    l1_align: int = 32
    l0_align: int = 512
    l0c_align: int = 64
    mmad_dst_align: int = 1024
    bt_align: int = 64
    fb_align: int = 64
    max_grid: int = 65535
    vector_bytes: int = 256
    fractal_bytes: int = 512

    def usable_ub(self, use: UbUse) -> int:
        """Bytes of UB that a kernel of this use may allocate; KeyError where there is no such use."""
        return dict(self.ub_usable)[use]


ASCEND910B = Chip(
    name="ascend910b",
    arch="dav-2201",
    ub=192 * _KIB,
    l1=512 * _KIB,
    l0a=64 * _KIB,
    l0b=64 * _KIB,
    l0c=128 * _KIB,
    bt=1 * _KIB,
    fb=2 * _KIB,
    ub_usable=tuple(
        {
            # The last 256 B are always reserved [arch2201]; the UB TBuf of every emitted kernel has
            # 196352 B [a_tree].
            UbUse.A_TREE: 192 * _KIB - 256,
            # Select with a mask tensor uses the last 8 KiB [migration].
            UbUse.A_TREE_SELECT: 192 * _KIB - 8 * _KIB,
            # bisheng keeps the last 8 KiB unless --cce-disable-asc-reserved-ubuf is given
            # [migration].
            UbUse.ASCENDC: 192 * _KIB - 8 * _KIB,
        }.items()
    ),
    l1_usable=512 * _KIB - 256,
    aic=24,
    aiv=48,
    gm_row_align=512,
)

ASCEND950 = Chip(
    name="ascend950",
    arch="dav-3510",
    ub=256 * _KIB,
    l1=512 * _KIB,
    l0a=64 * _KIB,
    l0b=64 * _KIB,
    l0c=256 * _KIB,
    bt=4 * _KIB,
    fb=4 * _KIB,
    ub_usable=tuple(
        {
            # 6 KiB of vector-function stack and 2 KiB for Ascend C are kept by default: 248 KiB
            # [migration, m_tree].
            UbUse.M_TREE: 248 * _KIB,
            # A kernel with a SIMT vector function leaves 32 KiB more to the SIMT data cache
            # [m_tree].
            UbUse.M_TREE_SIMT: 216 * _KIB,
            UbUse.ASCENDC: 248 * _KIB,
        }.items()
    ),
    l1_usable=512 * _KIB,
    aic=32,
    aiv=64,
    gm_row_align=128,
)

CHIPS: Mapping[str, Chip] = MappingProxyType({c.name: c for c in (ASCEND910B, ASCEND950)})


def get(name: str) -> Chip:
    """The chip of that name; KeyError names the known ones."""
    try:
        return CHIPS[name]
    except KeyError:
        raise KeyError(f"unknown chip {name!r}; known: {', '.join(CHIPS)}") from None
