// How long the layout of each gallery model takes, everything open, beside the same graph given to dot whole.
//
//     bench_layout [FILE.pt2...]        without files: resources/examples
//
// Targets: everything open 0.5 s, opening or closing one box 0.1 s, a moved boundary 0.15 s.
#include "core/layout/layout_engine.h"
#include "core/layout/make_run_tree.h"
#include "core/load/open_model.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace stagecraft;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds flatLimit{20};

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Partition equalParts(std::size_t nodeCount, std::size_t stages)
{
    Partition partition;
    partition.stageCount = stages;
    for (std::size_t i = 0; i < nodeCount; ++i)
        partition.stageOf.add(StageId(i * stages / nodeCount));
    return partition;
}

// Every operator and data edge in one graph, as others do it.
std::string flatText(const Graph& graph)
{
    std::string text = "digraph {\nnode [shape=box fixedsize=true width=2.6 height=0.6 label=\"\"]\n";
    for (const ValueId value : graph.values())
        if (graph[value].producer)
            for (const NodeId user : graph[value].users)
                text += "n" + std::to_string(graph[value].producer->index()) + " -> n" +
                        std::to_string(user.index()) + "\n";
    return text + "}\n";
}

struct Times
{
    double tree = 0;
    double open = 0;
    double close = 0; // the worst box
    double move = 0;  // a boundary, by one node
    std::size_t items = 0;
};

Times measure(const std::shared_ptr<const Graph>& graph, std::size_t stages, RunTreeOptions::Folding folding)
{
    Times times;
    const GroupTree groups = makeGroupTree(*graph);
    const auto treeOf = [&](const Partition& partition) {
        return std::make_shared<const RunTree>(makeRunTree(*graph, groups, partition, {.folding = folding}));
    };
    Partition partition = equalParts(graph->nodeCount(), stages);
    auto start = Clock::now();
    const auto tree = treeOf(partition);
    times.tree = millisecondsSince(start);
    LayoutEngine engine;
    const Expansion all = fullExpansion(*tree);
    start = Clock::now();
    const Result<Layout> layout = engine.layout(graph, tree, all);
    times.open = millisecondsSince(start);
    times.items = layout.has_value() ? layout->items.size() : 0;
    for (std::size_t i = 2; i < tree->boxes.size(); i += std::max<std::size_t>(1, tree->boxes.size() / 20)) {
        Expansion one = all;
        one.close(*tree, BoxId(i));
        start = Clock::now();
        (void)engine.layout(graph, tree, one);
        times.close = std::max(times.close, millisecondsSince(start));
    }
    for (const NodeId node : graph->nodes())
        if (stages > 1 && partition.stageOf[node] == StageId(1)) {
            partition.stageOf[node] = StageId(0);
            break;
        }
    start = Clock::now();
    (void)engine.layout(graph, treeOf(partition), all);
    times.move = millisecondsSince(start);
    return times;
}

void report(const std::filesystem::path& file)
{
    Result<Model> model = openModel(file);
    if (!model.has_value()) {
        std::printf("%s\n", model.error().message.c_str());
        return;
    }
    const auto graph = std::make_shared<const Graph>(std::move(model->graph));
    const Times folded = measure(graph, 4, RunTreeOptions::Folding::FoldRepeats);
    const Times each = measure(graph, 4, RunTreeOptions::Folding::ShowEach);
    DotProcess dot;
    const auto start = Clock::now();
    const bool isDone = dot.draw(flatText(*graph), {}, flatLimit).has_value();
    const double flat = millisecondsSince(start);
    std::printf("%-14s %5zu  %5zu %7.1f %7.1f %7.1f  %5zu %7.1f %7.1f %7.1f  %s%8.0f  %s%.0fx\n",
                file.stem().c_str(), graph->nodeCount(), folded.items, folded.open, folded.close, folded.move,
                each.items, each.open, each.close, each.move, isDone ? " " : ">", flat, isDone ? "" : ">",
                flat / each.open);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<std::filesystem::path> files(argv + 1, argv + argc);
    if (files.empty())
        for (const auto& entry : std::filesystem::directory_iterator(STAGECRAFT_RESOURCES "/examples"))
            if (entry.path().extension() == ".pt2")
                files.push_back(entry.path());
    std::ranges::sort(files);
    std::printf(
        "4 stages, everything open; milliseconds    repeats folded              each one drawn\n"
        "model            ops  items    open  toggle    move  items    open  toggle    move  flat dot\n");
    for (const auto& file : files)
        report(file);
    return 0;
}
