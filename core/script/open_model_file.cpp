#include "core/script/open_model_file.h"

#include "core/load/error_context.h"
#include "core/load/open_program.h"
#include "core/script/read_script.h"
#include "core/script/script_archive.h"

namespace stagecraft {

namespace {

constexpr FileAdvice saveAgain{
    .damaged = "copy or download the file again, or save it again (torch.jit.save)",
    .unsupported = "export the model itself (torch.export.save, or stagecraft-cli import)"};

// None: the file is no TorchScript.
std::optional<Result<Model>> readScript(const std::filesystem::path& path,
                                        const std::vector<std::string>& inputs, const Progress& progress)
{
    Result<std::shared_ptr<const MappedFile>> file = MappedFile::open(path);
    if (!file.has_value() || !looksLikeZip((*file)->bytes()))
        return std::nullopt;
    const Result<ZipArchive> archive = ZipArchive::open({(*file)->bytes(), *file});
    if (!archive.has_value() || !isTorchScript(*archive))
        return std::nullopt;
    Result<Model> model = readTorchScript(*archive, path.stem().string(), inputs, progress);
    if (!model.has_value() && progress.stopRequested())
        return Result<Model>(cancelled());
    if (const Result<void> same = (*file)->unchanged(); !same.has_value())
        return Result<Model>(same.error());
    if (!model.has_value())
        return Result<Model>(inside(path.string(), withAdvice(model.error(), saveAgain)));
    model->provenance.path = path;
    model->file = *std::move(file);
    return model;
}

} // namespace

Result<Model> openModelFile(const std::filesystem::path& path, const OpenRequest& request,
                            const Progress& progress)
{
    if (std::optional<Result<Model>> model = readScript(path, request.inputs, progress))
        return model->has_value() && !request.program.empty()
                   ? Error{ErrorCode::BadUsage,
                           path.string() + ": --program is for a .pt2; TorchScript has one"}
                   : *std::move(model);
    if (!request.inputs.empty() && MappedFile::open(path).has_value())
        return Error{ErrorCode::BadUsage,
                     path.string() +
                         ": --input is for TorchScript; a .pt2 has the sizes of its inputs (--bind "
                         "sets those that vary)"};
    return openProgram(path, request.program, progress);
}

} // namespace stagecraft
