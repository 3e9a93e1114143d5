#include "ablation.h"

#include "core/search/stage_search.h"
#include "thread_clock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

namespace stagecraft::bench {

namespace {

struct Idea
{
    const char* name;
    bool SearchFeatures::*member;
};

constexpr std::array ideas{
    Idea{"light", &SearchFeatures::light},        Idea{"sinkable", &SearchFeatures::sinkable},
    Idea{"cuts", &SearchFeatures::cuts},          Idea{"floating", &SearchFeatures::floating},
    Idea{"shares", &SearchFeatures::shares},      Idea{"loads", &SearchFeatures::loads},
    Idea{"fronts", &SearchFeatures::fronts},      Idea{"halving", &SearchFeatures::halving},
    Idea{"noise", &SearchFeatures::noise},        Idea{"climb", &SearchFeatures::climb},
    Idea{"anneal", &SearchFeatures::anneal},      Idea{"neighbourhood", &SearchFeatures::neighbourhood},
    Idea{"unlimited", &SearchFeatures::unlimited}};

struct Outcome
{
    double planSeconds = 0;
    double boundSeconds = 0;
    double searchSeconds = 0;
    bool isProven = false;
};

std::optional<Outcome> outcomeOf(const PartitionProblem& problem, const SearchFeatures& features)
{
    const ThreadClock clock;
    const auto solution = solveByStage(problem, {}, features);
    if (!solution.has_value())
        return std::nullopt;
    return Outcome{solution->cost.bottleneckTime.value(), solution->bound.value.value(), clock.seconds(),
                   solution->proven()};
}

// Of all cases of a kind, without an idea against with it.
class Row
{
public:
    void add(const std::string& name, const std::optional<Outcome>& with,
             const std::optional<Outcome>& without)
    {
        ++m_cases;
        m_lost += with.has_value() && !without.has_value() ? 1 : 0;
        if (!with || !without)
            return;
        m_unproven += with->isProven && !without->isProven ? 1 : 0;
        m_before += with->searchSeconds;
        m_after += without->searchSeconds;
        note(m_plan, m_worstPlan, name, without->planSeconds / with->planSeconds - 1);
        note(m_bound, m_worstBound, name, 1 - without->boundSeconds / with->boundSeconds);
    }

    void print(const char* idea, const char* kind) const
    {
        std::printf(
            "| %s | %s | %d | %.2f%% | %.2f%% %s | %.2f%% | %.2f%% %s | %d | %d | %.1f s | %.1f s |\n", idea,
            kind, m_cases, 100 * m_plan / m_cases, 100 * m_worstPlan.first, m_worstPlan.second.c_str(),
            100 * m_bound / m_cases, 100 * m_worstBound.first, m_worstBound.second.c_str(), m_unproven,
            m_lost, m_before, m_after);
        std::fflush(stdout);
    }

private:
    using Worst = std::pair<double, std::string>;

    static void note(double& sum, Worst& worst, const std::string& name, double loss)
    {
        sum += loss;
        if (loss > std::max(worst.first, 1e-6))
            worst = {loss, name};
    }

    int m_cases = 0;
    int m_lost = 0;     // without a plan
    int m_unproven = 0; // that are proven with the idea
    double m_plan = 0;
    double m_bound = 0;
    Worst m_worstPlan;
    Worst m_worstBound;
    double m_before = 0; // seconds of all
    double m_after = 0;
};

bool isAsked(const std::vector<std::string>& names, const std::string& name)
{
    return std::ranges::find(names, name) != names.end() || std::ranges::find(names, "each") != names.end();
}

} // namespace

bool isIdea(const std::string& name)
{
    return name == "each" || std::ranges::any_of(ideas, [&](const Idea& idea) { return name == idea.name; });
}

void printAblation(const std::vector<AblationCase>& cases, const std::vector<std::string>& names)
{
    std::vector<std::optional<Outcome>> known;
    for (const AblationCase& item : cases)
        known.push_back(outcomeOf(item.problem, {}));
    std::printf(
        "| without | cases | | plans slower by | at worst | bounds lower by | at worst | no more proven | "
        "no plan | search with it | without |\n|---|---|--:|--:|---|--:|---|--:|--:|--:|--:|\n");
    for (const Idea& idea : ideas) {
        if (!isAsked(names, idea.name))
            continue;
        SearchFeatures features;
        features.*idea.member = false;
        std::map<std::string, Row> rows;
        for (std::size_t i = 0; i < cases.size(); ++i)
            rows[cases[i].kind].add(cases[i].name, known[i], outcomeOf(cases[i].problem, features));
        for (const auto& [kind, row] : rows)
            row.print(idea.name, kind.c_str());
    }
}

} // namespace stagecraft::bench
