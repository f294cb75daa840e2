// Where the ladder is compiled for the Spanish and pool draughts.

#include "damier/engine/draughts_ladder.h"

DAMIER_LADDER(damier::Spanish)
DAMIER_LADDER(damier::Pool)
