#include "views/graph/graph_paint_data.h"

#include "graph_sample.h"
#include "views/graph/graph_text.h"

#include <QtTest>

using namespace stagecraft;

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
    }

    void aNameIsWholeBeforeItsNotesAre()
    {
        const CardNotes all{.time = 40, .count = 30};
        QCOMPARE(notesBeside(150, 80, all), all);
        QCOMPARE(notesBeside(149, 80, all), CardNotes{.time = 40});
        QCOMPARE(notesBeside(119, 80, all), CardNotes{.count = 30});
        QCOMPARE(notesBeside(109, 80, all), CardNotes{});
        QCOMPARE(notesBeside(79, 80, all), all); // it is not whole anyhow
        QCOMPARE(notesBeside(90, 80, CardNotes{}), CardNotes{});
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
