#include "core/plan/stage_cost.h"
#include "views/base/message_bar.h"
#include "window_fixture.h"
#include <QElapsedTimer>
#include <QLabel>
#include <QStatusBar>
#include <QToolButton>
using namespace stagecraft;
namespace {
QString figures(const PlanState& s)
{
    QString t;
    if (!s.cost)
        return "none";
    for (const StageCost& c : s.cost->stages)
        t += QString("[%1 n%2 load %3 peak %4 again %5] ")
                 .arg(c.nodeCount)
                 .arg(c.nodeCount)
                 .arg(c.load.value(), 0, 'g', 9)
                 .arg(c.peakMemory.count())
                 .arg(c.recomputed.value(), 0, 'g', 9);
    return t + QString("step %1 bubble %2 recompute %3")
                   .arg(s.cost->iteration.value(), 0, 'g', 9)
                   .arg(s.cost->bubble, 0, 'g', 9)
                   .arg(QString::fromStdString(printPolicy(s.request.plan.recompute)));
}
QString messages(const WindowFixture& f)
{
    QStringList t;
    for (const QLabel* l : f.window->messageBar().findChildren<QLabel*>())
        if (l->isVisible() && !l->text().isEmpty())
            t << l->text();
    for (const QToolButton* l : f.window->messageBar().findChildren<QToolButton*>())
        if (l->isVisible() && l->menu())
            t << l->text();
    return t.join(" | ");
}
QString status(const WindowFixture& f)
{
    QStringList t;
    for (const QLabel* l : f.window->statusBar()->findChildren<QLabel*>())
        if (l->isVisible() && !l->text().isEmpty())
            t << l->text();
    for (const QToolButton* l : f.window->statusBar()->findChildren<QToolButton*>())
        if (l->isVisible())
            t << l->text();
    return t.join(" | ");
}
} // namespace
class TestTry : public QObject
{
    Q_OBJECT
private slots:
    void backAgain()
    {
        const QString model =
            qEnvironmentVariable("TRY_MODEL", "/work/shared/models/architectures/mixtral-8x7b.pt2");
        WindowFixture f({}, Seconds(qEnvironmentVariable("TRY_TIME", "2").toDouble()));
        f.window->resize(1280, 720);
        int shot = 0;
        const auto snap = [&](const QString& n) {
            f.window->grab().save(QString("/tmp/h14/shot_%1_%2.png").arg(shot++, 2, 10, QChar('0')).arg(n));
        };
        f.window->open(model);
        QElapsedTimer e;
        e.start();
        while (e.elapsed() < 60000 && !f.document().isFirstSearch())
            QTest::qWait(5);
        QTest::qWait(50);
        qInfo() << "during first search:" << status(f);
        snap("search");
        QVERIFY(f.settle());
        qInfo() << e.elapsed() << "ms" << status(f) << "MSG" << messages(f);
        snap("opened");
        const PlanRequest first = f.document().request();
        const auto apply = [&](const char* field, const char* value) {
            PlanRequest r = f.document().request();
            if (QByteArray(field) == "device")
                r.device = value;
            else if (const auto p = requestField(field).parse(r, value); !p.has_value()) {
                qWarning() << p.error().message.c_str();
                return false;
            }
            f.document().setRequest(r);
            return f.settle();
        };
        const auto textOf = [&](const char* field) -> QByteArray {
            const PlanRequest& r = f.document().request();
            return QByteArray(field) == "device" ? QByteArray::fromStdString(r.device)
                                                 : QByteArray::fromStdString(requestField(field).print(r));
        };
        struct Step
        {
            const char* field;
            const char* value;
        };
        const auto round = [&](const char* field, const char* value) {
            const QString before = figures(f.document().state());
            const QByteArray was = textOf(field);
            if (!apply(field, value)) {
                qWarning() << "NOT APPLIED" << field << value;
                return;
            }
            qInfo() << field << value << status(f) << "MSG" << messages(f);
            snap(QString(field) + "_" + QString(value).replace('/', '_'));
            apply(field, was.constData());
            const QString after = figures(f.document().state());
            if (after != before)
                qWarning() << "DIFFERS after" << field << was << "->" << value << "->" << textOf(field)
                           << "\n  before" << before << "\n  after " << after;
        };
        for (const auto& [field, value] : std::initializer_list<Step>{{"device", "h100-sxm"},
                                                                      {"device", "l4"},
                                                                      {"microbatches", "32"},
                                                                      {"schedule", "gpipe"},
                                                                      {"schedule", "zb1p"},
                                                                      {"schedule", "interleaved"},
                                                                      {"schedule", "zbv"},
                                                                      {"precision", "bfloat16"},
                                                                      {"precision", "float32"},
                                                                      {"runtime", "torch-2.15"},
                                                                      {"runtime", "ideal"},
                                                                      {"recompute", "full"},
                                                                      {"recompute", "ops"},
                                                                      {"recompute", "none"},
                                                                      {"recompute", "auto"},
                                                                      {"recompute", "every 2"},
                                                                      {"mode", "inference"},
                                                                      {"send", "direct"},
                                                                      {"objective", "iteration"}})
            round(field, value);
        const QString all = figures(f.document().state());
        int steps = 0;
        while (f.document().undoStack().canUndo()) {
            f.document().undoStack().undo();
            ++steps;
            QVERIFY(f.settle());
        }
        qInfo() << "undone" << steps << status(f) << "MSG" << messages(f);
        qInfo() << figures(f.document().state());
        while (f.document().undoStack().canRedo())
            f.document().undoStack().redo();
        QVERIFY(f.settle());
        if (all != figures(f.document().state()))
            qWarning() << "REDO DIFFERS" << all << figures(f.document().state());
    }
    void midSearch()
    {
        const QString model = "/work/shared/models/architectures/mixtral-8x7b.pt2";
        QTemporaryDir data;
        WindowFixture f(data.path(), Seconds(3));
        f.window->resize(1280, 720);
        int shot = 50;
        const auto snap = [&](const QString& n) {
            f.window->grab().save(QString("/tmp/h14/shot_%1_%2.png").arg(shot++, 2, 10, QChar('0')).arg(n));
        };
        const auto waitSearch = [&] {
            return QTest::qWaitFor([&] { return f.document().isFirstSearch(); }, 60000);
        };
        f.window->open(model);
        QVERIFY(waitSearch());
        QTest::qWait(1500);
        f.window->activateWindow();
        f.window->views().graph->setFocus();
        QTest::keyClick(f.window->views().graph, Qt::Key_Escape);
        QTest::qWait(100);
        QTest::keyClick(f.window->views().graph, Qt::Key_Escape);
        QTest::qWait(300);
        qInfo() << "after Esc" << f.document().isFirstSearch() << status(f) << "MSG" << messages(f);
        f.settle();
        snap("cancelled");
        qInfo() << "settled after Esc" << status(f) << "MSG" << messages(f) << figures(f.document().state());
        // Go on by the command
        f.window->actionTable().split->trigger();
        QTest::qWait(1000);
        qInfo() << "split again, under way" << status(f);
        snap("splitting_again");
        QVERIFY(f.settle());
        qInfo() << "split again" << status(f) << "MSG" << messages(f);
        snap("split_again");
        // another model over it in the middle of a search
        PlanRequest r = f.document().request();
        r.plan.stageCount = 8;
        f.document().setRequest(r);
        QTest::qWait(700);
        qInfo() << "8 stages under way" << status(f);
        snap("eight_under_way");
        f.window->open("/work/shared/models/architectures/gpt2.pt2");
        QTest::qWait(400);
        QVERIFY(f.settle());
        QTest::qWait(500);
        QVERIFY(f.settle());
        qInfo() << "gpt2 over it" << status(f) << "MSG" << messages(f) << figures(f.document().state());
        snap("gpt2_over");
        // quit in the middle of a first search
        f.window->open(model);
        QVERIFY(waitSearch());
        QTest::qWait(300);
        QElapsedTimer e;
        e.start();
        f.window->close();
        QVERIFY(QTest::qWaitFor([&] { return !f.window; }, 60000));
        qInfo() << "closed in" << e.elapsed();
        f.start();
        f.window->resize(1280, 720);
        QTest::qWait(300);
        snap("come_back");
        for (const QPushButton* b : f.window->findChildren<QPushButton*>())
            if (b->isVisible())
                qInfo() << "  button" << b->text() << b->accessibleName() << b->accessibleDescription();
        f.window->goOnWithLast();
        QVERIFY(QTest::qWaitFor([&] { return f.document().hasModel(); }, 60000));
        QVERIFY(f.settle());
        qInfo() << "went on" << f.window->windowTitle() << status(f) << "MSG" << messages(f);
        // dark
        for (QAction* a : f.window->actionTable().themes)
            if (a->text().contains("ark"))
                a->trigger();
        QTest::qWait(300);
        f.window->actionTable().split->trigger();
        QVERIFY(f.settle());
        snap("dark");
    }
};
QTEST_MAIN(TestTry)
#include "tst_zz_try.moc"
