#include "core/script/script_archive.h"

#include "core/load/error_context.h"
#include "core/script/code_check.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace stagecraft {

namespace {

constexpr std::uint64_t maxCodeBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t maxPickleBytes = std::uint64_t{256} << 20;
constexpr std::size_t oldestVersion = 3; // of PyTorch 1.4: those before have other records
constexpr std::string_view constantsName = "constants.pkl";
constexpr std::string_view typeTag = "torch.jit._pickle.restore_type_tag";

// The folder that all records lie in, with a slash behind it.
std::optional<std::string> rootOf(const ZipArchive& archive)
{
    for (const ZipEntry& entry : archive.entries()) {
        const std::size_t slash = entry.name.find('/');
        if (slash == entry.name.npos || entry.name.substr(slash + 1) != constantsName)
            continue;
        const std::string root = entry.name.substr(0, slash + 1);
        if (archive.find(root + "data.pkl"))
            return root;
    }
    return std::nullopt;
}

class ScriptArchiveReader
{
public:
    ScriptArchiveReader(const ZipArchive& archive, std::string root)
        : m_archive(archive), m_root(std::move(root))
    {
    }

    Result<ScriptArchive> read()
    {
        STAGECRAFT_TRY(readVersion());
        STAGECRAFT_TRY(readCode());
        STAGECRAFT_ASSIGN(modules, readPickle("data"));
        STAGECRAFT_ASSIGN(constants, readPickle("constants"));
        m_read.modules = std::move(modules);
        m_read.constants = std::move(constants);
        if (m_archive.find(m_root + "traced_inputs.pkl"))
            if (Result<PickleNode> traced = readPickle("traced_inputs"); traced.has_value())
                m_read.tracedInputs = *std::move(traced);
        return std::move(m_read);
    }

private:
    Result<void> readVersion()
    {
        if (const ZipEntry* order = m_archive.find(m_root + "byteorder")) {
            STAGECRAFT_ASSIGN(text, m_archive.read(*order));
            if (text.text() != "little")
                return Error{ErrorCode::Unsupported, "its bytes are in big-endian order"};
        }
        const ZipEntry* entry = m_archive.find(m_root + "version");
        entry = entry ? entry : m_archive.find(m_root + ".data/version");
        if (!entry)
            return Error{ErrorCode::BadFormat, "the record version is missing"};
        STAGECRAFT_ASSIGN(bytes, m_archive.read(*entry));
        const std::string_view text = bytes.text();
        const auto read = std::from_chars(text.data(), text.data() + text.size(), m_read.version);
        if (read.ec != std::errc{} || m_read.version < oldestVersion)
            return Error{ErrorCode::Unsupported,
                         "written before PyTorch 1.4; load it with PyTorch 1.4 or later "
                         "and save it again"};
        return {};
    }

    Result<void> readCode()
    {
        const std::string folder = m_root + "code/";
        std::uint64_t size = 0;
        for (const ZipEntry& entry : m_archive.entries()) {
            if (!entry.name.starts_with(folder) || !entry.name.ends_with(".py"))
                continue;
            size += entry.size;
            if (size > maxCodeBytes)
                return Error{ErrorCode::Unsupported, "it has more than 64 MiB of code"};
            STAGECRAFT_ASSIGN(bytes, m_archive.read(entry));
            const std::string path = entry.name.substr(m_root.size());
            if (const Result<void> checked = checkScriptCode(bytes.text()); !checked.has_value())
                return inside(path, checked.error());
            std::string name = entry.name.substr(folder.size());
            name.resize(name.size() - 3);
            std::ranges::replace(name, '/', '.');
            size += readLines(entry.name + ".debug_pkl", name, maxCodeBytes - size);
            m_read.code.emplace(std::move(name), bytes.text());
        }
        return {};
    }

    // What nobody can read is only missing where places are named. Gives the bytes that were looked at.
    std::uint64_t readLines(const std::string& record, const std::string& module, std::uint64_t most)
    {
        const ZipEntry* entry = m_archive.find(record);
        if (!entry || entry->size > most)
            return 0;
        const Result<OwnedBytes> bytes = m_archive.read(*entry);
        if (!bytes.has_value())
            return 0;
        const auto none = [](const std::string&, std::int64_t) -> Result<std::size_t> {
            return Error{ErrorCode::BadFormat, "lines of code hold no tensors"};
        };
        if (Result<PickleNode> lines = unpickle(bytes->bytes, none); lines.has_value())
            m_read.lines.emplace(module, *std::move(lines));
        return entry->size;
    }

    // "data.pkl", whose tensors lie in "data/".
    Result<PickleNode> readPickle(const std::string& name)
    {
        const ZipEntry* entry = m_archive.find(m_root + name + ".pkl");
        if (!entry)
            return Error{ErrorCode::BadFormat, "the record " + name + ".pkl is missing"};
        if (entry->size > maxPickleBytes)
            return Error{ErrorCode::Unsupported, name + ".pkl: the pickle is too large"};
        STAGECRAFT_ASSIGN(bytes, m_archive.read(*entry));
        const auto find = [&](const std::string& key, std::int64_t size) {
            return findStorage(m_root + name + "/" + key, size);
        };
        Result<PickleNode> value = unpickle(bytes.bytes, find);
        return value.has_value() ? value : Result<PickleNode>(inside(name + ".pkl", value.error()));
    }

    Result<std::size_t> findStorage(const std::string& name, std::int64_t byteSize)
    {
        const auto [known, isNew] = m_known.try_emplace(name, m_read.storages.size());
        if (isNew) {
            const ZipEntry* record = m_archive.find(name);
            if (!record)
                return Error{ErrorCode::BadFormat, "the record " + name + " is missing"};
            STAGECRAFT_ASSIGN(bytes, m_archive.read(*record, CrcCheck::IfSmall));
            m_read.storages.push_back(std::move(bytes));
        }
        const bool isShape = m_read.storages[known->second].bytes.empty(); // as traced inputs are kept
        if (!isShape && static_cast<std::uint64_t>(byteSize) > m_read.storages[known->second].bytes.size())
            return Error{ErrorCode::BadFormat, "the record " + name + " is shorter than the tensors in it"};
        return known->second;
    }

    const ZipArchive& m_archive;
    std::string m_root;
    ScriptArchive m_read;
    std::unordered_map<std::string, std::size_t> m_known;
};

} // namespace

bool isTorchScript(const ZipArchive& archive)
{
    return rootOf(archive).has_value();
}

const PickleValue& untagged(const PickleValue& value)
{
    const bool isTag = value.kind == PickleValue::Kind::Object &&
                       (value.text == typeTag || value.text.starts_with("torch.jit._pickle.build_"));
    if (!isTag || value.elements.empty() || value.elements.front()->elements.empty())
        return value;
    return untagged(*value.elements.front()->elements.front());
}

Result<ScriptArchive> readScriptArchive(const ZipArchive& archive)
{
    const std::optional<std::string> root = rootOf(archive);
    if (!root)
        return Error{ErrorCode::BadFormat, "no TorchScript file: it has no constants.pkl"};
    return ScriptArchiveReader(archive, *root).read();
}

} // namespace stagecraft
