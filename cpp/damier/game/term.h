// One line of an explained evaluation.

#pragma once

#include <string>

namespace damier {

// What a term gives each side and what that is worth to White, in hundredths of a man.
struct Term {
    std::string name;
    double white = 0;
    double black = 0;
    double total = 0;
};

}  // namespace damier
