// The inputs of tables over regions of squares: how the first kind of piece stands in each region (empty, own or
// enemy, square by square), how many pieces of each other kind there are, and where every piece stands. A side sees the
// board turned so that its own pieces stand where White's stand at the start; what is learnt of a region serves its
// turned image too. Both the engine and the trainer use this file.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "damier/base/error.h"
#include "damier/base/text.h"
#include "damier/eval/squares.h"
#include "damier/game/view.h"
#include "damier/game/windows.h"

namespace damier {

// A run of numbers, one for each state that something may be in.
struct PatternTable {
    std::string name;
    std::size_t first;
    std::size_t states;
};

template <Game G>
    requires HasPlanes<G>
class PatternInputs {
  public:
    static constexpr std::size_t Planes = PlaneCount<G>;
    static constexpr std::size_t Kinds = Planes / 2;
    using PlaneSet = std::array<Bits, Planes>;

    explicit PatternInputs(const typename G::Rules& rules) : PatternInputs(rules, usual_windows(rules)) {}
    // Throws Error where windows are too large or too many, or where there is no square in any.
    PatternInputs(const typename G::Rules& rules, std::vector<Windows> windows)
        : squares_(rules), kinds_(squares_.kinds().size()), windows_(std::move(windows)) {
        const View<G> view(rules);
        turned_ = view.turned();
        const auto listed = G::squares(rules);
        for (std::size_t i = 0; i < listed.size(); ++i) {
            const auto sq = static_cast<std::size_t>(listed[i].index);
            order_[sq] = i;
            index_.push_back(listed[i].index);
        }
        add_table("pieces", kinds_ * listed.size());
        for (std::size_t kind = 1; kind < kinds_; ++kind) add_table("counts of " + squares_.kinds()[kind], CountStates);
        for (const Bits region : window_squares(windows_, listed))
            if (region != 0) add_region(region);
        if (regions_.empty()) throw Error("no window of " + shown(windows_text(windows_)) + " lies on the board");
        const auto start = G::planes(G::start(rules));
        most_pieces_ = pieces(start);
        for (const Side side : {Side::White, Side::Black})
            start_pieces_ = std::max(start_pieces_, own_pieces(start, side));
    }

    const std::vector<Windows>& windows() const { return windows_; }
    std::size_t size() const { return size_; }  // of all tables
    const std::vector<PatternTable>& tables() const { return tables_; }
    std::size_t regions() const { return regions_.size(); }
    std::size_t most_pieces() const { return most_pieces_; }  // those at the start
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto& table : tables_) names.push_back(table.name + ": " + std::to_string(table.states));
        for (const auto& name : squares_.names()) names.push_back(name);
        return names;
    }

    // The number of the state of a region, as a side sees the board.
    std::size_t region_state(const PlaneSet& planes, std::size_t region, Side side) const {
        const auto of = static_cast<std::size_t>(index(side));
        const Seen& seen = regions_[region][of];
        return seen.digits[extract(planes[of * Kinds], seen.squares)] +
               2 * std::size_t{seen.digits[extract(planes[(1 - of) * Kinds], seen.squares)]};
    }
    // The number of the state that counts of a kind beyond the first are in: more than a few are as good as a few.
    std::size_t count_state(const PlaneSet& planes, std::size_t kind, Side side) const {
        const auto own = static_cast<std::size_t>(index(side)) * Kinds, enemy = Kinds - own;
        const int ahead = count(planes[own]) - count(planes[enemy]);
        return (capped(planes[own + kind]) * (MostCounted + 1) + capped(planes[enemy + kind])) * (2 * MostAhead + 1) +
               static_cast<std::size_t>(std::clamp(ahead, -int{MostAhead}, int{MostAhead}) + int{MostAhead});
    }
    // The number of a piece on a square, as its owner sees the board.
    std::size_t piece_state(std::size_t kind, int sq, Side owner) const {
        return kind * index_.size() + order_[static_cast<std::size_t>(owner == Side::White ? sq : turned(sq))];
    }
    // Of the tables in the list: pieces first, then counts, then regions.
    std::size_t first_of_counts(std::size_t kind) const { return tables_[kind].first; }
    std::size_t first_of_region(std::size_t region) const { return tables_[kinds_ + region].first; }
    std::size_t kinds() const { return kinds_; }
    const std::string& kind_name(std::size_t kind) const { return squares_.kinds()[kind]; }
    const std::string& region_name(std::size_t region) const { return tables_[kinds_ + region].name; }

    // The squares of a region in the order of its digits, as White sees the board.
    const std::vector<int>& region_squares(std::size_t region) const { return region_squares_[region]; }
    int turned(int sq) const { return turned_[static_cast<std::size_t>(sq)]; }
    const std::vector<int>& all_squares() const { return index_; }

    static std::size_t pieces(const PlaneSet& planes) {
        int sum = 0;
        for (const Bits plane : planes) sum += count(plane);
        return static_cast<std::size_t>(sum);
    }
    static std::size_t own_pieces(const PlaneSet& planes, Side side) {
        int sum = 0;
        for (std::size_t kind = 0; kind < Kinds; ++kind)
            sum += count(planes[static_cast<std::size_t>(index(side)) * Kinds + kind]);
        return static_cast<std::size_t>(sum);
    }

    // How many numbers a position has per side.
    std::size_t width() const { return tables_.size() - 1 + start_pieces_; }

    // The numbers as the side to move sees them, then as the other does: regions, counts, own pieces; places that are
    // left hold size().
    void write(const typename G::Position& pos, std::int32_t* row) const {
        const auto planes = G::planes(pos);
        for (const Side side : {pos.turn(), !pos.turn()}) {
            if (own_pieces(planes, side) > start_pieces_)
                throw DataError("a side has " + std::to_string(own_pieces(planes, side)) +
                                " pieces, expected at most " + std::to_string(start_pieces_) + ", as at the start");
            std::int32_t* const end = row + width();
            const auto put = [&](std::size_t number) { *row++ = static_cast<std::int32_t>(number); };
            for (std::size_t region = 0; region < regions(); ++region)
                put(first_of_region(region) + region_state(planes, region, side));
            for (std::size_t kind = 1; kind < kinds_; ++kind)
                put(first_of_counts(kind) + count_state(planes, kind, side));
            for (std::size_t kind = 0; kind < kinds_; ++kind)
                for (const int sq : squares(planes[static_cast<std::size_t>(index(side)) * Kinds + kind]))
                    put(piece_state(kind, sq, side));
            while (row != end) put(size());
        }
    }

  private:
    static constexpr std::size_t MostCounted = 3, MostAhead = 4;
    static constexpr std::size_t CountStates = (MostCounted + 1) * (MostCounted + 1) * (2 * MostAhead + 1);
    static constexpr std::size_t MostStates = 1 << 22;
    static constexpr int MostSquares = 12;

    // A region as a side sees it: squares of the board, and what the bits taken out of them are in base 3.
    struct Seen {
        Bits squares;
        const std::uint32_t* digits;
    };

    static std::size_t capped(Bits plane) { return std::min(static_cast<std::size_t>(count(plane)), MostCounted); }

    static std::vector<Windows> usual_windows([[maybe_unused]] const typename G::Rules& rules) {
        if constexpr (HasWindows<G>) return G::windows(rules);
        return {Windows{}};
    }

    void add_table(std::string name, std::size_t states) {
        tables_.push_back({std::move(name), size_, states});
        size_ += states;
        if (size_ > MostStates)
            throw Error("the windows " + shown(windows_text(windows_)) + " have more than " +
                        std::to_string(MostStates) + " states");
    }

    // Unless it is the turned image of one that is there already.
    void add_region(Bits region) {
        Bits turned_region = 0;
        for (const int sq : squares(region)) turned_region |= bit(turned(sq));
        for (const auto& seen : regions_)
            if (seen[0].squares == region || seen[1].squares == region) return;
        if (count(region) > MostSquares)
            throw Error("the windows " + shown(windows_text(windows_)) + " have up to " +
                        std::to_string(count(region)) + " squares, expected at most " + std::to_string(MostSquares));
        std::vector<int> own, other;
        std::string name = squares_.kinds().front() + " on";
        std::size_t states = 1;
        for (const int sq : squares(region)) {
            own.push_back(sq);
            other.push_back(turned(sq));
            name += " " + squares_.square_names()[order_[static_cast<std::size_t>(sq)]];
            states *= 3;
        }
        regions_.push_back({Seen{region, digits(own)}, Seen{turned_region, digits(other)}});
        region_squares_.push_back(std::move(own));
        add_table(std::move(name), states);
    }

    // Of bits packed from the lowest square on: square i of the list is worth 3 to the power of i. Most regions are of
    // the same shape and share what is found.
    const std::uint32_t* digits(const std::vector<int>& listed) {
        std::vector<int> places(listed.size());
        for (std::size_t i = 0; i < listed.size(); ++i)
            places[i] = static_cast<int>(
                std::count_if(listed.begin(), listed.end(), [&](int other) { return other < listed[i]; }));
        auto [found, is_new] = digits_.try_emplace(places);
        if (is_new) {
            auto table = std::make_shared<std::vector<std::uint32_t>>(std::size_t{1} << listed.size());
            for (std::size_t packed = 0; packed < table->size(); ++packed) {
                std::uint32_t power = 1;
                for (const int place : places) {
                    if (packed >> place & 1) (*table)[packed] += power;
                    power *= 3;
                }
            }
            found->second = std::move(table);
        }
        return found->second->data();
    }

    Squares<G> squares_;
    std::size_t kinds_;
    std::vector<Windows> windows_;
    Turned turned_{};
    std::array<std::size_t, 64> order_{};  // the place of a square in the list of squares
    std::vector<int> index_;               // and the other way round
    std::vector<PatternTable> tables_;
    std::size_t size_ = 0;
    std::size_t start_pieces_ = 0;              // of a side
    std::size_t most_pieces_ = 0;               // of both
    std::vector<std::array<Seen, 2>> regions_;  // by side
    std::vector<std::vector<int>> region_squares_;
    std::map<std::vector<int>, std::shared_ptr<const std::vector<std::uint32_t>>> digits_;
};

}  // namespace damier
