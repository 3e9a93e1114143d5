// Blocks that stand in a stage several times, so that its code has them once.
//
//     nodes of a stage   ... │ layers.5 │ layers.6 │ layers.7 │ ...
//                            └──── one block, three calls ────┘
//
// A block is a run of nodes of one module, or of one round where a module runs again and again. Two runs are
// one block where nothing but names, weights and what they are given differs: equal are operators, literals,
// modes, checkpoint regions, shapes and types of what is made, how the nodes are connected, the modules
// inside, and which results others read. Blocks stand in blocks.
#pragma once

#include "core/graph/graph.h"
#include "core/stage/node_kinds.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

// A value that a block reads and does not make.
struct BlockInput
{
    enum class Kind {
        Given,    // by each call
        OfModule, // a stored tensor, in each call's module under the same `path`
        Shared,   // one stored tensor of the model in all calls
    };
    Kind kind = Kind::Given;
    std::string path;
    // Given: is it one value in all calls?
    bool isSame = false;
};

// Nodes are told by their places in the stage.
struct BlockCall
{
    std::size_t begin = 0;
    ModuleId module;
    std::vector<ValueId> inputs; // in order of first use, as many as the block has
};

// A part of what is to be written: a node or a call.
struct BodyItem
{
    std::size_t begin = 0; // places of its nodes
    std::size_t end = 0;
    std::optional<std::size_t> block; // the number of the one that is called
    std::size_t call = 0;             // which of its calls
};

struct BlockResult
{
    std::size_t node = 0; // from the block's first
    std::size_t number = 0;

    friend bool operator==(const BlockResult&, const BlockResult&) = default;
};

struct RepeatedBlock
{
    std::size_t length = 0;
    std::vector<BlockCall> calls; // in order; the code is that of the first
    std::vector<BlockInput> inputs;
    std::vector<BlockResult> returned; // what is read elsewhere
    std::vector<BodyItem> items;
    // The modes of its nodes, where they are the same for all: set by who calls it.
    std::optional<Context> modes;

    std::size_t end(const BlockCall& call) const { return call.begin + length; }
    bool takesModule() const;
};

struct RepeatedBlocks
{
    std::vector<BodyItem> items;       // of the stage itself
    std::vector<RepeatedBlock> blocks; // each after those that it calls
};

// What a call returns, in the block's order.
std::vector<ValueId> returnedBy(const Graph& graph, std::span<const NodeId> nodes, const RepeatedBlock& block,
                                const BlockCall& call);
// Every node by itself.
std::vector<BodyItem> unrepeated(std::size_t nodeCount);

// `resolve` gives what is read where the graph says a value; `kept` are read after the last node. `kinds` are
// those of the graph.
RepeatedBlocks findRepeatedBlocks(const Graph& graph, const NodeKinds& kinds, std::span<const NodeId> nodes,
                                  const std::function<ValueId(ValueId)>& resolve,
                                  std::span<const ValueId> kept);

} // namespace stagecraft
