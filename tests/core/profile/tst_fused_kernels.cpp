// Which operators a compiled step runs in one kernel. Counts that are said to be Inductor's are
// torch._inductor.metrics.generated_kernel_count of PyTorch 2.13, on a CPU.
#include "core/load/model.h"
#include "core/profile/cost/fused_kernels.h"
#include "core/profile/model/profile_model.h"
#include "core/trace/trace_model.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace stagecraft;

namespace {

Model modelOf(const std::string& lines)
{
    Result<Graph> graph = parseGraph("graph g\n" + lines);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return {.name = "g", .graph = std::move(graph).value()};
}

ProfileOptions optionsFor(TrainingMode mode, LoweringKind lowering)
{
    ProfileOptions options;
    options.mode = mode;
    options.lowering = lowering;
    options.lossOutput = "all";
    options.device =
        *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / "a100-sxm-80gb.json");
    return options;
}

struct Kernels
{
    std::size_t forward = 0;
    std::size_t backward = 0;
    Bytes moved; // by all that are made
};

Kernels kernelsOf(const std::string& lines, TrainingMode mode = TrainingMode::Infer)
{
    const ProfileOptions options = optionsFor(mode, LoweringKind::Compiled);
    const Result<Trace> trace = traceModel(modelOf(lines), traceOptions(options));
    if (!trace.has_value())
        qFatal("%s", trace.error().message.c_str());
    std::set<OpId> forward, backward;
    Kernels found;
    const Table<OpId, FusedOp> fused = fusedKernels(*trace, options.device);
    for (const OpId op : fused.ids())
        if (fused[op].fused && trace->ops[op].node) {
            (trace->ops[op].phase == Phase::Forward ? forward : backward).insert(fused[op].kernel);
            found.moved += fused[op].traffic.total();
        }
    found.forward = forward.size();
    found.backward = backward.size();
    return found;
}

constexpr std::int64_t tensor = 64 * 32 * 4; // bytes

const std::string inputs = "  input %x : f32[64, 32]\n  param %w \"w\" : f32[64, 32]\n"
                           "  param %v \"v\" : f32[32, 32]\n";

const std::string chain = inputs + "  %a : f32[64, 32] = aten::mul.Tensor(%x, %w)\n"
                                   "  %b : f32[64, 32] = aten::gelu.default(%a)\n"
                                   "  %c : f32[64, 32] = aten::mul.Tensor(%b, %w)\n"
                                   "  return %c\n";

} // namespace

class TestFusedKernels : public QObject
{
    Q_OBJECT

private slots:
    void chainsAreOneKernel()
    {
        const Kernels kernels = kernelsOf(chain);
        QCOMPARE(kernels.forward, std::size_t(1));  // Inductor: 1
        QCOMPARE(kernels.moved, Bytes(3 * tensor)); // x, w once, c
    }

    // Both halves of a storage are read.
    void partsOfAStorageAreReadEach()
    {
        const Kernels kernels = kernelsOf(inputs + "  %a : f32[32, 32] = aten::slice.Tensor(%x, 0, 0, 32)\n"
                                                   "  %b : f32[32, 32] = aten::slice.Tensor(%x, 0, 32, 64)\n"
                                                   "  %c : f32[32, 32] = aten::silu.default(%a)\n"
                                                   "  %d : f32[32, 32] = aten::mul.Tensor(%c, %b)\n"
                                                   "  return %d\n");
        QCOMPARE(kernels.forward, std::size_t(1));
        QCOMPARE(kernels.moved, Bytes(tensor / 2 * 3)); // two halves, d
    }

    // One for each pass (Inductor: 1 and 1). What the backward pass reads of the forward one is written.
    void passesAreCompiledApart()
    {
        const Kernels kernels = kernelsOf(chain, TrainingMode::Train);
        QCOMPARE(kernels.forward, std::size_t(1));
        QCOMPARE(kernels.backward, std::size_t(1));
        QVERIFY(kernels.moved > Bytes(2 * 3 * tensor));
    }

    void aProductStandsBetween()
    {
        const Kernels kernels = kernelsOf(inputs + "  %a : f32[64, 32] = aten::relu.default(%x)\n"
                                                   "  %b : f32[64, 32] = aten::mm.default(%a, %v)\n"
                                                   "  %c : f32[64, 32] = aten::relu.default(%b)\n"
                                                   "  return %c\n");
        QCOMPARE(kernels.forward, std::size_t(2)); // Inductor: 2
        QCOMPARE(kernels.moved, Bytes(4 * tensor));
    }

    // The sum reads what comes before and after the product: it cannot be in the kernel of the first.
    void noKernelWaitsForItself()
    {
        const Kernels kernels = kernelsOf(inputs + "  %a : f32[64, 32] = aten::relu.default(%x)\n"
                                                   "  %b : f32[64, 32] = aten::mm.default(%a, %v)\n"
                                                   "  %c : f32[64, 32] = aten::mul.Tensor(%a, %b)\n"
                                                   "  return %c\n");
        QCOMPARE(kernels.forward, std::size_t(2));
        QCOMPARE(kernels.moved, Bytes(5 * tensor)); // x, a; a, b, c
    }

    void otherSizesAreOtherKernels()
    {
        const Kernels kernels = kernelsOf(inputs + "  %a : f32[64, 32] = aten::relu.default(%x)\n"
                                                   "  %b : f32[32] = aten::sum.dim_IntList(%a, [0])\n"
                                                   "  %c : f32[32] = aten::relu.default(%b)\n"
                                                   "  return %c\n");
        QCOMPARE(kernels.forward,
                 std::size_t(2)); // a sum takes what makes it, not what follows in another size
    }

    void aProfileSaysThatItIsRough()
    {
        const Model model = modelOf(chain);
        const auto profiled = [&](LoweringKind lowering) {
            ProfileOptions options = optionsFor(TrainingMode::Train, lowering);
            options.device = // which was checked for models of any sort
                *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / "h100-sxm.json");
            Result<Profile> profile = profileModel(model, options);
            if (!profile.has_value())
                qFatal("%s", profile.error().message.c_str());
            return std::move(profile).value();
        };
        const Profile eager = profiled(LoweringKind::Device), compiled = profiled(LoweringKind::Compiled);
        QVERIFY(compiled.totals.timeForward < eager.totals.timeForward);
        QVERIFY(compiled.totals.timeBackward < eager.totals.timeBackward);
        QCOMPARE(compiled.totals.timeOptimizer, eager.totals.timeOptimizer);
        QCOMPARE(compiled.totals.peakWithModel, eager.totals.peakWithModel);
        QVERIFY(!eager.options.device.accuracy.empty());
        QVERIFY(compiled.options.device.accuracy.empty()); // "not checked against measurements"
        QVERIFY(std::ranges::any_of(compiled.notes,
                                    [](const std::string& note) { return note.starts_with("rough:"); }));
    }
};

QTEST_GUILESS_MAIN(TestFusedKernels)
#include "tst_fused_kernels.moc"
