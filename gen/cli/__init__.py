"""The command line. `main` is what the command ``gen`` runs."""

from gen.cli.entry import main

__all__ = ["main"]
