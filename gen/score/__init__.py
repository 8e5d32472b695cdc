"""How often the judge is right: kernels that say what must be found in them, mutants, and the score."""
