// Where the ladder is compiled for draughts with short kings, or none.

#include "damier/engine/draughts_ladder.h"

DAMIER_LADDER(English)
DAMIER_LADDER(Italian)
DAMIER_LADDER(Rennes)
DAMIER_LADDER(Paris)
