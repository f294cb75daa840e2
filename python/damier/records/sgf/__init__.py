"""SGF FF[4] for Lines of Action (GM[9]): boards of 5x5 to 8x8, set-up positions, variations as subtrees.

Moves are `b1-b3` and, when they capture, `b1:b3`; both are also read without a sign, with `x`, in capitals and with
remarks after them (`C2:C5++`). RU holds the three articles on which rule sets differ. Unknown properties stay with
their node. Source: https://www.red-bean.com/sgf/, pages sgf4 and loa.
"""

from __future__ import annotations

from damier.records.sgf.reading import read
from damier.records.sgf.syntax import escaped
from damier.records.sgf.writing import text

__all__ = ["escaped", "read", "text"]
