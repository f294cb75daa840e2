// Where the ladder is compiled for the variants on 50 or 64 squares.

#include "damier/engine/draughts_ladder.h"

DAMIER_LADDER(damier::International)
DAMIER_LADDER(damier::Frisian)
DAMIER_LADDER(damier::Turkish)
