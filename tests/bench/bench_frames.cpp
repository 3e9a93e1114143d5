// A watchdog of the event loop: how long the window's thread is held at a stretch while a person drags, turns
// the wheel or zooms, in the graph and the charts. What is over a frame of a 60 Hz screen, 16 ms, is told.
//
// Between two turns of the event loop stands whatever an event made happen: handlers, layouts, repaints. It
// is timed in the time of the thread, so that other work of the machine does not count, and from outside of
// the program's code. Beside it stands what was done, which no other work changes: how often views were
// painted, how much of the window that was, and how often layouts were looked through.
//
//     QT_QPA_PLATFORM=offscreen bench_frames [--widgets] [--turns] [MODEL ...]
//
// --widgets tells for each kind of widget how often it was painted; --turns what was done in those that are
// too long: each event that took a millisecond until the next, and who got it.
#include "core/plan/editing.h"
#include "tests/bench/opened_window.h"
#include "tests/bench/thread_clock.h"

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QTest>
#include <QThread>
#include <QWheelEvent>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

using namespace stagecraft;

namespace {

constexpr double frame = 16; // milliseconds
constexpr int moves = 60;

// What is painted and laid out in all windows.
class WorkCount : public QObject
{
public:
    explicit WorkCount(QObject* parent = nullptr) : QObject(parent) { qApp->installEventFilter(this); }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::LayoutRequest)
            ++m_layouts;
        if (event->type() != QEvent::Paint)
            return false;
        const QRegion& region = static_cast<QPaintEvent*>(event)->region();
        for (const QRect& rect : region)
            m_pixels += double(rect.width()) * rect.height();
        const QObject* owner = watched->parent() != nullptr ? watched->parent() : watched;
        ++m_paints[QStringLiteral("%1 in %2")
                       .arg(watched->metaObject()->className(), owner->metaObject()->className())];
        return false;
    }

    void tell(std::size_t events)
    {
        int paints = 0;
        for (const int each : m_paints)
            paints += each;
        const auto share = static_cast<double>(std::max<std::size_t>(events, 1));
        std::printf("  %-30s each: %.1f paints, %.2f megapixels, %.1f layouts\n", "", paints / share,
                    m_pixels / share / 1e6, m_layouts / share);
        if (QApplication::arguments().contains(QStringLiteral("--widgets")))
            for (const auto& [name, count] : m_paints.asKeyValueRange())
                std::printf("  %-30s %6.2f %s\n", "", count / share, qPrintable(name));
    }
    void clear()
    {
        m_paints.clear();
        m_pixels = 0;
        m_layouts = 0;
    }

private:
    QMap<QString, int> m_paints;
    double m_pixels = 0;
    int m_layouts = 0;
};

// What happened in a turn of the event loop, and when.
class TurnLog : public QObject
{
public:
    explicit TurnLog(QObject* parent = nullptr) : QObject(parent)
    {
        if (QApplication::arguments().contains(QStringLiteral("--turns")))
            qApp->installEventFilter(this);
    }
    void begin() { m_begun.clear(), m_clock = {}; }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const QObject* owner = watched->parent() != nullptr ? watched->parent() : watched;
        m_begun.emplace_back(m_clock.seconds() * 1000,
                             QStringLiteral("%1 to %2 in %3")
                                 .arg(event->type())
                                 .arg(watched->metaObject()->className(), owner->metaObject()->className()));
        return false;
    }
    void tell() const
    {
        const double end = m_clock.seconds() * 1000;
        for (std::size_t i = 0; i < m_begun.size(); ++i)
            if (const double took = (i + 1 < m_begun.size() ? m_begun[i + 1].first : end) - m_begun[i].first;
                took > 1)
                std::printf("    %6.2f ms event %s\n", took, qPrintable(m_begun[i].second));
    }

private:
    bench::ThreadClock m_clock;
    std::vector<std::pair<double, QString>> m_begun;
};

// Times every turn of the event loop by itself.
class Watchdog
{
public:
    // One event with all that follows in `milliseconds`: the repaint, and what was put off.
    void watch(const std::function<void()>& event, int milliseconds = 1)
    {
        ++m_events;
        turn([&] {
            event();
            QCoreApplication::sendPostedEvents();
            return true;
        });
        auto* loop = QAbstractEventDispatcher::instance();
        QElapsedTimer since;
        since.start();
        do {
            while (turn([&] { return loop->processEvents(QEventLoop::AllEvents); })) {
            }
            QThread::msleep(1);
        } while (since.elapsed() < milliseconds);
    }
    const std::vector<double>& turns() const { return m_milliseconds; }
    void tellWork() { m_work.tell(m_events); }
    void clear()
    {
        m_milliseconds.clear();
        m_events = 0;
        m_work.clear();
    }

private:
    bool turn(const std::function<bool()>& work)
    {
        m_log.begin();
        const bench::ThreadClock clock;
        const bool wasBusy = work();
        if (wasBusy)
            m_milliseconds.push_back(clock.seconds() * 1000);
        if (wasBusy && m_milliseconds.back() > frame)
            m_log.tell();
        return wasBusy;
    }

    WorkCount m_work;
    TurnLog m_log;
    std::vector<double> m_milliseconds;
    std::size_t m_events = 0;
};

void tell(const char* what, Watchdog& dog)
{
    std::vector<double> turns = dog.turns();
    std::ranges::sort(turns);
    const auto over = std::ranges::count_if(turns, [](double each) { return each > frame; });
    std::printf("  %-30s worst %7.2f ms, 95 %% under %6.2f ms\n", what, turns.back(),
                turns[turns.size() * 95 / 100]);
    if (over)
        std::printf("  %-30s OVER: %td of %zu turns are longer than %.0f ms\n", "", over, turns.size(),
                    frame);
    dog.tellWork();
    dog.clear();
}

void drag(QWidget* widget, QPoint from, QPoint by, Watchdog& dog)
{
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    for (int i = 1; i <= moves; ++i)
        dog.watch([&] { QTest::mouseMove(widget, from + by * i / moves); });
    QTest::keyClick(widget, Qt::Key_Escape);
    QTest::mouseRelease(widget, Qt::LeftButton, {}, from + by);
}

// There and back as a person does who looks where it costs least: at each place for so long that what comes
// later than the figures comes, too.
void dragSlowly(QWidget* widget, QPoint from, QPoint by, Watchdog& dog)
{
    constexpr int places = 6;
    constexpr int stay = 250; // milliseconds
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    for (int i = 1; i < 2 * places; ++i) {
        dog.watch([&] { QTest::mouseMove(widget, from + by * std::min(i, 2 * places - i) / places); }, stay);
    }
    QTest::keyClick(widget, Qt::Key_Escape);
    QTest::mouseRelease(widget, Qt::LeftButton, {}, from);
}

void turnWheel(QWidget* widget, Qt::KeyboardModifiers held, Watchdog& dog)
{
    const QPoint at = widget->rect().center();
    for (int i = 0; i < moves; ++i)
        dog.watch([&] {
            QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, i < moves / 2 ? 120 : -120}, Qt::NoButton,
                              held, Qt::NoScrollPhase, false);
            QApplication::sendEvent(widget, &event);
        });
}

void rest(Document& document)
{
    if (!QTest::qWaitFor([&] { return document.isSettled(); }, 60000))
        std::printf("  does not settle\n");
    QTest::qWait(300);
}

void measureGraph(MainWindow& window, Watchdog& dog)
{
    GraphView& graph = *window.views().graph;
    for (const bool open : {false, true}) {
        open ? graph.expandAll() : graph.collapseAll();
        rest(window.document());
        graph.fitAll();
        turnWheel(graph.viewport(), Qt::ControlModifier, dog);
        tell(open ? "graph, open: zoom" : "graph, closed: zoom", dog);
        graph.actualSize();
        turnWheel(graph.viewport(), {}, dog);
        tell(open ? "graph, open: wheel" : "graph, closed: wheel", dog);
        graph.chooseBoundary(1);
        rest(window.document());
        if (const auto handle = graph.boundaryHandle(BoundaryId(0)))
            drag(graph.viewport(), handle->center(), {0, 160}, dog);
        tell(open ? "graph, open: boundary" : "graph, closed: boundary", dog);
        rest(window.document());
        if (const auto handle = graph.boundaryHandle(BoundaryId(0)))
            dragSlowly(graph.viewport(), handle->center(), {0, graph.viewport()->height() / 3}, dog);
        tell(open ? "graph, open: boundary, slow" : "graph, closed: boundary, slow", dog);
        rest(window.document());
    }
}

void measureCharts(MainWindow& window, Watchdog& dog)
{
    const ExecutionCharts& charts = *window.views().charts;
    QWidget* plot = charts.focusProxy();
    const std::size_t boundary = stageOrder(*window.document().state().partition).boundaries.front();
    drag(plot, {qRound(charts.positionToPixel(boundary)), plot->height() / 2}, {120, 0}, dog);
    tell("charts: boundary", dog);
    rest(window.document());
    drag(plot, {plot->width() / 2 + 40, plot->height() / 2}, {160, 0}, dog);
    tell("charts: range", dog);
    turnWheel(plot, Qt::ControlModifier, dog);
    tell("charts: zoom", dog);
    turnWheel(plot, {}, dog);
    tell("charts: wheel", dog);
}

void measure(MainWindow& window)
{
    Document& document = window.document();
    rest(document);
    Watchdog dog;
    measureGraph(window, dog);
    measureCharts(window, dog);
}

} // namespace

int main(int argc, char** argv)
{
    return bench::measureWindows(argc, argv, {"llama-3-8b"}, measure);
}
