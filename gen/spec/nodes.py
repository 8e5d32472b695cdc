"""YAML nodes -> plain data and a source map, noting duplicate keys and values that mean nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from gen.spec import scalars
from gen.spec.sourcemap import Path, Place

# No spec is deeper or longer; aliases could otherwise make a small file endless.
MAX_DEPTH = 6
MAX_NODES = 2000


@dataclass(frozen=True, slots=True)
class NodeFlaw:
    """A node that cannot be taken as it stands."""

    code: str
    message: str
    path: Path
    place: Place
    help: str = ""


@dataclass(slots=True)
class Tree:
    """Plain data with the places of its keys and values."""

    lines: Sequence[str]
    data: Any = None
    keys: dict[Path, Place] = field(default_factory=dict)
    values: dict[Path, Place] = field(default_factory=dict)
    characters: dict[Path, Sequence[Place]] = field(default_factory=dict)
    flaws: list[NodeFlaw] = field(default_factory=list)
    count: int = 0


def convert(root: Node, lines: Sequence[str]) -> Tree:
    """The tree below ``root``."""
    tree = Tree(lines)
    tree.data = _convert(root, (), tree)
    return tree


def place(node: Node, lines: Sequence[str]) -> Place:
    """Where a node stands; a node of several lines is marked up to the end of its first one."""
    start, end = node.start_mark, node.end_mark
    stop = end.column if end.line == start.line else len(lines[start.line].rstrip())
    return Place(start.line + 1, start.column + 1, max(stop - start.column, 1))


def _convert(node: Node, path: Path, tree: Tree) -> Any:
    where = place(node, tree.lines)
    tree.values[path] = where
    tree.count += 1
    if len(path) > MAX_DEPTH or tree.count > MAX_NODES:
        if tree.count <= MAX_NODES + 1:
            tree.flaws.append(NodeFlaw("E112", "nested too deeply or too long", path, where))
        return None
    if isinstance(node, MappingNode):
        return _mapping(node, path, tree)
    if isinstance(node, SequenceNode):
        return [_convert(item, (*path, i), tree) for i, item in enumerate(node.value)]
    assert isinstance(node, ScalarNode)
    try:
        value = scalars.value(node)
    except scalars.ScalarError as error:
        tree.flaws.append(NodeFlaw("E112", str(error), path, where))
        return None
    if isinstance(value, str):
        tree.characters[path] = scalars.characters(node, tree.lines)
    return value


def _mapping(node: MappingNode, path: Path, tree: Tree) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = str(key_node.value) if isinstance(key_node, ScalarNode) else ""
        where = place(key_node, tree.lines)
        if not isinstance(key_node, ScalarNode):
            tree.flaws.append(NodeFlaw("E112", "a key must be a word", path, where))
        elif key in data:
            first = tree.keys[(*path, key)]
            message = f"`{key}` is given twice"
            help = f"it was first given in line {first.line}; keep one"
            tree.flaws.append(NodeFlaw("E107", message, (*path, key), where, help))
        else:
            tree.keys[(*path, key)] = where
            data[key] = _convert(value_node, (*path, key), tree)
            if _is_blank(value_node):  # ruamel.yaml places it at the next token, lines below
                tree.values[(*path, key)] = where
    return data


def _is_blank(node: Node) -> bool:
    """Whether there is nothing behind the colon."""
    return isinstance(node, ScalarNode) and node.value == "" and node.style is None
