#include "views/code/code_view.h"

#include "core/measure/statistics.h"
#include "tests/views/sample_plan.h"
#include "views/code/code_diff.h"
#include "views/code/code_text.h"
#include "views/code/source_page.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>
#include <Qsci/qsciscintilla.h>
#include <QtTest>

using namespace stagecraft;

class TestCodeView : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void tabsAreStages();
    void aClickBesideTheTabsChoosesNoStage();
    void theTextIsThatOfThePage();
    void onlyChangedLinesAreReplacedAndTheCaretStays();
    void changeBarsShowWhatDiffersFromTheBaseline();
    void selectedLinesAreMarked();
    void linesThatAreLookedForAreMarked();
    void enterSelectsTheLinesOp();
    void aStageOpensAtItsForward();
    void selectingBringsALineIntoSight();
    void clickingALineSelectsAndDoesNotScroll();
    void allThatALineRunsIsPointedAt();
    void statisticsStandBesideTheLines();
    void boxesListWhatIsExchanged();
    void updatingIsSaid();
    void whatNobodySeesIsNotLaidOut();
    void linesFitTheView();
    void differencesStandInPlaceOfTheCode();
    void keysThatSelectAndCopyAreItsOwn();
    void escapeIsTheWindowsWhereNothingIsSelected();
    void modulesFold();
    void whatIsWrittenIntoAFoldedModuleIsFolded();
    void manyUpdatesLeaveThePictureAsItIs();
    void emptyAndFewerPages();
    void pagesOfAnotherGraphAreDropped();

private:
    std::vector<StagePage> pages(const PlanView& plan) const
    {
        std::vector<StagePage> result;
        for (const StageId stage : plan.cost->stages.ids())
            result.push_back({sample::programOf(plan, stage), sample::codeOf(plan, stage)});
        return result;
    }
    PlanView moved(std::size_t boundary) const
    {
        auto partition = std::make_shared<Partition>(*m_plan.partition);
        for (const NodeId node : m_plan.graph->nodes())
            partition->stageOf[node] = StageId(node.index() < boundary ? 0 : 1);
        return sample::withPartition(m_plan, partition);
    }
    QPoint pointAt(unsigned long line) const
    {
        const auto position = m_editor->SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, line) + 10;
        const auto x = m_editor->SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0UL, position);
        const auto y = m_editor->SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0UL, position);
        return {static_cast<int>(x), static_cast<int>(y) + 4};
    }
    QList<int> marked(unsigned marker) const
    {
        QList<int> lines;
        for (int line = 0; line < m_editor->lines(); ++line)
            if (m_editor->markersAtLine(line) & (1U << marker))
                lines << line;
        return lines;
    }

    int lineOf(const char* text) const
    {
        return static_cast<int>(m_editor->text().left(m_editor->text().indexOf(text)).count('\n'));
    }
    bool isInView(const char* text) const;
    void showModules(const std::string& first);
    void trigger(const char* text)
    {
        for (QAction* action : m_view->findChild<QToolButton*>("codeMenu")->menu()->actions())
            if (action->text() == text)
                return action->trigger();
        QFAIL(text);
    }

    PlanView m_plan;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<CodeView> m_view;
    QsciScintilla* m_editor = nullptr;
};

namespace {

constexpr unsigned selectedMarker = 1;
constexpr unsigned changedMarker = 3;
constexpr unsigned matchMarker = 4;

} // namespace

void TestCodeView::init()
{
    m_plan = sample::plan(4, 2); // 34 ops: lines 8 .. 24 of each stage
    m_selection = std::make_unique<Selection>();
    m_view = std::make_unique<CodeView>(m_selection.get());
    m_view->resize(700, 300);
    m_view->setShortLines(false); // one line an op
    m_view->setPlan(m_plan);
    m_view->setPages(pages(m_plan));
    m_view->show();
    m_editor = m_view->findChild<QsciScintilla*>();
}

void TestCodeView::tabsAreStages()
{
    QCOMPARE(m_view->findChild<QTabBar*>()->count(), 2);
    QCOMPARE(m_view->shownStage(), std::optional(StageId(0)));
    m_selection->setStage(StageId(1));
    QCOMPARE(m_view->shownStage(), std::optional(StageId(1)));
    m_selection->setNodes({NodeId(3)}); // an op of the first stage
    QCOMPARE(m_view->shownStage(), std::optional(StageId(0)));
}

void TestCodeView::aClickBesideTheTabsChoosesNoStage()
{
    auto* tabs = m_view->findChild<QTabBar*>();
    emit tabs->tabBarClicked(-1);
    QVERIFY(!m_selection->stage());
    emit tabs->tabBarClicked(1);
    QCOMPARE(m_selection->stage(), std::optional(StageId(1)));
}

void TestCodeView::theTextIsThatOfThePage()
{
    QCOMPARE(m_editor->text().toStdString(), sample::codeOf(m_plan, StageId(0))->text);
    QVERIFY(m_editor->isReadOnly());
    m_view->showStage(StageId(1));
    QCOMPARE(m_editor->text().toStdString(), sample::codeOf(m_plan, StageId(1))->text);
}

void TestCodeView::onlyChangedLinesAreReplacedAndTheCaretStays()
{
    m_editor->setCursorPosition(12, 4);
    const int top = 5;
    m_editor->setFirstVisibleLine(top);
    const PlanView after = moved(20);
    m_view->setPlan(after);
    m_view->setPages(pages(after));
    QCOMPARE(m_editor->text().toStdString(), sample::codeOf(after, StageId(0))->text);
    int line = 0;
    int column = 0;
    m_editor->getCursorPosition(&line, &column);
    QCOMPARE(line, 12);
    QCOMPARE(column, 4);
    QCOMPARE(m_editor->firstVisibleLine(), top);
}

void TestCodeView::changeBarsShowWhatDiffersFromTheBaseline()
{
    m_view->setBaseline();
    QCOMPARE(marked(changedMarker), QList<int>());
    const PlanView after = moved(19); // two more ops in the first stage, another return
    m_view->setPlan(after);
    m_view->setPages(pages(after));
    QCOMPARE(marked(changedMarker), (QList<int>{24, 25, 26}));
    m_view->setBaseline();
    QCOMPARE(marked(changedMarker), QList<int>());
}

void TestCodeView::selectedLinesAreMarked()
{
    m_selection->setNodes({NodeId(0), NodeId(2)});
    QCOMPARE(marked(selectedMarker), (QList<int>{7, 9}));
    m_selection->setNodes({});
    QCOMPARE(marked(selectedMarker), QList<int>());
}

void TestCodeView::linesThatAreLookedForAreMarked()
{
    QVERIFY(marked(matchMarker).isEmpty());
    m_selection->setMatches(std::vector{NodeId(1), NodeId(3), NodeId(30)});
    QCOMPARE(marked(matchMarker).size(), 2); // of this stage
    m_view->showStage(StageId(1));
    QCOMPARE(marked(matchMarker).size(), 1);
    m_selection->setMatches({});
    QVERIFY(marked(matchMarker).isEmpty());
}

void TestCodeView::enterSelectsTheLinesOp()
{
    m_editor->setCursorPosition(9, 0);
    QTest::keyClick(m_editor, Qt::Key_Return);
    QCOMPARE(m_selection->nodes(), (std::vector{NodeId(2)}));
}

void TestCodeView::aStageOpensAtItsForward()
{
    m_view->resize(700, 160);
    QCoreApplication::processEvents();
    m_view->showStage(StageId(1));
    QCOMPARE(m_editor->firstVisibleLine(), 6); // "def forward"
    m_view->showStage(StageId(0));
    QCOMPARE(m_editor->firstVisibleLine(), 6);
    m_editor->setFirstVisibleLine(14);
    m_view->showStage(StageId(1));
    QCOMPARE(m_editor->firstVisibleLine(), 6);
}

void TestCodeView::selectingBringsALineIntoSight()
{
    m_view->resize(700, 160);
    QCoreApplication::processEvents();
    const auto isInSight = [this](int line) {
        const int top = static_cast<int>(m_editor->SendScintilla(QsciScintilla::SCI_GETFIRSTVISIBLELINE));
        const int at = static_cast<int>(
            m_editor->SendScintilla(QsciScintilla::SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(line)));
        return at >= top &&
               at < top + static_cast<int>(m_editor->SendScintilla(QsciScintilla::SCI_LINESONSCREEN));
    };
    QVERIFY(!isInSight(7 + 15));
    m_selection->setNodes({NodeId(15)});
    QVERIFY(isInSight(7 + 15));
    m_selection->reveal({NodeId(17 + 16)}); // the last op of the other stage
    QCOMPARE(m_view->shownStage(), std::optional(StageId(1)));
    QVERIFY(isInSight(7 + 16));
    QCOMPARE(m_selection->nodes(), std::vector{NodeId(15)});
}

void TestCodeView::clickingALineSelectsAndDoesNotScroll()
{
    m_view->resize(700, 160);
    QCoreApplication::processEvents();
    const int top = m_editor->firstVisibleLine();
    QTest::mouseClick(m_editor->viewport(), Qt::LeftButton, {}, pointAt(8));
    QCOMPARE(m_selection->nodes(), std::vector{NodeId(1)});
    QCOMPARE(m_editor->firstVisibleLine(), top);
}

void TestCodeView::allThatALineRunsIsPointedAt()
{
    std::vector<StagePage> shared = pages(m_plan);
    auto code = std::make_shared<StageCode>(*shared.front().code);
    code->nodesOfLine[8] = {NodeId(1), NodeId(5)}; // as of a block that stands twice
    shared.front().code = code;
    m_view->setPages(shared);
    m_view->resize(700, 160);
    QCoreApplication::processEvents();
    QTest::mouseMove(m_editor->viewport(), pointAt(8));
    QTRY_COMPARE(m_selection->hoveredNodes(), (std::vector{NodeId(1), NodeId(5)}));
    QCOMPARE(m_selection->hovered(), std::optional(NodeId(1)));
    QTest::mouseMove(m_editor->viewport(), pointAt(9));
    QTRY_COMPARE(m_selection->hoveredNodes(), std::vector{NodeId(2)});
    m_selection->clear();
    QVERIFY(m_selection->hoveredNodes().empty());
}

void TestCodeView::statisticsStandBesideTheLines()
{
    QSignalSpy asked(m_view.get(), &CodeView::statisticsRequested);
    auto* choice = m_view->findChild<QComboBox*>();
    choice->setCurrentIndex(1);
    emit choice->activated(1);
    QCOMPARE(asked.size(), 1); // there are none yet, and costs stay meanwhile
    auto statistics = std::make_shared<Statistics>();
    statistics->values = Table<ValueId, ValueStatistics>(m_plan.graph->valueCount());
    const ValueId made = (*m_plan.graph)[NodeId(1)].results.front();
    statistics->values[made].forward = TensorStatistics{.elements = 4, .standardDeviation = 0.5};
    statistics->values[made].backward = TensorStatistics{.elements = 4, .standardDeviation = 0.25, .nans = 1};
    m_plan.statistics = statistics;
    const auto code = sample::codeOf(m_plan, StageId(0));
    const QStringList texts = textsBeside(m_plan, *code, CodeView::Beside::Statistics);
    QCOMPARE(texts.size(), static_cast<qsizetype>(code->nodesOfLine.size()));
    QCOMPARE(texts[8], QString("(-> 0.5, <- NaN)"));
    QVERIFY(isAlarming(texts[8]));
    QCOMPARE(texts[7], QString());
    QVERIFY(lineHelp(m_plan, {NodeId(1)}).contains("Gradient: 1 NaN, mean 0, std 0.25"));
    m_view->setPlan(m_plan);
    QVERIFY(!asked.empty());
    emit choice->activated(1);
    QCOMPARE(asked.size(), 1);
}

void TestCodeView::boxesListWhatIsExchanged()
{
    QVERIFY(m_editor->annotation(6).startsWith("Takes 1 value"));
    QVERIFY(m_editor->annotation(24).startsWith("Sends 1 value to stage 2"));
    m_view->showStage(StageId(1));
    QVERIFY(m_editor->annotation(6).startsWith("Receives"));
}

void TestCodeView::whatNobodySeesIsNotLaidOut()
{
    const QString before = m_editor->text();
    m_view->setInSight(false);
    const PlanView other = moved(3);
    m_view->setPlan(other);
    m_view->setPages(pages(other));
    m_view->setBaseline();
    QCOMPARE(m_editor->text(), before);
    m_view->setInSight(true);
    QCOMPARE(m_editor->text(), QString::fromStdString(sample::codeOf(other, StageId(0))->text));
    m_view->setInSight(false);
    m_view->setPages({}); // nothing of a model that is gone stays
    QCOMPARE(m_editor->text(), QString());
    m_view->setInSight(true);
    QCOMPARE(m_editor->text(), QString());
}

void TestCodeView::updatingIsSaid()
{
    const auto visibleTexts = [this] {
        QStringList texts;
        for (const QLabel* label : m_view->findChildren<QLabel*>())
            if (label->isVisibleTo(m_view.get()))
                texts << label->text();
        return texts;
    };
    QCOMPARE(visibleTexts(), QStringList());
    m_view->setState(CodeView::State::Updating);
    QCOMPARE(visibleTexts(), QStringList{"updating"});
    QVERIFY(!m_editor->text().isEmpty()); // the old code stays readable
    m_view->setState(CodeView::State::Current);
    QCOMPARE(visibleTexts(), QStringList());
}

// QScintilla has a few hundred style numbers, and a drag asks for code many times a second.
void TestCodeView::linesFitTheView()
{
    m_view->resize(1000, 300);
    m_view->setShortLines(true);
    QCOMPARE(m_editor->wrapMode(), QsciScintilla::WrapNone); // it takes long, and all fit
    const auto longest = [this] {
        qsizetype most = 0;
        for (const QString& line : m_editor->text().split('\n'))
            most = std::max(most, line.size());
        return most;
    };
    const qsizetype wide = longest();
    m_view->resize(500, 300);
    QTRY_VERIFY(longest() < wide);
    // All parts of a line are the op's; the cost stands beside the first.
    m_selection->setNodes({NodeId(1)});
    QVERIFY(marked(selectedMarker).size() > 1);
    QCOMPARE(m_editor->marginWidth(0), 0); // numbers of lines that no file has
    m_view->resize(260, 300);              // too narrow for any line of Python: it goes on below
    QTRY_VERIFY(longest() > m_editor->viewport()->width() / m_editor->fontMetrics().horizontalAdvance('8'));
    QVERIFY(!m_editor->horizontalScrollBar()->isVisible());
    m_view->setShortLines(false);
    QVERIFY(m_editor->marginWidth(0) > 0);
    QCOMPARE(m_editor->text().toStdString(), sample::codeOf(m_plan, StageId(0))->text);
}

void TestCodeView::differencesStandInPlaceOfTheCode()
{
    m_view->setBaseline();
    const PlanView after = moved(19);
    m_view->setPlan(after);
    m_view->setPages(pages(after));
    auto* page = m_view->findChild<DiffPage*>();
    QVERIFY(!page->isVisible());
    QCOMPARE(page->text(), QString()); // a drag waits for no lines that nobody sees
    m_view->setShows(CodeView::Shows::Differences);
    QVERIFY(page->isVisible() && !m_editor->isVisible());
    QVERIFY2(page->text().contains("\n+        "), qPrintable(page->text()));
    trigger("Source of the model");
    QVERIFY(m_view->findChild<SourcePage*>()->isVisible());
    trigger("Code of the stage");
    QVERIFY(m_editor->isVisible());
}

// Where the window has an action for the same keys.
void TestCodeView::keysThatSelectAndCopyAreItsOwn()
{
    for (const QKeySequence::StandardKey standard : {QKeySequence::SelectAll, QKeySequence::Copy}) {
        const QKeyCombination keys = QKeySequence(standard)[0];
        QKeyEvent asked(QEvent::ShortcutOverride, keys.key(), keys.keyboardModifiers());
        asked.ignore();
        QCoreApplication::sendEvent(m_editor, &asked);
        QVERIFY(asked.isAccepted());
    }
    QTest::keyClick(m_editor, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(m_editor->selectedText(), m_editor->text());
    trigger("Copy page");
    QCOMPARE(QApplication::clipboard()->text(), m_editor->text());
}

// The window ends a job with it.
void TestCodeView::escapeIsTheWindowsWhereNothingIsSelected()
{
    const auto isUsedBy = [](QWidget* editor) {
        QKeyEvent press(QEvent::KeyPress, Qt::Key_Escape, {});
        QCoreApplication::sendEvent(editor, &press);
        return press.isAccepted();
    };
    m_selection->setNodes({NodeId(0)});
    QVERIFY(isUsedBy(m_editor) && m_selection->isEmpty());
    for (QsciScintilla* editor :
         m_view->findChildren<QsciScintilla*>()) // of the code, differences, the source
        QVERIFY(!isUsedBy(editor));
}

bool TestCodeView::isInView(const char* text) const
{
    return m_editor->SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE,
                                   static_cast<unsigned long>(lineOf(text))) != 0;
}

// Two helpers' lines, and a method of two modules, of which the first is these lines.
void TestCodeView::showModules(const std::string& first)
{
    StageCode code;
    code.text = "class Tensors:\n    def place(self):\n        pass\n\n\nclass Stage0(Tensors):\n"
                "    def forward(self, x):\n" +
                first + "        # second  Linear\n        b = f(a)\n        return b\n";
    const auto lines = static_cast<std::size_t>(std::ranges::count(code.text, '\n'));
    code.nodesOfLine.resize(lines);
    code.nodesOfLine[lines - 4] = {NodeId(0)};
    code.nodesOfLine[lines - 2] = {NodeId(1)};
    std::vector<StagePage> folded = pages(m_plan);
    folded.front().code = std::make_shared<StageCode>(code);
    m_view->setPages(folded);
}

void TestCodeView::modulesFold()
{
    showModules("        # first  Linear\n        a = f(x)\n");
    trigger("Fold modules");
    QVERIFY(isInView("# first") && isInView("# second") && !isInView("a = f") && !isInView("b = f"));
    QVERIFY(isInView("class Tensors") && !isInView("def place"));
    m_selection->reveal({NodeId(1)});
    QVERIFY(isInView("b = f") && !isInView("a = f"));
    trigger("Unfold all");
    QVERIFY(isInView("a = f") && isInView("def place"));
}

void TestCodeView::whatIsWrittenIntoAFoldedModuleIsFolded()
{
    showModules("        # first  Linear\n        a = f(x)\n");
    trigger("Fold modules");
    showModules("        # first  Linear\n        x = g(x)\n        a = f(x)\n");
    QVERIFY(isInView("# first") && !isInView("x = g") && !isInView("a = f"));
    QVERIFY(isInView("# second") && !isInView("b = f"));
    showModules("        a = f(x)\n"); // what named it is gone
    QVERIFY(isInView("a = f") && isInView("# second") && !isInView("b = f"));
}

void TestCodeView::manyUpdatesLeaveThePictureAsItIs()
{
    m_view->setBaseline();
    const QImage before = m_view->grab().toImage();
    const PlanView other = moved(19);
    for (int round = 0; round < 200; ++round)
        for (const PlanView& plan : {other, m_plan}) {
            m_view->setPlan(plan);
            m_view->setPages(pages(plan));
        }
    QCOMPARE(m_view->grab().toImage(), before);
}

void TestCodeView::emptyAndFewerPages()
{
    m_view->showStage(StageId(1));
    auto one = pages(m_plan);
    one.resize(1);
    m_view->setPages(one);
    QCOMPARE(m_view->shownStage(), std::optional(StageId(0)));
    m_view->setPages({});
    QVERIFY(!m_editor->isVisible());
    QCOMPARE(m_view->shownStage(), std::nullopt);
}

// Their values do not exist there, or are others.
void TestCodeView::pagesOfAnotherGraphAreDropped()
{
    m_view->setBaseline();
    m_view->setPlan(sample::plan(1, 1));
    QVERIFY(!m_view->shownStage());
    QCOMPARE(m_editor->text(), QString());
    m_view->setPlan(m_plan);
    QVERIFY(!m_view->shownStage());
    m_view->setPages(pages(m_plan));
    QCOMPARE(m_editor->text().toStdString(), sample::codeOf(m_plan, StageId(0))->text);
}

QTEST_MAIN(TestCodeView)
#include "tst_code_view.moc"
