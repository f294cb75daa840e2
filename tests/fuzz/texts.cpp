// Feeds broken texts to every reader of positions and moves: fuzz_texts [SECONDS] [SEED].
// A text must be read or refused with one of our errors; sanitizers and asserts watch the rest. What is read as a
// position must be written, read again and played from without harm.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "damier/base/error.h"
#include "damier/base/random.h"
#include "damier/game/record.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/epd.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/loa/loa.h"

using namespace damier;

namespace {

Random dice(1);

template <class List>
const auto& any_of(const List& list) {
    return list[dice.below(static_cast<std::uint32_t>(list.size()))];
}

// A few random edits: bytes changed, dropped, doubled, or a piece of another text put in.
std::string mutated(std::string text, const std::vector<std::string>& others) {
    static const std::string Usual = "/12345678KQRBNPkqrbnpxowWbB:,-. x";
    for (std::uint32_t edits = 1 + dice.below(6); edits > 0; --edits) {
        const auto at = text.empty() ? 0 : dice.below(static_cast<std::uint32_t>(text.size()));
        switch (dice.below(6)) {
            case 0: text.insert(at, 1, any_of(Usual)); break;
            case 1: text.insert(at, 1, static_cast<char>(dice.below(256))); break;
            case 2: text.erase(at, 1 + dice.below(4)); break;
            case 3: text.insert(at, any_of(others).substr(0, dice.below(40))); break;
            case 4:
                if (!text.empty()) text[at] = any_of(Usual);
                break;
            default: text += text.substr(at, dice.below(30));
        }
    }
    return text;
}

template <Game G>
void exercise(const Setup<typename G::Position>& setup, const typename G::Rules& rules) {
    Record<G> record(setup);
    for (int ply = 0; ply < 8; ++ply) {
        const auto fen = G::fen(record.setup());
        if (!(G::read_fen(fen, rules).position == record.position())) {
            std::printf("does not read back: %s\n", fen.c_str());
            std::abort();
        }
        typename G::MoveList legal;
        record.legal_moves(legal);
        if (record.outcome(true) || legal.empty()) return;
        const auto move = any_of(legal);
        const auto text = G::text(record.position(), move);
        if (!(G::read_move(record.position(), text) == move)) {
            std::printf("%s reads as another move in %s\n", text.c_str(), fen.c_str());
            std::abort();
        }
        try {
            (void)G::read_move(record.position(), mutated(text, {text, fen}));
        } catch (const MoveError&) {
        }
        record.push(move);
    }
}

template <Game G>
void fuzz(const typename G::Rules& rules, std::vector<std::string>& texts, long& read) {
    const std::string text = mutated(any_of(texts), texts);
    try {
        const auto setup = G::read_fen(text, rules);
        ++read;
        exercise<G>(setup, rules);
        if (texts.size() < 2000 && dice.below(4) == 0) texts.push_back(text);  // go on from what was accepted
    } catch (const FenError&) {
    }
}

template <Game G>
std::vector<std::string> seeds(const typename G::Rules& rules) {
    std::vector<std::string> texts;
    for (int game = 0; game < 10; ++game) {
        Record<G> record({G::start(rules)});
        for (int ply = 0; ply < 60 && !record.outcome(false); ++ply) {
            typename G::MoveList legal;
            record.legal_moves(legal);
            record.push(any_of(legal));
        }
        texts.push_back(G::fen(record.setup()));
    }
    return texts;
}

struct Target {
    std::string name;
    std::vector<std::string> texts;
    void (*run)(std::vector<std::string>&, long&);
};

template <const draughts::Book& R>
Target draughts_target() {
    return {std::string(R.name), seeds<Draughts>(R), [](auto& texts, long& read) { fuzz<Draughts>(R, texts, read); }};
}

std::vector<Target> targets() {
    std::vector<Target> all;
    auto loa_texts = seeds<Loa>({});
    loa_texts.push_back("1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - 0 1");
    all.push_back({"loa", loa_texts, [](auto& texts, long& read) { fuzz<Loa>({}, texts, read); }});
    all.push_back({"loa5", seeds<Loa>({5}), [](auto& texts, long& read) { fuzz<Loa>({5}, texts, read); }});
    all.push_back({"chess", seeds<Chess>({}), [](auto& texts, long& read) { fuzz<Chess>({}, texts, read); }});
    all.push_back(
        {"chess960", seeds<Chess>({true}), [](auto& texts, long& read) { fuzz<Chess>({true}, texts, read); }});
    all.push_back({"epd", seeds<Chess>({}), [](auto& texts, long& read) {
                       try {
                           (void)chess::read_epd(mutated(any_of(texts) + " bm e4; id \"x\"; D1 20;", texts));
                           ++read;
                       } catch (const FenError&) {
                       }
                   }});
#define DAMIER_TARGET(R) all.push_back(draughts_target<draughts::R>());
    DAMIER_DRAUGHTS(DAMIER_TARGET)
#undef DAMIER_TARGET
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    using Clock = std::chrono::steady_clock;
    const int seconds = argc > 1 ? std::atoi(argv[1]) : 10;
    dice = Random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
    const auto end = Clock::now() + std::chrono::seconds(seconds);
    auto all = targets();
    long tried = 0, read = 0;
    while (Clock::now() < end) {
        for (auto& target : all) {
            for (int i = 0; i < 50; ++i, ++tried) target.run(target.texts, read);
        }
    }
    std::printf("%ld texts, %ld read, none broke a promise\n", tried, read);
    return read > 0 ? 0 : 1;
}
