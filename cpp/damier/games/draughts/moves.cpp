// Move generation: all men at once by shifts, and captures piece by piece only where a chain goes on (captures.h).

#include "damier/games/draughts/captures.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/draughts/variants.h"

namespace damier::draughts {

namespace {

template <class R, Side Us>
class Generator {
  public:
    using B = Board<R>;
    using MoveList = typename Position<R>::MoveList;

    explicit Generator(const Position<R>& pos)
        : pos_(pos),
          men_(pos.men(Us)),
          kings_(pos.kings(Us)),
          enemies_(pos.pieces(!Us)),
          prey_(R::MenTakeKings ? enemies_ : pos.men(!Us)),
          empty_(pos.empty()) {}

    void list_moves(MoveList& list) const {
        const Jumps jumps = find_jumps();
        if (!jumps.any()) {
            list_quiet(list);
        } else if (jumps.single) {
            list_single(list);
        } else {
            list_chains(list, jumps.men);
        }
    }

    int count_moves() const {
        const Jumps jumps = find_jumps();
        if (!jumps.any()) return count_quiet();
        if (jumps.single) return jumps.count;
        MoveList list;
        list_chains(list, jumps.men);
        return static_cast<int>(list.size());
    }

  private:
    static constexpr unsigned ManMoves = B::forward(Us);
    static constexpr unsigned ManCaptures = B::man_captures(Us);
    static constexpr Bits CrownRow = R::Crowned == Crowning::Never ? 0 : B::last_row(Us);
    static constexpr bool KingsMatter =
        R::Prefers == Precedence::NumberThenKings || R::Prefers == Precedence::ValueThenKing;

    struct Jumps {
        Bits men = 0;         // men that can jump
        int count = 0;        // their first jumps
        bool king = false;    // a king can jump
        bool single = false;  // every capture is one man's single jump, and all are equally good

        bool any() const { return men != 0 || king; }
    };

    // The pieces that `movers` can jump in direction D from where they stand.
    template <int D>
    Bits jumped(Bits movers, Bits prey) const {
        return B::template step<D>(movers) & prey & B::template step<opposite(D)>(empty_);
    }

    Jumps find_jumps() const {
        Jumps jumps;
        Bits taken = 0;
        Bits landings = 0;
        for_each_direction<ManCaptures>([&](auto d) {
            const Bits over = jumped<d>(men_, prey_);
            jumps.men |= B::template step<opposite(d)>(over);
            jumps.count += count(over);
            taken |= over;
            landings |= B::template step<d>(over);
        });
        if (kings_ != 0) jumps.king = king_jumps();
        if (jumps.men == 0) return jumps;
        // The jump back over the same piece does not count as going on: the square it leads to is not empty.
        jumps.single = !jumps.king && !goes_on(landings) && !(KingsMatter && (taken & pos_.kings()) != 0);
        return jumps;
    }

    bool goes_on(Bits landings) const {
        if (R::Crowned == Crowning::AtOnce && (landings & CrownRow) != 0) return true;
        Bits again = 0;
        for_each_direction<ManCaptures>([&](auto d) { again |= jumped<d>(landings, prey_); });
        return again != 0;
    }

    bool king_jumps() const {
        Bits over = 0;
        for_each_direction<B::KingCaptures>([&](auto d) {
            Bits reach = kings_;
            if constexpr (R::LongCaptures) {
                for (Bits run = kings_; (run = B::template step<d>(run) & empty_) != 0;) reach |= run;
            }
            over |= jumped<d>(reach, enemies_);
        });
        return over != 0;
    }

    void list_quiet(MoveList& list) const {
        for_each_direction<ManMoves>([&](auto d) {
            for (int to : squares(B::template step<d>(men_) & empty_)) add<d>(list, to, 1, 0);
        });
        if (kings_ == 0) return;
        for_each_direction<B::KingMoves>([&](auto d) {
            int distance = 1;
            for (Bits run = kings_ & ~pos_.tired_king(); (run = B::template step<d>(run) & empty_) != 0; ++distance) {
                for (int to : squares(run)) {
                    list.push_back({static_cast<std::uint8_t>(to - distance * B::Directions[d].by),
                                    static_cast<std::uint8_t>(to), false, 0});
                }
                if (!R::LongMoves) break;
            }
        });
    }

    int count_quiet() const {
        int n = 0;
        for_each_direction<ManMoves>([&](auto d) { n += count(B::template step<d>(men_) & empty_); });
        if (kings_ == 0) return n;
        // Two kings never run over the same square in the same direction: the one behind is stopped by the other.
        for_each_direction<B::KingMoves>([&](auto d) {
            for (Bits run = kings_ & ~pos_.tired_king(); (run = B::template step<d>(run) & empty_) != 0;) {
                n += count(run);
                if (!R::LongMoves) break;
            }
        });
        return n;
    }

    void list_single(MoveList& list) const {
        for_each_direction<ManCaptures>([&](auto d) {
            const Bits over = jumped<d>(men_, prey_);
            for (int sq : squares(over)) add<d>(list, sq + B::Directions[d].by, 2, bit(sq));
        });
    }

    void list_chains(MoveList& list, Bits men) const {
        Captures<R, Us> captures(pos_, list);
        for (int from : squares(kings_)) captures.add_king(from);
        for (int from : squares(men)) captures.add_man(from);
    }

    // A man's move that ends on `to` after `steps` steps in direction D.
    template <int D>
    void add(MoveList& list, int to, int steps, Bits captured) const {
        list.push_back({static_cast<std::uint8_t>(to - steps * B::Directions[D].by), static_cast<std::uint8_t>(to),
                        has(CrownRow, to), captured});
    }

    const Position<R>& pos_;
    const Bits men_, kings_, enemies_, prey_, empty_;
};

}  // namespace

template <class R>
Position<R>::Position(Bits white, Bits black, Bits kings, Side turn, Runs runs)
    : pieces_{white, black}, kings_(kings), turn_(turn), runs_(runs) {
    key_ = fresh_key();
}

template <class R>
Key Position<R>::fresh_key() const {
    Key key = turn_ == Side::Black ? AllKeys.black_to_move : 0;
    for (int side = 0; side < 2; ++side) {
        for (int sq : squares(pieces_[side])) key ^= AllKeys.piece[side][has(kings_, sq)][sq];
        if constexpr (HasRuns) key ^= AllKeys.run[side][runs_[side].moves][runs_[side].square];
    }
    return key;
}

template <class R>
void Position<R>::legal_moves(MoveList& list) const {
    if (turn_ == Side::White) {
        Generator<R, Side::White>(*this).list_moves(list);
    } else {
        Generator<R, Side::Black>(*this).list_moves(list);
    }
}

template <class R>
int Position<R>::count_legal_moves() const {
    return turn_ == Side::White ? Generator<R, Side::White>(*this).count_moves()
                                : Generator<R, Side::Black>(*this).count_moves();
}

template <class R>
void Position<R>::set_run(Side side, KingRun run) {
    if constexpr (HasRuns) {
        if (run.moves == 0) run.square = 0;
        KingRun& old = runs_[index(side)];
        key_ ^= AllKeys.run[index(side)][old.moves][old.square] ^ AllKeys.run[index(side)][run.moves][run.square];
        old = run;
    }
}

// A run goes on while the same king moves quietly; it ends with any other move of its side, and with its last man.
template <class R>
void Position<R>::update_runs(Move move, bool by_king) {
    if constexpr (HasRuns) {
        const Side us = !turn_;
        const KingRun old = runs_[index(us)];
        if (!by_king || move.captured != 0 || men(us) == 0) {
            set_run(us, {});
        } else {
            const bool same = old.moves > 0 && old.square == move.from;
            set_run(us, {move.to, static_cast<std::uint8_t>(same ? old.moves + 1 : 1)});
        }
        if (men(turn_) == 0 || has(move.captured, runs_[index(turn_)].square)) set_run(turn_, {});
    }
}

#define DAMIER_INSTANTIATE(R)                                                               \
    template class Position<R>;                                                             \
    static_assert(Game<Draughts<R>> && CountsMoves<Draughts<R>> && HasPlanes<Draughts<R>>); \
    static_assert(HasPhases<Draughts<R>> == (R::Counted != Endings::None));
DAMIER_DRAUGHTS(DAMIER_INSTANTIATE)
#undef DAMIER_INSTANTIATE

}  // namespace damier::draughts
