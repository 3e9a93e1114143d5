#include "core/load/flat_zip.h"

#include "core/load/error_context.h"
#include "core/load/sample_inputs.h"
#include "core/load/stored_tensors.h"

namespace stagecraft {

namespace {

constexpr const char* programRecord = "serialized_exported_program.json";

Result<OwnedBytes> readRecord(const ZipArchive& archive, const std::string& name, CrcCheck check)
{
    const ZipEntry* entry = archive.find(name);
    if (!entry)
        return Error{ErrorCode::BadFormat, "the record " + name + " is missing; export the model again"};
    return archive.read(*entry, check);
}

} // namespace

bool isFlatZip(const ZipArchive& archive)
{
    return archive.find(programRecord) != nullptr;
}

Result<Model> readFlatZip(const ZipArchive& archive, const std::string& name, const AliasingOf& aliasing,
                          const Progress& progress)
{
    STAGECRAFT_ASSIGN(json, readRecord(archive, programRecord, CrcCheck::Always));
    Result<ExportedProgram> program = readExportedProgram(json.text(), name, aliasing, progress);
    if (!program.has_value())
        return inside(programRecord, program.error());
    STAGECRAFT_TRY(progress.begin("Reading weights"));
    StoredTensors tensors;
    for (const std::string record : {"serialized_state_dict.pt", "serialized_constants.pt"}) {
        STAGECRAFT_ASSIGN(bytes, readRecord(archive, record, CrcCheck::IfSmall));
        const Result<void> read = tensors.addTorchSave(std::move(bytes));
        if (!read.has_value())
            return inside(record, read.error());
    }
    STAGECRAFT_ASSIGN(model,
                      assembleModel(name, ContainerKind::FlatZip, std::move(*program), std::move(tensors)));
    const Result<OwnedBytes> samples = readRecord(archive, "serialized_example_inputs.pt", CrcCheck::IfSmall);
    if (samples.has_value())
        model.sampleInputs = readSampleInputs(*samples, model.signature);
    return model;
}

} // namespace stagecraft
