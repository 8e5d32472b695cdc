"""``python -m gen.cli``: the same as the command ``gen``."""

from gen.cli.entry import main

main()
