#include "core/recompute_bound.h"

#include "core/chain_reaches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace stagecraft {

namespace {

constexpr double nearlyEqual = 5e-4;   // where the search for T ends
constexpr double firstStep = 1.0 / 32; // of what is between

} // namespace

// What is known of a model's chain, with members of spans or without, each as soon as somebody asks.
class RecomputeBounds::Chains
{
public:
    explicit Chains(const RecomputeGround& ground) : m_ground(ground), m_chain(ground, Members::LeftOut) {}

    const ChainReaches& coarse() { return made(m_coarse, m_chain, ChainReaches::Again::Any); }
    const ChainReaches& withoutAgain() { return made(m_withoutAgain, m_chain, ChainReaches::Again::Nothing); }
    const ChainReaches& fine()
    {
        if (!m_fineChain)
            m_fineChain.emplace(m_ground, Members::Listed);
        return made(m_fine, *m_fineChain, ChainReaches::Again::Any);
    }

private:
    const ChainReaches& made(std::optional<ChainReaches>& reaches, const KnownChain& chain,
                             ChainReaches::Again again)
    {
        if (!reaches)
            reaches.emplace(chain, again);
        return *reaches;
    }

    const RecomputeGround& m_ground;
    KnownChain m_chain;
    std::optional<KnownChain> m_fineChain;
    std::optional<ChainReaches> m_coarse, m_withoutAgain, m_fine;
};

RecomputeBounds::RecomputeBounds(const RecomputeGround& ground) : m_ground(ground) {}

RecomputeBounds::~RecomputeBounds() = default;

Bound RecomputeBounds::of(Seconds upper, const IsOver& isOver, BoundBy by, Seconds known,
                          std::optional<Partition>* cuts)
{
    Bound bound{.value = known, .kind = "cuts and recomputation", .witness = {}};
    const PartitionOptions& options = m_ground.none.options;
    if (options.sharesDevices() || upper <= Seconds{} || options.objective == Objective::Overlap)
        return bound;
    const ChainReaches& coarse = chains().coarse();
    double refuted = std::min(std::max(known.value(), coarse.evenShare()), upper.value());
    // From what is refuted on, in steps that grow: what is possible takes longer to know.
    const auto refute = [&](const ChainReaches& reaches, ChainReaches::Depth depth) {
        double possible = upper.value(), step = (possible - refuted) * firstStep;
        ChainReaches::Ends least; // of what is possible
        while (possible - refuted > nearlyEqual * possible) {
            const double most = std::min((refuted + possible) / 2, refuted + step);
            std::optional<ChainReaches::Ends> ends =
                reaches.within(most, depth, options.memoryLimits, isOver);
            if (!ends)
                break;
            step = ends->empty() ? step * 2 : possible - refuted;
            (ends->empty() ? refuted : possible) = most;
            if (!ends->empty())
                least = *std::move(ends);
        }
        if (cuts && !least.empty())
            *cuts = reaches.partitionAt(m_ground.none, least, possible);
    };
    if (by == BoundBy::Nodes || known <= Seconds{})
        refute(coarse, ChainReaches::Depth::Nodes);
    if (by != BoundBy::Nodes)
        refute(coarse, ChainReaches::Depth::Runs);
    if (by == BoundBy::Stages) {
        refute(coarse, ChainReaches::Depth::Stages);
        if (coarse.hasMembers() && !(isOver && isOver()))
            refute(chains().fine(), ChainReaches::Depth::Stages);
    }
    bound.value = Seconds(refuted);
    return bound;
}

RecomputeBounds::Chains& RecomputeBounds::chains()
{
    if (!m_chains)
        m_chains = std::make_unique<Chains>(m_ground);
    return *m_chains;
}

bool RecomputeBounds::knowsWhatFits() const
{
    const PartitionOptions& options = m_ground.none.options;
    return !options.sharesDevices() && options.objective != Objective::Overlap && options.limitsMemory();
}

bool RecomputeBounds::mayFitWithout(Seconds bottleneck, const IsOver& isOver)
{
    if (!knowsWhatFits())
        return true;
    const ChainReaches& reaches = chains().withoutAgain();
    const std::vector<Bytes>& limits = m_ground.none.options.memoryLimits;
    const auto ends = reaches.within(bottleneck.value(), ChainReaches::Depth::Nodes, limits, isOver);
    return !ends || !ends->empty();
}

bool RecomputeBounds::mayFit(std::span<const Bytes> limits, const IsOver& isOver)
{
    if (!knowsWhatFits())
        return true;
    using Depth = ChainReaches::Depth;
    const double slowest = slowestOf(m_ground).value();
    return std::ranges::none_of(std::array{Depth::Nodes, Depth::Runs, Depth::Stages}, [&](Depth depth) {
        const auto ends = chains().coarse().within(slowest, depth, limits, isOver);
        return ends && ends->empty();
    });
}

} // namespace stagecraft
