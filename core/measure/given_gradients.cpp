#include "core/measure/given_gradients.h"

#include "core/load/error_context.h"
#include "core/load/loss_output.h"
#include "core/load/safetensors.h"

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

// Those that the step goes back from, each once.
std::vector<ReturnedValue> outputsOf(const LossOutput& loss)
{
    const std::vector<ValueId> values = loss.values();
    std::vector<ReturnedValue> outputs;
    for (const ReturnedValue& returned : loss.returned) {
        const auto isSame = [&](const ReturnedValue& other) { return other.value == returned.value; };
        if (returned.value && std::ranges::find(values, *returned.value) != values.end() &&
            std::ranges::none_of(outputs, isSame))
            outputs.push_back(returned);
    }
    return outputs;
}

Result<GivenGradients> gradientsOf(const Model& model, const std::vector<ReturnedValue>& outputs,
                                   const WeightStore& stored)
{
    GivenGradients given;
    std::set<std::string> used;
    for (const ReturnedValue& output : outputs) {
        const std::string& inGraph = model.graph[*output.value].name;
        const std::string name = stored.find(output.name) ? output.name : inGraph;
        const std::optional<StoredTensor> tensor = stored.find(name);
        if (!tensor)
            return Error{ErrorCode::NotFound, "the file has no tensor '" + output.name +
                                                  "', the gradient of the output " + inGraph};
        if (!isDifferentiable(tensor->meta.dtype))
            return Error{ErrorCode::BadFormat, "the gradient '" + name + "' is " + metaText(tensor->meta) +
                                                   "; gradients are floating-point numbers"};
        given.tensors.emplace(*output.value, *tensor);
        used.insert(name);
    }
    for (const std::string& name : stored.names())
        if (!used.contains(name))
            return Error{ErrorCode::NotFound, "the step goes back from no output '" + name + "'"};
    return given;
}

} // namespace

Result<void> GivenGradients::unchanged() const
{
    for (const std::shared_ptr<const MappedFile>& file : files)
        STAGECRAFT_TRY(file->unchanged());
    return {};
}

Result<GivenGradients> readGradients(const Model& model, const std::string& loss,
                                     const std::filesystem::path& file)
{
    STAGECRAFT_ASSIGN(taken, lossOutput(model, loss));
    STAGECRAFT_ASSIGN(read, readSafetensors({file}));
    const auto stored = std::make_shared<const WeightStore>(std::move(read));
    Result<GivenGradients> given = gradientsOf(model, outputsOf(taken), *stored);
    if (!given.has_value())
        return inside(file.string(), given.error());
    given->owners.push_back(stored);
    given->files = stored->files();
    return given;
}

} // namespace stagecraft
