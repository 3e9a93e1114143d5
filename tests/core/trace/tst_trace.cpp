#include "core/trace/trace_model.h"

#include "core/text_model.h"

#include <QtTest>

#include <set>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

Trace traceOf(const Model& model, const TraceOptions& options = {})
{
    Result<Trace> trace = traceModel(model, options);
    if (!trace.has_value())
        qFatal("%s", trace.error().message.c_str());
    return std::move(trace).value();
}

QString errorOf(const Result<Trace>& trace)
{
    return trace.has_value() ? "ok" : QString::fromStdString(trace.error().message);
}

// "mm(linear) relu(relu)": operators with the node they belong to.
QString opsOf(const Trace& trace, const Graph& graph, Phase phase)
{
    QStringList ops;
    for (const TraceOp& op : trace.ops)
        if (op.phase == phase)
            ops += QString("%1(%2)").arg(trace.opNames[op.name].name.substr(6).c_str(),
                                         op.node ? graph[*op.node].name.c_str() : "");
    return ops.join(' ');
}

const TraceOp& findOp(const Trace& trace, const std::string& name)
{
    for (const TraceOp& op : trace.ops)
        if (trace.opNames[op.name].name == name)
            return op;
    qFatal("there is no %s", name.c_str());
}

const char* mlp = R"(graph mlp
  input %x : f32[8, 16]
  param %w1 "fc1.weight" : f32[32, 16]
  param %b1 "fc1.bias" : f32[32]
  param %w2 "fc2.weight" : f32[4, 32]
  %linear : f32[8, 32] = aten::linear.default(%x, %w1, %b1) @fc1
  %relu : f32[8, 32] = aten::relu.default(%linear) @act
  %linear_1 : f32[8, 4] = aten::linear.default(%relu, %w2) @fc2
  return %linear_1
)";

} // namespace

class TestTrace : public QObject
{
    Q_OBJECT

private slots:
    void passesItsSelfTest()
    {
        const Result<void> passed = traceSelfTest();
        QVERIFY2(passed.has_value(), passed.has_value() ? "" : passed.error().message.c_str());
    }

    void tiesEveryOperatorToItsNode()
    {
        const Model model = modelOf(mlp);
        const Trace trace = traceOf(model);
        QCOMPARE(opsOf(trace, model.graph, Phase::Forward),
                 "t(linear) addmm(linear) relu(relu) t(linear_1) mm(linear_1) sum()");
        QCOMPARE(
            opsOf(trace, model.graph, Phase::Backward),
            "ones_like() expand() t(linear_1) mm(linear_1) t(linear_1) t(linear_1) mm(linear_1) t(linear_1) "
            "detach() threshold_backward(relu) t(linear) mm(linear) t(linear) sum(linear) view(linear) "
            "detach() "
            "t(linear) detach()");
    }

    void keepsArgumentsAtTheirPositions()
    {
        const Model model = modelOf(R"(graph conv
  input %x : f32[2, 8, 10, 10]
  param %w "w" : f32[16, 4, 3, 3]
  %y : f32[2, 16, 5, 5] = aten::conv2d.default(%x, %w, none, [2, 2], [1, 1], [1, 1], 2)
  return %y
)");
        const Trace trace = traceOf(model);
        const TraceOp& forward = findOp(trace, "aten::convolution");
        const auto arguments = trace.arguments(forward);
        QCOMPARE(arguments.size(), 9u);
        QCOMPARE(trace.sizes(trace.tensors(arguments[1])[0])[1], 4);
        QCOMPARE(arguments[2].kind, TraceArgument::Kind::None);
        QCOMPARE(trace.integers(arguments[3])[1], 2); // stride
        QCOMPARE(trace.integers(arguments[6])[0], 0); // transposed
        QCOMPARE(trace.integers(arguments[8])[0], 2); // groups
        const TraceOp& backward = findOp(trace, "aten::convolution_backward");
        QCOMPARE(trace.integers(trace.arguments(backward)[10])[1], 1); // output_mask
        const auto results = trace.results(backward);
        QCOMPARE(results.size(), 3u);
        QCOMPARE(results[0].kind, TraceArgument::Kind::None); // x needs no gradient
        QVERIFY(trace.storages[trace.tensors(results[1])[0].storage].weightGradientOnly);
    }

    void splitsGradientsOfActivationsAndWeights()
    {
        const Model model = modelOf(mlp);
        const Trace trace = traceOf(model);
        QStringList weightOps;
        for (const TraceOp& op : trace.ops) {
            if (op.phase != Phase::Backward || trace.opNames[op.name].isView)
                continue;
            const auto results = trace.tensors(trace.results(op)[0]);
            if (trace.storages[results[0].storage].weightGradientOnly)
                weightOps += QString("%1(%2)").arg(trace.opNames[op.name].name.substr(6).c_str(),
                                                   model.graph[*op.node].name.c_str());
        }
        QCOMPARE(weightOps.join(' '), "mm(linear_1) mm(linear) sum(linear)");
    }

    void followsStoragesFromBirthToDeath()
    {
        const Model model = modelOf(mlp);
        const Trace trace = traceOf(model);
        // relu's result is kept for its own backward and linear_1's; linear's dies when relu has run.
        const auto storageOfValue = [&](const char* name) -> const TraceStorage& {
            const ValueId value = *model.graph.findValue(name);
            return trace.storages[trace[*trace.values[value].tensor].storage];
        };
        QCOMPARE(storageOfValue("linear").birth, OpId(1));
        QCOMPARE(storageOfValue("linear").death, 3u);
        QCOMPARE(storageOfValue("linear").bytes.count(), 8 * 32 * 4);
        QVERIFY(*storageOfValue("relu").death > trace.forwardEnd);
        QVERIFY(storageOfValue("x").storageClass == StorageClass::Input);
        QVERIFY(!storageOfValue("x").birth);
        QVERIFY(storageOfValue("w1").storageClass == StorageClass::Parameter);
        QVERIFY(trace.values[*model.graph.findValue("relu")].requiresGrad);
        QVERIFY(!trace.values[*model.graph.findValue("x")].requiresGrad);
    }

    // Live bytes after each operator must be what the storages' lifetimes say.
    void liveBytesFollowFromLifetimes()
    {
        const Model model = modelOf(mlp);
        const Trace trace = traceOf(model);
        for (const OpId op : trace.ops.ids()) {
            Bytes live;
            for (const TraceStorage& storage : trace.storages)
                if (storage.birth && *storage.birth <= op && (!storage.death || *storage.death > op.index()))
                    live += storage.bytes;
            QCOMPARE(trace.ops[op].live.count(), live.count());
        }
    }

    void opensARegionForACompositeOperator()
    {
        const Model model = modelOf(mlp);
        const Trace trace = traceOf(model);
        const TraceOp& addmm = findOp(trace, "aten::addmm");
        QVERIFY(addmm.region.has_value());
        const TraceRegion& region = trace.regions[*addmm.region];
        QCOMPARE(trace.opNames[region.name].name, "aten::linear");
        QCOMPARE(region.firstOp, 0u);
        QCOMPARE(region.endOp, 2u);
    }

    void keepsNothingForInference()
    {
        const Model model = modelOf(mlp);
        const Trace trace = traceOf(model, {.mode = TrainingMode::Infer});
        QVERIFY(trace.saved.empty());
        QCOMPARE(trace.forwardEnd, trace.ops.size());
        QCOMPARE(trace.liveAfterForward.count(), 8 * 4 * 4);
        QCOMPARE(trace.liveAtEndOutputsDropped.count(), 0);
    }

    void takesANamedLoss()
    {
        const Model model = modelOf(R"(graph two_outputs
  input %x : f32[8, 16]
  param %w1 "w1" : f32[32, 16]
  param %w2 "w2" : f32[32, 16]
  %a : f32[8, 32] = aten::linear.default(%x, %w1)
  %b : f32[8, 32] = aten::linear.default(%x, %w2)
  %loss : f32[] = aten::mean.default(%b)
  return %a, %loss
)");
        const Trace trace = traceOf(model, {.lossOutput = "loss"});
        std::set<std::string> nodes;
        for (const TraceOp& op : trace.ops)
            if (op.phase == Phase::Backward && op.node)
                nodes.insert(model.graph[*op.node].name);
        QCOMPARE(nodes, (std::set<std::string>{"b", "loss"}));
        QCOMPARE(errorOf(traceModel(model, {.lossOutput = "nothing"})),
                 "the model returns no differentiable output named 'nothing'; there is '0', '1'");
        // Nobody has to say so: it is the only scalar. The sum of all is there for who asks.
        const auto backwardOps = [&](const Trace& traced) {
            return std::ranges::count(traced.ops, Phase::Backward, &TraceOp::phase);
        };
        QCOMPARE(backwardOps(traceOf(model, {})), backwardOps(trace));
        QVERIFY(backwardOps(traceOf(model, {.lossOutput = "all"})) > backwardOps(trace));
    }

    void bindsSymbolicSizesWithoutMemory()
    {
        const Model model = modelOf(R"(graph dynamic
  symbol s0 hint 8 range 2..64
  input %x : f32[s0, 1000]
  param %w "w" : f32[1000, 1000]
  %y : f32[s0, 1000] = aten::linear.default(%x, %w)
  %n : size(s0) = aten::sym_size.int(self %y, dim 0)
  %m : size(500*s0) = _operator::mul(%n, 500)
  %z : f32[500*s0, 2] = aten::view.default(%y, [%m, 2])
  return %z
)");
        const Trace trace = traceOf(model, {.bindings = {{"s0", 10'000'000'000}}});
        QCOMPARE(trace.liveAfterForward.count(), 10'000'000'000 * 4000 + 4);
        QCOMPARE(traceOf(model).liveAfterForward.count(), 8 * 4000 + 4);
    }

    void standsInForAnUnknownOperator()
    {
        const Model model = modelOf(R"(graph custom
  input %x : f32[8, 16]
  param %w "w" : f32[16, 16]
  %a : f32[8, 16] = aten::linear.default(%x, %w)
  %b : f32[8, 4] = nobody::knows_this.default(%a)
  %c : f32[8, 4] = aten::relu.default(%b)
  return %c
)");
        const Trace trace = traceOf(model);
        QCOMPARE(trace.inexact.size(), 1u);
        QCOMPARE(model.graph[trace.inexact[0].node].name, "b");
        QVERIFY(trace.inexact[0].text().find("nobody::knows_this") != std::string::npos);
        QVERIFY2(opsOf(trace, model.graph, Phase::Backward).contains("empty_like(b)"),
                 qPrintable(opsOf(trace, model.graph, Phase::Backward)));
        // The gradient goes on through it.
        QCOMPARE(trace.liveAtEndOutputsDropped.count(), 16 * 16 * 4);
    }

    // Python's library has rules for `addr` in there: the trace has other operators.
    void saysWherePythonHasRulesInsideVmap()
    {
        const auto traceWith = [](const std::string& call) {
            const std::string text = R"(graph vmapped
  input %x : f32[8, 4]
  input %y : f32[8, 4]
  %open : size(1) = torch._functorch.predispatch::_vmap_increment_nesting(8, "error")
  %a : f32[4] = torch._functorch.predispatch::_add_batch_dim(%x, 0, 1)
  %b : f32[4] = torch._functorch.predispatch::_add_batch_dim(%y, 0, 1)
)" + call + R"(
  %r : f32[8, 4, 4] = torch._functorch.predispatch::_remove_batch_dim(%c, 1, 8, 0)
  %close : size(0) = torch._functorch.predispatch::_vmap_decrement_nesting()
  return %r
)";
            return traceOf(modelOf(text.c_str())).inexact;
        };
        QVERIFY(traceWith("  %c : f32[4, 4] = aten::outer.default(%a, %b)").empty());
        const std::vector<InexactNode> inexact =
            traceWith("  %m : f32[4, 4] = aten::outer.default(%a, %b)\n"
                      "  %c : f32[4, 4] = aten::addr.default(%m, %a, %b)");
        QCOMPARE(inexact.size(), 1u);
        QVERIFY(inexact[0].text().find("rule of its Python library") != std::string::npos);
    }

    void saysWhatToDoWhereThereIsNoDerivative()
    {
        const Model model = modelOf("graph copied\n"
                                    "  param %w \"w\" : f32[4]\n"
                                    "  input %x : f32[4]\n"
                                    "  %y : f32[4] = aten::copy.default(self %x, src %w)\n"
                                    "  return %y\n");
        const QString error = errorOf(traceModel(model, {}));
        QVERIFY2(error.contains("derivative for aten::copy is not implemented: save the export without "
                                "run_decompositions(), or leave backward out (--mode infer)"),
                 qPrintable(error));
    }

    void namesWhereDataAreMissing()
    {
        const Model model = modelOf(R"(graph data_dependent
  module body "Body"
  input %x : f32[8, 16]
  %indices : i64[u0, 2] = aten::nonzero.default(%x) @body
  return %indices
)");
        const QString error = errorOf(traceModel(model, {}));
        QVERIFY2(error.startsWith("node 'indices' (aten::nonzero.default) in module 'body': "),
                 qPrintable(error));
        QVERIFY2(error.endsWith("the size u0 has no value; give it one (--bind u0=NUMBER, in "
                                "the window among the plan's options)"),
                 qPrintable(error));
        const Trace trace = traceOf(model, {.bindings = {{"u0", 5}}});
        QCOMPARE(trace.inexact.size(), 1u);
    }

    void dataThatAreKnownDecideSizes()
    {
        const Model model = modelOf(R"(graph known
  symbol u0 range 0..
  symbol u1 range 0..
  input %x : f32[1, 16]
  %range : i64[4] = aten::arange.default(end 4)
  %sum : i64[] = aten::sum.default(self %range)
  %item : size(u0) = aten::item.default(self %sum)
  %ones : f32[u0, 16] = aten::new_ones.default(self %x, size [%item, 16])
  %mul : f32[u0, 16] = aten::mul.Tensor(self %x, other %ones)
  %mask : bool[4] = aten::gt.Scalar(self %range, other 1)
  %places : i64[u1, 1] = aten::nonzero.default(self %mask)
  return %mul, %places
)");
        const auto bytesOf = [&](const Trace& trace, const char* value) {
            const TraceValue& traced = trace.values[*model.graph.findValue(value)];
            return trace.tensorBytes(trace[*traced.tensor]).count();
        };
        // A bound is not needed, and does no harm.
        for (const Bindings& bounds : {Bindings{}, Bindings{{"u0", 100}, {"u1", 3}}}) {
            const Trace trace = traceOf(model, {.bounds = bounds});
            QCOMPARE(bytesOf(trace, "mul"), std::int64_t{6 * 16 * 4});
            QCOMPARE(bytesOf(trace, "places"), std::int64_t{2 * 8});
            QVERIFY(trace.inexact.empty());
        }
    }

    void boundsStandForDataThatAreNot()
    {
        const Model model = modelOf(R"(graph unknown
  symbol u0 range 0..
  module body "Body"
  input %x : f32[1, 16]
  input %count : i64[]
  %item : size(u0) = aten::item.default(self %count) @body
  %ones : f32[u0, 16] = aten::new_ones.default(self %x, size [%item, 16])
  return %ones
)");
        const QString error = errorOf(traceModel(model, {}));
        QVERIFY2(error.startsWith("node 'item' (aten::item.default) in module 'body': ") &&
                     error.contains("needs data, and the meta device has none; the size u0 has no value"),
                 qPrintable(error));
        const Trace trace = traceOf(model, {.bounds = {{"u0", 9}}});
        QCOMPARE(trace.inexact.size(), 2u); // the number, and what has its size
        QVERIFY(trace.inexact[0].text().ends_with("taken at its bound, u0 = 9"));
        // For the size that a person binds, all is exact.
        QVERIFY(traceOf(model, {.bindings = {{"u0", 9}}}).inexact.empty());
    }

    void stopsWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        const Model model = modelOf(mlp);
        const Result<Trace> trace = traceModel(model, {}, Progress(stop.get_token()));
        QVERIFY(!trace.has_value());
        QVERIFY(trace.error().code == ErrorCode::Cancelled);
    }

    void saysHowFarItIs()
    {
        std::vector<std::string> said;
        const Progress progress(std::stop_token(),
                                [&](std::string_view activity, std::optional<double> fraction) {
                                    if (fraction < 1)
                                        said.emplace_back(activity);
                                });
        QVERIFY(traceModel(modelOf(mlp), {}, progress).has_value());
        QVERIFY(!said.empty());
        QVERIFY(std::ranges::all_of(said, [](const std::string& activity) { return activity == "Tracing"; }));
    }

    // The derivative of a sign is zeros without elements: another gradient cannot be added to them in place.
    void addsToZerosThatHaveNoElements()
    {
        const Model model = modelOf(R"(graph zeros
  param %w "w" : f32[4, 5]
  %sine : f32[4, 5] = aten::sin.default(%w)
  %sign : f32[4, 5] = aten::sgn.default(%w)
  %sum : f32[4, 5] = aten::add.Tensor(%sine, %sign)
  return %sum
)");
        const Trace trace = traceOf(model, {.lowering = {.kind = LoweringKind::Device}});
        QCOMPARE(trace.liveAtEndOutputsDropped.count(), std::int64_t{4 * 5 * 4});
    }

    // SoftMax.cu, softmax_backward_cuda_out: `Tensor tmp = grad * output`, beside the result; a CPU has none.
    void softmaxBackwardHoldsAProduct()
    {
        const Model model = modelOf(R"(graph softmax
  param %w "w" : f16[4, 5]
  %y : f16[4, 5] = aten::softmax.int(%w, -1)
  return %y
)");
        const auto scratch = [&](LoweringTarget::DeviceType device) {
            const Trace trace =
                traceOf(model, {.lowering = {.kind = LoweringKind::Device, .deviceType = device}});
            for (const TraceOp& op : trace.ops)
                if (trace.opNames[op.name].name == "aten::_softmax_backward_data")
                    return op.scratch.count();
            return std::int64_t{-1};
        };
        QCOMPARE(scratch(LoweringTarget::DeviceType::Cuda), std::int64_t{4 * 5 * 2});
        QCOMPARE(scratch(LoweringTarget::DeviceType::Cpu), std::int64_t{0});
    }

    // mha_bwd of flash_api.cpp (PyTorch 2.13): softmax_d, of rows in blocks of 128, and dq_accum, of heads in
    // steps of 32; keys and values for each head of the query, where several share one.
    void flashAttentionHoldsSumsWhileItGoesBack()
    {
        const auto scratch = [](const std::string& keyHeads) {
            const Model model =
                modelOf(("graph flash\n"
                         "  param %q \"q\" : f16[2, 4, 100, 40]\n"
                         "  param %k \"k\" : f16[2, " +
                         keyHeads +
                         ", 100, 40]\n"
                         "  param %v \"v\" : f16[2, " +
                         keyHeads +
                         ", 100, 40]\n"
                         "  %y : f16[2, 4, 100, 40] = aten::scaled_dot_product_attention.default("
                         "%q, %k, %v, none, 0.0, false, enable_gqa=true)\n"
                         "  return %y\n")
                            .c_str());
            const Trace trace = traceOf(
                model,
                {.lowering = {.kind = LoweringKind::Device, .deviceType = LoweringTarget::DeviceType::Cuda}});
            for (const TraceOp& op : trace.ops)
                if (trace.opNames[op.name].name == "aten::_scaled_dot_product_flash_attention_backward")
                    return op.scratch.count();
            return std::int64_t{-1};
        };
        constexpr std::int64_t sums = 2 * 4 * 128 * 4 + 2 * 128 * 4 * 64 * 4;
        QCOMPARE(scratch("4"), sums);
        QCOMPARE(scratch("2"), sums + 2 * (2 * 100 * 4 * 40 * 2));
    }

    // kernel_backward.h of mem_eff_attention, workspace_size(): two blocks of 64 rows, one of 64 columns for
    // each of 8 heads; attention_backward.cu: delta, a number a row.
    void efficientAttentionHoldsSumsWhileItGoesBack()
    {
        const auto scratch = [](const std::string& type, const std::string& width) {
            const std::string shape = type + "[2, 4, 100, " + width + "]";
            const Model model =
                modelOf(("graph efficient\n  param %q \"q\" : " + shape + "\n  param %k \"k\" : " + shape +
                         "\n  param %v \"v\" : " + shape + "\n  %y : " + shape +
                         " = aten::scaled_dot_product_attention.default(%q, %k, %v)\n"
                         "  return %y\n")
                            .c_str());
            const Trace trace =
                traceOf(model, {.lowering = {.kind = LoweringKind::Efficient,
                                             .deviceType = LoweringTarget::DeviceType::Cuda}});
            for (const TraceOp& op : trace.ops)
                if (trace.opNames[op.name].name == "aten::_scaled_dot_product_efficient_attention_backward")
                    return op.scratch.count();
            return std::int64_t{-1};
        };
        constexpr std::int64_t delta = 2 * 4 * 100 * 4, block = 64 * 64 * 4 + 16;
        QCOMPARE(scratch("f32", "40"), delta + 8 * 2 * block);
        QCOMPARE(scratch("f16", "40"), delta + 8 * 2 * block);
        // Of keys and values for each of two shares, 64 rows of 192 columns.
        QCOMPARE(scratch("f16", "192"), delta + 8 * (2 * 3 * block + 2 * 64 * (192 + 192) * 4));
        QCOMPARE(scratch("f32", "192"), delta + 8 * 2 * 3 * block);
    }

    void recordsStoragesThatGrowInPlace()
    {
        const Model model = modelOf(R"(graph resize
  input %x : f32[8]
  %a : f32[8] = aten::neg.default(%x)
  %b : f32[100] = aten::resize_.default(%a, [100])
  return %b
)");
        const Trace trace = traceOf(model);
        QCOMPARE(trace.resizes.size(), 1u);
        QCOMPARE(trace.resizes[0].before.count(), 32);
        QCOMPARE(trace.resizes[0].after.count(), 400);
        QCOMPARE(trace.liveAfterForward.count(), 400);
    }

    // What fails in the middle leaves nothing switched on.
    void worksAgainAfterAFailure()
    {
        const Model wrong = modelOf(R"(graph wrong
  input %x : f32[8, 16]
  param %w "w" : f32[4, 5]
  %y : f32[u7, 4] = aten::linear.default(%x, %w)
  return %y
)");
        QVERIFY(!traceModel(wrong, {}).has_value());
        QVERIFY(traceSelfTest().has_value());
    }
};

QTEST_GUILESS_MAIN(TestTrace)
#include "tst_trace.moc"
