#include "core/stage/pt2_writer.h"

#include "core/stage/exported_json.h"
#include "core/stage/stage_tensors.h"

#include <caffe2/serialize/inline_container.h>

#include <optional>

namespace stagecraft {

namespace {

constexpr std::uint64_t archiveVersion = 6;

// The zip writer of PyTorch over an OutputFile. Its destructor writes the end of the archive and cannot fail,
// so after a failure it is left to write to nowhere.
class ArchiveWriter
{
public:
    explicit ArchiveWriter(OutputFile& file)
        : m_writer([this, &file](const void* data, std::size_t size) {
              if (m_written.has_value())
                  m_written = file.write(std::span(static_cast<const std::byte*>(data), size));
              return size;
          })
    {
        m_writer.setMinVersion(archiveVersion);
    }

    Result<void> add(const std::string& name, std::span<const std::byte> bytes)
    {
        m_writer.writeRecord(name, bytes.data(), bytes.size());
        return m_written;
    }
    Result<void> add(const std::string& name, std::string_view text)
    {
        return add(name, std::as_bytes(std::span(text)));
    }
    Result<void> finish()
    {
        m_writer.writeEndOfFile();
        return m_written;
    }

private:
    Result<void> m_written;
    caffe2::serialize::PyTorchStreamWriter m_writer;
};

// One of the two tables of tensors: weights, or constants.
struct TensorTable
{
    std::string folder; // "data/weights/"
    std::string prefix; // "weight_"
    Json config = Json::object();
};

Json configEntry(const StageTensor& tensor, const std::string& record)
{
    TensorMeta meta = tensor.tensor.meta;
    meta.storageOffset = 0; // only the used part of the storage is written
    meta.requiresGrad = tensor.isParameter && meta.requiresGrad;
    return {{"path_name", record},
            {"is_param", tensor.isParameter},
            {"use_pickle", false},
            {"tensor_meta", tensorMetaJson(meta)}};
}

Result<void> addTensors(ArchiveWriter& archive, const std::vector<StageTensor>& tensors,
                        const Progress& progress)
{
    TensorTable weights{"data/weights/", "weight_"};
    TensorTable constants{"data/constants/", "tensor_"};
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        STAGECRAFT_TRY(progress.step("Writing weights", i, tensors.size()));
        const bool isWeight = tensors[i].isParameter || tensors[i].persistent;
        TensorTable& table = isWeight ? weights : constants;
        const bool isAlias = !tensors[i].aliasOf.empty();
        const std::string record = isAlias ? table.config[tensors[i].aliasOf]["path_name"].get<std::string>()
                                           : table.prefix + std::to_string(table.config.size());
        table.config[tensors[i].name] = configEntry(tensors[i], record);
        if (isAlias)
            continue;
        STAGECRAFT_TRY(archive.add(table.folder + record, usedBytes(tensors[i].tensor)));
    }
    const auto addTable = [&](const char* name, const TensorTable& table) {
        return archive.add(table.folder + name, jsonText(Json{{"config", table.config}}));
    };
    STAGECRAFT_TRY(addTable("model_weights_config.json", weights));
    return addTable("model_constants_config.json", constants);
}

Result<void> writeArchive(ArchiveWriter& archive, const Model& model, const StageProgram& program,
                          const Progress& progress, const ExtraFiles& extraFiles)
{
    STAGECRAFT_ASSIGN(tensors, stageTensors(model, program));
    STAGECRAFT_TRY(archive.add("archive_format", "pt2"));
    STAGECRAFT_TRY(archive.add("archive_version", "0"));
    STAGECRAFT_TRY(addTensors(archive, tensors, progress));
    STAGECRAFT_TRY(archive.add("data/sample_inputs/model.pt", std::string_view()));
    STAGECRAFT_TRY(archive.add("models/model.json", stageJson(model, program)));
    for (const auto& [name, text] : extraFiles)
        STAGECRAFT_TRY(archive.add("extra/" + name, text));
    return archive.finish();
}

} // namespace

Result<void> writeStagePt2(OutputFile& file, const Model& model, const StageProgram& program,
                           const Progress& progress, const ExtraFiles& extraFiles)
{
    try {
        ArchiveWriter archive(file);
        return writeArchive(archive, model, program, progress, extraFiles);
    } catch (const std::exception& failure) {
        return Error{ErrorCode::Unreadable, file.path().string() + ": cannot be written: " + failure.what()};
    }
}

} // namespace stagecraft
