// DeviceFit: a device's figures, from what steps of small models took on it.
//
//     ProbeTimes ─traceModel─► its operators, what each works on ─┐ i-th of a name with i-th of that name
//         └──────────────────► how long each took ────────────────┴─► OperatorTimes by name ─► DeviceSpec
//
// The same for steps that this program ran (calibrate.h) and for those that a person's PyTorch ran
// (device_table.h). Of a GPU rates and curves are fitted to them (kernel_fit.h), and what handing an operator
// over takes to passes that waited for it. On a CPU that is what a step takes beyond its operators, spread
// over them. Steps of optimizers (OptimizerProbe) likewise, with what the program takes before it hands over
// anything. Every figure that comes of it is marked as fitted, and how.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/measure/matched_operators.h"
#include "core/profile/device/device.h"
#include "core/trace/optimizer_trace.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace stagecraft {

class Trace;

// What a training step of a small model took, with the sum of its outputs for a loss.
struct ProbeTimes
{
    Model model;
    OperatorSeconds operators;
    Seconds forward, backward; // the whole passes, operators and what is between them
    // Of the model on the device, where somebody has it already (traceProbe); else it is made.
    std::shared_ptr<const Trace> trace = {};
};

// What an optimizer's step took, on `count` parameters of so many elements each, in float32.
struct OptimizerProbe
{
    OptimizerOptions optimizer;
    std::size_t count = 0, elements = 0;
    OperatorSeconds operators; // of a step that finds the state made
    Seconds step;              // begun with a device that is idle
};

class DeviceFit
{
public:
    // `start` has the kind, the name, and whatever is not fitted here.
    explicit DeviceFit(DeviceSpec start);
    ~DeviceFit();
    DeviceFit(const DeviceFit&) = delete;
    DeviceFit& operator=(const DeviceFit&) = delete;

    // Views of views, which cost nothing but handing them over: the first probe of all.
    Result<void> setDispatch(const ProbeTimes& views);
    // Of a GPU, operators on so few elements that it waits for each: what counts where too few other passes
    // waited. `unrecorded`: the share of their forward pass that is left where no gradient is wanted.
    Result<void> setDispatch(const ProbeTimes& operators, double unrecorded);
    // One matrix product, as large as it takes to reach the peak of an element type. Fails where there is
    // none.
    Result<void> setPeak(DType dtype, const ProbeTimes& product);
    // Of a GPU: half of the rate in float16, on what has TF32 at all.
    void assumeTf32();
    // Any other. Fails as traceModel does.
    Result<void> add(const ProbeTimes& probe);
    Result<void> add(const OptimizerProbe& probe);
    // Operators that ran another number of times than was traced, which tell nothing.
    const std::set<std::string>& unmatched() const;

    // Fails where no addition was among the operators, which the bandwidth is taken from.
    Result<DeviceSpec> device();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

// A step of a probe, as its operators run on a device of that kind.
Result<std::shared_ptr<const Trace>> traceProbe(const Model& model, const DeviceSpec& device);
// Its operators by name: "aten::addmm" to how many there are.
std::map<std::string, std::size_t, std::less<>> operatorCounts(const Trace& trace);

} // namespace stagecraft
