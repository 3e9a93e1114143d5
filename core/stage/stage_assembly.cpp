#include "core/base/contains.h"
#include "core/stage/stage_cutter.h"
#include "core/stage/updated_buffers.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Where the storage is written, or the model returns what may lie in it, it is as in the model.
LayoutGaps gapsOf(ValueId received, const StageProgram& program, const StorageUse& storage)
{
    const auto mayLieInIt = [&](ValueId output) { return storage.sets.mayShare(received, output); };
    const bool isReturned = program.isLast() && std::ranges::any_of(program.outputs, mayLieInIt);
    return storage.isWritten(received) || isReturned ? LayoutGaps::Kept : LayoutGaps::Closed;
}

} // namespace

std::vector<ValueId> StageCutter::receivedVersions(Stage stage) const
{
    std::vector<ValueId> versions;
    for (const ValueId tensor : m_drafts[stage].received)
        versions.push_back(lastVersion(tensor, stage - 1));
    std::ranges::sort(versions);
    return versions;
}

std::vector<StageInput> StageCutter::inputsOf(Stage stage) const
{
    std::vector<StageInput> inputs;
    if (stage > 0)
        for (const ValueId value : receivedVersions(stage))
            inputs.push_back({StageInput::Source::Previous, value});
    for (const ValueId input : m_graph.inputs()) {
        const ValueKind kind = kindOf(input);
        const bool isUsers = kind == ValueKind::UserInput || kind == ValueKind::SizeScalar;
        if (isUsers && (stage == 0 || m_drafts[stage].modelInputs.contains(input)))
            inputs.push_back({StageInput::Source::Model, input});
    }
    return inputs;
}

std::vector<ValueId> StageCutter::outputsOf(Stage stage) const
{
    if (stage < lastStage())
        return receivedVersions(stage + 1);
    std::vector<ValueId> outputs;
    const std::span<const Argument> returned = m_graph.outputs();
    for (std::size_t i = 0; i < returned.size(); ++i)
        if (m_model.signature.isReturned(i))
            collectValues(returned[i], outputs);
    return outputs;
}

// Versions that earlier stages made are one tensor here, under the name that it has here.
void StageCutter::addStandIns(Stage stage, StageProgram& program) const
{
    const auto standFor = [&](ValueId tensor, ValueId name) {
        const auto versions = m_storage.versions.find(tensor);
        if (versions == m_storage.versions.end())
            return;
        for (const ValueId version : versions->second) {
            const std::optional<NodeId> producer = valueOf(version).producer;
            if (version != name && (!producer || stageOf(*producer) < stage))
                program.standIns.emplace(version, name);
        }
    };
    for (const ValueId tensor : m_drafts[stage].received)
        standFor(tensor, lastVersion(tensor, stage - 1));
    for (const ValueId tensor : m_drafts[stage].repeatedTensors)
        standFor(tensor, tensor);
    for (const auto& [name, tensor] : m_tiedTo)
        program.standIns.emplace(name, tensor);
}

// What only passes through stays as it came.
void StageCutter::addLayouts(StageProgram& program) const
{
    const auto isRead = [&](ValueId value) {
        const auto isIt = [&](ValueId input) { return program.resolve(input) == value; };
        const auto reads = [&](NodeId node) { return std::ranges::any_of(m_graph[node].inputs, isIt); };
        return std::ranges::any_of(program.repeated, reads) || std::ranges::any_of(program.nodes, reads) ||
               (program.isLast() && std::ranges::any_of(program.outputs, isIt));
    };
    for (const StageInput& input : program.inputs) {
        const std::optional<TensorMeta>& meta = valueOf(input.value).meta;
        if (input.source != StageInput::Source::Previous || !meta || isRowMajor(*meta) ||
            !isRead(input.value))
            continue;
        const auto layout = receivedLayout(input.value, *meta, gapsOf(input.value, program, m_storage));
        if (layout && !changesNothing(*layout, *meta))
            program.laidOut.push_back(*layout);
    }
}

StageProgram StageCutter::assemble(Stage stage) const
{
    const Draft& draft = m_drafts[stage];
    StageProgram program;
    program.stage = StageId(stage);
    program.stageCount = m_partition.stageCount;
    for (const NodeId node : m_graph.nodes())
        if (stageOf(node) == stage && !contains(draft.dropped, node))
            program.nodes.push_back(node);
    program.inputs = inputsOf(stage);
    program.outputs = outputsOf(stage);
    program.parameters.assign(draft.parameters.begin(), draft.parameters.end());
    program.buffers.assign(draft.buffers.begin(), draft.buffers.end());
    program.constants.assign(draft.constants.begin(), draft.constants.end());
    program.aliases = draft.aliases;
    program.repeated.assign(draft.repeated.begin(), draft.repeated.end());
    program.dropped = draft.dropped;
    program.updates = draft.updates;
    program.sizes = draft.sizes;
    addStandIns(stage, program);
    program.readAsCopies = readAsCopies(m_graph, program);
    for (SizeSource& source : program.sizes)
        source.tensor = program.resolve(source.tensor);
    std::vector<ValueId> written;
    for (const ValueId tensor : draft.received)
        if (isWrittenIn(tensor, stage))
            written.push_back(lastVersion(tensor, stage - 1));
    addLayouts(program);
    for (const ValueId tensor : written)
        if (!contains(program.laidOut, tensor, &ReceivedLayout::value))
            program.cloned.push_back(tensor);
    if (program.isLast())
        return program;
    for (const ValueId output : program.outputs) {
        const bool isReceived = contains(program.inputs, StageInput{StageInput::Source::Previous, output});
        if (isReceived && !contains(written, output))
            program.relays.push_back(output);
        else // what the export says of strides holds for its device alone
            program.madeContiguous.push_back(output);
    }
    return program;
}

} // namespace stagecraft
