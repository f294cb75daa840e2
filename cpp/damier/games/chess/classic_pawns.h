// The pawns of `classic`: what they are worth by themselves, and what passed ones are worth among the pieces.

#pragma once

#include "damier/games/chess/classic.h"
#include "damier/games/chess/classic_masks.h"

namespace damier::chess {

// Adds the structure of one side's pawns and returns those that are passed.
template <Side Us, class Sink>
Bits add_structure(Sink& sink, Bits ours, Bits theirs) {
    using C = Classic;
    constexpr int Up = forward(Us);
    const Bits attacked = pawn_attacks(Us, ours), their_attacks = pawn_attacks(!Us, theirs);
    sink.template add<Us>(C::Material, count(ours));

    Bits all_passed = 0;
    for (const int sq : squares(ours)) {
        const int rank = masks::relative_rank(Us, sq), stop = sq + Up;
        const Bits beside = masks::beside(sq), ahead = masks::ahead(Us, sq), wide = masks::beside_ahead(Us, sq);
        const Bits neighbours = ours & beside;
        const Bits sentries = theirs & wide;
        const bool opposed = (theirs & ahead) != 0;
        const bool doubled = (ours & ahead) != 0;
        const bool phalanx = (neighbours & rank_bits(Us, rank)) != 0;
        const bool supported = has(attacked, sq);
        const bool passed = !opposed && !doubled && sentries == 0;

        sink.template add<Us>(C::Squares + masks::half(Us, sq));
        if (doubled) sink.template add<Us>(C::Doubled);
        if (neighbours == 0) {
            sink.template add<Us>(C::Isolated + (opposed ? 0 : 1));
        } else if (!phalanx && !supported && (neighbours & ~wide) == 0 &&
                   (has(their_attacks, stop) || has(theirs, stop))) {
            sink.template add<Us>(C::Backward + (opposed ? 0 : 1));
        }
        if (phalanx) sink.template add<Us>(C::Phalanx + rank);
        if (supported) sink.template add<Us>(C::Supported + rank);
        if (passed) {
            all_passed |= bit(sq);
        } else if (!opposed && !doubled && count(neighbours & ~wide) >= count(sentries)) {
            sink.template add<Us>(C::Candidate + rank);
        }
    }
    return all_passed;
}

template <class Sink>
void add_structures(Sink& sink, const std::array<Bits, 2>& pawns, std::array<Bits, 2>& passed) {
    passed[0] = add_structure<Side::White>(sink, pawns[0], pawns[1]);
    passed[1] = add_structure<Side::Black>(sink, pawns[1], pawns[0]);
}

// The rank, seen by us, of the nearest pawn of one file; 0 when there is none.
template <Side Us>
int nearest_rank(Bits pawns) {
    if (pawns == 0) return 0;
    return Us == Side::White ? rank_of(first(pawns)) : 7 - rank_of(63 - std::countl_zero(pawns));
}

// Adds the pawns before our king, theirs and ours, file by file.
template <Side Us, class Sink>
void add_shelter(Sink& sink, const std::array<Bits, 2>& pawns, int king) {
    using C = Classic;
    const Bits all_ours = pawns[index(Us)], all_theirs = pawns[index(!Us)];
    const Bits in_front = masks::ranks_ahead(Us, king) | (Bits{0xFF} << 8 * rank_of(king));
    const Bits ours = all_ours & in_front & ~pawn_attacks(!Us, all_theirs), theirs = all_theirs & in_front;
    const int middle = std::clamp(file_of(king), 1, 6);
    for (int file = middle - 1; file <= middle + 1; ++file) {
        const Bits bits = masks::file_bits(file);
        const int own = nearest_rank<Us>(ours & bits), their = nearest_rank<Us>(theirs & bits);
        const bool blocked = own > 0 && their == own + 1;
        sink.template add<Us>(C::Shield + 8 * std::min(file, 7 - file) + own);
        sink.template add<Us>(C::Storm + (blocked ? 8 : 0) + their);
    }
    const Bits file = masks::file_bits(file_of(king));
    if ((file & all_ours) == 0) sink.template add<Us>((file & all_theirs) == 0 ? C::KingOpen : C::KingHalfOpen);
}

template <Side Us>
void add_kept_shelter(Sum& sink, Classic::PawnEntry& entry, int king) {
    auto& shelter = entry.shelters[index(Us)];
    if (shelter.king != king) {
        Sum fresh(sink.weights());
        add_shelter<Us>(fresh, entry.pawns, king);
        shelter = {king, fresh.total()};
    }
    sink.add_total(shelter.total);
}

// Adds the structures and shelters and returns the passed pawns: from the cache when the sink only sums.
inline std::array<Bits, 2> add_pawns(Sum& sink, Classic::Cache& cache, const Position& pos,
                                     const std::array<Bits, 2>& pawns) {
    auto& entry = cache.at(pawns[0], pawns[1]);
    if (!entry.used || entry.pawns[0] != pawns[0] || entry.pawns[1] != pawns[1]) {
        Sum fresh(sink.weights());
        add_structures(fresh, pawns, entry.passed);
        entry.pawns = pawns;
        entry.shelters = {};
        entry.total = fresh.total();
        entry.used = true;
    }
    sink.add_total(entry.total);
    add_kept_shelter<Side::White>(sink, entry, pos.king(Side::White));
    add_kept_shelter<Side::Black>(sink, entry, pos.king(Side::Black));
    return entry.passed;
}
inline std::array<Bits, 2> add_pawns(Tally& sink, Classic::Cache&, const Position& pos,
                                     const std::array<Bits, 2>& pawns) {
    std::array<Bits, 2> passed;
    add_structures(sink, pawns, passed);
    add_shelter<Side::White>(sink, pawns, pos.king(Side::White));
    add_shelter<Side::Black>(sink, pawns, pos.king(Side::Black));
    return passed;
}

// Adds one side's passed pawns as they stand among the pieces.
template <Side Us, class Sink>
void add_passed(Sink& sink, const Position& pos, Bits passed, Bits their_attacks, bool they_have_pieces) {
    using C = Classic;
    const Bits occupied = pos.occupied();
    for (const int sq : squares(passed)) {
        const int rank = masks::relative_rank(Us, sq), stop = sq + forward(Us);
        const Bits path = masks::ahead(Us, sq);
        const bool free = !has(occupied, stop), safe = !has(their_attacks, stop);
        sink.template add<Us>(C::Passed + rank);
        if (free) sink.template add<Us>(C::PassedFree + rank);
        if (safe) sink.template add<Us>(C::PassedSafe + rank);
        if ((path & (occupied | their_attacks)) == 0) sink.template add<Us>(C::PassedClear + rank);
        if (rank >= 3) {
            const int own = masks::distance(pos.king(Us), stop), their = masks::distance(pos.king(!Us), stop);
            sink.template add<Us>(C::PassedOwnKing, std::min(own, 5) * (rank - 2));
            sink.template add<Us>(C::PassedTheirKing, std::min(their, 5) * (rank - 2));
        }
        if (masks::ahead(!Us, sq) & pos.pieces(Us, Piece::Rook)) sink.template add<Us>(C::PassedRook);
        if (!they_have_pieces && (path & occupied) == 0) {
            const int goal = Us == Side::White ? file_of(sq) + 56 : file_of(sq);
            const int moves = 7 - std::max(rank, 2);  // a double step at first
            const int late = pos.turn() == Us ? 0 : 1;
            if (masks::distance(pos.king(!Us), goal) - late > moves) sink.template add<Us>(C::PassedRunner);
        }
    }
}

}  // namespace damier::chess
