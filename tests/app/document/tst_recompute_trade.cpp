#include "app/document/recompute_trade.h"

#include "tests/app/document/document_fixture.h"

#include <QSignalSpy>
#include <QSlider>
#include <QTest>

using namespace stagecraft;

namespace {

bool settle(const Document& document, const RecomputeTrade& trade)
{
    return QTest::qWaitFor([&] { return document.isSettled() && !trade.isRunning(); }, patience);
}

Bytes mostOfAStage(const Document& document)
{
    Bytes most;
    for (const StageCost& stage : document.state().cost->stages)
        most = std::max(most, stage.peakMemory);
    return most;
}

} // namespace

class TestRecomputeTrade : public QObject
{
    Q_OBJECT

private slots:
    void lessMemoryCostsMoreTime()
    {
        const auto document = openedDocument();
        RecomputeTrade trade(*document);
        QVERIFY(!trade.found());
        trade.seek();
        QVERIFY(trade.isRunning() && settle(*document, trade));
        const auto found = trade.found();
        QVERIFY(found);
        const auto& points = found->points;
        QVERIFY(points.size() > 2);
        QCOMPARE(found->plans.size(), points.size());
        QVERIFY(found->plans.back().regions.empty() && points.back().again == 0);
        QVERIFY(points.front().again > 0);
        for (std::size_t i = 1; i < points.size(); ++i) {
            QVERIFY(points[i].memory >= points[i - 1].memory);
            QVERIFY(points[i].again <= points[i - 1].again + 1e-12);
        }
    }

    void aPointIsOneStepAndTheStagesStay()
    {
        const auto document = openedDocument();
        RecomputeTrade trade(*document);
        trade.seek();
        QVERIFY(settle(*document, trade));
        const Bytes before = mostOfAStage(*document);
        const Partition stages = *document->state().partition;
        trade.adopt(0);
        QVERIFY(settle(*document, trade));
        QVERIFY(mostOfAStage(*document) < before);
        QCOMPARE(*document->state().partition, stages);
        QCOMPARE(document->undoStack().count(), 1);
        QVERIFY(document->undoStack().undoText().startsWith("Recompute for "));
        QVERIFY(trade.found()); // what is recomputed now does not matter to it
        document->undoStack().undo();
        QCOMPARE(mostOfAStage(*document), before);
    }

    void otherStagesAreFollowed()
    {
        const auto document = openedDocument();
        RecomputeTrade trade(*document);
        trade.seek();
        QVERIFY(settle(*document, trade));
        const auto before = trade.found();
        document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OnePlace);
        QVERIFY(settle(*document, trade));
        QVERIFY(trade.found() && trade.found() != before);
        QCOMPARE(trade.found()->chooser, before->chooser);
        document->close();
        QVERIFY(!trade.found());
    }

    void theSliderFollowsTheMouseAndTellsAtTheEnd()
    {
        TradeSlider slider;
        QSignalSpy chosen(&slider, &TradeSlider::chosen);
        slider.setState(OnDemandPanel::State::Ready);
        slider.setPoints({{Bytes(1024), Seconds(2e-3), 0.25}, {Bytes(2048), Seconds(1e-3), 0}});
        slider.setCurrent(0, TradeSlider::Match::Nearest);
        QVERIFY(slider.text().startsWith("Another plan than now: 1.00 KiB"));
        slider.setCurrent(1, TradeSlider::Match::Same);
        QVERIFY(slider.text().contains("nothing runs again"));
        auto* handle = slider.findChild<QSlider*>();
        handle->setSliderDown(true);
        handle->setValue(0);
        QVERIFY(slider.text().contains("25 % of all computing runs again"));
        QCOMPARE(chosen.count(), 0);
        handle->setSliderDown(false);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].value<std::size_t>(), std::size_t{0});
        slider.setPoints({});
        QCOMPARE(slider.text(), QString());
    }
};

QTEST_MAIN(TestRecomputeTrade)
#include "tst_recompute_trade.moc"
