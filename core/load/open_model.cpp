#include "core/load/open_model.h"

#include "core/load/error_context.h"
#include "core/load/file_notes.h"
#include "core/load/flat_zip.h"
#include "core/load/open_program.h"
#include "core/load/operator_aliasing.h"
#include "core/load/pt2_archive.h"

#include <algorithm>
#include <iterator>

namespace stagecraft {

namespace {

Result<Model> readProgram(const ZipArchive& archive, const AskedProgram& asked, const Progress& progress)
{
    OperatorSchemas schemas;
    const AliasingOf aliasing = operatorAliasing(schemas);
    if (isPt2Archive(archive))
        return readPt2Archive(archive, asked, aliasing, progress);
    if (!asked.program.empty())
        return Error{ErrorCode::BadUsage,
                     "holds one program, which has no name; it is not '" + asked.program + "'"};
    if (isFlatZip(archive))
        return readFlatZip(archive, asked.name, aliasing, progress);
    return Error{ErrorCode::BadFormat, "a zip archive, but it holds no exported program; save one in Python "
                                       "with torch.export.save(program, \"model.pt2\")"};
}

Result<Model> readModel(OwnedBytes bytes, const AskedProgram& asked, const Progress& progress)
{
    if (!looksLikeZip(bytes.bytes))
        return Error{ErrorCode::BadFormat,
                     "not a model file; save one in Python with torch.export.save(program, \"model.pt2\")"};
    STAGECRAFT_ASSIGN(archive, ZipArchive::open(std::move(bytes)));
    STAGECRAFT_ASSIGN(model, readProgram(archive, asked, progress));
    std::ranges::copy(readFileNotes(archive), std::back_inserter(model.provenance.notes));
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
    Result<Model> model = readModel({file->bytes(), file}, {path.stem().string(), program}, progress);
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
