#include "core/search/improve/anneal.h"

#include "core/base/noise.h"
#include "core/search/improve/stage_loads.h"

#include <algorithm>

namespace stagecraft {

namespace {

class Annealer
{
public:
    Annealer(const ReducedProblem& reduced, const Slicing& plan, const AnnealOptions& options)
        : m_reduced(reduced),
          m_options(options),
          m_noise(options.seed),
          m_loads(reduced, plan.stages),
          m_best(plan),
          m_penalties(reduced.stageCount(), 0)
    {
        for (std::size_t stage = 0; stage < m_penalties.size(); ++stage)
            m_penalties[stage] = penalty(stage);
    }

    Slicing run()
    {
        // From shifting whole percents of a stage to next to nothing, by halves.
        constexpr std::uint64_t levels = 20;
        constexpr std::uint64_t interval = 4096;
        constexpr std::uint64_t workOfStep = 100;
        double tolerated = 2e-3;
        for (std::uint64_t step = 0; step < m_options.steps; ++step) {
            if (step % interval == interval - 1 && m_options.shouldStop &&
                m_options.shouldStop(interval * workOfStep))
                break;
            if (step % (m_options.steps / levels + 1) == 0)
                tolerated /= 2;
            tryMove(tolerated);
        }
        // Rounding adds up over many moves.
        m_best.bottleneck = bottleneckOf(m_reduced, m_best.stages);
        return std::move(m_best);
    }

private:
    // How much a stage exceeds the aim, squared, as a share of it; and its memory the limit.
    double penalty(std::size_t stage) const
    {
        const double load = std::max(0.0, m_loads.load(stage) / m_options.aim - 1);
        double sum = load * load;
        if (const double excess = m_loads.excess(stage); excess > 0)
            sum += 0.01 + excess / std::max(1.0, m_reduced.options.memoryLimits[stage].asDouble());
        if (m_loads.groupCount(stage) == 0 && !m_reduced.allowsEmpty())
            sum += 1;
        return sum;
    }

    void tryMove(double tolerated)
    {
        const std::uint64_t random = m_noise.next();
        const auto group = static_cast<GroupIndex>((random >> 8) % m_reduced.size());
        const std::uint32_t from = m_loads.stages()[group];
        const bool up = random % 2 == 0;
        if (up ? from + 1 == m_reduced.stageCount() : from == 0)
            return;
        const std::uint32_t to = up ? from + 1 : from - 1;
        if (!m_loads.mayMove(group, to))
            return;
        m_loads.move(group, to);
        double change = 0;
        m_changed.clear();
        for (std::size_t stage = 0; stage < m_penalties.size(); ++stage) {
            m_changed.push_back(penalty(stage));
            change += m_changed.back() - m_penalties[stage];
        }
        if (change > tolerated * m_noise.unit()) {
            m_loads.move(group, from);
            return;
        }
        m_penalties.swap(m_changed);
        keepIfBest();
    }

    void keepIfBest()
    {
        double slowest = 0;
        for (std::size_t stage = 0; stage < m_penalties.size(); ++stage) {
            slowest = std::max(slowest, m_loads.load(stage));
            if (slowest >= m_best.bottleneck * (1 - 1e-9) || m_loads.excess(stage) > 0 ||
                (m_loads.groupCount(stage) == 0 && !m_reduced.allowsEmpty()))
                return;
        }
        const double exact = bottleneckOf(m_reduced, m_loads.stages());
        if (exact < m_best.bottleneck)
            m_best = {exact, m_loads.stages()};
    }

    const ReducedProblem& m_reduced;
    const AnnealOptions& m_options;
    Noise m_noise;
    StageLoads m_loads;
    Slicing m_best;
    std::vector<double> m_penalties; // stage by stage
    std::vector<double> m_changed;
};

} // namespace

Slicing anneal(const ReducedProblem& reduced, const Slicing& plan, const AnnealOptions& options)
{
    // Where a stage may be empty, what the model returns costs nothing behind the last that is not.
    const bool returns = std::ranges::any_of(reduced.values, &ReducedValue::returned);
    if (reduced.stageCount() < 2 || reduced.size() < 2 || options.aim <= 0 ||
        (reduced.allowsEmpty() && returns))
        return plan;
    return Annealer(reduced, plan, options).run();
}

} // namespace stagecraft
