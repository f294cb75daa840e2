// The list of all variants, for whoever must do something for each of them: DAMIER_DRAUGHTS(DO) expands DO(R) for
// every rule book R of rules.h.

#pragma once

#include "damier/games/draughts/rules.h"

#define DAMIER_DRAUGHTS(DO) \
    DO(English)             \
    DO(International)       \
    DO(Russian)             \
    DO(Brazilian)           \
    DO(Italian)             \
    DO(Spanish)             \
    DO(Frisian)             \
    DO(Turkish)             \
    DO(Pool)                \
    DO(Czech)               \
    DO(Rennes)              \
    DO(Paris)
