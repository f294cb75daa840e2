// Captures, chain by chain: a depth-first walk from each piece that can jump. Included by moves.cpp only.
//
// A chain goes on while it can, so an end is recorded only where nothing follows; with long kings that is judged over
// all the landing squares behind the same piece. Chains that lead to the same square with the same pieces taken have
// the same future: once a position proves long, such places are remembered, and places that cannot reach the best rank
// are left. Random games visit at most 500 places for a piece; a position with millions of them is refused.

#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "damier/base/error.h"
#include "damier/games/draughts/draughts.h"

namespace damier::draughts {

// A place in a walk.
struct Place {
    Bits at;
    Bits taken;
    unsigned directions;
    bool operator==(const Place&) const = default;
};

struct PlaceHash {
    std::size_t operator()(const Place& place) const {
        std::uint64_t state = place.taken * 0x9E3779B97F4A7C15ULL ^ place.at * 0xD6E8FEB86659FD93ULL ^ place.directions;
        return splitmix(state);
    }
};

// How much a capture is preferred: only the greatest rank of a position is legal.
template <Precedence Prefers>
constexpr int capture_rank(Bits taken, Bits enemy_kings, bool by_king, unsigned king_order) {
    const int number = count(taken);
    const int kings = count(taken & enemy_kings);
    switch (Prefers) {
        case Precedence::Free: return 0;
        case Precedence::ByKing: return by_king;
        case Precedence::Number: return number;
        case Precedence::NumberKings: return number * 32 + kings;
        case Precedence::NumberByKing:
            return ((number * 2 + by_king) * 16 + kings) << 12 | static_cast<int>(king_order);
        case Precedence::ValueByKing: return ((number + kings) * 32 - kings) * 2 + by_king;
    }
    return 0;
}

template <const Book& R, Side Us>
class Captures {
  public:
    static constexpr const Board& B = *R.board;

    Captures(const Position& pos, MoveList& list)
        : enemies_(pos.other()),
          enemy_kings_(pos.other() & pos.kings()),
          empty_(B.all & ~(pos.own() | pos.other())),
          list_(list),
          base_(list.size()) {}

    void add_man(int from) {
        lift(from, false, R.men_take_kings ? enemies_ : enemies_ & ~enemy_kings_);
        walk_short<R.man_captures(Us)>(bit(from), 0, 0);
        settle();
    }

    void add_king(int from) {
        lift(from, true, enemies_);
        if constexpr (R.long_captures) {
            walk_long(bit(from), 0, R.king_captures(), false);
        } else {
            walk_short<R.king_captures()>(bit(from), 0, 0);
        }
        settle();
    }

  private:
    static constexpr bool KingsInOrder = R.prefers == Precedence::NumberByKing;
    static constexpr int LongWalk = 2000;        // places visited before they are remembered
    static constexpr int LongestWalk = 3000000;  // places after which the position is refused

    void lift(int from, bool king, Bits prey) {
        from_ = from;
        by_king_ = king;
        prey_ = prey;
        free_ = empty_ | bit(from);
        first_ = list_.size();
        seen_.reset();
    }

    Bits free_after(Bits taken) const { return R.removed_at_once ? free_ | taken : free_; }

    // Jumps over an adjacent piece, landing just behind it: men, and kings without long captures.
    template <unsigned Directions>
    void walk_short(Bits at, Bits taken, unsigned king_order) {
        const Place place = {at, taken, Directions};
        if (recall(place) || hopeless(place)) return;
        const Bits free = free_after(taken);
        bool ends = taken != 0;
        for_each_direction<Directions>([&](auto d) {
            const Bits jumped = step<B, d>(at) & prey_ & ~taken;
            const Bits land = step<B, d>(jumped) & free;
            if (land == 0) return;
            ends = false;
            if (R.crowned == Crowning::AtOnce && !by_king_ && (land & R.crown_row[index(Us)]) != 0) {
                if (!walk_long(land, taken | jumped, R.king_captures(), true)) record(land, taken | jumped, true, 0);
            } else {
                walk_short<Directions>(land, taken | jumped, king_order * 2 + ((jumped & enemy_kings_) != 0));
            }
        });
        if (ends) record(at, taken, false, king_order);
        remember(place, true);
    }

    // Jumps from any distance in the given directions; says whether there was one.
    bool walk_long(Bits at, Bits taken, unsigned directions, bool crowned) {
        if (const auto known = recall({at, taken, directions})) return *known;
        if (hopeless({at, taken, directions})) return false;
        const Bits free = free_after(taken);
        bool jumps = false;
        for (unsigned rest = directions; rest != 0; rest &= rest - 1) {
            const int d = std::countr_zero(rest);
            Bits jumped = B.step(d, at);
            while ((jumped & free) != 0) jumped = B.step(d, jumped);
            jumped &= prey_ & ~taken;
            const Bits land = B.step(d, jumped) & free;
            if (land == 0) continue;
            jumps = true;
            land_long(land, taken | jumped, d, crowned);
        }
        remember({at, taken, directions}, jumps);
        return jumps;
    }

    // Goes on from the squares behind a captured piece, or ends on them if none leads further. Straight on is tried
    // once, from the last of them; straight back is the captured piece, or the half turn that Turkish rules forbid.
    void land_long(Bits land, Bits taken, int d, bool crowned) {
        const Bits free = free_after(taken);
        const unsigned turns = R.king_captures() & ~(1u << d | 1u << opposite(d));
        Bits ends = 0;
        Bits last = land;
        bool goes_on = false;
        for (Bits at = land; (at & free) != 0; at = B.step(d, at)) {
            ends |= at;
            last = at;
            goes_on |= walk_long(at, taken, turns, crowned);
        }
        goes_on |= walk_long(last, taken, 1u << d, crowned);
        if (!goes_on) record(ends, taken, crowned, 0);
    }

    void record(Bits ends, Bits taken, bool crowned, unsigned king_order) {
        if constexpr (R.prefers != Precedence::Free) {
            const int rank = capture_rank<R.prefers>(taken, enemy_kings_, by_king_, king_order);
            if (rank < best_) return;
            if (rank > best_) {
                best_ = rank;
                list_.resize_down(base_);
                first_ = base_;
            }
        }
        const Bits crowning = by_king_ ? 0 : R.crown_row[index(Us)];
        for (int to : squares(ends)) {
            list_.push_back(
                {static_cast<std::uint8_t>(from_), static_cast<std::uint8_t>(to), crowned || has(crowning, to), taken});
        }
    }

    // Removes the doubles of the piece just done: going round the other way takes at least three jumps.
    void settle() {
        const auto is_long = [](const Move& move) { return count(move.captured) >= 3; };
        if (std::none_of(list_.begin() + first_, list_.end(), is_long)) return;
        std::sort(list_.begin() + first_, list_.end());
        list_.resize_down(static_cast<std::size_t>(std::unique(list_.begin() + first_, list_.end()) - list_.begin()));
    }

    // Whether there was a jump from a place seen before.
    std::optional<bool> recall(const Place& place) {
        if (KingsInOrder || ++visited_ < LongWalk) return std::nullopt;
        if (visited_ > LongestWalk) throw Error("a capture has more routes than can be followed");
        if (!seen_) seen_.emplace();
        const auto found = seen_->find(place);
        return found == seen_->end() ? std::nullopt : std::optional(found->second);
    }
    void remember(const Place& place, bool jumps) {
        if (seen_) seen_->emplace(place, jumps);
    }

    // In a long walk: would even all the pieces within reach from here be less than the best so far? Reach is generous:
    // it lets a piece be jumped again and again.
    bool hopeless(const Place& place) const {
        if constexpr (R.prefers == Precedence::Free || R.prefers == Precedence::ByKing || KingsInOrder) return false;
        if (!seen_) return false;
        const Bits free = free_after(R.removed_at_once ? prey_ : 0);
        const bool far = by_king_ && R.long_captures;
        Bits all = place.taken;
        for (Bits squares = place.at, before = 0; squares != before;) {
            before = squares;
            for (unsigned rest = far ? R.king_captures() : R.man_captures(Us); rest != 0; rest &= rest - 1) {
                const int d = std::countr_zero(rest);
                const Bits over = B.step(d, far ? run(d, squares, free) : squares) & prey_ & ~place.taken;
                const Bits land = B.step(d, over) & free;
                all |= B.step(opposite(d), land);
                squares |= far ? run(d, land, free) : land;
            }
            if (capture_rank<R.prefers>(all, enemy_kings_, by_king_, 0) >= best_) return false;
        }
        return true;
    }

    // The squares of a set and those they see in a direction through free squares.
    static Bits run(int d, Bits from, Bits free) {
        Bits all = from;
        for (Bits next = from; (next = B.step(d, next) & free) != 0;) all |= next;
        return all;
    }

    const Bits enemies_, enemy_kings_, empty_;
    MoveList& list_;
    std::size_t base_;       // where the captures of this position begin in the list
    std::size_t first_ = 0;  // where those of the present piece begin
    int best_ = 0;
    int visited_ = 0;

    int from_ = 0;
    bool by_king_ = false;
    Bits prey_ = 0;
    Bits free_ = 0;  // empty squares, the start of the piece included: it has been lifted
    std::optional<std::unordered_map<Place, bool, PlaceHash>> seen_;
};

}  // namespace damier::draughts
