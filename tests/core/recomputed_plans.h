// Plans of the small models together with what they recompute.
#pragma once

#include "core/plan/sources/stage_times.h"
#include "core/recompute/plan.h"
#include "core/recomputed_plan.h"

#include <QTest>

#include <set>

namespace stagecraft::test {

// More than the searches below need: no clock decides what they find.
inline constexpr Seconds noClock(60);

inline std::shared_ptr<const Model> modelOf(const QString& file)
{
    Result<Model> model = openModel((QString(STAGECRAFT_TEST_DATA "/models/tiny/") + file).toStdString());
    if (!model.has_value())
        qFatal("%s", model.error().message.c_str());
    return std::make_shared<const Model>(*std::move(model));
}

inline ProfileOptions deviceOptions()
{
    ProfileOptions options;
    options.device = readDevice(STAGECRAFT_RESOURCES "/devices/a100-sxm-80gb.json").value();
    return options;
}

inline Result<Profile> profiled(const Model& model, std::shared_ptr<const NodeStages> parts)
{
    ProfileOptions options = deviceOptions();
    options.parts = std::move(parts);
    return traceAndProfile(model, options);
}

inline PartitionOptions optionsFor(RecomputeKind kind, std::size_t stages = 2, Bytes limit = Bytes::max())
{
    PartitionOptions options{.stageCount = stages, .timeLimit = noClock};
    options.memoryLimits = {limit};
    options.recompute.kind = kind;
    return options;
}

inline RecomputedPlan found(const std::shared_ptr<const Model>& model, const PartitionOptions& options)
{
    Result<RecomputedPlan> plan = findRecomputedPlan(model, options, profiled, OverLimit::Refused);
    if (!plan.has_value())
        qFatal("%s", plan.error().message.c_str());
    return *std::move(plan);
}

inline Bytes largestPeak(const PlanCost& cost)
{
    Bytes peak;
    for (const StageCost& stage : cost.stages)
        peak = std::max(peak, stage.peakMemory);
    return peak;
}

// Regions can run, and saved bytes and times of stages are those of an independent trace.
inline void compareWithTrace(const std::shared_ptr<const Model>& model, const RecomputedPlan& plan)
{
    const Partition& partition = plan.found.solution.partition;
    const RecomputePlan& regions = plan.of.problem.options.recompute.regions;
    const auto stages = nodeStages(partition);
    OperatorSchemas schemas;
    const Result<void> checked = checkPlan(*model, regions, schemas, stages.get());
    QVERIFY2(checked.has_value(), checked.has_value() ? "" : checked.error().message.c_str());
    const Profile profile = profiled(withPlan(*model, regions), stages).value();
    std::vector<Bytes> saved(partition.stageCount);
    std::vector<Seconds> times(partition.stageCount);
    const Table<NodeId, StageTime> parts =
        stageTimes(withPlan(*model, regions).graph, profile, plan.of.problem.options.microbatches);
    for (const NodeId node : model->graph.nodes()) {
        saved[partition.stageOf[node].index()] += profile.nodes[node].savedBytes;
        times[partition.stageOf[node].index()] +=
            parts[node].forward + parts[node].backwardInput + parts[node].backwardWeight;
    }
    for (const KeptTogether& kept : profile.keptTogether) { // again in each further stage that keeps it
        std::set<StageId> keeping;
        for (const NodeId node : kept.nodes)
            keeping.insert(partition.stageOf[node]);
        saved[partition.stageOf[kept.nodes.front()].index()] -= kept.bytes;
        for (const StageId stage : keeping)
            saved[stage.index()] +=
                kept.heldIn([&](NodeId node) { return partition.stageOf[node] == stage; });
    }
    for (std::size_t stage = 0; stage < saved.size(); ++stage) {
        const StageCost& cost = plan.found.solution.cost.stages[StageId(stage)];
        QCOMPARE(cost.savedBytes, saved[stage]);
        QVERIFY(std::abs(cost.compute().value() - times[stage].value()) < 1e-12);
    }
}

} // namespace stagecraft::test
