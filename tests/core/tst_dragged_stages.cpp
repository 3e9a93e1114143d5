// Stages while a boundary is dragged: cut and written with what was known of the model when the drag began,
// they are what they are when all of it is asked anew.
#include "core/plan/editing.h"
#include "core/search/improve/even_split.h"
#include "core/stage/code_facts.h"
#include "core/stage/cut.h"
#include "core/stage/python_code.h"
#include "tests/core/recomputed_plans.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

class TestDraggedStages : public QObject
{
    Q_OBJECT

private slots:
    void stagesAreThoseCutAndWrittenAnew_data();
    void stagesAreThoseCutAndWrittenAnew();

private:
    static void compare(const Model& model, const Partition& moved, const CutFacts& cut,
                        const CodeFacts& code);
};

void TestDraggedStages::stagesAreThoseCutAndWrittenAnew_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<RecomputeKind>("kind");
    for (const char* const name : {"gpt2", "llama", "mobilenet", "t5"})
        for (const RecomputeKind kind : {RecomputeKind::None, RecomputeKind::Full})
            QTest::addRow("%s, %s", name, kind == RecomputeKind::None ? "nothing again" : "blocks again")
                << QString("%1-tiny.pt2").arg(name) << kind;
}

void TestDraggedStages::compare(const Model& model, const Partition& moved, const CutFacts& cut,
                                const CodeFacts& code)
{
    const auto dragged = cutStages(model, moved, cut);
    const auto anew = cutStages(model, moved);
    QCOMPARE(dragged.has_value(), anew.has_value());
    if (!anew.has_value()) {
        QCOMPARE(dragged.error().message, anew.error().message);
        return;
    }
    QVERIFY(*dragged == *anew);
    for (const StageProgram& program : *anew) {
        const StageCode shown = stageCode(model, program, RepeatedCode::Once, {}, &code);
        const StageCode written = stageCode(model, program);
        QCOMPARE(QString::fromStdString(shown.text), QString::fromStdString(written.text));
        QVERIFY(shown.nodesOfLine == written.nodesOfLine);
        QVERIFY(shown.valuesOfLine == written.valuesOfLine);
        QVERIFY(shown.refusals == written.refusals);
    }
}

void TestDraggedStages::stagesAreThoseCutAndWrittenAnew()
{
    QFETCH(QString, file);
    QFETCH(RecomputeKind, kind);
    const RecomputedProblem of =
        recomputedProblem(modelOf(file), optionsFor(kind, 3), profiled, nullptr).value();
    const Partition even = evenSplit(of.problem).value();
    const CutFacts cut = cutFacts(*of.model);
    const CodeFacts code = codeFacts(*of.model);
    int count = 0;
    for (const BoundaryId boundary : {BoundaryId(0), BoundaryId(1)})
        for (const std::size_t place : legalPositions(of.problem, even, boundary)) {
            if (place % 7 != 0)
                continue;
            compare(*of.model, moveBoundary(of.problem, even, boundary, place).value().partition, cut, code);
            if (QTest::currentTestFailed())
                return;
            ++count;
        }
    QVERIFY(count > 5);
}

QTEST_GUILESS_MAIN(TestDraggedStages)
#include "tst_dragged_stages.moc"
