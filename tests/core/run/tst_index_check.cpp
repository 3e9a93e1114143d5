// Numbers that kernels take for places in memory, from files or reckoned from data: an error, never a signal.
#include "program_run.h"

#include "core/base/available_memory.h"

#include <QtTest>

#include <cmath>

using namespace stagecraft;

namespace {

// One call, whose argument `%a...` is the array of that number, with numbers that it can be called with.
struct Call
{
    const char* name;
    const char* call; // "%y : f32[4] = ..."
    std::vector<NamedArray> arrays;
    std::size_t places; // the array that holds them
};

NamedArray ones(std::vector<std::int64_t> shape)
{
    std::size_t count = 1;
    for (const std::int64_t size : shape)
        count *= static_cast<std::size_t>(size);
    return arrayOf("f32", std::move(shape), std::vector<double>(count, -1.0));
}

NamedArray places(std::vector<std::int64_t> shape, std::vector<double> numbers)
{
    return arrayOf("i64", std::move(shape), std::move(numbers));
}

const std::vector<Call> calls{
    {"embedding, backward",
     "%y : f32[4, 3] = aten::embedding_dense_backward.default(grad_output %a0, indices %a1, num_weights 4, "
     "padding_idx -1, scale_grad_by_freq true)",
     {ones({4, 3}), places({4}, {0, 3, 1, 0})},
     1},
    {"offsets of bags",
     "%y : f32[2, 3], %b : i64[4], %c : i64[2], %d : i64[2] = aten::embedding_bag.default(weight %a0, "
     "indices %a1, "
     "offsets %a2)",
     {ones({4, 3}), places({4}, {0, 3, 1, 0}), places({2}, {0, 4})},
     2},
    {"bags, backward",
     "%y : f32[4, 3] = aten::_embedding_bag_dense_backward.default(grad %a0, indices %a1, offset2bag %a2, "
     "bag_size "
     "%a3, maximum_indices %a4, num_weights 4, scale_grad_by_freq false, mode 0, per_sample_weights none)",
     {ones({2, 3}), places({4}, {0, 3, 1, 0}), places({4}, {0, 0, 1, 1}), places({2}, {2, 2}),
      places({2}, {0, 0})},
     1},
    {"bags, backward, of which bag",
     "%y : f32[4, 3] = aten::_embedding_bag_dense_backward.default(grad %a0, indices %a1, offset2bag %a2, "
     "bag_size "
     "%a3, maximum_indices %a4, num_weights 4, scale_grad_by_freq false, mode 0, per_sample_weights none)",
     {ones({2, 3}), places({4}, {0, 3, 1, 0}), places({4}, {0, 0, 1, 1}), places({2}, {2, 2}),
      places({2}, {0, 0})},
     2},
    {"nll_loss, backward",
     "%y : f32[4, 3] = aten::nll_loss_backward.default(grad_output %a0, self %a1, target %a2, weight none, "
     "reduction "
     "0, ignore_index -100, total_weight %a3)",
     {ones({4}), ones({4, 3}), places({4}, {0, 2, -100, 1}), ones({})},
     2},
    {"max_pool2d, backward",
     "%y : f32[1, 1, 4, 4] = aten::max_pool2d_with_indices_backward.default(grad_output %a0, self %a1, "
     "kernel_size "
     "[2, 2], stride [2, 2], padding [0, 0], dilation [1, 1], ceil_mode false, indices %a2)",
     {ones({1, 1, 2, 2}), ones({1, 1, 4, 4}), places({1, 1, 2, 2}, {0, 15, 9, 11})},
     2},
    {"max_pool3d, backward",
     "%y : f32[1, 1, 2, 4, 4] = aten::max_pool3d_with_indices_backward.default(grad_output %a0, self %a1, "
     "kernel_size [2, 2, 2], stride [2, 2, 2], padding [0, 0, 0], dilation [1, 1, 1], ceil_mode false, "
     "indices %a2)",
     {ones({1, 1, 1, 2, 2}), ones({1, 1, 2, 4, 4}), places({1, 1, 1, 2, 2}, {0, 31, 9, 11})},
     2},
    {"adaptive_max_pool2d, backward",
     "%y : f32[1, 1, 4, 4] = aten::adaptive_max_pool2d_backward.default(grad_output %a0, self %a1, indices "
     "%a2)",
     {ones({1, 1, 2, 2}), ones({1, 1, 4, 4}), places({1, 1, 2, 2}, {0, 15, 9, 11})},
     2},
    {"labels of ctc_loss",
     "%y : f32[1], %b : f32[1, 5, 5] = aten::_ctc_loss.Tensor(log_probs %a0, targets %a1, input_lengths %a2, "
     "target_lengths %a3)",
     {ones({5, 1, 4}), places({1, 3}, {1, 3, -1}), places({1}, {5}), places({1}, {2})},
     1},
    {"steps of a packed sequence",
     "%y : f32[3, 2, 2], %b : i64[2] = aten::_pad_packed_sequence.default(data %a0, batch_sizes %a1, "
     "batch_first "
     "false, padding_value 0.0, total_length 3)",
     {ones({4, 2}), places({3}, {2, 1, 1})},
     1},
    {"lengths of segments",
     "%y : f32[2] = aten::segment_reduce.default(data %a0, reduce \"sum\", lengths=%a1, unsafe=true)",
     {ones({4}), places({2}, {1, 3})},
     1},
    {"offsets of segments",
     "%y : f32[2] = aten::segment_reduce.default(data %a0, reduce \"sum\", offsets=%a1)",
     {ones({4}), places({3}, {0, 1, 4})},
     1},
};

QString outcome(const Call& call, const std::vector<NamedArray>& arrays)
{
    std::string text = "graph test\n";
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        text += "  input %a" + std::to_string(i) + " : " + arrays[i].dtype + '[';
        for (std::size_t d = 0; d < arrays[i].shape.size(); ++d)
            text += (d ? ", " : "") + std::to_string(arrays[i].shape[d]);
        text += "]\n";
    }
    const Result<GraphRun> run = runGraphText(text + "  " + call.call + "\n  return %y\n", arrays);
    return run.has_value() ? "ok" : QString::fromStdString(run.error().message);
}

} // namespace

class TestIndexCheck : public QObject
{
    Q_OBJECT

private slots:
    void placesOutsideAreRefused_data()
    {
        QTest::addColumn<std::size_t>("number");
        for (std::size_t i = 0; i < calls.size(); ++i)
            QTest::newRow(calls[i].name) << i;
    }
    void placesOutsideAreRefused()
    {
        QFETCH(std::size_t, number);
        const Call& call = calls[number];
        QCOMPARE(outcome(call, call.arrays), "ok");
        for (const double wrong :
             {-2.0, 40.0, 1e6, std::ldexp(1, 40), -std::ldexp(1, 40), std::ldexp(1, 62)}) {
            std::vector<NamedArray> arrays = call.arrays;
            NamedArray& spoilt = arrays[call.places];
            std::vector<double> numbers = spoilt.numbers;
            numbers[1] = wrong;
            spoilt = arrayOf("i64", spoilt.shape, numbers);
            const QString message = outcome(call, arrays);
            QVERIFY2(message.startsWith("node 'y'") && message.contains(" holds "),
                     qPrintable(QString::number(wrong) + ": " + message));
        }
    }

    // The system would promise it, and end the program once it is used.
    void memoryThatIsNotThereIsRefused()
    {
        const std::int64_t available = availableMemory().count();
        if (available > std::int64_t{1} << 45)
            QSKIP("the machine does not say how much memory it has");
        const std::string size = std::to_string(available / 4 + (std::int64_t{64} << 20));
        const Result<GraphRun> run =
            runGraphText("graph test\n  %y : f32[" + size + "] = aten::empty.memory_format(size [" + size +
                             "])\n  return\n",
                         {});
        QVERIFY(!run.has_value());
        const QString message = QString::fromStdString(run.error().message);
        QVERIFY2(message.startsWith("node 'y'") && message.contains("of memory in one piece"),
                 qPrintable(message));
    }
};

QTEST_GUILESS_MAIN(TestIndexCheck)
#include "tst_index_check.moc"
