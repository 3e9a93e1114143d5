#include "core/graph/called_operator.h"
#include "core/run/node_action.h"
#include "core/run/prepared_call.h"

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/alias.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/slice.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <memory>

namespace stagecraft {

namespace {

using Values = std::vector<c10::IValue>;

// The arguments of a node by name, as PyTorch's own code (torch/_higher_order_ops/auto_functionalize.py)
// reads them.
class GivenArguments
{
public:
    GivenArguments(const Node& node, const ValueTable& values) : m_node(node), m_values(values) {}

    bool has(const std::string& name) const { return m_node.argument(name) != nullptr; }

    std::optional<std::int64_t> number(const std::string& name) const
    {
        const Argument& argument = required(name);
        if (std::holds_alternative<NoneArgument>(argument))
            return std::nullopt;
        if (const auto* number = std::get_if<std::int64_t>(&argument))
            return *number;
        const auto* id = std::get_if<ValueId>(&argument);
        TORCH_CHECK(id && m_values[*id].isInt(), name, " is no whole number");
        return m_values[*id].toInt();
    }

    std::vector<std::int64_t> numbers(const std::string& name) const
    {
        std::vector<std::int64_t> numbers;
        const auto* list = std::get_if<IntListArgument>(&required(name));
        TORCH_CHECK(list, name, " is no list of whole numbers");
        for (const IntOrValue& element : list->elements) {
            const auto* id = std::get_if<ValueId>(&element);
            TORCH_CHECK(!id || m_values[*id].isInt(), name, " is no list of whole numbers");
            numbers.push_back(id ? m_values[*id].toInt() : std::get<std::int64_t>(element));
        }
        return numbers;
    }

    // One tensor or several; undefined where there is none.
    std::vector<at::Tensor> tensors(const std::string& name) const
    {
        const Argument& argument = required(name);
        if (const auto* id = std::get_if<ValueId>(&argument))
            return {m_values.tensor(*id)};
        std::vector<at::Tensor> tensors;
        if (const auto* list = std::get_if<TensorListArgument>(&argument))
            for (const std::optional<ValueId>& id : list->elements)
                tensors.push_back(id ? m_values.tensor(*id) : at::Tensor());
        return tensors;
    }

private:
    const Argument& required(const std::string& name) const
    {
        const Argument* argument = m_node.argument(name);
        TORCH_CHECK(argument, "argument '", name, "' is missing");
        return *argument;
    }

    const Node& m_node;
    const ValueTable& m_values;
};

// An argument that the operator writes to.
struct Written
{
    std::size_t position = 0; // in its schema
    std::string name;
    bool isList = false;
};

// As clone_preserve_strides (torch/_prims_common): the storage up to the tensor's last element.
at::Tensor copyOf(const at::Tensor& tensor)
{
    if (!tensor.defined())
        return {};
    std::int64_t needed = tensor.storage_offset() + 1;
    for (std::int64_t d = 0; d < tensor.dim(); ++d)
        needed += (tensor.size(d) - 1) * tensor.stride(d);
    const c10::impl::ExcludeDispatchKeyGuard noView(c10::DispatchKey::ADInplaceOrView);
    const at::Tensor buffer = at::as_strided(tensor, {tensor.numel() == 0 ? 0 : needed}, {1}, 0).clone();
    return at::as_strided(buffer, tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

std::vector<at::Tensor> copiesOf(const std::vector<at::Tensor>& tensors)
{
    std::vector<at::Tensor> copies;
    std::ranges::transform(tensors, std::back_inserter(copies), copyOf);
    return copies;
}

// What the operator writes to, made again of the copies of its bases.
at::Tensor viewOf(const GivenArguments& given, const std::string& prefix,
                  const std::vector<at::Tensor>& bases)
{
    const std::optional<std::int64_t> index = given.number(prefix + "_base_index");
    if (!index)
        return {};
    TORCH_CHECK(*index >= 0 && *index < std::ssize(bases), prefix, "_base_index is ", *index, " of ",
                bases.size(), " bases");
    const at::Tensor& base = bases[static_cast<std::size_t>(*index)];
    TORCH_CHECK(base.defined(), "base ", *index, " is no tensor");
    if (given.has(prefix + "_alias"))
        return at::alias(base);
    if (given.has(prefix + "_storage_offset"))
        return at::as_strided(base, given.numbers(prefix + "_size"), given.numbers(prefix + "_stride"),
                              given.number(prefix + "_storage_offset"));
    if (given.has(prefix + "_slice_dim"))
        return at::slice(base, given.number(prefix + "_slice_dim").value_or(0),
                         given.number(prefix + "_slice_start"), given.number(prefix + "_slice_end"));
    return base;
}

c10::IValue operandOf(const Written& written, std::vector<at::Tensor> tensors)
{
    if (written.isList)
        return c10::List<at::Tensor>(std::move(tensors));
    TORCH_CHECK(tensors.size() <= 1, "argument '", written.name, "' is a list");
    return tensors.empty() || !tensors.front().defined() ? c10::IValue() : c10::IValue(tensors.front());
}

class FunctionalizedCall
{
public:
    FunctionalizedCall(const Node& node, PreparedCall call, std::vector<Written> written)
        : m_node(node), m_call(std::move(call)), m_written(std::move(written))
    {
    }

    Values operator()(const ValueTable& values) const
    {
        const GivenArguments given(m_node, values);
        Values operands = m_call.operands(values);
        const Values copies =
            given.has("_all_bases") ? bindViews(given, operands) : bindCopies(given, operands);
        Values results = m_call.run(std::move(operands));
        if (results.empty())
            results.emplace_back(); // as Python's functions return None
        results.insert(results.end(), copies.begin(), copies.end());
        return results;
    }

private:
    // The first version: what is written to stands under its own name.
    Values bindCopies(const GivenArguments& given, Values& operands) const
    {
        Values copies;
        for (const Written& written : m_written) {
            operands[written.position] = operandOf(written, copiesOf(given.tensors(written.name)));
            copies.push_back(operands[written.position]);
        }
        return copies;
    }

    Values bindViews(const GivenArguments& given, Values& operands) const
    {
        const std::vector<at::Tensor> bases = copiesOf(given.tensors("_all_bases"));
        for (const Written& written : m_written)
            operands[written.position] = operandOf(written, viewsOf(given, written, bases));
        Values copies;
        for (const at::Tensor& base : bases)
            copies.push_back(base.defined() ? c10::IValue(base) : c10::IValue());
        return copies;
    }

    static std::vector<at::Tensor> viewsOf(const GivenArguments& given, const Written& written,
                                           const std::vector<at::Tensor>& bases)
    {
        const std::string prefix = "_" + written.name;
        if (!written.isList)
            return {viewOf(given, prefix, bases)};
        std::vector<at::Tensor> views;
        const std::int64_t length = given.number(prefix + "_length").value_or(0);
        for (std::int64_t i = 0; i < length; ++i)
            views.push_back(viewOf(given, prefix + "_" + std::to_string(i), bases));
        return views;
    }

    const Node& m_node;
    PreparedCall m_call;
    std::vector<Written> m_written;
};

std::vector<Written> writtenBy(const c10::FunctionSchema& schema)
{
    std::vector<Written> written;
    for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
        const c10::Argument& argument = schema.arguments()[i];
        if (!argument.alias_info() || !argument.alias_info()->isWrite())
            continue;
        c10::TypePtr type = argument.type();
        if (const auto optional = type->cast<c10::OptionalType>())
            type = optional->getElementType();
        written.push_back({i, argument.name(), type->kind() == c10::TypeKind::ListType});
    }
    return written;
}

// The node as a call of the operator within: what that one takes by name, and none of what is written to.
Node withoutWritten(const Node& node, const c10::FunctionSchema& schema, const std::vector<Written>& written)
{
    Node inner{.name = node.name, .target = calledOperator(node)};
    for (const NamedArgument& argument : node.arguments)
        if (schema.argumentIndexWithName(argument.name))
            inner.arguments.push_back(argument);
    for (const Written& one : written) {
        std::erase_if(inner.arguments, [&](const NamedArgument& given) { return given.name == one.name; });
        inner.arguments.push_back({one.name, NoneArgument{}, ArgumentPassing::Keyword});
    }
    for (NamedArgument& argument : inner.arguments)
        argument.passing = ArgumentPassing::Keyword;
    return inner;
}

} // namespace

Result<NodeAction> prepareFunctionalizedCall(const Graph& graph, NodeId id, RunDevice device)
{
    const Node& node = graph[id];
    const std::string& target = calledOperator(node);
    if (target == node.target)
        return Error{ErrorCode::Unsupported, node.target + " of another higher-order operator is not run"};
    STAGECRAFT_ASSIGN(schema, schemaOf(target));
    const std::vector<Written> written = writtenBy(*schema);
    STAGECRAFT_ASSIGN(call, PreparedCall::prepare(withoutWritten(node, *schema, written), target, device));
    auto run = std::make_shared<const FunctionalizedCall>(node, std::move(call), written);
    return NodeAction([&node, run](ValueTable& values, const Progress&) {
        return bindResults(node, (*run)(values), values);
    });
}

} // namespace stagecraft
