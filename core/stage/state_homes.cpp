// What the state of the model holds and no node reads: the part of StageCutter that finds a stage for it.
#include "core/stage/stage_cutter.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace stagecraft {

namespace {

// Calls `visit` with "h.0.attn", "h.0", "h" and "" for "h.0.attn.weight", until it returns true.
template <class Visit>
void forEachOwner(std::string_view name, const Visit& visit)
{
    while (!name.empty()) {
        const std::size_t dot = name.rfind('.');
        name = dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
        if (visit(name))
            return;
    }
}

} // namespace

// Buffers under several names in one storage: one tensor if they are alike. Written ones must stay so, which
// only one stage can see to.
void StageCutter::tieBuffers()
{
    std::map<StorageKey, std::vector<ValueId>> buffersOf;
    for (const InputSpec& spec : m_model.signature.inputs)
        if (spec.kind == InputSpec::Kind::Buffer && spec.value)
            if (const auto stored = m_model.weights.find(spec.target); stored && !stored->bytes.empty())
                buffersOf[stored->storage].push_back(*spec.value);
    for (auto& [storage, buffers] : buffersOf) {
        std::ranges::stable_partition(buffers,
                                      [&](ValueId buffer) { return !valueOf(buffer).users.empty(); });
        std::set<Stage> readers;
        bool isWritten = false;
        bool isAlike = true;
        for (const ValueId buffer : buffers) {
            const TensorMeta first = m_model.weights.find(valueOf(buffers.front()).target)->meta;
            const TensorMeta meta = m_model.weights.find(valueOf(buffer).target)->meta;
            if (meta == first && buffer != buffers.front())
                m_tiedTo.insert_or_assign(buffer, buffers.front());
            isAlike &= meta == first;
            isWritten |= m_storage.isWritten(buffer) || isUpdated(valueOf(buffer).target);
            for (const NodeId user : valueOf(buffer).users)
                readers.insert(stageOf(user));
        }
        if (isWritten && buffers.size() > 1 && (!isAlike || readers.size() > 1))
            fail("the buffers '" + valueOf(buffers[0]).target + "' and '" + valueOf(buffers[1]).target +
                 "' share memory that is written; only one stage may read them, and both whole");
    }
}

bool StageCutter::isUpdated(const std::string& target) const
{
    return std::ranges::any_of(m_model.signature.outputs, [&](const OutputSpec& output) {
        return output.isStateUpdate() && output.target == target;
    });
}

// Each goes to the first stage that has something of its module, or else of the module around that.
void StageCutter::placeUnusedState()
{
    Table<ValueId, char> isPlaced(m_graph.valueCount(), 0);
    for (const Draft& draft : m_drafts)
        for (const auto* tensors : {&draft.parameters, &draft.buffers})
            for (const ValueId tensor : *tensors)
                isPlaced[tensor] = 1;
    const auto isUnused = [&](const InputSpec& spec) {
        const bool isState = spec.kind == InputSpec::Kind::Parameter ||
                             (spec.kind == InputSpec::Kind::Buffer && spec.persistent);
        return isState && spec.value && !isPlaced[tiedTo(m_tiedTo, *spec.value)];
    };
    if (std::ranges::none_of(m_model.signature.inputs, isUnused))
        return;
    std::map<std::string_view, Stage> stageOfModule;
    for (Stage stage = 0; stage < m_drafts.size(); ++stage)
        for (const auto* tensors : {&m_drafts[stage].parameters, &m_drafts[stage].buffers})
            for (const ValueId tensor : *tensors)
                forEachOwner(valueOf(tensor).target, [&](std::string_view module) {
                    stageOfModule.emplace(module, stage);
                    return false;
                });
    for (const InputSpec& spec : m_model.signature.inputs) {
        if (!isUnused(spec))
            continue;
        Stage home = 0;
        forEachOwner(spec.target, [&](std::string_view module) {
            const auto found = stageOfModule.find(module);
            home = found == stageOfModule.end() ? home : found->second;
            return found != stageOfModule.end();
        });
        takeLocally(*spec.value, home);
        isPlaced[tiedTo(m_tiedTo, *spec.value)] = 1;
    }
}

void StageCutter::nameTiedState()
{
    for (const InputSpec& spec : m_model.signature.inputs) {
        if (!spec.value || !m_tiedTo.contains(*spec.value) || !spec.persistent)
            continue;
        const ValueId tensor = m_tiedTo.at(*spec.value);
        const auto holder = std::ranges::find_if(m_drafts, [&](const Draft& draft) {
            return draft.parameters.contains(tensor) || draft.buffers.contains(tensor);
        });
        if (holder != m_drafts.end())
            holder->aliases.push_back({*spec.value, tensor});
    }
}

} // namespace stagecraft
