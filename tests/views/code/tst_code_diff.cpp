#include "views/code/code_diff.h"

#include <QLabel>
#include <QTabBar>
#include <Qsci/qsciscintilla.h>
#include <QtTest>

using namespace stagecraft;

class TestCodeDiff : public QObject
{
    Q_OBJECT

private slots:
    void linesThatDifferAreSignedAndCounted();
    void theSameCodeIsSaidToBe();
    void aStageThatOneHasIsWhole();
    void tabsOfStagesThatDifferHaveADot();
    void theStageStaysWhenTheTextsChange();
    void nothingToCompareIsSaid();
};

namespace {

std::shared_ptr<const StageCode> code(const std::string& text)
{
    StageCode made;
    made.text = text;
    return std::make_shared<const StageCode>(made);
}

QString summaryOf(const QWidget& view)
{
    return view.findChild<DiffPage*>()->findChild<QLabel*>()->text();
}

} // namespace

void TestCodeDiff::linesThatDifferAreSignedAndCounted()
{
    DiffPage page;
    const auto before = code("a\nb\nc\n");
    const auto after = code("a\nB\nc\nd\n");
    page.setTexts("A", before.get(), "B", after.get());
    QCOMPARE(page.text(), QString(" a\n-b\n+B\n c\n+d"));
    QCOMPARE(page.findChild<QLabel*>()->text(), QString("1 line only in A (−), 2 lines only in B (+)"));
    auto* editor = page.findChild<QsciScintilla*>();
    QCOMPARE(editor->text(), QString("a\nb\nB\nc\nd"));
    QVERIFY(editor->isReadOnly());
    QVERIFY(editor->markersAtLine(1) != 0 && editor->markersAtLine(2) != 0);
    QVERIFY(editor->markersAtLine(1) != editor->markersAtLine(2));
    QCOMPARE(editor->markersAtLine(0), 0U);
}

void TestCodeDiff::theSameCodeIsSaidToBe()
{
    DiffPage page;
    const auto text = code("a\n");
    page.setTexts("plan A", text.get(), "plan B", text.get());
    QCOMPARE(page.text(), QString());
    QCOMPARE(page.findChild<QLabel*>()->text(),
             QString("The code of this stage is the same in plan A and plan B"));
}

void TestCodeDiff::aStageThatOneHasIsWhole()
{
    CodeDiff view;
    view.setVersions({"A", {code("a\n")}}, {"B", {code("a\n"), code("b\nc\n")}});
    view.showStage(StageId(1));
    QCOMPARE(view.findChild<DiffPage*>()->text(), QString("+b\n+c"));
}

void TestCodeDiff::tabsOfStagesThatDifferHaveADot()
{
    CodeDiff view;
    view.setVersions({"A", {code("a\n"), code("b\n")}}, {"B", {code("a\n"), code("c\n")}});
    const auto* tabs = view.findChild<QTabBar*>();
    QCOMPARE(tabs->tabText(0), QString("1"));
    QCOMPARE(tabs->tabText(1), QString("2 •"));
    QVERIFY(tabs->accessibleTabName(1).contains("differs"));
}

void TestCodeDiff::theStageStaysWhenTheTextsChange()
{
    CodeDiff view;
    view.setVersions({"A", {code("a\n"), code("b\n")}}, {"B", {code("a\n"), code("c\n")}});
    view.showStage(StageId(1));
    view.setVersions({"A", {code("a\n"), code("b\n")}}, {"B", {code("a\n"), code("b\n")}});
    QCOMPARE(view.shownStage(), std::optional(StageId(1)));
    QVERIFY2(summaryOf(view).contains("the same"), qPrintable(summaryOf(view)));
    view.setVersions({"A", {code("a\n")}}, {"B", {code("c\n")}});
    QCOMPARE(view.shownStage(), std::optional(StageId(0)));
    QCOMPARE(view.findChild<DiffPage*>()->text(), QString("-a\n+c"));
}

void TestCodeDiff::nothingToCompareIsSaid()
{
    CodeDiff view;
    QVERIFY(!view.shownStage());
    QVERIFY(!view.findChild<DiffPage*>()->isVisibleTo(&view));
    view.setVersions({"A", {nullptr}}, {"B", {code("a\n")}});
    QVERIFY(view.findChild<DiffPage*>()->isVisibleTo(&view));
}

QTEST_MAIN(TestCodeDiff)
#include "tst_code_diff.moc"
