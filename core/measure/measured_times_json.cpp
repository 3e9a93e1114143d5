#include "core/measure/measured_times_json.h"

#include "core/base/json_text.h"
#include "core/measure/imported_times.h"

#include <nlohmann/json.hpp>

namespace stagecraft {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

std::optional<Seconds> secondsAt(const json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number() || !(found->get<double>() >= 0))
        return std::nullopt;
    return Seconds(found->get<double>());
}

// None: there is no whole step in it.
std::optional<StepTimes> stepOf(const json& document)
{
    if (!document.is_object() || document.value("format", json()) != 1 || !document.contains("step"))
        return std::nullopt;
    const std::optional<Seconds> forward = secondsAt(document["step"], "forward");
    const std::optional<Seconds> backward = secondsAt(document["step"], "backward");
    if (!forward || !backward)
        return std::nullopt;
    return StepTimes{*forward, *backward};
}

} // namespace

std::string measuredTimesJson(const Graph& graph, const MeasuredTimes& times)
{
    ordered_json nodes = ordered_json::object();
    for (const NodeId node : graph.nodes())
        if (const std::optional<NodeTimes>& measured = times.nodes[node])
            nodes[graph[node].name] = {{"forward", measured->forward.value()},
                                       {"backward_input", measured->backwardInput.value()},
                                       {"backward_weight", measured->backwardWeight.value()}};
    ordered_json document{
        {"format", 1},
        {"step", {{"forward", times.step.forward.value()}, {"backward", times.step.backward.value()}}},
        {"nodes", std::move(nodes)}};
    if (times.withoutBackward)
        document["without_backward"] = *times.withoutBackward;
    return document.dump(1) + '\n';
}

Result<MeasuredTimes> parseMeasuredTimes(std::string_view text, const std::string& name, const Graph& graph)
{
    const Result<json> parsed = parseJson<json>(text, name);
    const json document = parsed.has_value() ? *parsed : json();
    const std::optional<StepTimes> step = stepOf(document);
    if (!step)
        return Error{ErrorCode::BadFormat, name + ": holds no measured step"};
    STAGECRAFT_ASSIGN(read, parseTimes(text, name, graph));
    if (!read.notes.empty()) // nodes without a time, or times without a node
        return Error{ErrorCode::BadFormat, read.notes.front()};
    MeasuredTimes times;
    times.step = *step;
    if (const auto reason = document.find("without_backward");
        reason != document.end() && reason->is_string())
        times.withoutBackward = reason->get<std::string>();
    times.nodes = Table<NodeId, std::optional<NodeTimes>>(graph.nodeCount());
    for (const NodeId node : graph.nodes())
        if (const std::optional<ImportedTime>& time = read.nodes[node]) {
            const Seconds weight = time->weight.value_or(Seconds{});
            times.nodes[node] = NodeTimes{time->forward, time->backward - weight, weight};
        }
    return times;
}

} // namespace stagecraft
