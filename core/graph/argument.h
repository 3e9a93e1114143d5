// Argument: what a node is called with: a value of the graph, or a literal.
#pragma once

#include "core/base/id.h"
#include "core/graph/dtype.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace stagecraft {

using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;
using ModuleId = Id<struct ModuleTag>;
using ContextId = Id<struct ContextTag>;
using SourceId = Id<struct SourceTag>;
using SubgraphId = Id<struct SubgraphTag>; // index into Node::subgraphs

// One element of a list of sizes: a number, or a value of the graph that holds one.
using IntOrValue = std::variant<std::int64_t, ValueId>;

struct NoneArgument
{
    friend bool operator==(const NoneArgument&, const NoneArgument&) = default;
};

// A list of tensors; an element may be absent (index with None).
struct TensorListArgument
{
    std::vector<std::optional<ValueId>> elements;
    friend bool operator==(const TensorListArgument&, const TensorListArgument&) = default;
};

struct IntListArgument
{
    std::vector<IntOrValue> elements;
    friend bool operator==(const IntListArgument&, const IntListArgument&) = default;
};

// An operator passed as an argument (auto_functionalized), by its target name.
struct OperatorArgument
{
    std::string target;
    friend bool operator==(const OperatorArgument&, const OperatorArgument&) = default;
};

// An argument of a kind this program does not read, as the file's own JSON text, and the values it names.
struct RawArgument
{
    std::string json;
    std::vector<ValueId> values;
    friend bool operator==(const RawArgument&, const RawArgument&) = default;
};

// ValueId stands for a tensor and for a symbolic number alike; Value::kind tells.
using Argument = std::variant<NoneArgument, ValueId, TensorListArgument, std::int64_t, IntListArgument,
                              double, std::vector<double>, bool, std::vector<bool>, std::string,
                              std::vector<std::string>, std::complex<double>, DType, MemoryFormat,
                              TensorLayout, Device, SubgraphId, OperatorArgument, RawArgument>;

enum class ArgumentPassing : std::uint8_t {
    Unsaid, // older files: positional where the schema has no default
    Positional,
    Keyword,
};

struct NamedArgument
{
    std::string name; // the schema's; empty for higher-order operators
    Argument value;
    ArgumentPassing passing = ArgumentPassing::Unsaid;

    friend bool operator==(const NamedArgument&, const NamedArgument&) = default;
};

// Every value an argument reads, in order, with repeats. Operands of subgraphs are arguments of their own.
void collectValues(const Argument& argument, std::vector<ValueId>& values);

} // namespace stagecraft
