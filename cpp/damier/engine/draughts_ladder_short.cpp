// Where the ladder is compiled for the variants with short kings or none.

#include "damier/engine/draughts_ladder.h"

DAMIER_LADDER(damier::English)
DAMIER_LADDER(damier::Italian)
DAMIER_LADDER(damier::Paris)
DAMIER_LADDER(damier::Rennes)
