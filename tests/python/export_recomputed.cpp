// Exports a model under recompute plans, and says what the tracer says of them, for comparison with PyTorch:
//
//     export_recomputed MODEL FOLDER JOBS.json [FORMATS]
//
// JOBS.json is a list of {"stages": 2, "regions": [{"nodes": [NAME...], "kept": [NAME...]}]}; in place of
// regions "every": 2 and "operators": [NAME...] name a policy (core/recompute/policies.h). Stages are even
// parts of the program; a region over several becomes one in each. Where the job says "complete", what has to
// be is kept too, and regions are left out that cannot be. Job I goes to FOLDER/I. Prints a list with, of
// each job, {"refused": why}, or its plan and figures: saved bytes of each stage, its inputs left out, and as
// its plan counts them, with what it was sent; of one stage also peaks (parameters, buffers and inputs left
// out).
//
//     export_recomputed MODEL FOLDER STAGES [SEED]
//
// exports as export_stages does, evenly, under a random plan: regions behind each other, some of the nodes in
// each kept; what PyTorch could not run is left out.
#include "core/load/open_model.h"
#include "core/plan/evaluate.h"
#include "core/plan/sources/model_problem.h"
#include "core/profile/model/profile_model.h"
#include "core/recompute/policies.h"
#include "core/stage/cut.h"
#include "core/stage/export.h"
#include "tests/core/profile/plain_options.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <string_view>

using namespace stagecraft;
using Json = nlohmann::ordered_json;

namespace {

Partition evenSplit(const Model& model, std::size_t stages)
{
    Partition partition{stages, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(0))};
    for (const NodeId node : model.graph.nodes())
        partition.stageOf[node] = StageId(node.index() * stages / model.graph.nodeCount());
    return withInseparableNodesTogether(model, partition);
}

NodeStages stagesOf(const Partition& partition)
{
    NodeStages stages(partition.stageOf.size(), 0);
    for (std::size_t i = 0; i < stages.size(); ++i)
        stages[NodeId(i)] = static_cast<std::uint32_t>(partition.stageOf[NodeId(i)].index());
    return stages;
}

// The regions as the stages have them, in the stages' order.
RecomputePlan inStages(const Graph& graph, const Json& regions, const NodeStages& stages, std::size_t count)
{
    std::vector<RecomputePlan> parts(count);
    for (const Json& region : regions) {
        std::vector<RecomputeRegion> of(count);
        for (const char* which : {"nodes", "kept"})
            for (const Json& name : region.at(which)) {
                const std::optional<NodeId> node = graph.findNode(name.get<std::string>());
                if (node)
                    (which[0] == 'n' ? of[stages[*node]].nodes : of[stages[*node]].kept).push_back(*node);
            }
        for (std::size_t i = 0; i < count; ++i)
            if (!of[i].nodes.empty())
                parts[i].regions.push_back(std::move(of[i]));
    }
    RecomputePlan plan;
    for (RecomputePlan& part : parts)
        for (RecomputeRegion& region : part.regions) {
            std::ranges::sort(region.nodes);
            std::ranges::sort(region.kept);
            plan.regions.push_back(std::move(region));
        }
    return plan;
}

Result<RecomputePlan> planOf(const Model& model, const Json& job, const NodeStages& stages)
{
    OperatorSchemas schemas;
    if (job.contains("every")) {
        return blocksPlan(model, job["every"].get<std::size_t>(),
                          job.value("operators", std::vector<std::string>()), schemas, &stages)
            .plan;
    }
    RecomputePlan plan = inStages(model.graph, job["regions"], stages, job["stages"].get<std::size_t>());
    if (job.value("complete", false)) {
        plan = withNeededKept(model, std::move(plan), schemas);
        std::erase_if(plan.regions, [&](const RecomputeRegion& region) {
            return !checkPlan(model, {{region}}, schemas, &stages).has_value();
        });
    }
    STAGECRAFT_TRY(checkPlan(model, plan, schemas, &stages));
    return plan;
}

// Of each stage, as plans count them.
Result<Json> plannedBytes(const Model& planned, const Partition& partition, const TraceOptions& how)
{
    ProfileOptions options = test::plainOptions(LoweringKind::Cpu);
    options.parts = how.parts;
    STAGECRAFT_ASSIGN(profile, profileModel(planned, options));
    STAGECRAFT_ASSIGN(problem, makeProblem(planned, profile, {.stageCount = partition.stageCount}));
    Json bytes = Json::array();
    for (const StageCost& stage : evaluate(problem, partition).stages)
        bytes.push_back(stage.savedBytes.count());
    return bytes;
}

// Storages that autograd or a region keeps when the forward pass has ended, by the stage that made them. What
// another stage keeps of them is its input there.
Result<Json> figuresOf(const Model& planned, const Partition& partition, const NodeStages& stages)
{
    const std::size_t count = partition.stageCount;
    TraceOptions how = traceOptions(test::plainOptions(LoweringKind::Cpu));
    how.parts = std::make_shared<const NodeStages>(stages);
    STAGECRAFT_ASSIGN(trace, traceModel(planned, how));
    std::vector<std::set<StorageId>> kept(count);
    for (const SavedTensor& saved : trace.saved) {
        const TraceStorage& storage = trace.storages[saved.storage];
        if (saved.node && storage.producer && isSavedForBackward(trace, saved) && !isGiven(storage) &&
            stages[*saved.node] == stages[*storage.producer])
            kept[stages[*saved.node]].insert(saved.storage);
    }
    Json figures{{"saved_bytes", Json::array()}};
    for (const std::set<StorageId>& storages : kept) {
        std::int64_t bytes = 0;
        for (const StorageId storage : storages)
            bytes += trace.storages[storage].bytes.count();
        figures["saved_bytes"].push_back(bytes);
    }
    STAGECRAFT_ASSIGN(bytes, plannedBytes(planned, partition, how));
    figures["planned_bytes"] = std::move(bytes);
    if (count == 1) {
        STAGECRAFT_ASSIGN(profile, profileModel(planned, test::plainOptions(LoweringKind::Cpu)));
        const ProfileTotals& totals = profile.totals;
        figures["whole"] = {{"saved_bytes", totals.savedBytes.count()},
                            {"live_after_forward", totals.liveAfterForward.count()},
                            {"peak_forward", totals.peakForward.count()},
                            {"peak_backward", totals.peakBackward.count()},
                            {"peak", totals.peak.count()}};
    }
    return figures;
}

Json planJson(const Graph& graph, const RecomputePlan& plan)
{
    Json regions = Json::array();
    const auto namesOf = [&](const std::vector<NodeId>& nodes) {
        Json names = Json::array();
        for (const NodeId node : nodes)
            names.push_back(graph[node].name);
        return names;
    };
    for (const RecomputeRegion& region : plan.regions)
        regions.push_back({{"nodes", namesOf(region.nodes)}, {"kept", namesOf(region.kept)}});
    return regions;
}

Result<Json> run(const Model& model, const Json& job, const std::string& folder,
                 const std::vector<StageFormat>& formats)
{
    const auto count = job["stages"].get<std::size_t>();
    const Partition partition = evenSplit(model, count);
    const NodeStages stages = stagesOf(partition);
    Result<RecomputePlan> plan = planOf(model, job, stages);
    if (!plan.has_value())
        return Json{{"refused", plan.error().message}};
    const Model planned = withPlan(model, *plan);
    ExportOptions options{.folder = folder, .formats = formats, .lossOutput = "all"};
    STAGECRAFT_ASSIGN(report, exportStages(planned, partition, options));
    STAGECRAFT_ASSIGN(figures, figuresOf(planned, partition, stages));
    figures["regions"] = planJson(model.graph, *plan);
    figures["notes"] = report.notes;
    return figures;
}

// Regions of up to 12 nodes of one stage, those left out that cannot be.
RecomputePlan randomPlan(const Model& model, const NodeStages& stages, std::size_t stageCount, unsigned seed)
{
    std::mt19937 random(seed);
    OperatorSchemas schemas;
    RecomputePlan plan;
    for (std::uint32_t stage = 0; stage < stageCount; ++stage) {
        std::vector<NodeId> nodes;
        for (const NodeId node : model.graph.nodes())
            if (stages[node] == stage)
                nodes.push_back(node);
        for (std::size_t begin = random() % 3; begin < nodes.size();) {
            const std::size_t end = std::min(nodes.size(), begin + 1 + random() % 12);
            const unsigned share = random() % 4; // of ten
            RecomputeRegion region{{nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                                    nodes.begin() + static_cast<std::ptrdiff_t>(end)},
                                   {}};
            for (const NodeId node : region.nodes)
                if (random() % 10 < share)
                    region.kept.push_back(node);
            RecomputePlan alone = withNeededKept(model, {{region}}, schemas);
            if (checkPlan(model, alone, schemas, &stages).has_value())
                plan.regions.push_back(std::move(alone.regions.front()));
            begin = end + random() % 3;
        }
    }
    return plan;
}

Result<void> exportRandomly(int count, char** arguments)
{
    STAGECRAFT_ASSIGN(model, openModel(arguments[1]));
    const std::size_t stageCount = std::strtoul(arguments[3], nullptr, 10);
    const Partition partition = evenSplit(model, stageCount);
    const NodeStages stages = stagesOf(partition);
    const RecomputePlan plan =
        randomPlan(model, stages, stageCount, count > 4 ? static_cast<unsigned>(std::atoi(arguments[4])) : 0);
    OperatorSchemas schemas;
    STAGECRAFT_TRY(checkPlan(model, plan, schemas, &stages));
    STAGECRAFT_TRY(exportStages(withPlan(model, plan), partition, {.folder = arguments[2]}));
    return {};
}

Result<void> runAll(int count, char** arguments)
{
    STAGECRAFT_ASSIGN(model, openModel(arguments[1]));
    std::ifstream file(arguments[3]);
    const Json jobs = Json::parse(file);
    std::vector<StageFormat> formats{StageFormat::Python};
    if (count > 4 && arguments[4] == std::string_view("pt2"))
        formats.push_back(StageFormat::Pt2);
    Json rows = Json::array();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        STAGECRAFT_ASSIGN(row, run(model, jobs[i], arguments[2] + ("/" + std::to_string(i)), formats));
        rows.push_back(std::move(row));
    }
    std::cout << rows.dump() << "\n";
    return {};
}

} // namespace

int main(int count, char** arguments)
{
    if (count < 4) {
        std::fputs("usage: export_recomputed MODEL FOLDER JOBS.json [pt2]\n"
                   "       export_recomputed MODEL FOLDER STAGES [SEED]\n",
                   stderr);
        return 2;
    }
    const bool hasJobs = std::string_view(arguments[3]).ends_with(".json");
    const Result<void> report = hasJobs ? runAll(count, arguments) : exportRandomly(count, arguments);
    if (!report.has_value()) {
        std::fprintf(stderr, "%s\n", report.error().message.c_str());
        return 1;
    }
    return 0;
}
