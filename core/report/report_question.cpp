#include "core/report/report_question.h"

#include "core/base/text.h"
#include "core/plan/device_kinds.h"
#include "core/report/html_text.h"
#include "core/report/report_json.h"

#include <algorithm>

namespace stagecraft {

namespace {

PlanRequest requestOf(const ReportSubject& subject)
{
    return {.device = subject.profile.options.device.id,
            .profile = subject.profile.options,
            .plan = subject.problem.options};
}

// What a person calls the value that a field has.
std::string shownValue(const RequestField& field, const PlanRequest& request)
{
    const std::string value = field.print(request);
    if (field.choices)
        for (const FieldChoice& choice : field.choices())
            if (choice.name == value)
                return std::string(choice.title);
    return value;
}

std::string entry(std::string_view title, const std::string& value)
{
    return "<div><dt>" + htmlText(title) + "</dt><dd>" + htmlText(value) + "</dd></div>\n";
}

std::string sizesText(const Bindings& sizes)
{
    std::string text;
    for (const auto& [symbol, size] : sizes)
        text += (text.empty() ? "" : ", ") + symbol + " = " + std::to_string(size);
    return text;
}

// One for all, or stage by stage.
std::string limitsText(const ReportSubject& subject)
{
    const std::vector<Bytes>& limits = subject.problem.options.memoryLimits;
    const auto shown = [](Bytes limit) { return limit == Bytes::max() ? "none" : formatBytes(limit); };
    if (limits.empty())
        return "none";
    const bool areAlike = std::ranges::all_of(limits, [&](Bytes limit) { return limit == limits.front(); });
    std::string text;
    for (const Bytes limit : limits)
        text += (text.empty() ? "" : ", ") + shown(limit);
    return (areAlike ? shown(limits.front()) : text) +
           (subject.limitIsOfDevice ? ", what the device has beside its driver" : "");
}

std::string linksText(const PartitionOptions& options)
{
    if (options.links.empty())
        return "none";
    const Link& link = options.links.front();
    const bool areAlike = std::ranges::all_of(options.links, [&](const Link& one) { return one == link; });
    if (!areAlike)
        return "not all alike: as the plan says";
    if (link.bandwidth <= 0)
        return "costs nothing";
    return formatted("%.4g GB/s, ", link.bandwidth / 1e9) + formatSeconds(link.latency) + " a message";
}

std::string constraintsText(const PartitionOptions& options)
{
    std::string text;
    const auto add = [&](std::size_t count, std::string_view what) {
        if (count > 0)
            text += (text.empty() ? "" : ", ") + counted(count, what);
    };
    add(options.pins.size(), "pinned operator");
    add(options.keepTogether.size(), "part kept whole");
    add(options.neverCut.size(), "value never sent");
    return text;
}

} // namespace

std::string devicesText(const ReportSubject& subject)
{
    PlanRequest request{subject.profile.options.device.id, {}, subject.problem.options};
    std::vector<DeviceSpec> devices{subject.profile.options.device};
    if (subject.madeFor)
        for (const std::optional<NamedDevice>& device : subject.madeFor->stageDevices) {
            request.stageDevices.push_back(device ? device->id : std::string());
            if (device)
                devices.push_back({.id = device->id, .name = device->name});
        }
    return devicesText(request, devices);
}

std::string questionList(const ReportSubject& subject)
{
    const PlanRequest request = requestOf(subject);
    const ProfileOptions& profile = subject.profile.options;
    std::string html = "<dl class=\"asked\">\n";
    html += entry("Model", modelFileName(subject.model));
    const bool hasKinds = subject.madeFor && !subject.madeFor->stageDevices.empty();
    html += entry("Device",
                  hasKinds ? devicesText(subject) : profile.device.name + " (" + profile.device.id + ")");
    html += entry("Stages", stagingText(subject.problem.options));
    html += entry("Memory limit", limitsText(subject));
    html += entry("Link", linksText(subject.problem.options));
    for (const RequestField& field : requestFields())
        if (field.name != "seed")
            html += entry(field.title, shownValue(field, request));
    if (profile.masterWeights == MasterWeights::Float32)
        html += entry("Master weights", "float32");
    for (const auto& [title, sizes] :
         {std::pair("Sizes", &profile.bindings), std::pair("Bounds", &profile.bounds)})
        if (!sizes->empty())
            html += entry(title, sizesText(*sizes));
    if (!profile.lossOutput.empty())
        html += entry("Loss", profile.lossOutput);
    if (const std::string constraints = constraintsText(subject.problem.options); !constraints.empty())
        html += entry("Constraints", constraints);
    return html + "</dl>\n";
}

std::string noteList(const ReportSubject& subject)
{
    if (subject.notes.empty())
        return {};
    std::string html = "<h3>To be known beside the figures</h3>\n<ul class=\"notes\">\n";
    for (const std::string& note : subject.notes)
        html += "<li>" + htmlText(note) + "</li>\n";
    return html + "</ul>\n";
}

std::string commandAgain(const ReportSubject& subject)
{
    const auto fileWord = [](const std::string& name) {
        return shellWord(name.starts_with('-') ? "./" + name : name);
    };
    const PlanRequest request = requestOf(subject);
    const ProfileOptions& profile = subject.profile.options;
    std::string text = "stagecraft-cli report " + fileWord(modelFileName(subject.model)) + " --plan " +
                       fileWord(planFileName(subject.model)) + " --device " + shellWord(profile.device.id);
    for (const char* name :
         {"mode", "lowering", "optimizer", "optimizer-variant", "precision", "gradients", "segments"})
        if (const RequestField& field = requestField(name); field.print(request) != field.print({}))
            text += " --" + std::string(name) + " " + shellWord(field.print(request));
    if (profile.masterWeights == MasterWeights::Float32)
        text += " --master-weights";
    for (const auto& [symbol, size] : profile.bindings)
        text += " --bind " + shellWord(symbol + "=" + std::to_string(size));
    for (const auto& [symbol, size] : profile.bounds)
        text += " --bound " + shellWord(symbol + "=" + std::to_string(size));
    if (!profile.lossOutput.empty())
        text += " --loss-output " + shellWord(profile.lossOutput);
    if (profile.substitutes)
        text += " --substitutes FILE.json";
    const bool hasTimes = std::ranges::any_of(subject.profile.nodes, [](const NodeCost& cost) {
        return cost.origin == CostOrigin::Measured || cost.origin == CostOrigin::Imported;
    });
    if (hasTimes)
        text += " --times FILE";
    return text + " -o report.html";
}

} // namespace stagecraft
