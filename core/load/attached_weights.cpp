#include "core/load/attached_weights.h"

#include "core/load/weight_files.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <set>

namespace stagecraft {

namespace {

// ---------------------------------------------------------------- what does not fit
struct Misfits
{
    std::vector<std::string> missing;
    bool isAnyOutsideState = false; // of those missing
    std::vector<std::string> extra;
    std::vector<std::string> otherwise; // "w is f32[8] in the files, f32[4] in the model"
};

std::string andMore(const std::vector<std::string>& items)
{
    return items.front() + (items.size() > 1 ? " (and " + std::to_string(items.size() - 1) + " more)" : "");
}

Result<void> checkFit(const Misfits& misfits)
{
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    if (!misfits.missing.empty())
        add("the files have no tensor " + andMore(misfits.missing));
    if (misfits.isAnyOutsideState)
        add("what a state dict leaves out must be in a file of its own, saved from named_buffers()");
    if (!misfits.extra.empty())
        add("the model has no tensor " + andMore(misfits.extra));
    if (!misfits.otherwise.empty())
        add("the tensor " + andMore(misfits.otherwise));
    if (text.empty())
        return {};
    return Error{misfits.missing.empty() ? ErrorCode::BadFormat : ErrorCode::NotFound, text};
}

// ---------------------------------------------------------------- tensors
// Lays row-major elements out with other strides: dimension by dimension.
void scatter(const std::byte*& source, std::byte* target, const TensorMeta& meta, std::size_t dimension)
{
    const auto itemBytes = static_cast<std::size_t>(itemSize(meta.dtype));
    if (dimension == meta.sizes.size()) {
        std::memcpy(target, source, itemBytes);
        source += itemBytes;
        return;
    }
    const std::int64_t step = meta.strides[dimension].constant() * itemSize(meta.dtype);
    for (std::int64_t i = 0; i < meta.sizes[dimension].constant(); ++i)
        scatter(source, target + i * step, meta, dimension + 1);
}

// Elements from the first to the last; none where they take more room than the tensor has elements.
std::optional<std::size_t> extentOf(const TensorMeta& meta)
{
    const Result<std::int64_t> count = elementCount(meta, {});
    if (!count.has_value() || meta.strides.size() != meta.sizes.size())
        return std::nullopt;
    std::int64_t reached = 1;
    for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
        std::int64_t step = 0;
        const std::int64_t stride = meta.strides[i].isConstant() ? meta.strides[i].constant() : -1;
        if (stride < 0 || __builtin_mul_overflow(meta.sizes[i].constant() - 1, stride, &step) ||
            __builtin_add_overflow(reached, step, &reached) || reached > *count)
            return std::nullopt;
    }
    return static_cast<std::size_t>(reached);
}

bool sameBytes(const StoredTensor& a, const StoredTensor& b)
{
    return a.meta.dtype == b.meta.dtype && a.meta.sizes == b.meta.sizes && a.meta.strides == b.meta.strides &&
           a.meta.storageOffset == b.meta.storageOffset && std::ranges::equal(a.bytes, b.bytes);
}

// Gives one tensor after the other to the store of the files.
class Attachment
{
public:
    Attachment(const Model& model, WeightStore loaded)
        : m_model(model),
          m_loaded(std::move(loaded)),
          m_result(m_loaded),
          m_own(std::make_shared<const WeightStore>(model.weights))
    {
        for (const ParameterGroup& group : parameterGroups(model))
            for (const std::string& name : group.names)
                m_tiedNames[name] = group.names;
        for (const InputSpec& spec : model.signature.inputs)
            if (spec.kind == InputSpec::Kind::Constant || !spec.persistent)
                m_outsideState.insert(spec.target);
    }

    const std::vector<std::string>& notes() const { return m_notes; }

    Result<WeightStore> weights()
    {
        const std::vector<std::string> known = m_model.weights.names();
        for (const std::string& name : known)
            STAGECRAFT_TRY(take(name));
        for (const std::string& name : m_loaded.names())
            if (!std::ranges::binary_search(known, name))
                m_misfits.extra.push_back(name);
        STAGECRAFT_TRY(checkFit(m_misfits));
        return std::move(m_result);
    }

private:
    void noteApart(const std::string& name, const std::string& other);
    Result<void> take(const std::string& name);
    std::optional<StoredTensor> find(const std::string& name);
    Result<void> addLaidOut(const std::string& name, const TensorMeta& meta, const StoredTensor& tensor);

    const Model& m_model;
    const WeightStore m_loaded;
    WeightStore m_result;
    const std::shared_ptr<const WeightStore> m_own; // keeps what stays as it is
    std::map<std::string, std::vector<std::string>> m_tiedNames;
    std::set<std::string> m_outsideState;
    Misfits m_misfits;
    std::vector<std::string> m_notes;
};

// Where the model has no numbers, nobody knows whether a tensor that it does not use is tied to another.
void Attachment::noteApart(const std::string& name, const std::string& other)
{
    if (m_tiedNames[name].front() != name)
        m_notes.push_back(name + " is not " + other + " in the files, and the model computes with " + other +
                          " alone");
}

// The first of the names of one tensor that the files have speaks for all.
std::optional<StoredTensor> Attachment::find(const std::string& name)
{
    std::optional<StoredTensor> own = m_loaded.find(name);
    for (const std::string& other : m_tiedNames[name])
        if (std::optional<StoredTensor> tensor = m_loaded.find(other)) {
            if (!own || sameBytes(*own, *tensor))
                return tensor;
            if (m_model.weights.hasData())
                m_misfits.otherwise.push_back(name + " is the same as " + other +
                                              " in the model, and another in the files");
            else
                noteApart(name, other);
            return own;
        }
    return own;
}

Result<void> Attachment::take(const std::string& name)
{
    const StoredTensor declared = *m_model.weights.find(name);
    const std::optional<StoredTensor> tensor = find(name);
    const bool isOutside = m_outsideState.contains(name);
    if (!tensor) {
        if (isOutside && !declared.bytes.empty())
            return m_result.addTensor(name, declared.meta, m_result.addStorage(declared.bytes, m_own));
        m_misfits.missing.push_back(name);
        m_misfits.isAnyOutsideState |= isOutside;
        return {};
    }
    if (tensor->meta.dtype != declared.meta.dtype || tensor->meta.sizes != declared.meta.sizes) {
        m_misfits.otherwise.push_back(name + " is " + metaText(tensor->meta) + " in the files, " +
                                      metaText(declared.meta) + " in the model");
        return {};
    }
    TensorMeta meta = tensor->meta;
    meta.requiresGrad = declared.meta.requiresGrad;
    meta.device = declared.meta.device; // wherever it was saved
    if (meta.strides == declared.meta.strides)
        return m_result.addTensor(name, meta, tensor->storage);
    meta.strides = declared.meta.strides;
    return addLaidOut(name, meta, *tensor);
}

// Files are row-major; the model may rely on other strides.
Result<void> Attachment::addLaidOut(const std::string& name, const TensorMeta& meta,
                                    const StoredTensor& tensor)
{
    const std::optional<std::size_t> extent = extentOf(meta);
    if (!extent)
        return Error{ErrorCode::Unsupported,
                     "the tensor " + name + " lies in the model with strides that a file cannot have"};
    const std::size_t size =
        tensor.bytes.empty() ? 0 : *extent * static_cast<std::size_t>(itemSize(meta.dtype));
    const std::shared_ptr<std::byte[]> memory(new std::byte[size]);
    const std::byte* source =
        tensor.bytes.data() + tensor.meta.storageOffset.constant() * itemSize(meta.dtype);
    if (size > 0)
        scatter(source, memory.get(), meta, 0);
    TensorMeta laidOut = meta;
    laidOut.storageOffset = 0;
    return m_result.addTensor(name, laidOut, m_result.addStorage({memory.get(), size}, memory));
}

} // namespace

Result<void> attachWeights(Model& model, const std::vector<std::filesystem::path>& files)
{
    STAGECRAFT_ASSIGN(loaded, readWeights(files));
    Attachment attachment(model, std::move(loaded));
    STAGECRAFT_ASSIGN(weights, attachment.weights());
    model.weights = std::move(weights);
    std::ranges::copy(attachment.notes(), std::back_inserter(model.provenance.notes));
    return {};
}

} // namespace stagecraft
