// What the window says, and how it shows names that a file brings.
#include "app/document/recomputed_plans.h"
#include "app/window/exchange_controller.h"
#include "app/window/form_controller.h"
#include "long_job.h"
#include "tests/app/document/held_search.h"
#include "views/base/format.h"
#include "views/base/message_bar.h"
#include "views/base/progress_chip.h"
#include "window_fixture.h"

#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QStatusBar>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolButton>

using namespace stagecraft;

class TestMainWindowMessages : public QObject
{
    Q_OBJECT

private slots:
    // A message for each would bury all others.
    void whatIsTheSameOfManyOpsIsSaidOnceAndShown()
    {
        const WindowFixture f;
        QVERIFY(f.open(STAGECRAFT_TEST_DATA "/models/custom/scan.pt2"));
        const std::vector<NodeNote>& notes = f.document().state().profile->nodeNotes;
        QVERIFY(!notes.empty());
        QVERIFY(notes.size() <= f.window->messageBar().count());
        const QString label = QString("Show %1").arg(opCountText(notes.back().nodes.size()));
        QPushButton* show = nullptr;
        while (!show && f.window->messageBar().count() > 0) {
            for (QPushButton* button : f.window->messageBar().findChildren<QPushButton*>())
                if (button->text() == label)
                    show = button;
            if (!show) // it is of a message behind this one
                QTest::keyClick(&f.window->messageBar(), Qt::Key_Escape);
        }
        QVERIFY(show);
        show->click();
        QCOMPARE(f.window->views().selection->nodes(), notes.back().nodes);
    }

    // Else nobody would know that figures are of other boundaries.
    void whatIsNotSettledSaysSoUntilItIs()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        Document& document = f.document();
        PlanRequest request = document.request();
        request.plan.recompute = {.kind = RecomputeKind::Full};
        document.setRequest(request);
        QVERIFY(f.settle());
        const std::vector<std::size_t> legal = document.legalPositions(BoundaryId(1));
        document.drop(BoundaryId(1), legal.front() == f.boundary(1) ? legal.back() : legal.front());
        QVERIFY(isUnsettled(document.state()));
        const MessageBar& bar = f.window->messageBar();
        QVERIFY(!bar.has("unsettled")); // it is under way
        document.heavyQueue().cancelAll();
        QVERIFY(bar.has("unsettled"));
        document.undoStack().undo();
        QVERIFY(!bar.has("unsettled"));
        document.undoStack().redo();
        document.heavyQueue().cancelAll();
        const auto buttons = bar.findChildren<QPushButton*>();
        const auto found = std::ranges::find(buttons, QString("Make them exact"), &QPushButton::text);
        QVERIFY(found != buttons.end());
        (*found)->click();
        QVERIFY(f.settle());
        QVERIFY(!isUnsettled(document.state()));
        QVERIFY(!bar.has("unsettled"));
    }

    // Jobs that the document does not run are seen and ended as its own are.
    void jobsOfAllQueuesAreShownAndEndWithEsc()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        const auto* chip = f.window->findChild<ProgressChip*>();
        for (JobQueue* queue : {&f.window->findChild<ExchangeController*>()->jobs(),
                                &f.window->findChild<FormController*>()->jobs()}) {
            bool isAbandoned = false;
            addLongJob(*queue, isAbandoned);
            QTRY_VERIFY(chip->isVisible());
            f.window->views().selection->clear();
            QTest::keyClick(f.window->views().graph, Qt::Key_Escape);
            QVERIFY(isAbandoned && !queue->isBusy());
            QTRY_VERIFY(!chip->isVisible());
        }
    }

    // Boundaries are kept; where that is what does not fit, the way out is at hand.
    void keptBoundariesThatDoNotFitCanBeSplitAgain_data()
    {
        QTest::addColumn<RecomputeKind>("recompute");
        QTest::addColumn<double>("share");
        QTest::newRow("nothing is recomputed") << RecomputeKind::None << 0.98;
        QTest::newRow("as little as may be") << RecomputeKind::Auto << 0.6;
    }
    void keptBoundariesThatDoNotFitCanBeSplitAgain()
    {
        QFETCH(RecomputeKind, recompute);
        QFETCH(double, share);
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        const auto offered = [&]() -> QPushButton* {
            for (QPushButton* button : f.window->messageBar().findChildren<QPushButton*>())
                if (button->text() == "Split automatically" && button->isVisible())
                    return button;
            return nullptr;
        };
        for (int move = 0; move < 3; ++move)
            f.document().moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
        QVERIFY(f.settle());
        const Partition kept = *f.document().state().partition;
        const Bytes held = f.document().state().cost->peakMemory();
        PlanRequest request = f.document().request();
        request.plan.memoryLimits = {Bytes(static_cast<std::int64_t>(held.asDouble() * share))};
        request.plan.recompute = {.kind = recompute};
        f.document().setRequest(request);
        QVERIFY(f.settle());
        QVERIFY(*f.document().state().partition == kept);
        QVERIFY(!f.document().state().cost->fits());
        QTRY_VERIFY(offered());
        offered()->click();
        QVERIFY(f.settle());
        QVERIFY(*f.document().state().partition != kept);
        QTRY_VERIFY(!offered());
    }

    // What a search said goes with its plan and comes back with it, by undo and by redo.
    void whatASearchSaidIsThatOfThePlanThatIsShown()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        MessageBar& bar = f.window->messageBar();
        bar.clear();
        const auto says = [&](const QString& text) {
            const auto labels = bar.findChildren<QLabel*>();
            return std::ranges::any_of(labels,
                                       [&](const QLabel* label) { return label->text().contains(text); });
        };
        PlanRequest request = f.document().request();
        request.plan.memoryLimits = {Bytes(1 << 16)};
        f.document().setRequest(request);
        QVERIFY(f.settle());
        f.document().splitAutomatically();
        QVERIFY(f.settle());
        QVERIFY(!f.document().state().cost->fits());
        const SearchWord word = f.document().searchWord();
        QVERIFY(word.isUnfit);
        QVERIFY(bar.isVisible());
        QTest::keyClick(f.window->views().graph, Qt::Key_Z, Qt::ControlModifier);
        while (f.document().state().cost && !f.document().state().cost->fits() &&
               f.document().undoStack().canUndo())
            QTest::keyClick(f.window->views().graph, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(f.settle());
        QVERIFY(f.document().state().cost->fits());
        QCOMPARE(bar.count(), std::size_t{0});
        while (f.document().undoStack().canRedo())
            QTest::keyClick(f.window->views().graph, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(f.settle());
        QVERIFY(!f.document().state().cost->fits());
        QVERIFY(f.document().searchWord() == word);
        QVERIFY(bar.isVisible());
        QVERIFY(says(word.text.left(20)) || says(word.text.mid(1, 20)));
    }

    // What was said of the profile on one device is not of that on another.
    void notesGoAndComeWithTheirProfile()
    {
        const WindowFixture f;
        QVERIFY(f.open(QStringLiteral(STAGECRAFT_TEST_DATA "/models/tiny/mobilenet-tiny.pt2")));
        MessageBar& bar = f.window->messageBar();
        const auto isListed = [&] {
            auto* list = bar.findChild<QMenu*>();
            emit list->aboutToShow();
            return std::ranges::any_of(list->actions(), [](const QAction* action) {
                return action->text().contains("without what cuDNN takes");
            });
        };
        QVERIFY(isListed());
        PlanRequest request = f.document().request();
        request.device = "cpu";
        f.document().setRequest(request);
        QVERIFY(f.settle());
        QVERIFY(!isListed());
        f.document().undoStack().undo();
        QVERIFY(isListed());
        bar.clear();
        f.document().undoStack().redo();
        f.document().undoStack().undo();
        QVERIFY(!isListed()); // somebody has dismissed it
    }

    // The whole model is no plan of one stage.
    void untilThereIsAPlanItIsLookedFor()
    {
        const WindowFixture f({}, Seconds(20));
        const auto label = [&](const QString& name) {
            for (const QLabel* each : f.window->statusBar()->findChildren<QLabel*>())
                if (each->accessibleName() == name)
                    return each->isVisible() ? each->text() : QString();
            return QString();
        };
        QStringList said;
        connect(&f.document(), &Document::planChanged, f.window, [&] {
            if (f.document().isFirstSearch())
                said << label("Stages and devices") << label("Slowest stage") << label("Bound");
        });
        QVERIFY(f.open(tinyModel));
        said.removeAll(QString());
        said.removeDuplicates();
        QCOMPARE(said, QStringList{"splitting into 4 stage(s)…"});
        QCOMPARE(label("Stages and devices"), QString("4 stages"));
    }

    void whatIsLookedForFollowsWhatIsAsked()
    {
        const WindowFixture f;
        HeldSearch held(f.document());
        f.window->open(tinyModel);
        QVERIFY(held.waitForIt());
        PlanRequest request = f.document().request();
        request.plan.stageCount = 3;
        f.document().setRequest(request);
        QStringList said;
        for (const QLabel* each : f.window->statusBar()->findChildren<QLabel*>())
            if (each->accessibleName() == "Stages and devices")
                said << each->text();
        for (const QToolButton* each : f.window->statusBar()->findChildren<QToolButton*>())
            if (each->text().contains(QChar(0xd7)))
                said << each->text().left(3);
        QCOMPARE(said, (QStringList{"splitting into 3 stage(s)…", "3 ×"}));
        held.letGo();
        QVERIFY(f.settle());
        QCOMPARE(f.document().state().partition->stageCount, std::size_t(3));
    }

    void namesOfAFileAreShownAsTheyAreSpelt()
    {
        const WindowFixture f;
        const QString path = f.folder.filePath("a&b <b>c[*].pt2");
        QVERIFY(QFile::copy(STAGECRAFT_TEST_DATA "/hostile/15-terminal-escapes/m_names.pt2", path));
        QVERIFY(f.open(path));
        QVERIFY2(f.window->windowTitle().startsWith("a&b <b>c[*][*][*] "),
                 qPrintable(f.window->windowTitle()));
        for (QAction* action : menuActions(*f.window)) {
            if (action->text().contains("<b>c")) { // a recent file
                QCOMPARE(action->text(), QString("a&&b <b>c[*].pt2"));
                QVERIFY(action->toolTip().contains("&lt;b&gt;"));
            }
        }
        const Graph& graph = f.document().model()->graph;
        for (const NodeId node : graph.nodes()) {
            f.window->views().selection->setNodes({node});
            f.window->grab();
            for (const QLabel* label : f.window->findChildren<QLabel*>()) {
                const bool isMarkup =
                    label->textFormat() == Qt::AutoText && Qt::mightBeRichText(label->text());
                QVERIFY2(!isMarkup || !label->text().contains("near"), qPrintable(label->text()));
                QVERIFY2(!label->text().contains('\x1b'), qPrintable(label->text()));
            }
            for (const QAction* action : menuActions(*f.window))
                QVERIFY2(!action->text().contains('\x1b') &&
                             !action->text().contains(QRegularExpression("[^&]&(near|1</i>)")),
                         qPrintable(action->text()));
        }
        const auto* details = f.window->views().details->findChild<QTextBrowser*>();
        f.window->views().selection->setNodes({*graph.findNode("<b>li&near</b>%1[*]")});
        QVERIFY2(details->toPlainText().startsWith("<b>li&near</b>%1[*]"),
                 qPrintable(details->toPlainText()));
    }
};

QTEST_MAIN(TestMainWindowMessages)
#include "tst_main_window_messages.moc"
