#include "views/graph/graph_paint_data.h"

#include "core/layout/item_text.h"
#include "graph_sample.h"
#include "views/graph/graph_text.h"
#include "views/graph/item_detail.h"

#include <QTranslator>
#include <QtTest>

#include <algorithm>

using namespace stagecraft;

namespace {

// A language of capitals.
class Upper : public QTranslator
{
public:
    QString translate(const char*, const char* text, const char*, int) const override
    {
        return QString(text).replace("ops", "OPS");
    }
    bool isEmpty() const override { return false; }
};

} // namespace

class TestGraphPaintData : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_paint = sample::openPaint(); }

    void linesStayWhileBoxesAreDragged()
    {
        const auto before = m_paint.boundaryPositions;
        QCOMPARE(before.size(), std::size_t{3});
        auto moved = std::make_shared<Partition>(*m_paint.plan.partition);
        const NodeId last = m_paint.layout->tree->order[before[0] - 1];
        moved->stageOf[last] = StageId(1);
        m_paint.plan.partition = moved;
        m_paint.markPlan(Lines::Stay);
        QCOMPARE(m_paint.boundaryPositions, before);
        QVERIFY(m_paint.isMoved(*m_paint.layout->itemOf[last]));
        m_paint.markPlan(Lines::Move);
        QCOMPARE(m_paint.boundaryPositions[0], before[0] - 1);
    }

    void boxesAreCountedInTheLanguageOfTheWindow()
    {
        const auto closed = sample::layoutOf(m_paint.plan, sample::treeOf(m_paint.plan), Expansion());
        const Layout& layout = *closed;
        const auto box = std::ranges::find_if(
            layout.items, [](const LayoutItem& item) { return item.box && item.kind != ItemKind::Stage; });
        QVERIFY(box != layout.items.end());
        QCOMPARE(detailText(layout, *box), QString::fromStdString(itemDetail(layout, *box)));
        QVERIFY(detailText(layout, *box).endsWith(" ops"));
        Upper language;
        QCoreApplication::installTranslator(&language);
        QVERIFY(detailText(layout, *box).endsWith(" OPS"));
    }

    void whatDoesNotMatchFades()
    {
        m_paint.markMatches(std::vector{NodeId(3)});
        QVERIFY(!m_paint.isFaded(itemOf(3)));
        QVERIFY(m_paint.isFaded(itemOf(4)));
        m_paint.markMatches({});
        QVERIFY(!m_paint.isFaded(itemOf(4)));
    }

    void whatIsSelectedGetsTheKeyboard()
    {
        m_paint.markSelected({NodeId(3), NodeId(5)});
        QCOMPARE(m_paint.current, std::optional(itemOf(3)));
        QVERIFY(m_paint.isSelected(itemOf(5)));
        m_paint.current = itemOf(5);
        m_paint.markSelected({NodeId(3), NodeId(5)});
        QCOMPARE(m_paint.current, std::optional(itemOf(5)));
        m_paint.markSelected({});
        QVERIFY(!m_paint.current);
    }

    void onlyWhatCrossesTheLineIsLit()
    {
        m_paint.lightEdges({});
        QCOMPARE(lit(), std::ptrdiff_t{0});
        m_paint.lightEdges(m_paint.boundaryPositions[1]);
        QVERIFY(lit() > 0);
        m_paint.lightEdges({});
        m_paint.markHovered(NodeId(3));
        m_paint.lightEdges({});
        QVERIFY(lit() > 0);
    }

    void allThatIsPointedAtTogetherIsMarked()
    {
        m_paint.markHovered(NodeId(3), {NodeId(3), NodeId(5)});
        QVERIFY(m_paint.hovered == itemOf(3));
        QVERIFY(m_paint.isHovered(itemOf(3)) && m_paint.isHovered(itemOf(5)) &&
                !m_paint.isHovered(itemOf(4)));
        m_paint.markHovered(NodeId(4));
        QVERIFY(m_paint.isHovered(itemOf(4)) && !m_paint.isHovered(itemOf(5)));
    }

    void whatRunsAgainIsMarked()
    {
        m_paint.markPlan(Lines::Move);
        QCOMPARE(int(m_paint.marks[itemOf(3)]), 0);
        const std::size_t count = m_paint.plan.graph->nodeCount();
        RunAgain again{Table<NodeId, char>(count, 0), Table<NodeId, char>(count, 0), nullptr};
        again.isInRegion[NodeId(3)] = again.isInRegion[NodeId(4)] = again.isAgain[NodeId(3)] = 1;
        m_paint.plan.again = std::make_shared<const RunAgain>(std::move(again));
        m_paint.markPlan(Lines::Move);
        QCOMPARE(m_paint.marks[itemOf(3)], node_mark::again);
        QCOMPARE(int(m_paint.marks[itemOf(4)]), 0); // its result is kept
        const double one = roomOfMarks(m_paint, itemOf(3));
        QVERIFY(one >= markSize);
        QCOMPARE(roomOfMarks(m_paint, itemOf(4)), 0.0);
        m_paint.marks[itemOf(3)] |= node_mark::pinned;
        QVERIFY(roomOfMarks(m_paint, itemOf(3)) >= one + markSize);
    }

    void aNameIsWholeBeforeItsNotesAre()
    {
        const CardNotes all{.time = 40, .count = 30};
        QCOMPARE(notesBeside(150, 80, all), all);
        QCOMPARE(notesBeside(149, 80, all), CardNotes{.time = 40});
        QCOMPARE(notesBeside(119, 80, all), CardNotes{.count = 30});
        QCOMPARE(notesBeside(109, 80, all), CardNotes{});
        QCOMPARE(notesBeside(79, 80, all), CardNotes{}); // which would leave nine of it
        QCOMPARE(notesBeside(97, 100, CardNotes{.time = 20}), CardNotes{.time = 20});
        QCOMPARE(notesBeside(90, 80, CardNotes{}), CardNotes{});
    }

    void aTitleKeepsWhatSaysMost_data()
    {
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("shown");
        QTest::newRow("whole") << "layers.0-7"
                               << "layers.0-7";
        QTest::newRow("path") << "features.denseblock1.denselayer2"
                              << "…denselayer2";
        QTest::newRow("two parts of a path") << "features.denseblock1.0.conv"
                                             << "…0.conv";
        QTest::newRow("part of a module") << "encoder.layer.3 (1/2)"
                                          << "…3 (1/2)";
        QTest::newRow("part of a module, with more room") << "encoder.layer.3 (1/2)"
                                                          << "la…3 (1/2)";
        QTest::newRow("part of one of several") << "denseblock3 (1/3)"
                                                << "de…3 (1/3)";
        QTest::newRow("several") << "layers.96-114"
                                 << "la…96-114";
        QTest::newRow("several, with less room") << "layers.96-114"
                                                 << "…96-114";
        QTest::newRow("part of many") << "ops 3024-5047 (1/2)"
                                      << "…3024-5047 (1/2)";
    }
    void aTitleKeepsWhatSaysMost()
    {
        QFETCH(QString, title);
        QFETCH(QString, shown);
        const QFontMetricsF metrics{QFont()};
        const double room = metrics.horizontalAdvance(shown);
        QCOMPARE(shortTitle(title, metrics, room), shown);
        QVERIFY(metrics.horizontalAdvance(shortTitle(title, metrics, room / 2)) <= room / 2);
    }

    void aRangeAndAPartKeepTheirEnds()
    {
        const QFontMetricsF metrics{QFont()};
        const auto keeps = [&](const QString& title, const char* begin, const char* end) {
            const QString shown = shortTitle(title, metrics, metrics.horizontalAdvance(title) * 0.7);
            QVERIFY2(shown.startsWith(begin) && shown.endsWith(end), qPrintable(shown));
        };
        keeps(QStringLiteral("Conv2d_1a_3x3 ... Conv2d_4a_3x3 (1/2)"), "Conv", "1/2)");
        keeps(QStringLiteral("denseblock3 (2/3)"), "den", "3 (2/3)");
    }

    void oneOfSeveralKeepsItsNumber()
    {
        const QFontMetricsF metrics{QFont()};
        for (const QString& title :
             {QStringLiteral("denseblock1.denselayer1"), QStringLiteral("denseblock1.denselayer2")}) {
            const QString shown = shortTitle(title, metrics, metrics.horizontalAdvance(title) * 0.4);
            QVERIFY2(shown.startsWith('d') && shown.endsWith(title.back()), qPrintable(shown));
        }
    }

    void namesAreLeftOutBelowTitlesOfOpenBoxes()
    {
        constexpr double far = 0.49; // titles are as high on the screen as close by
        int covered = 0;
        int open = 0;
        for (const ItemId id : m_paint.layout->items.ids()) {
            if (m_paint.layout->items[id].kind != ItemKind::Op)
                continue;
            QVERIFY(!isBelowFarTitle(m_paint, id, 1)); // the box has room for its title
            ++(isBelowFarTitle(m_paint, id, far) ? covered : open);
        }
        QVERIFY2(covered > 0 && open > covered, qPrintable(QString("%1, %2").arg(covered).arg(open)));
    }

    void anotherDrawingHasNoMarks()
    {
        m_paint.markHovered(NodeId(3), {NodeId(3), NodeId(5)});
        m_paint.markSelected({NodeId(3)});
        m_paint.setLayout(nullptr);
        QVERIFY(!m_paint.hovered && !m_paint.current);
        QVERIFY(m_paint.hoveredWithIt.empty());
        m_paint.markSelected({NodeId(3)});
        m_paint.markPlan(Lines::Move);
        m_paint.lightEdges(m_paint.boundaryPositions[0]);
        QCOMPARE(lit(), std::ptrdiff_t{0});
    }

private:
    ItemId itemOf(std::size_t node) const { return *m_paint.layout->itemOf[NodeId(node)]; }
    std::ptrdiff_t lit() const { return std::ranges::count(m_paint.litEdges, 1); }

    GraphPaint m_paint;
};

QTEST_MAIN(TestGraphPaintData)
#include "tst_graph_paint_data.moc"
