#include "core/stage/stage_tensors.h"

#include <algorithm>

namespace stagecraft {

Result<std::vector<StageTensor>> stageTensors(const Model& model, const StageProgram& program)
{
    std::vector<StageTensor> tensors;
    const auto add = [&](ValueId id, bool isParameter, const std::string& aliasOf = {}) -> Result<void> {
        const Value& value = model.graph[id];
        const std::optional<StoredTensor> stored = model.weights.find(value.target);
        if (!stored && !model.structureOnly())
            return Error{ErrorCode::NotFound, model.name + ": the file has no tensor '" + value.target +
                                                  "'; export the model again"};
        const auto spec = std::ranges::find(model.signature.inputs, std::optional(id), &InputSpec::value);
        const bool persistent =
            value.kind != ValueKind::Constant && (spec == model.signature.inputs.end() || spec->persistent);
        StoredTensor tensor = stored.value_or(StoredTensor{*value.meta, StorageKey(0), {}});
        tensors.push_back({value.target, isParameter, persistent, std::move(tensor), aliasOf});
        return {};
    };
    for (const ValueId parameter : program.parameters)
        STAGECRAFT_TRY(add(parameter, true));
    for (const auto* others : {&program.buffers, &program.constants})
        for (const ValueId other : *others)
            STAGECRAFT_TRY(add(other, false));
    for (const StateAlias& alias : program.aliases)
        STAGECRAFT_TRY(add(alias.name, model.graph[alias.name].kind == ValueKind::Parameter,
                           model.graph[alias.tensor].target));
    return tensors;
}

std::span<const std::byte> usedBytes(const StoredTensor& tensor)
{
    if (tensor.bytes.empty())
        return {};
    std::int64_t last = 0;
    for (std::size_t i = 0; i < tensor.meta.sizes.size(); ++i) {
        if (tensor.meta.sizes[i].constant() == 0)
            return {};
        last += (tensor.meta.sizes[i].constant() - 1) * tensor.meta.strides[i].constant();
    }
    const auto itemBytes = static_cast<std::size_t>(itemSize(tensor.meta.dtype));
    return tensor.bytes.subspan(static_cast<std::size_t>(tensor.meta.storageOffset.constant()) * itemBytes,
                                static_cast<std::size_t>(last + 1) * itemBytes);
}

} // namespace stagecraft
