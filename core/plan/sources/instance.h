// Partition instances: plain graphs with times, as published for comparing partitioners.
//
//     {"name", "kind", "memory_limit",
//      "nodes": [{"id", "time", "memory", "backward"?, "colocation"?, "label"?}],
//      "edges": [{"from", "to", "bytes_time", "bytes"?}]}
//
// A stage may stay empty ("at most K"). Times have no unit and are taken as seconds. stage(from) <= stage(to)
// between forward nodes; the other way round between backward nodes of which at least one has no forward node
// in its colocation group; other edges only cost.
#pragma once

#include "core/plan/options.h"
#include "core/plan/problem.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stagecraft {

struct Instance
{
    std::string name;
    PartitionProblem problem; // for options.stageCount stages
    Bytes memoryLimit;        // that the file speaks of; not in force unless the options say so
};

// Takes stageCount, objective, send, memoryLimits, timeLimit and seed from `options`; a memory limit is the
// sum of the nodes' "memory". Fails naming file and field: not an instance, a negative time, an edge from
// nowhere, a cycle, a number above 1e15.
Result<Instance> readInstance(const std::filesystem::path& path, const PartitionOptions& options);

} // namespace stagecraft
