"""The AI Core model: runs any kernel program, and judges its order, its memory and its outputs."""

from gen.sim.build import BuildError, Program, build_engine, build_program
from gen.sim.profile import Profile
from gen.sim.run import Finding, Launch, Place, Run, Tensor, run_program
from gen.sim.symbols import Frame

__all__ = [
    "BuildError",
    "Finding",
    "Frame",
    "Launch",
    "Place",
    "Profile",
    "Program",
    "Run",
    "Tensor",
    "build_engine",
    "build_program",
    "run_program",
]
