// Exports a model in some split, for tests under real PyTorch:  export_stages MODEL FOLDER STAGES [SEED]
// or in every split:                                            export_stages MODEL FOLDER every
//
// The second writes FOLDER/K, two stages of which the first has K nodes, and FOLDER/K-3, where the second of
// three has two.
// Without a seed the nodes are split evenly in program order; with one every node goes to a random stage that
// its predecessors allow, so that stages are no intervals of the program.
#include "core/load/open_model.h"
#include "core/stage/cut.h"
#include "core/stage/export.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

using namespace stagecraft;

namespace {

Partition evenSplit(const Graph& graph, std::size_t stages)
{
    Partition partition{stages, Table<NodeId, StageId>(graph.nodeCount(), StageId(0))};
    for (const NodeId node : graph.nodes())
        partition.stageOf[node] = StageId(node.index() * stages / graph.nodeCount());
    return partition;
}

Partition randomSplit(const Graph& graph, std::size_t stages, unsigned seed)
{
    std::mt19937 random(seed);
    // Long stretches now and then jump ahead: every stage gets something, in a random pattern.
    const double jump = static_cast<double>(stages) / static_cast<double>(graph.nodeCount()) * (1 + seed % 5);
    Partition partition{stages, Table<NodeId, StageId>(graph.nodeCount(), StageId(0))};
    for (const NodeId node : graph.nodes()) {
        std::size_t stage = 0;
        for (const NodeId before : graph.predecessors(node))
            stage = std::max<std::size_t>(stage, partition.stageOf[before].index());
        if (std::bernoulli_distribution(std::min(jump, 0.5))(random))
            stage = std::uniform_int_distribution<std::size_t>(stage, stages - 1)(random);
        partition.stageOf[node] = StageId(stage);
    }
    return partition;
}

// Stages that begin at these nodes.
Partition splitAt(const Graph& graph, const std::vector<std::size_t>& begins)
{
    Partition partition{begins.size() + 1, Table<NodeId, StageId>(graph.nodeCount(), StageId(0))};
    for (const NodeId node : graph.nodes())
        partition.stageOf[node] = StageId(static_cast<std::size_t>(
            std::ranges::count_if(begins, [&](std::size_t begin) { return begin <= node.index(); })));
    return partition;
}

Result<void> exportEvery(const std::string& path, const std::string& folder)
{
    STAGECRAFT_ASSIGN(model, openModel(path));
    const auto write = [&](const std::vector<std::size_t>& begins, const std::string& name) -> Result<void> {
        const Partition split = withInseparableNodesTogether(model, splitAt(model.graph, begins));
        STAGECRAFT_TRY(exportStages(model, split, {.folder = folder + "/" + name, .lossOutput = "all"}));
        return {};
    };
    for (std::size_t first = 1; first < model.graph.nodeCount(); ++first) {
        STAGECRAFT_TRY(write({first}, std::to_string(first)));
        if (first + 2 < model.graph.nodeCount())
            STAGECRAFT_TRY(write({first, first + 2}, std::to_string(first) + "-3"));
    }
    return {};
}

Result<void> run(int count, char** arguments)
{
    if (arguments[3] == std::string_view("every"))
        return exportEvery(arguments[1], arguments[2]);
    const std::size_t stages = std::strtoul(arguments[3], nullptr, 10);
    STAGECRAFT_ASSIGN(model, openModel(arguments[1]));
    const Partition split =
        count > 4 ? randomSplit(model.graph, stages, static_cast<unsigned>(std::atoi(arguments[4])))
                  : evenSplit(model.graph, stages);
    STAGECRAFT_TRY(exportStages(model, withInseparableNodesTogether(model, split), {.folder = arguments[2]}));
    return {};
}

} // namespace

int main(int count, char** arguments)
{
    if (count < 4) {
        std::fputs("usage: export_stages MODEL FOLDER STAGES|every [SEED]\n", stderr);
        return 2;
    }
    const Result<void> report = run(count, arguments);
    if (!report.has_value()) {
        std::fprintf(stderr, "%s\n", report.error().message.c_str());
        return 1;
    }
    return 0;
}
