"""How a kernel of the A tree runs as ordinary Python: once to plan its memory, then once for every core.

Everything in this package imports relatively, so that it is the same package under its own name and as `tilelang`.
"""
