#include "core/load/loss_output.h"

#include "core/base/printable.h"
#include "core/load/operator_aliasing.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace stagecraft {

namespace {

// Operators whose results have no gradient whatever they read.
constexpr std::array withoutGradient{
    std::string_view("aten::detach.default"),      std::string_view("aten::detach_.default"),
    std::string_view("aten::detach_copy.default"), std::string_view("aten::zeros_like.default"),
    std::string_view("aten::ones_like.default"),   std::string_view("aten::empty_like.default"),
    std::string_view("aten::full_like.default"),   std::string_view("aten::rand_like.default"),
    std::string_view("aten::randn_like.default")};

// Which values can a gradient flow from to a parameter?
class GradientFlow
{
public:
    explicit GradientFlow(const Graph& graph)
        : m_graph(graph), m_needs(graph.valueCount(), 0), m_written(graph.valueCount())
    {
        OperatorSchemas schemas;
        const AliasingOf aliasing = operatorAliasing(schemas);
        m_sets = AliasSets::find(graph, aliasing);
        for (const ValueId input : graph.inputs()) {
            const Value& value = graph[input];
            m_needs[input] = value.kind == ValueKind::Parameter && value.meta && value.meta->requiresGrad;
        }
        for (const NodeId node : graph.nodes())
            follow(node, aliasing);
    }

    bool needsGradient(ValueId value) const { return m_needs[value] != 0; }
    Table<ValueId, char> take() && { return std::move(m_needs); }
    Table<ValueId, std::optional<NodeId>> written() const
    {
        Table<ValueId, std::optional<NodeId>> from(m_graph.valueCount());
        for (const ValueId value : m_graph.values())
            if (const std::optional<NodeId>& producer = m_graph[value].producer;
                producer && !m_needs[value] && !isCut(m_graph[*producer]))
                from[value] = m_written[set(value)];
        return from;
    }

private:
    bool isCut(const Node& node) const
    {
        return !m_graph.context(node.context).gradEnabled.value_or(true) ||
               std::ranges::find(withoutGradient, node.target) != withoutGradient.end();
    }

    void follow(NodeId id, const AliasingOf& aliasing)
    {
        const Node& node = m_graph[id];
        const auto needs = [&](ValueId input) { return m_needs[input] || m_written[set(input)]; };
        if (isCut(node) || !std::ranges::any_of(node.inputs, needs))
            return;
        // A write through a view reaches every other view of the storage, under the names they had before.
        for (const ValueId written : aliasing(node).written)
            if (!m_written[set(written)])
                m_written[set(written)] = id;
        for (const ValueId result : node.results)
            m_needs[result] = m_graph[result].meta && isDifferentiable(m_graph[result].meta->dtype);
    }

    ValueId set(ValueId value) const { return m_sets.representative(value); }

    const Graph& m_graph;
    AliasSets m_sets;
    Table<ValueId, char> m_needs;
    Table<ValueId, std::optional<NodeId>> m_written; // by set: who first wrote what needs a gradient
};

void addNames(const Pytree& tree, const std::string& prefix, std::vector<std::string>& names)
{
    if (tree.isLeaf()) {
        names.push_back(prefix);
        return;
    }
    const std::vector<std::string> fields = tree.fieldNames();
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
        const std::string own = fields.size() == tree.children.size() ? fields[i] : std::to_string(i);
        addNames(tree.children[i], prefix.empty() ? own : prefix + "." + own, names);
    }
}

// Empty for what is returned bare.
std::vector<std::string> returnedNames(const Signature& signature, std::size_t count)
{
    std::vector<std::string> names;
    if (!signature.outputs.empty() && leafCount(signature.outputTree) == count)
        addNames(signature.outputTree, "", names);
    for (std::size_t i = names.size(); i < count; ++i)
        names.push_back(count == 1 ? "" : std::to_string(i));
    return names;
}

std::string quoted(const ReturnedValue& returned)
{
    return "'" + printable(returned.name) + "'";
}

// Candidates are outputs that need a gradient; the same value counts once.
std::vector<std::size_t> candidates(const std::vector<ReturnedValue>& returned, bool onlyScalars)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < returned.size(); ++i) {
        const auto isSame = [&](std::size_t other) { return returned[other].value == returned[i].value; };
        if (returned[i].needsGradient && (returned[i].isScalar || !onlyScalars) &&
            std::ranges::none_of(found, isSame))
            found.push_back(i);
    }
    return found;
}

std::optional<std::size_t> numberIn(const std::string& text)
{
    std::size_t number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    return status == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::string quotedNames(const std::vector<ReturnedValue>& returned, const std::vector<std::size_t>& indices,
                        const char* between)
{
    std::string names;
    for (const std::size_t index : indices)
        names += (names.empty() ? "" : between) + quoted(returned[index]);
    return names;
}

// By name, then by number, then by its name in the graph.
std::optional<std::size_t> asked(const Model& model, const std::vector<ReturnedValue>& returned,
                                 const std::string& wanted)
{
    const auto at = [&](const auto& isWanted) -> std::optional<std::size_t> {
        const auto found = std::ranges::find_if(returned, isWanted);
        return found == returned.end() ? std::nullopt : std::optional(std::size_t(found - returned.begin()));
    };
    if (const auto byName = at([&](const ReturnedValue& value) { return value.name == wanted; }))
        return byName;
    if (const std::optional<std::size_t> number = numberIn(wanted); number && *number < returned.size())
        return number;
    return at(
        [&](const ReturnedValue& value) { return value.value && model.graph[*value.value].name == wanted; });
}

std::optional<std::size_t> fromFile(const Signature& signature)
{
    std::size_t index = 0;
    for (const OutputSpec& spec : signature.outputs) {
        if (spec.kind == OutputSpec::Kind::Loss)
            return index;
        index += spec.isReturned() ? 1 : 0;
    }
    return std::nullopt;
}

bool isCalledLoss(const ReturnedValue& value)
{
    return value.name == "loss" || value.name.ends_with(".loss");
}

// Where nobody said which output is the loss.
LossOutput chosenByRule(std::vector<ReturnedValue> returned)
{
    using Origin = LossOutput::Origin;
    const std::vector<std::size_t> trained = candidates(returned, false);
    const std::vector<std::size_t> scalars = candidates(returned, true);
    std::vector<std::size_t> named;
    std::ranges::copy_if(trained, std::back_inserter(named),
                         [&](std::size_t index) { return isCalledLoss(returned[index]); });
    const auto outermost =
        std::ranges::find_if(named, [&](std::size_t index) { return returned[index].name == "loss"; });
    LossOutput loss{.origin = Origin::NoScalar, .returned = std::move(returned), .index = {}};
    if (trained.empty())
        loss.origin = Origin::Untrained;
    else if (outermost != named.end() || named.size() == 1)
        loss = {Origin::Name, std::move(loss.returned),
                outermost != named.end() ? *outermost : named.front()};
    else if (scalars.size() == 1)
        loss = {Origin::OnlyScalar, std::move(loss.returned), scalars.front()};
    else if (scalars.size() > 1)
        loss.origin = Origin::Unclear;
    return loss;
}

} // namespace

std::vector<ReturnedValue> returnedValues(const Model& model)
{
    std::vector<ReturnedValue> returned;
    const GradientFlow flow(model.graph);
    const std::span<const Argument> outputs = model.graph.outputs();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!model.signature.isReturned(i))
            continue;
        ReturnedValue& leaf = returned.emplace_back();
        const auto* value = std::get_if<ValueId>(&outputs[i]);
        const TensorMeta* meta = value && model.graph[*value].meta ? &*model.graph[*value].meta : nullptr;
        if (value)
            leaf.value = *value;
        leaf.needsGradient = meta && !isComplex(meta->dtype) && flow.needsGradient(*value);
        leaf.isScalar = meta && meta->sizes.empty();
    }
    const std::vector<std::string> names = returnedNames(model.signature, returned.size());
    for (std::size_t i = 0; i < returned.size(); ++i)
        returned[i].name =
            names[i].empty() && returned[i].value ? model.graph[*returned[i].value].name : names[i];
    return returned;
}

Table<ValueId, char> valuesWithGradient(const Graph& graph)
{
    return GradientFlow(graph).take();
}

Table<ValueId, std::optional<NodeId>> gradientsWritten(const Graph& graph)
{
    return GradientFlow(graph).written();
}

std::vector<ValueId> LossOutput::values() const
{
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < returned.size(); ++i)
        if (index ? i == *index : returned[i].needsGradient)
            values.push_back(*returned[i].value);
    return values;
}

Result<LossOutput> lossOutput(const Model& model, const std::string& wanted)
{
    std::vector<ReturnedValue> returned = returnedValues(model);
    const std::optional<std::size_t> given = fromFile(model.signature);
    if (wanted.empty() && !given)
        return chosenByRule(std::move(returned));
    const std::optional<std::size_t> index = wanted.empty() ? given : asked(model, returned, wanted);
    if (!index && wanted == sumOfOutputs && !given)
        return LossOutput{LossOutput::Origin::AskedSum, std::move(returned), {}};
    if (!wanted.empty() && given && index != given)
        return Error{ErrorCode::NotFound, "the file says that output " + quoted(returned[*given]) +
                                              " is the loss, not '" + wanted + "'"};
    if (!index || !returned[*index].value || (!given && !returned[*index].needsGradient)) {
        const std::string names = quotedNames(returned, candidates(returned, false), ", ");
        return Error{ErrorCode::NotFound, "the model returns no differentiable output named '" + wanted +
                                              "'" + (names.empty() ? "" : "; there is " + names)};
    }
    return LossOutput{given ? LossOutput::Origin::File : LossOutput::Origin::Asked, std::move(returned),
                      index};
}

std::string lossText(const LossOutput& loss)
{
    using Origin = LossOutput::Origin;
    const std::string sum = "a step goes back from the sum of " +
                            quotedNames(loss.returned, candidates(loss.returned, false), ", ");
    switch (loss.origin) {
    case Origin::File:
        return "loss: output " + quoted(loss.returned[*loss.index]) + ", as the file says";
    case Origin::Asked:
        return "loss: output " + quoted(loss.returned[*loss.index]) + ", as asked for";
    case Origin::Name:
        return "loss: output " + quoted(loss.returned[*loss.index]) + ", called so";
    case Origin::OnlyScalar:
        return "loss: output " + quoted(loss.returned[*loss.index]) +
               ", the only scalar that needs a gradient";
    case Origin::AskedSum:
        return "loss: as asked for, " + sum;
    case Origin::NoScalar:
        return "no output is a loss: " + sum +
               ", which tests the stages and trains nothing; --loss-output NAME says which output is the "
               "loss";
    case Origin::Unclear:
        return *lossQuestion(loss) + "; until then " + sum;
    case Origin::Untrained:
        break;
    }
    return "no loss: no output needs a gradient";
}

std::optional<std::string> lossQuestion(const LossOutput& loss)
{
    if (loss.origin != LossOutput::Origin::Unclear)
        return std::nullopt;
    return "which output is the loss, " +
           quotedNames(loss.returned, candidates(loss.returned, true), " or ") +
           "? Name it (--loss-output NAME), or " + std::string(sumOfOutputs) + " for the sum of all";
}

} // namespace stagecraft
