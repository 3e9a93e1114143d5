// Device files made of what steps of small models took.
#include "core/measure/device_fit.h"
#include "core/measure/device_table.h"
#include "core/measure/probe_models.h"
#include "core/trace/trace.h"
#include "tests/core/measure/probe_times.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace stagecraft;

namespace {

const std::filesystem::path measured = std::filesystem::path(STAGECRAFT_TEST_DATA) / "measured_device";

Result<CalibratedDevice> ofText(const std::string& text)
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString() + "/table.json";
    std::ofstream(path) << text;
    return calibrateFromTable(path);
}

bool isWithin(Seconds value, double least, double most)
{
    return value >= Seconds(least) && value <= Seconds(most);
}

// The table of the script with one of its members replaced.
Result<CalibratedDevice> calibratedWith(const QString& member, const QJsonValue& value)
{
    const QTemporaryDir folder;
    const std::filesystem::path copy = folder.path().toStdString() + "/table";
    std::filesystem::copy(measured, copy);
    QFile file(QString::fromStdString((copy / "table.json").string()));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read the table");
    QJsonObject table = QJsonDocument::fromJson(file.readAll()).object();
    file.close();
    table[member] = value;
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write the table");
    file.write(QJsonDocument(table).toJson());
    file.close();
    return calibrateFromTable(copy);
}

} // namespace

class TestDeviceTable : public QObject
{
    Q_OBJECT

private slots:
    void whatWasTimedIsWhatIsPredicted()
    {
        DeviceSpec start = processor();
        DeviceFit fit(start);
        for (const std::vector<Graph>& family : probeGraphs())
            for (const Graph& graph : family)
                QVERIFY(fit.add(evenProbe(graph, start, 3e-5)).has_value());
        const DeviceSpec device = fit.device().value();
        QVERIFY(fit.unmatched().empty());
        QCOMPARE(device.operators.at("aten::add").points().front().second, 3e-5);
        QCOMPARE(device.launchOverhead.value(), 3e-5);
        QCOMPARE(device.sources.at("memory_bandwidth").basis, FigureBasis::Fitted);
        QCOMPARE(device.linkBandwidth, start.linkBandwidth); // was not measured
    }

    void dispatchIsWhatAStepTakesBesideItsOperators()
    {
        DeviceSpec start = processor();
        DeviceFit fit(start);
        ProbeTimes views = evenProbe(viewGraph(), start, 0);
        views.forward = Seconds(100 * 2e-5);
        QVERIFY(fit.setDispatch(views).has_value());
        QVERIFY(fit.add(evenProbe(probeGraphs()[0][3], start, 1e-5)).has_value());
        const double dispatch = fit.device().value().dispatchOverhead.value();
        QVERIFY2(std::abs(dispatch - 2e-5) < 2e-6, qPrintable(QString::number(dispatch)));
    }

    void aTypesProductsGoUnderItsName()
    {
        DeviceSpec start = processor();
        DeviceFit fit(start);
        QVERIFY(fit.setPeak(DType::BF16, evenProbe(productGraph(DType::BF16), start, 1e-3)).has_value());
        QVERIFY(fit.add(evenProbe(productGraph(DType::BF16), start, 1e-3)).has_value());
        QVERIFY(fit.add(evenProbe(probeGraphs()[0][3], start, 1e-5)).has_value());
        const DeviceSpec device = fit.device().value();
        QCOMPARE(device.peakFlops.at(DType::BF16), 2.0 * 512 * 512 * 512 / 1e-3);
        QVERIFY(!device.operators.contains("aten::mm, of bf16")); // one shape tells nothing of others
    }

    void typesThatWereNotMeasuredKeepTheirSource()
    {
        DeviceSpec start = processor();
        start.peakFlops = {{DType::F32, 1e12}, {DType::BF16, 2e12}};
        start.sources["peak_flops"] = {FigureBasis::Datasheet, "the maker's table"};
        DeviceFit fit(start);
        QVERIFY(fit.setPeak(DType::F32, evenProbe(productGraph(DType::F32), start, 1e-3)).has_value());
        QVERIFY(fit.add(evenProbe(probeGraphs()[0][3], start, 1e-5)).has_value());
        QCOMPARE(fit.device().value().sources.at("peak_flops").from,
                 std::string("square products; but bf16 datasheet, the maker's table"));
        QVERIFY(fit.setPeak(DType::BF16, evenProbe(productGraph(DType::BF16), start, 1e-3)).has_value());
        QCOMPARE(fit.device().value().sources.at("peak_flops").from, std::string("square products"));
    }

    void timesThatNoDeviceCanHaveAreRefused()
    {
        const QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString() + "/table";
        std::filesystem::copy(measured, copy);
        QFile file(QString::fromStdString((copy / "table.json").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject table = QJsonDocument::fromJson(file.readAll()).object();
        file.close();
        QJsonArray probes;
        for (const QJsonValue& value : table["probes"].toArray()) {
            QJsonObject probe = value.toObject(), operators = probe["operators"].toObject();
            for (const QString& name : operators.keys()) {
                QJsonArray times;
                for (qsizetype i = 0; i < operators[name].toArray().size(); ++i)
                    times.append(1e6);
                operators[name] = times;
            }
            probe["operators"] = operators;
            probes.append(probe);
        }
        table["probes"] = probes;
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(table).toJson());
        file.close();
        const Result<CalibratedDevice> calibrated = calibrateFromTable(copy);
        QVERIFY(!calibrated.has_value());
        QVERIFY2(calibrated.error().message.find("do not fit together") != std::string::npos,
                 calibrated.error().message.c_str());
    }

    void anOperatorThatRanMoreOftenThanTracedIsLeftOut()
    {
        DeviceSpec start = processor();
        DeviceFit fit(start);
        ProbeTimes probe = evenProbe(probeGraphs()[0][3], start, 1e-5);
        probe.operators["aten::gelu"].push_back(1);
        QVERIFY(fit.add(probe).has_value());
        QCOMPARE(fit.unmatched(), std::set<std::string>{"aten::gelu"});
        QVERIFY(!fit.device().value().operators.contains("aten::gelu"));
    }

    void additionsInPlaceOrNotAreOneList()
    {
        DeviceSpec start = processor();
        DeviceFit fit(start);
        ProbeTimes probe = evenProbe(probeGraphs()[0][3], start, 1e-5);
        std::size_t additions = 0;
        for (const char* name : {"aten::add", "aten::add_"})
            if (const auto found = probe.operators.find(name); found != probe.operators.end())
                additions += found->second.size();
        probe.operators["aten::add"] = std::vector<double>(additions, 7); // as if none was in place
        probe.operators.erase("aten::add_");
        probe.operators["aten::add, in place or not"] = std::vector<double>(additions, 2e-5);
        QVERIFY(fit.add(probe).has_value());
        QVERIFY(fit.unmatched().empty());
        QCOMPARE(fit.device().value().launchOverhead.value(), 2e-5);
    }

    void withoutAdditionsThereIsNoBandwidth()
    {
        DeviceSpec start = processor();
        DeviceFit fit(start);
        QVERIFY(fit.add(evenProbe(productGraph(DType::F32), start, 1e-5)).has_value());
        QVERIFY(!fit.device().has_value());
    }

    // What measure_device.py --quick wrote on a CPU: sizes are far too small to be exact.
    void aTableOfTheScriptIsRead()
    {
        const CalibratedDevice calibrated = calibrateFromTable(measured).value();
        QCOMPARE(calibrated.device.kind, std::string("cpu"));
        QCOMPARE(calibrated.steps.size(), std::size_t{2});
        QVERIFY(calibrated.device.operators.contains("aten::gelu"));
        QVERIFY(
            !calibrated.device.operators.contains("aten::native_layer_norm_backward")); // too small to tell
        QVERIFY(calibrated.device.operators.contains("aten::convolution_backward"));
        QCOMPARE(calibrated.device.accuracy.at(0).cases, 2);
        QVERIFY(deviceFromText(deviceJson(calibrated.device), "fitted.json").has_value());
        QVERIFY(calibrated.device.sources.at("link_latency").from.find("two of 2 processes") !=
                std::string::npos);
        QVERIFY(calibrated.leftOut.back().starts_with("sums over 2 processes (200 us"));
        const double factor = geometricMeanError(calibrated.steps);
        QVERIFY2(factor < 3, qPrintable(QString::number(factor)));
    }

    // What a person's PyTorch wrote on an H100: batch norm and attention of cuDNN, layouts and sizes of every
    // sort. Nothing is fitted to the whole steps; before rates were fitted to kernels they were 66 % off.
    void anH100IsFittedByItsKernels()
    {
        const std::filesystem::path folder = std::filesystem::path(STAGECRAFT_TEST_DATA) / "measured_h100";
        const CalibratedDevice calibrated = calibrateFromTable(folder).value();
        QCOMPARE(
            calibrated.leftOut,
            (std::vector<std::string>{
                "optimizers' steps: the table has none; assumed is that their operators take what others "
                "do, an H100's launches, and the program nothing beside them; measure_device.py of this "
                "version measures them",
                "aten::detach: ran another number of times than was traced"}));
        const DeviceSpec& device = calibrated.device;
        QVERIFY(device.operators.empty());
        QVERIFY2(std::abs(device.vectorFlops / 67e12 - 1) < 0.02,
                 qPrintable(QString::number(device.vectorFlops)));
        QVERIFY2(std::abs(device.memoryBandwidth / 3.05e12 - 1) < 0.05,
                 qPrintable(QString::number(device.memoryBandwidth)));
        QVERIFY2(isWithin(device.dispatchOverhead, 44e-6, 47e-6) &&
                     isWithin(device.backwardDispatch, 24e-6, 27e-6),
                 qPrintable(QString::number(device.dispatchOverhead.value()) + " " +
                            QString::number(device.backwardDispatch.value())));
        QVERIFY(isWithin(device.host.view, 2.7e-6, 2.9e-6));
        QVERIFY(isWithin(device.host.backwardView, 9e-6, 10e-6));
        QCOMPARE(device.host.unrecorded, 0.8); // the table says nothing of it
        QCOMPARE(device.sources.at("unrecorded_dispatch").basis, FigureBasis::Assumed);
        QCOMPARE(device.sources.at("curves.convolution").basis, FigureBasis::Fitted);
        QCOMPARE(calibrated.steps.size(), std::size_t{5});
        for (const CheckedStep& step : calibrated.steps) {
            QVERIFY(step.allocated && step.reserved);
            QVERIFY2(std::abs(step.allocated->predicted.asDouble() / step.allocated->measured.asDouble() -
                              1) < 0.05,
                     step.name.c_str());
        }
        QVERIFY2(geometricMeanError(calibrated.steps) < 1.4,
                 qPrintable(QString::number(geometricMeanError(calibrated.steps))));
        QVERIFY(deviceFromText(deviceJson(device), "fitted.json").has_value());
    }

    void tablesWithoutOptimizersSayWhatIsAssumed()
    {
        const CalibratedDevice calibrated = calibrateFromTable(measured).value();
        QVERIFY(calibrated.leftOut.front().starts_with("optimizers' steps: the table has none; assumed is"));
        QCOMPARE(calibrated.device.host.optimizerStep.value(), 0.0);
        QVERIFY(!calibrated.device.sources.contains("optimizer_overhead"));
    }

    void optimizersThatNobodyRanAreRefused()
    {
        const QJsonObject row{{"optimizer", "adamw"}, {"variant", "single"},        {"parameters", 2},
                              {"elements", 64},       {"operators", QJsonObject{}}, {"step", 1e-4}};
        QVERIFY(calibratedWith("optimizers", QJsonArray{row}).has_value());
        const auto says = [&](const char* field, const QJsonValue& value, const char* part) {
            QJsonObject wrong = row;
            wrong[field] = value;
            const Result<CalibratedDevice> read = calibratedWith("optimizers", QJsonArray{wrong});
            return !read.has_value() && read.error().message.find(part) != std::string::npos;
        };
        QVERIFY(says("optimizer", "lion", "optimizers[0].optimizer"));
        QVERIFY(says("variant", "default", "optimizers[0].variant"));
        QVERIFY(says("parameters", 0, "optimizers[0].parameters"));
        QVERIFY(says("elements", 0, "optimizers[0].elements"));
        QVERIFY(says("step", -1, "optimizers[0].step"));
    }

    // An allocator that was set otherwise, or of another version, reserves what is not predicted.
    void reservedMemoryIsOfTheUsualAllocator()
    {
        const QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString() + "/table";
        std::filesystem::copy(measured, copy);
        QFile file(QString::fromStdString((copy / "table.json").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject table = QJsonDocument::fromJson(file.readAll()).object();
        file.close();
        const auto reservedWith = [&](const QJsonObject& allocator) {
            QJsonObject changed = table;
            QJsonObject device = table["device"].toObject();
            device["allocator"] = allocator;
            changed["device"] = device;
            QJsonArray steps = table["steps"].toArray();
            for (qsizetype i = 0; i < steps.size(); ++i) {
                QJsonObject step = steps[i].toObject();
                step["reserved"] = 1 << 24;
                steps[i] = step;
            }
            changed["steps"] = steps;
            if (!file.open(QIODevice::WriteOnly))
                return -1;
            file.write(QJsonDocument(changed).toJson());
            file.close();
            const auto read = calibrateFromTable(copy);
            return read.has_value() ? static_cast<int>(read->steps.front().reserved.has_value()) : -1;
        };
        QCOMPARE(reservedWith({{"small", 2 << 20}, {"large", 20 << 20}, {"settings", ""}}), 1);
        QCOMPARE(reservedWith({{"small", 2 << 20}, {"large", 2 << 20}, {"settings", ""}}), 0);
        QCOMPARE(
            reservedWith({{"small", 2 << 20}, {"large", 20 << 20}, {"settings", "expandable_segments:True"}}),
            0);
        QCOMPARE(reservedWith({{"small", -1}, {"large", 20 << 20}, {"settings", ""}}), -1);
    }

    void faultsNameTheField()
    {
        const auto says = [](const std::string& text, const char* part) {
            const Result<CalibratedDevice> read = ofText(text);
            return !read.has_value() && read.error().message.find(part) != std::string::npos;
        };
        QVERIFY(says("{}", "stagecraft_device_table"));
        QVERIFY(says(R"({"stagecraft_device_table": 2})", "the one format"));
        const std::string head = R"({"stagecraft_device_table": 1, "torch": "2.13", "device": )";
        QVERIFY(
            says(head + R"({"kind": "tpu", "name": "T", "runtime": "", "memory_bytes": 1}})", "device.kind"));
        const std::string device = R"({"kind": "cpu", "name": "C", "runtime": "", "memory_bytes": 1},)";
        const std::string linked =
            head + R"({"kind": "cpu", "name": "C", "runtime": "", "memory_bytes": 1, )";
        QVERIFY(says(linked + R"("link": {"how": "gloo", "processes": 1}}})", "link.processes"));
        const std::string rest = R"("products": [], "probes": [], "steps": [],)";
        QVERIFY(says(head + device + rest + R"("dispatch": {"file": "../a.pt2"}})", "beside the table"));
        QVERIFY(says(head + device + rest + R"("dispatch": {"file": "a.pt2"}})", "a.pt2"));
        QVERIFY(!calibrateFromTable(measured, cudaDevice()).has_value()); // of another kind
        DeviceSpec bare = processor();
        bare.peakFlops.clear();
        DeviceFit fit(bare);
        QVERIFY(fit.add(evenProbe(probeGraphs()[0][3], bare, 1e-5)).has_value());
        QVERIFY(fit.device().error().message.find("float32") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestDeviceTable)
#include "tst_device_table.moc"
