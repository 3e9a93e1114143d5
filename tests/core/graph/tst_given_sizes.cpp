#include "core/graph/given_sizes.h"
#include "core/graph/graph_builder.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>

using namespace stagecraft;

namespace {

constexpr const char* sized = R"(graph sized
  symbol s0 hint 6 range 3..64
  symbol s1 hint 4 range 2..
  symbol u0 range 0..256
  input %x : f32[s0, s1]
  input %n : size(s1)
  %found : i64[u0, 2] strides [1, u0] = aten::nonzero.default(self %x)
  %cat : f32[2*s0, s1] = aten::cat.default(tensors [%x, %x])
  %less : f32[s0 - s1, s1//2] = aten::narrow.default(self %x)
  return %found, %cat, %less
)";

Graph graphOf(const char* text)
{
    Result<Graph> graph = parseGraph(text);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return *std::move(graph);
}

template <class T>
QString message(const Result<T>& result)
{
    return result.has_value() ? QString("ok") : QString::fromStdString(result.error().message);
}

} // namespace

class TestGivenSizes : public QObject
{
    Q_OBJECT

private slots:
    void rangesHold_data()
    {
        QTest::addColumn<QString>("symbol");
        QTest::addColumn<qint64>("size");
        QTest::addColumn<QString>("answer");
        QTest::newRow("least") << "s0" << qint64(3) << "ok";
        QTest::newRow("most") << "s0" << qint64(64) << "ok";
        QTest::newRow("too small") << "s0" << qint64(2)
                                   << "s0=2 is outside of what the file was exported for: from 3 to 64";
        QTest::newRow("too large") << "s0" << qint64(65)
                                   << "s0=65 is outside of what the file was exported for: from 3 to 64";
        QTest::newRow("no most") << "s1" << qint64(1'000'000'000) << "ok";
        QTest::newRow("unknown") << "s9" << qint64(4)
                                 << "the model has no symbolic size 's9'; there are s0, s1, u0";
    }
    void rangesHold()
    {
        QFETCH(QString, symbol);
        QFETCH(qint64, size);
        QFETCH(QString, answer);
        const Graph graph = graphOf(sized);
        QCOMPARE(message(checkSizes(graph, {{symbol.toStdString(), size}})), answer);
    }

    // PyTorch writes 2 where nothing is said, and runs what it wrote with 0 and 1.
    void belowTheUsualLeastIsOnlyNoted()
    {
        const Graph graph = graphOf(sized);
        const auto notes = checkSizes(graph, {{"s1", 1}});
        QVERIFY(notes.has_value());
        QCOMPARE(notes->size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(notes->front()),
                 QString("s1=1 is outside of what the file was exported for: at least 2"));
        QVERIFY(checkRanges(graph, {{"s9", 1}}).has_value()); // of another graph
    }

    void everySizeFollows()
    {
        const Result<Graph> given = GraphBuilder::atSizes(graphOf(sized), {{"s0", 10}, {"s1", 4}});
        QCOMPARE(message(given), QString("ok"));
        QCOMPARE(QString::fromStdString(printGraph(*given)), QString(R"(graph sized
  symbol u0 range 0..256
  input %x : f32[10, 4]
  input %n : size(4)
  %found : i64[u0, 2] strides [1, u0] = aten::nonzero.default(self %x)
  %cat : f32[20, 4] = aten::cat.default(tensors [%x, %x])
  %less : f32[6, 2] = aten::narrow.default(self %x)
  return %found, %cat, %less
)"));
    }

    void oneSizeLeavesTheOthers()
    {
        const Result<Graph> given = GraphBuilder::atSizes(graphOf(sized), {{"s0", 10}});
        QCOMPARE(message(given), QString("ok"));
        const Graph& graph = *given;
        const TensorMeta& cat = *graph[*graph.findValue("cat")].meta;
        QCOMPARE(QString::fromStdString(metaText(cat)), QString("f32[20, s1]"));
        QCOMPARE(cat.sizes[1].hint(), std::optional<std::int64_t>(4));
        QVERIFY(!graph.symbolRanges().contains("s0"));
        QVERIFY(graph.symbolRanges().contains("s1"));
    }

    void whatIsNoSizeIsRefused()
    {
        QCOMPARE(message(GraphBuilder::atSizes(graphOf(sized), {{"s0", 3}, {"s1", 5}})),
                 QString("less: its size s0 + (-1)*s1 would be -2"));
        const SymInt huge = parseSrepr("Mul(Symbol('s0'), Symbol('s0'))", {});
        QVERIFY(message(sizeAt(huge, {{"s0", std::int64_t{1} << 40}})).contains("s0*s0"));
        const SymInt unread = SymInt::opaque("Zeta(Symbol('s0'))", 6);
        QVERIFY(message(sizeAt(unread, {{"s0", 5}})).startsWith("s0=5: "));
        QCOMPARE(*sizeAt(unread, {{"s1", 5}}), unread);
    }
};

QTEST_APPLESS_MAIN(TestGivenSizes)
#include "tst_given_sizes.moc"
