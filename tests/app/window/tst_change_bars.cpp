// The bars beside the code mark what the last step of the history changed.
#include "views/code/code_editor.h"
#include "window_fixture.h"

using namespace stagecraft;

namespace {

const CodeEditor* editorOf(const WindowFixture& f)
{
    return f.window->views().code->findChild<CodeEditor*>();
}

int markedLines(const WindowFixture& f)
{
    constexpr unsigned changed = 1U << 3; // the editor's marker of lines that differ
    const CodeEditor* editor = editorOf(f);
    int marked = 0;
    for (int line = 0; line < editor->lines(); ++line)
        marked += (editor->markersAtLine(line) & changed) != 0 ? 1 : 0;
    return marked;
}

} // namespace

class TestChangeBars : public QObject
{
    Q_OBJECT

private slots:
    // However many plans there were on the way to the first.
    void whatAModelOpensWithIsNoChange()
    {
        const WindowFixture f;
        PlanRequest request = f.document().request();
        request.plan.stageCount = 3;
        f.document().setRequest(request);
        QVERIFY(f.open(tinyModel));
        QVERIFY(editorOf(f)->lines() > 10);
        QCOMPARE(markedLines(f), 0);
    }

    void aStepAndItsUndoingAreChanges()
    {
        const WindowFixture f;
        f.window->views().code->setShortLines(false); // text that is the same in any room
        QVERIFY(f.open(tinyModel));
        const QString opened = editorOf(f)->text();
        f.document().moveBoundary(BoundaryId(0), StageDirection::Previous, BoundaryStep::OnePlace);
        QVERIFY(f.settle());
        QTRY_VERIFY(editorOf(f)->text() != opened);
        QVERIFY(markedLines(f) > 0);
        f.document().undoStack().undo();
        QVERIFY(f.settle());
        QTRY_COMPARE(editorOf(f)->text(), opened);
        QVERIFY(markedLines(f) > 0);
    }

    void aDragIsMarkedFromItsStart()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        const std::size_t from = f.boundary(0);
        const std::vector<std::size_t> places = f.document().legalPositions(BoundaryId(0));
        const auto other = std::ranges::find_if(places, [&](std::size_t place) { return place != from; });
        QVERIFY(other != places.end());
        f.document().drag(BoundaryId(0), *other);
        f.document().drop(BoundaryId(0), *other);
        QVERIFY(f.settle());
        QTRY_VERIFY(markedLines(f) > 0);
    }
};

QTEST_MAIN(TestChangeBars)
#include "tst_change_bars.moc"
