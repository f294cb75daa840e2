// The games of this package.

#include "damier/engine/variant.h"

namespace damier {

void add_loa(Registry& registry);       // loa.cpp
void add_chess(Registry& registry);     // chess.cpp
void add_draughts(Registry& registry);  // draughts.cpp

Registry& registry() {
    struct Filled : Registry {
        Filled() {
            add_loa(*this);
            add_chess(*this);
            add_draughts(*this);
        }
    };
    static Filled games;
    return games;
}

}  // namespace damier
