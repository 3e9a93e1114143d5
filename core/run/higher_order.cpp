#include "core/run/associative_scan.h"
#include "core/run/node_action.h"

#include <ATen/core/ivalue.h>
#include <ATen/ops/select.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <memory>

namespace stagecraft {

namespace {

using Values = std::vector<c10::IValue>;

// A subgraph, ready to be called like a function.
class InnerGraph
{
public:
    static Result<std::shared_ptr<const InnerGraph>> prepare(std::shared_ptr<const Graph> graph,
                                                             const InterpreterOptions& options)
    {
        STAGECRAFT_ASSIGN(interpreter,
                          Interpreter::prepare(*graph, {.device = options.device,
                                                        .unknownOperator = options.unknownOperator}));
        return std::shared_ptr<const InnerGraph>(new InnerGraph(std::move(graph), std::move(interpreter)));
    }

    Result<Values> operator()(const Values& operands, const Progress& progress) const
    {
        if (operands.size() != m_graph->inputs().size())
            return Error{ErrorCode::BadFormat, "the inner graph takes " +
                                                   std::to_string(m_graph->inputs().size()) + " operands, " +
                                                   std::to_string(operands.size()) + " were given"};
        ValueTable values(*m_graph);
        for (std::size_t i = 0; i < operands.size(); ++i)
            values.set(m_graph->inputs()[i], operands[i]);
        STAGECRAFT_TRY(m_interpreter.run(values, progress.silent()));
        Values results;
        for (const Argument& output : m_graph->outputs())
            results.push_back(outputValue(output, values));
        return results;
    }

private:
    InnerGraph(std::shared_ptr<const Graph> graph, Interpreter interpreter)
        : m_graph(std::move(graph)), m_interpreter(std::move(interpreter))
    {
    }

    std::shared_ptr<const Graph> m_graph;
    Interpreter m_interpreter;
};

using Inner = std::shared_ptr<const InnerGraph>;

// What one argument of a higher-order operator stands for: one operand or a list of them.
Values operandsOf(const Argument& argument, const ValueTable& values)
{
    Values operands;
    if (const auto* id = std::get_if<ValueId>(&argument))
        operands.push_back(values[*id]);
    if (const auto* list = std::get_if<TensorListArgument>(&argument))
        for (const std::optional<ValueId>& id : list->elements)
            operands.push_back(id ? values[*id] : c10::IValue());
    if (const auto* list = std::get_if<IntListArgument>(&argument))
        for (const IntOrValue& element : list->elements) {
            const auto* id = std::get_if<ValueId>(&element);
            operands.push_back(id ? values[*id] : c10::IValue(std::get<std::int64_t>(element)));
        }
    if (const auto* number = std::get_if<std::int64_t>(&argument))
        operands.emplace_back(*number);
    if (const auto* number = std::get_if<double>(&argument))
        operands.emplace_back(*number);
    if (const auto* number = std::get_if<bool>(&argument))
        operands.emplace_back(*number);
    return operands;
}

Values joined(Values first, const Values& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// A condition on meta has no value; `unknown` stands for it.
bool truth(const c10::IValue& condition, bool unknown)
{
    if (!condition.isTensor())
        return condition.toScalar().toBool();
    return condition.toTensor().is_meta() ? unknown : condition.toTensor().item().toBool();
}

// A higher-order node taken apart: its inner graphs, and the arguments beside them, each in order.
struct HigherOrderNode
{
    const Node* node = nullptr;
    std::vector<Inner> inner;
    std::vector<const Argument*> operands;

    Values operand(std::size_t index, const ValueTable& values) const
    {
        return index < operands.size() ? operandsOf(*operands[index], values) : Values();
    }
};

Result<void> runCond(const HigherOrderNode& self, ValueTable& values, const Progress& progress)
{
    const Values predicate = self.operand(0, values);
    const InnerGraph& branch = *self.inner[truth(predicate.front(), true) ? 0 : 1];
    STAGECRAFT_ASSIGN(results, branch(self.operand(1, values), progress));
    return bindResults(*self.node, std::move(results), values);
}

Result<void> runWhileLoop(const HigherOrderNode& self, ValueTable& values, const Progress& progress)
{
    Values carried = self.operand(0, values);
    const Values extra = self.operand(1, values);
    for (bool isFirst = true;; isFirst = false) {
        STAGECRAFT_ASSIGN(condition, (*self.inner[0])(joined(carried, extra), progress));
        if (condition.empty() || !truth(condition.front(), isFirst))
            break;
        STAGECRAFT_ASSIGN(next, (*self.inner[1])(joined(carried, extra), progress));
        carried = std::move(next);
    }
    return bindResults(*self.node, std::move(carried), values);
}

Values slicesAt(const Values& tensors, std::int64_t index)
{
    Values slices;
    for (const c10::IValue& tensor : tensors)
        slices.emplace_back(at::select(tensor.toTensor(), 0, index));
    return slices;
}

// Runs inner(carried..., slices..., extra...) for every index of the first dimension of `mapped`; the first
// results are carried on, the others are stacked.
Result<Values> runOverSlices(const InnerGraph& inner, Values carried, const Values& mapped,
                             const Values& extra, const Progress& progress)
{
    constexpr std::int64_t mostRounds = std::int64_t{1} << 17;
    if (mapped.empty() || mapped.front().toTensor().dim() == 0)
        return Error{ErrorCode::BadFormat, "there is nothing to go over"};
    std::vector<std::vector<at::Tensor>> stacked;
    const std::int64_t count = mapped.front().toTensor().size(0);
    if (count > mostRounds)
        return Error{ErrorCode::Unsupported, "it goes over " + std::to_string(count) + " slices, more than " +
                                                 std::to_string(mostRounds)};
    for (std::int64_t i = 0; i < count; ++i) {
        STAGECRAFT_ASSIGN(results, inner(joined(joined(carried, slicesAt(mapped, i)), extra), progress));
        if (results.size() < carried.size())
            return Error{ErrorCode::BadFormat, "the inner graph returns too few results"};
        stacked.resize(results.size() - carried.size());
        for (std::size_t k = 0; k < stacked.size(); ++k)
            stacked[k].push_back(results[carried.size() + k].toTensor());
        results.resize(carried.size());
        carried = std::move(results);
    }
    for (const std::vector<at::Tensor>& column : stacked)
        carried.emplace_back(at::stack(column));
    return carried;
}

Result<void> runMap(const HigherOrderNode& self, ValueTable& values, const Progress& progress)
{
    STAGECRAFT_ASSIGN(results, runOverSlices(*self.inner[0], {}, self.operand(0, values),
                                             self.operand(1, values), progress));
    return bindResults(*self.node, std::move(results), values);
}

Result<void> runScan(const HigherOrderNode& self, ValueTable& values, const Progress& progress)
{
    STAGECRAFT_ASSIGN(results, runOverSlices(*self.inner[0], self.operand(0, values), self.operand(1, values),
                                             self.operand(2, values), progress));
    return bindResults(*self.node, std::move(results), values);
}

// associative_scan(graph, tensors, extra).
Result<void> runAssociativeScan(const HigherOrderNode& self, ValueTable& values, const Progress& progress)
{
    const Values extra = self.operand(1, values);
    const Combine combine = [&](std::vector<at::Tensor> pairs) -> Result<std::vector<at::Tensor>> {
        STAGECRAFT_ASSIGN(results, (*self.inner[0])(joined({pairs.begin(), pairs.end()}, extra), progress));
        std::vector<at::Tensor> tensors;
        for (const c10::IValue& result : results)
            tensors.push_back(result.toTensor());
        return tensors;
    };
    std::vector<at::Tensor> tensors;
    for (const c10::IValue& tensor : self.operand(0, values))
        tensors.push_back(tensor.toTensor());
    STAGECRAFT_ASSIGN(scanned, associativeScan(combine, std::move(tensors)));
    return bindResults(*self.node, {scanned.begin(), scanned.end()}, values);
}

// invoke_subgraph(graph, identifier, operands...), and wrappers that only call their graph.
Result<void> runCall(const HigherOrderNode& self, ValueTable& values, const Progress& progress)
{
    Values operands;
    for (const Argument* argument : self.operands)
        operands = joined(std::move(operands), operandsOf(*argument, values));
    STAGECRAFT_ASSIGN(results, (*self.inner[0])(operands, progress));
    return bindResults(*self.node, std::move(results), values);
}

struct HigherOrderEntry
{
    std::string_view target;
    std::size_t graphCount;
    std::size_t operandCount; // at least
    Result<void> (*run)(const HigherOrderNode&, ValueTable&, const Progress&);
};

constexpr std::array entries{
    HigherOrderEntry{"higher_order::cond", 2, 1, runCond},
    HigherOrderEntry{"higher_order::while_loop", 2, 1, runWhileLoop},
    HigherOrderEntry{"higher_order::map_impl", 1, 1, runMap},
    HigherOrderEntry{"higher_order::scan", 1, 2, runScan},
    HigherOrderEntry{"higher_order::associative_scan", 1, 1, runAssociativeScan},
    HigherOrderEntry{"higher_order::invoke_subgraph", 1, 0, runCall},
    HigherOrderEntry{"higher_order::wrap", 1, 0, runCall},
    HigherOrderEntry{"higher_order::tag_activation_checkpoint", 1, 0, runCall},
};

} // namespace

Result<NodeAction> prepareHigherOrderCall(const Graph& graph, NodeId id, const InterpreterOptions& options)
{
    HigherOrderNode self{.node = &graph[id]};
    const auto entry = std::ranges::find(entries, self.node->target, &HigherOrderEntry::target);
    if (entry == entries.end())
        return Error{ErrorCode::NotFound,
                     "the higher-order operator " + self.node->target + " is not known here"};
    for (const NamedArgument& argument : self.node->arguments) {
        if (const auto* subgraph = std::get_if<SubgraphId>(&argument.value)) {
            STAGECRAFT_ASSIGN(inner,
                              InnerGraph::prepare(self.node->subgraphs.at(subgraph->index()), options));
            self.inner.push_back(std::move(inner));
        } else {
            self.operands.push_back(&argument.value);
        }
    }
    if (self.inner.size() < entry->graphCount || self.operands.size() < entry->operandCount)
        return Error{ErrorCode::BadFormat, self.node->target + " lacks an argument"};
    return NodeAction([self, run = entry->run](ValueTable& values, const Progress& progress) {
        return run(self, values, progress);
    });
}

} // namespace stagecraft
