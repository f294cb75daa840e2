"""The `damier` command."""

from __future__ import annotations

from damier.cli.app import app, main

__all__ = ["app", "main"]
