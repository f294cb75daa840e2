// The evaluations and feature sets a game offers by name. Each game's <game>_evaluations.cpp specialises both lists.

#pragma once

#include <memory>
#include <vector>

#include "damier/base/error.h"
#include "damier/base/text.h"
#include "damier/eval/features.h"
#include "damier/search/evaluator.h"

namespace damier {

template <Game G>
struct NamedEvaluation {
    std::string_view name;
    std::string_view about;  // one line for people
    std::unique_ptr<Evaluator<G>> (*make)(const typename G::Rules&);
    bool ready = true;  // one that is not yet can be asked for, and says what it lacks
};

template <Game G>
const std::vector<NamedEvaluation<G>>& evaluations();  // the first is the one the engine uses

template <Game G>
const std::vector<FeatureSet<G>>& feature_sets();

// The evaluation, marked as belonging to the variant that it is made for.
template <Game G>
std::unique_ptr<Evaluator<G>> made_for(const typename G::Rules& rules, std::unique_ptr<Evaluator<G>> evaluator) {
    evaluator->belong_to(rules);
    return evaluator;
}

// The item of a list that has the name, or an Error that says which names there are.
template <class Item>
const Item& item_named(const std::vector<Item>& items, std::string_view name, const char* what) {
    std::string known;
    for (const auto& item : items) {
        if (item.name == name) return item;
        known += (known.empty() ? "" : ", ") + std::string(item.name);
    }
    throw Error(shown(name) + " is no " + what + " of this game, expected " +
                (known.empty() ? "none" : "one of " + known));
}

template <Game G>
std::unique_ptr<Evaluator<G>> make_evaluation(std::string_view name, const typename G::Rules& rules) {
    return made_for<G>(rules, item_named(evaluations<G>(), name, "evaluation").make(rules));
}

}  // namespace damier
