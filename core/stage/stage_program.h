// StageProgram: the part of a model that one stage runs, and what it exchanges with its neighbours.
//
//     model inputs ──► stage 0 ──outputs──► stage 1 ──outputs──► ... ──► what the model returns
//                        (a value that a later stage needs is relayed by the stages between)
//
// A stage runs, in this order:
//
//     1. copies   `laidOut`: received tensors that it reads and that are not row-major in the model; what is
//                 received is. `cloned`: the others that it writes to: what is received is a leaf of the
//                 autograd graph, which nobody may write to.
//     2. sizes    `sizes`: numbers that earlier stages made, read again from the size of a tensor at hand.
//                 `readAsCopies`: buffers that `updates` write to, and that backward may need as they were.
//     3. repeats  `repeated`: nodes of earlier stages that cost nothing and whose results cannot be sent:
//                 arithmetic on sizes, views of a tensor that this stage writes to, views whose elements
//                 overlap in memory.
//     4. nodes    its own.
//     5. updates  `updates`.
//     6. returns  `outputs`; those in `madeContiguous` are made row-major first (if they are not), as sending
//                 asks for: all but the relayed ones.
//
// An operator that writes in place gives a new value, a version of the one before. Versions are one tensor,
// so only the last one crosses a boundary: `standIns` tells which received value an older name stands for.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/received_layout.h"
#include "core/plan/partition.h"

#include <map>
#include <string>
#include <vector>

namespace stagecraft {

struct StageInput
{
    enum class Source {
        Previous, // given by position, in the order in which the stage before returns them
        Model, // an input of the model: by position or keyword as in the model for stage 0, else by keyword
    };
    Source source = Source::Previous;
    ValueId value;

    friend bool operator==(const StageInput&, const StageInput&) = default;
};

// The number `scalar` is the size of `tensor` along `dimension`.
struct SizeSource
{
    ValueId scalar;
    ValueId tensor;
    std::int64_t dimension = 0;

    friend bool operator==(const SizeSource&, const SizeSource&) = default;
};

// After the nodes ran, `target` (a buffer, parameter or input of the model) takes the content of `value`.
struct StateUpdate
{
    ValueId target;
    ValueId value;

    friend bool operator==(const StateUpdate&, const StateUpdate&) = default;
};

// In the model's state `name` is another name of `tensor`: tied weights.
struct StateAlias
{
    ValueId name;
    ValueId tensor;

    friend bool operator==(const StateAlias&, const StateAlias&) = default;
};

struct StageProgram
{
    StageId stage{0};
    std::size_t stageCount = 1;
    std::vector<NodeId> nodes; // in execution order
    // Those from the stage before first, in its order; then the model's, in the model's order. Stage 0 takes
    // all of the model's inputs, also those that only later stages read.
    std::vector<StageInput> inputs;
    // To the next stage: tensors. Of the last stage: the values among what the model returns, in its order.
    std::vector<ValueId> outputs;
    std::vector<ValueId> relays; // outputs that are inputs unchanged
    // Each once: of tied parameters the one that parameterGroups() lists first. What no node reads is in the
    // stage that has most of its module, so that the states of all stages together are that of the model.
    std::vector<ValueId> parameters;
    std::vector<ValueId> buffers;
    std::vector<ValueId> constants;
    std::vector<StateAlias> aliases; // each in the first stage that has the tensor

    std::vector<ReceivedLayout> laidOut;
    std::vector<ValueId> cloned;
    std::vector<ValueId> readAsCopies;
    std::vector<SizeSource> sizes;
    std::vector<NodeId> repeated;
    std::vector<ValueId> madeContiguous;
    std::vector<StateUpdate> updates;    // of programs in functional form
    std::map<ValueId, ValueId> standIns; // read the second where the graph says the first
    // Checks (_assert_tensor_metadata, ...) of tensors that are in another stage: left out.
    std::vector<NodeId> dropped;

    bool isFirst() const { return stage.index() == 0; }
    bool isLast() const { return stage.index() + 1 == stageCount; }
    // What this stage reads where the graph reads `value`.
    ValueId resolve(ValueId value) const
    {
        const auto found = standIns.find(value);
        return found == standIns.end() ? value : found->second;
    }
    friend bool operator==(const StageProgram&, const StageProgram&) = default;
};

// What its code says of what runs again in backward, by each of a region's nodes: "keeps 4 MiB ...".
using RegionNotes = std::map<NodeId, std::string>;

// The Python text of a stage, and what each line is about.
struct StageCode
{
    std::string text;
    // The nodes that a line runs, as many as lines: none of most, several of a line in a method that is
    // called for several blocks, and of such a call.
    std::vector<std::vector<NodeId>> nodesOfLine;
    // Of lines, from 0, that declare an input, place a weight or call a method: that, or what is returned.
    std::map<std::size_t, std::vector<ValueId>> valuesOfLine;
    // Parts of the model that are not written, each with the reason: "node 'x' calls 'exec', ...". Where
    // there are any the code is for reading alone: NotImplemented stands in their place.
    std::vector<std::string> refusals;
};

} // namespace stagecraft
