// Which weights a variant is judged by: those tuned for it or for its nearest relative.

#pragma once

#include <span>

#include "damier/games/draughts/classic_english.h"
#include "damier/games/draughts/classic_frisian.h"
#include "damier/games/draughts/classic_international.h"
#include "damier/games/draughts/classic_paris.h"
#include "damier/games/draughts/classic_rennes.h"
#include "damier/games/draughts/classic_russian.h"
#include "damier/games/draughts/classic_turkish.h"
#include "damier/games/draughts/rules.h"

namespace damier::draughts {

inline std::span<const Worth> classic_weights(Rules rules) {
    if (rules == English || rules == Italian) return ClassicEnglish;
    if (rules == International) return ClassicInternational;
    if (rules == Frisian) return ClassicFrisian;
    if (rules == Turkish) return ClassicTurkish;
    if (rules == Rennes) return ClassicRennes;
    if (rules == Paris) return ClassicParis;
    return ClassicRussian;  // 8x8 and long kings
}

}  // namespace damier::draughts
