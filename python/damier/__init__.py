from damier._core import DamierError, DataError, FenError, MoveError, Outcome, Side
