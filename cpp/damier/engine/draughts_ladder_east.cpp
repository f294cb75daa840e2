// Where the ladder is compiled for the Russian draughts and its kin.

#include "damier/engine/draughts_ladder.h"

DAMIER_LADDER(damier::Russian)
DAMIER_LADDER(damier::Brazilian)
DAMIER_LADDER(damier::Czech)
