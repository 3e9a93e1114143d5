#include "core/advise/advice_text.h"

#include "core/base/text.h"
#include "core/plan/sources/bounds_json.h"
#include "core/plan/stage_labels.h"

#include <nlohmann/json.hpp>

#include <array>

namespace stagecraft {

namespace {

using Json = nlohmann::ordered_json;

// "1.20 ms less (2.6%)"
std::string gainText(Seconds before, Seconds after)
{
    const bool less = after <= before;
    const Seconds change = less ? before - after : after - before;
    const double share = before > Seconds{} ? change / before : 0;
    return formatSeconds(change) + (less ? " less" : " more") + formatted(" (%.1f%%)", 100 * share);
}

Json namesJson(const PartitionProblem& problem, const std::vector<NodeId>& nodes)
{
    Json names = Json::array();
    for (const NodeId node : nodes)
        names.push_back(problem.nodes[node].name);
    return names;
}

Json stageJson(const PartitionProblem& problem, const BottleneckReport& report)
{
    Json nodes = Json::array();
    for (const NodeShare& share : report.nodes)
        nodes.push_back({{"name", problem.nodes[share.node].name},
                         {"module", problem.nodes[share.node].module},
                         {"time_s", share.time.value()}});
    Json values = Json::array();
    for (const ValueShare& share : report.values)
        values.push_back({{"from", problem.nodes[share.producer].name},
                          {"module", problem.nodes[share.producer].module},
                          {"boundary", share.boundary.index()},
                          {"time_s", share.time.value()},
                          {"bytes", share.bytes.count()}});
    return {{"stage", report.stage.index()},
            {"load_s", report.cost.load.value()},
            {"compute_s", report.cost.compute().value()},
            {"receive_s", report.cost.receive.value()},
            {"send_s", report.cost.send.value()},
            {"peak_bytes", report.cost.peakMemory.count()},
            {"fits", report.cost.fits()},
            {"nodes", std::move(nodes)},
            {"values", std::move(values)}};
}

Json forcedJson(const PartitionProblem& problem, const std::optional<ForcedShare>& forced)
{
    if (!forced)
        return nullptr;
    return {{"nodes", namesJson(problem, forced->nodes)},
            {"compute_s", forced->compute.value()},
            {"receive_s", forced->receive.value()},
            {"send_s", forced->send.value()}};
}

Json suggestionJson(const PartitionProblem& problem, const Suggestion& suggestion)
{
    const PlanCost& cost = suggestion.solution.cost;
    Json json{{"kind", suggestionName(suggestion.kind)},
              {"text", suggestion.text},
              {"stages", suggestion.solution.partition.stageCount},
              {"bottleneck_s", cost.bottleneckTime.value()},
              {"bottleneck_gain_s", suggestion.bottleneckGain.value()},
              {"iteration_s", cost.iteration.value()},
              {"iteration_gain_s", suggestion.iterationGain.value()},
              {"peak_bytes", cost.peakMemory().count()},
              {"bytes_sent", cost.bytesSent.count()},
              {"fits", cost.fits()},
              {"moved", namesJson(problem, suggestion.moved)}};
    addBounds(json, suggestion.solution);
    return json;
}

// The gains, and what no plan beats that does as is suggested.
std::string suggestionText(const Suggestion& suggestion)
{
    const Solution& solution = suggestion.solution;
    const PlanCost& cost = solution.cost;
    return "  " + suggestion.text + "\n      slowest " + formatSeconds(cost.bottleneckTime) + ", " +
           gainText(cost.bottleneckTime + suggestion.bottleneckGain, cost.bottleneckTime) + "; step " +
           formatSeconds(cost.iteration) + ", " +
           gainText(cost.iteration + suggestion.iterationGain, cost.iteration) + "; peak " +
           formatBytes(cost.peakMemory()) + (cost.fits() ? "" : ", over its limit") +
           "\n      then no plan takes less than " + formatSeconds(solution.bound.value) +
           " at its slowest, or " + formatSeconds(solution.iterationBound) + " a step\n";
}

} // namespace

std::string_view suggestionName(Suggestion::Kind kind)
{
    constexpr std::array<std::string_view, 8> names{"move boundary", "send nodes",      "add stage",
                                                    "raise limit",   "change schedule", "change send",
                                                    "split anew",    "one stage each"};
    return names[static_cast<std::size_t>(kind)];
}

std::string adviceText(const PartitionProblem& problem, const BottleneckReport& report,
                       std::span<const Suggestion> suggestions)
{
    std::string text;
    for (const std::string& reason : report.reasons)
        text += reason + "\n";
    text += "\nlongest nodes of " + stageLabel(report.stage) + "\n";
    for (const NodeShare& share : report.nodes)
        text += formatted("  %10s  %s\n", formatSeconds(share.time).c_str(),
                          placeText(problem, share.node).c_str());
    if (!report.values.empty())
        text += "largest values over its boundaries\n";
    for (const ValueShare& share : report.values)
        text += formatted("  %10s  %10s  over %s: %s\n", formatSeconds(share.time).c_str(),
                          formatBytes(share.bytes).c_str(), boundaryLabel(share.boundary).c_str(),
                          placeText(problem, share.producer).c_str());
    text += suggestions.empty() ? "\nno single change helps\n" : "\nwhat would help\n";
    for (const Suggestion& suggestion : suggestions)
        text += suggestionText(suggestion);
    return text;
}

std::string adviceJson(const PartitionProblem& problem, const BottleneckReport& report,
                       std::span<const Suggestion> suggestions)
{
    Json json{{"bottleneck", stageJson(problem, report)},
              {"bound",
               {{"value_s", report.bound.value.value()},
                {"kind", report.bound.kind},
                {"witness", namesJson(problem, report.bound.witness)}}},
              {"gap", report.gap},
              {"proven", report.gap <= 1e-4},
              {"forced", forcedJson(problem, report.forced)},
              {"reasons", report.reasons},
              {"suggestions", Json::array()}};
    for (const Suggestion& suggestion : suggestions)
        json["suggestions"].push_back(suggestionJson(problem, suggestion));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace stagecraft
