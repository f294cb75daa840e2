"""`python -m damier` is the `damier` command."""

from damier.cli import main

main()
