#include "core/stage/verify.h"

#include "core/stage/cut.h"
#include "core/stage/export.h"
#include "stage_test.h"

#include <QTemporaryDir>

#include <fstream>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

Result<Model> openSmall(const std::string& name)
{
    return openModel(STAGECRAFT_TEST_DATA "/models/small/torch-2.14/" + name + ".pt2");
}

void copyFile(const std::filesystem::path& from, const std::filesystem::path& to)
{
    std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
}

std::size_t count(const VerifyReport& report, Comparison::Kind kind)
{
    return static_cast<std::size_t>(std::ranges::count(report.comparisons, kind, &Comparison::kind));
}

} // namespace

class TestVerify : public QObject
{
    Q_OBJECT

private slots:
    void passesWhatIsRight_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("gradients");
        QTest::newRow("branches") << "branches-dynamic" << 8;
        QTest::newRow("skip") << "skip-dynamic" << 14;
        QTest::newRow("loss") << "with-loss-static" << 9;
        QTest::newRow("mixture") << "mixture-static" << 4;
    }

    void passesWhatIsRight()
    {
        QFETCH(QString, name);
        QFETCH(int, gradients);
        const auto model = openSmall(name.toStdString());
        QCOMPARE(message(model), "ok");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        const Partition partition = withInseparableNodesTogether(*model, evenly(model->graph, 3));
        QCOMPARE(message(exportStages(*model, partition, {.folder = folder})), "ok");
        const auto report = verifyExport(*model, folder);
        QCOMPARE(message(report), "ok");
        QVERIFY2(report->passed(), report->summary().c_str());
        QCOMPARE(report->stageCount, 3u);
        QVERIFY(!report->shapesOnly);
        QCOMPARE(count(*report, Comparison::Kind::ParameterGradient), static_cast<std::size_t>(gradients));
        QVERIFY(count(*report, Comparison::Kind::Weight) > 0);
    }

    void seesWrongWeightsInEitherFile()
    {
        const auto model = openSmall("mixture-static");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 2), {.folder = folder})), "ok");
        // The last bytes of a safetensors file are numbers.
        std::fstream file(folder / "stage_1.safetensors", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-4, std::ios::end);
        file.write("\x12\x34\x56\x3f", 4);
        file.close();
        const auto stored = verifyExport(*model, folder);
        QCOMPARE(message(stored), "ok");
        QVERIFY(!stored->passed());
        QVERIFY(stored->summary().find("is not the model's tensor") != std::string::npos);
    }

    void seesStagesOfAnotherModel()
    {
        const auto model = openSmall("mixture-static");
        const auto other = openModel(STAGECRAFT_TEST_DATA "/models/small/torch-2.14/mixture-dynamic.pt2");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("a").toStdString();
        const std::filesystem::path threes = parent.filePath("b").toStdString();
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 2), {.folder = folder})), "ok");
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 3), {.folder = threes})), "ok");
        copyFile(threes / "stage_1.pt2", folder / "stage_1.pt2");
        const auto report = verifyExport(*model, folder);
        QVERIFY(!report.has_value() || !report->passed());
        const auto skip = openSmall("skip-static");
        QVERIFY(!verifyExport(*openSmall("with-loss-static"), threes).has_value());
    }

    void comparesShapesWhereThereAreNoWeights()
    {
        const auto model = openModel(STAGECRAFT_RESOURCES "/examples/gpt2.pt2");
        QCOMPARE(message(model), "ok");
        QVERIFY(model->structureOnly());
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        const auto exported = exportStages(*model, evenly(model->graph, 4), {.folder = folder});
        QCOMPARE(message(exported), "ok");
        QVERIFY(exported->notes.at(0).starts_with("the model has no weights"));
        QVERIFY(!std::filesystem::exists(folder / "stage_0.safetensors"));
        const auto report = verifyExport(*model, folder);
        QCOMPARE(message(report), "ok");
        QVERIFY2(report->passed(), report->summary().c_str());
        QVERIFY(report->shapesOnly);
        QVERIFY(report->notes.at(0).starts_with("the model has no weights"));
    }

    void saysWhatIsMissing()
    {
        const auto model = openSmall("mixture-static");
        const QTemporaryDir parent;
        QVERIFY(
            message(verifyExport(*model, parent.path().toStdString())).endsWith("it has no manifest.json"));
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 2),
                                      {.folder = folder, .formats = {StageFormat::Python}})),
                 "ok");
        QVERIFY(message(verifyExport(*model, folder)).endsWith("export with format pt2 to verify"));
    }

    void anotherModel()
    {
        const auto model = openSmall("skip-static");
        const auto another = openSmall("branches-static");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        const Partition partition = withInseparableNodesTogether(*model, evenly(model->graph, 2));
        QCOMPARE(message(exportStages(*model, partition, {.folder = folder})), "ok");
        const auto report = verifyExport(*another, folder);
        QVERIFY(!report.has_value());
        QVERIFY2(report.error().message.find("another model") != std::string::npos,
                 report.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestVerify)
#include "tst_verify.moc"
