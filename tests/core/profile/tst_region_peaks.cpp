// What checkpoint regions hold at a time, in traces of a few operators.
#include "core/profile/memory/region_peaks.h"

#include <QTest>

using namespace stagecraft;

namespace {

// Node 1 is a region; node 0 stands before it.
class Step
{
public:
    Step() { m_trace.checkpointRuns = Table<NodeId, std::uint32_t>(std::vector<std::uint32_t>{0, 1}); }

    void run(std::size_t node, Phase phase, int live, bool isRecomputed = false)
    {
        m_trace.ops.add({.name = OpNameId(0),
                         .phase = phase,
                         .isRecomputed = isRecomputed,
                         .node = NodeId(node),
                         .live = Bytes(live)});
    }
    // From its birth to when so many operators have run.
    void holds(int bytes, std::size_t birth, std::uint32_t death,
               StorageClass storageClass = StorageClass::Activation)
    {
        m_trace.storages.add(
            {.storageClass = storageClass, .bytes = Bytes(bytes), .birth = OpId(birth), .death = death});
    }
    std::int64_t peak() const { return regionPeaks(m_trace)[NodeId(1)].count(); }

private:
    Trace m_trace;
};

} // namespace

class TestRegionPeaks : public QObject
{
    Q_OBJECT

private slots:
    void isAboveWhatWasAliveBefore();
    void isAboveWhatIsLetGoBeforeIt();
    void gradientsOfParametersStay();
    void isNothingWhereNothingRunsAgain();
};

void TestRegionPeaks::isAboveWhatWasAliveBefore()
{
    Step step;
    step.run(0, Phase::Forward, 100);
    step.run(1, Phase::Forward, 130);
    step.run(1, Phase::Backward, 150, true);
    step.run(1, Phase::Backward, 190);
    step.holds(100, 0, 4);
    QCOMPARE(step.peak(), 60); // 190 above the 130 before its second run
}

// What the operator before reads for the last time has been counted with that operator, and is gone.
void TestRegionPeaks::isAboveWhatIsLetGoBeforeIt()
{
    Step step;
    step.run(0, Phase::Forward, 100);
    step.run(1, Phase::Forward, 50);
    step.run(0, Phase::Backward, 70);
    step.run(1, Phase::Backward, 65, true);
    step.run(1, Phase::Backward, 50);
    step.holds(80, 0, 1);
    step.holds(30, 1, 5);
    step.holds(40, 2, 3);
    QCOMPARE(step.peak(), 35); // 65 above 70 - 40; forward 50 above 100 - 80
}

void TestRegionPeaks::gradientsOfParametersStay()
{
    Step step;
    step.run(0, Phase::Forward, 10);
    step.run(1, Phase::Forward, 10);
    step.run(1, Phase::Backward, 20, true);
    step.run(1, Phase::Backward, 60);
    step.run(1, Phase::Backward, 65);
    step.holds(40, 3, 5, StorageClass::ParameterGradient);
    QCOMPARE(step.peak(), 50); // until it is added to that of the microbatches before
}

void TestRegionPeaks::isNothingWhereNothingRunsAgain()
{
    Step step;
    step.run(0, Phase::Forward, 10);
    step.run(1, Phase::Forward, 90);
    step.run(1, Phase::Backward, 90);
    QCOMPARE(step.peak(), 0);
}

QTEST_GUILESS_MAIN(TestRegionPeaks)
#include "tst_region_peaks.moc"
