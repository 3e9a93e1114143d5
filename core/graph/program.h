// Program: a small graph as it is written by hand, one operator a line.
//
//     Program program("mlp");
//     const ValueId x = program.input({8, 16});
//     const ValueId w = program.param("weight", {4, 16});
//     const ValueId y = program.op("linear", {8, 4}, {x, w});
//     const Graph graph = program.returning(program.op("relu", {8, 4}, {y}));
#pragma once

#include "core/base/unique_names.h"
#include "core/graph/graph_builder.h"

#include <initializer_list>

namespace stagecraft {

// Tensors are row-major, and of one element type unless an input says otherwise.
class Program
{
public:
    using Sizes = std::vector<std::int64_t>;

    explicit Program(std::string name, DType dtype = DType::F32);

    // Named "x", "x_1", ...
    ValueId input(const Sizes& sizes) { return input(sizes, m_dtype); }
    ValueId input(const Sizes& sizes, DType dtype);
    // Named as their targets.
    ValueId param(const std::string& target, const Sizes& sizes);
    ValueId buffer(const std::string& target, const Sizes& sizes);
    // What an operator of aten ("linear", or with its overload "add.Tensor") makes of arguments by position.
    // Node and value are named as it is: "linear", "linear_1".
    ValueId op(const std::string& operatorName, const Sizes& result, std::vector<Argument> arguments);
    // One operator after the other, each of what the one before made.
    ValueId chain(ValueId value, const Sizes& sizes, std::initializer_list<const char*> operators);
    // Only once. What GraphBuilder::finish() checks holds for what stands in this program's own code.
    Graph returning(ValueId result);

private:
    Value nextValue(const std::string& name, ValueKind kind, const Sizes& sizes, DType dtype);

    GraphBuilder m_builder;
    DType m_dtype;
    UniqueNames m_names;
};

// A list of sizes as an argument.
Argument ints(const Program::Sizes& numbers);

} // namespace stagecraft
