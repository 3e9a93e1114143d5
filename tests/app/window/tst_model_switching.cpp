// One model is opened over another, whatever goes on: nothing of the one is read against the other.
//
// Of the environment: STAGECRAFT_TEST_MODELS, a folder whose models are used instead of the small ones.
#include "app/window/export_controller.h"
#include "views/pages/export_dialog.h"
#include "window_fixture.h"

#include <QDir>
#include <QLineEdit>
#include <QSlider>

using namespace stagecraft;

namespace {

// Of very different sizes, so that ids of one mean nothing in another.
QStringList testModels()
{
    if (const QString folder = qEnvironmentVariable("STAGECRAFT_TEST_MODELS"); !folder.isEmpty()) {
        QStringList models;
        for (const QFileInfo& file : QDir(folder).entryInfoList({"*.pt2"}))
            models << file.filePath();
        return models.mid(0, 10);
    }
    const QString data = STAGECRAFT_TEST_DATA "/";
    return {data + "models/tiny/gpt2-tiny.pt2",  data + "models/made/norm.pt2",
            data + "models/tiny/llama-tiny.pt2", data + "models/run/makes-nan.pt2",
            data + "models/made/nested.pt2",     data + "models/tiny/t5-tiny.pt2",
            data + "models/made/types.pt2",      data + "models/tiny/mobilenet-tiny.pt2",
            data + "models/made/lists.pt2",      data + "hostile/15-terminal-escapes/m_esc.pt2"};
}

// Each follows each other one: 0 1 0 2 ... 1 2 1 3 ...
std::vector<qsizetype> everyOrderedPair(qsizetype count)
{
    std::vector<qsizetype> sequence;
    for (qsizetype i = 0; i + 1 < count; ++i)
        for (qsizetype j = i + 1; j < count; ++j)
            sequence.insert(sequence.end(), {i, j});
    sequence.push_back(0);
    return sequence;
}

// Points at ops, selects and shows them, as a person would in any view; paints all.
void lookAround(const WindowFixture& f)
{
    Selection* selection = f.window->views().selection;
    const std::size_t count = f.document().model()->graph.nodeCount();
    for (const std::size_t at : {count - 1, count / 2, std::size_t{0}}) {
        selection->setHovered(NodeId(at));
        selection->setNodes({NodeId(at)});
        selection->reveal({NodeId(at)});
        selection->setStage(f.document().state().partition->stageOf[NodeId(at)]);
    }
    selection->setBoundary(BoundaryId(0));
    f.window->grab();
}

QString wrongIn(const WindowFixture& f)
{
    const std::shared_ptr<const Graph> graph = f.document().planView().graph;
    const auto& layout = f.window->views().graph->graphLayout();
    if (!layout || layout->graph != graph)
        return "the drawing is of another graph";
    for (const StagePage& page : f.document().pages())
        for (const std::vector<NodeId>& nodes : page.code->nodesOfLine)
            for (const NodeId node : nodes)
                if (node.index() >= graph->nodeCount())
                    return "the code is of another graph";
    if (f.document().pages().size() != f.document().state().partition->stageCount)
        return "there is no code";
    return {};
}

} // namespace

class TestModelSwitching : public QObject
{
    Q_OBJECT

private slots:
    void everyModelOverEveryOther()
    {
        const QStringList models = testModels();
        QCOMPARE(models.size(), 10);
        const WindowFixture f;
        int stale = 0;
        connect(&f.document(), &Document::modelChanged, f.window, [&] {
            const WindowViews& views = f.window->views();
            stale += views.code->shownStage().has_value() || views.graph->graphLayout() ||
                     !views.selection->nodes().empty() || views.selection->hovered() ||
                     f.window->actionTable().goBack->isEnabled();
        });
        for (const qsizetype model : everyOrderedPair(models.size())) {
            QVERIFY2(f.open(models[model]), qPrintable(models[model]));
            QVERIFY2(wrongIn(f).isEmpty(), qPrintable(models[model] + ": " + wrongIn(f)));
            lookAround(f);
        }
        QCOMPARE(stale, 0);
    }

    void filterAndDetailStartAnew()
    {
        const WindowFixture f;
        QVERIFY(f.open(testModels()[0]));
        auto* detail = f.window->findChild<QSlider*>();
        auto* filter = f.window->views().modules->findChild<QLineEdit*>();
        const int usual = detail->value();
        detail->setValue(detail->maximum());
        filter->setText("nothing like that");
        QVERIFY(f.open(testModels()[2]));
        QCOMPARE(detail->value(), usual);
        QCOMPARE(filter->text(), QString());
        const Expansion opened = f.document().expansion();
        const WindowFixture alone;
        QVERIFY(alone.open(testModels()[2]));
        QCOMPARE(opened, alone.document().expansion()); // drawn as one that is opened first
    }

    void whileAQuestionIsAnswered_data()
    {
        rows({"curve", "advice", "statistics", "batch", "trade-offs", "export and verify", "measure"});
    }
    void whileAQuestionIsAnswered() { openDuringJob(); }

    void whileThePlanIsWorkedOn_data()
    {
        rows({"layout", "search", "profile", "code", "drag", "reveal", "save"});
    }
    void whileThePlanIsWorkedOn() { openDuringJob(); }

private:
    static void rows(const std::vector<const char*>& jobs)
    {
        QTest::addColumn<QString>("job");
        for (const char* job : jobs)
            QTest::newRow(job) << job;
    }

    void openDuringJob()
    {
        QFETCH(QString, job);
        const QStringList models = testModels().mid(0, 2); // a larger one and a small one
        const WindowFixture f;
        QVERIFY(f.open(models[0]));
        for (const bool isOpenedFirst : {false, true}) {
            for (const qsizetype next : {1, 0}) {
                lookAround(f);
                if (isOpenedFirst)
                    f.document().open(models[next].toStdString());
                begin(job, f);
                if (!isOpenedFirst)
                    f.document().open(models[next].toStdString());
                QTRY_COMPARE(f.document().modelPath().string(), models[next].toStdString());
                f.window->grab();
                QVERIFY(f.settle());
                QVERIFY2(wrongIn(f).isEmpty(), qPrintable(job + ": " + wrongIn(f)));
                QVERIFY(!f.document().isDragging());
                QVERIFY(!f.document().analyses().statistics());
                QVERIFY(!f.document().analyses().curve());
                lookAround(f);
            }
        }
        delete m_dialog.data();
    }

    void begin(const QString& job, const WindowFixture& f)
    {
        Document& document = f.document();
        const Actions& actions = f.window->actionTable();
        GraphView* graph = f.window->views().graph;
        if (job == "curve")
            document.analyses().computeCurve();
        if (job == "advice")
            document.analyses().seekAdvice();
        if (job == "statistics")
            document.analyses().gatherStatistics();
        if (job == "batch")
            document.analyses().findLargestBatch();
        if (job == "trade-offs")
            actions.tradeOffs->trigger();
        if (job == "measure")
            actions.measureTimes->trigger();
        if (job == "layout")
            graph->expandAll();
        if (job == "search")
            document.splitAutomatically();
        if (job == "profile" || job == "code") {
            PlanRequest request = document.request();
            if (job == "profile")
                request.profile.mode = TrainingMode::Infer;
            else
                request.plan.microbatches += 1;
            document.setRequest(request);
        }
        if (job == "code")
            document.moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OnePlace);
        if (job == "reveal")
            f.window->views().selection->reveal({NodeId(document.model()->graph.nodeCount() - 1)});
        if (job == "save")
            document.savePlan(f.folder.filePath("plan.stagecraft").toStdString());
        if (job == "drag")
            drag(graph);
        if (job == "export and verify")
            exportStages(f);
    }

    static void drag(GraphView* graph)
    {
        const auto handle = graph->boundaryHandle(BoundaryId(0));
        if (!handle)
            return;
        QTest::mousePress(graph->viewport(), Qt::LeftButton, {}, handle->center());
        for (int dy = 10; dy <= 60; dy += 10)
            QTest::mouseMove(graph->viewport(), handle->center() + QPoint(0, dy));
    }

    void exportStages(const WindowFixture& f)
    {
        delete m_dialog.data();
        m_dialog = new ExportDialog(f.window);
        new ExportController(f.document(), *m_dialog, f.folder.path(), m_dialog);
        m_dialog->setFolder(f.folder.filePath("stages"));
        m_dialog->show();
        emit m_dialog->exportRequested();
    }

    QPointer<ExportDialog> m_dialog;
};

QTEST_MAIN(TestModelSwitching)
#include "tst_model_switching.moc"
