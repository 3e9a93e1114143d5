// Trace: what one training step (or one inference) of a model does, operator by operator, on tensors without
// data.
//
//     ops       0        1        2      ...    forwardEnd   ...                    (execution order)
//     storages  ├─ birth ─────────────── death ┤
//     saved     ·        op ─────────────────────────────────► release
//
// One record is one ATen operator below autograd: what a device would launch. Parameters, buffers, constants
// and inputs exist before the step and are never counted; a storage counts from the operator that returns it
// to the moment its last tensor is dropped. Times are operator numbers: a storage with birth b and death d is
// alive just after the operators b, b+1, ..., d-1.
//
// Plain columns, no Torch: everything in core/profile is derived from here.
#pragma once

#include "core/base/id.h"
#include "core/base/quantities.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stagecraft {

using OpId = Id<struct TraceOpTag>;
using OpNameId = Id<struct TraceOpNameTag>;
using RegionId = Id<struct TraceRegionTag>;
using StorageId = Id<struct TraceStorageTag>;
using TraceTensorId = Id<struct TraceTensorTag>;

enum class TrainingMode : std::uint8_t { Train, Infer };
enum class Phase : std::uint8_t { Forward, Backward, Optimizer };

// An operator overload, once a trace.
struct TraceOpName
{
    std::string name;          // "aten::convolution_backward"
    std::string overload;      // "", "Tensor"
    bool isView = false;       // its results are windows into an argument: it moves no bytes
    bool writes = false;       // it writes to an argument (in place, out=)
    std::uint64_t written = 0; // which: bit i for its schema's argument i
};

// A tensor as an operator got or gave it. Sizes and strides are in elements: Trace::sizes(), strides().
struct TraceTensor
{
    StorageId storage;
    DType dtype = DType::F32;
    std::uint8_t dimensions = 0;
    std::uint32_t firstSize = 0; // sizes, then strides, in Trace::m_integers
    std::int64_t offset = 0;     // into the storage, in elements
};

// One argument or result of an operator, at its schema's position.
struct TraceArgument
{
    enum class Kind : std::uint8_t {
        None,     // absent: None, an undefined tensor; of results: not asked for (output_mask)
        Tensors,  // one tensor, or a list
        Integers, // ints and bools, one or a list, also dtypes and memory formats by c10's number
        Number,   // one floating-point number
        Other,
    };
    Kind kind = Kind::None;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

struct TraceOp
{
    OpNameId name;
    Phase phase = Phase::Forward;
    bool isRecomputed = false; // a forward operator of a checkpoint region, run again in backward
    // Of the model's graph; backward: the node whose gradient it computes. None: the loss.
    std::optional<NodeId> node;
    std::optional<RegionId> region;                     // innermost composite operator around it
    std::uint32_t firstArgument = 0, argumentCount = 0; // Trace::arguments(op)
    std::uint32_t firstResult = 0, resultCount = 0;     // Trace::results(op)
    Bytes live;                                         // alive just after it
    Bytes scratch; // most alive inside it, above the larger of before and after it
};

// A composite operator (linear, scaled_dot_product_attention): the operators it was decomposed into.
struct TraceRegion
{
    OpNameId name;
    Phase phase = Phase::Forward;
    std::optional<NodeId> node;
    std::optional<RegionId> parent;
    std::uint32_t firstOp = 0, endOp = 0; // those inside: firstOp <= op < endOp
};

enum class StorageClass : std::uint8_t {
    Parameter,
    Buffer,
    Constant,
    Input,
    OptimizerState,    // kept from step to step
    Activation,        // born in the forward pass, or where a region of it is run again
    Gradient,          // born in the backward pass
    ParameterGradient, // what a parameter's .grad holds at the end
};

struct TraceStorage
{
    StorageClass storageClass = StorageClass::Activation;
    // Born in the backward pass, and no other node waits for it (weight_gradients.h). An operator's results
    // tell by this which part of it computes weight gradients.
    bool weightGradientOnly = false;
    Bytes bytes;               // the whole storage, at its largest
    std::optional<OpId> birth; // none: existed before the step
    // Operators that had run when it died; none: alive at the end, after outputs and loss were dropped.
    std::optional<std::uint32_t> death;
    std::optional<NodeId> producer; // the node whose operator returned it, forward or backward
    // The first value of the graph that lies in it; of a ParameterGradient or OptimizerState the parameter.
    std::optional<ValueId> value;
};

// Does it exist before the step?
constexpr bool isGiven(const TraceStorage& storage)
{
    return !storage.birth && storage.storageClass != StorageClass::Activation &&
           storage.storageClass != StorageClass::Gradient;
}

// A storage that changed its size in place (resize_), at the end of an operator.
struct StorageResize
{
    StorageId storage;
    OpId op;
    Bytes before;
    Bytes after;
};

// A tensor that autograd keeps for the backward pass. Of a checkpoint region: its inputs, from the operator
// before it; and, while it goes backward, what it was run again for.
struct SavedTensor
{
    OpId op; // the forward operator that kept it
    std::optional<NodeId> node;
    StorageId storage;
    Bytes bytes; // of the tensor: numel x itemsize; the storage may be larger or smaller
    std::optional<std::uint32_t> release; // operators that had run when it was let go; none: never
};

// What a value of the graph held.
struct TraceValue
{
    std::optional<TraceTensorId> tensor; // none: not a tensor, or its node did not run
    bool requiresGrad = false;
};

// A node whose operator could not run without data: shapes are the file's, and what autograd keeps is a
// guess.
struct InexactNode
{
    NodeId node;
    std::string reason; // the same of all nodes that are so for the same reason
    std::string sizes;  // "u0 = 9": the bounds that were taken for it; may be empty

    std::string text() const { return sizes.empty() ? reason : reason + ", " + sizes; }
};

class Trace
{
public:
    TrainingMode mode = TrainingMode::Train;
    Table<OpId, TraceOp> ops; // forward, then backward
    Table<OpNameId, TraceOpName> opNames;
    Table<RegionId, TraceRegion> regions;
    Table<StorageId, TraceStorage> storages;
    Table<ValueId, TraceValue> values;
    std::vector<StorageResize> resizes;
    std::vector<SavedTensor> saved;
    Table<NodeId, std::uint32_t> checkpointRuns; // the outermost checkpoint region around, from 1; 0: none
    std::uint32_t forwardEnd = 0;                // the number of operators in the forward pass, loss included
    std::vector<StorageId> outputs;              // storages of what the model returns, distinct
    std::optional<StorageId> loss;

    Bytes liveAfterForward;
    Bytes liveAtEnd;               // outputs and loss still there
    Bytes liveAtEndOutputsDropped; // gradients of parameters are left

    std::vector<InexactNode> inexact;

    std::span<const TraceArgument> arguments(const TraceOp& op) const
    {
        return std::span(m_arguments).subspan(op.firstArgument, op.argumentCount);
    }
    std::span<const TraceArgument> results(const TraceOp& op) const
    {
        return std::span(m_arguments).subspan(op.firstResult, op.resultCount);
    }
    // Of a Tensors argument; of anything else empty.
    std::span<const TraceTensor> tensors(const TraceArgument& argument) const
    {
        if (argument.kind != TraceArgument::Kind::Tensors)
            return {};
        return std::span(m_tensors).subspan(argument.first, argument.count);
    }
    // Of an Integers argument; of anything else empty.
    std::span<const std::int64_t> integers(const TraceArgument& argument) const
    {
        if (argument.kind != TraceArgument::Kind::Integers)
            return {};
        return std::span(m_integers).subspan(argument.first, argument.count);
    }
    // Of a Number argument.
    double number(const TraceArgument& argument) const { return m_numbers[argument.first]; }

    const TraceTensor& operator[](TraceTensorId id) const { return m_tensors[id.index()]; }
    std::span<const std::int64_t> sizes(const TraceTensor& tensor) const
    {
        return std::span(m_integers).subspan(tensor.firstSize, tensor.dimensions);
    }
    std::span<const std::int64_t> strides(const TraceTensor& tensor) const
    {
        return std::span(m_integers).subspan(tensor.firstSize + tensor.dimensions, tensor.dimensions);
    }
    // numel x itemsize, whatever storage it lies in.
    Bytes tensorBytes(const TraceTensor& tensor) const;

private:
    friend class TraceRecorder;
    std::vector<TraceArgument> m_arguments;
    std::vector<TraceTensor> m_tensors;
    std::vector<std::int64_t> m_integers;
    std::vector<double> m_numbers;
};

// Does autograd still keep it when the forward pass has ended?
bool isSavedForBackward(const Trace& trace, const SavedTensor& saved);

} // namespace stagecraft
