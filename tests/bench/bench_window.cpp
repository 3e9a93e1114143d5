// How long the window takes for one move of the mouse while something is dragged in the graph: the event, all
// that follows from it, and the repaint. Beside it a plain repaint of the same graph, the least it could be.
//
//     QT_QPA_PLATFORM=offscreen bench_window [MODEL ...]
#include "core/plan/editing.h"
#include "tests/bench/opened_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTest>

#include <algorithm>
#include <cstdio>

using namespace stagecraft;

namespace {

constexpr int moveCount = 60;

struct Times
{
    std::vector<double> milliseconds;

    void add(const QElapsedTimer& timer)
    {
        milliseconds.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    double median()
    {
        std::ranges::nth_element(milliseconds, milliseconds.begin() + moveCount / 2);
        return milliseconds[moveCount / 2];
    }
    double slowest() { return std::ranges::max(milliseconds); }
};

// Down and up again, so that the boundary crosses the same places twice.
QPoint pointOf(QPoint from, int move)
{
    const int step = move < moveCount / 2 ? move : moveCount - move;
    return from + QPoint(0, step * 8);
}

Times repaint(GraphView& graph)
{
    Times times;
    for (int i = 0; i < moveCount; ++i) {
        QElapsedTimer timer;
        timer.start();
        graph.viewport()->update();
        QCoreApplication::processEvents();
        times.add(timer);
    }
    return times;
}

Times dragFrom(GraphView& graph, QPoint from)
{
    Times times;
    QTest::mousePress(graph.viewport(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= moveCount; ++i) {
        QElapsedTimer timer;
        timer.start();
        QTest::mouseMove(graph.viewport(), pointOf(from, i));
        QCoreApplication::processEvents();
        times.add(timer);
    }
    QTest::keyClick(&graph, Qt::Key_Escape);
    QTest::mouseRelease(graph.viewport(), Qt::LeftButton, {}, from);
    return times;
}

void print(const char* what, Times times, double least)
{
    const double median = times.median();
    std::printf("  %-18s median %6.2f ms, slowest %7.2f ms, %5.1f plain repaints\n", what, median,
                times.slowest(), median / least);
}

void measure(MainWindow& window)
{
    Document& document = window.document();
    GraphView& graph = *window.views().graph;
    graph.chooseBoundary(1);
    QCoreApplication::processEvents();
    const double least = repaint(graph).median();
    std::printf("  %-18s median %6.2f ms\n", "plain repaint", least);
    print("boundary", dragFrom(graph, graph.boundaryHandle(BoundaryId(0))->center()), least);
    const Layout& layout = *graph.graphLayout();
    const NodeId last = layout.tree->order[stageOrder(*document.state().partition).boundaries.front() - 1];
    if (const auto item = layout.itemOf[last])
        print("op to other stage", dragFrom(graph, graph.itemCenter(*item)), least);
}

} // namespace

int main(int argc, char** argv)
{
    return bench::measureWindows(argc, argv, {"gpt2", "resnet50", "t5-base", "llama-3-8b"}, measure);
}
