// What CUDA's kernels do beyond what an operator's name says, and what that costs.
#include "core/profile/cost/fused_kernels.h"
#include "core/profile/device/accuracy.h"
#include "tests/core/profile/traced_kernel.h"

using namespace stagecraft;

namespace {

Bytes again(const std::string& lines, std::string_view name, TrainingMode mode = TrainingMode::Train)
{
    const Trace trace = traceOf(lines, mode, deviceNamed("a100-sxm-80gb"));
    return movedAgain(trace, opNamed(trace, name), deviceNamed("a100-sxm-80gb"));
}

std::string convolution(int groups)
{
    const std::string n = std::to_string(128 / groups);
    return "  input %x : f32[4, 128, 32, 32]\n  param %w \"w\" : f32[128, " + n +
           ", 3, 3]\n  %y : f32[4, 128, 30, 30] = aten::conv2d.default(%x, %w, none, [1, 1], [0, 0], [1, "
           "1], " +
           std::to_string(groups) + ")\n  return %y\n";
}

} // namespace

class TestKernelWork : public QObject
{
    Q_OBJECT

private slots:
    // _unsafe_view's schema declares no alias; ATen/native/TensorShape.cpp returns self.view(size).
    void aViewThatItsSchemaHidesMovesNothing()
    {
        const Trace trace =
            traceOf("  input %x : f32[8, 16]\n  %y : f32[128] = aten::_unsafe_view.default(%x, "
                    "[128])\n  return %y\n",
                    TrainingMode::Infer, deviceNamed("a100-sxm-80gb"));
        const TraceOp& view = opNamed(trace, "aten::_unsafe_view");
        QVERIFY(!trace.opNames[view.name].isView);
        QCOMPARE(operatorTraffic(trace, view).total(), Bytes(0));
    }

    // SoftMax.cu, softmax_backward_cuda_out: `Tensor tmp = grad * output`, then the kernel reads it.
    void softmaxBackwardMultipliesFirst()
    {
        const std::string softmax = "  input %x : f32[64, 32]\n  param %w \"w\" : f32[64, 32]\n"
                                    "  %s : f32[64, 32] = aten::add.Tensor(%x, %w)\n"
                                    "  %y : f32[64, 32] = aten::softmax.int(%s, -1)\n  return %y\n";
        QCOMPARE(again(softmax, "aten::_softmax_backward_data"), Bytes(3 * 64 * 32 * 4));
        QCOMPARE(again(softmax, "aten::_softmax"), Bytes(0));
    }

    // SoftMax.cu, host_softmax and cunn_SoftMaxForward: three passes over rows that do not fit into 48 KiB,
    // two over gradients of rows that a block has; from the cache where 2 x 108 rows of 40 MiB fit in it.
    void rowsThatFillTheCacheAreReadAgain()
    {
        const auto rows = [](int length) {
            const std::string shape = "f32[64, " + std::to_string(length) + "]";
            return "  input %x : " + shape + "\n  param %w \"w\" : " + shape + "\n  %s : " + shape +
                   " = aten::mul.Tensor(%x, %w)\n  %y : " + shape +
                   " = aten::log_softmax.int(%s, -1)\n  return %y\n";
        };
        const auto bytes = [](int length) { return 64 * length * 4; };
        QCOMPARE(again(rows(51200), "aten::_log_softmax"), Bytes(2 * bytes(51200)));
        QCOMPARE(again(rows(51200), "aten::_log_softmax_backward_data"), Bytes(bytes(51200)));
        QCOMPARE(again(rows(32000), "aten::_log_softmax"), Bytes(0)); // 26 MiB
        QCOMPARE(again(rows(32000), "aten::_log_softmax_backward_data"), Bytes(0));
        const DeviceSpec small = deviceNamed("v100-pcie-32gb"); // of 6 MiB
        const auto onSmall = [&](int length, const char* name) {
            const Trace trace = traceOf(rows(length), TrainingMode::Train, small);
            return movedAgain(trace, opNamed(trace, name), small);
        };
        QCOMPARE(onSmall(12300, "aten::_log_softmax"), Bytes(2 * bytes(12300)));
        QCOMPARE(onSmall(12200, "aten::_log_softmax"), Bytes(0)); // shared memory holds the row
        QCOMPARE(onSmall(12200, "aten::_log_softmax_backward_data"), Bytes(bytes(12200)));
        QCOMPARE(onSmall(1024, "aten::_log_softmax_backward_data"), Bytes(0)); // registers do
    }

    // LossNLL.cpp, cuda/Loss.cu: `input[i * ndim + t]` for each target; backward `grad_input.zero_()`.
    void lossesReadWhatTheyPick()
    {
        const std::string loss = "  input %x : f32[64, 1000]\n  param %w \"w\" : f32[64, 1000]\n"
                                 "  input %t : i64[64]\n"
                                 "  %s : f32[64, 1000] = aten::mul.Tensor(%x, %w)\n"
                                 "  %y : f32[] = aten::nll_loss.default(%s, %t)\n  return %y\n";
        const Trace trace = traceOf(loss, TrainingMode::Train, deviceNamed("a100-sxm-80gb"));
        const OpTraffic picks = operatorTraffic(trace, opNamed(trace, "aten::nll_loss_forward"));
        QCOMPARE(picks.read, Bytes(64 * 4 + 64 * 8)); // an element and a target each
        const OpTraffic back = operatorTraffic(trace, opNamed(trace, "aten::nll_loss_backward"));
        QCOMPARE(back.read, Bytes(4 + 64 * 8 + 4)); // the gradient, the targets, the sum of weights
        QCOMPARE(back.written, Bytes(64 * 1000 * 4));
    }

    // native/Convolution.cpp: cuDNN's result, then `output.add_(reshape_bias(...))`.
    void aBiasIsAddedToWhatCudnnConvolved()
    {
        const std::string biased = "  input %x : f32[1, 8, 4, 4]\n  param %w \"w\" : f32[8, 8, 1, 1]\n"
                                   "  param %b \"b\" : f32[8]\n  %y : f32[1, 8, 4, 4] = "
                                   "aten::conv2d.default(%x, %w, %b)\n  return %y\n";
        const auto on = [](const std::string& lines, const char* device) {
            const Trace trace = traceOf(lines, TrainingMode::Infer, deviceNamed(device));
            return movedAgain(trace, opNamed(trace, "aten::convolution"), deviceNamed(device));
        };
        QCOMPARE(on(biased, "v100-pcie-32gb"), Bytes(2 * 8 * 16 * 4));
        QCOMPARE(on(convolution(1), "v100-pcie-32gb"), Bytes(0));
    }

    // cuDNN: nchwToNhwcKernel and nhwcToNchwKernel around products on tensor cores, TF32 among them.
    void imagesAreLaidOutAnewForTensorCores()
    {
        const Bytes images(4 * 128 * (32 * 32 + 30 * 30) * 4);
        QCOMPARE(again(convolution(1), "aten::convolution", TrainingMode::Infer), images * 2);
        QCOMPARE(workOf(convolution(1), "aten::convolution", deviceNamed("a100-sxm-80gb")).cycles.apartBytes,
                 images * 2);
        QCOMPARE(
            workOf(convolution(128), "aten::convolution", deviceNamed("a100-sxm-80gb")).cycles.apartBytes,
            Bytes(0));
    }

    // Convolution.cpp, is_depthwise: as many groups as input channels, any number of outputs each.
    void aDepthwiseKernelAddsItsBiasAsItGoes()
    {
        const std::string twice = "  input %x : f32[1, 8, 4, 4]\n  param %w \"w\" : f32[16, 1, 1, 1]\n"
                                  "  param %b \"b\" : f32[16]\n  %y : f32[1, 16, 4, 4] = "
                                  "aten::conv2d.default(%x, %w, %b, [1, 1], [0, 0], [1, 1], 8)\n"
                                  "  return %y\n";
        QCOMPARE(again(twice, "aten::convolution", TrainingMode::Infer), Bytes(0));
        QCOMPARE(workOf(twice, "aten::convolution", deviceNamed("rtx-3090")).groupWidth, 1.0);
    }

    // CUDALoops.cuh: vectors where all lies alike; else an offset for each access, or a type.
    void whatIsLaidOutOtherwiseTakesCycles()
    {
        const auto busy = [](const std::string& lines, const char* name) {
            return workOf(lines, name, deviceNamed("h100-sxm")).cycles.busy;
        };
        const std::string x = "  input %x : f32[64, 32]\n";
        const auto sum = [&](const std::string& other) {
            return x + "  input %o : " + other +
                   "\n  %y : f32[64, 32] = aten::add.Tensor(%x, %o)\n  return %y\n";
        };
        const double elements = 64 * 32;
        QCOMPARE(busy(sum("f32[64, 32]"), "aten::add"), 0.0);
        QCOMPARE(busy(sum("f32[32]"), "aten::add"), elements * 3 * 0.25);
        QCOMPARE(busy(sum("f16[64, 32]"), "aten::add"), elements * 3 * 0.38);
        const std::string cast =
            x + "  %y : f16[64, 32] = aten::_to_copy.default(%x, dtype=f16)\n  return %y\n";
        QCOMPARE(busy(cast, "aten::_to_copy"), 0.0);
    }

    // Reduce.cuh: along rows lanes read next to each other; down columns few blocks go about few results.
    void sumsDownColumnsTakeCycles()
    {
        const auto busy = [](const std::string& shape, const std::string& to, const std::string& dimension) {
            return workOf("  input %x : f32[" + shape + "]\n  %y : f32[" + to +
                              "] = aten::sum.dim_IntList(%x, [" + dimension + "])\n  return %y\n",
                          "aten::sum", deviceNamed("h100-sxm"))
                .cycles.busy;
        };
        QCOMPARE(busy("64, 32", "64", "1"), 64 * 75.0);
        QCOMPARE(busy("64, 32", "32", "0"), 64 * 32 * 0.52);
        QCOMPARE(busy("64, 20000", "20000", "0"), 64 * 20000 * 0.22);
        QCOMPARE(busy("2, 32", "32", "0"), 2 * 32 * 2.1);
    }

    // vectorized_layer_norm_kernel: 128 threads to a row, however short.
    void aLayerNormTakesItsRows()
    {
        const std::string norm =
            "  input %x : f32[100, 96]\n  %y : f32[100, 96] = aten::layer_norm.default(%x, "
            "[96])\n  return %y\n";
        QCOMPARE(workOf(norm, "aten::native_layer_norm", deviceNamed("h100-sxm")).cycles.busy,
                 100 * (370 + 0.16 * 96 * 3));
    }

    // cutlass_*_align1, _align2: rows that do not begin at a multiple of 16 bytes.
    void unalignedRowsAreSlow()
    {
        DeviceSpec device = deviceNamed("h100-sxm");
        const auto seconds = [&](int columns) {
            const std::string n = std::to_string(columns);
            const std::string product = "  input %a : bf16[4096, 1024]\n  input %b : bf16[1024, " + n +
                                        "]\n  %y : bf16[4096, " + n +
                                        "] = aten::mm.default(%a, %b)\n  return %y\n";
            return kernelTime(workOf(product, "aten::mm", device), device).value();
        };
        QVERIFY(seconds(4098) > 2.5 * seconds(4096));
        QVERIFY(seconds(4097) > 1.5 * seconds(4098));
        device = compiledOn(device); // which fills them up
        QVERIFY(seconds(4097) < 1.05 * seconds(4096));
    }

    // aten::_foreach_mul_, _foreach_add_ return nothing; SGD with momentum reads and writes 8, 12 and 12
    // bytes a parameter.
    void whatIsWrittenInPlaceIsCounted()
    {
        const Model model{.name = "g",
                          .graph = parseGraph("graph g\n  input %x : f32[4096, 4096]\n"
                                              "  param %w \"w\" : f32[4096, 4096]\n  %y : f32[4096, 4096] = "
                                              "aten::mul.Tensor(%x, %w)\n  return %y\n")
                                       .value()};
        ProfileOptions options;
        options.device = deviceNamed("h100-sxm");
        options.optimizer = OptimizerKind::SgdMomentum;
        const double atPeak = 4096 * 4096 * 32 / options.device.memoryBandwidth;
        const double seconds = profileModel(model, options)->totals.timeOptimizer.value();
        QVERIFY2(seconds > 0.95 * atPeak && seconds < 1.3 * atPeak,
                 qPrintable(QString::number(seconds / atPeak)));
    }

    // layer_norm_kernel.cu: `if (dgamma->defined() || dbeta->defined())` stands before the second kernel.
    void aLayerNormWithoutWeightsGoesOverItOnce()
    {
        const std::string input = "  input %x : f32[64, 32]\n  param %w \"w\" : f32[64, 32]\n"
                                  "  %s : f32[64, 32] = aten::add.Tensor(%x, %w)\n";
        QCOMPARE(again(input + "  %y : f32[64, 32] = aten::layer_norm.default(%s, [32])\n  return %y\n",
                       "aten::native_layer_norm_backward"),
                 Bytes(0));
        QCOMPARE(again(input + "  param %g \"g\" : f32[32]\n  param %b \"b\" : f32[32]\n"
                               "  %y : f32[64, 32] = aten::layer_norm.default(%s, [32], %g, %b)\n"
                               "  return %y\n",
                       "aten::native_layer_norm_backward"),
                 Bytes(2 * 64 * 32 * 4));
    }

    // Normalization.cu, batch_norm_backward_kernel: `if (train)` reads the input again, else the gradient.
    void aBatchNormOfFixedStatisticsReadsTheGradientAgain()
    {
        const auto batchNorm = [](const char* training) {
            return "  input %x : f32[2, 8, 4, 4]\n  param %w \"w\" : f32[2, 8, 4, 4]\n"
                   "  param %g \"g\" : f32[8]\n  param %b \"b\" : f32[8]\n"
                   "  buffer %m \"m\" : f32[8]\n  buffer %v \"v\" : f32[8]\n"
                   "  %s : f32[2, 8, 4, 4] = aten::add.Tensor(%x, %w)\n"
                   "  %y : f32[2, 8, 4, 4] = aten::batch_norm.default(%s, %g, %b, %m, %v, " +
                   std::string(training) + ", 0.1, 1e-05, true)\n  return %y\n";
        };
        const int bytes = 2 * 8 * 16 * 4;
        QCOMPARE(again(batchNorm("true"), "aten::native_batch_norm_backward"), Bytes(2 * bytes));
        QCOMPARE(again(batchNorm("false"), "aten::native_batch_norm_backward"), Bytes(bytes));
    }

    // native/Convolution.cpp, is_depthwise: as many groups as input channels.
    void groupsGoByTheirWidth()
    {
        const DeviceSpec device = deviceNamed("rtx-3090");
        QCOMPARE(workOf(convolution(1), "aten::convolution", device).groupWidth, 0.0);
        QCOMPARE(workOf(convolution(128), "aten::convolution", device).groupWidth, 1.0);
        QCOMPARE(workOf(convolution(8), "aten::convolution", device).groupWidth, 16.0);
        QCOMPARE(workOf(convolution(128), "aten::convolution", deviceNamed("cpu")).groupWidth, 0.0);
    }

    // DepthwiseConv2d.cu, conv_depthwise2d_forward_kernel: a thread to a result, which sums up a few
    // products; nothing is tiled as matrix products are.
    void aWideDepthwiseConvolutionIsBoundByBandwidth()
    {
        const DeviceSpec device = deviceNamed("rtx-3090");
        KernelWork work{.operatorClass = OperatorClass::Convolution, .flops = 2 * 9e7, .bytes = 8e8};
        work.groupWidth = 1;
        const double streaming = work.bytes / device.memoryBandwidth;
        QVERIFY(kernelTime(work, device).value() < 1.3 * streaming);
        work.flops *= 1000;
        QVERIFY(kernelTime(work, device).value() > 10 * streaming);
    }

    // DepthwiseConv2d.cu, conv_depthwise2d_grad_weight_kernel: a block to each of a few numbers a channel, a
    // sum over all images and places: input and gradient are read far slower than in a stream. The input's
    // gradient (conv_depthwise2d_backward_kernel) goes as the convolution itself does.
    void aDepthwiseWeightsGradientIsASumOverAllPlaces()
    {
        const DeviceSpec device = deviceNamed("rtx-3090");
        const auto backward = [&](int groups) {
            const Trace trace = traceOf(convolution(groups), TrainingMode::Train, device);
            const TraceOp& op = opNamed(trace, "aten::convolution_backward");
            return kernelWork(trace, op, operatorFlops(trace, op), operatorTraffic(trace, op), device);
        };
        KernelWork depthwise = backward(128);
        QCOMPARE(depthwise.summedBytes, 4.0 * 128 * 32 * 32 * 4 + 4); // the gradient is one number, expanded
        QCOMPARE(backward(1).summedBytes, 0.0);
        QCOMPARE(backward(8).summedBytes, 0.0);
        const double summed = kernelTime(depthwise, device).value();
        depthwise.summedBytes = 0;
        QVERIFY(summed > 2 * kernelTime(depthwise, device).value());
    }

    // NVIDIA, CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory": memory is read in sectors.
    void transposingMoreThanTheCacheHoldsCostsMore()
    {
        const DeviceSpec device = deviceNamed("rtx-3090");
        KernelWork work{.operatorClass = OperatorClass::Copy, .bytes = 1e9};
        const double straight = kernelTime(work, device).value();
        work.transposedSpan = 1e6;
        QCOMPARE(kernelTime(work, device).value(), straight);
        work.transposedSpan = 1e7; // the cache has 6 MiB
        QVERIFY(kernelTime(work, device).value() > 3 * straight);
    }

    // NVIDIA, Matrix Multiplication Background User's Guide (2023): the type decides which units multiply
    // (tiles and waves: tst_times); published times of operators (NeuSight): single products in float32 reach
    // 0.99 of the peak on a V100 and 0.78 on an H100, batched ones run in kernels of their own.
    void productsHaveARateByTypeAndInBatches()
    {
        DeviceSpec device = deviceNamed("t4");
        device.tiles.clear();
        device.kernels.single[DType::F32].tiles.clear();
        device.kernels.batched[DType::F32].tiles.clear();
        KernelWork work{.operatorClass = OperatorClass::Matrix, .flops = 1e12, .bytes = 1};
        work.products = {{1000, 1000, 1000, 1}};
        const double single = kernelTime(work, device).value();
        QCOMPARE(single, 1e12 / (device.peakFlops.at(DType::F32) * device.kernels.single[DType::F32].share));
        work.products.front().batch = 2;
        device.kernels.batched[DType::F32].share = device.kernels.single[DType::F32].share / 2;
        QCOMPARE(kernelTime(work, device).value(), 2 * single);
    }

    // NVIDIA, GA102 whitepaper (2021), Ada GPU architecture whitepaper (2023): peaks are of 1.695 and 2.52
    // GHz, which cards exceed. By timm's published steps convolutions take 0.54 to 0.59 and products 0.73 to
    // 0.84 of what 0.57 to 0.77 of these peaks give, and a depth of 96 to be in full swing is too much.
    void consumerCardsRunAboveTheClockOfTheirPeak()
    {
        for (const char* name : {"rtx-3090", "rtx-4090"}) {
            const DeviceSpec device = deviceNamed(name);
            const auto share = [&](const char* depth) {
                const std::string k = depth, a = "f16[8192, " + k + "]", b = "f16[" + k + ", 8192]";
                const KernelWork work = workOf("  input %a : " + a + "\n  input %b : " + b +
                                                   "\n  %y : f16[8192, 8192] = aten::mm.default(%a, %b)\n"
                                                   "  return %y\n",
                                               "aten::mm", device);
                return work.flops / device.peakFlops.at(DType::F16) / kernelTime(work, device).value();
            };
            QVERIFY2(share("8192") > 1, qPrintable(QString::number(share("8192"))));
            QVERIFY2(share("256") > 0.85 * share("8192"), qPrintable(QString::number(share("256"))));
        }
    }

    // Dao, FlashAttention-2 (2023), 3.1 and 3.3: tiles, and what is masked is skipped but on the diagonal.
    void attentionOnConsumerCardsGoesInTiles()
    {
        const DeviceSpec device = deviceNamed("rtx-3090");
        const auto time = [&](int rows, const std::string& causal) {
            const std::string heads = "f16[8, 12, " + std::to_string(rows) + ", 64]";
            const KernelWork work =
                workOf("  input %q : " + heads + "\n  %y : " + heads +
                           " = aten::scaled_dot_product_attention.default(%q, %q, %q, none, 0.0, " + causal +
                           ")\n  return %y\n",
                       "aten::_scaled_dot_product_flash_attention", device);
            return kernelTime(work, device).value();
        };
        const double flops = 4.0 * 8 * 12 * 1024 * 1024 * 64;
        const double slower = time(1024, "false") * device.peakFlops.at(DType::F16) / flops;
        QVERIFY2(slower < 1.2, qPrintable(QString::number(slower))); // timm's published steps: not 3.3
        QCOMPARE(time(200, "false"), time(256, "false"));
        QVERIFY(std::abs(time(1024, "true") / time(1024, "false") - 0.5625) < 0.01); // 9 of 16 tiles
    }

    // Dropout.cu: fused_dropout_kernel_vec reads the input, writes the result and a mask of bools;
    // masked_scale_kernel reads the gradient and that mask.
    void dropoutKeepsAByteAnElement()
    {
        const Trace trace = traceOf("  input %x : f32[64, 32]\n  param %w \"w\" : f32[64, 32]\n"
                                    "  %s : f32[64, 32] = aten::add.Tensor(%x, %w)\n"
                                    "  %d : f32[64, 32] = aten::dropout.default(%s, 0.1, true)\n"
                                    "  %y : f32[64, 32] = aten::mul.Tensor(%d, %w)\n  return %y\n",
                                    TrainingMode::Train, deviceNamed("a100-sxm-80gb"));
        const OpTraffic forward = operatorTraffic(trace, opNamed(trace, "aten::native_dropout"));
        QCOMPARE(forward.read, Bytes(64 * 32 * 4));
        QCOMPARE(forward.written, Bytes(64 * 32 * (4 + 1)));
        const OpTraffic back = operatorTraffic(trace, opNamed(trace, "aten::native_dropout_backward"));
        QCOMPARE(back.read, Bytes(64 * 32 * (4 + 1)));
        QCOMPARE(back.written, Bytes(64 * 32 * 4));
    }

    // cuBLAS has one kernel for batches in float32 on an A100, ampere_sgemm_128x128: its loop over the depth
    // goes in steps of 128 (published times of operators, NeuSight: 14.3 us a product of 1024 by 1024 at a
    // depth of 64, 96 and 128 alike, 29 us at 256).
    void batchesGoInWholeStepsOfTheDepth()
    {
        const DeviceSpec device = deviceNamed("a100-pcie-80gb");
        const auto time = [&](double depth) {
            KernelWork work{
                .operatorClass = OperatorClass::Matrix, .flops = 2 * 1024 * 1024 * depth * 1024, .bytes = 1};
            work.products = {{1024, 1024, depth, 1024}};
            return kernelTime(work, device).value() / 1024;
        };
        QCOMPARE(time(64), time(128));
        QCOMPARE(time(96), time(128));
        QVERIFY2(std::abs(time(128) / 14.3e-6 - 1) < 0.05, qPrintable(QString::number(1e6 * time(128))));
        QVERIFY2(std::abs(time(256) / 29e-6 - 1) < 0.05, qPrintable(QString::number(1e6 * time(256))));
    }

    // cuDNN's kernels are not cuBLAS's.
    void convolutionsTakeTheDevicesTiles()
    {
        DeviceSpec device = deviceNamed("v100-pcie-32gb");
        KernelWork work{.operatorClass = OperatorClass::Convolution, .flops = 1e12, .bytes = 1};
        work.products = {{1000, 64, 147, 1}};
        const double fitted = kernelTime(work, device).value();
        device.kernels.single.erase(DType::F32);
        QCOMPARE(kernelTime(work, device).value(), fitted);
    }

    void accuracyIsSaidInOneClause()
    {
        QCOMPARE(accuracyText({}), std::string("estimated, not checked against measurements"));
        QCOMPARE(accuracyText(
                     {{"operators", "a table", 40, 0.05, 0.084}, {"whole models", "another", 9, 0.1, 0.12}}),
                 std::string("estimated, usually within 12 % (9 whole models)"));
        QCOMPARE(accuracyText({{"whole models", "another", 9, 0.1, 0.12, "GPT pipelines in float16"}}),
                 std::string("estimated, usually within 12 % (9 whole models: GPT pipelines in float16)"));
        QCOMPARE(accuracyText({{"operators", "a table", 40, 0.05, 0.084}}),
                 std::string("estimated, usually within 8 % (40 operators in float32)"));
    }
};

QTEST_GUILESS_MAIN(TestKernelWork)
#include "tst_kernel_work.moc"
