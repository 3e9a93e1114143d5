// A step that ran, laid over the planned one in the window.
#include "app/document/schedule_figures.h"
#include "tests/app/window/window_fixture.h"
#include "views/base/message_bar.h"
#include "views/pages/times_dialog.h"

#include <QAbstractScrollArea>
#include <QDropEvent>
#include <QMimeData>
#include <QToolButton>

#include <fstream>

using namespace stagecraft;

namespace {

const char* letterOf(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Forward:
        return "F";
    case ActionKind::Backward:
        return "B";
    case ActionKind::BackwardInput:
        return "I";
    case ActionKind::BackwardWeight:
        break;
    }
    return "W";
}

// What processes would say of the planned step, had all of it taken `factor` times as long.
std::string stepJson(const Timeline& planned, double factor, std::size_t microbatches)
{
    std::string ranks;
    for (std::size_t device = 0; device < planned.devices.size(); ++device) {
        std::string actions;
        for (const ActionSpan& span : planned.spans) {
            if (span.device != device)
                continue;
            actions += actions.empty() ? "" : ",\n";
            actions += R"({"stage": )" + std::to_string(span.action.stage) + R"(, "microbatch": )" +
                       std::to_string(span.action.microbatch) + R"(, "action": ")" +
                       letterOf(span.action.kind) + R"(", "start_s": )" +
                       std::to_string(span.start.value() * factor) + R"(, "end_s": )" +
                       std::to_string(span.end.value() * factor) + "}";
        }
        ranks += ranks.empty() ? "" : ",\n";
        ranks += R"({"rank": )" + std::to_string(device) + R"(, "stages": [)" + std::to_string(device) +
                 R"(], "wait_s": 0, "slots": [)" + actions + "]}";
    }
    return R"({"format": 1, "schedule": "1f1b", "microbatches": )" + std::to_string(microbatches) +
           R"(, "device": "cpu", "nodes": {}, "ranks": [)" + ranks + "]}";
}

// The files under the mouse, let go over the window.
void drop(QWidget& window, const QStringList& files)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files)
        urls << QUrl::fromLocalFile(file);
    data.setUrls(urls);
    const QPoint middle = window.rect().center();
    QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted())
        return;
    QDropEvent dropped(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &dropped);
}

struct Fixture : WindowFixture
{
    Fixture()
    {
        if (!open(tinyModel))
            qFatal("the model does not open");
        const auto figures = scheduleFigures(document().state());
        path = folder.filePath("times.json");
        std::ofstream(path.toStdString())
            << stepJson(figures->timeline, 2, document().request().plan.microbatches);
    }
    ScheduleView& schedule() const { return *window->views().schedule; }
    bool says(const QString& text) const
    {
        return QTest::qWaitFor([&] { return schedule().belowSummary().contains(text); }, patience);
    }
    QToolButton* dismiss() const { return schedule().findChild<QToolButton*>(); }

    QString path;
};

} // namespace

class TestMeasuredSteps : public QObject
{
    Q_OBJECT

private slots:
    void aDroppedStepLiesUnderThePlannedOne()
    {
        const Fixture f;
        drop(*f.window, {f.path});
        QVERIFY2(f.says("longer than planned: all stages take 2"), qPrintable(f.schedule().belowSummary()));
        QVERIFY(f.schedule().isVisible());
        const ScheduleGeometry& geometry = f.schedule().drawnGeometry();
        QVERIFY(geometry.hasLanes);
        for (std::size_t device = 0; device < geometry.deviceCount; ++device) {
            QVERIFY(!geometry.bar(device).intersects(geometry.bar(device, Lane::Below)));
            QVERIFY(!geometry.memory(device).intersects(geometry.bar(device, Lane::Below)));
        }
        // One axis, as long as the longer step.
        QVERIFY(geometry.to > 1.5 * f.schedule().figures()->timeline.makespan.value());
        const QString both = f.schedule().describe(0);
        QVERIFY2(both.contains("measured") && both.contains("longer"), qPrintable(both));
        QCOMPARE(f.schedule().describe(0, Lane::Below), both);
        // An action of the lower lane is clicked.
        const ActionSpan& span = f.schedule().figures()->timeline.spans.front();
        const QRectF box = geometry.compute(span, Lane::Below);
        QTest::mouseClick(&f.schedule(), Qt::LeftButton, {}, box.center().toPoint());
        QVERIFY(f.window->views().selection->stage().has_value());
    }

    void anotherPlanIsNotCompared()
    {
        const Fixture f;
        drop(*f.window, {f.path});
        QVERIFY(f.says("longer than planned"));
        f.document().moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
        QVERIFY(f.says("measured on another plan than this"));
        QVERIFY(!f.schedule().drawnGeometry().hasLanes);
        QVERIFY(!f.schedule().describe(0).contains("measured"));
        f.window->actionTable().undo->trigger();
        QVERIFY(f.says("longer than planned"));
        QVERIFY(f.schedule().drawnGeometry().hasLanes);
    }

    void itIsTakenAway()
    {
        const Fixture f;
        QVERIFY(!f.dismiss()->isVisible());
        drop(*f.window, {f.path});
        QVERIFY(f.says("longer than planned"));
        QVERIFY(f.dismiss()->isVisible());
        QTest::mouseClick(f.dismiss(), Qt::LeftButton);
        QCOMPARE(f.schedule().belowSummary(), QString());
        QVERIFY(!f.dismiss()->isVisible());
        QVERIFY(!f.schedule().drawnGeometry().hasLanes);
        drop(*f.window, {f.path});
        QVERIFY(f.says("longer than planned"));
        f.document().close();
        QVERIFY(!f.document().analyses().measuredRun());
        QCOMPARE(f.schedule().belowSummary(), QString());
    }

    void whatCannotBeReadIsSaid()
    {
        const Fixture f;
        const QString path = f.folder.filePath("broken.json");
        std::ofstream(path.toStdString()) << "{";
        drop(*f.window, {path, f.path});
        QVERIFY(QTest::qWaitFor(
            [&] { return f.window->messageBar().accessibleDescription().contains("broken.json"); },
            patience));
        QCOMPARE(f.schedule().belowSummary(), QString());
    }

    // measure_model.py runs in the precision that is chosen.
    void theCommandThatMeasuresSaysThePrecision()
    {
        const WindowFixture f;
        QVERIFY(f.open(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2"));
        const auto command = [&] {
            f.window->actionTable().importTimes->trigger();
            auto* dialog = f.window->findChild<TimesDialog*>();
            const QString said = dialog->command();
            delete dialog;
            return said;
        };
        QVERIFY(!command().contains("--precision"));
        PlanRequest request = f.document().request();
        request.profile.precision = Precision::AutocastBFloat16;
        f.document().setRequest(request);
        QVERIFY(f.settle());
        QVERIFY2(command().endsWith("gpt2-tiny.pt2 --precision autocast-bf16"), qPrintable(command()));
    }

    // Over the graph and the code, too.
    void nothingInTheWindowKeepsADropToItself()
    {
        const Fixture f;
        for (const QAbstractScrollArea* area : f.window->findChildren<QAbstractScrollArea*>())
            QVERIFY2(!area->acceptDrops() && !area->viewport()->acceptDrops(),
                     area->metaObject()->className());
    }
};

QTEST_MAIN(TestMeasuredSteps)
#include "tst_measured_steps.moc"
