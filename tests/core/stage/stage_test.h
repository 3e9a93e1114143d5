// Small models and partitions for the tests of the stage room.
#pragma once

#include "core/load/model.h"
#include "core/load/operator_aliasing.h"
#include "core/plan/partition.h"
#include "core/stage/stage_program.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>

#include <initializer_list>
#include <string>
#include <vector>

namespace stagecraft::testing {

inline Model modelOf(const std::string& text)
{
    Result<Graph> graph = parseGraph(text);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return Model{
        .name = graph->name(), .graph = std::move(*graph), .signature = {}, .weights = {}, .provenance = {}};
}

// One stage for each node, in program order.
inline Partition stagesOf(const std::vector<std::size_t>& stages)
{
    Partition partition{1, {}};
    for (const std::size_t stage : stages) {
        partition.stageOf.add(StageId(stage));
        partition.stageCount = std::max(partition.stageCount, stage + 1);
    }
    return partition;
}

inline Partition evenly(const Graph& graph, std::size_t stages)
{
    Partition partition{stages, Table<NodeId, StageId>(graph.nodeCount(), StageId(0))};
    for (const NodeId node : graph.nodes())
        partition.stageOf[node] = StageId(node.index() * stages / graph.nodeCount());
    return partition;
}

// Two stages, the second from the node called so on.
inline Partition cutBefore(const Graph& graph, const std::string& name)
{
    Partition partition = evenly(graph, 2);
    const NodeId second = *graph.findNode(name);
    for (const NodeId node : graph.nodes())
        partition.stageOf[node] = StageId(node < second ? 0 : 1);
    return partition;
}

// "a b c": names in order.
inline QString names(const Graph& graph, const std::vector<ValueId>& values)
{
    QStringList list;
    for (const ValueId value : values)
        list << QString::fromStdString(graph[value].name);
    return list.join(' ');
}

inline QString names(const Graph& graph, const std::vector<NodeId>& nodes)
{
    QStringList list;
    for (const NodeId node : nodes)
        list << QString::fromStdString(graph[node].name);
    return list.join(' ');
}

// "a b | x": what comes from the stage before, and from the model.
inline QString inputs(const Graph& graph, const StageProgram& program)
{
    std::vector<ValueId> previous;
    std::vector<ValueId> model;
    for (const StageInput& input : program.inputs)
        (input.source == StageInput::Source::Previous ? previous : model).push_back(input.value);
    return names(graph, previous) + " | " + names(graph, model);
}

template <class T>
QString message(const Result<T>& result)
{
    return result.has_value() ? QString("ok") : QString::fromStdString(result.error().message);
}

inline QStringList filesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden, QDir::Name);
}

inline QByteArray content(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

} // namespace stagecraft::testing
