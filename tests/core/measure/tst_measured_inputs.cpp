// Times of one size are not taken for those of another; of another device or type they are said to be.
#include "core/measure/imported_times.h"
#include "core/profile/model/profile_model.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>

using namespace stagecraft;

namespace {

Graph graphOfRows()
{
    Result<Graph> graph = parseGraph("graph g\n"
                                     "  symbol s0 hint 2\n"
                                     "  input %x : f32[s0, 8]\n"
                                     "  %y : f32[s0, 8] = aten::relu.default(self %x)\n"
                                     "  return %y\n");
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return *std::move(graph);
}

// What is said of times that were measured with these inputs, for four rows.
std::string refusal(const std::string& inputs)
{
    const Graph graph = graphOfRows();
    const Result<ImportedTimes> times =
        parseTimes(R"({"nodes": {"y": {"forward": 1}}, "inputs": )" + inputs + "}", "t", graph);
    if (!times.has_value())
        return times.error().message;
    const Result<void> checked = checkMeasuredInputs(times->inputs, "t", graph, {{"s0", 4}});
    return checked.has_value() ? "" : checked.error().message;
}

} // namespace

class TestMeasuredInputs : public QObject
{
    Q_OBJECT

private slots:
    void thoseOfThePlanAreTaken() { QCOMPARE(refusal(R"({"x": [4, 8], "another": [1]})"), std::string()); }

    void otherSizesAreRefused()
    {
        QCOMPARE(refusal(R"({"x": [3, 8]})"),
                 std::string("t: was measured with 'x' of [3, 8], and the plan is for [4, 8]; measure again "
                             "with these sizes --size s0=4"));
        QVERIFY(!refusal(R"({"x": [4]})").empty());
    }

    void peaksOfStagesAreSaid()
    {
        const auto notes = [](const std::string& stages) {
            const Result<ImportedTimes> times = parseTimes(
                R"({"nodes": {"y": {"forward": 1}}, "stages": )" + stages + "}", "t", graphOfRows());
            return times.has_value() ? times->notes : std::vector{times.error().message};
        };
        const std::vector<std::string> said{
            "measured: stage 2 held at most 1.00 GiB in a step of one microbatch, "
            "without an optimizer; 1.50 GiB reserved"};
        QCOMPARE(notes(R"({"0": {"forward": 1}, "1": {"peak_allocated_bytes": 1073741824, )"
                       R"("peak_reserved_bytes": 1610612736}})"),
                 said);
        QCOMPARE(notes(R"({"0": {"forward": 1, "backward": 2}})"), std::vector<std::string>());
        QCOMPARE(notes(R"({"last": {"peak_allocated_bytes": 1}})").front(),
                 std::string("t: \"stages\": 'last': is no number of a stage"));
        QCOMPARE(notes(R"({"0": {"peak_allocated_bytes": -1}})").front(),
                 std::string("t: \"stages\": '0': \"peak_allocated_bytes\" must be a number of bytes"));
    }

    void faultsAreNamed()
    {
        QCOMPARE(refusal(R"({"x": [3.5, 8]})"),
                 std::string("t: \"inputs\": 'x' must be a list of sizes, whole numbers"));
        QCOMPARE(refusal("[4, 8]"),
                 std::string("t: \"inputs\" must be an object of lists of sizes, by names"));
    }

    void timesOfAnotherRunAreSaidToBe_data()
    {
        QTest::addColumn<QString>("run");
        QTest::addColumn<QStringList>("notes");
        const QString precision = "the imported times are of precision 'exported'; the plan is for 'bf16'";
        QTest::newRow("it does not say") << "" << QStringList{};
        QTest::newRow("the same") << R"("device": "cpu", "precision": "bf16",)" << QStringList{};
        QTest::newRow("its types") << R"("device": "cpu",)" << QStringList{precision};
        QTest::newRow("another") << R"("device": "NVIDIA H100 80GB HBM3", "precision": "bf16",)"
                                 << QStringList{"the imported times are of 'NVIDIA H100 80GB HBM3'; the plan "
                                                "is for NAME"};
    }
    void timesOfAnotherRunAreSaidToBe()
    {
        QFETCH(QString, run);
        QFETCH(QStringList, notes);
        const Model model{.name = "g", .graph = graphOfRows()};
        ProfileOptions options;
        options.precision = Precision::BFloat16;
        options.device = *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / "cpu.json");
        options.device.name = "NAME";
        Profile profile = *profileModel(model, options);
        profile.notes.clear();
        const std::string text = "{" + run.toStdString() + R"("nodes": {"y": {"forward": 1}}})";
        applyImportedTimes(*parseTimes(text, "t", model.graph), profile);
        QStringList said;
        for (const std::string& note : profile.notes)
            said << QString::fromStdString(note);
        QCOMPARE(said, notes);
    }

    void aRunIsNamedByTexts()
    {
        const auto times =
            parseTimes(R"({"device": 7, "nodes": {"y": {"forward": 1}}})", "t.json", graphOfRows());
        QVERIFY(!times.has_value());
        QCOMPARE(QString::fromStdString(times.error().message),
                 QString("t.json: \"device\" must be a text of at most 200 bytes"));
    }
};

QTEST_GUILESS_MAIN(TestMeasuredInputs)
#include "tst_measured_inputs.moc"
