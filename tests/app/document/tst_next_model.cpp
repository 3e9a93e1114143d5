// What of the choices that were made for one model holds for the one that is opened next.
#include "document_fixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace stagecraft;

namespace {

const QString otherModel = QStringLiteral(STAGECRAFT_TEST_DATA "/models/tiny/llama-tiny.pt2");

bool opens(Document& document, const QString& model)
{
    QSignalSpy came(&document, &Document::modelChanged);
    document.open(model.toStdString());
    return came.wait(patience) && QTest::qWaitFor([&] { return document.isSettled(); }, patience);
}

template <class Change>
bool asks(Document& document, const Change& change)
{
    PlanRequest request = document.request();
    change(request);
    document.setRequest(request);
    return QTest::qWaitFor([&] { return document.isSettled(); }, patience);
}

qsizetype notesOnLimits(const QSignalSpy& noticed)
{
    return std::ranges::count_if(
        noticed, [](const QList<QVariant>& note) { return note[0].toString().contains("memory limit"); });
}

} // namespace

class TestNextModel : public QObject
{
    Q_OBJECT

private slots:
    void howAPersonTrainsPassesOn()
    {
        const auto document = openedDocument();
        QVERIFY(asks(*document, [](PlanRequest& request) {
            request.device = "h100-sxm";
            request.profile.precision = Precision::BFloat16;
            request.plan.microbatches = 12;
            setSchedule(request.plan, ScheduleKind::GPipe);
            request.plan.recompute = {.kind = RecomputeKind::Auto};
        }));
        const PlanRequest asked = document->request();
        QVERIFY(opens(*document, otherModel));
        const PlanRequest& next = document->request();
        QCOMPARE(next.device, asked.device);
        QVERIFY(next.profile.precision == asked.profile.precision);
        QCOMPARE(next.plan.microbatches, asked.plan.microbatches);
        QVERIFY(next.plan.schedule == asked.plan.schedule);
        QVERIFY(next.plan.recompute.kind == RecomputeKind::Auto);
    }

    void aMemoryLimitStaysWithItsModel()
    {
        const auto document = openedDocument();
        const std::vector<Bytes> limits{Bytes(1 << 20)};
        QVERIFY(asks(*document, [&](PlanRequest& request) { request.plan.memoryLimits = limits; }));
        QVERIFY(opens(*document, tinyModel)); // the file is read again
        QCOMPARE(document->request().plan.memoryLimits, limits);

        QSignalSpy noticed(document.get(), &Document::noticed);
        QVERIFY(opens(*document, otherModel));
        QVERIFY(document->request().plan.memoryLimits.empty());
        QVERIFY(document->state().cost->fits());
        QCOMPARE(notesOnLimits(noticed), 1);
        noticed.clear();
        QVERIFY(opens(*document, tinyModel)); // nothing is left behind this time
        QVERIFY(document->request().plan.memoryLimits.empty());
        QCOMPARE(notesOnLimits(noticed), 0);
    }

    void whatRunsAgainUnaskedDoesNotPassOn()
    {
        const auto document = openedDocument();
        const auto peakUnder = [&](RecomputeKind kind) {
            const bool isThere = asks(*document, [&](PlanRequest& request) {
                request.plan.stageCount = 1;
                request.plan.recompute = {.kind = kind};
            });
            return isThere ? document->state().cost->peakMemory() : Bytes{};
        };
        const Bytes full = peakUnder(RecomputeKind::Full);
        const Bytes none = peakUnder(RecomputeKind::Model);
        QVERIFY(asks(*document, [&](PlanRequest& request) {
            request.plan.memoryLimits = {Bytes((full.count() + none.count()) / 2)};
        }));
        document->splitAutomatically();
        QVERIFY(QTest::qWaitFor([&] { return document->isSettled(); }, patience));
        QVERIFY(document->request().plan.recompute.kind == RecomputeKind::Auto); // so that it fits
        QVERIFY(opens(*document, otherModel));
        QVERIFY(document->request().plan.recompute.kind == RecomputeKind::Model);
    }
};

QTEST_MAIN(TestNextModel)
#include "tst_next_model.moc"
