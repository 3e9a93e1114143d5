#include "core/load/pt2_archive.h"

#include "core/load/error_context.h"
#include "core/load/exported_program.h"
#include "core/load/exported_types.h"
#include "core/load/first_ten.h"
#include "core/load/sample_inputs.h"
#include "core/load/stored_tensors.h"

#include <algorithm>
#include <unordered_map>

namespace stagecraft {

namespace {

constexpr std::string_view formatRecord = "archive_format";
constexpr std::string_view modelFolder = "models/";
constexpr std::string_view modelEnding = ".json";
constexpr std::string_view usualModel = "model";

// Finds records below the archive's root folder, whatever that is called.
class Pt2Records
{
public:
    explicit Pt2Records(const ZipArchive& archive) : m_archive(archive)
    {
        for (const ZipEntry& entry : archive.entries())
            if (entry.name.ends_with("/" + std::string(formatRecord)))
                m_root = entry.name.substr(0, entry.name.size() - formatRecord.size());
    }

    // With its slash; empty if the archive is none of these.
    const std::string& root() const { return m_root; }
    const ZipEntry* find(const std::string& path) const { return m_archive.find(m_root + path); }
    Result<OwnedBytes> read(const std::string& path, CrcCheck check = CrcCheck::Always) const
    {
        const ZipEntry* entry = find(path);
        if (!entry)
            return Error{ErrorCode::BadFormat, "the record " + path + " is missing; export the model again"};
        return m_archive.read(*entry, check);
    }
    std::vector<std::string> models() const
    {
        std::vector<std::string> names;
        const std::string folder = m_root + std::string(modelFolder);
        for (const ZipEntry& entry : m_archive.entries()) {
            const std::string_view path = entry.name;
            if (!path.starts_with(folder) || !path.ends_with(modelEnding))
                continue;
            const std::string_view name =
                path.substr(folder.size(), path.size() - folder.size() - modelEnding.size());
            if (name.find('/') == name.npos)
                names.emplace_back(name);
        }
        return names;
    }

private:
    const ZipArchive& m_archive;
    std::string m_root;
};

std::string listed(const std::vector<std::string>& names, std::string_view but = {})
{
    std::string list;
    for (const std::string& name : names)
        if (name != but)
            list += (list.empty() ? "" : ", ") + name;
    return list;
}

Result<std::string> chooseModel(const std::vector<std::string>& names, const std::string& asked)
{
    if (names.empty())
        return Error{ErrorCode::Unsupported,
                     "holds no exported program; a package compiled for inference cannot be opened"};
    if (!asked.empty() && std::ranges::find(names, asked) == names.end())
        return Error{ErrorCode::BadUsage, "holds no program '" + asked + "'; there are " + listed(names)};
    if (!asked.empty() || names.size() == 1)
        return asked.empty() ? names.front() : asked;
    if (std::ranges::find(names, usualModel) != names.end())
        return std::string(usualModel);
    return Error{ErrorCode::Unsupported,
                 "holds several programs (" + listed(names) +
                     "); say which (--program NAME of stagecraft-cli), or save the one to open in a file of "
                     "its own"};
}

// One folder of tensors with its configuration: data/weights or data/constants.
class TensorFolder
{
public:
    TensorFolder(const Pt2Records& records, std::string folder, StoredTensors& tensors)
        : m_records(records), m_folder(std::move(folder)), m_tensors(tensors)
    {
    }

    Result<void> read(const std::string& configName, const Progress& progress)
    {
        STAGECRAFT_ASSIGN(text, m_records.read(m_folder + configName));
        STAGECRAFT_ASSIGN(document, JsonDocument::parse(text.text()));
        STAGECRAFT_ASSIGN(members, document.root()["config"].members());
        STAGECRAFT_TRY(checkRecordsOf(members));
        std::size_t done = 0;
        for (const auto& [name, payload] : members) {
            STAGECRAFT_TRY(progress.step("Reading weights", done++, members.size()));
            const Result<void> read = readTensor(std::string(name), payload);
            if (!read.has_value())
                return inside(std::string(name), read.error());
        }
        return {};
    }

private:
    // All that are missing at once: of a file that was cut or put together by hand there are many.
    Result<void> checkRecordsOf(const std::vector<std::pair<std::string_view, JsonView>>& members) const
    {
        std::vector<std::string> missing;
        for (const auto& [name, payload] : members) {
            const auto path = payload["path_name"].string();
            if (path.has_value() && !isUnreadable(payload) && !m_records.find(m_folder + std::string(*path)))
                missing.push_back(std::string(name) + " (" + std::string(*path) + ")");
        }
        if (missing.empty())
            return {};
        return Error{ErrorCode::BadFormat,
                     m_folder + " has no record of " + firstTen(missing) + "; export the model again"};
    }

    static bool isUnreadable(const JsonView& payload)
    {
        return (payload["use_pickle"].isBool() && *payload["use_pickle"].boolean()) ||
               payload["tensor_meta"].isNull();
    }

    Result<void> readTensor(const std::string& name, const JsonView& payload)
    {
        STAGECRAFT_ASSIGN(path, payload["path_name"].string());
        if (isUnreadable(payload)) {
            m_tensors.addUnreadable(name);
            return {};
        }
        STAGECRAFT_ASSIGN(meta, m_sizes.readTensorMeta(payload["tensor_meta"]));
        STAGECRAFT_ASSIGN(storage, storageOf(std::string(path)));
        return m_tensors.add(name, meta, storage);
    }

    // One record is one storage, however many tensors lie in it.
    Result<StorageKey> storageOf(const std::string& path)
    {
        const auto known = m_storages.find(path);
        if (known != m_storages.end())
            return known->second;
        STAGECRAFT_ASSIGN(record, m_records.read(m_folder + path, CrcCheck::IfSmall));
        const StorageKey storage = m_tensors.addStorage(record);
        m_storages.emplace(path, storage);
        return storage;
    }

    const Pt2Records& m_records;
    std::string m_folder;
    StoredTensors& m_tensors;
    SizeReader m_sizes;
    std::unordered_map<std::string, StorageKey> m_storages;
};

Result<void> readFolder(const Pt2Records& records, const std::string& kind, const std::string& model,
                        StoredTensors& tensors, const Progress& progress)
{
    const std::string folder = "data/" + kind + "/";
    const std::string config = model + "_" + kind + "_config.json";
    // PyTorch 2.8 put all tensors into one pickle.
    const std::string pickled = folder + model + ".pt";
    if (records.find(folder + config) || !records.find(pickled))
        return TensorFolder(records, folder, tensors).read(config, progress);
    STAGECRAFT_ASSIGN(bytes, records.read(pickled, CrcCheck::IfSmall));
    const Result<void> read = tensors.addTorchSave(std::move(bytes));
    return read.has_value() ? read : inside(pickled, read.error());
}

} // namespace

bool isPt2Archive(const ZipArchive& archive)
{
    return !Pt2Records(archive).root().empty();
}

std::vector<std::string> programNames(const ZipArchive& archive)
{
    return Pt2Records(archive).models();
}

Result<Model> readPt2Archive(const ZipArchive& archive, const AskedProgram& asked, const AliasingOf& aliasing,
                             const Progress& progress)
{
    const Pt2Records records(archive);
    const std::vector<std::string> programs = records.models();
    STAGECRAFT_ASSIGN(chosen, chooseModel(programs, asked.program));
    const std::string name = asked.name + (asked.program.empty() ? "" : "-" + chosen);
    const std::string path = std::string(modelFolder) + chosen + std::string(modelEnding);
    STAGECRAFT_ASSIGN(json, records.read(path));
    Result<ExportedProgram> program = readExportedProgram(json.text(), name, aliasing, progress);
    if (!program.has_value())
        return inside(path, program.error());
    StoredTensors tensors;
    for (const char* kind : {"weights", "constants"})
        STAGECRAFT_TRY(readFolder(records, kind, chosen, tensors, progress));
    STAGECRAFT_ASSIGN(
        model, assembleModel(name, ContainerKind::Pt2Archive, std::move(*program), std::move(tensors)));
    const std::string samplesPath = "data/sample_inputs/" + chosen + ".pt";
    if (records.find(samplesPath)) {
        const Result<OwnedBytes> samples = records.read(samplesPath, CrcCheck::IfSmall);
        if (samples.has_value())
            model.sampleInputs = readSampleInputs(*samples, model.signature);
    }
    if (asked.program.empty() && programs.size() > 1)
        model.provenance.notes.push_back("the file holds other programs, too: " + listed(programs, chosen));
    return model;
}

} // namespace stagecraft
