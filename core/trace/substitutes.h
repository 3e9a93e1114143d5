// Substitutes: what a person says about operators that this program does not know.
//
//     {"operators": {"mylib::scan": {
//         "outputs": [{"shape": ["size(x, 0)", "size(x, 1)", "width"], "dtype": "x"}],
//         "forward": {"flops": "6 * numel(x) * width", "bytes": "bytes(x) + bytes(out0)", "time": "2e-5"},
//         "backward_input": {"flops": "12 * numel(x) * width"},
//         "backward_weight": {"flops": "0"}}}}
//
// Names in the expressions (expression.h) are the operator's arguments: tensors, numbers, `list_0`, `list_1`
// of the elements of a list; in costs also its results, `out0`, `out1`. "dtype" is an element type ("bf16")
// or the name of the input whose type it is. Everything may be left out: outputs are then the file's, FLOPs
// none, bytes those of arguments and results, time what the device takes for FLOPs and bytes.
//
// Outputs are used where the operator cannot run; costs wherever it is named. No figure that a substitute
// touches is exact, and all say so.
#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/trace/expression.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

struct SubstituteOutput
{
    std::vector<Expression> sizes;
    std::string dtype;
};

struct SubstituteWork
{
    std::optional<Expression> flops;
    std::optional<Expression> bytes;
    std::optional<Expression> time; // seconds
};

struct Substitute
{
    std::string where;                                    // "FILE: mylib::scan", for messages
    std::optional<std::vector<SubstituteOutput>> outputs; // none: as the file says
    SubstituteWork forward;
    SubstituteWork backwardInput;  // towards gradients of activations
    SubstituteWork backwardWeight; // towards gradients of parameters
};

struct SubstituteShape
{
    DType dtype = DType::F32;
    std::vector<std::int64_t> sizes;
};

class Substitutes
{
public:
    // Fails in one line: the file, the operator, the field, and in an expression the column.
    static Result<Substitutes> read(const std::filesystem::path& path);
    static Result<Substitutes> parse(const std::string& json, const std::string& name);

    // Of a node's target: "mylib::scan.default" is found under its full name, then under "mylib::scan".
    const Substitute* find(const std::string& target) const;
    // All, by the names under which they are found.
    const std::map<std::string, Substitute, std::less<>>& operators() const { return m_operators; }
    // Under that name; takes the place of what is there.
    void set(const std::string& name, Substitute substitute);
    void remove(const std::string& name) { m_operators.erase(name); }
    // As read() takes it.
    std::string text() const;

private:
    std::map<std::string, Substitute, std::less<>> m_operators;
};

// The names that expressions about `node` may use. `valueOf` says what a value of the graph is, if it is
// known.
Operands nodeOperands(const Node& node, const std::function<std::optional<Operand>(ValueId)>& valueOf);

// What `substitute` says about the shapes of an operator's results. Fails as Expression::evaluate does, and
// where a dtype is neither an element type nor an input tensor.
Result<std::vector<SubstituteShape>> outputShapes(const Substitute& substitute, const Operands& operands);

} // namespace stagecraft
