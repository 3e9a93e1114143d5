// The trace's bytes against those that a real step on the CPU takes from LibTorch's allocator.
//
// Live bytes are equal, and so is the peak over the moments between operators. What operators take inside is
// no part of either; those that take something are listed here, each with its reason.
#include "core/load/open_model.h"
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

// Why an operator takes memory for a moment. How much depends on the CPU's instructions.
const std::map<std::string, const char*>& scratchReasons()
{
    static const std::map<std::string, const char*> reasons{
        {"aten::_scaled_dot_product_flash_attention_for_cpu",
         "scores of a block of queries, for each thread"},
        {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", "the same, and their gradients"},
        {"aten::cumsum", "its input in the type of its result"},
        {"aten::embedding_dense_backward", "a row-major copy of a gradient"},
        {"aten::native_batch_norm", "sums for each channel"},
        {"aten::native_batch_norm_backward", "a row-major copy of a gradient, and sums for each channel"},
        {"aten::native_layer_norm_backward", "sums of the weights' gradients, for each thread"},
        {"aten::mm", "a copy of a gradient that is one number expanded (the loss is a sum)"},
        {"aten::bmm", "a copy of a gradient that is one number expanded (the loss is a sum)"},
        {"aten::convolution", "images and weights reordered into oneDNN's blocks"},
        {"aten::convolution_backward", "images and weights reordered into oneDNN's blocks"}};
    return reasons;
}

std::set<std::string> operatorNames(const Trace& trace)
{
    std::set<std::string> names;
    for (const TraceOp& op : trace.ops)
        names.insert(trace.opNames[op.name].name);
    return names;
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
    const auto step = runCpuStep(*opened, kind, operatorNames(*trace));
    QVERIFY2(step.has_value(), step.has_value() ? "" : step.error().message.c_str());

    QCOMPARE(step->liveAfterForward.count(), (trace->liveAfterForward - numbersAfterForward(*trace)).count());
    QCOMPARE(step->liveAtEndOutputsDropped.count(), trace->liveAtEndOutputsDropped.count());
    QCOMPARE(step->liveAtEnd.count(), trace->liveAtEnd.count());

    Bytes peak;
    for (std::uint32_t i = 0; i < trace->ops.size(); ++i)
        peak = std::max(peak, liveWithoutNumbers(*trace, i + 1));
    QCOMPARE(step->peak.count(), peak.count());
    QString unexplained;
    for (const auto& [name, bytes] : step->scratch)
        if (bytes > Bytes(8) && !scratchReasons().contains(name)) // less: a number as a tensor of its own
            unexplained +=
                QString("\n%1 takes %2 bytes inside").arg(QString::fromStdString(name)).arg(bytes.count());
    QVERIFY2(unexplained.isEmpty(), qPrintable(unexplained));
}

QTEST_GUILESS_MAIN(TestCpuMemory)
#include "tst_cpu_memory.moc"
