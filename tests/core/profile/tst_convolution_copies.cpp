// What cuDNN copies images to inside of convolutions: as its kernels in whole models on an H100 show it
// (tests/data/truth), and what of it is in the memory of a device.
#include "core/profile/cost/convolution_copies.h"
#include "tests/core/profile/traced_kernel.h"

using namespace stagecraft;

namespace {

constexpr std::int64_t mib = 1 << 20;

std::string list(std::initializer_list<int> sizes)
{
    std::string text = "[";
    for (const int size : sizes)
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
}

enum class Layout { ChannelsLast, ChannelsFirst };

// Of square images.
struct Case
{
    int images, channels, side, filters, window, stride = 1, groups = 1;
    Layout layout = Layout::ChannelsLast;
    const char* type = "f16";

    int padding() const { return window / 2; }
    int sideOut() const { return (side + 2 * padding() - window) / stride + 1; }
    std::int64_t elementsIn() const { return std::int64_t{images} * channels * side * side; }
    std::int64_t elementsOut() const { return std::int64_t{images} * filters * sideOut() * sideOut(); }
    std::string tensor(std::initializer_list<int> sizes) const { return type + list(sizes); }

    // After a scale, so that its input has a gradient.
    std::string text() const
    {
        const std::string x = tensor({images, channels, side, side});
        const std::string y = tensor({images, filters, sideOut(), sideOut()});
        const bool isLast = layout == Layout::ChannelsLast;
        const std::string given = isLast
                                      ? "  input %r : " + tensor({images, side, side, channels}) +
                                            "\n  %i : " + x + " = aten::permute.default(%r, [0, 3, 1, 2])\n"
                                      : "  input %i : " + x + "\n";
        return given + "  param %s \"s\" : " + tensor({1}) +
               "\n  param %w \"w\" : " + tensor({filters, channels / groups, window, window}) +
               "\n  %x : " + x + " = aten::mul.Tensor(%i, %s)\n  %y : " + y +
               " = aten::conv2d.default(%x, %w, none, " + list({stride, stride}) + ", " +
               list({padding(), padding()}) + ", [1, 1], " + std::to_string(groups) + ")\n  %z : " + y +
               " = aten::relu.default(%y)\n  return %z\n";
    }
};

Bytes copiesOf(const Case& one, const char* operation, const char* device = "h100-sxm")
{
    const DeviceSpec spec = deviceNamed(device);
    const Trace trace = traceOf(one.text(), TrainingMode::Train, spec);
    return convolutionWorkspace(trace, opNamed(trace, operation), spec);
}

constexpr auto forward = "aten::convolution", backward = "aten::convolution_backward";

Profile profileOf(const Case& one, DeviceSpec device, TrainingMode mode = TrainingMode::Infer)
{
    Result<Graph> graph = parseGraph("graph g\n" + one.text());
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    ProfileOptions options;
    options.mode = mode;
    options.device = std::move(device);
    return profileModel({.name = "g", .graph = std::move(graph).value()}, options).value();
}

} // namespace

class TestConvolutionCopies : public QObject
{
    Q_OBJECT

private slots:
    void channelsByEightsAreNotCopied()
    {
        const Case one{64, 64, 56, 128, 3};
        QCOMPARE(copiesOf(one, forward).count(), 0);
        QCOMPARE(copiesOf(one, backward).count(), 0);
    }

    // nhwcAddPaddingKernel of resnet's first layer, which reads images of three colours as eight.
    void firstLayersFillColoursUp()
    {
        const Case resnet{64, 3, 224, 64, 7, 2};
        QCOMPARE(copiesOf(resnet, forward).count(), resnet.elementsIn() / 3 * 8 * 2);
        QCOMPARE(copiesOf(resnet, backward), copiesOf(resnet, forward));
        const Case small{64, 3, 224, 64, 3, 2}; // goes without
        QCOMPARE(copiesOf(small, forward).count(), 0);
    }

    // hrnet: before gradients alone; edgenext, whose input goes by eights: forward as well.
    void oddChannelsAreFilledUp()
    {
        const Case hrnet{16, 18, 56, 36, 3};
        QCOMPARE(copiesOf(hrnet, forward).count(), 0);
        QCOMPARE(copiesOf(hrnet, backward).count(), std::int64_t{16 * 56 * 56} * (24 + 40) * 2);
        const Case edgenext{16, 64, 32, 100, 2, 2};
        QCOMPARE(copiesOf(edgenext, forward).count(), edgenext.elementsOut() / 100 * 104 * 2);
    }

    // senet154: other filters than channels of a group; resnest: one group of what is read at a time.
    void groupsAreLaidOutOrCutOut()
    {
        const Case senet{16, 512, 14, 1024, 3, 1, 64};
        QCOMPARE(copiesOf(senet, forward).count(), (senet.elementsIn() + senet.elementsOut()) * 2);
        const Case visformer{16, 384, 28, 384, 3, 1, 8}; // 48 wide, no power of two
        QCOMPARE(copiesOf(visformer, forward).count(), visformer.elementsIn() * 2 * 2);
        const Case resnest{16, 128, 28, 256, 3, 1, 2};
        QCOMPARE(copiesOf(resnest, forward).count(), resnest.elementsIn() / 2 * 2);
        QCOMPARE(copiesOf(resnest, backward).count(),
                 (resnest.elementsIn() + resnest.elementsOut()) / 2 * 2); // of the weight's gradient
        const Case resnext{16, 256, 28, 256, 3, 1, 32};
        QCOMPARE(copiesOf(resnext, forward).count(), 0);
        const Case depthwise{16, 192, 28, 192, 3, 1, 192};
        QCOMPARE(copiesOf(depthwise, forward).count() + copiesOf(depthwise, backward).count(), 0);
    }

    // Tensor cores take channels last (NVIDIA, Convolutional Layers User's Guide, "Tensor Layout").
    void channelsFirstAreLaidOutForTensorCores()
    {
        Case one{16, 64, 56, 64, 3};
        one.layout = Layout::ChannelsFirst;
        const std::int64_t elements = one.elementsIn() + one.elementsOut() + 64 * 64 * 9;
        QCOMPARE(copiesOf(one, forward).count(), elements * 2);
        QCOMPARE(copiesOf(one, backward).count(), elements * 2);
        one.type = "f32"; // rounded to TF32 where the device can
        QCOMPARE(copiesOf(one, forward).count(), elements * 4);
        QCOMPARE(copiesOf(one, forward, "v100-pcie-32gb").count(), 0);
        QCOMPARE(copiesOf(one, forward, "cpu").count(), 0);
        one.filters = one.groups = 64; // PyTorch's own kernels
        QCOMPARE(copiesOf(one, forward).count(), 0);
    }

    void devicesHoldThemWhileAConvolutionRuns()
    {
        const Case one{16, 384, 28, 384, 3, 1, 8};
        const Profile profile = profileOf(one, deviceNamed("h100-sxm"));
        const Bytes image(one.elementsIn() * 2), copies = image * 2;
        QCOMPARE(profile.stepMemory.convolutionCopies, copies);
        // Images and their scaled copies, the result; the trace, which every device shares, has no copies.
        QCOMPARE(profile.totals.peak, image * 2);
        const Bytes allocated = profile.stepMemory.laterSteps.allocated;
        QVERIFY(allocated >= image * 3 + copies && allocated < image * 3 + copies + Bytes(4 * mib));
        const std::string said = "but copies, about " + formatBytes(copies);
        QVERIFY(std::ranges::any_of(profile.notes, [&](const std::string& note) {
            return note.starts_with("memory is without what cuDNN takes") && note.ends_with(said);
        }));
    }

    // PyTorch tries another plan of cuDNN's.
    void whatDoesNotFitIsDoneWithout()
    {
        const Case one{16, 384, 28, 384, 3, 1, 8};
        DeviceSpec device = deviceNamed("h100-sxm");
        const Bytes image(one.elementsIn() * 2);
        device.memory = device.contextMemory + image * 3 + Bytes(24 * mib);
        const Profile tight = profileOf(one, device);
        QVERIFY(tight.stepMemory.fits);
        QVERIFY(tight.stepMemory.laterSteps.total <= device.memory);
        device.memory = device.contextMemory + image * 2;
        QVERIFY(!profileOf(one, device).stepMemory.fits);
    }
};

QTEST_GUILESS_MAIN(TestConvolutionCopies)
#include "tst_convolution_copies.moc"
