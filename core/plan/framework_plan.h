// A plan in the terms of frameworks that know modules only, and no operators.
//
//     fqns         [["embed", "layers.0"], ["layers.1", "norm", "head"]]      which modules each stage runs
//     torchtitan   the same with schedule and degree, as fields of its configuration; graphpp alike
//     megatron     "Ettt|tttL"                                               --pipeline-model-parallel-layout
//     deepspeed    layers, and parts [0, 4, 8]                                bounds of PipelineModule
//     torch-csv    the table of torch.distributed.pipelining                  schedule/schedule_csv.h
//
// They give out modules that run whole: the entries of a model's lists of modules, outermost ("layers.0"),
// and what is beside those ("embed", "norm"). What a model computes outside of them is in no stage there.
#pragma once

#include "core/base/named.h"
#include "core/graph/graph.h"
#include "core/plan/named_nodes.h"
#include "core/plan/options.h"
#include "core/plan/partition.h"

#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

enum class Framework : std::uint8_t { TorchCsv, Torchtitan, GraphPp, Megatron, DeepSpeed, Fqns };

inline constexpr NameTable<Framework, 6> frameworkNames{
    "framework",
    {{{Framework::TorchCsv, "torch-csv", "torch.distributed.pipelining"},
      {Framework::Torchtitan, "torchtitan", "torchtitan"},
      {Framework::GraphPp, "graphpp", "torchtitan's GraphPP"},
      {Framework::Megatron, "megatron", "Megatron"},
      {Framework::DeepSpeed, "deepspeed", "DeepSpeed"},
      {Framework::Fqns, "fqns", "names of modules"}}}};

// Reads a name; fails with the list of those there are.
inline Result<Framework> parseFramework(std::string_view name)
{
    return parseName(frameworkNames, name);
}

// What must run whole in one stage for the framework to be able to say the plan, in the order in which it
// begins. Fails where it can say no plan of this model: there are no modules, or not as it wants them.
Result<std::vector<NamedNodes>> wholeModules(Framework framework, const Graph& graph);

// The text of the plan for the framework. Fails where wholeModules() does, where the framework has no such
// schedule, and, naming it, where a boundary goes through a module.
Result<std::string> frameworkText(Framework framework, const Graph& graph, const Partition& partition,
                                  const PartitionOptions& options);

// What such a text does not say of the model, a line each; who runs it by the text alone trains another one:
// parameters that several parts read, or nodes outside of all modules; modules that run again behind others;
// where the framework runs modules in turn, those that take nothing of the one before.
std::vector<std::string> unsaidOfModel(Framework framework, const Graph& graph, const Partition& partition);

// What such a text does not say of a plan that runs operators again, and where it is said there; empty where
// nothing runs again.
std::string unsaidRecomputation(Framework framework, const PartitionOptions& options);

} // namespace stagecraft
