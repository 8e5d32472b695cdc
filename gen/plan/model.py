"""What a plan is: every decision about a kernel, and nothing textual.

Sizes are elements unless a name says bytes. A `block` is one index of the launched grid; a `worker` is one vector core
(AIV) that takes tiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gen.chips import Chip
from gen.spec import DType, ElementwiseSpec, GemmSpec, NormSpec

BLOCK_BYTES = 32
"""Alignment of every UB and L1 address, and the row pitch unit of DMA (Ascend C guide, hardware constraints)."""


FRACTAL_ROWS = 16
ORDERED_FRACTALS = 10
"""Accumulating Mmads of fewer 16 x 16 output fractals need a barrier between them (Ascend C API, Mmad)."""
MAX_ROW_STRIDE = 65535
"""Nd2NzParams.srcDValue has 16 bits on ascend910b (Ascend C API, DataCopy with format conversion)."""


class Tree(StrEnum):
    """The three ways to write the kernel."""

    A = "a_tree"
    M = "m_tree"
    ASCENDC = "ascendc"


class Form(StrEnum):
    """What is rendered: each tree as people write it, and two of them with synchronisation by the other side.

    The plain form of a tree has the tree's name, and is equal to it.
    """

    A = "a_tree"
    """Explicit flags."""
    A_AUTO = "a_tree_auto"
    """No flags: the compiler inserts them."""
    M = "m_tree"
    """No flags: the compiler inserts them."""
    M_MANUAL = "m_tree_manual"
    """Explicit flags, the compiler's scheduler switched off."""
    ASCENDC = "ascendc"

    @property
    def tree(self) -> Tree:
        """The tree whose language and compiler it has."""
        return {Form.A_AUTO: Tree.A, Form.M_MANUAL: Tree.M}.get(self) or Tree(self.value)


@dataclass(frozen=True)
class Buffer:
    """An on-chip allocation of one core: `stages` copies of a tile of `shape` elements."""

    name: str
    memory: str
    dtype: DType
    shape: tuple[int, ...]
    stages: int = 1

    @property
    def tile_bytes(self) -> int:
        """Bytes of one copy; rows are padded to 32-byte blocks, as DMA lays them out."""
        *outer, inner = self.shape
        size = round_up(inner * self.dtype.bytes, BLOCK_BYTES)
        for extent in outer:
            size *= extent
        return size

    @property
    def bytes(self) -> int:
        """Bytes of all copies."""
        return self.stages * self.tile_bytes


@dataclass(frozen=True)
class TreePlan:
    """How one form of a tree maps the plan to its chip."""

    form: Form
    chip: Chip
    blocks: int
    """Blocks launched. A tree and cube kernels: AI Cores; vector kernels otherwise: AIVs."""
    workers: int
    """Vector cores (or, for GEMM, cubes) that share the tiles: tile t goes to worker t % workers."""
    rounds: int
    """ceil(tiles / workers): iterations of the loop over tiles; the last round is guarded."""
    stages: int
    """Copies of each tile in flight: the plan's, but no more than a worker has tiles (GEMM: steps along K).

    1 where the A tree's compiler synchronises: it puts a barrier of all pipes around each round of a loop
    (tilelang-ascend 0.1.4, AscendSyncInsert), so that a second copy would never be in flight.
    """
    buffers: tuple[Buffer, ...]
    """Everything allocated on one core; the sum per memory fits the chip."""

    @property
    def tree(self) -> Tree:
        """The tree that the form belongs to."""
        return self.form.tree

    @property
    def explicit(self) -> bool:
        """Whether the kernel itself synchronises."""
        return self.form not in (Form.A_AUTO, Form.M)

    def used(self, memory: str) -> int:
        """Bytes allocated in `memory`."""
        return sum(b.bytes for b in self.buffers if b.memory == memory)


@dataclass(frozen=True)
class VecInstr:
    """One vector instruction of an elementwise tile in three-address form.

    Operands are names: an input (its queue slot), the output (its queue slot), or a work buffer `w0`, `w1`, ….
    """

    op: str
    dst: str
    srcs: tuple[str, ...] = ()
    scalar: float | None = None
    tmp: str | None = None
    """Scratch of the composite operations (`sigmoid`), never one of the operands."""


@dataclass(frozen=True)
class ElementwisePlan:
    """`ceil(elements / tile)` tiles of `tile` contiguous elements of the flattened tensors."""

    spec: ElementwiseSpec
    elements: int
    tile: int
    tiles: int
    tail: int
    """Elements of the last tile, 1..tile."""
    stages: int
    program: tuple[VecInstr, ...]
    """What a tile computes, for the trees that write vector instructions."""
    work: tuple[str, ...]
    """Names of the work buffers of the program, each `tile` elements of the compute type."""
    fences: frozenset[int]
    """Indices of the instructions that need a barrier of the vector pipe before them, in a loop over tiles."""
    fences_once: frozenset[int]
    """The same for a worker that has one tile only."""
    release_after: int
    """Index of the last instruction of the program that reads an input slot."""
    store_from: int
    """Index of the first instruction that writes the output slot."""
    threads: int
    """Threads of the SIMT form."""
    trees: dict[Form, TreePlan]
    refused: dict[Form, str]

    @property
    def has_tail(self) -> bool:
        """Whether the last tile is shorter than the others."""
        return self.tail != self.tile


@dataclass(frozen=True)
class GemmPlan:
    """C[m, n] in tiles of bm x bn, K in steps of bk through L1 and of k0 through L0A/L0B."""

    spec: GemmSpec
    bm: int
    bn: int
    bk: int
    k0: int
    """Columns of A (rows of B) of one Mmad; divides bk."""
    m_tiles: int
    n_tiles: int
    k_tiles: int
    k_tail: int
    """Valid K elements of the last step, 1..bk."""
    stages: int
    trees: dict[Form, TreePlan]
    refused: dict[Form, str]

    @property
    def tiles(self) -> int:
        """Output tiles; tile t is row t // n_tiles, column t % n_tiles."""
        return self.m_tiles * self.n_tiles

    @property
    def small_mmad(self) -> bool:
        """Whether some tile accumulates by Mmads of so few fractals that the Cube does not order them by itself."""
        m_tail = self.spec.m - (self.m_tiles - 1) * self.bm
        n_tail = self.spec.n - (self.n_tiles - 1) * self.bn
        fractals = ceil_div(m_tail, FRACTAL_ROWS) * ceil_div(n_tail, FRACTAL_ROWS)
        return self.spec.k > self.k0 and fractals < ORDERED_FRACTALS

    @property
    def k_pad(self) -> bool:
        """Whether K ends inside a 32-byte group, with B stored [K, N]: its missing rows must be zeros in L1."""
        return not self.spec.transpose_b and self.spec.k % (BLOCK_BYTES // self.spec.b.bytes) != 0

    @property
    def wide_a(self) -> bool:
        """Whether the rows of A are longer than a 16-bit element stride can say."""
        return self.spec.k > MAX_ROW_STRIDE

    @property
    def wide_b(self) -> bool:
        """Whether the rows of B are longer than a 16-bit element stride can say."""
        return (self.spec.k if self.spec.transpose_b else self.spec.n) > MAX_ROW_STRIDE


@dataclass(frozen=True)
class NormPlan:
    """Rows in tiles of `tile_rows`; every row is held whole in UB, padded to `width` elements."""

    spec: NormSpec
    tile_rows: int
    width: int
    """Columns rounded up to whole 32-byte blocks of the 16-bit types (multiples of 16)."""
    tiles: int
    tail_rows: int
    """Rows of the last tile, 1..tile_rows."""
    stages: int
    threads: int
    """Threads of the SIMT form."""
    simt_width: int
    """Row width of the SIMT form: a power of two up to one pass of the threads, then whole passes."""
    trees: dict[Form, TreePlan]
    refused: dict[Form, str]

    @property
    def pad_blocks(self) -> int:
        """32-byte blocks from the end of a copied row to the start of the next one in UB."""
        size = self.spec.dtype.bytes
        return self.width * size // BLOCK_BYTES - ceil_div(self.spec.cols * size, BLOCK_BYTES)

    @property
    def has_tail(self) -> bool:
        """Whether the last tile has fewer rows."""
        return self.tail_rows != self.tile_rows


Plan = ElementwisePlan | GemmPlan | NormPlan


def ceil_div(a: int, b: int) -> int:
    """Smallest integer q with q * b >= a."""
    return -(-a // b)


def round_up(a: int, b: int) -> int:
    """Smallest multiple of b that is >= a."""
    return ceil_div(a, b) * b
