#include "fuzz/formats.h"

#include "core/exchange/graph_file.h"
#include "core/forms/build_form.h"
#include "core/forms/saved_form.h"
#include "core/graph/graph_text.h"
#include "core/load/attached_weights.h"
#include "core/load/given_inputs.h"
#include "core/load/safetensors.h"
#include "core/measure/imported_times.h"
#include "core/measure/measured_times_json.h"
#include "core/measure/step_record.h"
#include "core/plan/sources/instance.h"
#include "core/plan/sources/plan_file.h"
#include "core/profile/device/device.h"
#include "core/schedule/schedule_csv.h"
#include "core/schedule/simulate.h"
#include "core/schedule/step_comparison.h"
#include "core/schedule/trace_events.h"
#include "core/script/open_model_file.h"
#include "core/search/search.h"
#include "core/trace/substitutes.h"
#include "core/workflow.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>

#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace stagecraft::test {
namespace {

namespace fs = std::filesystem;

// Of an operator that the sample model has.
const QByteArray goodSubstitutes = R"json({"operators": {"aten::linear": {
    "outputs": [{"shape": ["size(input, 0)", "size(weight, 0)"], "dtype": "input"}],
    "forward": {"flops": "2 * numel(input) * size(weight, 0)", "bytes": "bytes(input) + bytes(out0)", "time": "2e-5"},
    "backward_input": {"flops": "min(12, 3) * numel(input)"},
    "backward_weight": {"flops": "0"}}}})json";

// Of operators and modules that the sample model has.
const QByteArray goodOverlay = R"json({"name": "run 7", "colour_by": "heat", "range": [0, 100],
    "figures": {"heat": {"unit": "%", "combine": "mean"}, "wait": {"unit": "ms", "combine": "sum"}},
    "nodes": {"linear": {"heat": 41.5, "wait": 0.25, "colour": "#d55e00", "note": "bound"}, "view": {"wait": 1}},
    "modules": {"": {"heat": 63, "colour": "#0072b2"}}})json";

QByteArray contents(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw std::logic_error("no test data: " + path.toStdString());
    return file.readAll();
}

// A refusal is welcome, but it must say why, in one line.
template <class T>
bool taken(const Result<T>& result)
{
    if (result.has_value())
        return true;
    const std::string& message = result.error().message;
    if (message.empty() || message.find('\n') != std::string::npos)
        throw std::logic_error("a refusal that is not one line: \"" + message + '"');
    return false;
}

// What all cases have in common, read once.
struct Sample
{
    fs::path modelPath;
    Model model;
    DeviceSpec device;

    ProfileOptions profileOptions() const
    {
        ProfileOptions options;
        options.device = device;
        return options;
    }
};

PartitionOptions quickPlan(std::size_t stages)
{
    PartitionOptions options;
    options.stageCount = stages;
    options.timeLimit = Seconds(0.2);
    return options;
}

void cutAndVerify(const Model& model, const Partition& partition, const FuzzPlace& place)
{
    place.reached("cut");
    const Result<std::vector<StageProgram>> programs = cutStages(model, partition);
    if (!taken(programs))
        return;
    place.reached("code");
    for (const StageProgram& program : *programs)
        stageCode(model, program);
    place.reached("export");
    const fs::path folder = place.folder / "stages";
    if (!taken(exportStages(model, partition, {.folder = folder})))
        return;
    place.reached("verify");
    taken(verifyExport(model, folder));
}

void useModel(const Result<Model>& model, const FuzzPlace& place, const DeviceSpec& device)
{
    if (!taken(model))
        return;
    place.reached("print");
    parameterGroups(*model);
    printGraph(model->graph);
    place.reached("profile");
    ProfileOptions wanted;
    wanted.device = device;
    const Result<Profile> profile = traceAndProfile(*model, wanted);
    if (!taken(profile))
        return;
    place.reached("plan");
    const std::size_t stages = 2 + model->graph.nodeCount() % 3;
    const Result<PartitionProblem> problem = planProblem(*model, *profile, quickPlan(stages));
    if (!taken(problem))
        return;
    const Result<FoundPlan> found = findPlan(*problem);
    if (!taken(found))
        return;
    if (!taken(evaluatePlan(*problem, found->solution.partition)))
        throw std::logic_error("the plan that was found is refused");
    cutAndVerify(*model, found->solution.partition, place);
}

// With its own inputs, or those of one of the good files.
void useScript(const fs::path& path, const FuzzPlace& place, const DeviceSpec& device)
{
    for (const char* input : {"", "f32[2,4,16]", "f32[2,8,32]", "f32[2,3,32,32]"}) {
        place.reached("open");
        const OpenRequest request{.inputs =
                                      *input ? std::vector<std::string>{input} : std::vector<std::string>{}};
        const Result<Model> model = openModelFile(path, request);
        useModel(model, place, device);
        if (model.has_value())
            return;
    }
}

void usePlan(const Sample& sample, const fs::path& path, const FuzzPlace& place)
{
    place.reached("read");
    const Result<PlanFile> plan = readPlan(path);
    if (!taken(plan))
        return;
    place.reached("apply");
    Result<AppliedPlan> applied = applyPlan(*plan, sample.model.graph);
    if (!taken(applied))
        return;
    place.reached("evaluate");
    const Result<Profile> profile = traceAndProfile(sample.model, sample.profileOptions());
    applied->options.timeLimit = Seconds(0.2);
    const Result<PartitionProblem> problem = planProblem(sample.model, *profile, applied->options);
    if (taken(problem))
        taken(evaluatePlan(*problem, applied->partition));
    cutAndVerify(sample.model, applied->partition, place);
    place.reached("write");
    taken(writePlan(*plan, place.folder / "again.stagecraft"));
}

// An export whose manifest is damaged.
void useManifest(const Sample& sample, const fs::path& whole, const fs::path& path, const FuzzPlace& place)
{
    const fs::path folder = place.folder / "stages";
    fs::copy(whole, folder, fs::copy_options::recursive);
    fs::copy_file(path, folder / "manifest.json", fs::copy_options::overwrite_existing);
    place.reached("verify");
    taken(verifyExport(sample.model, folder));
    place.reached("export over it");
    Partition partition = singleStage(sample.model.graph.nodeCount());
    taken(exportStages(sample.model, partition, {.folder = folder}));
}

void useWeights(const Sample& sample, const fs::path& path, const FuzzPlace& place)
{
    place.reached("read");
    taken(readSafetensors({path}));
    Model model = sample.model;
    taken(attachWeights(model, {path}));
    place.reached("inputs");
    taken(readInputs(sample.model, path));
}

void useInstance(const fs::path& path, const FuzzPlace& place)
{
    place.reached("read");
    PartitionOptions options = quickPlan(3);
    options.emptyStages = EmptyStages::Allow;
    const Result<Instance> instance = readInstance(path, options);
    if (!taken(instance))
        return;
    place.reached("search");
    const Result<Solution> solution = solve(instance->problem);
    if (taken(solution) && !taken(evaluatePlan(instance->problem, solution->partition)))
        throw std::logic_error("the plan that was found is refused");
}

void useTimes(const Sample& sample, const fs::path& path, const FuzzPlace& place)
{
    place.reached("read");
    taken(readTimes(path, sample.model.graph));
    const QByteArray text = contents(QString::fromStdString(path.string()));
    taken(parseMeasuredTimes({text.constData(), static_cast<std::size_t>(text.size())}, "times",
                             sample.model.graph));
}

void useSubstitutes(const Sample& sample, const fs::path& path, const FuzzPlace& place)
{
    place.reached("read");
    Result<Substitutes> substitutes = Substitutes::read(path);
    if (!taken(substitutes))
        return;
    place.reached("profile");
    ProfileOptions options = sample.profileOptions();
    options.substitutes = std::make_shared<const Substitutes>(std::move(*substitutes));
    taken(traceAndProfile(sample.model, options));
}

void useOverlay(const Sample& sample, const fs::path& path, const FuzzPlace& place)
{
    place.reached("read");
    const Graph& graph = sample.model.graph;
    const Result<Overlay> overlay = readOverlay(path, graph);
    if (!taken(overlay))
        return;
    place.reached("put together");
    for (const ModuleId module : graph.modules().ids())
        for (std::size_t i = 0; i < overlay->figures.size(); ++i)
            overlayFigure(*overlay, graph, i, nodesOfModule(graph, module));
    place.reached("write");
    for (const auto& format : graphFormats.entries)
        graphFile(format.kind, {.graph = graph, .overlay = &*overlay});
}

void useStateDict(const Sample& sample, const fs::path& path, const FuzzPlace& place)
{
    place.reached("read");
    Model model = sample.model;
    taken(attachWeights(model, {path}));
}

// Its shards are there.
void useWeightsIndex(const Sample& sample, const fs::path& weights, const fs::path& path,
                     const FuzzPlace& place)
{
    fs::copy_file(weights, place.folder / "stage_0.safetensors");
    useStateDict(sample, path, place);
}

// All tensors of a safetensors file are in that shard.
QByteArray weightsIndex(const QByteArray& weights, const QString& shard)
{
    const auto length = qFromLittleEndian<quint64>(weights.constData());
    QJsonObject places;
    for (const QString& name :
         QJsonDocument::fromJson(weights.mid(8, static_cast<qsizetype>(length))).object().keys())
        if (name != "__metadata__")
            places[name] = shard;
    if (places.isEmpty())
        throw std::logic_error("no tensors to make an index of");
    return QJsonDocument(QJsonObject{{"metadata", QJsonObject{{"total_size", 4096}}}, {"weight_map", places}})
        .toJson();
}

void useDevice(const Sample& sample, const fs::path& path, const FuzzPlace& place)
{
    place.reached("read");
    Result<DeviceSpec> device = readDevice(path);
    if (!taken(device))
        return;
    place.reached("profile");
    ProfileOptions options;
    options.device = *device;
    const Result<Profile> profile = traceAndProfile(sample.model, options);
    if (!taken(profile))
        return;
    place.reached("plan");
    const Result<PartitionProblem> problem = planProblem(sample.model, *profile, quickPlan(2));
    if (taken(problem))
        taken(findPlan(*problem));
}

void useSchedule(const fs::path& path, const FuzzPlace& place)
{
    place.reached("read");
    const QByteArray text = contents(QString::fromStdString(path.string()));
    const Result<Schedule> schedule =
        parseScheduleCsv({text.constData(), static_cast<std::size_t>(text.size())});
    if (taken(schedule))
        printScheduleCsv(*schedule, CsvForm::ComputeComms);
}

template <class T>
T valueOf(Result<T> result)
{
    if (!result.has_value())
        throw std::logic_error(result.error().message);
    return std::move(result).value();
}

// Of four stages, or of the trace of one, in four microbatches.
// A form of `new`: whatever its numbers are, it is refused, or its model is one that prints and counts.
void useForm(const fs::path& path, const FuzzPlace& place)
{
    place.reached("read");
    const QByteArray text = contents(QString::fromStdString(path.string()));
    const Result<Form> form = readForm({text.constData(), static_cast<std::size_t>(text.size())});
    if (!taken(form))
        return;
    place.reached("write");
    const Result<Form> again = readForm(formText(*form));
    if (!taken(again) || !(*again == *form))
        throw std::logic_error("a form is another when it is written and read");
    place.reached("build");
    const Result<Model> model = buildForm(*form);
    if (taken(model) && (model->graph.nodeCount() == 0 || parameterCount(*model) < 0))
        throw std::logic_error("a form gives a model of nothing");
}

// One of each family, and one of a preset.
std::vector<QByteArray> goodForms()
{
    std::vector<QByteArray> forms{QByteArray::fromStdString(formText(valueOf(presetForm("llama-3.2-1b"))))};
    for (const FormFamily& family : formFamilies())
        forms.push_back(QByteArray::fromStdString(formText(usualForm(family))));
    return forms;
}

void useRun(const fs::path& path, const FuzzPlace& place)
{
    for (const std::size_t stages : {4U, 1U}) {
        const ScheduleKind kind = stages == 1 ? ScheduleKind::GPipe : ScheduleKind::OneFOneB;
        const Schedule schedule = valueOf(makeSchedule(kind, stages, stages, 4));
        const PlannedRun run{
            .microbatches = 4, .schedule = "1f1b", .stageOfNode = {{"view", 0}, {"linear", 3}}};
        place.reached("read");
        const Result<StepRecord> record = readStepRecord(std::array{path}, run);
        if (!taken(record))
            continue;
        place.reached("measured");
        const Result<MeasuredStep> step = measuredStep(schedule, *record);
        if (!taken(step))
            continue;
        place.reached("compare");
        const ScheduleCosts costs{.stages = std::vector<StageTimes>(stages)};
        const Timeline planned = valueOf(simulate(schedule, costs));
        const Result<StepComparison> comparison = compareSteps(schedule, costs, planned, *step);
        if (taken(comparison))
            traceEventJson(planned, valueOf(bubbleParts(schedule, costs)), "ideal", *step, *comparison);
    }
}

std::vector<QByteArray> contentsOf(const QString& folder, const QStringList& patterns)
{
    std::vector<QByteArray> found;
    for (const QFileInfo& file : QDir(folder).entryInfoList(patterns, QDir::Files, QDir::Name))
        found.push_back(contents(file.filePath()));
    return found;
}

// Files that only the program itself makes: an export, its manifest and weights, a plan.
struct MadeFiles
{
    fs::path exported;
    QByteArray manifest;
    QByteArray weights;
    QByteArray plan;
};

// Runs in a process of its own: autograd's threads do not live on in children of a process that used them.
void writeFiles(const Sample& sample, const fs::path& folder)
{
    const Profile profile = valueOf(traceAndProfile(sample.model, sample.profileOptions()));
    const PartitionProblem problem = valueOf(planProblem(sample.model, profile, quickPlan(3)));
    const Partition partition = valueOf(findPlan(problem)).solution.partition;
    valueOf(exportStages(sample.model, partition, {.folder = folder / "stages"}));
    const PlanFile file = makePlanFile({sample.modelPath, valueOf(fileSha256(sample.modelPath))},
                                       sample.model.graph, partition, problem.options);
    if (!writePlan(file, folder / "plan.stagecraft").has_value())
        throw std::logic_error("a plan cannot be written");
}

MadeFiles makeFiles(const Sample& sample, const fs::path& folder)
{
    const pid_t child = fork();
    if (child == 0) {
        writeFiles(sample, folder);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    const auto text = [](const fs::path& path) { return contents(QString::fromStdString(path.string())); };
    const fs::path exported = folder / "stages";
    return {exported, text(exported / "manifest.json"), text(exported / "stage_0.safetensors"),
            text(folder / "plan.stagecraft")};
}

} // namespace

std::vector<FuzzFormat> fuzzFormats(const QString& testData, const QString& resources, const fs::path& folder)
{
    const fs::path modelPath = (testData + "/models/small/torch-2.14/with-loss-dynamic.pt2").toStdString();
    const DeviceSpec device = valueOf(readDevice((resources + "/devices/h100-sxm.json").toStdString()));
    const auto sample =
        std::make_shared<const Sample>(Sample{modelPath, valueOf(openModel(modelPath)), device});
    const MadeFiles made = makeFiles(*sample, folder);
    const QString small = testData + "/models/small";
    std::vector<QByteArray> models = contentsOf(small + "/torch-2.14", {"*.pt2"});
    for (const QString& more : {small + "/torch-2.6", testData + "/hostile/03-sigfpe-conv-stride0/torch"})
        for (const QByteArray& model : contentsOf(more, {"*.pt2"}))
            models.push_back(model);
    const auto with = [sample](auto use) {
        return [sample, use](const fs::path& path, const FuzzPlace& place) { use(*sample, path, place); };
    };
    return {
        {"pt2", ".pt2", std::move(models), &Mutator::zip,
         [device](const fs::path& path, const FuzzPlace& place) {
             place.reached("open");
             useModel(openModel(path), place, device);
         }},
        {"torchscript", ".pt", contentsOf(small + "/torch-2.14", {"*-scripted.pt", "*-traced.pt"}),
         &Mutator::zip,
         [device](const fs::path& path, const FuzzPlace& place) { useScript(path, place, device); }},
        {"plan", ".stagecraft", {made.plan}, &Mutator::json, with(usePlan)},
        {"manifest",
         ".json",
         {made.manifest},
         &Mutator::json,
         [sample, whole = made.exported](const fs::path& path, const FuzzPlace& place) {
             useManifest(*sample, whole, path, place);
         }},
        {"safetensors", ".safetensors", {made.weights}, &Mutator::bytes, with(useWeights)},
        {"overlay", ".json", {goodOverlay}, &Mutator::json, with(useOverlay)},
        {"state-dict", ".pt", contentsOf(small + "/torch-2.14", {"*-expect.pt"}), &Mutator::zip,
         with(useStateDict)},
        {"weights-index",
         ".safetensors.index.json",
         {weightsIndex(made.weights, "stage_0.safetensors")},
         &Mutator::json,
         [sample, weights = made.exported / "stage_0.safetensors"](const fs::path& path,
                                                                   const FuzzPlace& place) {
             useWeightsIndex(*sample, weights, path, place);
         }},
        {"instance", ".json", contentsOf(testData + "/partition", {"*.json"}), &Mutator::json, useInstance},
        {"times", ".json", contentsOf(testData + "/times", {"*.csv", "*.json", "*.gz"}), &Mutator::json,
         with(useTimes)},
        {"form", ".json", goodForms(), &Mutator::json, useForm},
        {"substitutes", ".json", {goodSubstitutes}, &Mutator::json, with(useSubstitutes)},
        {"device", ".json", contentsOf(resources + "/devices", {"*.json"}), &Mutator::json, with(useDevice)},
        {"run", ".json", contentsOf(testData + "/runs", {"*.json"}), &Mutator::json, useRun},
        {"schedule", ".csv", contentsOf(testData + "/schedules", {"*.csv"}), &Mutator::bytes, useSchedule},
    };
}

} // namespace stagecraft::test
