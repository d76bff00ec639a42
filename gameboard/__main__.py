"""``python -m gameboard``."""

from gameboard.cli import main

main()
