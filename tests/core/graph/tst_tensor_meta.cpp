#include "core/graph/tensor_meta.h"

#include <QtTest>

using namespace stagecraft;

class TestTensorMeta : public QObject
{
    Q_OBJECT

private slots:
    void laysOutRowMajor()
    {
        const SymInt batch = SymInt::symbol("s0");
        const TensorMeta meta = contiguousMeta(DType::BF16, {batch, 3, batch});
        QCOMPARE(meta.strides[0].text(), std::string("3*s0"));
        QCOMPARE(meta.strides[1].text(), std::string("s0"));
        QCOMPARE(meta.strides[2], SymInt(1));
        QCOMPARE(metaText(meta), std::string("bf16[s0, 3, s0]"));
        // torch.empty(2, 0, 4).stride() == (4, 4, 1)
        QCOMPARE(contiguousMeta(DType::F32, {2, 0, 4}).strides, (std::vector<SymInt>{4, 4, 1}));
    }

    void countsElementsAndBytes()
    {
        const TensorMeta meta = contiguousMeta(DType::F32, {SymInt::symbol("s0"), 64});
        QCOMPARE(*elementCount(meta, {{"s0", 10'000'000'000}}), 640'000'000'000);
        QCOMPARE(byteSize(meta, {{"s0", 8}})->count(), 2048);
        QCOMPARE(elementCount(contiguousMeta(DType::F32, {}), {}).value(), 1);
        QCOMPARE(elementCount(contiguousMeta(DType::F32, {0, INT64_MAX, INT64_MAX}), {}).value(), 0);
    }

    void refusesSizesThatCannotBe()
    {
        const auto message = [](const Result<std::int64_t>& count) {
            return count.has_value() ? std::string("ok") : count.error().message;
        };
        QCOMPARE(message(elementCount(contiguousMeta(DType::F32, {-1}), {})),
                 std::string("a tensor cannot have the size -1"));
        TensorMeta large{.sizes = {INT64_MAX, 2}, .strides = {2, 1}};
        QCOMPARE(message(elementCount(large, {})),
                 std::string("the tensor f32[9223372036854775807, 2] has more than 2^63 elements"));
    }
};

QTEST_GUILESS_MAIN(TestTensorMeta)
#include "tst_tensor_meta.moc"
