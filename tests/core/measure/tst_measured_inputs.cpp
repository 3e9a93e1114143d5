// Times of one size are not taken for those of another.
#include "core/measure/imported_times.h"
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

    void faultsAreNamed()
    {
        QCOMPARE(refusal(R"({"x": [3.5, 8]})"),
                 std::string("t: \"inputs\": 'x' must be a list of sizes, whole numbers"));
        QCOMPARE(refusal("[4, 8]"),
                 std::string("t: \"inputs\" must be an object of lists of sizes, by names"));
    }
};

QTEST_GUILESS_MAIN(TestMeasuredInputs)
#include "tst_measured_inputs.moc"
