// Views that a stage makes again because they cannot be sent: the part of StageCutter that finds them.
#include "core/graph/received_layout.h"
#include "core/plan/stage_labels.h"
#include "core/stage/stage_cutter.h"

#include <algorithm>

namespace stagecraft {

void StageCutter::findViewsThatCannotBeSent()
{
    for (const NodeId node : m_graph.nodes()) {
        const std::span<const std::uint32_t> inputs = m_facts.inputs[node.index()];
        for (const std::uint32_t input : inputs)
            repeatIfNotSendable(ValueId(input), stageOf(node));
        if (m_facts.readsStorage[node] && !inputs.empty())
            repeatFromStorage(ValueId(inputs.front()), stageOf(node));
    }
    for (std::size_t i = 0; i < m_graph.outputs().size(); ++i) {
        std::vector<ValueId> returned;
        if (m_model.signature.isReturned(i))
            collectValues(m_graph.outputs()[i], returned);
        for (const ValueId value : returned)
            repeatIfNotSendable(value, lastStage());
    }
}

// What `stage` reads and an earlier one makes arrives as a tensor of its own elements, without gaps.
void StageCutter::repeatIfNotSendable(ValueId value, Stage stage)
{
    const ValueId tensor = m_storage.tensorOf[value];
    const std::optional<Stage> made = madeIn(tensor);
    if (!made || *made >= stage || isSendable(valueOf(value)))
        return;
    if (!m_storage.viewedTensor[tensor]) {
        fail(nameOf(value) +
             " is sparse or has strides that a received tensor cannot be given; keep it and " +
             "what reads it in " + stageLabel(StageId(stage)) + " together");
        return;
    }
    repeatViewIn(tensor, stage);
}

// Makes every view again that leads from `value` to `sent`, or else to the tensor whose storage it lies in;
// that tensor.
ValueId StageCutter::repeatFromBase(ValueId value, Stage stage, std::optional<ValueId> sent)
{
    ValueId tensor = m_storage.tensorOf[value];
    while (tensor != sent && m_storage.viewedTensor[tensor]) {
        if (isMadeBefore(tensor, stage))
            repeatViewIn(tensor, stage);
        tensor = m_storage.tensorOf[*m_storage.viewedTensor[tensor]];
    }
    return tensor;
}

void StageCutter::repeatFromStorage(ValueId value, Stage stage)
{
    const ValueId tensor = repeatFromBase(value, stage);
    const std::optional<Stage> made = madeIn(tensor);
    if (made && *made < stage && valueOf(tensor).meta && !(valueOf(tensor).meta->storageOffset == SymInt(0)))
        fail(nameOf(tensor) + " starts inside its storage, which " + stageLabel(StageId(stage)) +
             " reads by offset");
}

void StageCutter::repeatViewIn(ValueId tensor, Stage stage)
{
    const Node& view = m_graph[*valueOf(tensor).producer];
    for (const ValueId result : view.results) // a repeated operator gives all its results
        m_repeatedViews.emplace(m_storage.tensorOf[result], stage);
    for (const ValueId input : view.inputs) {
        Stage& last = m_viewedAgainIn.try_emplace(m_storage.tensorOf[input], stage).first->second;
        last = std::max(last, stage);
        repeatIfNotSendable(input, stage);
    }
}

// A view made again shows what its tensor holds at the boundary, in the shape that the tensor has there.
void StageCutter::checkRepeatable(ValueId tensor, Stage stage)
{
    const NodeId view = *valueOf(tensor).producer;
    const auto changesShape = [&](ValueId value) {
        const auto versions = m_storage.versions.find(m_storage.tensorOf[value]);
        return versions != m_storage.versions.end() &&
               std::ranges::any_of(versions->second, [&](ValueId version) {
                   const std::optional<TensorMeta>& first = valueOf(versions->first).meta;
                   const std::optional<TensorMeta>& meta = valueOf(version).meta;
                   return first && meta && (first->sizes != meta->sizes || first->strides != meta->strides);
               });
    };
    if (changesShape(tensor) || std::ranges::any_of(m_graph[view].inputs, changesShape))
        fail(nameOf(tensor) + " is a view that " + stageLabel(StageId(stage)) +
             " would have to make again, of a tensor whose shape is changed in place");
    const auto isBetween = [&](NodeId writer) { return writer > view && stageOf(writer) < stage; };
    if (m_storage.perhapsCopies.contains(tensor) &&
        std::ranges::any_of(m_storage.sets.writers(tensor), isBetween))
        fail("'" + m_graph[view].name + "' returns a view or a copy of storage that is written before " +
             stageLabel(StageId(stage)) + "; keep them together");
}

} // namespace stagecraft
