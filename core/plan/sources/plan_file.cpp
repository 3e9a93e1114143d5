#include "core/plan/sources/plan_file.h"

#include "core/base/json_text.h"
#include "core/base/output_file.h"
#include "core/base/printable.h"
#include "core/base/sha256.h"
#include "core/base/sort_unique.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/plan/request.h"
#include "core/plan/sources/made_for_json.h"
#include "core/plan/sources/plan_fields.h"
#include "core/plan/stage_labels.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <system_error>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int formatVersion = 1;

// Of the request's fields those that are kept with a plan.
constexpr std::array<std::string_view, 7> keptFields{"microbatches", "schedule",  "send", "runtime",
                                                     "objective",    "recompute", "seed"};

Json optionsJson(const PartitionOptions& options)
{
    Json json{{"devices", options.deviceCount()},
              {"stages_per_device", options.stagesEach()},
              {"empty_stages", options.emptyStages == EmptyStages::Allow},
              {"time_limit_s", options.timeLimit.value()},
              {"speeds", options.speeds}};
    const PlanRequest request{.plan = options};
    for (const std::string_view name : keptFields) {
        const std::string value = requestField(name).print(request);
        json[name] = requestField(name).choices ? Json(value) : Json::parse(value);
    }
    json["memory_limits"] = Json::array();
    for (const Bytes limit : options.memoryLimits)
        json["memory_limits"].push_back(limit == Bytes::max() ? Json(nullptr) : Json(limit.count()));
    json["links"] = Json::array();
    for (const Link& link : options.links)
        json["links"].push_back({{"bandwidth", link.bandwidth}, {"latency_s", link.latency.value()}});
    return json;
}

std::optional<Error> readOptions(const Json& json, const std::string& file, PartitionOptions& options)
{
    FieldReader reader(json, file);
    PlanRequest request{.plan = options};
    for (const std::string_view name : keptFields)
        reader.read(requestField(name), request);
    options = std::move(request.plan);
    reader.read("stages_per_device", options.stagesPerDevice);
    options.stagesPerDevice = options.stagesEach(); // files of old say 1 of zbv
    std::size_t devices = options.deviceCount();
    reader.read("devices", devices);
    if (devices != options.deviceCount() && !reader.error())
        reader.fail("devices", std::to_string(options.deviceCount()) + ", as many as its " +
                                   stagingText(options) + " have");
    bool mayBeEmpty = options.emptyStages == EmptyStages::Allow;
    reader.read("empty_stages", mayBeEmpty);
    options.emptyStages = mayBeEmpty ? EmptyStages::Allow : EmptyStages::Forbid;
    double timeLimit = options.timeLimit.value();
    reader.read("time_limit_s", timeLimit);
    options.timeLimit = Seconds(timeLimit);
    reader.forEach("speeds", [&](const Json& speed) {
        if (!speed.is_number())
            return reader.fail("speeds", "a list of numbers");
        options.speeds.push_back(speed.get<double>());
    });
    reader.forEach("memory_limits", [&](const Json& limit) {
        if (!limit.is_null() && !limit.is_number_integer())
            return reader.fail("memory_limits", "a list of numbers of bytes");
        options.memoryLimits.push_back(limit.is_null() ? Bytes::max() : Bytes(limit.get<std::int64_t>()));
    });
    reader.forEach("links", [&](const Json& link) {
        if (!link.is_object())
            return reader.fail("links", "a list of links");
        FieldReader fields(link, file);
        Link read;
        double latency = 0;
        fields.read("bandwidth", read.bandwidth);
        fields.read("latency_s", latency);
        read.latency = Seconds(latency);
        reader.adopt(fields);
        options.links.push_back(read);
    });
    return reader.error();
}

Json regionsJson(const std::vector<NamedRegion>& regions)
{
    Json json = Json::array();
    for (const NamedRegion& region : regions)
        json.push_back({{"nodes", region.nodes}, {"kept", region.kept}});
    return json;
}

void readRegions(FieldReader& reader, const std::string& file, std::vector<NamedRegion>& regions)
{
    reader.forEach("recompute_regions", [&](const Json& json) {
        if (!json.is_object())
            return reader.fail("recompute_regions", "a list of regions");
        FieldReader fields(json, file);
        NamedRegion& region = regions.emplace_back();
        if (const Json* nodes = fields.find("nodes"))
            fields.readNames("nodes", *nodes, region.nodes);
        if (const Json* kept = fields.find("kept"))
            fields.readNames("kept", *kept, region.kept);
        reader.adopt(fields);
    });
}

std::vector<std::string> namesOf(const Graph& graph, const std::vector<NodeId>& nodes)
{
    std::vector<std::string> names;
    for (const NodeId node : nodes)
        names.push_back(graph[node].name);
    return names;
}

// Of those that the model still has, in its order.
std::vector<NodeId> nodesOf(const Graph& graph, const std::vector<std::string>& names)
{
    std::vector<NodeId> nodes;
    for (const std::string& name : names)
        if (const auto node = graph.findNode(name))
            nodes.push_back(*node);
    sortUnique(nodes);
    return nodes;
}

// A region of which nodes are gone is no region: what is left of it need not run one behind the other.
RecomputePlan regionsOn(const Graph& graph, const PlanFile& file, std::vector<std::string>& notes)
{
    RecomputePlan plan;
    std::size_t gone = 0;
    for (const NamedRegion& named : file.regions) {
        RecomputeRegion region{nodesOf(graph, named.nodes), nodesOf(graph, named.kept)};
        if (!region.nodes.empty() && region.nodes.size() == named.nodes.size())
            plan.regions.push_back(std::move(region));
        else
            ++gone;
    }
    if (gone > 0)
        notes.push_back("left out: " + counted(gone, "region") +
                        " to be recomputed with nodes that are not in the model");
    const RecomputePolicy& policy = file.options.recompute;
    const bool hasNone = policy.kind == RecomputeKind::Model || policy.kind == RecomputeKind::None;
    if (!hasNone || !policy.ofStages.empty() || plan.regions.empty())
        return plan;
    notes.push_back("left out: " + counted(plan.regions.size(), "region") +
                    " to be recomputed, as the plan says '" + printPolicy(policy) + "'");
    return {};
}

fs::path relativeToPlan(const fs::path& model, const fs::path& plan)
{
    std::error_code failure;
    const fs::path folder = fs::weakly_canonical(fs::absolute(plan, failure).parent_path(), failure);
    const fs::path target = fs::weakly_canonical(fs::absolute(model, failure), failure);
    const fs::path relative = target.lexically_relative(folder);
    const bool below = !failure && !relative.empty() && *relative.begin() != "..";
    return below ? relative : target;
}

std::string madeForAnother(const PlanFile& plan, std::size_t known, const std::vector<std::string>& unknown,
                           const Graph& graph)
{
    const std::string model = plan.model.path.filename().string();
    return "the plan was made for another model" + (model.empty() ? "" : " ('" + printable(model) + "')") +
           ": it knows " + std::to_string(known) + " of the " + counted(graph.nodeCount(), "node") +
           " of this one" + (unknown.empty() ? "" : ", and not '" + printable(unknown.front()) + "'");
}

Error unreadable(const fs::path& path)
{
    return {ErrorCode::Unreadable, path.string() + ": cannot be read: " + std::strerror(errno)};
}

} // namespace

PlanFile makePlanFile(const ModelFile& model, const Graph& graph, const Partition& partition,
                      const PartitionOptions& options)
{
    PlanFile plan{.model = model, .options = options};
    plan.options.stageCount = partition.stageCount;
    for (NodeId node : graph.nodes())
        plan.stageOfNode[graph[node].name] = partition.stageOf[node].index();
    for (const RecomputeRegion& region : options.recompute.regions.regions)
        plan.regions.push_back({namesOf(graph, region.nodes), namesOf(graph, region.kept)});
    plan.options.recompute.regions = {};
    for (const Pin& pin : options.pins)
        plan.pins[graph[pin.node].name] = pin.stage.index();
    for (const auto& nodes : options.keepTogether)
        plan.keepTogether.push_back(namesOf(graph, nodes));
    for (ValueId value : options.neverCut)
        plan.neverCut.push_back(graph[value].name);
    return plan;
}

std::string planText(const PlanFile& plan)
{
    const Result<Json> view = parseJson<Json>(plan.viewState, "view");
    Json json{{"format", formatVersion},
              {"model",
               {{"path", plan.model.path.generic_string()},
                {"sha256", plan.model.sha256},
                {"fingerprint", plan.model.fingerprint}}},
              {"stages", plan.options.stageCount},
              {"options", optionsJson(plan.options)},
              {"made_for", plan.madeFor ? madeForJson(*plan.madeFor) : Json(nullptr)},
              {"nodes", plan.stageOfNode},
              {"pins", plan.pins},
              {"keep_together", plan.keepTogether},
              {"never_cut", plan.neverCut},
              {"recompute_regions", regionsJson(plan.regions)},
              {"view", view.has_value() ? *view : Json::object()}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<void> writePlan(const PlanFile& plan, const fs::path& path)
{
    PlanFile placed = plan;
    placed.model.path = relativeToPlan(plan.model.path, path);
    STAGECRAFT_TRY(writeTextFile(path, planText(placed)));
    return {};
}

Result<PlanFile> readPlan(const fs::path& path)
{
    constexpr Bytes most(std::int64_t{32} << 20);
    STAGECRAFT_ASSIGN(text, readTextFile(path, most));
    const std::string name = path.string();
    STAGECRAFT_ASSIGN(json, parseJson<Json>(text, name));
    const auto bad = [&](const std::string& what) { return Error{ErrorCode::BadFormat, name + ": " + what}; };
    if (!json.is_object() || !json.contains("format") || !json.contains("nodes"))
        return bad("is not a plan");
    if (json["format"] != formatVersion)
        return bad("has format " + json["format"].dump() + "; this program reads format 1");
    PlanFile plan;
    FieldReader reader(json, name);
    reader.read("stages", plan.options.stageCount);
    reader.readStages("nodes", plan.stageOfNode);
    reader.readStages("pins", plan.pins);
    reader.forEach("keep_together", [&](const Json& names) {
        reader.readNames("keep_together", names, plan.keepTogether.emplace_back());
    });
    if (const Json* values = reader.find("never_cut"))
        reader.readNames("never_cut", *values, plan.neverCut);
    readRegions(reader, name, plan.regions);
    if (const Json* model = reader.findObject("model")) {
        std::string modelPath;
        FieldReader fields(*model, name);
        fields.read("path", modelPath);
        fields.read("sha256", plan.model.sha256);
        fields.read("fingerprint", plan.model.fingerprint);
        reader.adopt(fields);
        plan.model.path =
            fs::path(modelPath).is_absolute() ? fs::path(modelPath) : path.parent_path() / modelPath;
    }
    if (const Json* view = reader.findObject("view"))
        plan.viewState = view->dump(-1, ' ', false, Json::error_handler_t::replace);
    if (reader.findUnlessNull("made_for"))
        if (const Json* made = reader.findObject("made_for"))
            plan.madeFor = readMadeFor(*made, name, reader);
    const Json* const options = reader.findObject("options");
    auto failure = reader.error();
    if (options && !failure)
        failure = readOptions(*options, name, plan.options);
    if (failure)
        return *failure;
    if (const auto checked = checkOptions(plan.options); !checked.has_value())
        return bad(checked.error().message);
    if (const std::size_t named = plan.madeFor ? plan.madeFor->stageDevices.size() : 0;
        named > 0 && named != plan.options.stageCount)
        return bad("names devices of " + std::to_string(named) + " stages and has " +
                   std::to_string(plan.options.stageCount));
    for (const auto* stages : {&plan.stageOfNode, &plan.pins})
        for (const auto& [node, stage] : *stages)
            if (stage >= plan.options.stageCount)
                return bad("'" + node + "' is in " + stageLabel(StageId(stage)) + " of " +
                           std::to_string(plan.options.stageCount));
    return plan;
}

Result<AppliedPlan> applyPlan(const PlanFile& plan, const Graph& graph)
{
    AppliedPlan applied{
        .partition = {plan.options.stageCount, Table<NodeId, StageId>(graph.nodeCount(), StageId(0))},
        .options = plan.options};
    std::size_t known = 0;
    std::size_t raised = 0;
    std::vector<std::string> unknown;
    std::size_t last = 0;
    for (NodeId node : graph.nodes()) {
        const auto entry = plan.stageOfNode.find(graph[node].name);
        const bool isKnown = entry != plan.stageOfNode.end();
        // A plan of earlier versions has checks behind boundaries; they go with what they look at.
        const bool follows = onlyLooks(graph, node);
        const std::size_t wanted = follows ? 0 : isKnown ? entry->second : last;
        std::size_t stage = wanted;
        for (NodeId before : graph.predecessors(node))
            stage = std::max<std::size_t>(stage, applied.partition.stageOf[before].index());
        applied.partition.stageOf[node] = StageId(stage);
        known += isKnown;
        raised += isKnown && !follows && stage != wanted;
        if (!isKnown)
            unknown.push_back(graph[node].name);
        if (!follows)
            last = stage;
    }
    // A plan of another model may know some names of this one, such as "add".
    if (known == 0 || 2 * known < graph.nodeCount())
        return Error{ErrorCode::BadFormat, madeForAnother(plan, known, unknown, graph)};
    if (!unknown.empty())
        applied.notes.push_back(counted(unknown.size(), "node") + " of the model, '" + unknown.front() +
                                "' the first, " + (unknown.size() == 1 ? "is" : "are") +
                                " not in the plan and went to the stage of the node before");
    if (plan.stageOfNode.size() > known)
        applied.notes.push_back(counted(plan.stageOfNode.size() - known, "node") +
                                " of the plan are not in the model");
    if (raised > 0)
        applied.notes.push_back(counted(raised, "node") + " had to go to a later stage than in the plan");
    applied.options.recompute.regions = regionsOn(graph, plan, applied.notes);
    for (const auto& [name, stage] : plan.pins) {
        if (const auto node = graph.findNode(name))
            applied.options.pins.push_back({*node, StageId(stage)});
        else
            applied.notes.push_back("the pinned node '" + name + "' is not in the model");
    }
    for (const auto& names : plan.keepTogether) {
        std::vector<NodeId> nodes;
        for (const std::string& name : names) {
            if (const auto node = graph.findNode(name))
                nodes.push_back(*node);
        }
        if (nodes.size() > 1)
            applied.options.keepTogether.push_back(std::move(nodes));
    }
    for (const std::string& name : plan.neverCut) {
        if (const auto value = graph.findValue(name))
            applied.options.neverCut.push_back(*value);
    }
    return applied;
}

std::string changedModelNote(const PlanFile& plan, const fs::path& model, const Progress& progress)
{
    const bool isQuick = !plan.model.fingerprint.empty();
    const std::string& saved = isQuick ? plan.model.fingerprint : plan.model.sha256;
    if (saved.empty())
        return {};
    const Result<std::string> now = isQuick ? contentFingerprint(model) : fileSha256(model, progress);
    if (!now.has_value() || *now == saved)
        return {};
    return model.string() + " is not what it was when the plan was saved: the figures are those of the model "
                            "as it is now";
}

Result<std::string> contentFingerprint(const fs::path& path)
{
    constexpr std::uintmax_t sample = 1 << 20;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file)
        return unreadable(path);
    const auto size = static_cast<std::uintmax_t>(file.tellg());
    Sha256 hash;
    std::vector<char> buffer(sample);
    const auto addFrom = [&](std::uintmax_t offset) {
        const std::uintmax_t count = std::min(sample, size - offset);
        file.seekg(static_cast<std::streamoff>(offset));
        file.read(buffer.data(), static_cast<std::streamsize>(count));
        hash.add(std::as_bytes(std::span(buffer).first(static_cast<std::size_t>(file.gcount()))));
    };
    const std::string length = std::to_string(size);
    hash.add(std::as_bytes(std::span(length)));
    addFrom(0);
    if (size > sample)
        addFrom(std::max(sample, size - sample));
    if (!file)
        return unreadable(path);
    return hash.finish();
}

Result<std::string> fileSha256(const fs::path& path, const Progress& progress)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return unreadable(path);
    std::error_code ignored; // only the fraction depends on it
    const std::uintmax_t size = fs::file_size(path, ignored);
    Sha256 hash;
    std::vector<char> buffer(1 << 20);
    std::size_t done = 0;
    while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
        STAGECRAFT_TRY(progress.step("Reading the model", done, static_cast<std::size_t>(size)));
        const auto count = static_cast<std::size_t>(file.gcount());
        hash.add(std::as_bytes(std::span(buffer).first(count)));
        done += count;
    }
    if (file.bad())
        return unreadable(path);
    return hash.finish();
}

} // namespace stagecraft
