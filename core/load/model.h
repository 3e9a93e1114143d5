// Model: an opened file: its graph, how it is called, its weights, and where it came from.
#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/load/mapped_file.h"
#include "core/load/pytree.h"
#include "core/load/weight_store.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

// A literal that was given when the model was exported and cannot change: a flag, None, 0.5.
using LiteralArgument = Argument;

// One flattened input of the program: a lifted parameter, buffer or constant first, then what the user gives.
struct InputSpec
{
    enum class Kind { Parameter, Buffer, Constant, User, Literal, CustomObject, Token };
    Kind kind = Kind::User;
    std::string name;             // of the graph's input; of the literal's placeholder
    std::optional<ValueId> value; // none for literals
    std::string target;           // fully qualified name of a parameter, buffer or constant
    bool persistent = true;       // of buffers: part of the state dict?
    LiteralArgument literal;      // of literals

    // Is it one of the arguments of the model's forward(), given or fixed?
    bool isArgument() const { return kind == Kind::User || kind == Kind::Literal; }
    // Is its tensor part of the model's file?
    bool isStored() const
    {
        return kind == Kind::Parameter || kind == Kind::Buffer || kind == Kind::Constant;
    }
};

// One flattened output of the program, in the order of graph.outputs().
struct OutputSpec
{
    enum class Kind { User, Loss, BufferMutation, ParameterMutation, InputMutation, Token, Gradient };
    Kind kind = Kind::User;
    std::string target; // what is mutated

    // Is it among what forward() returns?
    bool isReturned() const { return kind == Kind::User || kind == Kind::Loss; }
    // Is it written to a buffer or parameter after a run?
    bool isStateUpdate() const { return kind == Kind::BufferMutation || kind == Kind::ParameterMutation; }
};

struct Signature
{
    std::vector<InputSpec> inputs;
    std::vector<OutputSpec> outputs;
    Pytree inputTree;  // tuple(positional tuple, keyword dict), leaves = User and Literal inputs in order
    Pytree outputTree; // leaves = User and Loss outputs in order
    std::vector<std::string> forwardArgumentNames; // as in forward(self, ...); may be empty

    // Does forward() return this output of the graph? All, where nothing is said of them.
    bool isReturned(std::size_t output) const
    {
        return output >= outputs.size() || outputs[output].isReturned();
    }
};

enum class ContainerKind { FlatZip, Pt2Archive };

struct Provenance
{
    std::filesystem::path path;
    ContainerKind container = ContainerKind::Pt2Archive;
    std::string torchVersion;
    std::string schemaVersion;      // "8.20"
    std::size_t fileNodeCount = 0;  // nodes at the top level of the file; regions are inlined in the graph
    std::string dialect;            // "TRAINING" or "ATEN"
    std::vector<std::string> notes; // what was odd but survivable, for the message bar
};

// One input that the model was exported with: a literal, or a tensor.
struct SampleInput
{
    LiteralArgument literal;           // where it is no tensor
    std::optional<TensorMeta> tensor;  // sizes, strides and offset are constants
    std::span<const std::byte> bytes;  // of its whole storage; empty where there is only a shape
    std::shared_ptr<const void> owner; // keeps the bytes
};

struct Model
{
    std::string name; // the file's stem, or the archive's model name
    Graph graph;
    Signature signature;
    WeightStore weights; // parameters, buffers and constants by fully qualified name
    Provenance provenance;
    std::vector<SampleInput> sampleInputs = {};  // one for each leaf of inputTree, or none
    std::shared_ptr<const MappedFile> file = {}; // it was read from; null where it was made otherwise

    bool structureOnly() const { return !weights.hasData(); }
    // Were all tensors that were read so far what the files held when they were opened? Fails, naming the
    // file. Whatever computes from weights asks when it is done.
    Result<void> unchanged() const;
    // Is `path` one of the files that the model is read from?
    bool isReadFrom(const std::filesystem::path& path) const;
};

// What came of reading the model's tensors; or why they were not there to be read, which explains any
// failure.
template <class T>
Result<T> ifUnchanged(const Model& model, Result<T> result)
{
    const bool wasStopped = !result.has_value() && result.error().code == ErrorCode::Cancelled;
    if (const Result<void> same = model.unchanged(); !wasStopped && !same.has_value())
        return same.error();
    return result;
}

// A parameter of the model once, whatever its number of names.
struct ParameterGroup
{
    std::vector<ValueId> values; // the tied graph inputs; used ones first
    std::vector<std::string> names;
};

// Parameters with tied names joined (same storage; in structure-only exports: an unused placeholder of the
// same shape as one that its module reads).
std::vector<ParameterGroup> parameterGroups(const Model& model);

} // namespace stagecraft
