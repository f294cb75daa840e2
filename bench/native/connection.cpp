// Which test of connection is fastest? Every position after every legal move of random games of Lines of Action.

#include <chrono>
#include <cstdio>
#include <vector>

#include "damier/base/random.h"
#include "damier/games/loa/connection.h"
#include "damier/games/loa/loa.h"

using namespace damier;

namespace {

bool by_filling(Bits set) { return loa::group_of(set & -set, set) == set; }
bool has_lonely_piece(Bits set) { return (set & ~loa::neighbours(set)) != 0; }
bool by_lonely_then_filling(Bits set) { return has_lonely_piece(set) ? !several(set) : by_filling(set); }
bool by_euler_then_filling(Bits set) { return loa::euler(set) <= 1 && by_filling(set); }
bool by_all_three(Bits set) { return has_lonely_piece(set) ? !several(set) : by_euler_then_filling(set); }

std::vector<Bits> positions_of_random_games(int games) {
    std::vector<Bits> sets;
    Random random(3);
    for (int game = 0; game < games; ++game) {
        for (auto pos = Loa::start({}); !pos.decided();) {
            loa::MoveList legal;
            pos.legal_moves(legal);
            if (legal.empty()) break;
            for (const auto move : legal) {
                auto next = pos;
                next.play(move);
                sets.push_back(next.pieces(pos.turn()));
            }
            pos.play(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
    }
    return sets;
}

template <class Test>
void measure(const char* name, const std::vector<Bits>& sets, Test test) {
    using Clock = std::chrono::steady_clock;
    double best = 1e9;
    int connected = 0;
    for (int round = 0; round < 7; ++round) {
        const auto began = Clock::now();
        connected = 0;
        for (const Bits set : sets) connected += test(set);
        best = std::min(best, std::chrono::duration<double>(Clock::now() - began).count());
    }
    std::printf("%-36s %6.2f ns a position, %d connected\n", name, 1e9 * best / static_cast<double>(sets.size()),
                connected);
}

}  // namespace

int main() {
    const auto sets = positions_of_random_games(500);
    measure("filling from one piece", sets, by_filling);
    measure("lonely piece, then filling", sets, by_lonely_then_filling);
    measure("Euler number, then filling", sets, by_euler_then_filling);
    measure("lonely piece, Euler, then filling", sets, by_all_three);
    measure("connected(), as the rules use it", sets, loa::connected);
}
