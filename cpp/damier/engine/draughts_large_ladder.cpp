// Where the ladder is compiled for draughts with 100 squares, or captures straight ahead.

#include "damier/engine/draughts_ladder.h"

DAMIER_LADDER(International)
DAMIER_LADDER(Frisian)
DAMIER_LADDER(Turkish)
