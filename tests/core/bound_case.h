// A model in so many stages, and what the bound of cuts and recomputation says of it under limits.
#pragma once

#include "core/bound_of_all.h"
#include "core/plan/evaluate.h"
#include "core/recompute_bound.h"
#include "core/search/search.h"
#include "tests/core/recomputed_plans.h"

#include <QString>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace stagecraft::test {

inline std::shared_ptr<const Model> openBounded(const QString& path)
{
    Result<Model> model = openModel(path.toStdString());
    if (!model.has_value())
        qFatal("%s", model.error().message.c_str());
    return std::make_shared<const Model>(*std::move(model));
}

class BoundCase
{
public:
    BoundCase(std::shared_ptr<const Model> model, std::size_t stages, PipelineRuntime runtime)
        : m_model(std::move(model)), m_stages(stages), m_runtime(runtime)
    {
        const RecomputedProblem none = posed(RecomputeKind::None, {}, nullptr);
        const RecomputedProblem full = posed(RecomputeKind::Full, {}, nullptr);
        m_ground = recomputeGround({*none.model, none.profile, none.problem},
                                   {*full.model, full.profile, full.problem})
                       .value();
    }

    std::size_t count() const { return m_model->graph.nodeCount(); }
    const RecomputeGround& ground() const { return m_ground; }

    // Stages of runs of nodes that end there; none: not a legal plan.
    std::optional<Partition> cutAt(std::vector<std::size_t> ends) const
    {
        std::ranges::sort(ends);
        Partition partition{m_stages, Table<NodeId, StageId>(count(), StageId(0))};
        for (const NodeId node : m_model->graph.nodes())
            partition.stageOf[node] =
                StageId(std::ranges::upper_bound(ends, std::size_t{node.index()}) - ends.begin());
        if (!checkPartition(m_ground.none, partition).has_value())
            return std::nullopt;
        return partition;
    }

    // The same but for some nodes, which are in a stage beside theirs, as far as that is legal.
    Partition moved(Partition partition, int moves, std::mt19937& draw) const
    {
        for (int i = 0; i < moves; ++i) {
            StageId& stage = partition.stageOf[NodeId(draw() % count())];
            const StageId before = stage;
            stage = StageId((before.index() + (draw() % 2 == 0 ? 1 : m_stages - 1)) % m_stages);
            if (!checkPartition(m_ground.none, partition).has_value())
                stage = before;
        }
        return partition;
    }

    // As traced; what cannot be a region is left out.
    PlanCost costOf(const Partition& partition, RecomputePlan regions) const
    {
        return evaluate(posed(RecomputeKind::Plan, std::move(regions), &partition).problem, partition);
    }

    // Where stages may hold so much; `upper`: far above.
    double bound(const std::vector<Bytes>& limits, Seconds upper, BoundBy by = BoundBy::Stages)
    {
        m_ground.none.options.memoryLimits = limits;
        return recomputedBound(m_ground, upper, {}, by).value.value();
    }

    // Which it takes for possible, if they are legal.
    bool hasLegalCuts(const std::vector<Bytes>& limits, Seconds upper)
    {
        m_ground.none.options.memoryLimits = limits;
        std::optional<Partition> cuts;
        RecomputeBounds(m_ground).of(upper, {}, BoundBy::Nodes, {}, &cuts);
        return cuts && checkPartition(m_ground.none, *cuts).has_value();
    }

    void allowEmptyStages() { m_ground.none.options.emptyStages = EmptyStages::Allow; }

    bool mayFitWithout(const std::vector<Bytes>& limits, Seconds bottleneck)
    {
        m_ground.none.options.memoryLimits = limits;
        return RecomputeBounds(m_ground).mayFitWithout(bottleneck);
    }

    bool mayFit(const std::vector<Bytes>& limits)
    {
        m_ground.none.options.memoryLimits = limits;
        return RecomputeBounds(m_ground).mayFit(limits);
    }

private:
    RecomputedProblem posed(RecomputeKind kind, RecomputePlan regions, const Partition* partition) const
    {
        PartitionOptions options = optionsFor(kind, m_stages);
        options.runtime = m_runtime;
        options.microbatches = 8;
        options.recompute.regions = std::move(regions);
        return recomputedProblem(m_model, std::move(options), profiled, partition).value();
    }

    std::shared_ptr<const Model> m_model;
    std::size_t m_stages;
    PipelineRuntime m_runtime;
    RecomputeGround m_ground;
};

} // namespace stagecraft::test
