// What the program takes that hands operators over, from passes and optimizers' steps that waited for it.
#include "core/measure/device_fit.h"
#include "core/measure/kernel_fit.h"
#include "core/measure/probe_models.h"
#include "core/profile/cost/traffic.h"
#include "core/profile/device/dispatch_clock.h"
#include "core/trace/trace.h"
#include "tests/core/measure/probe_times.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace stagecraft;

namespace {

// Of a step that finds its state made: every operator takes so long, the whole step what is given.
OptimizerProbe optimizerProbe(const OptimizerOptions& optimizer, std::size_t count, std::size_t elements,
                              double seconds, const std::function<double(double ops)>& step)
{
    const std::vector<OptimizerParameter> parameters(
        count, {{static_cast<std::int64_t>(elements)}, DType::F32, std::nullopt});
    const OptimizerTrace traced = traceOptimizer(parameters, optimizer).value();
    OptimizerProbe probe{optimizer, count, elements, {}, {}};
    for (const OpId id : traced.trace.ops.ids())
        if (id.index() >= traced.firstStepEnd)
            probe.operators[traced.trace.opNames[traced.trace.ops[id].name].name].push_back(seconds);
    probe.step = Seconds(step(static_cast<double>(traced.trace.ops.size() - traced.firstStepEnd)));
    return probe;
}

// What the program takes of a step, an operator and a parameter.
constexpr double aStep = 1e-4, aHandover = 2e-6;

void addSmallSteps(DeviceFit& fit, OptimizerVariant variant, double inStep)
{
    constexpr double seconds = 1e-6;
    for (const OptimizerKind kind : {OptimizerKind::SgdMomentum, OptimizerKind::AdamW})
        for (const std::size_t count : {2U, 8U, 24U, 64U})
            QVERIFY(fit.add(optimizerProbe({kind, variant}, count, 64, seconds,
                                           [&](double ops) {
                                               return aStep + aHandover * (ops + static_cast<double>(count)) +
                                                      inStep * seconds * ops;
                                           }))
                        .has_value());
}

bool isNear(double value, double expected)
{
    return std::abs(value / expected - 1) < 1e-3;
}

// Steps of small models on a GPU that waits for the program, which takes so long for an operator and for what
// `start` says of views, and more to start a pass.
void addHostPasses(DeviceFit& fit, const DeviceSpec& start, double forward, double backward)
{
    const HostTimes& host = start.host;
    for (const std::vector<Graph>& family : probeGraphs())
        for (const Graph& graph : family) {
            ProbeTimes probe = evenProbe(graph, start, 1e-6);
            probe.trace = traceProbe(probe.model, start).value();
            probe.forward = Seconds(1e-4);
            probe.backward = Seconds(3e-4);
            for (const TraceOp& op : probe.trace->ops) {
                const bool isForward = op.phase == Phase::Forward;
                const bool isView = operatorTraffic(*probe.trace, op).total() == Bytes(0);
                const Seconds view = isForward ? host.view : host.backwardView;
                const Seconds taken =
                    isView && view > Seconds{}
                        ? view
                        : Seconds(isForward ? forward : backward) *
                              (isView ? 1 : DispatchClock::handovers(probe.trace->opNames[op.name], start));
                (isForward ? probe.forward : probe.backward) += taken;
            }
            QVERIFY(fit.add(probe).has_value());
        }
}

} // namespace

class TestHostFit : public QObject
{
    Q_OBJECT

private slots:
    // What starting a pass takes is in no figure.
    void theHostIsWhatAPassTakesForEachOperator()
    {
        DeviceSpec start = cudaDevice();
        DeviceFit fit(start);
        addHostPasses(fit, start, 2e-5, 1e-5);
        const DeviceSpec device = fit.device().value();
        QVERIFY(isNear(device.dispatchOverhead.value(), 2e-5));
        QVERIFY(isNear(device.backwardDispatch.value(), 1e-5));
        QCOMPARE(device.host.view.value(), 0.0);
    }

    // Where views were timed by themselves, and operators one after the other: both are taken off the passes.
    void theHostTakesLessForViews()
    {
        DeviceSpec start = cudaDevice();
        ProbeTimes views = evenProbe(viewGraph(), start, 0);
        views.trace = traceProbe(views.model, start).value();
        const auto count = [&](Phase phase) {
            return static_cast<double>(std::ranges::count(views.trace->ops, phase, &TraceOp::phase));
        };
        views.forward = Seconds(3e-6 * count(Phase::Forward));
        views.backward = Seconds(9e-6 * count(Phase::Backward));
        DeviceFit fit(start);
        QVERIFY(fit.setDispatch(views).has_value());
        start.host.view = Seconds(3e-6);
        start.host.backwardView = Seconds(9e-6);
        addHostPasses(fit, start, 4e-5, 2e-5);
        const DeviceSpec device = fit.device().value();
        QVERIFY(isNear(device.host.view.value(), 3e-6));
        QVERIFY(isNear(device.host.backwardView.value(), 9e-6));
        QVERIFY(isNear(device.dispatchOverhead.value(), 4e-5));
        QVERIFY(isNear(device.backwardDispatch.value(), 2e-5));
        QCOMPARE(device.sources.at("view_dispatch_overhead").basis, FigureBasis::Fitted);
    }

    // Passes that all take long on the device say nothing of the program.
    void operatorsOneAfterTheOtherTellWhatNoPassDoes()
    {
        DeviceSpec start = cudaDevice();
        DeviceFit fit(start);
        ProbeTimes probe = evenProbe(probeGraphs()[0][3], start, 1e-6);
        probe.trace = traceProbe(probe.model, start).value();
        probe.forward = Seconds(1e-2);
        probe.backward = Seconds(2e-2);
        QVERIFY(fit.setDispatch(probe, 0.7).has_value());
        for (const std::vector<Graph>& family : probeGraphs())
            for (const Graph& graph : family) {
                ProbeTimes other = evenProbe(graph, start, 1e-6);
                other.forward = other.backward = Seconds(1e-6);
                QVERIFY(fit.add(other).has_value());
            }
        const DeviceSpec device = fit.device().value();
        QVERIFY(isNear(device.host.unrecorded, 0.7));
        QVERIFY(device.dispatchOverhead > Seconds(1e-4));
        QVERIFY(device.backwardDispatch > Seconds(1e-4));
        QCOMPARE(device.sources.at("unrecorded_dispatch").basis, FigureBasis::Fitted);
    }

    // Of a processor operators run between what the program does; steps over many elements take as long as
    // they take, whatever their operators add up to.
    void anOptimizersStepIsWhatTheProgramAndItsOperatorsTake()
    {
        DeviceSpec start = processor();
        start.dispatchOverhead = Seconds(1e-6);
        DeviceFit fit(start);
        addSmallSteps(fit, OptimizerVariant::Single, 1);
        double ops = 0;
        QVERIFY(fit.add(optimizerProbe({OptimizerKind::AdamW, OptimizerVariant::Single}, 8, 1 << 18, 1e-3,
                                       [&](double count) {
                                           ops = count;
                                           return aStep + aHandover * (count + 8) + 1.5e-3 * count;
                                       }))
                    .has_value());
        QCOMPARE(ops, 64.0);
        QVERIFY(fit.add(evenProbe(probeGraphs()[0][3], processor(), 1e-5)).has_value());
        const DeviceSpec device = fit.device().value();
        QVERIFY(fit.unmatched().empty());
        QVERIFY(isNear(device.host.optimizerStep.value(), aStep));
        QVERIFY(isNear(device.host.optimizerHandover.value(), aHandover));
        QCOMPARE(device.sources.at("optimizer_overhead").basis, FigureBasis::Fitted);
        const auto& points = device.operators.at("aten::lerp_, by an optimizer").points();
        QVERIFY(isNear(points.front().second, 1e-6));
        QVERIFY(isNear(points.back().second, 1.5e-3));
        QVERIFY(!device.operators.contains("aten::lerp_"));
    }

    // Of a GPU the device's own clock counts, and a step over few elements waits for the program.
    void aGpusProgramIsSeenWhereItIsWaitedFor()
    {
        DeviceFit fit(cudaDevice());
        addSmallSteps(fit, OptimizerVariant::Foreach, 0);
        addSmallSteps(fit, OptimizerVariant::Fused, 1000); // nobody's choice but the person's
        for (const std::vector<Graph>& family : probeGraphs())
            for (const Graph& graph : family)
                QVERIFY(fit.add(evenProbe(graph, cudaDevice(), 1e-6)).has_value());
        const DeviceSpec device = fit.device().value();
        QVERIFY(isNear(device.host.optimizerStep.value(), aStep));
        QVERIFY(isNear(device.host.optimizerHandover.value(), aHandover));
        QCOMPARE(device.sources.at("kernels.list_launch").basis, FigureBasis::Fitted);
        const DeviceSpec again = deviceFromText(deviceJson(device), "fitted.json").value();
        QCOMPARE(again.host.optimizerStep.value(), device.host.optimizerStep.value());
        QCOMPARE(again.host.optimizerHandover.value(), device.host.optimizerHandover.value());
        QCOMPARE(again.kernels.listLaunch, device.kernels.listLaunch);
    }

    void launchesOverListsAreFittedBesideTheirBytes()
    {
        DeviceSpec device = cudaDevice();
        const DeviceSpec start = device;
        std::vector<TimedKernel> kernels;
        for (int i = 1; i <= 20; ++i) {
            KernelWork work{.operatorClass = OperatorClass::Elementwise, .bytes = 1e6 * i};
            const double launches = 1 + i % 4;
            work.cycles.apart = 3 * launches * start.kernels.listLaunch * start.multiprocessors;
            const Seconds time = kernelTime(work, start) + start.launchOverhead;
            work.cycles.apart /= 3;
            kernels.push_back({"aten::_foreach_mul_", work, time, start.launchOverhead});
        }
        fitKernels(device, kernels);
        QVERIFY2(std::abs(device.kernels.listLaunch / (3 * start.kernels.listLaunch) - 1) < 0.03,
                 qPrintable(QString::number(device.kernels.listLaunch)));
    }
};

QTEST_GUILESS_MAIN(TestHostFit)
#include "tst_host_fit.moc"
