// The trace's bytes against those that a real step on the CPU takes from LibTorch's allocator.
//
// Live bytes are equal. The peak is equal where no operator takes memory inside; those that do are listed
// here: a convolution takes scratch that depends on the CPU's instructions, and a matrix product copies a
// gradient that is one number expanded (loss `sum`).
#include "core/profile/cpu_step.h"
#include "core/profile/oracle.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

class TestCpuMemory : public QObject
{
    Q_OBJECT

private slots:
    void predictionEqualsTheRun_data();
    void predictionEqualsTheRun();
};

namespace {

constexpr const char* scratchOps[] = {"aten::convolution", "aten::convolution_backward"};

bool takesScratch(const Trace& trace, LossKind loss)
{
    return loss == LossKind::Sum || std::ranges::any_of(trace.ops, [&](const TraceOp& op) {
               return std::ranges::find(scratchOps, trace.opNames[op.name].name) != std::end(scratchOps);
           });
}

// Storages of 8 bytes are not counted in the run.
Bytes liveWithoutNumbers(const Trace& trace, std::uint32_t afterOps)
{
    Bytes live;
    for (const TraceStorage& storage : trace.storages)
        if (storage.birth && storage.birth->index() < afterOps && storage.bytes != Bytes(8) &&
            (!storage.death || *storage.death >= afterOps))
            live += storage.bytes;
    return live;
}

// Of all storages of 8 bytes those that outlive the forward pass.
Bytes numbersAfterForward(const Trace& trace)
{
    Bytes live;
    for (const TraceStorage& storage : trace.storages)
        if (storage.birth && storage.birth->index() < trace.forwardEnd && storage.bytes == Bytes(8) &&
            (!storage.death || *storage.death > trace.forwardEnd))
            live += storage.bytes;
    return live;
}

} // namespace

void TestCpuMemory::predictionEqualsTheRun_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("loss");
    for (const char* file : {"models/tiny/gpt2-tiny", "models/tiny/llama-tiny", "models/tiny/mobilenet-tiny",
                             "models/tiny/t5-tiny", "oracle/models/gpt-4x128",
                             "oracle/models/gpt-4x128-plain-attention", "oracle/models/mlp-attention"})
        for (const LossKind loss : {LossKind::Sum, LossKind::SquareSum})
            QTest::addRow("%s %s", file, loss == LossKind::Sum ? "sum" : "square sum")
                << QString(file) << static_cast<int>(loss);
}

void TestCpuMemory::predictionEqualsTheRun()
{
    QFETCH(QString, file);
    QFETCH(int, loss);
    const auto kind = static_cast<LossKind>(loss);
    const auto opened = openModel((QString(STAGECRAFT_TEST_DATA "/") + file + ".pt2").toStdString());
    QVERIFY2(opened.has_value(), opened.has_value() ? "" : opened.error().message.c_str());
    TraceOptions options = traceOptions(plainOptions(LoweringKind::Device));
    options.loss = kind;
    const auto trace = traceModel(*opened, options);
    QVERIFY2(trace.has_value(), trace.has_value() ? "" : trace.error().message.c_str());
    const auto step = runCpuStep(*opened, kind);
    QVERIFY2(step.has_value(), step.has_value() ? "" : step.error().message.c_str());

    QCOMPARE(step->liveAfterForward.count(), (trace->liveAfterForward - numbersAfterForward(*trace)).count());
    QCOMPARE(step->liveAtEndOutputsDropped.count(), trace->liveAtEndOutputsDropped.count());
    QCOMPARE(step->liveAtEnd.count(), trace->liveAtEnd.count());

    Bytes peak;
    for (std::uint32_t i = 0; i < trace->ops.size(); ++i)
        peak = std::max(peak, liveWithoutNumbers(*trace, i + 1));
    const Bytes real = std::max(step->peakForward, step->peakBackward);
    if (!takesScratch(*trace, kind)) {
        QCOMPARE(real.count(), peak.count());
        return;
    }
    QVERIFY2(real >= peak, qPrintable(QString("%1 < %2").arg(real.count()).arg(peak.count())));
    QVERIFY2(real.asDouble() <= 1.15 * peak.asDouble(),
             qPrintable(QString("%1 > %2 + 15%").arg(real.count()).arg(peak.count())));
}

QTEST_GUILESS_MAIN(TestCpuMemory)
#include "tst_cpu_memory.moc"
