#include "core/advise/curve_text.h"

#include "core/base/text.h"
#include "core/plan/runtime_memory.h"
#include "core/plan/sources/bounds_json.h"

#include <nlohmann/json.hpp>

namespace stagecraft {

namespace {

using Json = nlohmann::ordered_json;

std::string gapText(const Solution& solution)
{
    return solution.proven() ? "proven" : formatted("%.2f%%", 100 * solution.gap());
}

std::string pointText(const CurvePoint& point)
{
    std::string text = formatted("%6zu", point.stageCount);
    if (point.hasPlan()) {
        const PlanCost& cost = point.solution->cost;
        text += formatted(
            "  %10s  %10s  %7s  %10s  %8s  %6.1f%%  %11s  %10s  %4s  %s",
            formatSeconds(cost.bottleneckTime).c_str(), formatSeconds(point.solution->bound.value).c_str(),
            gapText(*point.solution).c_str(), formatSeconds(cost.iteration).c_str(),
            point.speedUp > 0 ? formatted("%.2fx", point.speedUp).c_str() : "", 100 * cost.bubble,
            formatBytes(point.peakMemory).c_str(), formatBytes(cost.bytesSent).c_str(),
            cost.fits() ? "yes" : "no", point.pareto ? "*" : "");
        while (text.back() == ' ')
            text.pop_back();
        return text + "\n";
    }
    return text + "  " + std::string(curveStateName(point.state)) +
           (point.note.empty() ? "" : ": " + point.note) + "\n";
}

} // namespace

std::string_view curveStateName(CurvePoint::State state)
{
    switch (state) {
    case CurvePoint::State::Open:
        return "open";
    case CurvePoint::State::Sketched:
        return "sketched";
    case CurvePoint::State::Searched:
        return "searched";
    case CurvePoint::State::NoPlan:
        return "no plan";
    }
    return "";
}

std::string curveText(const PlanCurve& curve)
{
    std::string text = "stages  bottleneck       bound      gap   iteration  speed-up   bubble  peak memory"
                       "        sent  fits  pareto\n";
    for (const CurvePoint& point : curve.points)
        text += pointText(point);
    for (const CurvePoint& point : curve.points) {
        if (point.hasPlan() && !point.note.empty())
            text += std::to_string(point.stageCount) + (point.stageCount == 1 ? " stage: " : " stages: ") +
                    point.note + "\n";
    }
    text += "* nothing else is at least as good in iteration time, memory and bytes sent\n";
    text += buffersNote(curve.runtime) + "\n";
    return text + (curve.complete ? "" : "stopped before every search was over\n");
}

std::string curveJson(const PlanCurve& curve)
{
    Json points = Json::array();
    for (const CurvePoint& point : curve.points) {
        Json json{{"stages", point.stageCount},
                  {"state", curveStateName(point.state)},
                  {"fits", point.fits()},
                  {"pareto", point.pareto},
                  {"note", point.note}};
        if (point.hasPlan()) {
            const PlanCost& cost = point.solution->cost;
            json["device_count"] = cost.devices.size();
            json["bottleneck_s"] = cost.bottleneckTime.value();
            addBounds(json, *point.solution);
            json["iteration_s"] = cost.iteration.value();
            if (point.speedUp > 0)
                json["speed_up"] = point.speedUp;
            json["bubble"] = cost.bubble;
            json["peak_bytes"] = point.peakMemory.count();
            json["bytes_sent"] = cost.bytesSent.count();
        }
        points.push_back(std::move(json));
    }
    return Json{{"points", std::move(points)},
                {"runtime", nameOf(pipelineRuntimes, curve.runtime)},
                {"complete", curve.complete}}
               .dump(2, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

} // namespace stagecraft
