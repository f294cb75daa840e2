// Which weights a variant is judged by: those tuned for it or for its nearest relative.

#pragma once

#include "damier/games/draughts/classic_english.h"
#include "damier/games/draughts/classic_frisian.h"
#include "damier/games/draughts/classic_international.h"
#include "damier/games/draughts/classic_paris.h"
#include "damier/games/draughts/classic_rennes.h"
#include "damier/games/draughts/classic_russian.h"
#include "damier/games/draughts/classic_turkish.h"
#include "damier/games/draughts/rules.h"

namespace damier::draughts {

template <class R>
inline constexpr auto& ClassicWeights = ClassicRussian;  // 8x8 and long kings
template <>
inline constexpr auto& ClassicWeights<English> = ClassicEnglish;
template <>
inline constexpr auto& ClassicWeights<Italian> = ClassicEnglish;
template <>
inline constexpr auto& ClassicWeights<International> = ClassicInternational;
template <>
inline constexpr auto& ClassicWeights<Frisian> = ClassicFrisian;
template <>
inline constexpr auto& ClassicWeights<Turkish> = ClassicTurkish;
template <>
inline constexpr auto& ClassicWeights<Rennes> = ClassicRennes;
template <>
inline constexpr auto& ClassicWeights<Paris> = ClassicParis;

}  // namespace damier::draughts
