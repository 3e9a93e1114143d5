#include "core/load/attached_weights.h"

#include "core/load/first_ten.h"
#include "core/load/float_cast.h"
#include "core/load/weight_files.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <unistd.h>
#include <utility>

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

Result<void> checkFit(const Misfits& misfits)
{
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    if (!misfits.missing.empty())
        add("the files have no tensor " + firstTen(misfits.missing));
    if (misfits.isAnyOutsideState)
        add("what a state dict leaves out must be in a file of its own, saved from named_buffers()");
    if (!misfits.otherwise.empty())
        add("the tensor " + firstTen(misfits.otherwise));
    if (text.empty()) // what the model does not use does no harm
        return {};
    if (!misfits.extra.empty())
        add("the model has no tensor " + firstTen(misfits.extra));
    return Error{misfits.missing.empty() ? ErrorCode::BadFormat : ErrorCode::NotFound, text};
}

// ---------------------------------------------------------------- names
// Files are of a model that was wrapped in another ("module." of DistributedDataParallel), or of a part.
struct Prefix
{
    std::string inFiles; // before every name there, and not here
    std::string inModel; // the other way round

    std::string inFile(const std::string& name) const
    {
        return name.starts_with(inModel) ? inFiles + name.substr(inModel.size()) : name;
    }
};

std::size_t countFound(const Prefix& prefix, const std::vector<std::string>& names, const WeightStore& files)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        names, [&](const std::string& name) { return files.find(prefix.inFile(name)).has_value(); }));
}

// The one with which the files have most of the names; none before one that is no better.
Prefix commonPrefix(const std::vector<std::string>& names, const WeightStore& files)
{
    Prefix best;
    std::size_t most = countFound(best, names, files);
    if (names.empty() || most > 0)
        return best;
    const auto consider = [&](Prefix prefix) {
        if (const std::size_t found = countFound(prefix, names, files); found > most) {
            most = found;
            best = std::move(prefix);
        }
    };
    const std::string& first = names.front();
    for (const std::string& file : files.names()) {
        if (file.ends_with('.' + first))
            consider({.inFiles = file.substr(0, file.size() - first.size()), .inModel = {}});
        if (first.ends_with('.' + file))
            consider({.inFiles = {}, .inModel = first.substr(0, first.size() - file.size())});
    }
    return best;
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

Bytes mostCast()
{
    return Bytes(std::int64_t{sysconf(_SC_PHYS_PAGES)} / 2 * sysconf(_SC_PAGESIZE));
}

// Gives one tensor after the other to the store of the files.
class Attachment
{
public:
    Attachment(const Model& model, WeightStore loaded)
        : m_model(model),
          m_loaded(std::make_shared<const WeightStore>(std::move(loaded))),
          m_prefix(commonPrefix(model.weights.names(), *m_loaded)),
          m_own(std::make_shared<const WeightStore>(model.weights))
    {
        for (const std::shared_ptr<const MappedFile>& file : m_loaded->files())
            m_result.addFile(file);
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
        std::set<std::string> used;
        for (const std::string& name : m_model.weights.names()) {
            STAGECRAFT_TRY(take(name));
            used.insert(m_prefix.inFile(name));
        }
        for (const std::string& name : m_loaded->names())
            if (!used.contains(name))
                m_misfits.extra.push_back(name);
        STAGECRAFT_TRY(checkFit(m_misfits));
        noteCasts();
        if (!m_misfits.extra.empty())
            m_notes.push_back("left out of the files, as the model has no such tensor: " +
                              firstTen(m_misfits.extra));
        if (!m_prefix.inFiles.empty() || !m_prefix.inModel.empty())
            m_notes.push_back("names begin with '" + m_prefix.inFiles + "' in the files, and with '" +
                              m_prefix.inModel + "' in the model: they are taken for the same");
        return std::move(m_result);
    }

private:
    void noteApart(const std::string& name, const std::string& other);
    Result<void> take(const std::string& name);
    std::optional<StoredTensor> find(const std::string& name);
    Result<void> addLaidOut(const std::string& name, const TensorMeta& meta, const StoredTensor& tensor);
    Result<void> addCast(const std::string& name, const TensorMeta& declared, const StoredTensor& tensor);
    StorageKey storageOf(const StoredTensor& tensor);
    void noteCasts();

    const Model& m_model;
    const std::shared_ptr<const WeightStore> m_loaded; // keeps what is taken of it
    const Prefix m_prefix;
    WeightStore m_result;
    std::map<StorageKey, StorageKey> m_storages; // of the files, in the result
    std::map<std::pair<DType, DType>, std::size_t> m_casts;
    Bytes m_castBytes;
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
    std::optional<StoredTensor> own = m_loaded->find(m_prefix.inFile(name));
    for (const std::string& other : m_tiedNames[name])
        if (std::optional<StoredTensor> tensor = m_loaded->find(m_prefix.inFile(other))) {
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
    const bool isCast = tensor->meta.dtype != declared.meta.dtype &&
                        tensor->meta.sizes == declared.meta.sizes &&
                        canCast(tensor->meta.dtype, declared.meta.dtype);
    if (isCast)
        return addCast(name, declared.meta, *tensor);
    if (tensor->meta.dtype != declared.meta.dtype || tensor->meta.sizes != declared.meta.sizes) {
        m_misfits.otherwise.push_back(name + " is " + metaText(tensor->meta) + " in the files, " +
                                      metaText(declared.meta) + " in the model");
        return {};
    }
    TensorMeta meta = tensor->meta;
    meta.requiresGrad = declared.meta.requiresGrad;
    meta.device = declared.meta.device; // wherever it was saved
    if (meta.strides == declared.meta.strides)
        return m_result.addTensor(name, meta, storageOf(*tensor));
    meta.strides = declared.meta.strides;
    return addLaidOut(name, meta, *tensor);
}

// What was cast lies in memory, not in the file.
Result<void> Attachment::addCast(const std::string& name, const TensorMeta& declared,
                                 const StoredTensor& tensor)
{
    const auto itemBytes = static_cast<std::size_t>(itemSize(tensor.meta.dtype));
    STAGECRAFT_ASSIGN(count, elementCount(declared, {}));
    const auto elements = static_cast<std::size_t>(count);
    const std::size_t size = elements * static_cast<std::size_t>(itemSize(declared.dtype));
    m_castBytes += Bytes(static_cast<std::int64_t>(size));
    if (m_castBytes > mostCast())
        return Error{ErrorCode::Unsupported,
                     "the files have " + std::string(shortName(tensor.meta.dtype)) + " where the model has " +
                         std::string(shortName(declared.dtype)) +
                         ", and cast they take more than half of the "
                         "machine's memory; save them in the model's type, or export the model in theirs"};
    const std::shared_ptr<std::byte[]> memory(new std::byte[size]);
    const std::size_t offset = static_cast<std::size_t>(tensor.meta.storageOffset.constant()) * itemBytes;
    castFloats(tensor.bytes.subspan(offset, elements * itemBytes), tensor.meta.dtype, {memory.get(), size},
               declared.dtype);
    ++m_casts[{tensor.meta.dtype, declared.dtype}];
    TensorMeta meta = tensor.meta;
    meta.dtype = declared.dtype;
    meta.storageOffset = 0;
    meta.requiresGrad = declared.requiresGrad;
    meta.device = declared.device;
    if (meta.strides == declared.strides)
        return m_result.addTensor(name, meta, m_result.addStorage({memory.get(), size}, memory));
    const StoredTensor cast{.meta = meta, .storage = StorageKey(0), .bytes = {memory.get(), size}};
    meta.strides = declared.strides;
    return addLaidOut(name, meta, cast);
}

void Attachment::noteCasts()
{
    for (const auto& [types, count] : m_casts)
        m_notes.push_back(std::to_string(count) + (count == 1 ? " tensor is " : " tensors are ") +
                          std::string(shortName(types.first)) + " in the files and " +
                          std::string(shortName(types.second)) + " in the model: cast to that");
}

StorageKey Attachment::storageOf(const StoredTensor& tensor)
{
    if (const auto known = m_storages.find(tensor.storage); known != m_storages.end())
        return known->second;
    return m_storages.emplace(tensor.storage, m_result.addStorage(tensor.bytes, m_loaded)).first->second;
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
