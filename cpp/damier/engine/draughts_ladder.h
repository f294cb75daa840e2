// Compiles the ladder for one variant of draughts; the variants are shared out among draughts_*_ladder.cpp.

#pragma once

#include "damier/games/draughts/draughts.h"
#include "damier/search/ladder/climb.h"

#define DAMIER_LADDER(R)                                                               \
    template damier::ladder::Answer<damier::draughts::Move> damier::ladder::climb(     \
        damier::ladder::Algorithm, const damier::Record<damier::Draughts<damier::R>>&, \
        damier::Evaluator<damier::Draughts<damier::R>>&, const damier::ladder::Options&, const std::atomic<bool>&);
