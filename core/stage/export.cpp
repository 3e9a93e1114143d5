#include "core/stage/export.h"

#include "core/base/contains.h"
#include "core/base/output_file.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/base/writing.h"
#include "core/plan/stage_labels.h"
#include "core/stage/checkpoint_regions.h"
#include "core/stage/code_facts.h"
#include "core/stage/cut.h"
#include "core/stage/decomposed_notes.h"
#include "core/stage/export_folder.h"
#include "core/stage/kept_bytes.h"
#include "core/stage/manifest.h"
#include "core/stage/model_interface.h"
#include "core/stage/pipeline_script.h"
#include "core/stage/pt2_writer.h"
#include "core/stage/python_code.h"
#include "core/stage/stage_tensors.h"
#include "core/stage/torchscript_writer.h"
#include "core/stage/type_notes.h"
#include "core/stage/weight_shards.h"
#include "core/stage/writable.h"
#include "core/trace/substitute_kinds.h"

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t zipOverheadPerTensor = 512; // headers, padding to 64 bytes, configuration
constexpr std::int64_t zipOverhead = 2048;

WrittenFile codeFile(const std::string& name, std::string_view code)
{
    return {name, Bytes(static_cast<std::int64_t>(code.size())), sha256Of(code)};
}

std::vector<ExportedFile> listed(const std::string& manifest, const std::vector<WrittenFile>& written)
{
    std::vector<ExportedFile> files{{"manifest.json", Bytes(static_cast<std::int64_t>(manifest.size()))}};
    for (const WrittenFile& file : written)
        files.push_back({file.name, file.size});
    return files;
}

// PyTorch runs what is written.
Result<void> checkContent(const Model& model, const ExportOptions& options)
{
    STAGECRAFT_TRY(checkWritable(model));
    if (contains(options.formats, StageFormat::TorchScript))
        STAGECRAFT_TRY(checkScriptable(model));
    return contains(options.formats, StageFormat::Pt2) ? checkLoadable(model) : Result<void>();
}

class Exporter
{
public:
    Exporter(const Model& model, std::vector<StageProgram> programs, TrainingPlan training,
             const ExportOptions& options)
        : m_model(model), m_programs(std::move(programs)), m_training(std::move(training)), m_options(options)
    {
    }

    // Before anything else: writes the code and says which files there will be.
    Result<void> prepare(const Progress& progress);
    Result<std::vector<ExportedFile>> plan(const Progress& progress) const;
    Result<ExportReport> write(const Progress& progress) const;

private:
    bool wants(StageFormat format) const
    {
        return std::ranges::find(m_options.formats, format) != m_options.formats.end();
    }
    Result<void> writeCode(const StageProgram& program, const CodeFacts& facts, StageFiles& files);
    std::vector<std::string> fileNames() const;
    Result<std::vector<NamedTensor>> weightsOf(const StageProgram& program) const;
    Result<Bytes> pt2Size(const StageProgram& program) const;
    Result<WrittenFile> writeShard(const fs::path& folder, const WeightShard& shard,
                                   const Progress& progress) const;
    Result<WrittenFile> writeProgram(const fs::path& folder, const StageProgram& program,
                                     const Progress& progress) const;
    Result<WrittenFile> writeScript(const fs::path& folder, const StageProgram& program,
                                    const Progress& progress) const;
    Result<std::vector<WrittenFile>> writeFiles(const fs::path& folder, const Progress& progress) const;
    std::vector<std::string> notes() const;
    std::vector<std::string> sizesOfData() const;
    bool returnsText() const;
    std::vector<std::string> regionsLeftOut() const;

    const Model& m_model;
    const std::vector<StageProgram> m_programs;
    const TrainingPlan m_training;
    const ExportOptions& m_options;
    std::vector<StageFiles> m_files;
    std::vector<std::string> m_code;                      // of each stage; empty where none is wanted
    std::vector<std::optional<ShardedWeights>> m_weights; // none: not written
};

Result<void> Exporter::prepare(const Progress& progress)
{
    const auto facts = wants(StageFormat::Python) ? std::optional(codeFacts(m_model)) : std::nullopt;
    for (const StageProgram& program : m_programs) {
        STAGECRAFT_TRY(progress.step("Writing code", program.stage.index(), m_programs.size()));
        const std::string stem = "stage_" + std::to_string(program.stage.index());
        StageFiles files;
        m_code.emplace_back();
        m_weights.emplace_back();
        if (wants(StageFormat::Python)) {
            files.code = stem + ".py";
            STAGECRAFT_TRY(writeCode(program, *facts, files));
        }
        if (wants(StageFormat::Pt2))
            files.program = stem + ".pt2";
        if (wants(StageFormat::TorchScript))
            files.script = stem + ".ts.pt";
        if (wants(StageFormat::Python) && !m_model.structureOnly()) {
            STAGECRAFT_ASSIGN(weights, weightsOf(program));
            m_weights.back() = inShards(stem, std::move(weights), m_options.shardSize);
            files.weights = m_weights.back()->entry();
        }
        m_files.push_back(std::move(files));
    }
    STAGECRAFT_ASSIGN(kept, keptBytes(m_model, m_programs, progress));
    for (std::size_t i = 0; i < m_files.size(); ++i)
        m_files[i].savedBytes = kept[i];
    return {};
}

Result<void> Exporter::writeCode(const StageProgram& program, const CodeFacts& facts, StageFiles& files)
{
    StageCode code = stageCode(m_model, program, RepeatedCode::Once, m_options.regionNotes, &facts);
    if (!code.refusals.empty())
        return Error{ErrorCode::Unsupported, code.refusals.front()};
    for (std::size_t line = 0; line < code.nodesOfLine.size(); ++line) {
        const std::vector<NodeId>& nodes = code.nodesOfLine[line];
        if (nodes.size() < 2 || code.valuesOfLine.contains(line)) // a call stands for what its method runs
            continue;
        for (const NodeId node : nodes)
            files.sharedLines[line + 1].push_back(m_model.graph[node].name);
    }
    m_code.back() = std::move(code.text);
    return {};
}

Result<std::vector<NamedTensor>> Exporter::weightsOf(const StageProgram& program) const
{
    STAGECRAFT_ASSIGN(tensors, stageTensors(m_model, program));
    std::vector<NamedTensor> named;
    for (const StageTensor& tensor : tensors)
        named.push_back({tensor.name, tensor.tensor, tensor.aliasOf});
    sortForFile(named);
    return named;
}

Result<Bytes> Exporter::pt2Size(const StageProgram& program) const
{
    STAGECRAFT_ASSIGN(tensors, stageTensors(m_model, program));
    const std::string json = stageJson(m_model, program);
    Bytes size(static_cast<std::int64_t>(json.size()) + zipOverhead);
    for (const StageTensor& tensor : tensors)
        if (tensor.aliasOf.empty())
            size += Bytes(static_cast<std::int64_t>(usedBytes(tensor.tensor).size()) + zipOverheadPerTensor);
    return size;
}

std::vector<std::string> Exporter::fileNames() const
{
    std::vector<std::string> names{"manifest.json"};
    if (wants(StageFormat::Python))
        for (const RuntimeFile& file : runtimeFiles())
            names.emplace_back(file.name);
    for (const StageFiles& files : m_files)
        for (const std::string* name : {&files.code, &files.weights, &files.program, &files.script})
            if (!name->empty())
                names.push_back(*name);
    for (const std::optional<ShardedWeights>& weights : m_weights)
        if (weights && !weights->indexFile.empty())
            for (const WeightShard& shard : weights->shards)
                names.push_back(shard.file);
    return names;
}

Result<std::vector<ExportedFile>> Exporter::plan(const Progress& progress) const
{
    std::vector<WrittenFile> planned;
    const auto addCode = [&](const std::string& name, std::string_view text) {
        planned.push_back(codeFile(name, text));
    };
    if (wants(StageFormat::Python))
        for (const RuntimeFile& file : runtimeFiles())
            addCode(std::string(file.name), file.text);
    for (const StageProgram& program : m_programs) {
        STAGECRAFT_TRY(progress.step("Measuring", program.stage.index(), m_programs.size()));
        const StageFiles& files = m_files[program.stage.index()];
        if (!files.code.empty())
            addCode(files.code, m_code[program.stage.index()]);
        if (const std::optional<ShardedWeights>& weights = m_weights[program.stage.index()]) {
            for (const WeightShard& shard : weights->shards) {
                const std::size_t size = safetensorsSize(shard.tensors, safetensorsMetadata());
                planned.push_back({shard.file, Bytes(static_cast<std::int64_t>(size)), {}});
            }
            if (!weights->indexFile.empty())
                addCode(weights->indexFile, weights->index);
        }
        if (!files.program.empty()) {
            STAGECRAFT_ASSIGN(size, pt2Size(program));
            planned.push_back({files.program, size, {}});
        }
        if (!files.script.empty()) {
            STAGECRAFT_ASSIGN(size, torchScriptSize(m_model, program));
            planned.push_back({files.script, size, {}});
        }
    }
    return listed(manifestJson(m_model, m_programs, m_files, m_training, planned), planned);
}

Result<WrittenFile> Exporter::writeShard(const fs::path& folder, const WeightShard& shard,
                                         const Progress& progress) const
{
    STAGECRAFT_ASSIGN(file, OutputFile::create(folder / shard.file, progress));
    STAGECRAFT_TRY(writeSafetensors(file, shard.tensors, safetensorsMetadata(), progress));
    STAGECRAFT_TRY(file.close());
    return WrittenFile{shard.file, file.size(), file.sha256()};
}

Result<WrittenFile> Exporter::writeProgram(const fs::path& folder, const StageProgram& program,
                                           const Progress& progress) const
{
    const std::string& name = m_files[program.stage.index()].program;
    STAGECRAFT_ASSIGN(file, OutputFile::create(folder / name, progress));
    STAGECRAFT_TRY(writeStagePt2(file, m_model, program, progress));
    STAGECRAFT_TRY(file.close());
    return WrittenFile{name, file.size(), file.sha256()};
}

Result<WrittenFile> Exporter::writeScript(const fs::path& folder, const StageProgram& program,
                                          const Progress& progress) const
{
    const std::string& name = m_files[program.stage.index()].script;
    STAGECRAFT_ASSIGN(file, OutputFile::create(folder / name, progress));
    STAGECRAFT_TRY(writeStageTorchScript(file, m_model, program));
    STAGECRAFT_TRY(file.close());
    return WrittenFile{name, file.size(), file.sha256()};
}

// All but the manifest.
Result<std::vector<WrittenFile>> Exporter::writeFiles(const fs::path& folder, const Progress& progress) const
{
    std::vector<WrittenFile> written;
    const auto writeText = [&](const std::string& name, std::string_view text) -> Result<void> {
        std::error_code failure; // writing says why there is no folder
        fs::create_directories((folder / name).parent_path(), failure);
        STAGECRAFT_TRY(writeTextFile(folder / name, text));
        written.push_back(codeFile(name, text));
        return {};
    };
    if (wants(StageFormat::Python))
        for (const RuntimeFile& file : runtimeFiles())
            STAGECRAFT_TRY(writeText(std::string(file.name), file.text));
    for (const StageProgram& program : m_programs) {
        STAGECRAFT_TRY(progress.step("Writing stages", program.stage.index(), m_programs.size()));
        const StageFiles& files = m_files[program.stage.index()];
        if (!files.code.empty())
            STAGECRAFT_TRY(writeText(files.code, m_code[program.stage.index()]));
        if (const std::optional<ShardedWeights>& weights = m_weights[program.stage.index()]) {
            for (const WeightShard& shard : weights->shards) {
                STAGECRAFT_ASSIGN(file, writeShard(folder, shard, progress));
                written.push_back(std::move(file));
            }
            if (!weights->indexFile.empty())
                STAGECRAFT_TRY(writeText(weights->indexFile, weights->index));
        }
        if (!files.program.empty()) {
            STAGECRAFT_ASSIGN(whole, writeProgram(folder, program, progress));
            written.push_back(std::move(whole));
        }
        if (!files.script.empty()) {
            STAGECRAFT_ASSIGN(script, writeScript(folder, program, progress));
            written.push_back(std::move(script));
        }
    }
    STAGECRAFT_TRY(progress.step("Writing stages", m_programs.size(), m_programs.size()));
    return written;
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
    if (wants(StageFormat::Pt2))
        for (std::string& left : regionsLeftOut())
            notes.push_back(std::move(left));
    const auto isAgain = [&](NodeId node) {
        return !m_model.graph.context(m_model.graph[node].context).recomputeRegions.empty();
    };
    if (wants(StageFormat::TorchScript) && std::ranges::any_of(m_model.graph.nodes(), isAgain))
        notes.push_back(
            "the .ts.pt files keep what checkpoint regions would make again: TorchScript has none");
    if (wants(StageFormat::TorchScript))
        notes.push_back(
            "train the .ts.pt files within torch.jit.optimized_execution(False): the gradients of "
            "TorchScript's own compiler differ from PyTorch's");
    const auto has = [&](PytreeKey::Kind kind) {
        return hasKeys(m_model.signature.inputTree, kind) || hasKeys(m_model.signature.outputTree, kind);
    };
    if (has(PytreeKey::Kind::Member))
        notes.push_back("members of enums that are keys of the model's dicts are keys by their names");
    if (has(PytreeKey::Kind::Tuple) && wants(StageFormat::Pt2))
        notes.push_back("tuples that are keys of the model's dicts are texts in the .pt2 files, as PyTorch "
                        "cannot load them");
    if (wants(StageFormat::Pt2) && returnsText())
        notes.push_back("the model returns a text, and PyTorch can load neither its .pt2 nor " +
                        m_files.back().program);
    for (const std::string& note : sizesOfData())
        notes.push_back(note);
    for (std::string& note : notesOnDecomposed(m_model, m_programs, m_options.plannedFor))
        notes.push_back(std::move(note));
    for (std::string& note : notesOnTypes(m_model.graph, m_options.plannedFor))
        notes.push_back(std::move(note));
    for (const OperatorUse& unknown : unknownOperators(m_model.graph))
        notes.push_back("the stages call " + unknown.name +
                        ", which PyTorch does not have: import what registers it before they run");
    notes.push_back(m_training.function ? lossText(*m_training.function) : lossText(m_training.loss));
    return notes;
}

bool Exporter::returnsText() const
{
    return std::ranges::any_of(m_model.graph.outputs(), [](const Argument& output) {
        return std::holds_alternative<std::string>(output);
    });
}

// Schedules receive every microbatch in the size of the first: pipeline.py refuses others.
std::vector<std::string> Exporter::sizesOfData() const
{
    const Graph& graph = m_model.graph;
    const auto symbolsOf = [&](ValueId value) {
        std::set<std::string> symbols;
        if (graph[value].meta)
            for (const SymInt& size : graph[value].meta->sizes)
                size.collectSymbols(symbols);
        return symbols;
    };
    std::set<std::string> known; // of the model's inputs, or with a value in the file
    for (const ValueId input : graph.inputs())
        known.merge(symbolsOf(input));
    for (const auto& [symbol, range] : graph.symbolRanges())
        if (range.hint)
            known.insert(symbol);
    std::vector<std::string> notes;
    for (const StageProgram& program : m_programs)
        for (const ValueId output : program.outputs)
            for (const std::string& symbol : symbolsOf(output))
                if (wants(StageFormat::Python) && !program.isLast() && !known.contains(symbol))
                    notes.push_back(stageLabel(program.stage) + " sends '" + graph[output].name +
                                    "', whose size " + symbol +
                                    " the data decide: schedules run only where it is the same in all "
                                    "microbatches");
    return notes;
}

// Checkpoint regions that are in stage_I.py, and not in stage_I.pt2, or not in full.
std::vector<std::string> Exporter::regionsLeftOut() const
{
    OperatorSchemas schemas;
    std::size_t count = 0;
    std::size_t kept = 0;
    std::string files;
    std::string filesThatKeep;
    const auto add = [&](std::string& list, const StageProgram& program) {
        list += (list.empty() ? "" : ", ") + m_files[program.stage.index()].program;
    };
    for (const StageProgram& program : m_programs) {
        const std::size_t before = count, keptBefore = kept;
        for (const StageRegion& region : stageRegions(m_model.graph, program.nodes, schemas)) {
            count += region.isInPrograms ? 0 : 1;
            kept += region.isInPrograms ? region.kept.size() : 0;
        }
        if (count > before)
            add(files, program);
        if (kept > keptBefore)
            add(filesThatKeep, program);
    }
    const auto verb = [](const std::string& list, const std::string& text) {
        return list + " " + text + (list.find(',') == std::string::npos ? "s" : "");
    };
    const std::string others = wants(StageFormat::Python) ? "; the .py files " : "";
    std::vector<std::string> notes;
    if (count > 0)
        notes.push_back(verb(files, "leave") + " out " +
                        (count == 1 ? "a checkpoint region" : std::to_string(count) + " checkpoint regions") +
                        ", which draw random numbers or update buffers: PyTorch would run them again with "
                        "others" +
                        (others.empty() ? "" : others + "have them"));
    if (kept > 0)
        notes.push_back(verb(filesThatKeep, "run") + " again what checkpoint regions are to keep, " +
                        counted(kept, "operator") + " in all: a region in a .pt2 keeps nothing" +
                        (others.empty() ? "" : others + "keep it"));
    return notes;
}

Result<ExportReport> Exporter::write(const Progress& progress) const
{
    const Writing writing;
    STAGECRAFT_ASSIGN(folder,
                      ExportFolder::begin(m_options.folder, fileNames(),
                                          [this](const fs::path& path) { return m_model.isReadFrom(path); }));
    const auto written = ifUnchanged(m_model, writeFiles(folder->path(), progress));
    if (!written.has_value())
        return folder->named(written.error());
    const std::string manifest = manifestJson(m_model, m_programs, m_files, m_training, *written);
    if (const auto last = writeTextFile(folder->path() / "manifest.json", manifest); !last.has_value())
        return folder->named(last.error());
    ExportReport report{folder->wanted(), listed(manifest, *written), notes()};
    STAGECRAFT_ASSIGN(left, folder->putInPlace());
    report.notes.insert(report.notes.end(), left.begin(), left.end());
    return report;
}

// Which output is the loss, or that it must be asked.
Result<TrainingPlan> trainingPlan(const Model& model, const ExportOptions& options)
{
    TrainingPlan plan{.run = options.run};
    if (!options.lossFunction.empty()) {
        STAGECRAFT_ASSIGN(function, lossFunction(model, options.lossFunction, options.lossOutput));
        plan.function = std::move(function);
        plan.loss = {LossOutput::Origin::AskedSum, returnedValues(model), {}};
        return plan;
    }
    STAGECRAFT_ASSIGN(loss, lossOutput(model, options.lossOutput));
    if (const std::optional<std::string> question = lossQuestion(loss))
        return Error{ErrorCode::BadUsage, *question};
    plan.loss = std::move(loss);
    return plan;
}

} // namespace

Result<StageFormat> parseStageFormat(std::string_view name)
{
    if (name == "python")
        return StageFormat::Python;
    if (name == "pt2")
        return StageFormat::Pt2;
    if (name == "torchscript")
        return StageFormat::TorchScript;
    return Error{ErrorCode::BadUsage,
                 "unknown format '" + std::string(name) + "'; choose from python, pt2, torchscript"};
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
    STAGECRAFT_ASSIGN(training, trainingPlan(model, options));
    STAGECRAFT_ASSIGN(programs, cutStages(model, partition, progress));
    Exporter exporter(model, std::move(programs), std::move(training), options);
    STAGECRAFT_TRY(exporter.prepare(progress));
    return exporter.plan(progress);
}

Result<ExportReport> exportStages(const Model& model, const Partition& partition,
                                  const ExportOptions& options, const Progress& progress)
{
    if (options.formats.empty())
        return Error{ErrorCode::BadUsage, "nothing to write: choose a format"};
    STAGECRAFT_TRY(checkContent(model, options));
    STAGECRAFT_ASSIGN(training, trainingPlan(model, options));
    STAGECRAFT_ASSIGN(programs, cutStages(model, partition, progress));
    Exporter exporter(model, std::move(programs), std::move(training), options);
    STAGECRAFT_TRY(exporter.prepare(progress));
    return exporter.write(progress);
}

} // namespace stagecraft
