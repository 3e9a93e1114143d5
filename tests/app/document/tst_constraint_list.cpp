#include "app/document/constraint_list.h"

#include "app/document/constraint_steps.h"
#include "app/document/plan_constraints.h"
#include "tests/app/document/document_fixture.h"

using namespace stagecraft;

using Kind = ConstraintInForce::Kind;

class TestConstraintList : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_document = openedDocument(); }

    void eachIsListedOnce()
    {
        QVERIFY(list().empty());
        constrain();
        const auto constraints = list();
        QCOMPARE(count(constraints, Kind::Lock), 1);
        QCOMPARE(count(constraints, Kind::Pin), 1);
        QCOMPARE(count(constraints, Kind::Group), 1);
        QCOMPARE(count(constraints, Kind::NeverCut), 1);
        QCOMPARE(count(constraints, Kind::Limit), 1);
        QCOMPARE(constraints.front().stage, StageId(1));
        QCOMPARE(constraints.back().limits, std::vector{Bytes(std::int64_t{30} << 30)});
    }

    void eachIsDeletedByItself_data()
    {
        QTest::addColumn<int>("kind");
        for (const Kind kind : {Kind::Lock, Kind::Pin, Kind::Group, Kind::NeverCut, Kind::Limit})
            QTest::addRow("%d", static_cast<int>(kind)) << static_cast<int>(kind);
    }
    void eachIsDeletedByItself()
    {
        QFETCH(int, kind);
        constrain();
        const auto before = list();
        std::vector<ConstraintInForce> gone;
        std::vector<ConstraintInForce> rest;
        for (const ConstraintInForce& constraint : before)
            (constraint.kind == static_cast<Kind>(kind) ? gone : rest).push_back(constraint);
        const auto free =
            underConstraints(*m_document->model(), withoutThese(m_document->state(), gone), Seconds(1));
        QVERIFY2(free.has_value(), free.has_value() ? "" : free.error().message.c_str());
        QVERIFY(constraintsInForce(m_document->model()->graph, *free) == rest);
        QVERIFY(*free->partition == *m_document->state().partition);
    }

    void withoutAllOfThemNothingHolds()
    {
        const PlanRequest before = m_document->request();
        constrain();
        const PlanState free = withoutThese(m_document->state(), list());
        QVERIFY(free.request == before);
        QVERIFY(free.locks.empty());
    }

    // Neighbouring boundaries are held by pins that both need.
    void aLockThatIsDeletedLeavesItsNeighbours()
    {
        toggleLock(*m_document, BoundaryId(0));
        toggleLock(*m_document, BoundaryId(1));
        auto constraints = list();
        QCOMPARE(count(constraints, Kind::Lock), 2);
        const ConstraintInForce second = constraints.back();
        const PlanState free = withoutThese(m_document->state(), std::span(constraints).first(1));
        const auto rest = constraintsInForce(m_document->model()->graph, free);
        QCOMPARE(rest.size(), std::size_t{1});
        QVERIFY(rest.front() == second);
    }

private:
    std::vector<ConstraintInForce> list() const
    {
        return constraintsInForce(m_document->model()->graph, m_document->state());
    }
    static qsizetype count(const std::vector<ConstraintInForce>& constraints, Kind kind)
    {
        return std::ranges::count(constraints, kind, &ConstraintInForce::kind);
    }
    void constrain() const
    {
        PlanRequest request = m_document->request();
        request.plan.memoryLimits = {Bytes(std::int64_t{30} << 30)};
        m_document->setRequest(request);
        const StageOrder order = stageOrder(*m_document->state().partition);
        const std::vector<NodeId>& nodes = order.nodes;
        toggleLock(*m_document, BoundaryId(1));
        togglePins(*m_document, {nodes.back()});
        keepTogether(*m_document, {nodes[nodes.size() - 4], nodes[nodes.size() - 3]});
        toggleResultsKept(*m_document, {nodes[nodes.size() - 4]});
    }

    std::unique_ptr<Document> m_document;
};

QTEST_MAIN(TestConstraintList)
#include "tst_constraint_list.moc"
