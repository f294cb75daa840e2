// Where the ladder is compiled for draughts with kings that fly, on 8x8.

#include "damier/engine/draughts_ladder.h"

DAMIER_LADDER(Russian)
DAMIER_LADDER(Brazilian)
DAMIER_LADDER(Pool)
DAMIER_LADDER(Czech)
DAMIER_LADDER(Spanish)
