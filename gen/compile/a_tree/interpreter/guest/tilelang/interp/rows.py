"""The assignments of T.Parallel as vector instructions, as tilelang-ascend 0.1.4 finds them.

Each assignment becomes one run over all lanes, or one for each row where an operand has only rows or only columns. What
is neither is computed element by element, by the scalar unit: `rows_of` gives None then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from .buffer import NAMES, Buffer, Element
from .expression import Atom, Expression, wide
from .extents import Area
from .lanes import LANES, Node
from .refusal import RefusalError, unsupported
from .scalar import printed

VECTOR = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "max": "Max", "min": "Min"}
SCALAR = {"add": "Adds", "sub": "Adds", "mul": "Muls", "div": "Muls"}
UNARY = {"exp": "Exp", "log": "Ln", "sqrt": "Sqrt", "rsqrt": "Rsqrt", "abs": "Abs", "relu": "Relu"}
BROADCAST = ("float32", "float16", "int8", "uint8")
ELEMENT_BY_ELEMENT = (
    "write the rows out with T.tile, or compute element by element in T.serial loops"
)


@dataclass
class Place:
    """Where the lanes of an operand start: `offset` in the first row, `step` from row to row."""

    buffer: Buffer
    offset: Any = 0
    step: int = 0

    def at(self, row: int) -> Any:
        """The offset in a row."""
        return self.offset + row * self.step if self.step else self.offset


@dataclass
class Instruction:
    """One instruction; `scalar` is a number, or the place of an element that the core reads first."""

    name: str
    target: Place
    sources: tuple[Place, ...]
    count: int
    scalar: Any = None


@dataclass
class Repeated:
    """A buffer of one dimension, repeated to all lanes first."""

    target: Buffer
    source: Buffer
    scratch: Buffer
    axis: int
    shape: list[int]


@dataclass
class Moved:
    """A copy."""

    source: Area
    target: Area


@dataclass
class Row:
    """What one assignment makes, in order."""

    steps: list[Instruction | Repeated | Moved] = field(default_factory=list)


Temporary = Callable[[str, str, tuple[int, ...]], Buffer]
"""Makes a buffer of a name, type and shape in UB."""


def rows_of(
    stores: Sequence[tuple[Element, Any]], extents: tuple[int, ...], temporary: Temporary
) -> tuple[list[Row], int] | None:
    """The instructions of all assignments, and how many rows they are repeated for; None without vectors.

    Raises RefusalError where the compiler's vectors are wrong, or none.
    """
    lanes = Lanes(extents)
    shapes = [lanes.shape_of(element) for element, _ in stores]
    if not stores or shapes[0] is None:
        return None
    outer, whole = shapes[0]
    whole = whole and all(lanes.one_run(value) for _, value in stores)
    rows = []
    for (element, value), shape in zip(stores, shapes, strict=True):
        if shape is None or shape[0] != outer:
            return None
        row = Assignment(lanes, element, whole, temporary).row(value)
        if row is None:
            return None
        rows.append(row)
    if lanes.doubts:
        raise lanes.doubts[0]
    if whole or outer == 1:
        return rows, 1
    if lanes.alone(stores[0][0].index[-2]) != 0:
        raise RefusalError(
            "the compiler does not take these rows of T.Parallel: the row of the destination is more than the index",
            "shift the other operands instead, or use a serial loop around T.Parallel(columns)",
        )
    return rows, outer


class Lanes:
    """The variables of one T.Parallel: the last runs along the vectors."""

    def __init__(self, extents: tuple[int, ...]) -> None:
        self.extents = extents
        self.last = len(extents) - 1
        self.width = extents[-1]
        self.count = prod(extents)
        self.doubts: list[RefusalError] = []
        """What is wrong with the vectors, if there are any in the end."""

    def doubt(self, message: str, help: str) -> None:
        """Something is wrong with a vector."""
        self.doubts.append(RefusalError(message, help))

    def alone(self, index: Any) -> int | None:
        """Which variable an index is, where it is nothing else."""
        if not isinstance(index, Expression) or index.constant or len(index.terms) != 1:
            return None
        ((atom, factor),) = index.terms.items()
        return atom.key[1] if factor == 1 and _is_lane(atom) else None

    def along(self, element: Element) -> bool:
        """Whether an element is another one in every lane of a vector."""
        return any(self.last in _mentioned(i) for i in element.index)

    def down(self, element: Element) -> bool:
        """Whether it is another one in every row."""
        return any(0 in _mentioned(i) for i in element.index) and self.last > 0

    def shape_of(self, element: Element) -> tuple[int, bool] | None:
        """Rows of a destination, and whether all of them may be one run; None where nothing is a vector."""
        index, rank = element.index, len(element.index)
        if rank > 3 or self.last not in _mentioned(index[-1]):
            return None
        if rank == 1:
            if self.last > 0:
                self.doubt(
                    f"the compiler takes all lanes of T.Parallel for elements of {element.buffer.name}, which has one"
                    " dimension",
                    "use T.Parallel of one extent",
                )
            return 1, False
        return self.count // self.width, self.last > 0 and 0 in _mentioned(index[-2])

    def one_run(self, value: Any) -> bool:
        """Whether all rows of a value can be one run."""
        loads = list(elements(value))
        flat = any(len(e.buffer.shape) == 2 for e in loads)
        for element in loads:
            if self.along(element) and self.down(element):
                continue
            if flat or len(element.index) != 1 or self.alone(element.index[0]) is None:
                return False
        return True

    def place(self, element: Element, whole: bool) -> Place:
        """Where the lanes start. Raises RefusalError where they do not follow each other."""
        first, steps = split(element.offset)
        wanted = {self.last: 1, 0: self.width} if whole else {self.last: 1}
        given = {
            k: n for k, n in steps.items() if self.extents[k] > 1 and (whole or k == self.last)
        }
        if given != {k: n for k, n in wanted.items() if self.extents[k] > 1}:
            self.doubt(
                f"the compiler makes one run of what T.Parallel takes of {element.buffer.name}, and these elements do"
                " not follow each other",
                ELEMENT_BY_ELEMENT,
            )
        return Place(element.buffer, first, 0 if whole else steps.get(0, 0) if self.last else 0)


class Assignment:
    """One of them. `whole`: all rows are one run."""

    def __init__(self, lanes: Lanes, element: Element, whole: bool, temporary: Temporary) -> None:
        self.lanes, self.whole, self.temporary = lanes, whole, temporary
        self.element = element
        self.dtype = element.buffer.dtype
        self.count = lanes.count if whole else lanes.width
        self.result = Row()
        self.repeated: dict[int, Buffer] = {}

    def row(self, value: Any) -> Row | None:
        """Its instructions; None where the compiler finds none."""
        value = simplified(value)
        if isinstance(value, Node) and value.name == "cast":
            (part,) = value.parts
            if not isinstance(part, Element) or value.dtype != self.dtype:
                return None
            value = part
        dtype = dtype_of(value)
        if isinstance(value, int | float) or (
            dtype != self.dtype and not isinstance(value, Element)
        ):
            return None
        if dtype is None or isinstance(value, Expression | Given):
            return None
        target = self._target()
        scope = self.element.buffer.scope
        if scope not in ("ub", "global"):
            raise unsupported(f"T.Parallel that writes to {scope.upper()}")
        aside = self._temporary() if scope == "global" else None
        if self.whole and not any(len(e.buffer.shape) == 2 for e in elements(value)):
            self._repeat(value)
        if not self._compute(value, target if aside is None else Place(aside)):
            return None
        if aside is not None:
            self._store(aside, target.offset)
        return self.result

    def _target(self) -> Place:
        buffer = self.element.buffer
        if buffer.scope != "global":
            return self.lanes.place(self.element, self.whole)
        first, steps = split(self.element.offset)
        rows = {0: buffer.shape[-1]} if self.whole else {}
        if steps != {self.lanes.last: 1, **rows}:
            raise unsupported("T.Parallel that stores to GM with steps")
        return Place(buffer, first)

    def _repeat(self, value: Any) -> None:
        for element in elements(value):
            axis = self.lanes.alone(element.index[0]) if len(element.index) == 1 else None
            if axis is None:
                continue
            source = element.buffer
            high, width = self.lanes.count // self.lanes.width, self.lanes.width
            along = 0 if axis == self.lanes.last else 1
            if source.shape[0] != (width if along == 0 else high) or source.dtype not in BROADCAST:
                self.lanes.doubt(
                    f"the compiler repeats all of {source.name} here, which is {source.shape[0]} elements of"
                    f" {source.dtype}, to {high} × {width}",
                    "T.tile.broadcast it to a buffer of its own",
                )
            target = self.temporary(f"{source.name}_broadcast", source.dtype, (high, width))
            scratch = self.temporary("broadcast_workspace", "uint8", (2 * high * width,))
            self.result.steps.append(Repeated(target, source, scratch, along, [high, width]))
            self.repeated[id(element)] = target

    def _temporary(self) -> Buffer:
        like = self.element.buffer
        shape: tuple[int, ...] = (self.count,)
        if len(like.shape) > 1:
            shape = (self.count // self.lanes.width, self.lanes.width)
        return self.temporary(f"{like.name}_tmp", like.dtype, shape)

    def _place(self, element: Element) -> Place:
        known = self.repeated.get(id(element))
        if known is not None:
            return Place(known)
        if element.buffer.scope != "ub":
            self.lanes.doubt(
                f"vector instructions of this T.Parallel would compute with {element.buffer.name}, which is in"
                f" {NAMES[element.buffer.scope]}",
                "T.copy it to a buffer of T.alloc_ub first",
            )
        if not self.lanes.along(element):
            self.lanes.doubt(
                f"the compiler takes one element of {element.buffer.name} for a whole vector on the left of an operator",
                "write the vector first",
            )
        return self.lanes.place(element, self.whole)

    def _compute(self, value: Any, target: Place) -> bool:
        if isinstance(value, Element):
            return self._move(value, target)
        if not isinstance(value, Node):
            return False
        if value.name in UNARY:
            (part,) = value.parts
            if not isinstance(part, Element):
                return False
            self._add(UNARY[value.name], target, self._place(part))
            return True
        if value.name not in VECTOR:
            return False
        left, right = value.parts
        if not _operand(left) or not (_operand(right) or _number(right)):
            return False
        first = self._operand(left)
        if first is None:
            return False
        if isinstance(right, Element):
            return self._with_element(value.name, target, first, right)
        if isinstance(right, Node):
            second = self._operand(right)
            if second is None:
                return False
            self._add(VECTOR[value.name], target, first, second)
            return True
        self._with_number(value.name, target, first, right)
        return True

    def _operand(self, part: Any) -> Place | None:
        if isinstance(part, Element):
            return self._place(part)
        place = Place(self._temporary())
        return place if self._compute(part, place) else None

    def _add(self, name: str, target: Place, *sources: Place, scalar: Any = None) -> None:
        self.result.steps.append(Instruction(name, target, sources, self.count, scalar))

    def _with_element(self, name: str, target: Place, first: Place, right: Element) -> bool:
        if id(right) in self.repeated:
            self.lanes.doubt(
                f"the compiler repeats {right.buffer.name} and takes its first element only, on the right of an operator",
                "write it first, or T.tile.broadcast it",
            )
            return True
        if self.lanes.along(right):
            self._add(VECTOR[name], target, first, self._place(right))
            return True
        if right.buffer.scope != "ub":
            raise unsupported("T.Parallel with an element of GM")
        offset, steps = split(right.offset)
        self._with_number(name, target, first, Place(right.buffer, offset, steps.get(0, 0)))
        return True

    def _with_number(self, name: str, target: Place, first: Place, number: Any) -> None:
        if name not in SCALAR:
            self.lanes.doubt(
                f"the compiler crashes on T.{name} of a vector and a number in T.Parallel",
                f"use T.tile.{name}(dst, src, number)",
            )
            return
        if self.dtype != "float32" and wide(number):
            self.lanes.doubt(
                "the C++ of this T.Parallel does not compile: a number that is computed from cid or vid is 64 bits wide",
                "store it in an element of a buffer of int32",
            )
        if name == "sub" and isinstance(number, int | float) and number < 0:
            self.lanes.doubt(
                f"the compiler prints `-{number}` with another minus in front, which is no C++",
                f"add {-number}",
            )
        self._add(name, target, first, scalar=number)

    def _move(self, element: Element, target: Place) -> bool:
        source = element.buffer
        known = self.repeated.get(id(element))
        if known is not None:
            self._copy(Area(known, [0, 0], list(known.shape), list(known.shape)), target)
            return True
        if len(source.shape) != len(target.buffer.shape) or len(source.shape) > 2:
            raise unsupported(
                "T.Parallel that copies between buffers of different or of three dimensions"
            )
        tiles = source.scope == target.buffer.scope == "ub"
        if tiles and len(source.shape) > 1 and source.shape[-1] != target.buffer.shape[-1]:
            return False
        if not self.lanes.along(element):
            raise unsupported("T.Parallel that fills a vector with one element")
        first, steps = split(element.offset)
        if len(source.shape) == 1:
            self._copy(Area(source, [first], [self.count], [self.count]), target)
            return True
        width = source.shape[-1]
        if not self.whole or steps.get(0) != width or steps.get(self.lanes.last) != 1:
            self.lanes.doubt(
                f"the compiler copies a tile of the size of {target.buffer.name} here, whatever the lanes are",
                "use T.copy",
            )
            return True
        if source.dtype != target.buffer.dtype and (
            first != 0 or list(source.shape) != list(target.buffer.shape)
        ):
            self.lanes.doubt(
                f"the compiler copies all of {source.name} where a conversion is needed",
                "use T.copy",
            )
        shape = [int(n) for n in target.buffer.shape]
        self._copy(Area(source, [first // width, first % width], shape, list(shape)), target)
        return True

    def _copy(self, source: Area, target: Place) -> None:
        buffer = target.buffer
        if target.offset != 0 or self.lanes.count != buffer.elements:
            self.lanes.doubt(
                f"the compiler copies to the start of {buffer.name}, as much as it holds, whatever the lanes are",
                "use T.copy",
            )
            return
        rank = len(buffer.shape)
        shape = [int(n) for n in buffer.shape] if rank > 1 else [self.count]
        self.result.steps.append(Moved(source, Area(buffer, [0] * rank, shape, list(shape))))

    def _store(self, aside: Buffer, offset: Any) -> None:
        buffer = self.element.buffer
        rank = len(buffer.shape)
        if rank > 2 or (rank > 1 and not self.whole and self.lanes.last > 0):
            raise unsupported(
                "T.Parallel that stores rows one by one, or to a tensor of three dimensions"
            )
        shape = [int(n) for n in aside.shape]
        low = [offset] if rank == 1 else [offset // buffer.shape[1], offset % buffer.shape[1]]
        source = Area(aside, [0] * rank, shape, list(shape))
        self.result.steps.append(Moved(source, Area(buffer, low, shape, list(shape))))


def _operand(part: Any) -> bool:
    return isinstance(part, Element | Node)


class Given:
    """A number that only a core knows, when a core has it."""

    def __init__(self, value: Any) -> None:
        self.value = value


def known_later(value: Any) -> list[bool]:
    """By number in a value, whether only a core knows it."""
    if isinstance(value, Node):
        return [later for part in value.parts for later in known_later(part)]
    return [] if isinstance(value, Element) else [isinstance(value, Expression)]


def given(value: Any, later: list[bool]) -> Any:
    """The value with such numbers marked: taken from the front of `later`."""
    if isinstance(value, Node):
        return Node(value.name, *(given(p, later) for p in value.parts), dtype=value.dtype)
    if isinstance(value, Element):
        return value
    return Given(value) if later.pop(0) else value


def _number(part: Any) -> bool:
    if isinstance(part, Given):
        return True
    if isinstance(part, Expression):
        return not part.constant and list(part.terms.values()) == [1]
    return isinstance(part, int | float)


def elements(value: Any) -> Iterator[Element]:
    """Those that a value is computed from, in order."""
    if isinstance(value, Element):
        yield value
    elif isinstance(value, Node):
        for part in value.parts:
            yield from elements(part)


def functions(value: Any) -> Iterator[str]:
    """The functions in a value that the scalar unit does not have."""
    if isinstance(value, Node):
        if value.name in UNARY and value.name != "relu":
            yield value.name
        for part in value.parts:
            yield from functions(part)


def operators(value: Any) -> set[str]:
    """The names of the operations in a value."""
    if not isinstance(value, Node):
        return set()
    return {value.name}.union(*(operators(part) for part in value.parts))


def half_extremes(value: Any) -> bool:
    """Whether the larger or smaller of two 16-bit floats is taken."""
    if not isinstance(value, Node):
        return False
    kinds = {getattr(part, "dtype", "") for part in value.parts}
    taken = value.name in ("max", "min", "relu") and bool(kinds & {"float16", "bfloat16"})
    return taken or any(map(half_extremes, value.parts))


def converted(value: Any) -> set[str]:
    """Types that a value is converted to in between."""
    if not isinstance(value, Node):
        return set()
    found = {value.dtype} if value.dtype else set()
    return found.union(*(converted(part) for part in value.parts))


def dtype_of(value: Any) -> str | None:
    """The type of a value; None where the compiler converts in between."""
    if isinstance(value, Element):
        return value.dtype
    if not isinstance(value, Node):
        return ""
    if value.name == "cast":
        return None
    found = {dtype_of(part) for part in value.parts if not isinstance(part, int | float)}
    if any(isinstance(part, float) for part in value.parts) and found != {"float32"}:
        return None
    if any(isinstance(part, Expression | Given) for part in value.parts):
        found.discard("")
        found.add("int32")
    return found.pop() if len(found) == 1 else None


def simplified(value: Any) -> Any:
    """With what the compiler takes out before it looks for vectors."""
    if not isinstance(value, Node) or len(value.parts) != 2:
        return value
    left, right = (simplified(part) for part in value.parts)
    name = value.name
    if name == "sub" and isinstance(left, int) and left == 0 and _operand(right):
        return Node("mul", right, -1.0 if dtype_of(right) in ("float32", "float16") else -1)
    if name == "div" and isinstance(right, int | float):
        return left if right == 1 else Node("mul", left, printed(1.0 / right))
    for one, other in ((left, right), (right, left)):
        if not isinstance(one, int | float) or isinstance(one, bool):
            continue
        if (name == "mul" and one == 1) or (name == "add" and one == 0):
            return other
        if name == "mul" and one == 0:
            return 0.0 if dtype_of(other) in ("float32", "float16") else 0
    if name == "sub" and isinstance(right, int | float) and right == 0:
        return left
    return Node(name, left, right)


def split(offset: Any) -> tuple[Any, dict[int, int]]:
    """An offset in the first lane, and the steps from lane to lane."""
    if not isinstance(offset, Expression):
        return offset, {}
    steps: dict[int, int] = {}
    rest: dict[Atom, int] = {}
    for atom, factor in offset.terms.items():
        if _is_lane(atom):
            steps[atom.key[1]] = factor
        elif _mentioned_in(atom.key):
            raise unsupported("an index of T.Parallel that is no sum")
        else:
            rest[atom] = factor
    first = Expression(rest, offset.constant) if rest else offset.constant
    return first, steps


def _is_lane(atom: Atom) -> bool:
    return isinstance(atom.key, tuple) and len(atom.key) == 2 and atom.key[0] is LANES


def _mentioned(index: Any) -> set[int]:
    """The variables in an index."""
    if not isinstance(index, Expression):
        return set()
    return set().union(*(_mentioned_in(atom.key) for atom in index.terms), set())


def _mentioned_in(key: Any) -> set[int]:
    if isinstance(key, Atom):
        return _mentioned_in(key.key)
    if isinstance(key, tuple) and len(key) == 2 and key[0] is LANES:
        return {key[1]}
    if isinstance(key, tuple | frozenset):
        return set().union(*(_mentioned_in(k) for k in key), set())
    return set()
