"""Tapes: what the cores of a kernel call, written down instead of compiled.

A tape holds, for every core, its calls of the AscendC API in order, each with the place in a source
that it stands for. The player (:func:`gen.sim.tape_player.player`) plays it on the model, so that a
tape behaves as a compiled program does. A recorder writes one with :class:`TapeWriter`; this module
needs neither NumPy nor a compiler. What each call takes: ``native/tape/calls.md``.

The format (little-endian; a string is stood for by its index in the table of strings)::

    magic, u32 version, u32 CRC-32 of the body, u64 bytes of the body
    strings   u32 count; u32 bytes, UTF-8
    launch    u32 kernel, u32 kind, u32 blocks
    command   u32 count; u32 string
    tensors   u32 count; u32 name, u32 dtype, u32 role, u64 bytes
    sites     u32 count; u32 call, u32 step, u32 frames; u32 function, u32 file, u32 line
    cores     u32 count; u32 block, u32 unit, u32 live, u64 bytes; calls
    call      u32 site, u8 arguments; u8 tag, value
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn

MAGIC = b"CTTAPE\r\n"
VERSION = 1

POSITIONS = (
    *("GM", "A1", "A2", "B1", "B2", "C1", "C2", "CO1", "CO2", "VECIN", "VECOUT", "VECCALC"),
    *("SPM", "TSCM", "C2PIPE2GM"),
)
"""Names of ``AscendC::TPosition``, in its order."""
DTYPES = {
    "float32": 4,
    "float16": 2,
    "bfloat16": 2,
    "int64": 8,
    "uint64": 8,
    "int32": 4,
    "uint32": 4,
    "int16": 2,
    "uint16": 2,
    "int8": 1,
    "uint8": 1,
}
"""Element types, in the order of their codes, with their bytes."""
ROLES = ("in", "out", "inout", "workspace")
CORES = ("aic", "aiv0", "aiv1")
KINDS = {
    "vector": ("aiv0",),
    "cube": ("aic",),
    "mix_1_0": ("aic",),
    "mix_0_1": ("aiv0",),
    "mix_1_1": ("aic", "aiv0"),
    "mix_1_2": CORES,
}
"""Kinds of a kernel with the cores that a block of it has."""

_POSITION = {name: code for code, name in enumerate(POSITIONS)}
_DTYPE = {name: code for code, name in enumerate(DTYPES)}
_U32 = 0xFFFF_FFFF
_U64 = 0xFFFF_FFFF_FFFF_FFFF


class TapeError(Exception):
    """A call or a tape that cannot be written; the text says why."""


class NeedsValueError(Exception):
    """The recorder asked for a number that only running the kernel can tell."""


class Local(NamedTuple):
    """A tensor in on-chip memory, as ``AscendC::LocalTensor`` has it.

    ``address`` is in bytes; ``elements`` follow from there. ``low`` and ``high`` (bytes) bound the
    allocation that may be touched. Offsets wrap around as they do in C++.
    """

    position: str
    dtype: str
    address: int
    elements: int
    low: int
    high: int

    def at(self, offset: int) -> Local:
        """``tensor[offset]``: from that element on."""
        position, dtype, address, elements, low, high = self
        left = elements - offset if 0 <= offset < elements else 0
        return Local(position, dtype, (address + offset * DTYPES[dtype]) & _U32, left, low, high)

    def cast(self, dtype: str) -> Local:
        """``tensor.ReinterpretCast<dtype>()``."""
        elements = self.elements * DTYPES[self.dtype] // DTYPES[dtype]
        return self._replace(dtype=dtype, elements=elements)


class Global(NamedTuple):
    """A tensor in global memory from an element on, as ``AscendC::GlobalTensor`` has it.

    ``tensor`` is the index among the tensors of the tape, ``offset`` counts elements of ``dtype``.
    """

    tensor: int
    dtype: str
    offset: int = 0

    def at(self, offset: int) -> Global:
        """``tensor[offset]``: from that element on."""
        return Global(self.tensor, self.dtype, self.offset + offset)


class Register(NamedTuple):
    """A value of type ``dtype`` that the core reads or computes while it runs: its ``number``-th."""

    number: int
    dtype: str


@dataclass(frozen=True, slots=True)
class TapeTensor:
    """A tensor of the kernel. ``role``: one of :data:`ROLES`; a workspace is allocated by the player."""

    name: str
    dtype: str
    role: str
    bytes: int


Argument = Local | Global | Register | bool | int | float | str
Number = int | float


class Strings:
    """A table of strings; every string gets an index."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.index.setdefault(text, len(self.index))


Frame = tuple[str, str | Path, int]
"""One level of a place: a function, its file and a line that counts from 1."""


class Table:
    """Strings, places and sites. A site is a call by name at a place, with the names among its arguments."""

    def __init__(self) -> None:
        self.strings = Strings()
        self.places: list[tuple[tuple[Frame, ...], int]] = []
        self.sites: list[tuple[str, int, str]] = []
        self._places: dict[tuple[tuple[Frame, ...], int], int] = {}
        self._sites: dict[tuple[object, ...], int] = {}

    def place(self, frames: Iterable[Frame], step: int = 0) -> int:
        """The number of a call stack, innermost first.

        ``step`` tells apart calls of one name that one line makes.
        """
        key = (tuple(frames), step)
        found = self._places.setdefault(key, len(self.places))
        if found == len(self.places):
            self.places.append(key)
        return found

    def site(self, call: str, place: int, arguments: Sequence[Argument]) -> int:
        """The number of the position."""
        names = [a for a in arguments if type(a) is str]
        key = (call, place, *names)
        found = self._sites.setdefault(key, len(self.sites))
        if found == len(self.sites):
            if not 0 <= place < len(self.places):
                raise TapeError(f"{call}: place {place} is not one that this tape has given out")
            self.sites.append((call, place, " ".join(names)))
        return found


class Core:
    """The calls of one core. ``block`` and ``name`` (``aic``, ``aiv0``, ``aiv1``) say which."""

    def __init__(self, table: Table, block: int, name: str) -> None:
        self.block = block
        self.name = name
        self.table = table
        self.calls = bytearray()
        self.registers = 0
        """How many there are."""

    def place(self, frames: Iterable[Frame], step: int = 0) -> int:
        """See :meth:`Table.place`."""
        return self.table.place(frames, step)

    def call(self, name: str, place: int, *arguments: Argument) -> None:
        """Writes down one call of ``AscendC::name``. Raises TapeError for what no tape can hold."""
        site = self.table.site(name, place, arguments)
        out = self.calls
        out += _CALL(site, len(arguments))
        strings = self.table.strings
        for argument in arguments:
            out += _ENCODE.get(type(argument), _refuse)(argument, strings)

    def offsets(self, calls: bytes) -> Iterator[tuple[int, int]]:
        """Where the offsets of tensors in global memory stand in calls that this core has recorded, and what they are."""
        at = 0
        while at < len(calls):
            count = calls[at + 4]
            at += 5
            for _ in range(count):
                tag = calls[at : at + 1]
                if tag == b"g":
                    yield at + 6, int.from_bytes(calls[at + 6 : at + 14], "little", signed=True)
                at += _BYTES[tag]

    def repeat(self, calls: bytes, offsets: Iterable[tuple[int, int]] = ()) -> None:
        """Writes down calls that this tape has recorded once more, with other `offsets` where these stand."""
        start = len(self.calls)
        self.calls += calls
        for at, offset in offsets:
            _PUT(self.calls, start + at, offset & _U64)

    def read_scalar(self, place: int, tensor: Local | Global, index: int = 0) -> Register:
        """``tensor.GetValue(index)``; the core waits for the value."""
        result = self._register(tensor.dtype)
        self.call("GetValue", place, tensor, index, result)
        return result

    def compute(
        self, operation: str, dtype: str, left: Register | Number, right: Register | Number
    ) -> Register:
        """``add``, ``sub``, ``mul``, ``div``, ``max`` or ``min`` of two numbers of ``dtype``, rounded to it.

        ``max`` is ``left > right ? left : right``, ``min`` likewise. It takes no instruction.
        """
        result = self._register(dtype)
        place = self.table.place(())
        self.call(f"register.{operation}", place, dtype, left, right, result)
        return result

    def value(self, register: Register) -> Number:
        """The number itself. Raises NeedsValueError unless the core is live (:mod:`gen.sim.tape_live`)."""
        raise NeedsValueError(f"{self.name} of block {self.block} needs a value that it computes")

    def _register(self, dtype: str) -> Register:
        self.registers += 1
        return Register(self.registers - 1, dtype)


class TapeWriter:
    """A tape in the making.

    ``kind`` is one of :data:`KINDS`. ``command`` starts the recorder again where cores are live
    (:mod:`gen.sim.tape_live`).
    """

    def __init__(
        self,
        *,
        kernel: str,
        kind: str,
        blocks: int,
        tensors: Sequence[TapeTensor],
        command: Sequence[str] = (),
    ) -> None:
        if kind not in KINDS:
            raise TapeError(f"there is no kind of kernel {kind!r}: one of {', '.join(KINDS)}")
        if not 0 < blocks <= _U32:
            raise TapeError(f"a kernel is launched on 1 block or more, not on {blocks}")
        for tensor in tensors:
            _check_tensor(tensor)
        self.kernel, self.kind, self.blocks = kernel, kind, blocks
        self.tensors, self.command = tuple(tensors), tuple(command)
        self.table = Table()
        self._cores: dict[tuple[int, str], Core] = {}
        self._live: set[tuple[int, str]] = set()

    def core(self, block: int, name: str) -> Core:
        """The core ``name`` of a block; the same at every call."""
        if name not in KINDS[self.kind] or not 0 <= block < self.blocks:
            raise TapeError(
                f"a {self.kind} kernel on {self.blocks} blocks has no {name} of {block}"
            )
        return self._cores.setdefault((block, name), Core(self.table, block, name))

    def live(self, block: int, name: str) -> None:
        """The calls of this core are asked for while it runs; what it has recorded is dropped."""
        if not self.command:
            raise TapeError("a live core needs the command that starts its recorder")
        self.core(block, name).calls.clear()
        self._live.add((block, name))

    def write(self, path: Path) -> None:
        """Writes the tape. Raises TapeError when a core was never recorded."""
        names = KINDS[self.kind]
        wanted = [(block, name) for block in range(self.blocks) for name in names]
        missing = next((core for core in wanted if core not in self._cores), None)
        if missing is not None:
            raise TapeError(f"{missing[1]} of block {missing[0]} was not recorded")
        text = self.table.strings
        parts = [_pack("III", text(self.kernel), text(self.kind), self.blocks)]
        parts.append(_list(_pack("I", text(word)) for word in self.command))
        parts.append(_list(self._tensor(tensor) for tensor in self.tensors))
        parts.append(site_records(self.table))
        parts.append(_list(self._core(core) for core in wanted))
        body = string_records(text) + b"".join(parts)
        path.write_bytes(MAGIC + _pack("IIQ", VERSION, zlib.crc32(body), len(body)) + body)

    def _tensor(self, tensor: TapeTensor) -> bytes:
        text = self.table.strings
        return _pack("IIIQ", text(tensor.name), text(tensor.dtype), text(tensor.role), tensor.bytes)

    def _core(self, core: tuple[int, str]) -> bytes:
        calls = self._cores[core].calls
        live = core in self._live
        return _pack("IIIQ", core[0], CORES.index(core[1]), live, len(calls)) + bytes(calls)


def string_records(strings: Strings, first: int = 0) -> bytes:
    """The strings from one on, as the file has them."""
    data = [text.encode() for text in list(strings.index)[first:]]
    return _list(_pack("I", len(text)) + text for text in data)


def site_records(table: Table, first: int = 0) -> bytes:
    """The sites from one on, as the file has them. What strings they need is in the table afterwards."""
    return _list(_site(table, site) for site in range(first, len(table.sites)))


def _site(table: Table, site: int) -> bytes:
    text = table.strings
    call, place, names = table.sites[site]
    frames, step = table.places[place]
    head = _pack("III", text(call), text(f"{step} {names}"), len(frames))
    stack = (_pack("III", text(name), text(str(file)), line) for name, file, line in frames)
    return head + b"".join(stack)


def _check_tensor(tensor: TapeTensor) -> None:
    if tensor.dtype not in DTYPES:
        raise TapeError(f"{tensor.name}: no element type {tensor.dtype!r}: {', '.join(DTYPES)}")
    if tensor.role not in ROLES:
        raise TapeError(f"{tensor.name}: no role {tensor.role!r}: one of {', '.join(ROLES)}")


def _pack(form: str, *values: int) -> bytes:
    return struct.pack("<" + form, *values)


def _list(items: Iterable[bytes]) -> bytes:
    found = list(items)
    return _pack("I", len(found)) + b"".join(found)


_CALL = struct.Struct("<IB").pack
_INT = struct.Struct("<cq").pack
_FLOAT = struct.Struct("<cd").pack
_INDEX = struct.Struct("<cI").pack
_LOCAL = struct.Struct("<cBBIIII").pack
_GLOBAL = struct.Struct("<cIBQ").pack
_PUT = struct.Struct("<Q").pack_into
_BYTES = {b"i": 9, b"f": 9, b"s": 5, b"r": 5, b"l": 19, b"g": 14}
"""Of an argument, by its tag."""


def _int(value: int, _: Strings) -> bytes:
    try:
        return _INT(b"i", value)
    except struct.error:
        if not 0 <= value <= _U64:
            raise TapeError(f"{value} does not fit into 64 bits") from None
    return _INT(b"i", value - (1 << 64))


def _local(t: Local, _: Strings) -> bytes:
    position, dtype, address, elements, low, high = t
    try:
        return _LOCAL(b"l", _POSITION[position], _DTYPE[dtype], address, elements, low, high)
    except KeyError:
        raise TapeError(f"no position {position!r} or no element type {dtype!r}") from None
    except struct.error:
        raise TapeError(f"an address or a size of {t} does not fit into 32 bits") from None


def _global(t: Global, _: Strings) -> bytes:
    try:
        return _GLOBAL(b"g", t.tensor, _DTYPE[t.dtype], t.offset & _U64)
    except (KeyError, struct.error):
        raise TapeError(f"no element type {t.dtype!r} or no tensor {t.tensor}") from None


def _refuse(value: object, _: Strings) -> NoReturn:
    raise TapeError(f"an argument of type {type(value).__name__} cannot be written: {value!r}")


_ENCODE: dict[type, Callable[..., bytes]] = {
    bool: _int,
    int: _int,
    float: lambda value, _: _FLOAT(b"f", value),
    str: lambda value, strings: _INDEX(b"s", strings(value)),
    Register: lambda value, _: _INDEX(b"r", value.number),
    Local: _local,
    Global: _global,
}
