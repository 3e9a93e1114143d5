// What a plan was made for: there and back, elsewhere, and what is said where it cannot be had.
#include "core/base/sha256.h"
#include "core/plan/sources/plan_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;

namespace {

std::vector<DeviceSpec> devices()
{
    return {{.id = "big", .name = "Acme Big"},
            {.id = "small", .name = "Acme Small"},
            {.id = "own", .name = "Mine"}};
}

PlanRequest asked()
{
    PlanRequest request{.device = "big", .profile = {}, .plan = {.stageCount = 2}};
    request.profile = {.mode = TrainingMode::Infer,
                       .lowering = LoweringKind::Math,
                       .optimizer = OptimizerKind::Sgd,
                       .masterWeights = MasterWeights::Float32,
                       .segments = SegmentKind::Expandable,
                       .precision = Precision::BFloat16,
                       .bindings = {{"s0", 8}},
                       .bounds = {{"u0", 9}},
                       .lossOutput = "loss"};
    request.stageDevices = {"", "small"};
    return request;
}

// Through a file.
Result<PlanFile> again(const PlanFile& plan)
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("p.stagecraft").toStdString();
    if (const auto written = writePlan(plan, path); !written.has_value())
        return written.error();
    return readPlan(path);
}

PlanFile planFor(const MadeFor& made)
{
    PlanFile plan{.model = {"m.pt2"}, .options = {.stageCount = 2}, .madeFor = made};
    plan.stageOfNode = {{"a", 0}, {"b", 1}};
    return plan;
}

PlanRequest base()
{
    return {.device = "own", .profile = {}, .plan = {.stageCount = 2}};
}

} // namespace

class TestMadeFor : public QObject
{
    Q_OBJECT

private slots:
    void roundTrip()
    {
        MadeFor made = madeFor(asked(), devices());
        made.times = "measured";
        made.substitutes = "scan.json";
        QCOMPARE(made.device.figures, sha256Of(deviceJson(devices()[0])));
        const auto read = again(planFor(made));
        QVERIFY2(read.has_value(), read.has_value() ? "" : read.error().message.c_str());
        QVERIFY(read->madeFor == made);
    }

    void filesOfOldDoNotSay()
    {
        PlanFile plan = planFor({});
        plan.madeFor.reset();
        QVERIFY(!again(plan)->madeFor);
    }

    void whatIsKnownIsAskedAgain()
    {
        const RequestAgain found = requestMadeFor(madeFor(asked(), devices()), base(), devices());
        QVERIFY(found.request == asked());
        QVERIFY(found.hasSameDevices);
        QCOMPARE(found.notes, std::vector<std::string>());
    }

    void anUnknownDeviceIsNamedAndWhatStandsForIt()
    {
        const std::vector<DeviceSpec> here{devices().back()};
        const RequestAgain found = requestMadeFor(madeFor(asked(), devices()), base(), here);
        QCOMPARE(found.request.device, std::string("own"));
        QVERIFY(found.request.stageDevices.empty());
        QVERIFY(!found.hasSameDevices);
        QCOMPARE(
            found.notes,
            (std::vector<std::string>{
                "the plan was made for Acme Big ('big'), which is not known here: its figures are those of "
                "Mine ('own') instead",
                "stage 2 ran on Acme Small ('small'), which is not known here: its speed, limit and links "
                "stay "
                "as they were saved"}));
        QVERIFY(found.request.profile == asked().profile);
    }

    void otherFiguresOfADeviceAreSaid()
    {
        std::vector<DeviceSpec> here = devices();
        here[0].memoryBandwidth = 1;
        const RequestAgain found = requestMadeFor(madeFor(asked(), devices()), base(), here);
        QCOMPARE(found.request.device, std::string("big"));
        QVERIFY(!found.hasSameDevices);
        QCOMPARE(found.notes.size(), 1U);
        QVERIFY(found.notes[0].starts_with(
            "Acme Big ('big') has other figures here than when the plan was saved"));
    }

    void whatNoFileHoldsIsSaid()
    {
        MadeFor made = madeFor(asked(), devices());
        made.times = "imported";
        made.substitutes = "scan.json";
        const RequestAgain found = requestMadeFor(made, base(), devices());
        QCOMPARE(found.notes.size(), 2U);
        QVERIFY(found.notes[0].starts_with("the plan was made with imported times"));
        QVERIFY(found.notes[1].starts_with("the plan was made with costs of 'scan.json'"));
    }

    // A name of a file cannot act on a terminal.
    void namesAreQuoted()
    {
        MadeFor made = madeFor(asked(), devices());
        made.device = {"\u001b[31m", "a\nb", {}};
        QVERIFY(requestMadeFor(made, base(), devices())
                    .notes[0]
                    .starts_with("the plan was made for a\\u000ab ('\\u001b[31m')"));
    }

    void badFiles_data()
    {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("message");
        QTest::newRow("list") << "[]"
                              << "'made_for' is not an object";
        QTest::newRow("no device") << "{}"
                                   << "'device' is not an object";
        QTest::newRow("no name") << R"({"device": {}})"
                                 << "'id' is not the name of a device";
        const auto row = [](const char* name, const char* field, const char* message) {
            QTest::newRow(name) << QString(R"({"device": {"id": "big"}, %1})").arg(field) << message;
        };
        row("mode", R"("mode": "fly")", "'mode' is not known (unknown mode 'fly'; there are train, infer)");
        row("sizes", R"("sizes": {"s0": -1})", "'sizes' is not an object of sizes");
        row("large sizes", R"("sizes": {"s0": 18446744073709551615})", "'sizes' is not an object of sizes");
        row("masters", R"("master_weights": "some")", "'master_weights' is not none or float32");
        row("stages", R"("stage_devices": [3])", "'stage_devices' is not a list of devices");
        row("count", R"("stage_devices": [null])", "names devices of 1 stages and has 2");
    }
    void badFiles()
    {
        QFETCH(QString, made);
        QFETCH(QString, message);
        const QTemporaryDir folder;
        const QString path = folder.filePath("bad.stagecraft");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QString(R"({"format": 1, "stages": 2, "nodes": {}, "made_for": %1})").arg(made).toUtf8());
        file.close();
        const auto plan = readPlan(path.toStdString());
        QVERIFY(!plan.has_value());
        QCOMPARE(QString::fromStdString(plan.error().message), path + ": " + message);
    }
};

QTEST_GUILESS_MAIN(TestMadeFor)
#include "tst_made_for.moc"
