// A game with its rules, known by name: what sets up boards and makes engines and evaluations. The registry holds all.

#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/engine/board_batch.h"
#include "damier/engine/engine.h"
#include "damier/engine/evaluations.h"
#include "damier/search/textbook/options.h"
#include "damier/search/textbook/trace.h"

namespace damier {

// What a function answers about a board, called from any search thread; nothing where it does not know.
using BoardProbe = std::function<std::optional<ProbeResult>(std::unique_ptr<Board>)>;
using BoardBook = std::function<std::vector<std::pair<Move, double>>(std::unique_ptr<Board>)>;

// The disputed articles of a rule set by name, such as repetition = 3.
using Articles = std::map<std::string, std::string>;

struct VariantInfo {
    std::string name;                   // that commands take
    std::string title;                  // for people
    std::string family;                 // whose rules it shares
    std::string squares_of{};           // the variant whose moves are the same, if another
    bool listed = true;                 // among all games; a combination of listed ones need not be
    std::string record_format = "pgn";  // in which its games are exchanged: pgn, pdn or sgf
    int game_type = 0;                  // of PDN, 0 when it has none
    bool two_point_win = false;         // results are written 2-0, 1-1, 0-2
};

class Variant : public std::enable_shared_from_this<Variant> {
  public:
    Variant(VariantInfo info, std::vector<SquareInfo> squares);
    virtual ~Variant() = default;

    const VariantInfo& info() const { return info_; }
    const std::string& name() const { return info_.name; }
    std::uint16_t squares_of() const { return squares_of_; }  // the number of the variant that names squares of moves

    const std::vector<SquareInfo>& squares() const { return squares_; }
    int square(std::string_view name) const;  // throws Error
    const std::string& square_name(int sq) const;
    virtual std::string text(const Move& move) const = 0;  // in the form that needs no position

    virtual std::unique_ptr<Board> board(const std::optional<std::string>& fen) const = 0;
    virtual std::unique_ptr<BoardBatch> batch(std::size_t size, Seen seen) const = 0;
    virtual std::unique_ptr<Engine> engine() const = 0;
    virtual const Evaluations& evaluations() const = 0;

    virtual Articles articles() const = 0;
    virtual std::shared_ptr<const Variant> with(const Articles& articles) const = 0;  // throws Error

    // Searches the board's position by a textbook algorithm, with or without an endgame database.
    virtual SearchResult search(const Board& board, textbook::Algorithm algorithm, const textbook::Options& options,
                                AnyEvaluator& evaluator, const std::shared_ptr<const AnyEndgameProbe>& probe,
                                const std::atomic<bool>& stop) const = 0;
    // An endgame database and a book that ask a function about a board of the position.
    virtual std::shared_ptr<const AnyEndgameProbe> probe(const Board& like, BoardProbe ask) const = 0;
    virtual std::shared_ptr<const AnyOpeningBook> book(const Board& like, BoardBook ask) const = 0;
    // The move that led to a row of a tree, as the board it was searched from writes it.
    virtual std::string text(const Board& board, const textbook::Trace& trace, std::size_t row) const = 0;

  protected:
    std::string usual_text(const Move& move) const;

  private:
    friend class Registry;
    VariantInfo info_;
    std::vector<SquareInfo> squares_;
    std::vector<std::string> square_names_;  // by index
    std::uint16_t squares_of_ = 0;
};

class Registry {
  public:
    // Enters a variant; throws Error when there is one of that name.
    const Variant& add(std::shared_ptr<Variant> variant);

    std::shared_ptr<const Variant> find(std::string_view name) const;  // throws Error
    const Variant& at(std::uint16_t number) const;
    std::vector<const Variant*> all() const;

  private:
    std::shared_ptr<const Variant> look_up(std::string_view name) const;

    mutable std::mutex mutex_;
    std::deque<std::shared_ptr<const Variant>> variants_;
};

// What a library of games made elsewhere was compiled against; another number means other headers.
constexpr std::uint64_t InterfaceVersion = 4;  // raised with any change to a virtual class of the door

constexpr std::uint64_t header_layout() {
    std::uint64_t layout = InterfaceVersion;
    for (const std::size_t size :
         {sizeof(VariantInfo), sizeof(Variant), sizeof(Registry), sizeof(SearchResult), sizeof(SearchRequest),
          sizeof(Tunables), sizeof(textbook::Options), sizeof(Term), sizeof(Move), sizeof(Limit), sizeof(Outcome),
          sizeof(Playouts), sizeof(Samples), sizeof(BoardBatch::Columns)})
        layout = 1000003 * layout + size;
    return layout;
}

// The one everybody looks into; it begins with the games of this package.
Registry& registry();

}  // namespace damier
