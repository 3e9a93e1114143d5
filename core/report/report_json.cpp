#include "core/report/report_json.h"

#include "core/base/printable.h"
#include "core/layout/operator_kinds.h"
#include "core/plan/sources/partition_json.h"
#include "core/plan/sources/plan_file.h"
#include "core/report/recompute_section.h"
#include "core/report/schedule_json.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

namespace stagecraft {

namespace {

using Json = nlohmann::ordered_json;

// Texts that come again and again, once each.
class TextTable
{
public:
    std::size_t add(const std::string& text)
    {
        const auto [entry, isNew] = m_indices.try_emplace(text, m_indices.size());
        if (isNew)
            m_texts.push_back(printable(text));
        return entry->second;
    }
    Json take() { return std::move(m_texts); }

private:
    std::unordered_map<std::string, std::size_t> m_indices;
    Json m_texts = Json::array();
};

Json modelJson(const Model& model, const Profile& profile)
{
    return {{"name", printable(model.name)},
            {"file", printable(modelFileName(model))},
            {"nodes", model.graph.nodeCount()},
            {"parameters", profile.totals.parameters},
            {"parameter_bytes", profile.totals.parameterBytes.count()}};
}

// As `partition --json`; names of nodes stand with the nodes.
Json planJson(const PartitionProblem& problem, const Solution& solution)
{
    Json plan = Json::parse(partitionJson(problem, solution));
    for (Json& stage : plan["stages"]) {
        stage.erase("node_names");
        stage["begins_in"] = printable(stage["begins_in"].get<std::string>());
    }
    return plan;
}

Json modulesJson(const ModuleTree& modules, TextTable& classes)
{
    Json names = Json::array();
    Json classIndices = Json::array();
    Json parents = Json::array();
    for (const ModuleId id : modules.ids()) {
        const Module& module = modules[id];
        const std::size_t dot = module.className.rfind('.');
        names.push_back(printable(module.name));
        classIndices.push_back(
            classes.add(dot == std::string::npos ? module.className : module.className.substr(dot + 1)));
        parents.push_back(module.parent ? Json(module.parent->index()) : Json(-1));
    }
    return {{"name", std::move(names)}, {"class", std::move(classIndices)}, {"parent", std::move(parents)}};
}

// "bf16[1, 4096]"; empty: no tensor.
std::string typeOf(const Graph& graph, ValueId value)
{
    const std::optional<TensorMeta>& meta = graph[value].meta;
    return meta ? metaText(*meta) : std::string();
}

Json nodesJson(const ReportSubject& subject, TextTable& operators, TextTable& types)
{
    Json columns;
    for (const char* column : {"name", "op", "module", "stage", "type", "forward_s", "backward_input_s",
                               "backward_weight_s", "flops", "parameter_bytes", "saved_bytes"})
        columns[column] = Json::array();
    const Graph& graph = subject.model.graph;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        const ProblemNode& times = subject.problem.nodes[id];
        const NodeCost& cost = subject.profile.nodes[id];
        columns["name"].push_back(printable(node.name));
        columns["op"].push_back(operators.add(operatorTitle(node)));
        columns["module"].push_back(node.module.index());
        columns["stage"].push_back(subject.solution.partition.stageOf[id].index());
        columns["type"].push_back(
            types.add(node.results.empty() ? std::string() : typeOf(graph, node.results.front())));
        columns["forward_s"].push_back(sixDigits(times.forward.value()));
        columns["backward_input_s"].push_back(sixDigits(times.backwardInput.value()));
        columns["backward_weight_s"].push_back(sixDigits(times.backwardWeight.value()));
        columns["flops"].push_back(sixDigits((cost.forward.flops + cost.backward().flops).value()));
        columns["parameter_bytes"].push_back(cost.parameterBytes.count());
        columns["saved_bytes"].push_back(times.saved.count());
    }
    return columns;
}

// The largest of what crosses each boundary; how many there are in all, the plan says.
Json crossingJson(const ReportSubject& subject)
{
    constexpr std::size_t mostListed = 100;
    std::unordered_map<std::size_t, const ProblemValue*> byValue;
    for (const ProblemValue& value : subject.problem.values)
        byValue[value.value.index()] = &value;
    Json boundaries = Json::array();
    for (const BoundaryCost& boundary : subject.solution.cost.boundaries) {
        Json listed = Json::array();
        for (const ValueId id : boundary.values) {
            const auto found = byValue.find(id.index());
            if (listed.size() == mostListed || found == byValue.end())
                break;
            listed.push_back({printable(subject.model.graph[id].name),
                              printable(typeOf(subject.model.graph, id)), found->second->forwardBytes.count(),
                              found->second->backwardBytes.count()});
        }
        boundaries.push_back(std::move(listed));
    }
    return boundaries;
}

std::string planOf(const ReportSubject& subject)
{
    const std::filesystem::path& path = subject.model.provenance.path;
    PartitionOptions options = subject.problem.options;
    const MadeFor made =
        subject.madeFor.value_or(madeFor({subject.profile.options.device.id, subject.profile.options, {}},
                                         {&subject.profile.options.device, 1}));
    if (subject.limitIsOfDevice && made.stageDevices.empty())
        options.memoryLimits.clear(); // another device has another
    const Result<std::string> fingerprint = contentFingerprint(path);
    const ModelFile file{.path = path.filename(),
                         .fingerprint = fingerprint.has_value() ? *fingerprint : std::string()};
    PlanFile plan = makePlanFile(file, subject.model.graph, subject.solution.partition, options);
    plan.madeFor = made;
    return planText(plan);
}

} // namespace

double sixDigits(double value)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return std::strtod(text.data(), nullptr);
}

std::string modelFileName(const Model& model)
{
    const std::string name = model.provenance.path.filename().string();
    return name.empty() ? model.name + ".pt2" : name;
}

std::string planFileName(const Model& model)
{
    return std::filesystem::path(modelFileName(model)).stem().string() + ".stagecraft";
}

Result<Json> reportJson(const ReportSubject& subject)
{
    STAGECRAFT_ASSIGN(schedule, scheduleJson(subject.problem, subject.solution.partition));
    TextTable classes;
    TextTable operators;
    TextTable types;
    Json json{{"model", modelJson(subject.model, subject.profile)},
              {"plan", planJson(subject.problem, subject.solution)},
              {"recomputation", recomputationJson(recomputedStages(subject))},
              {"modules", modulesJson(subject.model.graph.modules(), classes)},
              {"nodes", nodesJson(subject, operators, types)},
              {"crossing", crossingJson(subject)},
              {"schedule", std::move(schedule)},
              {"plan_file", planOf(subject)},
              {"plan_name", printable(planFileName(subject.model))}};
    json["ops"] = operators.take();
    json["types"] = types.take();
    json["classes"] = classes.take();
    return json;
}

} // namespace stagecraft
