#include "core/report/report_sections.h"

#include "core/base/text.h"
#include "core/layout/operator_kinds.h"
#include "core/plan/sources/partition_json.h"
#include "core/plan/stage_labels.h"
#include "core/report/html_table.h"
#include "core/report/html_text.h"
#include "core/report/report_question.h"

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

std::string share(double part)
{
    return formatted("%.1f%%", 100 * part);
}

HtmlCell timeCell(Seconds time)
{
    return {formatSeconds(time), time.value()};
}

HtmlCell bytesCell(Bytes bytes)
{
    return {formatBytes(bytes), bytes.asDouble()};
}

HtmlCell countCell(std::size_t count)
{
    return {std::to_string(count), static_cast<double>(count)};
}

HtmlCell peakCell(Bytes peak, bool fits)
{
    HtmlCell cell(formatBytes(peak) + (fits ? "" : ", over its limit"), peak.asDouble());
    cell.isWarning = !fits;
    return cell;
}

std::string limitText(Bytes limit)
{
    return limit == Bytes::max() ? "none" : formatBytes(limit);
}

const DeviceCost& fullest(const PlanCost& cost)
{
    return *std::ranges::max_element(cost.devices, {}, &DeviceCost::peakMemory);
}

// "no plan is better", "no plan takes more than 0.15% less".
std::string provenText(const Solution& solution)
{
    if (solution.bound.value <= Seconds{})
        return "no bound was looked for";
    return solution.proven() ? "proven: no plan is better"
                             : formatted("proven: no plan takes more than %.2f%% less", 100 * solution.gap());
}

std::string card(std::string_view title, const std::string& figure, const std::string& detail,
                 std::string_view classes = {})
{
    return "<div class=\"card " + std::string(classes) + "\"><dt>" + htmlText(title) + "</dt><dd><b>" +
           htmlText(figure) + "</b><span>" + htmlText(detail) + "</span></dd></div>\n";
}

std::string memoryCard(const PlanCost& cost)
{
    const DeviceCost& device = fullest(cost);
    const bool hasLimit = device.memoryLimit != Bytes::max();
    if (!cost.fits()) {
        const auto over =
            std::ranges::count_if(cost.devices, [](const DeviceCost& one) { return !one.fits(); });
        return card("Memory", "does not fit",
                    formatBytes(device.peakMemory) + " on the fullest device, limit " +
                        limitText(device.memoryLimit) + "; " + std::to_string(over) + " of " +
                        std::to_string(cost.devices.size()) + " devices over theirs",
                    "bad");
    }
    return card("Memory", hasLimit ? "fits" : formatBytes(device.peakMemory),
                hasLimit ? formatBytes(device.peakMemory) + " of " + limitText(device.memoryLimit) +
                               " on the fullest device"
                         : "on the fullest device; no limit was set",
                hasLimit ? "good" : "");
}

} // namespace

std::string headline(const ReportSubject& subject)
{
    const PlanCost& cost = subject.solution.cost;
    const PartitionOptions& options = subject.problem.options;
    const std::string fits = cost.fits() ? "it fits into memory" : "it does not fit into memory";
    return "Split into " + counted(subject.problem.stageCount(), "stage") + " for " + devicesText(subject) +
           ": " + (fullest(cost).memoryLimit == Bytes::max() ? "" : fits + ", and ") + "a step of " +
           std::to_string(options.microbatches) +
           (options.microbatches == 1 ? " microbatch" : " microbatches") + " takes " +
           formatSeconds(cost.iteration) + ".";
}

std::string summaryCards(const ReportSubject& subject)
{
    const Solution& solution = subject.solution;
    const PlanCost& cost = solution.cost;
    const ProfileTotals& totals = subject.profile.totals;
    std::string html = "<dl class=\"cards\">\n" + memoryCard(cost);
    const std::string& times = subject.problem.times;
    html += card("Step", formatSeconds(cost.iteration),
                 (solution.iterationBound > Seconds{}
                      ? "no plan takes less than " + formatSeconds(solution.iterationBound)
                      : "simulated, with " + std::string(traitsOf(subject.problem.options.schedule).title)) +
                     (times.empty() ? "" : "; " + times));
    html += card("Slowest", formatSeconds(cost.bottleneckTime),
                 slowestLabel(cost) + ", a microbatch; " + provenText(solution));
    html += card("Bubble", share(cost.bubble), "of all device time computes nothing");
    html += card("Sent", formatBytes(cost.bytesSent), "a microbatch, both ways");
    html += card("Model", formatCount(static_cast<double>(totals.parameters)),
                 "parameters, " + formatBytes(totals.parameterBytes) + "; " +
                     formatFlops(totals.flopsForward + totals.flopsBackward) + " a microbatch");
    return html + "</dl>\n";
}

std::string stagesTable(const ReportSubject& subject)
{
    const PlanCost& cost = subject.solution.cost;
    const auto nodes = nodesByStage(subject.solution.partition);
    constexpr std::array columns{
        HtmlColumn{"Stage", "Stages in the order of the model"},
        HtmlColumn{"Device"},
        HtmlColumn{.title = "Begins in", .help = "The module of its first operator", .isFigure = false},
        HtmlColumn{"Operators"},
        HtmlColumn{"Forward", "Of one microbatch"},
        HtmlColumn{"Backward", "Of one microbatch: gradients of activations and of parameters"},
        HtmlColumn{"Receive", "Activations and their gradients, from and to earlier stages"},
        HtmlColumn{"Send", "The same, to and from later stages"},
        HtmlColumn{.title = "Load", .help = "What a microbatch costs the device", .hasBar = true},
        HtmlColumn{"Parameters"},
        HtmlColumn{.title = "Peak memory", .help = "The most it holds in a step", .hasBar = true},
        HtmlColumn{"Buffers", "Of the peak: what the run-time of the pipeline holds"},
        HtmlColumn{"Limit"},
        HtmlColumn{"Idle", "Share of the step in which its device computes nothing"}};
    std::vector<std::vector<HtmlCell>> rows;
    for (const StageId id : cost.stages.ids()) {
        const StageCost& stage = cost.stages[id];
        const std::size_t device = cost.deviceOf(id);
        HtmlCell number = countCell(id.index() + 1);
        number.stage = id.index();
        rows.push_back({number, countCell(device + 1), HtmlCell(beginsIn(subject.problem, nodes[id.index()])),
                        countCell(stage.nodeCount), timeCell(stage.forward),
                        timeCell(stage.backwardInput + stage.backwardWeight), timeCell(stage.receive),
                        timeCell(stage.send), timeCell(stage.load), bytesCell(stage.parameterBytes),
                        peakCell(stage.peakMemory, stage.fits()), bytesCell(stage.runtimeBytes),
                        HtmlCell(limitText(stage.memoryLimit), stage.memoryLimit.asDouble()),
                        HtmlCell(share(cost.devices[device].idle), cost.devices[device].idle)});
    }
    return htmlTable("stages-table", "Stages: what each takes for one microbatch, and the most it holds",
                     columns, rows);
}

std::string devicesTable(const ReportSubject& subject)
{
    const PlanCost& cost = subject.solution.cost;
    if (!cost.sharesDevices())
        return {};
    constexpr std::array columns{
        HtmlColumn{"Device"},
        HtmlColumn{.title = "Stages", .isFigure = false},
        HtmlColumn{.title = "Load", .help = "Of all its stages, a microbatch", .hasBar = true},
        HtmlColumn{.title = "Peak memory", .help = "The most they hold together", .hasBar = true},
        HtmlColumn{"Limit"},
        HtmlColumn{"Idle", "Share of the step in which it computes nothing"}};
    std::vector<std::vector<HtmlCell>> rows;
    for (std::size_t i = 0; i < cost.devices.size(); ++i) {
        const DeviceCost& device = cost.devices[i];
        rows.push_back({countCell(i + 1), HtmlCell(stagesLabel(device.stages)), timeCell(device.load),
                        peakCell(device.peakMemory, device.fits()),
                        HtmlCell(limitText(device.memoryLimit), device.memoryLimit.asDouble()),
                        HtmlCell(share(device.idle), device.idle)});
    }
    return htmlTable("devices-table", "Devices: what their stages take together", columns, rows);
}

std::string boundariesTable(const ReportSubject& subject)
{
    const PlanCost& cost = subject.solution.cost;
    if (cost.boundaries.empty())
        return "<p>There is one stage: nothing is sent.</p>\n";
    constexpr std::array columns{
        HtmlColumn{.title = "Boundary", .isFigure = false},
        HtmlColumn{"Tensors"},
        HtmlColumn{.title = "Forward", .help = "Bytes of one microbatch", .hasBar = true},
        HtmlColumn{"Backward", "Gradients of those that need one"},
        HtmlColumn{"Time", "Of one microbatch over the link, both ways"},
        HtmlColumn{.title = "Largest", .help = "What most of it is", .isFigure = false}};
    std::vector<std::vector<HtmlCell>> rows;
    for (const BoundaryId id : cost.boundaries.ids()) {
        const BoundaryCost& boundary = cost.boundaries[id];
        std::string largest;
        if (!boundary.values.empty()) {
            const Value& value = subject.model.graph[boundary.values.front()];
            largest = value.name + (value.meta ? "  " + metaText(*value.meta) : "");
        }
        rows.push_back({HtmlCell(std::to_string(id.index() + 1) + "\u2192" + std::to_string(id.index() + 2),
                                 static_cast<double>(id.index())),
                        countCell(boundary.values.size()), bytesCell(boundary.forwardBytes),
                        bytesCell(boundary.backwardBytes), timeCell(boundary.time), HtmlCell(largest)});
    }
    return htmlTable("boundaries-table", "Boundaries: what goes from each stage to the next", columns, rows);
}

std::string operatorsTable(const ReportSubject& subject)
{
    constexpr std::size_t mostShown = 40;
    const Graph& graph = subject.model.graph;
    std::vector<NodeId> order;
    for (const NodeId node : graph.nodes())
        order.push_back(node);
    const auto time = [&](NodeId node) { return -subject.problem.nodes[node].time().value(); };
    std::ranges::stable_sort(order, {}, time);
    constexpr std::array columns{
        HtmlColumn{.title = "Operator", .isFigure = false},
        HtmlColumn{.title = "Name", .isFigure = false},
        HtmlColumn{.title = "Module", .isFigure = false},
        HtmlColumn{"Stage"},
        HtmlColumn{.title = "Result", .isFigure = false},
        HtmlColumn{"Forward"},
        HtmlColumn{"Backward"},
        HtmlColumn{.title = "Time", .help = "Forward and backward of a microbatch", .hasBar = true},
        HtmlColumn{"FLOPs"},
        HtmlColumn{"Parameters", "Read here first; a shared one counts once"},
        HtmlColumn{"Saved", "Kept from forward to backward, for each microbatch"}};
    std::vector<std::vector<HtmlCell>> rows;
    for (std::size_t i = 0; i < std::min(mostShown, order.size()); ++i) {
        const Node& node = graph[order[i]];
        const ProblemNode& times = subject.problem.nodes[order[i]];
        const NodeCost& cost = subject.profile.nodes[order[i]];
        const std::optional<TensorMeta> result =
            node.results.empty() ? std::nullopt : graph[node.results.front()].meta;
        const Flops flops = cost.forward.flops + cost.backward().flops;
        HtmlCell stage = countCell(subject.solution.partition.stageOf[order[i]].index() + 1);
        stage.stage = subject.solution.partition.stageOf[order[i]].index();
        rows.push_back({HtmlCell(operatorTitle(node)), HtmlCell(node.name),
                        HtmlCell(graph.modules()[node.module].path), stage,
                        HtmlCell(result ? metaText(*result) : ""), timeCell(times.forward),
                        timeCell(times.backwardInput + times.backwardWeight), timeCell(times.time()),
                        HtmlCell(formatFlops(flops), flops.value()), bytesCell(cost.parameterBytes),
                        bytesCell(times.saved)});
    }
    const std::string caption = "The " + std::to_string(rows.size()) +
                                " operators that take the most time, of " + std::to_string(order.size());
    return htmlTable("nodes-table", caption, columns, rows);
}

} // namespace stagecraft
