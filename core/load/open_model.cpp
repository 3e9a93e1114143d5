#include "core/load/open_model.h"

#include "core/load/error_context.h"
#include "core/load/file_notes.h"
#include "core/load/flat_zip.h"
#include "core/load/open_program.h"
#include "core/load/operator_aliasing.h"
#include "core/load/pt2_archive.h"
#include "core/load/state_dict.h"

#include <algorithm>
#include <iterator>

namespace stagecraft {

namespace {

// Of a zip that holds no model.
Error noProgram(const ZipArchive& archive, const OwnedBytes& file)
{
    const bool isTorchSave = std::ranges::any_of(
        archive.entries(), [](const ZipEntry& entry) { return entry.name.ends_with("/data.pkl"); });
    if (!isTorchSave)
        return {ErrorCode::BadFormat, "a zip archive, but it holds no exported program; save one in Python "
                                      "with torch.export.save(program, \"model.pt2\")"};
    WeightStore weights;
    if (addStateDict(file, weights).has_value())
        return {ErrorCode::BadFormat, "it holds weights only, no model: open the model itself, and give it "
                                      "these with --weights, or in the window with File > Attach weights"};
    return {ErrorCode::BadFormat,
            "torch.save() wrote it, of a module or other objects that only their own Python code can read; "
            "save the model with torch.export.save(program, \"model.pt2\"), or its state_dict() as weights"};
}

constexpr FileAdvice exportAgain{
    .damaged = "copy or download the file again, or export the model again (torch.export.save)",
    .unsupported = "export the model again without that, or with another version of PyTorch"};

Result<Model> readProgram(const OwnedBytes& file, const ZipArchive& archive, const AskedProgram& asked,
                          const Progress& progress)
{
    OperatorSchemas schemas;
    const AliasingOf aliasing = operatorAliasing(schemas);
    const bool isPackage = isPt2Archive(archive);
    if (!isPackage && !asked.program.empty())
        return Error{ErrorCode::BadUsage,
                     "holds one program, which has no name; it is not '" + asked.program + "'"};
    if (!isPackage && !isFlatZip(archive))
        return noProgram(archive, file);
    Result<Model> model = isPackage ? readPt2Archive(archive, asked, aliasing, progress)
                                    : readFlatZip(archive, asked.name, aliasing, progress);
    return model.has_value() ? std::move(model) : withAdvice(model.error(), exportAgain);
}

// Of what is no zip: by its name's ending, the way from there.
std::string noModel(const std::string& ending)
{
    if (ending == ".py")
        return "Python source, no model: File > Import makes one of it, as does stagecraft-cli import "
               "FILE.py:FACTORY -o model.pt2";
    if (ending == ".safetensors")
        return "weights only, no model: open the model itself, and give it these with --weights, or in the "
               "window with File > Attach weights";
    return "not a model file; save one in Python with torch.export.save(program, \"model.pt2\")";
}

Result<Model> readModel(const OwnedBytes& bytes, const AskedProgram& asked, const std::string& ending,
                        const Progress& progress)
{
    if (!looksLikeZip(bytes.bytes))
        return Error{ErrorCode::BadFormat, noModel(ending)};
    const Result<ZipArchive> archive = ZipArchive::open(bytes);
    if (!archive.has_value())
        return withAdvice(archive.error(), exportAgain);
    STAGECRAFT_ASSIGN(model, readProgram(bytes, *archive, asked, progress));
    std::ranges::copy(readFileNotes(*archive), std::back_inserter(model.provenance.notes));
    return model;
}

} // namespace

Result<Model> openModel(const std::filesystem::path& path, const Progress& progress)
{
    return openProgram(path, {}, progress);
}

Result<Model> openProgram(const std::filesystem::path& path, const std::string& program,
                          const Progress& progress)
{
    STAGECRAFT_ASSIGN(file, MappedFile::open(path));
    Result<Model> model = readModel({file->bytes(), file}, {path.stem().string(), program},
                                    path.extension().string(), progress);
    if (!model.has_value() && progress.stopRequested())
        return cancelled();
    STAGECRAFT_TRY(file->unchanged());
    if (!model.has_value())
        return inside(path.string(), model.error());
    model->provenance.path = path;
    model->file = std::move(file);
    return model;
}

} // namespace stagecraft
