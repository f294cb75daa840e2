// Tunables by name.

#include "damier/search/alphabeta/tunables.h"

#include <string>

#include "damier/base/text.h"

namespace damier {

void Tunables::set(std::string_view field, long long value) {
    for (const TunableInfo& info : describe(*this)) {
        if (info.name != field) continue;
        if (value < info.least || value > info.most)
            throw Error(std::string(field) + " is " + std::to_string(value) + ", expected " +
                        std::to_string(info.least) + " to " + std::to_string(info.most));
    }
#define DAMIER_SET(name, default_value, least, most, about) \
    if (field == #name) {                                   \
        name = static_cast<int>(value);                     \
        return;                                             \
    }
    DAMIER_TUNABLES(DAMIER_SET)
#undef DAMIER_SET
    throw Error(shown(field) + " is not a switch or margin of the search");
}

std::vector<TunableInfo> describe(const Tunables& tunables) {
    return {
#define DAMIER_DESCRIBE(name, default_value, least, most, about) {#name, tunables.name, least, most, about},
        DAMIER_TUNABLES(DAMIER_DESCRIBE)
#undef DAMIER_DESCRIBE
    };
}

}  // namespace damier
