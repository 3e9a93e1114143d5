#include "core/measure/given_gradients.h"

#include "core/load/error_context.h"
#include "core/load/loss_output.h"
#include "core/load/safetensors.h"

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

struct Output
{
    ValueId value;
    std::vector<std::string> names;
};

// Those that the step goes back from, each once.
std::vector<Output> outputsOf(const Graph& graph, const LossOutput& loss)
{
    const std::vector<ValueId> values = loss.values();
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < loss.returned.size(); ++i) {
        const std::optional<ValueId> value = loss.returned[i].value;
        if (!value || std::ranges::find(values, *value) == values.end() ||
            std::ranges::find(outputs, *value, &Output::value) != outputs.end())
            continue;
        outputs.push_back({*value, {loss.returned[i].name, std::to_string(i), graph[*value].name}});
    }
    return outputs;
}

Result<GivenGradients> gradientsOf(const std::vector<Output>& outputs, const WeightStore& stored)
{
    GivenGradients given;
    std::set<std::string> used;
    for (const Output& output : outputs) {
        const auto isStored = [&](const std::string& name) { return stored.find(name).has_value(); };
        const auto found = std::ranges::find_if(output.names, isStored);
        if (found == output.names.end())
            return Error{ErrorCode::NotFound, "the file has no tensor '" + output.names.front() +
                                                  "', the gradient of that output"};
        const std::string& name = *found;
        const std::optional<StoredTensor> tensor = stored.find(name);
        if (!isDifferentiable(tensor->meta.dtype))
            return Error{ErrorCode::BadFormat, "the gradient '" + name + "' is " + metaText(tensor->meta) +
                                                   "; gradients are floating-point numbers"};
        given.tensors.emplace(output.value, *tensor);
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
    Result<GivenGradients> given = gradientsOf(outputsOf(model.graph, taken), *stored);
    if (!given.has_value())
        return inside(file.string(), given.error());
    given->owners.push_back(stored);
    given->files = stored->files();
    return given;
}

} // namespace stagecraft
