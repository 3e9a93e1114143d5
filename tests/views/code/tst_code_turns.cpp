// Other code of a large stage comes in turns of the event loop, and ends as it would at once.
#include "tests/views/sample_plan.h"
#include "views/code/code_view.h"

#include <QSignalSpy>
#include <Qsci/qsciscintilla.h>
#include <QtTest>

#include <algorithm>

using namespace stagecraft;

namespace {

std::vector<StagePage> pagesOf(const PlanView& plan)
{
    std::vector<StagePage> pages;
    for (const StageId stage : plan.cost->stages.ids())
        pages.push_back({sample::programOf(plan, stage), sample::codeOf(plan, stage)});
    return pages;
}

QsciScintilla* editorOf(const CodeView& view)
{
    return view.findChild<QsciScintilla*>();
}

// All that can be seen of it, line by line; behind the last line break there is nothing.
QStringList linesOf(const QsciScintilla& editor)
{
    QStringList lines;
    for (int line = 0; line + 1 < editor.lines(); ++line)
        lines << QStringLiteral("%1|%2|%3|%4")
                     .arg(editor.text(line).trimmed())
                     .arg(editor.markersAtLine(line))
                     .arg(editor.SendScintilla(QsciScintilla::SCI_GETFOLDLEVEL, line))
                     .arg(editor.annotation(line));
    return lines;
}

void show(CodeView& view, const PlanView& plan)
{
    view.resize(600, 400);
    view.setPlan(plan);
    view.setPages(pagesOf(plan));
    view.show();
}

} // namespace

class TestCodeTurns : public QObject
{
    Q_OBJECT

private slots:
    void aLargePageEndsAsAtOnce();
    void fewLongLinesComeInTurnsToo();
    void nothingIsLeftForTheEditorToWrap();
};

void TestCodeTurns::aLargePageEndsAsAtOnce()
{
    const PlanView before = sample::plan(1000, 2);
    auto partition = std::make_shared<Partition>(*before.partition);
    for (std::size_t node = 3500; node < 4002; ++node)
        partition->stageOf[NodeId(node)] = StageId(1);
    const PlanView after = sample::withPartition(before, partition);
    Selection selection;
    CodeView view(&selection);
    show(view, before);
    view.setBaseline();
    const QStringList first = linesOf(*editorOf(view));
    QVERIFY(first.size() > 3000);
    view.setPlan(after);
    view.setPages(pagesOf(after));
    QCOMPARE(linesOf(*editorOf(view)), first); // nothing is waited for

    CodeView atOnce(&selection);
    show(atOnce, before);
    atOnce.setBaseline();
    atOnce.showStage(StageId(1)); // a page of another stage comes at once
    atOnce.setPlan(after);
    atOnce.setPages(pagesOf(after));
    atOnce.showStage(StageId(0));
    const QStringList last = linesOf(*editorOf(atOnce));
    QVERIFY(last != first);
    QTRY_COMPARE(linesOf(*editorOf(view)), last);
}

// A line of the file may be five in a narrow panel.
void TestCodeTurns::fewLongLinesComeInTurnsToo()
{
    const PlanView plan = sample::plan(60, 2);
    const auto pagesWith = [&plan](const std::string& comment) {
        std::vector<StagePage> pages = pagesOf(plan);
        StageCode code = *pages[0].code;
        std::string text;
        for (const char c : code.text)
            text += c == '\n' ? comment + c : std::string(1, c);
        code.text = text;
        pages[0].code = std::make_shared<const StageCode>(code);
        return pages;
    };
    const std::string words =
        "  # long words of a comment that goes on and on and on, and on, and even further on";
    Selection selection;
    CodeView view(&selection);
    show(view, plan);
    view.setPages(pagesWith(words));
    QVERIFY(pagesWith(words)[0].code->nodesOfLine.size() < 400);
    const QStringList before = linesOf(*editorOf(view));
    view.setPages(pagesWith(words + "!"));
    QCOMPARE(linesOf(*editorOf(view)), before);
    QTRY_VERIFY(editorOf(view)->text().contains("further on!"));
}

// It lays out each line of 20,000 then, a hundred in a turn that takes longer than a frame.
void TestCodeTurns::nothingIsLeftForTheEditorToWrap()
{
    Selection selection;
    CodeView view(&selection);
    show(view, sample::plan(8, 2));
    QsciScintilla* editor = editorOf(view);
    for (const int width : {600, 400, 330}) { // of the last, names are as long as lines
        view.resize(width, 300);
        const auto fits = [editor] {
            const int letter = editor->fontMetrics().horizontalAdvance('8');
            const auto isLong = [&](const QString& line) {
                return line.size() * letter > editor->viewport()->width();
            };
            return !std::ranges::any_of(editor->text().split('\n'), isLong);
        };
        QTRY_VERIFY(fits());
        QCOMPARE(editor->wrapMode(), QsciScintilla::WrapNone);
    }
}

QTEST_MAIN(TestCodeTurns)
#include "tst_code_turns.moc"
