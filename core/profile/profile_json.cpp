#include "core/profile/profile_json.h"

#include "core/base/csv_text.h"
#include "core/profile/profile_names.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace stagecraft {

namespace {

using nlohmann::ordered_json;

// Counts are whole numbers as long as 64 bits hold them.
ordered_json count(Flops flops)
{
    const double value = flops.value();
    if (std::abs(value) < 9e18 && value == std::floor(value))
        return static_cast<std::int64_t>(value);
    return value;
}

ordered_json totalsJson(const ProfileTotals& totals)
{
    return {
        {"parameters", totals.parameters},
        {"parameter_bytes", totals.parameterBytes.count()},
        {"buffer_bytes", totals.bufferBytes.count()},
        {"input_bytes", totals.inputBytes.count()},
        {"gradient_bytes", totals.gradientBytes.count()},
        {"optimizer_bytes", totals.optimizerBytes.count()},
        {"workspace_bytes", totals.workspaceBytes.count()},
        {"flops_forward", count(totals.flopsForward)},
        {"flops_backward", count(totals.flopsBackward)},
        {"flops_recomputed", count(totals.flopsRecomputed)},
        {"saved_bytes", totals.savedBytes.count()},
        {"live_after_forward_bytes", totals.liveAfterForward.count()},
        {"peak_forward_bytes", totals.peakForward.count()},
        {"peak_backward_bytes", totals.peakBackward.count()},
        {"peak_bytes", totals.peak.count()},
        {"peak_optimizer_bytes", totals.peakOptimizer.count()},
        {"peak_with_model_bytes", totals.peakWithModel.count()},
        {"time_forward_s", totals.timeForward.value()},
        {"time_backward_s", totals.timeBackward.value()},
        {"time_recomputed_s", totals.timeRecomputed.value()},
        {"time_optimizer_s", totals.timeOptimizer.value()},
    };
}

ordered_json deviceMemoryJson(const DeviceMemory& memory)
{
    return {{"allocated_bytes", memory.allocated.count()},
            {"reserved_bytes", memory.reserved.count()},
            {"device_total_bytes", memory.total.count()}};
}

ordered_json stepMemoryJson(const StepMemory& memory)
{
    return {{"first_step", deviceMemoryJson(memory.firstStep)},
            {"later_steps", deviceMemoryJson(memory.laterSteps)},
            {"convolution_copies_bytes", memory.convolutionCopies.count()},
            {"fits", memory.fits}};
}

ordered_json memoryUseJson(const MemoryUse& use)
{
    ordered_json json = ordered_json::object();
    for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        json[std::string(categoryField(category))] = use[category].count();
    }
    return json;
}

// Where in the step most is alive, and what.
ordered_json peakJson(const Graph& graph, const Profile& profile)
{
    ordered_json json = ordered_json::object();
    if (!profile.memory.samples.empty()) {
        const MemorySample& sample = profile.memory.samples[profile.memory.peakSample];
        json["sample"] = profile.memory.peakSample;
        json["phase"] = passName(sample.phase, sample.isRecomputed);
        json["op"] = sample.op;
        json["node"] = sample.node ? ordered_json(graph[*sample.node].name) : ordered_json();
    }
    json["total_bytes"] = profile.memoryAtPeak.total().count();
    json.update(memoryUseJson(profile.memoryAtPeak));
    return json;
}

struct Column
{
    const char* name;
    ordered_json (*value)(const NodeCost&);
};

constexpr Column columns[] = {
    {"flops_forward", [](const NodeCost& c) { return count(c.forward.flops); }},
    {"flops_backward", [](const NodeCost& c) { return count(c.backward().flops); }},
    {"flops_backward_input", [](const NodeCost& c) { return count(c.backwardInput.flops); }},
    {"flops_backward_weight", [](const NodeCost& c) { return count(c.backwardWeight.flops); }},
    {"flops_recomputed", [](const NodeCost& c) { return count(c.recomputed.flops); }},
    {"bytes_read_forward", [](const NodeCost& c) { return ordered_json(c.forward.bytesRead.count()); }},
    {"bytes_written_forward", [](const NodeCost& c) { return ordered_json(c.forward.bytesWritten.count()); }},
    {"bytes_read_backward", [](const NodeCost& c) { return ordered_json(c.backward().bytesRead.count()); }},
    {"bytes_written_backward",
     [](const NodeCost& c) { return ordered_json(c.backward().bytesWritten.count()); }},
    {"output_bytes", [](const NodeCost& c) { return ordered_json(c.outputBytes.count()); }},
    {"saved_bytes", [](const NodeCost& c) { return ordered_json(c.savedBytes.count()); }},
    {"parameter_bytes", [](const NodeCost& c) { return ordered_json(c.parameterBytes.count()); }},
    {"buffer_bytes", [](const NodeCost& c) { return ordered_json(c.bufferBytes.count()); }},
    {"peak_bytes", [](const NodeCost& c) { return ordered_json(c.temporaryPeak.count()); }},
    {"held_at_peak_bytes", [](const NodeCost& c) { return ordered_json(c.atPeak.total().count()); }},
    {"time_forward_s", [](const NodeCost& c) { return ordered_json(c.forward.time.value()); }},
    {"time_backward_s", [](const NodeCost& c) { return ordered_json(c.backward().time.value()); }},
    {"time_recomputed_s", [](const NodeCost& c) { return ordered_json(c.recomputed.time.value()); }},
    {"origin", [](const NodeCost& c) { return ordered_json(originName(c.origin)); }},
};

// Of nodes as one thing.
struct BlockColumn
{
    const char* name;
    ordered_json (*value)(const BlockFigures&);
};

constexpr BlockColumn blockColumns[] = {
    {"input_bytes", [](const BlockFigures& f) { return ordered_json(f.input.count()); }},
    {"forward_peak_bytes", [](const BlockFigures& f) { return ordered_json(f.forwardPeak.count()); }},
    {"backward_peak_bytes", [](const BlockFigures& f) { return ordered_json(f.backwardPeak.count()); }},
    {"time_forward_alone_s", [](const BlockFigures& f) { return ordered_json(f.forwardTime.value()); }},
    {"time_backward_alone_s", [](const BlockFigures& f) { return ordered_json(f.backwardTime.value()); }},
};

void appendColumns(ordered_json& row, const NodeCost& cost)
{
    for (const Column& column : columns)
        row[column.name] = column.value(cost);
    row["at_peak"] = memoryUseJson(cost.atPeak);
}

// By Siu's names: what recomputing the node would save, and what it would cost.
ordered_json metaJson(const NodeMemory& info)
{
    return {{"forward_in_bytes", info.forwardIn.count()},
            {"forward_temporary_bytes", info.forwardTemporary.count()},
            {"forward_out_bytes", info.forwardOut.count()},
            {"forward_out_saved_bytes", info.forwardOutSaved.count()},
            {"forward_peak_bytes", info.forwardPeak.count()},
            {"backward_temporary_bytes", info.backwardTemporary.count()},
            {"backward_out_bytes", info.backwardOut.count()},
            {"backward_peak_bytes", info.backwardPeak.count()},
            {"parameters_bytes", info.parameters.count()},
            {"buffers_bytes", info.buffers.count()}};
}

ordered_json partJson(const OpPart& part)
{
    return {{"op", part.op},
            {"phase", passName(part.phase, part.isRecomputed)},
            {"bias", part.isBias},
            {"flops", count(part.cost.flops)},
            {"bytes_read", part.cost.bytesRead.count()},
            {"bytes_written", part.cost.bytesWritten.count()},
            {"time_s", part.cost.time.value()}};
}

Table<NodeId, ordered_json> partsByNode(const Graph& graph, const Profile& profile)
{
    Table<NodeId, ordered_json> parts(graph.nodeCount(), ordered_json::array());
    for (const OpPart& part : profile.parts)
        parts[part.node].push_back(partJson(part));
    return parts;
}

ordered_json nodesJson(const Graph& graph, const Profile& profile)
{
    ordered_json rows = ordered_json::array();
    for (const NodeId id : graph.nodes()) {
        ordered_json row{{"name", graph[id].name},
                         {"target", graph[id].target},
                         {"module", graph.modules()[graph[id].module].path}};
        appendColumns(row, profile.nodes[id]);
        row["memory"] = metaJson(profile.nodeMemory[id]);
        rows.push_back(std::move(row));
    }
    return rows;
}

ordered_json summaryJson(const std::vector<SummaryRow>& summary)
{
    ordered_json rows = ordered_json::array();
    for (const SummaryRow& entry : summary) {
        ordered_json row{{"name", entry.name}, {"detail", entry.detail}, {"nodes", entry.nodes}};
        appendColumns(row, entry.cost);
        if (entry.block)
            for (const BlockColumn& column : blockColumns)
                row[column.name] = column.value(*entry.block);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string columnText(const ordered_json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

constexpr NameTable<SummaryKind, 4> rowsOf{"rows",
                                           {{{SummaryKind::Module, "modules"},
                                             {SummaryKind::Op, "ops"},
                                             {SummaryKind::Group, "stages"},
                                             {SummaryKind::Node, "blocks"}}}};

constexpr NameTable<Phase, 3> phases{
    "phase", {{{Phase::Forward, "forward"}, {Phase::Backward, "backward"}, {Phase::Optimizer, "optimizer"}}}};

constexpr NameTable<CostOrigin, 4> costOrigins{"origin",
                                               {{{CostOrigin::Inexact, "inexact"},
                                                 {CostOrigin::Measured, "measured"},
                                                 {CostOrigin::Imported, "imported"},
                                                 {CostOrigin::Estimated, "estimated"}}}};

} // namespace

std::vector<SummaryRow> reportRows(const Model& model, const Profile& profile, const ReportOptions& options)
{
    if (options.kind == SummaryKind::Group)
        return summarizeGroups(model.graph, profile, options.groups);
    return summarize(model.graph, profile, options.kind, options.depth, options.blocks);
}

std::string profileJson(const Model& model, const Profile& profile, const ReportOptions& options)
{
    ordered_json document{{"model", model.name},
                          {"device", profile.options.device.id},
                          {"mode", nameOf(trainingModes, profile.options.mode)},
                          {"lowering", nameOf(lowerings, profile.options.lowering)},
                          {"precision", nameOf(precisions, profile.options.precision)},
                          {"optimizer", nameOf(optimizers, profile.options.optimizer)},
                          {"optimizer_variant", nameOf(optimizerVariants, profile.options.optimizerVariant)},
                          {"master_weights", profile.options.masterWeights == MasterWeights::Float32},
                          {"gradients_kept", profile.options.gradients == GradientStart::Present},
                          {"segments", nameOf(segmentKinds, profile.options.segments)},
                          {"exact", isExact(profile)},
                          {"times", timesText(profile)},
                          {"totals", totalsJson(profile.totals)},
                          {"memory_at_peak", peakJson(model.graph, profile)},
                          {"device_memory", stepMemoryJson(profile.stepMemory)},
                          {"nodes", nodesJson(model.graph, profile)}};
    if (options.parts == ReportOptions::Parts::Listed) {
        Table<NodeId, ordered_json> parts = partsByNode(model.graph, profile);
        for (const NodeId id : model.graph.nodes())
            document["nodes"][id.index()]["parts"] = std::move(parts[id]);
    }
    const bool isByNode = options.kind == SummaryKind::Node;
    if (!isByNode || !options.blocks.empty()) {
        document[std::string(nameOf(rowsOf, options.kind))] =
            summaryJson(reportRows(model, profile, options));
    }
    document["notes"] = noteTexts(profile);
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

std::string profileCsv(const Model& model, const Profile& profile, const ReportOptions& options)
{
    std::string text = "name,detail,nodes";
    for (const Column& column : columns)
        text += std::string(",") + column.name;
    for (std::size_t i = 0; i < memoryCategoryCount; ++i)
        text += ",at_peak_" + std::string(categoryField(static_cast<MemoryCategory>(i)));
    for (const BlockColumn& column : blockColumns)
        text += std::string(",") + column.name;
    text += "\r\n";
    for (const SummaryRow& row : reportRows(model, profile, options)) {
        text += csvField(row.name) + ',' + csvField(row.detail) + ',' + std::to_string(row.nodes);
        for (const Column& column : columns)
            text += ',' + csvField(columnText(column.value(row.cost)));
        for (std::size_t i = 0; i < memoryCategoryCount; ++i)
            text += ',' + std::to_string(row.cost.atPeak[static_cast<MemoryCategory>(i)].count());
        for (const BlockColumn& column : blockColumns)
            text += row.block ? ',' + columnText(column.value(*row.block)) : ",";
        text += "\r\n";
    }
    return text;
}

ordered_json costJson(const NodeCost& cost)
{
    ordered_json json = ordered_json::object();
    for (const Column& column : columns)
        json[column.name] = column.value(cost);
    return json;
}

std::string_view phaseName(Phase phase)
{
    return nameOf(phases, phase);
}

std::string_view passName(Phase phase, bool isRecomputed)
{
    return isRecomputed ? "recomputation" : phaseName(phase);
}

std::string_view originName(CostOrigin origin)
{
    return nameOf(costOrigins, origin);
}

} // namespace stagecraft
