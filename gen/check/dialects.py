"""How each tree spells synchronisation. A dialect is data: templates, and the pattern of a flag call in its text.

Spellings: asc-devkit, docs/zh, SIMD-API, 同步控制; tilelang-ascend 0.1.4, tilelang/language/ascend.py; tilelang 0.1.15,
tilelang/ascend/language/sync.py and the C API that its code generator emits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_ID = r"(?P<id>[^;#\n]+?)"


@dataclass(frozen=True)
class Dialect:
    """Templates of one tree; fields are `source`, `target`, `pipe` (as `pipe_case` writes pipes), `id` and `mode`.

    `other_mode` is the mode as a further argument where it is not the usual 2, `reach` the word that the C API has for it.
    `flag` matches a set or a wait (`verb` begins with s, n or w); `cross` a cross-core one. `ids` are the event ids that a
    kernel may take, the best first. An empty template is something that the tree cannot say.
    """

    name: str
    set_flag: str
    wait_flag: str
    barrier: str
    cross_set: str
    cross_wait: str
    sync_all: str
    lock: str
    unlock: str
    starts: str
    """An Mmad that starts the accumulator, and one that continues it."""
    continues: str
    flag: re.Pattern[str]
    cross: re.Pattern[str]
    ids: tuple[int, ...]
    inter: tuple[str, str] = ("", "")
    """How all cores of a kind tell each other that a pipe has come so far, and wait for it, where that is no SyncAll."""
    lower: bool = False
    event_ids: bool = False
    """Whether an id is written `EVENT_ID0`, and not `0`."""

    def pipe_case(self, pipe: str) -> str:
        """`MTE2` as the tree writes it."""
        return pipe.lower() if self.lower else pipe


ASCENDC = Dialect(
    name="Ascend C",
    set_flag="SetFlag<HardEvent::{source}_{target}>({id});",
    wait_flag="WaitFlag<HardEvent::{source}_{target}>({id});",
    barrier="PipeBarrier<PIPE_{pipe}>();",
    cross_set="CrossCoreSetFlag<{mode}, PIPE_{pipe}>({id});",
    cross_wait="CrossCoreWaitFlag<{mode}, PIPE_{pipe}>({id});",
    sync_all="SyncAll<{only_aiv}>();",
    lock="Mutex::Lock<PIPE_{pipe}>({id});",
    unlock="Mutex::Unlock<PIPE_{pipe}>({id});",
    starts="cmatrixInitVal = true",
    continues="cmatrixInitVal = false",
    flag=re.compile(
        r"(?P<verb>Set|Wait)Flag<\s*(?:AscendC::)?(?:HardEvent::)?(?P<source>[A-Z0-9]+)_(?P<target>[A-Z0-9]+)\s*>"
        rf"\({_ID}\)\s*;"
    ),
    cross=re.compile(
        r"CrossCore(?P<verb>Set|Wait)Flag(?:<\s*(?P<mode>[^,>]*?)\s*(?:,\s*(?:AscendC::)?PIPE_(?P<pipe>\w+)\s*)?>)?"
        rf"\({_ID}\)\s*;"
    ),
    ids=(0, 1, 2, 3, 4, 5),  # 6 and 7 serve the framework
    event_ids=True,
)
A_TREE = Dialect(
    name="the A tree",
    set_flag='T.set_flag("{source}", "{target}", {id})',
    wait_flag='T.wait_flag("{source}", "{target}", {id})',
    barrier='T.pipe_barrier("{pipe}")',
    cross_set='T.set_cross_flag("{pipe}", {id}{other_mode})',
    cross_wait="T.wait_cross_flag({id})",
    sync_all="T.sync_all()",
    lock="",
    unlock="",
    starts="init=True",
    continues="init=False",
    flag=re.compile(
        r"T\.(?P<verb>set|wait)_flag\(\s*[\"'](?P<source>\w+)[\"'],\s*[\"'](?P<target>\w+)[\"'],\s*"
        rf"{_ID}\)\s*(?:#.*)?$",
        re.MULTILINE,
    ),
    cross=re.compile(
        r"T\.(?P<verb>set|wait)_cross_flag\((?:\s*[\"'](?P<pipe>\w+)[\"'],)?\s*(?P<id>[^,;#\n]+?)"
        r"(?:,\s*(?P<mode>\d))?\)",
    ),
    ids=(1, 2, 3, 4, 5),  # the templates that copy tails and multiply take 0
    lower=True,
)
M_TREE = Dialect(
    name="the M tree",
    set_flag='T.ascend_set_flag("{source}_{target}", {id})',
    wait_flag='T.ascend_wait_flag("{source}_{target}", {id})',
    barrier='T.ascend_pipe_barrier("PIPE_{pipe}")',
    cross_set='T.ascend_cross_core_set_flag({mode}, "PIPE_{pipe}", {id})',
    cross_wait='T.ascend_cross_core_wait_flag({mode}, "PIPE_{pipe}", {id})',
    sync_all="",
    inter=(
        'T.ascend_sync_inter_arrive("PIPE_{pipe}", {id})',
        'T.ascend_sync_inter_wait("PIPE_{pipe}", {id})',
    ),
    lock='T.ascend_get_buf("PIPE_{pipe}", {id})',
    unlock='T.ascend_rls_buf("PIPE_{pipe}", {id})',
    starts="clear_accum=True",
    continues="clear_accum=False",
    flag=re.compile(
        r"T\.ascend_(?P<verb>set|wait)_flag\(\s*[\"'](?P<source>[A-Z0-9]+)_(?P<target>[A-Z0-9]+)[\"'],\s*"
        rf"{_ID}\)\s*(?:#.*)?$",
        re.MULTILINE,
    ),
    cross=re.compile(
        r"T\.ascend_cross_core_(?P<verb>set|wait)_flag\(\s*(?P<mode>[^,]*?)\s*,\s*[\"']PIPE_(?P<pipe>\w+)[\"'],\s*"
        rf"{_ID}\)\s*(?:#.*)?$",
        re.MULTILINE,
    ),
    ids=(0, 1, 2, 3, 4, 5, 6, 7),
)
EMITTED_C_API = Dialect(
    name="the emitted device source",
    set_flag="asc_sync_notify(PIPE_{source}, PIPE_{target}, {id});",
    wait_flag="asc_sync_wait(PIPE_{source}, PIPE_{target}, {id});",
    barrier="asc_sync_pipe(PIPE_{pipe});",
    cross_set="asc_sync_intra_arrive(PIPE_{pipe}, {id});",
    cross_wait="asc_sync_intra_wait(PIPE_{pipe}, {id});",
    sync_all="",
    lock="asc_lock(PIPE_{pipe}, {id}, ASC_LOCK_BLOCK);",
    unlock="asc_unlock(PIPE_{pipe}, {id}, ASC_LOCK_BLOCK);",
    starts="c_matrix_init_val = true",
    continues="c_matrix_init_val = false",
    flag=re.compile(
        r"asc_sync_(?P<verb>notify|wait)\(PIPE_(?P<source>\w+), PIPE_(?P<target>\w+), "
        r"(?:static_cast<event_t>\((?P<id>.+)\)|(?P<plain>\w+))\);"
    ),
    cross=re.compile(r"asc_sync_intra_(?P<verb>arrive|wait)\(PIPE_\w+, (?P<id>[^)]+)\);"),
    ids=(0, 1, 2, 3, 4, 5, 6, 7),
)
C_API = replace(
    EMITTED_C_API,
    name="the C API",
    cross_set="asc_sync_{reach}_arrive(PIPE_{pipe}, {id});",
    cross_wait="asc_sync_{reach}_wait(PIPE_{pipe}, {id});",
    inter=("asc_sync_inter_arrive(PIPE_{pipe}, {id});", "asc_sync_inter_wait(PIPE_{pipe}, {id});"),
    flag=re.compile(
        rf"asc_sync_(?P<verb>notify|wait)\(\s*PIPE_(?P<source>\w+),\s*PIPE_(?P<target>\w+),\s*{_ID}\)\s*;"
    ),
    cross=re.compile(
        rf"asc_sync_(?P<reach>[a-z]+)_(?P<verb>arrive|wait)\(\s*PIPE_(?P<pipe>\w+),\s*{_ID}\)\s*;"
    ),
    ids=(0, 1, 2, 3, 4, 5),
    event_ids=True,
)
REACHES = {0: "inter", 1: "subblock", 2: "block", 4: "intra"}
"""What the C API calls the modes of cross-core flags (asc-devkit, docs/zh, C-API, 同步控制)."""
_WRITTEN_IN_C = re.compile(r"#\s*include\s*[<\"]c_api/")


def dialect_of(tree: str, text: str) -> Dialect:
    """The words in which a kernel `text` of `tree` is written, or its compiler writes where it writes the flags."""
    if tree == "a_tree":
        return A_TREE
    if tree == "m_tree":
        return M_TREE if writes_flags_by_hand(text) else EMITTED_C_API
    in_c = _WRITTEN_IN_C.search(text) and "kernel_operator.h" not in text
    return C_API if in_c else ASCENDC


def writes_flags_by_hand(text: str) -> bool:
    """Whether an M-tree kernel has the compiler's own synchronisation switched off (tilelang 0.1.15)."""
    return "enable_auto_schedule" in text.lower() or M_TREE.flag.search(text) is not None
