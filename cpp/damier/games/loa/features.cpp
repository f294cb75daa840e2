// BING's components and the heuristics by quads.

#include "damier/games/loa/features.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "damier/games/loa/connection.h"
#include "damier/games/loa/lines.h"

namespace damier::loa {

namespace {

struct Point {
    double x = 0;
    double y = 0;
};

double distance(Point a, Point b) { return std::max(std::abs(a.x - b.x), std::abs(a.y - b.y)); }
Point at(int sq) { return {static_cast<double>(sq % 8), static_cast<double>(sq / 8)}; }

Point centre_of_gravity(Bits pieces) {
    Point sum;
    for (const int sq : squares(pieces)) {
        sum.x += sq % 8;
        sum.y += sq / 8;
    }
    const double n = std::max(1, count(pieces));
    return {sum.x / n, sum.y / n};
}

Bits board_bits(int size) {
    Bits board = 0;
    for (int rank = 0; rank < size; ++rank) board |= ((Bits{1} << size) - 1) << 8 * rank;
    return board;
}

// A group of n counts 1 near the centre of gravity, n far from it, and in between in proportion.
double weighted_groups(Bits pieces, Point centre) {
    constexpr double Near = 1.5, Far = 2.5;
    double sum = 0;
    while (pieces != 0) {
        const Bits group = group_of(pieces & -pieces, pieces);
        pieces &= ~group;
        double eccentricity = std::numeric_limits<double>::infinity();
        for (const int sq : squares(group)) eccentricity = std::min(eccentricity, distance(at(sq), centre));
        const double share = std::clamp((eccentricity - Near) / (Far - Near), 0.0, 1.0);
        sum += 1 + (count(group) - 1) * share;
    }
    return sum;
}

// Each connection is taken at the middle of its two pieces.
double connections(Bits pieces, Point centre) {
    constexpr double Reach = 2.5;
    double sum = 0;
    for (const int a : squares(pieces)) {
        for (const int b : squares(neighbours(bit(a)) & pieces)) {
            if (b < a) continue;
            const Point middle{(at(a).x + at(b).x) / 2, (at(a).y + at(b).y) / 2};
            sum += std::max(Reach - distance(middle, centre), 0.0);
        }
    }
    return sum;
}

// Pieces with an enemy next to them where a step along file and rank would come nearer to a point.
Bits barred(Bits pieces, Bits enemies, Point centre) {
    constexpr Bits FirstFile = 0x0101010101010101ULL;
    const int files = std::max(1, static_cast<int>(std::ceil(centre.x)));  // before the point
    const int ranks = std::max(1, static_cast<int>(std::ceil(centre.y)));
    const Bits left = FirstFile * ((Bits{1} << files) - 1), below = (Bits{1} << 8 * ranks) - 1;
    const Bits upwards = (left & enemies >> 9) | (~left & enemies >> 7);
    const Bits downwards = (left & enemies << 7) | (~left & enemies << 9);
    return pieces & ((below & upwards) | (~below & downwards));
}

// The others can step back and count nothing; they are nearly all.
double blocked(Bits pieces, Bits enemies, Bits board, Point centre) {
    double sum = 0;
    for (const int sq : squares(barred(pieces, enemies, centre))) {
        const double here = distance(at(sq), centre);
        if (here <= 2) continue;  // counts nothing
        double nearest = std::numeric_limits<double>::infinity();
        for (const int next : squares(neighbours(bit(sq)) & board & ~enemies))
            nearest = std::min(nearest, distance(at(next), centre) - here);
        sum += (here - 2) * std::max(0.5 + std::min(nearest, 1.0), 0.0);
    }
    return sum;
}

// How many windows of 2x2 have three pieces, and four.
std::pair<int, int> full_windows(Bits pieces) {
    const Bits left = (pieces << 1) & NotFileA, below = pieces << 8, below_left = left << 8;
    const Bits main = pieces & below_left, across = left & below;
    const Bits three = (main & (left ^ below)) | (across & (pieces ^ below_left));
    return {count(three), count(main & across)};
}

// What the moves of the side to move and of the other amount to, had each the turn; on a line, sets are of its places.
template <class Count, class Set>
struct Reach {
    std::array<Count, 2> moves{};
    Set movable = 0;  // pieces of either side
    Set capturable = 0;
};
using LineReach = Reach<std::uint8_t, std::uint8_t>;

LineReach reach_on_line(int length, unsigned own, unsigned enemy) {
    LineReach reach;
    for (const bool other : {false, true}) {
        if (other) std::swap(own, enemy);
        const int moves = Table.count(length, own, enemy);
        for (int i = 0; i < moves; ++i) {
            const unsigned move = Table.moves(length, own, enemy)[static_cast<std::size_t>(i)];
            reach.movable |= static_cast<std::uint8_t>(1u << (move & 7));
            if (move & CaptureOnLine) reach.capturable |= static_cast<std::uint8_t>(1u << (move >> 6 & 7));
        }
        reach.moves[other] = static_cast<std::uint8_t>(moves);
    }
    return reach;
}

// By the line's state; filled when the program starts, being too much work for the compiler.
const auto LineReaches = [] {
    std::array<LineReach, LineTable::States> reaches{};
    LineTable::visit_states([&](int length, unsigned own, unsigned enemy) {
        reaches[Table.state(length, own, enemy)] = reach_on_line(length, own, enemy);
    });
    return reaches;
}();

Reach<int, Bits> reach_of(const Position& pos) {
    const Bits own = pos.pieces(pos.turn()), enemy = pos.pieces(!pos.turn());
    Reach<int, Bits> sum;
    for (const Line& line : lines_of(pos.rules().size)) {
        const LineReach& reach = LineReaches[Table.state(line.length, line.read(own), line.read(enemy))];
        for (const std::size_t side : {0, 1}) sum.moves[side] += reach.moves[side];
        sum.movable |= line.squares_at(reach.movable);
        sum.capturable |= line.squares_at(reach.capturable);
    }
    return sum;
}

// Two to the power of how far each of the eight files or ranks is from a point between them.
std::array<double, 8> powers_from(double centre) {
    const double up = std::exp2(centre), down = std::exp2(-centre);
    std::array<double, 8> powers;
    double two = 1;
    for (std::size_t i = 0; i < powers.size(); ++i, two *= 2)
        powers[i] = static_cast<double>(i) > centre ? two * down : up / two;
    return powers;
}

// How far pieces are from their centre of gravity, file and rank apart: added, and as powers of two.
std::pair<double, double> distances(Bits pieces) {
    const Point centre = centre_of_gravity(pieces);
    const auto files = powers_from(centre.x), ranks = powers_from(centre.y);
    double linear = 0, exponential = 0;
    for (const int sq : squares(pieces)) {
        linear += std::abs(at(sq).x - centre.x) + std::abs(at(sq).y - centre.y);
        exponential += files[static_cast<std::size_t>(sq & 7)] + ranks[static_cast<std::size_t>(sq >> 3)];
    }
    return {linear, exponential};
}

std::array<double, QuadFeatures> quads_of(Bits pieces, int moves, Bits movable, Bits capturable) {
    const auto [linear, exponential] = distances(pieces);
    const auto [three, four] = full_windows(pieces);
    return {static_cast<double>(euler(pieces)),
            static_cast<double>(three),
            static_cast<double>(four),
            linear,
            exponential,
            static_cast<double>(count(pieces & capturable)),
            static_cast<double>(moves),
            static_cast<double>(count(pieces & ~movable))};
}

}  // namespace

BingComponents bing_components(const Position& pos, Side side) {
    const Bits pieces = pos.pieces(side);
    const Point centre = centre_of_gravity(pieces);
    const double middle = (pos.rules().size - 1) / 2.0;
    BingComponents components;
    components.pieces = count(pieces);
    for (const int sq : squares(pieces)) components.spread += distance(at(sq), centre) / count(pieces);
    components.off_centre = distance(centre, {middle, middle});
    components.groups = weighted_groups(pieces, centre);
    components.connections = connections(pieces, centre);
    components.blocked = blocked(pieces, pos.pieces(!side), board_bits(pos.rules().size), centre);
    return components;
}

std::vector<std::string> bing_names() {
    std::vector<std::string> names;
    for (const std::string side : {"white ", "black "})
        for (const char* name : {"pieces", "spread", "off centre", "groups", "connections", "blocked"})
            names.push_back(side + name);
    names.insert(names.end(), {"turn", "bias"});
    return names;
}

void bing(const Position& pos, std::span<float> features) {
    std::size_t next = 0;
    for (const Side side : {Side::White, Side::Black}) {
        const BingComponents c = bing_components(pos, side);
        for (const double value : {c.pieces, c.spread, c.off_centre, c.groups, c.connections, c.blocked})
            features[next++] = static_cast<float>(value);
    }
    features[next++] = pos.turn() == Side::White ? 1.0F : -1.0F;
    features[next++] = 1.0F;
}

std::vector<std::string> quads_names() {
    return {"euler", "quads of 3", "quads of 4", "distance", "distance, exponential", "capturable", "freedom", "stuck"};
}

void quads(const Position& pos, std::span<float> features) {
    const Side us = pos.turn();
    const auto [moves, movable, capturable] = reach_of(pos);
    const auto ours = quads_of(pos.pieces(us), moves[0], movable, capturable);
    const auto theirs = quads_of(pos.pieces(!us), moves[1], movable, capturable);
    for (std::size_t i = 0; i < QuadFeatures; ++i) features[i] = static_cast<float>(ours[i] - theirs[i]);
}

}  // namespace damier::loa
