#include "core/profile/cost/checked_times.h"

#include "core/profile/cost/kernel_work.h"
#include "core/profile/device/operator_class.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stagecraft {

namespace {

// "GPT pipelines in float16"; none: of any type.
std::optional<DType> typeOf(const Accuracy& accuracy)
{
    if (accuracy.what == "operators" || accuracy.of.ends_with("in float32"))
        return DType::F32;
    if (accuracy.of.ends_with("in float16"))
        return DType::F16;
    return accuracy.of.ends_with("in bfloat16") ? std::optional(DType::BF16) : std::nullopt;
}

// Models of one type are told by what multiplies: norms and losses go in float32 anyway.
bool isOfOneType(const Accuracy& accuracy)
{
    return accuracy.what != "operators" && typeOf(accuracy).has_value();
}

// Tables of operators have products, elementwise operators and normalizations.
bool isChecked(OperatorClass operatorClass, DType type, const Accuracy& accuracy)
{
    const std::optional<DType> checked = typeOf(accuracy);
    if (accuracy.what != "operators")
        return !checked || (type == *checked &&
                            (operatorClass != OperatorClass::Convolution || !accuracy.of.starts_with("GPT")));
    return type == *checked && operatorClass != OperatorClass::Convolution &&
           operatorClass != OperatorClass::Attention && operatorClass != OperatorClass::Lookup;
}

} // namespace

double checkedShare(const Trace& trace, const std::vector<OperatorSpan>& times, const Accuracy& accuracy)
{
    Seconds all, checked;
    for (const OpId id : trace.ops.ids()) {
        const TraceOp& op = trace.ops[id];
        const OperatorClass operatorClass = operatorClassOf(trace.opNames[op.name].name);
        if (isOfOneType(accuracy) && !isContraction(operatorClass))
            continue;
        const Seconds alone = times[id.index()].alone;
        all += alone;
        if (isChecked(operatorClass, computeType(trace, op), accuracy))
            checked += alone;
    }
    if (all > Seconds{})
        return checked / all;
    return isOfOneType(accuracy) ? 0 : 1;
}

std::string keepWhatWasChecked(const Trace& trace, const std::vector<OperatorSpan>& times, DeviceSpec& device)
{
    const std::vector<Accuracy> before = device.accuracy;
    std::erase_if(device.accuracy,
                  [&](const Accuracy& entry) { return checkedShare(trace, times, entry) < 0.5; });
    if (before.empty() || !device.accuracy.empty())
        return {};
    const double share = 1 - checkedShare(trace, times, before.front());
    const bool isOfAnother = isOfOneType(before.front());
    if (isOfAnother && share == 1)
        return {};
    return "times: " + std::to_string(std::lround(100 * share)) + " % of " +
           (isOfAnother ? "what multiplies" : "the step") + " is outside of what " + device.name +
           " was checked for; within it they are " + accuracyText(before);
}

} // namespace stagecraft
