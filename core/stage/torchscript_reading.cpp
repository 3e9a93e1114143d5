#include "core/stage/torchscript_reading.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/lower_tuples.h>
#include <torch/csrc/jit/serialization/import.h>

#include <cmath>
#include <map>
#include <sstream>
#include <vector>

namespace stagecraft {

namespace {

using ScriptNode = torch::jit::Node;
using ScriptValue = torch::jit::Value;

// Tuples that only carry several results are a matter of writing.
std::shared_ptr<torch::jit::Graph> comparable(const torch::jit::Module& module)
{
    std::shared_ptr<torch::jit::Graph> graph = module.get_method("forward").graph()->copy();
    torch::jit::LowerSimpleTuples(graph);
    return graph;
}

std::vector<const ScriptNode*> stepsOf(const torch::jit::Graph& graph)
{
    std::vector<const ScriptNode*> steps;
    for (const ScriptNode* node : graph.nodes())
        if (node->kind() != torch::jit::prim::Constant)
            steps.push_back(node);
    return steps;
}

std::string overloadOf(const ScriptNode& node)
{
    const c10::FunctionSchema* const schema = node.maybeSchema();
    return schema ? toString(schema->operator_name()) : std::string();
}

bool areSame(const c10::IValue& a, const c10::IValue& b)
{
    if (a.isDouble() && b.isDouble())
        return (std::isnan(a.toDouble()) && std::isnan(b.toDouble())) ||
               (a.toDouble() == b.toDouble() && std::signbit(a.toDouble()) == std::signbit(b.toDouble()));
    return a.tagKind() == b.tagKind() && a == b;
}

class GraphComparison
{
public:
    std::optional<std::string> difference(const torch::jit::Graph& meant, const torch::jit::Graph& read)
    {
        if (meant.inputs().size() != read.inputs().size())
            return "it takes other values";
        for (std::size_t i = 0; i < meant.inputs().size(); ++i)
            m_readAs[meant.inputs()[i]] = read.inputs()[i];
        const std::vector<const ScriptNode*> steps = stepsOf(meant), others = stepsOf(read);
        for (std::size_t i = 0; i < std::min(steps.size(), others.size()); ++i)
            if (!areSteps(*steps[i], *others[i]))
                return overloadOf(*steps[i]) + " of " + std::string(steps[i]->kind().toQualString()) +
                       " as " + overloadOf(*others[i]) + " of " + others[i]->kind().toQualString();
        if (steps.size() != others.size())
            return "as " + std::to_string(others.size()) + " steps instead of " +
                   std::to_string(steps.size());
        return areOperands(*meant.return_node(), *read.return_node())
                   ? std::nullopt
                   : std::optional<std::string>("it returns other values");
    }

private:
    bool areOperands(const ScriptNode& meant, const ScriptNode& read) const
    {
        if (meant.inputs().size() != read.inputs().size())
            return false;
        for (std::size_t i = 0; i < meant.inputs().size(); ++i)
            if (!areValues(meant.inputs()[i], read.inputs()[i]))
                return false;
        return true;
    }
    bool areValues(const ScriptValue* meant, const ScriptValue* read) const
    {
        const std::optional<c10::IValue> literal = torch::jit::toIValue(meant);
        const std::optional<c10::IValue> other = torch::jit::toIValue(read);
        if (literal || other)
            return literal && other && areSame(*literal, *other);
        const auto known = m_readAs.find(meant);
        return known != m_readAs.end() && known->second == read;
    }
    bool areSteps(const ScriptNode& meant, const ScriptNode& read)
    {
        if (meant.kind() != read.kind() || overloadOf(meant) != overloadOf(read) ||
            meant.outputs().size() != read.outputs().size() || !areOperands(meant, read))
            return false;
        const bool isAttribute = meant.kind() == torch::jit::prim::GetAttr;
        if (isAttribute && meant.s(torch::jit::attr::name) != read.s(torch::jit::attr::name))
            return false;
        for (std::size_t i = 0; i < meant.outputs().size(); ++i) {
            if (!isAttribute && meant.outputs()[i]->type()->str() != read.outputs()[i]->type()->str())
                return false;
            m_readAs[meant.outputs()[i]] = read.outputs()[i];
        }
        return true;
    }

    std::map<const ScriptValue*, const ScriptValue*> m_readAs;
};

} // namespace

std::optional<std::string> differenceWhenRead(const torch::jit::Module& meant, const std::string& archive)
{
    std::istringstream text(archive);
    const torch::jit::Module read = torch::jit::load(text, c10::kCPU, /*load_debug_files=*/false);
    return GraphComparison().difference(*comparable(meant), *comparable(read));
}

} // namespace stagecraft
