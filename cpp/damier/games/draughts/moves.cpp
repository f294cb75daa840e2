// Move generation: all men at once by shifts, and captures piece by piece only where a chain goes on (captures.h).

#include "damier/games/draughts/captures.h"
#include "damier/games/draughts/draughts.h"

namespace damier::draughts {

namespace {

template <const Book& R, Side Us>
class Moves {
  public:
    static constexpr const Board& B = *R.board;

    explicit Moves(const Position& pos)
        : pos_(pos),
          men_(pos.own() & ~pos.kings()),
          kings_(pos.own() & pos.kings()),
          enemies_(pos.other()),
          prey_(R.men_take_kings ? enemies_ : enemies_ & ~pos.kings()),
          empty_(B.all & ~(pos.own() | pos.other())) {}

    void list_moves(MoveList& list) const {
        const Jumps jumps = find_jumps();
        if (!jumps.any()) {
            list_quiet(list);
        } else if (is_single(jumps)) {
            list_single(list, jumps);
        } else {
            list_chains(pos_, jumpers(jumps), list);
        }
    }

    bool is_quiet() const { return !find_jumps().any(); }

    int count_moves() const {
        const Jumps jumps = find_jumps();
        if (!jumps.any()) return count_quiet();
        if (is_single(jumps)) return count_single(jumps);
        return count_chains(pos_, jumpers(jumps));
    }

  private:
    static constexpr unsigned ManMoves = B.forward(Us);
    static constexpr unsigned ManCaptures = R.man_captures(Us);
    static constexpr Bits CrownRow = R.crown_row[index(Us)];
    static constexpr bool KingsMatter = R.prefers == Precedence::NumberKings || R.prefers == Precedence::ValueByKing;

    // The first jumps that are possible: for each direction, the pieces that a man can jump.
    struct Jumps {
        std::array<Bits, 8> over = {};
        Bits taken = 0;     // their union
        bool king = false;  // a king can jump

        bool any() const { return taken != 0 || king; }
    };

    // The pieces that `movers` can jump in direction D from where they stand.
    template <int D>
    Bits jumped(Bits movers, Bits prey) const {
        return step<B, D>(movers) & prey & step<B, opposite(D)>(empty_);
    }

    [[gnu::always_inline]] Jumps find_jumps() const {
        Jumps jumps;
        for_each_direction<ManCaptures>([&](auto d) { jumps.taken |= jumps.over[d] = jumped<d>(men_, prey_); });
        if (kings_ != 0) jumps.king = king_jumps(kings_, enemies_, empty_);
        return jumps;
    }

    // What concerns kings is kept out of line, with plain arguments: most positions have none, and stay in registers.
    [[gnu::noinline]] static bool king_jumps(Bits kings, Bits enemies, Bits empty) {
        Bits over = 0;
        for_each_direction<R.king_captures()>([&](auto d) {
            Bits reach = kings;
            if constexpr (R.long_captures) {
                for (Bits run = kings; (run = step<B, d>(run) & empty) != 0;) reach |= run;
            }
            over |= step<B, d>(reach) & enemies & step<B, opposite(d)>(empty);
        });
        return over != 0;
    }

    // Two kings never run over the same square in the same direction: the one behind is stopped by the other.
    [[gnu::noinline]] static int count_king_moves(Bits kings, Bits empty) {
        int n = 0;
        for_each_direction<B.lines>([&](auto d) {
            for (Bits run = kings; (run = step<B, d>(run) & empty) != 0;) {
                n += count(run);
                if (!R.long_moves) break;
            }
        });
        return n;
    }

    // Is every capture one man's single jump, all of them equally good?
    bool is_single(const Jumps& jumps) const {
        if (jumps.king || (KingsMatter && (jumps.taken & pos_.kings()) != 0)) return false;
        Bits landings = 0;
        for_each_direction<ManCaptures>([&](auto d) { landings |= step<B, d>(jumps.over[d]); });
        if (R.crowned == Crowning::AtOnce && (landings & CrownRow) != 0) return false;
        // A jump back over the same piece is not found, as it should be: it leads to a square that is not empty.
        Bits again = 0;
        for_each_direction<ManCaptures>([&](auto d) { again |= jumped<d>(landings, prey_); });
        return again == 0;
    }

    void list_quiet(MoveList& list) const {
        for_each_direction<ManMoves>([&](auto d) { add_men<d>(list, step<B, d>(men_) & empty_, false); });
        if (kings_ == 0) return;
        for_each_direction<B.lines>([&](auto d) {
            int distance = 1;
            for (Bits run = kings_ & ~pos_.tired_king(); (run = step<B, d>(run) & empty_) != 0; ++distance) {
                add<d>(list, run, distance, false, false);
                if (!R.long_moves) break;
            }
        });
    }

    int count_quiet() const {
        int n = 0;
        for_each_direction<ManMoves>([&](auto d) { n += count(step<B, d>(men_) & empty_); });
        return kings_ == 0 ? n : n + count_king_moves(kings_ & ~pos_.tired_king(), empty_);
    }

    void list_single(MoveList& list, const Jumps& jumps) const {
        for_each_direction<ManCaptures>([&](auto d) { add_men<d>(list, step<B, d>(jumps.over[d]), true); });
    }

    static int count_single(const Jumps& jumps) {
        int n = 0;
        for_each_direction<ManCaptures>([&](auto d) { n += count(jumps.over[d]); });
        return n;
    }

    static Bits jumpers(const Jumps& jumps) {
        Bits men = 0;
        for_each_direction<ManCaptures>([&](auto d) { men |= step<B, opposite(d)>(jumps.over[d]); });
        return men;
    }

    // Kept out of line: they are rare, and their stack would burden the quiet positions.
    [[gnu::noinline]] static void list_chains(const Position& pos, Bits men, MoveList& list) {
        Captures<R, Us> captures(pos, list);
        for (int from : squares(pos.own() & pos.kings())) captures.add_king(from);
        for (int from : squares(men)) captures.add_man(from);
    }

    [[gnu::noinline]] static int count_chains(const Position& pos, Bits men) {
        MoveList list;
        list_chains(pos, men, list);
        return static_cast<int>(list.size());
    }

    // The moves of men in direction D, single jumps or single steps, that end on the squares `ends`.
    template <int D>
    [[gnu::always_inline]] static void add_men(MoveList& list, Bits ends, bool jump) {
        add<D>(list, ends & ~CrownRow, jump ? 2 : 1, false, jump);
        if ((ends & CrownRow) != 0) [[unlikely]]
            add<D>(list, ends & CrownRow, jump ? 2 : 1, true, jump);
    }

    template <int D>
    static void add(MoveList& list, Bits ends, int steps, bool crowned, bool jump) {
        constexpr int By = B.directions[D].by;
        Move* move = list.extend(static_cast<std::size_t>(count(ends)));
        for (int to : squares(ends)) {
            *move++ = {static_cast<std::uint8_t>(to - steps * By), static_cast<std::uint8_t>(to), crowned,
                       jump ? bit(to - By) : 0};
        }
    }

    const Position& pos_;
    const Bits men_, kings_, enemies_, prey_, empty_;
};

}  // namespace

template <const Book& R, Side Us>
void Compiled<R, Us>::list_moves(const Position& pos, MoveList& list) {
    Moves<R, Us>(pos).list_moves(list);
}

template <const Book& R, Side Us>
int Compiled<R, Us>::count_moves(const Position& pos) {
    return Moves<R, Us>(pos).count_moves();
}

template <const Book& R, Side Us>
bool Compiled<R, Us>::is_quiet(const Position& pos) {
    return Moves<R, Us>(pos).is_quiet();
}

#define DAMIER_COMPILE(R)                     \
    template struct Compiled<R, Side::White>; \
    template struct Compiled<R, Side::Black>;
DAMIER_DRAUGHTS(DAMIER_COMPILE)
#undef DAMIER_COMPILE

Position::Position(Bits white, Bits black, Bits kings, Side turn, Rules rules, KingRuns runs)
    : own_(turn == Side::White ? white : black),
      other_(turn == Side::White ? black : white),
      kings_(kings),
      rules_(rules),
      turn_(turn),
      runs_(runs) {
    key_ = fresh_key();
}

Key Position::fresh_key() const {
    Key key = turn_ == Side::Black ? AllKeys.black_to_move : 0;
    for (Side side : {Side::White, Side::Black}) {
        const int i = index(side);
        for (int sq : squares(pieces(side))) key ^= AllKeys.piece[i][has(kings_, sq)][sq];
        key ^= AllKeys.run[i][runs_[i].moves][runs_[i].square];
    }
    return key;
}

void Position::set_run(Side side, KingRun run) {
    if (run.moves == 0) run.square = 0;
    KingRun& old = runs_[index(side)];
    key_ ^= AllKeys.run[index(side)][old.moves][old.square] ^ AllKeys.run[index(side)][run.moves][run.square];
    old = run;
}

// A run goes on while the same king moves quietly; it ends with any other move of its side, and with its last man.
void Position::update_runs(Move move, bool by_king) {
    if (!by_king && runs_ == KingRuns{}) return;
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

// Takes a move in parts: a whole one would be put together in line before it is known to be needed.
void Position::play_with_kings(std::uint8_t from, std::uint8_t to, bool crowned, Bits captured) {
    const bool by_king = has(kings_, from);
    move_pieces<true>({from, to, crowned, captured});
    if (rules_->king_run > 0) update_runs({from, to, crowned, captured}, by_king);
}

// No CanPass: zugzwang is the game. No HasExchanges: a capture is a chain over the board, not a series on one square.
static_assert(Game<Draughts> && CountsMoves<Draughts> && HasPlanes<Draughts> && HasPhases<Draughts>);
static_assert(KnowsQuiet<Draughts> && HasTactics<Draughts> && HasShapes<Draughts>);
static_assert(HasSymmetries<Draughts> && ForeseesKeys<Draughts>);
static_assert(!CanPass<Draughts> && !HasExchanges<Draughts>);

}  // namespace damier::draughts
