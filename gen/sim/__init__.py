"""The AI Core model: runs any kernel program, and judges its order, its memory and its outputs."""

from gen.sim.build import BuildError, Face, Program, build_engine, build_program
from gen.sim.profile import Profile
from gen.sim.run import (
    Also,
    Finding,
    Launch,
    Output,
    Place,
    Run,
    SyncSite,
    Tensor,
    UnwrittenRead,
    UnwrittenStore,
    run_program,
)
from gen.sim.symbols import Frame
from gen.sim.toolchain import NoCompilerError, StoppedError

__all__ = [
    "Also",
    "BuildError",
    "Face",
    "Finding",
    "Frame",
    "Launch",
    "NoCompilerError",
    "Output",
    "Place",
    "Profile",
    "Program",
    "Run",
    "StoppedError",
    "SyncSite",
    "Tensor",
    "UnwrittenRead",
    "UnwrittenStore",
    "build_engine",
    "build_program",
    "run_program",
]
