// Where times come from: efficiency curves, tiles, the two clocks of a step, and files of times.
#include "core/profile/efficiency.h"
#include "core/profile/imported_times.h"
#include "core/profile/op_class.h"
#include "core/profile/op_time.h"
#include "core/profile/profile_model.h"

#include <QtTest>

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
        QCOMPARE(opClassOf("aten::addmm"), OpClass::Matrix);
        QCOMPARE(opClassOf("aten::convolution_backward"), OpClass::Convolution);
        QCOMPARE(opClassOf("aten::gelu_backward"), OpClass::Transcendental);
        QCOMPARE(opClassOf("aten::_softmax_backward_data"), OpClass::Normalization);
        QCOMPARE(opClassOf("aten::copy_"), OpClass::Copy);
        QCOMPARE(opClassOf("aten::add_"), OpClass::Elementwise);
        for (int i = 0; i < opClassCount; ++i)
            QCOMPARE(opClassFromName(opClassName(static_cast<OpClass>(i))), static_cast<OpClass>(i));
    }

    void aGpuThatIsFasterThanTheProgramWaitsForIt()
    {
        DeviceSpec device;
        device.kind = "cuda";
        device.dispatchOverhead = Seconds(5);
        StepClock clock(device);
        QCOMPARE(clock.run(Seconds(1)).value(), 6.0);   // dispatched at 5
        QCOMPARE(clock.run(Seconds(1)).value(), 5.0);   // at 10, ends at 11
        QCOMPARE(clock.run(Seconds()).value(), 0.0);    // a view, at 15
        QCOMPARE(clock.run(Seconds(30)).value(), 39.0); // at 20, ends at 50
        QCOMPARE(clock.run(Seconds(1)).value(), 1.0);   // long since dispatched
    }

    void aCpuDoesOneAfterTheOther()
    {
        DeviceSpec device;
        device.kind = "cpu";
        device.dispatchOverhead = Seconds(5);
        StepClock clock(device);
        QCOMPARE(clock.run(Seconds(1)).value(), 6.0);
        QCOMPARE(clock.run(Seconds()).value(), 5.0);
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

    void aTraceIsMatchedByNames()
    {
        const Model model = mlp();
        const ImportedTimes times = traceTimes(model, "mlp-names.json");
        QVERIFY(QString::fromStdString(times.notes[0]).contains("by record_function(): 4 of 4 nodes"));
        for (const NodeId node : model.graph.nodes())
            QVERIFY(times.nodes[node]->backward > Seconds{});
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
