// Operators of graphs written as text, traced for a device that is shipped.
#pragma once

#include "core/load/model.h"
#include "core/profile/cost/kernel_work.h"
#include "core/profile/model/profile_model.h"
#include "core/trace/trace_model.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QTest>

namespace stagecraft {

inline DeviceSpec deviceNamed(const std::string& id)
{
    return *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / (id + ".json"));
}

inline Trace traceOf(const std::string& lines, TrainingMode mode, const DeviceSpec& device)
{
    Result<Graph> graph = parseGraph("graph g\n" + lines);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    const Model model{.name = "g", .graph = std::move(graph).value()};
    ProfileOptions options;
    options.mode = mode;
    options.device = device;
    Result<Trace> trace = traceModel(model, traceOptions(options));
    if (!trace.has_value())
        qFatal("%s", trace.error().message.c_str());
    return std::move(trace).value();
}

inline const TraceOp& opNamed(const Trace& trace, std::string_view name)
{
    for (const TraceOp& op : trace.ops)
        if (trace.opNames[op.name].name == name)
            return op;
    qFatal("no %s", std::string(name).c_str());
}

inline KernelWork workOf(const std::string& lines, std::string_view name, const DeviceSpec& device,
                         TrainingMode mode = TrainingMode::Infer)
{
    const Trace trace = traceOf(lines, mode, device);
    const TraceOp& op = opNamed(trace, name);
    return kernelWork(trace, op, operatorFlops(trace, op), operatorTraffic(trace, op), device);
}

} // namespace stagecraft
