// Where times come from: efficiency curves, tiles, the two clocks of a step, and files of times.
#include "core/load/open_model.h"
#include "core/measure/imported_times.h"
#include "core/measure/measured_times_json.h"
#include "core/measure/profiler_events.h"
#include "core/profile/device/efficiency.h"
#include "core/profile/device/operator_class.h"
#include "core/profile/model/profile_model.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <zlib.h>

using namespace stagecraft;

namespace {

Model mlp()
{
    return *openModel(STAGECRAFT_TEST_DATA "/times/mlp.pt2");
}

ImportedTimes traceTimes(const Model& model, const char* file)
{
    return *readTimes(std::filesystem::path(STAGECRAFT_TEST_DATA "/times") / file, model.graph);
}

ImportedTime timeAt(const Model& model, const ImportedTimes& times, const char* node)
{
    return *times.nodes[*model.graph.findNode(node)];
}

DeviceSpec deviceNamed(const std::string& id)
{
    return *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / (id + ".json"));
}
// Seconds of the forward pass of a graph's lines.
double forwardTimeOnA100(const std::string& lines)
{
    Result<Graph> graph = parseGraph("graph g\n" + lines);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    const Model model{.name = "g", .graph = std::move(graph).value()};
    ProfileOptions options;
    options.mode = TrainingMode::Infer;
    options.device = deviceNamed("a100-sxm-80gb");
    options.device.kernels = {}; // tiles alone
    return profileModel(model, options)->totals.timeForward.value();
}

// Events as torch.profiler (Kineto) writes them of a run on a GPU.
std::string event(const std::string& category, const std::string& name, int thread, int start, int duration,
                  const std::string& arguments)
{
    return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name +
           "\", \"pid\": 7, \"tid\": " + std::to_string(thread) + ", \"ts\": " + std::to_string(start) +
           ", \"dur\": " + std::to_string(duration) + ", \"args\": {" + arguments + "}}";
}

std::string cpuOp(const std::string& name, int thread, int start, int duration, int external, int sequence)
{
    const std::string number = sequence < 0 ? "" : ", \"Sequence number\": " + std::to_string(sequence);
    return event("cpu_op", name, thread, start, duration,
                 "\"External id\": " + std::to_string(external) + number);
}

std::string launch(int thread, int start, int correlation)
{
    return event("cuda_runtime", "cudaLaunchKernel", thread, start, 4,
                 "\"cbid\": 211, \"correlation\": " + std::to_string(correlation));
}

// On stream 7, long after its launch.
std::string kernel(int start, int duration, int correlation, const std::string& more = {})
{
    return event("kernel", "void at::native::some_kernel<4>(float*)", 7, start, duration,
                 "\"stream\": 7, \"device\": 0, \"correlation\": " + std::to_string(correlation) + more);
}

// Of the mlp: the forward pass on thread 1, the backward pass of its last node on thread 2.
std::string gpuTrace()
{
    const std::string backward = "autograd::engine::evaluate_function: AddmmBackward0";
    std::string text = "{\"traceEvents\": [";
    for (const std::string& one : {cpuOp("aten::linear", 1, 100, 50, 1, -1),
                                   cpuOp("aten::addmm", 1, 110, 30, 2, 1),
                                   launch(1, 120, 501),
                                   cpuOp("aten::gelu", 1, 160, 20, 3, 2),
                                   launch(1, 165, 502),
                                   cpuOp("aten::layer_norm", 1, 190, 30, 4, -1),
                                   cpuOp("aten::native_layer_norm", 1, 195, 20, 5, 3),
                                   launch(1, 200, 503),
                                   cpuOp("aten::linear", 1, 230, 50, 6, -1),
                                   cpuOp("aten::addmm", 1, 240, 30, 7, 4),
                                   launch(1, 250, 504),
                                   launch(1, 255, 505),
                                   cpuOp(backward, 2, 300, 60, 8, 4),
                                   cpuOp("aten::mm", 2, 310, 20, 9, -1),
                                   launch(2, 315, 506),
                                   cpuOp("aten::mm", 2, 335, 20, 10, -1),
                                   launch(2, 340, 507),
                                   kernel(1000, 400, 501, ", \"External id\": 2"),
                                   kernel(1400, 30, 502, ", \"External id\": 3"),
                                   kernel(1430, 50, 503), // these two are found by their launch alone
                                   kernel(1480, 300, 504),
                                   kernel(1780, 7, 505, ", \"External id\": 7"),
                                   kernel(1800, 210, 506, ", \"External id\": 9"),
                                   kernel(2010, 190, 507, ", \"External id\": 10")})
        text += one + ",\n";
    return text + event("gpu_user_annotation", "ProfilerStep#1", 7, 1000, 1200, "") + "]}";
}

} // namespace

class TestTimes : public QObject
{
    Q_OBJECT

private slots:
    void aCurveIsLevelBeyondItsEndsAndStraightOverTheLogarithm()
    {
        const EfficiencyCurve curve({{1e3, 0.2}, {1e5, 0.6}});
        QCOMPARE(curve.at(1), 0.2);
        QCOMPARE(curve.at(1e4), 0.4);
        QCOMPARE(curve.at(1e9), 0.6);
        QCOMPARE(EfficiencyCurve().at(5), 1.0);
    }

    void measuredTimesRunStraightBetweenPointsOnLogarithmicAxes()
    {
        const OperatorTimes times(std::vector<std::pair<double, double>>{{1e3, 1e-6}, {1e5, 1e-4}});
        QCOMPARE(times.at(10).value(), 1e-6);
        QCOMPARE(times.at(1e4).value(), 1e-5);
        QCOMPARE(times.at(1e6).value(), 1e-3);
    }

    void aProductTakesWhatProductsOfLikeShapeTake()
    {
        // Slim products run at a tenth of the rate of square ones.
        const OperatorTimes times(std::vector<ShapeTime>{{{512, 512, 512, 1}, Seconds(0x1p27 * 1e-9)},
                                                         {{1, 512, 512, 1}, Seconds(0x1p18 * 1e-8)}});
        QVERIFY(std::abs(times.at({512, 512, 512, 1}).value() / (0x1p27 * 1e-9) - 1) < 1e-4);
        QVERIFY(times.at({256, 512, 512, 1}).value() < 0x1p26 * 1.05e-9);
        QVERIFY(times.at({2, 512, 512, 1}).value() > 0x1p19 * 0.95e-8);
        QCOMPARE(times.at({1, 8, 8, 1}).value(), 0x1p18 * 1e-8); // no product takes less than the least
    }

    // 108 multiprocessors, tiles of 128 x 128: 109 tiles take two waves.
    void aLastWaveThatIsNotFullIsWaste()
    {
        const std::vector<MatrixTile> tiles{{128, 128, 1}};
        const double full = tileShare({128 * 108, 128, 8192, 1}, tiles, 108);
        const double oneMore = tileShare({128 * 109, 128, 8192, 1}, tiles, 108);
        QVERIFY(full > 0.98);
        QVERIFY(oneMore < 0.9); // without cutting the depth it would be 0.5
        QVERIFY(oneMore > 0.5);
        const double shallow = tileShare({128 * 109, 128, 128, 1}, tiles, 108); // cannot be cut
        QVERIFY(shallow < 0.3);
    }

    void aTileThatSticksOutIsWaste()
    {
        const std::vector<MatrixTile> tiles{{128, 128, 1}};
        const double whole = tileShare({1280, 1280, 4096, 1}, tiles, 100);
        QVERIFY(tileShare({1281, 1280, 4096, 1}, tiles, 100) < 0.97 * whole);
        QCOMPARE(tileShare({1281, 1280, 4096, 1}, {}, 100), 1.0);
    }

    void classesGoByTheNameWithoutItsEndings()
    {
        QCOMPARE(operatorClassOf("aten::addmm"), OperatorClass::Matrix);
        QCOMPARE(operatorClassOf("aten::convolution_backward"), OperatorClass::Convolution);
        QCOMPARE(operatorClassOf("aten::gelu_backward"), OperatorClass::Transcendental);
        QCOMPARE(operatorClassOf("aten::_softmax_backward_data"), OperatorClass::Normalization);
        QCOMPARE(operatorClassOf("aten::copy_"), OperatorClass::Copy);
        QCOMPARE(operatorClassOf("aten::add_"), OperatorClass::Elementwise);
        for (int i = 0; i < operatorClassCount; ++i)
            QCOMPARE(operatorClassFromName(operatorClassName(OperatorClass(i))), OperatorClass(i));
    }

    void aProductOneTileOverAWaveCostsAWaveMore()
    {
        const auto time = [](int rows) {
            const std::string n = std::to_string(rows);
            return forwardTimeOnA100("  input %x : f32[" + n +
                                     ", 128]\n  param %w \"w\" : f32[128, 128]\n  %y : f32[" + n +
                                     ", 128] = aten::linear.default(%x, %w)\n  return %y\n") -
                   2 * deviceNamed("a100-sxm-80gb").dispatchOverhead.value(); // a view is one too
        };
        QVERIFY(time(128 * 109) > 1.5 * time(128 * 108)); // 0.9 % more work
        QVERIFY(time(128 * 108) < 1.05 * time(128 * 107 + 1));
    }

    void aStepOfTinyKernelsIsBoundByDispatch()
    {
        const auto time = [](int sides) {
            constexpr int count = 50;
            const std::string shape = "f32[" + std::to_string(sides) + ", " + std::to_string(sides) + "]";
            std::string text = "  input %v0 : " + shape + "\n";
            for (int i = 0; i < count; ++i)
                text += "  %v" + std::to_string(i + 1) + " : " + shape + " = aten::relu.default(%v" +
                        std::to_string(i) + ")\n";
            return forwardTimeOnA100(text + "  return %v50\n") / count;
        };
        const DeviceSpec a100 = deviceNamed("a100-sxm-80gb");
        QVERIFY(a100.dispatchOverhead > a100.launchOverhead);
        QCOMPARE(a100.sources.at("dispatch_overhead").basis, FigureBasis::Assumed);
        QVERIFY(std::abs(time(8) / a100.dispatchOverhead.value() - 1) < 0.05);
        QVERIFY(time(16) < 1.01 * time(8));
        QVERIFY(time(8192) > 10 * a100.dispatchOverhead.value()); // large ones hide it
    }

    void csvHasUnitsAndSaysWhatItDoesNotKnow()
    {
        const Model model = mlp();
        const Result<ImportedTimes> times = parseTimes("node,forward_us,backward_input_ms,backward_weight\n"
                                                       "linear,2,3,4\r\n\"gelu\",5,0,0\nnowhere,1,1,1\n",
                                                       "t.csv", model.graph);
        QVERIFY2(times.has_value(), times.has_value() ? "" : times.error().message.c_str());
        const ImportedTime linear = timeAt(model, *times, "linear");
        QCOMPARE(linear.forward.value(), 2e-6);
        QCOMPARE(linear.backward.value(), 4.003);
        QCOMPARE(linear.weight->value(), 4.0);
        QCOMPARE(times->notes.size(), std::size_t{2});
        const Result<ImportedTimes> twice =
            parseTimes("node,forward,backward\nlinear,1,2\ngelu,1,1\nlinear,3,4\n", "t.csv", model.graph);
        QVERIFY(twice.has_value());
        QCOMPARE(timeAt(model, *twice, "linear").forward.value(), 3.0);
        QCOMPARE(QString::fromStdString(twice->notes.back()),
                 QString("t.csv: the last entry counts of linear, which it names several times"));
        QCOMPARE(QString::fromStdString(times->notes[0]),
                 QString("t.csv: 2 of 4 nodes have no time in it and stay estimated: layer_norm, linear_1"));
        QCOMPARE(QString::fromStdString(times->notes[1]),
                 QString("t.csv: 1 of its entries name no node: nowhere"));
    }

    void faultsAreOneLine_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("empty") << QByteArray(" \n") << "t: is empty";
        QTest::newRow("header") << QByteArray("linear,1\n")
                                << "t: line 1 must be a header such as node,forward,backward (in seconds; "
                                   "forward_us for microseconds)";
        QTest::newRow("negative") << QByteArray("node,forward\nlinear,-1\n")
                                  << "t: line 2 needs a time, 0 or more, in column 2";
        QTest::newRow("broken off") << QByteArray("{\"traceEvents\": [{\"ph\": ")
                                    << "t: is not JSON, or breaks off before its end";
        QTest::newRow("JSON") << QByteArray("{\"a\": 1}")
                              << "t: is JSON with neither \"nodes\" nor \"traceEvents\"";
        QTest::newRow("strangers") << QByteArray("{\"nodes\": {\"a\": {\"forward\": 1}}}")
                                   << "t: has a time for none of the model's 4 nodes; it names a";
        QTest::newRow("number") << QByteArray("{\"nodes\": {\"gelu\": {\"forward\": \"x\"}}}")
                                << "t: node 'gelu': 'forward' must be a time, 0 or more";
        QTest::newRow("trace") << QByteArray("{\"traceEvents\": []}")
                               << "t: none of the model's operators is in this trace";
    }
    void faultsAreOneLine()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const Result<ImportedTimes> times = parseTimes(text.toStdString(), "t", mlp().graph);
        QVERIFY(!times.has_value());
        QCOMPARE(QString::fromStdString(times.error().message), message);
    }

    // Durations as torch.profiler wrote them, of the last of two steps.
    void aTraceIsMatchedByTheOrderOfItsOperators()
    {
        const Model model = mlp();
        const ImportedTimes times = traceTimes(model, "mlp-operators.json");
        for (const NodeId node : model.graph.nodes()) {
            QVERIFY(times.nodes[node].has_value());
            QVERIFY(times.nodes[node]->forward > Seconds{});
            QVERIFY(times.nodes[node]->backward > Seconds{});
        }
        QVERIFY(QString::fromStdString(times.notes[0]).contains("by the order of operators: 4 of 4 nodes"));
        QVERIFY(timeAt(model, times, "gelu").forward < Seconds(1e-3)); // the first step's took 24 ms
    }

    // The last of three steps of the eager modules, with a layer that is called three times, operators in
    // place, an optimizer and a loss beside them; matched by a program of its own, node by node and by
    // autograd's numbers.
    void tracesOfModulesGiveEveryNodeItsTime_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("convolutions") << "convolutions";
        QTest::newRow("a layer called three times") << "shared-layer";
    }
    void tracesOfModulesGiveEveryNodeItsTime()
    {
        QFETCH(QString, name);
        const std::string base = STAGECRAFT_TEST_DATA "/times/" + name.toStdString();
        const Model model = *openModel(base + ".pt2");
        const Result<ImportedTimes> times = readTimes(base + "-trace.json.gz", model.graph);
        QVERIFY2(times.has_value(), times.has_value() ? "" : times.error().message.c_str());
        const Result<ImportedTimes> expected = readTimes(base + "-trace.csv", model.graph);
        QVERIFY2(expected.has_value(), expected.has_value() ? "" : expected.error().message.c_str());
        for (const NodeId node : model.graph.nodes()) {
            const char* const what = model.graph[node].name.c_str();
            QVERIFY2(times->nodes[node] && expected->nodes[node], what);
            const ImportedTime got = *times->nodes[node], wanted = *expected->nodes[node];
            QVERIFY2(std::abs((got.forward - wanted.forward).value()) < 2e-9, what);
            QVERIFY2(std::abs((got.backward - wanted.backward).value()) < 5e-9, what);
        }
    }

    void ofAGpuTheKernelsCount()
    {
        const Model model = mlp();
        const Result<ImportedTimes> times = parseTimes(gpuTrace(), "gpu", model.graph);
        QVERIFY2(times.has_value(), times.has_value() ? "" : times.error().message.c_str());
        const auto microseconds = [](Seconds time) { return std::round(time.value() * 1e6); };
        QCOMPARE(microseconds(timeAt(model, *times, "linear").forward), 400.0);
        QCOMPARE(microseconds(timeAt(model, *times, "gelu").forward), 30.0);
        QCOMPARE(microseconds(timeAt(model, *times, "layer_norm").forward), 50.0);
        QCOMPARE(microseconds(timeAt(model, *times, "linear_1").forward), 307.0);
        QCOMPARE(microseconds(timeAt(model, *times, "linear_1").backward), 400.0);
        QCOMPARE(microseconds(timeAt(model, *times, "gelu").backward), 0.0);
    }

    void aPackedTraceIsRead()
    {
        const Model model = mlp();
        const ImportedTimes packed = traceTimes(model, "mlp-operators.json.gz");
        const ImportedTimes plain = traceTimes(model, "mlp-operators.json");
        QCOMPARE(timeAt(model, packed, "linear").backward.value(),
                 timeAt(model, plain, "linear").backward.value());

        QFile file(STAGECRAFT_TEST_DATA "/times/mlp-operators.json.gz");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QTemporaryDir folder;
        QFile broken(folder.filePath("broken.json.gz"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write(file.read(file.size() / 2));
        broken.close();
        const Result<ImportedTimes> times = readTimes(broken.fileName().toStdString(), model.graph);
        QVERIFY(!times.has_value());
        QVERIFY2(times.error().message.ends_with("cannot be read, or breaks off"),
                 times.error().message.c_str());
    }

    // A thousandth of what it unpacks to: neither unpacked to its end nor parsed.
    void whatUnpacksToFarMoreIsRefused()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("bomb.json.gz").toStdString();
        const gzFile file = gzopen(path.c_str(), "wb9");
        const std::string piece = "[" + std::string((1 << 20) - 2, ' ') + ",";
        for (int i = 0; i < 100; ++i)
            QVERIFY(gzwrite(file, piece.data(), static_cast<unsigned>(piece.size())) > 0);
        gzclose(file);
        const Result<ImportedTimes> times = readTimes(path, mlp().graph);
        QVERIFY(!times.has_value());
        QCOMPARE(times.error().code, ErrorCode::Unsupported);
        QVERIFY2(times.error().message.find("unpacks to more than") != std::string::npos,
                 times.error().message.c_str());
    }

    void readingHearsACancel()
    {
        std::stop_source source;
        source.request_stop();
        const Progress stopped(source.get_token());
        std::string events = "[";
        for (int i = 0; i < 10000; ++i)
            events += R"({"ph":"X","cat":"cpu_op","name":"aten::add","ts":1,"dur":1},)";
        events.back() = ']';
        const Result<ImportedTimes> times = parseTimes(events, "stopped", mlp().graph, stopped);
        QVERIFY(!times.has_value());
        QCOMPARE(times.error().code, ErrorCode::Cancelled);
    }

    // Only what lies directly in an event, or in its "args", is the event's.
    void eventsAreReadWhereTheyStand()
    {
        const Result<TimesDocument> read = readTimesDocument(
            R"({"other": {"traceEvents": 3}, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "ts": 5,
                "dur": 2, "tid": 7, "args": {"more": {"ts": 9, "External id": 1}, "Sequence number": 4,
                "list": [{"name": "b"}]}, "extra": {"name": "c"}},
                {"ph": "B", "cat": "cpu_op", "name": "d"}, 3, [{"ph": "X", "cat": "cpu_op"}]]})",
            "text");
        QVERIFY(read.has_value());
        QVERIFY(read->hasEvents && !read->hasNodes);
        QCOMPARE(read->events.operators.size(), 1u);
        const TraceEvent& event = read->events.operators.front();
        QCOMPARE(event.name, std::string("a"));
        QCOMPARE(event.start, 5.0);
        QCOMPARE(event.end, 7.0);
        QCOMPARE(event.thread, 7);
        QCOMPARE(event.sequence, 4);
        QCOMPARE(event.external, -1);
    }

    void aTraceOfAnotherModelIsRefused()
    {
        const Model other = *openModel(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2");
        const Result<ImportedTimes> times = parseTimes(gpuTrace(), "gpu", other.graph);
        QVERIFY(!times.has_value());
        QVERIFY2(times.error().message.find("it seems to be of another model") != std::string::npos,
                 times.error().message.c_str());
    }

    void aTraceIsMatchedByNames()
    {
        const Model model = mlp();
        const ImportedTimes times = traceTimes(model, "mlp-names.json");
        QVERIFY(QString::fromStdString(times.notes[0]).contains("by record_function(): 4 of 4 nodes"));
        for (const NodeId node : model.graph.nodes())
            QVERIFY(times.nodes[node]->backward > Seconds{});
    }

    void everyNodeIsMeasuredAloneAndTheStepAsAWhole()
    {
        const Model model = mlp();
        const Result<MeasuredTimes> times = measureModel(model, {.repeats = 2, .threads = 1});
        QVERIFY2(times.has_value(), times.has_value() ? "" : times.error().message.c_str());
        for (const NodeId node : model.graph.nodes()) {
            QVERIFY(times->nodes[node].has_value());
            QVERIFY(times->nodes[node]->forward > Seconds{});
        }
        QVERIFY(times->nodes[*model.graph.findNode("linear_1")]->backwardInput > Seconds{});
        QVERIFY(times->step.forward > Seconds{});
        QVERIFY(times->step.backward > Seconds{});
    }

    void measuringStopsWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        const Result<MeasuredTimes> times = measureModel(mlp(), {}, Progress(stop.get_token()));
        QVERIFY(!times.has_value());
        QCOMPARE(times.error().code, ErrorCode::Cancelled);
    }

    void measuredTimesAreKeptAndReadBackForTheSameGraphAlone()
    {
        const Model model = mlp();
        MeasuredTimes times;
        times.nodes = Table<NodeId, std::optional<NodeTimes>>(model.graph.nodeCount());
        for (const NodeId node : model.graph.nodes())
            times.nodes[node] = NodeTimes{Seconds(1), Seconds(2), Seconds(4)};
        times.step = {Seconds(3), Seconds(5)};
        const std::string text = measuredTimesJson(model.graph, times);
        const Result<MeasuredTimes> again = parseMeasuredTimes(text, "t", model.graph);
        QVERIFY2(again.has_value(), again.has_value() ? "" : again.error().message.c_str());
        QCOMPARE(measuredTimesJson(model.graph, *again), text);
        times.nodes[*model.graph.findNode("gelu")].reset();
        QVERIFY(!parseMeasuredTimes(measuredTimesJson(model.graph, times), "t", model.graph).has_value());
        QVERIFY(!parseMeasuredTimes(text.substr(0, text.size() / 2), "t", model.graph).has_value());
    }

    void importedTimesReplaceEstimatesAndTotals()
    {
        const Model model = mlp();
        ProfileOptions options;
        options.device = *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / "cpu.json");
        Profile profile = *profileModel(model, options);
        const Seconds others =
            profile.totals.timeForward - profile.nodes[*model.graph.findNode("linear")].forward.time;
        applyImportedTimes(*parseTimes("node,forward,backward\nlinear,2,4\n", "t", model.graph), profile);
        const NodeCost& linear = profile.nodes[*model.graph.findNode("linear")];
        QCOMPARE(linear.origin, CostOrigin::Imported);
        QCOMPARE(linear.forward.time.value(), 2.0);
        QCOMPARE(linear.backward().time.value(), 4.0);
        QVERIFY(linear.backwardWeight.time > Seconds{}); // shared as the estimates are
        QCOMPARE(profile.totals.timeForward.value(), others.value() + 2.0);
    }
};

QTEST_GUILESS_MAIN(TestTimes)
#include "tst_times.moc"
