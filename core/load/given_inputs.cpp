#include "core/load/given_inputs.h"

#include "core/load/error_context.h"
#include "core/load/safetensors.h"

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

bool isTensor(const Model& model, const InputSpec& spec)
{
    return spec.kind == InputSpec::Kind::User && spec.value &&
           model.graph[*spec.value].kind == ValueKind::UserInput && model.graph[*spec.value].meta;
}

std::vector<ValueId> tensorInputs(const Model& model)
{
    std::vector<ValueId> inputs;
    for (const InputSpec& spec : model.signature.inputs)
        if (isTensor(model, spec))
            inputs.push_back(*spec.value);
    return inputs;
}

// A size that is nothing but a symbol takes the number; false where it has another already.
bool bindSymbol(const SymInt& size, std::int64_t number, Bindings& bindings)
{
    std::set<std::string> symbols;
    size.collectSymbols(symbols);
    if (symbols.size() != 1 || size.text() != *symbols.begin())
        return true;
    return bindings.emplace(*symbols.begin(), number).first->second == number;
}

bool bindSizes(const TensorMeta& described, const TensorMeta& given, Bindings& bindings)
{
    if (described.dtype != given.dtype || described.sizes.size() != given.sizes.size())
        return false;
    for (std::size_t i = 0; i < described.sizes.size(); ++i)
        if (!bindSymbol(described.sizes[i], given.sizes[i].constant(), bindings))
            return false;
    return true;
}

bool hasSizes(const TensorMeta& described, const TensorMeta& given, const Bindings& bindings)
{
    for (std::size_t i = 0; i < described.sizes.size(); ++i) {
        const Result<std::int64_t> size = described.sizes[i].evaluate(bindings);
        if (!size.has_value() || *size != given.sizes[i].constant())
            return false;
    }
    return true;
}

// Symbols first, from all inputs: another input's sizes may be expressions of them.
Result<Bindings> sizesOf(const Model& model, const std::map<ValueId, StoredTensor>& tensors)
{
    const auto misfit = [&](ValueId input, const TensorMeta& given) {
        return Error{ErrorCode::BadFormat, "the input '" + model.graph[input].name + "' is " +
                                               metaText(given) + ", the model takes " +
                                               metaText(*model.graph[input].meta)};
    };
    Bindings bindings;
    for (const auto& [input, tensor] : tensors)
        if (!bindSizes(*model.graph[input].meta, tensor.meta, bindings))
            return misfit(input, tensor.meta);
    for (const auto& [input, tensor] : tensors)
        if (!hasSizes(*model.graph[input].meta, tensor.meta, bindings))
            return misfit(input, tensor.meta);
    return bindings;
}

bool hasData(const SampleInput& sample)
{
    const auto isZero = [](const SymInt& size) { return size == SymInt(0); };
    return sample.tensor && (!sample.bytes.empty() || std::ranges::any_of(sample.tensor->sizes, isZero));
}

Result<void> checkNames(const Model& model, const WeightStore& stored)
{
    std::set<std::string> names;
    for (const ValueId input : tensorInputs(model))
        names.insert(model.graph[input].name);
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "'" : ", '") + name + "'";
    for (const std::string& name : names)
        if (!stored.find(name))
            return Error{ErrorCode::NotFound,
                         "the file has no tensor '" + name + "'; the model takes " + list};
    for (const std::string& name : stored.names())
        if (!names.contains(name))
            return Error{ErrorCode::NotFound,
                         "the model has no tensor input '" + name + "'; it takes " + list};
    return {};
}

} // namespace

Result<void> GivenInputs::unchanged() const
{
    for (const std::shared_ptr<const MappedFile>& file : files)
        STAGECRAFT_TRY(file->unchanged());
    return {};
}

GivenInputs exportedInputs(const Model& model, const Bindings& asked)
{
    GivenInputs given;
    std::size_t leaf = 0;
    for (const InputSpec& spec : model.signature.inputs) {
        if (!spec.isArgument())
            continue;
        if (leaf == model.sampleInputs.size())
            return {};
        const SampleInput& sample = model.sampleInputs[leaf++];
        if (!isTensor(model, spec))
            continue;
        if (!hasData(sample))
            return {};
        given.tensors.emplace(*spec.value, StoredTensor{*sample.tensor, StorageKey(0), sample.bytes});
        given.owners.push_back(sample.owner);
    }
    Result<Bindings> bindings = sizesOf(model, given.tensors);
    const auto isAsked = [&](const auto& exported) {
        const auto other = asked.find(exported.first);
        return other == asked.end() || other->second == exported.second;
    };
    if (!bindings.has_value() || !std::ranges::all_of(*bindings, isAsked))
        return {};
    given.bindings = *std::move(bindings);
    if (model.file)
        given.files.push_back(model.file);
    return given;
}

Result<GivenInputs> readInputs(const Model& model, const std::filesystem::path& file)
{
    STAGECRAFT_ASSIGN(read, readSafetensors({file}));
    const auto stored = std::make_shared<const WeightStore>(std::move(read));
    if (const Result<void> named = checkNames(model, *stored); !named.has_value())
        return inside(file.string(), named.error());
    GivenInputs given;
    given.owners.push_back(stored);
    given.files = stored->files();
    for (const ValueId input : tensorInputs(model))
        given.tensors.emplace(input, *stored->find(model.graph[input].name));
    Result<Bindings> bindings = sizesOf(model, given.tensors);
    if (!bindings.has_value())
        return inside(file.string(), bindings.error());
    given.bindings = *std::move(bindings);
    return given;
}

} // namespace stagecraft
