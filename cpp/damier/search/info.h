// What a search tells while it runs. It speaks to a listener and never prints.

#pragma once

#include <cstdint>
#include <vector>

#include "damier/search/score.h"

namespace damier {

enum class Bound : std::uint8_t { None, Upper, Lower, Exact };  // what a score says about the true value

template <class M>
struct Info {
    int depth = 0;
    int seldepth = 0;
    int rank = 1;  // 1 for the best line, 2 for the second best...
    Score score = 0;
    Bound bound = Bound::Exact;
    std::uint64_t nodes = 0;
    double seconds = 0;
    int hashfull = 0;  // of the table, in thousandths
    std::vector<M> pv;
};

template <class M>
class Listener {
  public:
    virtual ~Listener() = default;
    virtual void heard(const Info<M>& info) = 0;  // called from a search thread
};

}  // namespace damier
