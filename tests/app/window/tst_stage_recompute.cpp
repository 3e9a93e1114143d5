// What single stages recompute, chosen from the menu of a stage.
#include "app/window/stage_recompute_menu.h"

#include "tests/app/document/document_fixture.h"
#include "views/base/selection.h"

#include <QTest>

#include <algorithm>

using namespace stagecraft;

namespace {

bool settle(Document& document)
{
    return QTest::qWaitFor([&] { return document.isSettled(); }, patience);
}

QAction* actionOf(const QMenu& menu, const QString& text)
{
    const QList<QAction*> actions = menu.actions();
    const auto found =
        std::ranges::find_if(actions, [&](const QAction* action) { return action->text() == text; });
    return found == actions.end() ? nullptr : *found;
}

} // namespace

class TestStageRecompute : public QObject
{
    Q_OBJECT

private slots:
    void aStageDoesOtherwise();
    void isOfAStageInTrainingAlone();
    void saysWhatCannotBe();
};

void TestStageRecompute::aStageDoesOtherwise()
{
    const auto document = openedDocument();
    Selection selection;
    StageRecomputeMenu menu(*document, selection, nullptr);
    selection.setStage(StageId(1));
    QCOMPARE(menu.title().remove('&'), QString("Recompute in stage 2"));
    QVERIFY(actionOf(menu, "As all stages")->isChecked());

    actionOf(menu, "Every block")->trigger();
    QVERIFY(settle(*document));
    const auto recomputed = [&](std::size_t stage) {
        return document->state().cost->stages[StageId(stage)].recomputed > Seconds{};
    };
    for (std::size_t stage = 0; stage < 4; ++stage)
        QCOMPARE(recomputed(stage), stage == 1);
    QCOMPARE(document->undoStack().undoText(), QString("Recompute in stage 2"));
    QVERIFY(actionOf(menu, "Every block")->isChecked());
    selection.setStage(StageId(2));
    QVERIFY(actionOf(menu, "As all stages")->isChecked());

    // Moved boundaries take it along.
    const std::vector<std::size_t> legal = document->legalPositions(BoundaryId(1));
    document->drop(BoundaryId(1), legal[legal.size() / 3]);
    QVERIFY(settle(*document));
    for (std::size_t stage = 0; stage < 4; ++stage)
        QVERIFY(stage == 1 || !recomputed(stage));

    selection.setStage(StageId(1));
    actionOf(menu, "As all stages")->trigger();
    QVERIFY(settle(*document));
    QVERIFY(!document->planView().again);
    document->undoStack().undo();
    QVERIFY(document->planView().again);
}

void TestStageRecompute::isOfAStageInTrainingAlone()
{
    const auto document = openedDocument();
    Selection selection;
    StageRecomputeMenu menu(*document, selection, nullptr);
    QVERIFY(!menu.menuAction()->isEnabled());
    std::vector<NodeId> ofStage;
    for (const NodeId node : document->model()->graph.nodes())
        if (document->state().partition->stageOf[node] == StageId(2))
            ofStage.push_back(node);
    selection.setNodes(ofStage);
    QVERIFY(menu.menuAction()->isEnabled());
    QCOMPARE(menu.title().remove('&'), QString("Recompute in stage 3"));
    PlanRequest request = document->asked();
    request.profile.mode = TrainingMode::Infer;
    document->setRequest(request);
    QVERIFY(settle(*document));
    QVERIFY(!menu.menuAction()->isEnabled());
}

// Regions that are given leave no stage a choice.
void TestStageRecompute::saysWhatCannotBe()
{
    const auto document = openedDocument();
    PlanRequest request = document->asked();
    request.plan.recompute = {.kind = RecomputeKind::Full};
    document->setRequest(request);
    QVERIFY(settle(*document));
    request = document->asked();
    request.plan.recompute.kind = RecomputeKind::Plan;
    document->setRequest(request);
    QVERIFY(settle(*document));
    Selection selection;
    StageRecomputeMenu menu(*document, selection, nullptr);
    selection.setStage(StageId(0));
    QString why;
    QObject::connect(document.get(), &Document::refused, &selection,
                     [&](const QString& text) { why = text; });
    actionOf(menu, "As little as memory demands")->trigger();
    QVERIFY2(why.contains("no stage can choose its own"), qPrintable(why));
    QVERIFY(actionOf(menu, "As all stages")->isChecked());
}

QTEST_MAIN(TestStageRecompute)
#include "tst_stage_recompute.moc"
