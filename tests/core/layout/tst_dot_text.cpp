#include "core/layout/dot_process.h"
#include "core/layout/dot_text.h"

#include <QtTest>

using namespace stagecraft;

namespace {

QString message(const Result<DotDrawing>& drawing)
{
    return drawing.has_value() ? QString("ok") : QString::fromStdString(drawing.error().message);
}

DotProblem twoBoxes()
{
    DotProblem problem;
    problem.nodes = {{{100, 40}, {}}, {{200, 80}, {20, 150}}};
    problem.edges = {{.tail = {.index = 0}, .head = {.index = 1, .port = 0}},
                     {.tail = {.index = 0}, .head = {.index = 1, .port = 1}},
                     {.tail = {.index = 1, .port = 1}, .head = {.kind = DotEnd::Kind::Frame, .index = 0}}};
    problem.lowerPorts = 1;
    return problem;
}

} // namespace

class TestDotText : public QObject
{
    Q_OBJECT

private slots:
    void drawsWithPorts()
    {
        const DotProblem problem = twoBoxes();
        DotProcess dot;
        const Result<std::string> plain = dot.draw(dotText(problem));
        QVERIFY(plain.has_value());
        const Result<DotDrawing> drawing = parsePlain(*plain, problem);
        QCOMPARE(message(drawing), "ok");
        QVERIFY(drawing->nodes[0].y + 40 < drawing->nodes[1].y);
        for (const std::size_t edge : {0u, 1u}) {
            const double port = drawing->nodes[1].x + problem.nodes[1].ports[edge];
            QVERIFY2(std::abs(drawing->edges[edge].back().x - port) < 4, "the edge must end at its own port");
        }
        QVERIFY(drawing->lowerPorts[0] > 0);
        QVERIFY(drawing->edges[2].front().y < drawing->edges[2].back().y);
    }

    void refusesWhatIsNotADrawing_data()
    {
        QTest::addColumn<QString>("plain");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << ""
                                 << "incomplete";
        QTest::newRow("cut off") << "graph 1 2 2\nnode n0 1 1 1 1 \"\" solid box black lightgrey\n"
                                 << "incomplete";
        QTest::newRow("no edges") << "graph 1 2 2\nstop\n"
                                  << "incomplete";
        QTest::newRow("not a number") << "graph 1 two 2\nstop\n"
                                      << "not understood";
        QTest::newRow("infinite") << "graph 1 inf 2\nstop\n"
                                  << "not understood";
        QTest::newRow("unknown node") << "graph 1 2 2\nnode n7 1 1 1 1 \"\"\nstop\n"
                                      << "not understood";
        QTest::newRow("unknown edge") << "graph 1 2 2\nedge n1 n0 4 1 1 1 1 1 1 1 1 solid black\nstop\n"
                                      << "not understood";
        QTest::newRow("short edge") << "graph 1 2 2\nedge n0 n1 4 1 1 1 solid black\nstop\n"
                                    << "not understood";
        QTest::newRow("huge count") << "graph 1 2 2\nedge n0 n1 1e300 1 1\nstop\n"
                                    << "not understood";
    }

    void refusesWhatIsNotADrawing()
    {
        QFETCH(QString, plain);
        QFETCH(QString, says);
        const Result<DotDrawing> drawing = parsePlain(plain.toStdString(), twoBoxes());
        QVERIFY2(message(drawing).contains(says), qPrintable(message(drawing)));
    }

    void rowsNeedNoDot()
    {
        DotProblem problem = twoBoxes();
        problem.nodes.push_back({{60, 30}, {}});
        problem.edges.push_back({.tail = {.index = 0}, .head = {.index = 2}});
        const DotDrawing drawing = rowsDrawing(problem);
        QCOMPARE(drawing.nodes[1].y, drawing.nodes[2].y);
        QVERIFY(drawing.nodes[0].y + 40 < drawing.nodes[1].y);
        QVERIFY(drawing.nodes[1].x + 200 < drawing.nodes[2].x);
        QCOMPARE(drawing.edges.size(), 4u);
        QCOMPARE(drawing.edges[1].back().x, drawing.nodes[1].x + 150);
        QVERIFY(drawing.nodes[2].x + 60 <= drawing.size.width);
    }

    void anEmptyProblemHasAnEmptyDrawing()
    {
        const DotProblem problem;
        DotProcess dot;
        const Result<std::string> plain = dot.draw(dotText(problem));
        QVERIFY(plain.has_value());
        QCOMPARE(message(parsePlain(*plain, problem)), "ok");
        QCOMPARE(rowsDrawing(problem).nodes.size(), 0u);
    }
};

QTEST_GUILESS_MAIN(TestDotText)
#include "tst_dot_text.moc"
