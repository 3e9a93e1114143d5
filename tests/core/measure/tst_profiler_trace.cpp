// Traces of torch.profiler whose backward passes run checkpoint regions again, in the form that PyTorch 2.13
// writes for torch.utils.checkpoint(use_reentrant=False).
#include "core/measure/imported_times.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QTest>

#include <array>

using namespace stagecraft;

namespace {

std::string event(const std::string& category, const std::string& name, int start, int duration,
                  const std::string& arguments)
{
    return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name + R"(", "tid": 1, "ts": )" +
           std::to_string(start) + R"(, "dur": )" + std::to_string(duration) + R"(, "args": {)" + arguments +
           "}}";
}

std::string cpuOp(const std::string& name, int start, int duration, int external, int sequence)
{
    return event("cpu_op", name, start, duration,
                 "\"External id\": " + std::to_string(external) +
                     (sequence < 0 ? "" : ", \"Sequence number\": " + std::to_string(sequence)));
}

std::string kernel(int start, int duration, int external)
{
    return event("kernel", "some_kernel", start, duration, "\"External id\": " + std::to_string(external));
}

// relu, then tanh, both in a region: what the backward pass of tanh unpacks runs both again.
std::vector<std::string> checkpointedStep()
{
    return {cpuOp("aten::relu", 100, 20, 1, 5),
            cpuOp("aten::tanh", 130, 20, 2, 6),
            cpuOp("autograd::engine::evaluate_function: TanhBackward0", 200, 100, 3, 6),
            cpuOp("TanhBackward0", 201, 98, 4, 6),
            cpuOp("aten::relu", 210, 20, 5, 7),
            cpuOp("aten::clamp_min", 215, 10, 6, 7), // inside the second relu
            cpuOp("aten::tanh", 240, 22, 7, 8),
            cpuOp("aten::tanh_backward", 270, 20, 8, -1),
            cpuOp("autograd::engine::evaluate_function: ReluBackward0", 310, 30, 9, 5)};
}

ImportedTimes timesOf(const std::vector<std::string>& events)
{
    std::string text = R"({"traceEvents": [)";
    for (std::size_t i = 0; i < events.size(); ++i)
        text += (i == 0 ? "" : ",\n") + events[i];
    const Graph graph =
        parseGraph("graph g\n  input %x : f32[4, 4]\n  %a : f32[4, 4] = aten::relu.default(%x)\n"
                   "  %b : f32[4, 4] = aten::tanh.default(%a)\n  return %b\n")
            .value();
    return parseTimes(text + "]}", "t", graph, {}).value();
}

} // namespace

class TestProfilerTrace : public QObject
{
    Q_OBJECT

private slots:
    void secondRunsAreNoBackward()
    {
        const ImportedTimes times = timesOf(checkpointedStep());
        QCOMPARE(times.nodes[NodeId(0)]->forward.value(), 20e-6);
        QCOMPARE(times.nodes[NodeId(1)]->forward.value(), 20e-6);
        QVERIFY(std::abs(times.nodes[NodeId(0)]->backward.value() - 30e-6) < 1e-12);
        QVERIFY(std::abs(times.nodes[NodeId(1)]->backward.value() - 58e-6) < 1e-12);
        QCOMPARE(times.notes.back(),
                 std::string("t: 42.0 us of its backward pass ran checkpoint regions again, "
                             "and are left out"));
    }

    void noMoreAreTheirKernels()
    {
        std::vector<std::string> events = checkpointedStep();
        for (const auto& [start, duration, external] :
             {std::array{1000, 100, 1}, std::array{1100, 200, 2}, std::array{1300, 100, 6},
              std::array{1400, 200, 7}, std::array{1600, 300, 8}, std::array{1900, 150, 9}})
            events.push_back(kernel(start, duration, external));
        const ImportedTimes times = timesOf(events);
        QVERIFY(std::abs(times.nodes[NodeId(1)]->forward.value() - 200e-6) < 1e-12);
        QVERIFY(std::abs(times.nodes[NodeId(1)]->backward.value() - 300e-6) < 1e-12);
        QVERIFY(std::abs(times.nodes[NodeId(0)]->backward.value() - 150e-6) < 1e-12);
    }
};

QTEST_GUILESS_MAIN(TestProfilerTrace)
#include "tst_profiler_trace.moc"
