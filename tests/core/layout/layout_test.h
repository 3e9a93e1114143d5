// What the tests of the layout room share: small graphs from text, and what is seen of trees and layouts.
#pragma once

#include "core/layout/layout_engine.h"
#include "core/layout/make_run_tree.h"
#include "core/load/open_model.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QDirIterator>
#include <QString>
#include <QStringList>
#include <QtTest>

#include <memory>

namespace stagecraft {

inline std::shared_ptr<const Graph> graphOf(std::string_view text)
{
    Result<Graph> graph = parseGraph(text);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return std::make_shared<const Graph>(std::move(*graph));
}

// `layers` modules of four operators each with a skip around them, in "layers.0" .. ; then a head.
inline std::string layeredText(int layers)
{
    std::string text = "graph layered\n  input %x0 : f32[4, 8]\n  param %w \"w\" : f32[8, 8]\n"
                       "  %mask : f32[4, 8] = aten::cos.default(self %x0)\n";
    for (int i = 0; i < layers; ++i) {
        const std::string n = std::to_string(i);
        const std::string path = " @layers." + n;
        text +=
            "  %a" + n + " : f32[4, 8] = aten::linear.default(input %x" + n + ", weight %w)" + path + ".fc\n";
        text += "  %b" + n + " : f32[4, 8] = aten::relu.default(self %a" + n + ")" + path + ".fc\n";
        text += "  %c" + n + " : f32[4, 8] = aten::mul.Tensor(self %b" + n + ", other %mask)" + path + "\n";
        text += "  %x" + std::to_string(i + 1) + " : f32[4, 8] = aten::add.Tensor(self %c" + n +
                ", other %x" + n + ")" + path + "\n";
    }
    return text + "  %y : f32[4, 8] = aten::tanh.default(self %x" + std::to_string(layers) +
           ")\n  return %y\n";
}

// The first `counts[0]` nodes in stage 0, the next in stage 1, ...
inline Partition partitionOf(const std::vector<std::size_t>& counts)
{
    Partition partition;
    partition.stageCount = counts.size();
    for (std::size_t stage = 0; stage < counts.size(); ++stage)
        for (std::size_t i = 0; i < counts[stage]; ++i)
            partition.stageOf.add(StageId(stage));
    return partition;
}

inline Partition equalParts(std::size_t nodeCount, std::size_t stages)
{
    std::vector<std::size_t> counts(stages, 0);
    for (std::size_t i = 0; i < nodeCount; ++i)
        ++counts[i * stages / nodeCount];
    return partitionOf(counts);
}

inline std::shared_ptr<const RunTree> treeOf(const Graph& graph, const Partition& partition,
                                             const RunTreeOptions& options = {})
{
    if (partition.stageOf.size() != graph.nodeCount())
        qFatal("%zu nodes in stages, %zu in the graph", partition.stageOf.size(), graph.nodeCount());
    return std::make_shared<const RunTree>(makeRunTree(graph, makeGroupTree(graph), partition, options));
}

// Every model that comes with the program or its tests.
inline QStringList galleryFiles()
{
    QStringList files;
    for (const char* folder : {STAGECRAFT_RESOURCES "/examples", STAGECRAFT_TEST_DATA "/models"})
        for (QDirIterator it(folder, {"*.pt2"}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
            files << it.next();
    files.sort();
    return files;
}

// Null for a file that cannot be opened; which ones can is tested elsewhere.
inline std::shared_ptr<const Graph> openGraph(const QString& file)
{
    Result<Model> model = openModel(file.toStdString());
    if (!model.has_value())
        return nullptr;
    return std::make_shared<const Graph>(std::move(model->graph));
}

} // namespace stagecraft
