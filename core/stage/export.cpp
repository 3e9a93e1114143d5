#include "core/stage/export.h"

#include "core/base/contains.h"
#include "core/base/output_file.h"
#include "core/partition/stage_labels.h"
#include "core/stage/checkpoint_regions.h"
#include "core/stage/cut.h"
#include "core/stage/manifest.h"
#include "core/stage/pipeline_script.h"
#include "core/stage/pt2_writer.h"
#include "core/stage/python_code.h"
#include "core/stage/safetensors_writer.h"
#include "core/stage/stage_tensors.h"
#include "core/stage/writable.h"

#include <algorithm>
#include <system_error>
#include <unistd.h>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t zipOverheadPerTensor = 512; // headers, padding to 64 bytes, configuration
constexpr std::int64_t zipOverhead = 2048;

Error cannot(const fs::path& path, const std::string& what, const std::error_code& reason)
{
    return {ErrorCode::Unreadable, path.string() + ": " + what + ": " + reason.message()};
}

// A folder beside the wanted one that disappears, unless it takes the wanted one's place in the end.
class TemporaryFolder
{
public:
    static Result<std::unique_ptr<TemporaryFolder>> besides(const fs::path& wanted)
    {
        std::error_code failure;
        const fs::path parent = fs::absolute(wanted).lexically_normal().parent_path();
        std::unique_ptr<TemporaryFolder> folder(new TemporaryFolder);
        for (fs::path missing = parent; !missing.empty() && !fs::exists(missing, failure);
             missing = missing.parent_path())
            folder->m_madeParents.push_back(missing);
        fs::create_directories(parent, failure);
        if (failure)
            return cannot(parent, "the folder cannot be made", failure);
        folder->m_path = parent / ("." + wanted.filename().string() + ".partial-" + std::to_string(getpid()));
        fs::remove_all(folder->m_path, failure);
        fs::create_directory(folder->m_path, failure);
        if (failure)
            return cannot(parent, "nothing can be written there", failure);
        return folder;
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
        for (const fs::path& parent : m_madeParents)
            fs::remove(parent, ignored); // only if nothing is in it
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const fs::path& path() const { return m_path; }

    // The old export, if there is one, is moved aside first, so that it is there until the new one is.
    Result<void> takePlaceOf(const fs::path& wanted)
    {
        std::error_code failure;
        const fs::path aside = m_path.string() + "-old";
        const bool isReplaced = fs::exists(wanted, failure);
        if (isReplaced)
            fs::rename(wanted, aside, failure);
        if (!failure)
            fs::rename(m_path, wanted, failure);
        if (failure) {
            std::error_code ignored;
            if (isReplaced && !fs::exists(wanted, ignored))
                fs::rename(aside, wanted, ignored);
            return cannot(wanted, "cannot be put in place", failure);
        }
        fs::remove_all(aside, failure);
        return {};
    }

private:
    TemporaryFolder() = default;

    fs::path m_path;
    std::vector<fs::path> m_madeParents; // deepest first
};

fs::path cleanFolder(const fs::path& folder)
{
    const fs::path clean = fs::absolute(folder).lexically_normal();
    return clean.has_filename() ? clean : clean.parent_path();
}

// Nothing of the user's is replaced: only what does not exist, is empty, or is an export.
Result<void> checkFolder(const fs::path& folder)
{
    std::error_code failure;
    const fs::file_status status = fs::status(folder, failure);
    if (status.type() == fs::file_type::not_found)
        return {};
    if (!fs::is_directory(status))
        return Error{ErrorCode::Unreadable, folder.string() + ": there is a file of that name"};
    if (fs::exists(folder / "manifest.json", failure) || (fs::is_empty(folder, failure) && !failure))
        return {};
    return Error{ErrorCode::Unreadable,
                 folder.string() + ": holds other files; choose an empty folder or an earlier export"};
}

// PyTorch runs what is written.
Result<void> checkContent(const Model& model, const ExportOptions& options)
{
    STAGECRAFT_TRY(checkWritable(model));
    return contains(options.formats, StageFormat::Pt2) ? checkLoadable(model) : Result<void>();
}

class Exporter
{
public:
    Exporter(const Model& model, std::vector<StageProgram> programs, LossOutput loss,
             const ExportOptions& options)
        : m_model(model), m_programs(std::move(programs)), m_loss(std::move(loss)), m_options(options)
    {
        for (const StageProgram& program : m_programs)
            m_files.push_back(filesOf(program));
    }

    Result<std::vector<ExportedFile>> plan(const Progress& progress) const;
    Result<ExportReport> write(const Progress& progress) const;

private:
    bool wants(StageFormat format) const
    {
        return std::ranges::find(m_options.formats, format) != m_options.formats.end();
    }
    StageFiles filesOf(const StageProgram& program) const
    {
        const std::string stem = "stage_" + std::to_string(program.stage.index());
        const bool hasWeights = wants(StageFormat::Python) && !m_model.structureOnly();
        return {wants(StageFormat::Python) ? stem + ".py" : "", wants(StageFormat::Pt2) ? stem + ".pt2" : "",
                hasWeights ? stem + ".safetensors" : ""};
    }
    Result<std::string> codeOf(const StageProgram& program) const;
    Result<std::vector<NamedTensor>> weightsOf(const StageProgram& program) const;
    Result<Bytes> pt2Size(const StageProgram& program) const;
    Result<void> writeStage(const fs::path& folder, const StageProgram& program, ExportReport& report,
                            const Progress& progress) const;
    std::vector<std::string> notes() const;
    std::string regionsLeftOut() const;

    const Model& m_model;
    const std::vector<StageProgram> m_programs;
    const LossOutput m_loss;
    const ExportOptions& m_options;
    std::vector<StageFiles> m_files;
};

Result<std::string> Exporter::codeOf(const StageProgram& program) const
{
    StageCode code = stageCode(m_model, program);
    if (!code.refusals.empty())
        return Error{ErrorCode::Unsupported, code.refusals.front()};
    return std::move(code.text);
}

// Wide types first, so that every tensor starts at a multiple of its item size.
Result<std::vector<NamedTensor>> Exporter::weightsOf(const StageProgram& program) const
{
    STAGECRAFT_ASSIGN(tensors, stageTensors(m_model, program));
    std::vector<NamedTensor> named;
    for (const StageTensor& tensor : tensors)
        named.push_back({tensor.name, tensor.tensor});
    std::ranges::stable_sort(named, std::greater(),
                             [](const NamedTensor& tensor) { return itemSize(tensor.tensor.meta.dtype); });
    return named;
}

Result<Bytes> Exporter::pt2Size(const StageProgram& program) const
{
    STAGECRAFT_ASSIGN(tensors, stageTensors(m_model, program));
    const std::string json = stageJson(m_model, program);
    Bytes size(static_cast<std::int64_t>(json.size()) + zipOverhead);
    for (const StageTensor& tensor : tensors)
        size += Bytes(static_cast<std::int64_t>(usedBytes(tensor.tensor).size()) + zipOverheadPerTensor);
    return size;
}

Result<std::vector<ExportedFile>> Exporter::plan(const Progress& progress) const
{
    std::vector<ExportedFile> planned;
    const auto add = [&](const std::string& name, std::size_t size) {
        planned.push_back({name, Bytes(static_cast<std::int64_t>(size))});
    };
    add("manifest.json", manifestJson(m_model, m_programs, m_files, m_loss).size());
    if (wants(StageFormat::Python))
        add("pipeline.py", pipelineScript().size());
    for (const StageProgram& program : m_programs) {
        STAGECRAFT_TRY(progress.step("Measuring", program.stage.index(), m_programs.size()));
        const StageFiles& files = m_files[program.stage.index()];
        if (!files.code.empty()) {
            STAGECRAFT_ASSIGN(code, codeOf(program));
            add(files.code, code.size());
        }
        if (!files.weights.empty()) {
            STAGECRAFT_ASSIGN(weights, weightsOf(program));
            STAGECRAFT_ASSIGN(header, safetensorsHeader(weights, {{"format", "pt"}}));
            std::size_t size = header.size();
            for (const NamedTensor& weight : weights)
                size += static_cast<std::size_t>(byteSize(weight.tensor.meta, {}).value().count());
            add(files.weights, size);
        }
        if (!files.program.empty()) {
            STAGECRAFT_ASSIGN(size, pt2Size(program));
            planned.push_back({files.program, size});
        }
    }
    return planned;
}

Result<void> Exporter::writeStage(const fs::path& folder, const StageProgram& program, ExportReport& report,
                                  const Progress& progress) const
{
    const StageFiles& files = m_files[program.stage.index()];
    if (!files.code.empty()) {
        STAGECRAFT_ASSIGN(code, codeOf(program));
        STAGECRAFT_ASSIGN(size, writeTextFile(folder / files.code, code));
        report.files.push_back({files.code, size});
    }
    if (!files.weights.empty()) {
        STAGECRAFT_ASSIGN(weights, weightsOf(program));
        STAGECRAFT_ASSIGN(file, OutputFile::create(folder / files.weights, progress));
        STAGECRAFT_TRY(writeSafetensors(file, weights, {{"format", "pt"}}, progress));
        STAGECRAFT_TRY(file.close());
        report.files.push_back({files.weights, file.size()});
    }
    if (!files.program.empty()) {
        STAGECRAFT_ASSIGN(file, OutputFile::create(folder / files.program, progress));
        STAGECRAFT_TRY(writeStagePt2(file, m_model, program, progress));
        STAGECRAFT_TRY(file.close());
        report.files.push_back({files.program, file.size()});
    }
    return {};
}

std::vector<std::string> Exporter::notes() const
{
    std::vector<std::string> notes;
    if (m_model.structureOnly())
        notes.push_back(
            "the model has no weights: code and structure were written, and PyTorch cannot load the "
            ".pt2 files until there are weights");
    for (const SharedParameter& shared : sharedParameters(m_model, m_programs)) {
        std::string stages;
        for (const StageId stage : shared.stages)
            stages += (stages.empty() ? "" : ", ") + stageLabel(stage);
        notes.push_back("'" + shared.name + "' is in " + stages + ": pipeline.py adds their gradients up");
    }
    if (const std::string left = regionsLeftOut(); wants(StageFormat::Pt2) && !left.empty())
        notes.push_back(left);
    notes.push_back(lossText(m_loss));
    return notes;
}

// Checkpoint regions that are in stage_I.py, and not in stage_I.pt2.
std::string Exporter::regionsLeftOut() const
{
    OperatorSchemas schemas;
    std::size_t count = 0;
    std::string files;
    for (const StageProgram& program : m_programs) {
        const std::size_t before = count;
        forEachRegion(m_model.graph, program.nodes, 0,
                      [&](std::span<const NodeId> run, std::optional<int> region) {
                          count += region && !runsAgainAlike(m_model.graph, run, schemas) ? 1 : 0;
                      });
        if (count > before)
            files += (files.empty() ? "" : ", ") + m_files[program.stage.index()].program;
    }
    if (count == 0)
        return {};
    return files + " leave" + (files.find(',') == std::string::npos ? "s" : "") + " out " +
           (count == 1 ? "a checkpoint region" : std::to_string(count) + " checkpoint regions") +
           ", which draw random numbers or update buffers: PyTorch would run them again with others" +
           (wants(StageFormat::Python) ? "; the .py files have them" : "");
}

Result<ExportReport> Exporter::write(const Progress& progress) const
{
    const fs::path folder = cleanFolder(m_options.folder);
    STAGECRAFT_TRY(checkFolder(folder));
    STAGECRAFT_ASSIGN(temporary, TemporaryFolder::besides(folder));
    ExportReport report{folder, {}, notes()};
    STAGECRAFT_ASSIGN(manifestSize, writeTextFile(temporary->path() / "manifest.json",
                                                  manifestJson(m_model, m_programs, m_files, m_loss)));
    report.files.push_back({"manifest.json", manifestSize});
    if (wants(StageFormat::Python)) {
        STAGECRAFT_ASSIGN(size, writeTextFile(temporary->path() / "pipeline.py", pipelineScript()));
        report.files.push_back({"pipeline.py", size});
    }
    for (const StageProgram& program : m_programs) {
        STAGECRAFT_TRY(progress.step("Writing stages", program.stage.index(), m_programs.size()));
        STAGECRAFT_TRY(writeStage(temporary->path(), program, report, progress));
    }
    STAGECRAFT_TRY(progress.step("Writing stages", m_programs.size(), m_programs.size()));
    STAGECRAFT_TRY(temporary->takePlaceOf(folder));
    return report;
}

// Which output is the loss, or that it must be asked.
Result<LossOutput> knownLoss(const Model& model, const std::string& wanted)
{
    STAGECRAFT_ASSIGN(loss, lossOutput(model, wanted));
    if (const std::optional<std::string> question = lossQuestion(loss))
        return Error{ErrorCode::BadUsage, *question};
    return loss;
}

} // namespace

Result<StageFormat> parseStageFormat(std::string_view name)
{
    if (name == "python")
        return StageFormat::Python;
    if (name == "pt2")
        return StageFormat::Pt2;
    return Error{ErrorCode::BadUsage, "unknown format '" + std::string(name) + "'; choose from python, pt2"};
}

Bytes ExportReport::total() const
{
    Bytes sum;
    for (const ExportedFile& file : files)
        sum += file.size;
    return sum;
}

Result<std::vector<ExportedFile>> planExport(const Model& model, const Partition& partition,
                                             const ExportOptions& options, const Progress& progress)
{
    STAGECRAFT_TRY(checkContent(model, options));
    STAGECRAFT_ASSIGN(loss, knownLoss(model, options.lossOutput));
    STAGECRAFT_ASSIGN(programs, cutStages(model, partition, progress));
    return Exporter(model, std::move(programs), std::move(loss), options).plan(progress);
}

Result<ExportReport> exportStages(const Model& model, const Partition& partition,
                                  const ExportOptions& options, const Progress& progress)
{
    if (options.formats.empty())
        return Error{ErrorCode::BadUsage, "nothing to write: choose a format"};
    STAGECRAFT_TRY(checkContent(model, options));
    STAGECRAFT_ASSIGN(loss, knownLoss(model, options.lossOutput));
    STAGECRAFT_ASSIGN(programs, cutStages(model, partition, progress));
    return Exporter(model, std::move(programs), std::move(loss), options).write(progress);
}

} // namespace stagecraft
