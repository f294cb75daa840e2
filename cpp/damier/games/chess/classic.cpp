// The `classic` evaluation of chess, written once over a sink (eval/tapered.h).

#include "damier/games/chess/classic.h"

#include "damier/games/chess/classic_masks.h"
#include "damier/games/chess/classic_pawns.h"

namespace damier::chess {

namespace {

// What a piece counts for the phase of the game: 24 with all pieces on the board.
constexpr std::array<int, 6> PhaseOf{0, 1, 1, 2, 4, 0};
constexpr int FullPhase = 24;

// How dangerous things near a king are; the sum, in steps of DangerStep, leads into the table of weights.
constexpr std::array<int, 5> AttackerDanger{0, 80, 55, 45, 15};   // a piece that reaches the king's zone
constexpr std::array<int, 5> CheckDanger{0, 700, 480, 850, 600};  // a check that costs nothing
constexpr int NextToKingDanger = 65;                              // an attack on a square next to the king
constexpr int WeakSquareDanger = 150;                             // a square of the zone that only the king holds
constexpr int NoQueenDanger = -750;
constexpr int DangerStep = 48, DangerSteps = 48;

template <class Sink>
class Judge {
    using C = Classic;

  public:
    Judge(const Position& pos, Sink& sink, C::Cache& cache) : pos_(pos), sink_(sink), cache_(cache) {
        prepare<Side::White>();
        prepare<Side::Black>();
    }

    void run() {
        passed_ = add_pawns(sink_, cache_, pos_, pawns_);
        both([&]<Side Us> { add_minors<Us>(); });
        both([&]<Side Us> { add_majors<Us>(); });
        both([&]<Side Us> {
            add_danger<Us>();
            add_threats<Us>();
            add_space<Us>();
            add_passed<Us>(sink_, pos_, passed_[index(Us)], attacked_[index(!Us)], pieces_of(!Us) != 0);
            if (pieces_of(!Us) == 0 && pawns_[index(!Us)] == 0) add_lone_king<Us>();
        });
        if (pos_.turn() == Side::White)
            sink_.template add<Side::White>(C::Tempo);
        else
            sink_.template add<Side::Black>(C::Tempo);
    }

  private:
    template <class F>
    static void both(F f) {
        f.template operator()<Side::White>();
        f.template operator()<Side::Black>();
    }

    // All but pawns and king.
    Bits pieces_of(Side side) const { return pos_.pieces(side) & ~pawns_[index(side)] & ~pos_.pieces(Piece::King); }

    template <Side Us>
    void prepare() {
        const Bits pawns = pos_.pieces(Us, Piece::Pawn), king = king_attacks(pos_.king(Us));
        const Bits left = pawns_left(Us, pawns), right = pawns_right(Us, pawns);
        pawns_[index(Us)] = pawns;
        by_[index(Us)][index(Piece::Pawn)] = left | right;
        by_[index(Us)][index(Piece::King)] = king;
        attacked_[index(Us)] = left | right | king;
        twice_[index(Us)] = (left & right) | (king & (left | right));
        zone_[index(Us)] = masks::Zone[pos_.king(Us)];
    }

    // The squares worth going to: not held by our king, queen or a pawn that can hardly move, not taken by their pawns.
    template <Side Us>
    Bits mobility_area() const {
        const Bits pawns = pawns_[index(Us)];
        const Bits stuck = pawns & (shift(pos_.occupied(), -forward(Us)) | rank_bits(Us, 1) | rank_bits(Us, 2));
        return ~(stuck | pos_.pieces(Us, Piece::King) | pos_.pieces(Us, Piece::Queen) |
                 by_[index(!Us)][index(Piece::Pawn)]);
    }

    template <Side Us>
    void add_minors() {
        const Bits area = mobility_area<Us>();
        add_kind<Us, Piece::Knight>(area);
        add_kind<Us, Piece::Bishop>(area);
        const Bits knights = pos_.pieces(Us, Piece::Knight), bishops = pos_.pieces(Us, Piece::Bishop);
        const Bits ours = pawns_[index(Us)], theirs = pawns_[index(!Us)];
        if (several(bishops)) sink_.template add<Us>(C::BishopPair);
        sink_.template add<Us>(C::BadBishop, count(bishops & LightSquares) * count(ours & LightSquares) +
                                                 count(bishops & ~LightSquares) * count(ours & ~LightSquares));
        sink_.template add<Us>(C::ShelteredMinor, count((knights | bishops) & shift(ours | theirs, -forward(Us))));
        constexpr Bits Outposts = rank_bits(Us, 3) | rank_bits(Us, 4) | rank_bits(Us, 5);
        for (const int sq : squares((knights | bishops) & by_[index(Us)][index(Piece::Pawn)] & Outposts)) {
            if ((masks::beside_ahead(Us, sq) & theirs) == 0)
                sink_.template add<Us>(has(knights, sq) ? C::KnightOutpost : C::BishopOutpost);
        }
    }

    template <Side Us>
    void add_majors() {
        const Bits area = mobility_area<Us>();
        const auto& their = by_[index(!Us)];
        add_kind<Us, Piece::Rook>(area);
        add_kind<Us, Piece::Queen>(area & ~(their[index(Piece::Knight)] | their[index(Piece::Bishop)]));
        sink_.template add<Us>(C::Squares + 32 * index(Piece::King) + masks::half(Us, pos_.king(Us)));
    }

    template <Side Us, Piece P>
    Bits seen_from(int sq) const {
        const Bits all = pos_.occupied();
        if constexpr (P == Piece::Knight) return knight_attacks(sq);
        if constexpr (P == Piece::Bishop) return bishop_attacks(sq, all & ~pos_.pieces(Piece::Queen));
        if constexpr (P == Piece::Rook)
            return rook_attacks(sq, all & ~pos_.pieces(Piece::Queen) & ~pos_.pieces(Us, Piece::Rook));
        return queen_attacks(sq, all);
    }

    template <Side Us, Piece P>
    void add_kind(Bits area) {
        constexpr int Us_ = index(Us), Kind = index(P);
        constexpr int Mobility = P == Piece::Knight   ? C::KnightMobility
                                 : P == Piece::Bishop ? C::BishopMobility
                                 : P == Piece::Rook   ? C::RookMobility
                                                      : C::QueenMobility;
        const Bits pieces = pos_.pieces(Us, P), zone = zone_[index(!Us)];
        const Bits next_to_king = by_[index(!Us)][index(Piece::King)];
        [[maybe_unused]] const Bits centre = (bit(27) | bit(28) | bit(35) | bit(36)) & ~pos_.pieces(Piece::Pawn);
        Bits by = 0;
        int attackers = 0;
        for (const int sq : squares(pieces)) {
            const Bits seen = seen_from<Us, P>(sq);
            twice_[Us_] |= attacked_[Us_] & seen;
            attacked_[Us_] |= seen;
            by |= seen;
            const int mobility = count(seen & area);
            sink_.template add<Us>(C::Squares + 32 * Kind + masks::half(Us, sq));
            sink_.template add<Us>(Mobility + mobility);
            if (seen & zone) {
                ++attackers;
                near_attacks_[Us_] += count(seen & next_to_king);
            }
            if constexpr (P == Piece::Bishop) {
                if (several(seen & centre)) sink_.template add<Us>(C::LongBishop);
            }
            if constexpr (P == Piece::Rook) add_rook<Us>(sq, mobility);
        }
        by_[Us_][Kind] = by;
        attackers_[Us_] += attackers;
        attack_danger_[Us_] += attackers * AttackerDanger[Kind];
        sink_.template add<Us>(C::Material + Kind, count(pieces));
    }

    template <Side Us>
    void add_rook(int sq, int mobility) {
        const Bits file = masks::file_bits(file_of(sq));
        const Bits ours = pawns_[index(Us)], theirs = pawns_[index(!Us)];
        if ((file & ours) == 0) {
            sink_.template add<Us>((file & theirs) == 0 ? C::RookOpen : C::RookHalfOpen);
        } else if (mobility <= 3 && pos_.castling_rooks(Us) == 0) {
            const int king = pos_.king(Us);
            if ((file_of(king) < 4) == (file_of(sq) < file_of(king)) && masks::relative_rank(Us, king) == 0)
                sink_.template add<Us>(C::RookTrapped);
        }
        if (has(rank_bits(Us, 6), sq) &&
            ((theirs & rank_bits(Us, 6)) != 0 || masks::relative_rank(Us, pos_.king(!Us)) == 7))
            sink_.template add<Us>(C::RookSeventh);
    }

    // What their pieces do to our king.
    template <Side Us>
    void add_danger() {
        constexpr Side Them = !Us;
        constexpr int Us_ = index(Us), Them_ = index(Them);
        const int king = pos_.king(Us);
        const auto& their = by_[Them_];
        const Bits weak = attacked_[Them_] & ~twice_[Us_] &
                          (~attacked_[Us_] | by_[Us_][index(Piece::King)] | by_[Us_][index(Piece::Queen)]);
        const Bits safe = ~pos_.pieces(Them) & (~attacked_[Us_] | (weak & twice_[Them_]));
        const Bits all = pos_.occupied() & ~pos_.pieces(Us, Piece::Queen);
        const Bits straight = rook_attacks(king, all), slanted = bishop_attacks(king, all);

        int danger = attackers_[Them_] * attack_danger_[Them_] + NextToKingDanger * near_attacks_[Them_];
        danger += WeakSquareDanger * count(zone_[Us_] & weak);
        const auto checks = [&](Piece piece, Bits from) {
            const Bits squares = from & their[index(piece)] & safe;
            if (squares != 0)
                danger += CheckDanger[index(piece)] + (several(squares) ? CheckDanger[index(piece)] / 2 : 0);
        };
        checks(Piece::Knight, knight_attacks(king));
        checks(Piece::Bishop, slanted);
        checks(Piece::Rook, straight);
        checks(Piece::Queen, (straight | slanted) & ~by_[Us_][index(Piece::Queen)]);
        if (pos_.pieces(Them, Piece::Queen) == 0) danger += NoQueenDanger;
        sink_.template add<Us>(C::Danger + std::clamp(danger / DangerStep, 0, DangerSteps - 1));
    }

    template <Side Us>
    void add_threats() {
        constexpr int Us_ = index(Us), Them_ = index(!Us);
        const Bits enemies = pos_.pieces(!Us) & ~pos_.pieces(Piece::King);
        const Bits officers = enemies & ~pawns_[Them_];
        const Bits held = by_[Them_][index(Piece::Pawn)] | (twice_[Them_] & ~twice_[Us_]);
        const Bits weak = enemies & ~held & attacked_[Us_];

        const Bits by_minor = (by_[Us_][index(Piece::Knight)] | by_[Us_][index(Piece::Bishop)]) & (weak | officers);
        const Bits by_rook = by_[Us_][index(Piece::Rook)] & weak;
        for (const int sq : squares(by_minor)) sink_.template add<Us>(C::MinorThreat + index(pos_.piece_on(sq)));
        for (const int sq : squares(by_rook)) sink_.template add<Us>(C::RookThreat + index(pos_.piece_on(sq)));
        if (weak & by_[Us_][index(Piece::King)]) sink_.template add<Us>(C::KingThreat);
        sink_.template add<Us>(C::Hanging, count(weak & (~attacked_[Them_] | (officers & twice_[Us_]))));

        const Bits safe = ~attacked_[Them_] | attacked_[Us_];
        const Bits by_pawn = pawn_attacks(Us, pawns_[Us_] & safe) & officers;
        for (const int sq : squares(by_pawn))
            sink_.template add<Us>(C::PawnThreat + index(pos_.piece_on(sq)) - index(Piece::Knight));
        const Bits empty = ~pos_.occupied();
        Bits pushed = shift(pawns_[Us_], forward(Us)) & empty;
        pushed |= shift(pushed & rank_bits(Us, 2), forward(Us)) & empty;
        pushed &= safe & ~by_[Them_][index(Piece::Pawn)];
        sink_.template add<Us>(C::PushThreat, count(pawn_attacks(Us, pushed) & officers & ~by_pawn));
    }

    template <Side Us>
    void add_space() {
        constexpr Bits Area = masks::Centre & (rank_bits(Us, 1) | rank_bits(Us, 2) | rank_bits(Us, 3));
        const Bits safe = Area & ~pawns_[index(Us)] & ~by_[index(!Us)][index(Piece::Pawn)];
        Bits behind = pawns_[index(Us)];
        behind |= shift(behind, -forward(Us));
        behind |= shift(behind, -2 * forward(Us));
        sink_.template add<Us>(C::Space, count(safe) + count(safe & behind & ~attacked_[index(!Us)]));
    }

    // Driving a bare king to the edge, and to a corner that our only bishop reaches.
    template <Side Us>
    void add_lone_king() {
        const int king = pos_.king(!Us), file = file_of(king), rank = rank_of(king);
        const int edge = std::max(3 - file, file - 4) + std::max(3 - rank, rank - 4);
        sink_.template add<Us>(C::LoneKingEdge, edge);
        sink_.template add<Us>(C::LoneKingNear, 7 - masks::distance(king, pos_.king(Us)));
        const Bits bishops = pos_.pieces(Us, Piece::Bishop);
        if (pieces_of(Us) != (bishops | pos_.pieces(Us, Piece::Knight)) || count(pieces_of(Us)) != 2 ||
            several(bishops) || bishops == 0 || pawns_[index(Us)] != 0)
            return;
        const bool light = (bishops & LightSquares) != 0;
        const int one = light ? 7 : 0, other = light ? 56 : 63;  // h1 and a8 are light
        sink_.template add<Us>(C::LoneKingCorner,
                               7 - std::min(masks::distance(king, one), masks::distance(king, other)));
    }

    const Position& pos_;
    Sink& sink_;
    C::Cache& cache_;
    std::array<Bits, 2> pawns_{}, passed_{}, attacked_{}, twice_{}, zone_{};
    std::array<std::array<Bits, 6>, 2> by_{};
    std::array<int, 2> attackers_{}, attack_danger_{}, near_attacks_{};  // of the side that attacks
};

constexpr int FullScale = 64;

// What remains of an advantage in the endgame, in 64ths: little where the stronger side can hardly win.
struct Scale {
    int end = FullScale;
    int both = FullScale;
};

int officers_worth(const Position& pos, Side side) {
    return 3 * count(pos.pieces(side) & (pos.pieces(Piece::Knight) | pos.pieces(Piece::Bishop))) +
           5 * count(pos.pieces(side, Piece::Rook)) + 9 * count(pos.pieces(side, Piece::Queen));
}

Scale scale(const Position& pos, Side strong) {
    const Bits pawns = pos.pieces(strong, Piece::Pawn);
    const int ours = officers_worth(pos, strong), theirs = officers_worth(pos, !strong);
    if (pawns == 0) {
        const int knights = count(pos.pieces(strong, Piece::Knight));
        const bool bare = theirs == 0 && pos.pieces(!strong, Piece::Pawn) == 0;
        if (ours <= 3 || (ours == 6 && knights == 2 && bare)) return {0, 0};  // cannot mate
        if (ours - theirs <= 3) return {theirs <= 3 ? 6 : 14, 32};
    }
    const Bits bishops = pos.pieces(Piece::Bishop);
    const bool opposite = count(bishops & pos.pieces(Side::White)) == 1 &&
                          count(bishops & pos.pieces(Side::Black)) == 1 && (bishops & LightSquares) != 0 &&
                          (bishops & ~LightSquares) != 0;
    if (opposite) return {ours == 3 && theirs == 3 ? 24 : 46, FullScale};
    return {std::min(FullScale, 40 + 8 * count(pawns) + (ours - theirs > 3 ? FullScale : 0)), FullScale};
}

template <class Sink>
Blend judged(const Position& pos, Sink& sink, Classic::Cache& cache) {
    Judge<Sink>(pos, sink, cache).run();
    int phase = 0;
    for (int kind = 1; kind < 5; ++kind) phase += PhaseOf[kind] * count(pos.pieces(static_cast<Piece>(kind)));
    phase = std::min(phase, FullPhase);
    const int lean = end_of(sink.total()) != 0 ? end_of(sink.total()) : start_of(sink.total());
    const auto [end, all] = scale(pos, lean > 0 ? Side::White : Side::Black);
    return {phase * all, (FullPhase - phase) * end, FullPhase * FullScale};
}

}  // namespace

// All in one function, and into a local: so the sum stays in a register.
[[gnu::flatten]] Blend Classic::judge(const Position& pos, Sum& sink, Cache& cache) {
    Sum local = sink;
    const Blend blend = judged(pos, local, cache);
    sink = local;
    return blend;
}
Blend Classic::judge(const Position& pos, Tally& sink, Cache& cache) { return judged(pos, sink, cache); }

}  // namespace damier::chess
