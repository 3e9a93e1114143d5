#include "core/measure/probe_models.h"

#include "core/graph/program.h"

#include <array>

namespace stagecraft {

namespace {

template <std::size_t count>
using Row = std::array<std::int64_t, count>; // the sizes of one program of a family

const Argument none = NoneArgument{};

// d wide, h inside, k classes.
Graph perceptron(const Row<6>& row)
{
    const auto [b, r, n, d, h, k] = row;
    Program probe("perceptron");
    const auto x = probe.input({b, r, d});
    const auto t = probe.input({n}, DType::I64);
    const auto w0 = probe.param("a.weight", {h, d});
    const auto b0 = probe.param("a.bias", {h});
    const auto w1 = probe.param("b.weight", {d, h});
    const auto b1 = probe.param("b.bias", {d});
    const auto w2 = probe.param("c.weight", {h, d});
    const auto w3 = probe.param("d.weight", {k, h});
    const auto g = probe.param("norm.weight", {d});
    const auto c = probe.param("norm.bias", {d});
    const auto l0 = probe.op("linear", {b, r, h}, {x, w0, b0});
    const auto gelu = probe.op("gelu", {b, r, h}, {l0});
    const auto l1 = probe.op("linear", {b, r, d}, {gelu, w1, b1});
    const auto norm = probe.op("layer_norm", {b, r, d}, {l1, ints({d}), g, c});
    const auto sum = probe.op("add.Tensor", {b, r, d}, {norm, x});
    const auto l2 = probe.op("linear", {b, r, h}, {sum, w2});
    const auto relu = probe.op("relu", {b, r, h}, {l2});
    const auto l3 = probe.op("linear", {b, r, k}, {relu, w3});
    const auto flat = probe.op("view", {n, k}, {l3, ints({n, k})});
    return probe.returning(probe.op("cross_entropy_loss", {}, {flat, t}));
}

// Heads of width e, by the explicit route and the fused one.
Graph attention(const Row<5>& row)
{
    const auto [b, t, h, e, d] = row;
    Program probe("attention");
    const auto x = probe.param("x", {b, t, d});
    const auto y = probe.param("y", {b, t, d});
    const auto m = probe.input({t, t}, DType::Bool);
    const auto xv = probe.op("view", {b, t, h, e}, {x, ints({b, t, h, e})});
    const auto q = probe.op("transpose.int", {b, h, t, e}, {xv, 1, 2});
    const auto yv = probe.op("view", {b, t, h, e}, {y, ints({b, t, h, e})});
    const auto k = probe.op("transpose.int", {b, h, t, e}, {yv, 1, 2});
    const auto kt = probe.op("transpose.int", {b, h, e, t}, {k, 2, 3});
    const auto s = probe.op("matmul", {b, h, t, t}, {q, kt});
    const auto scaled = probe.op("div.Tensor", {b, h, t, t}, {s, 8.0});
    const auto masked = probe.op("masked_fill.Scalar", {b, h, t, t}, {scaled, m, -1.0});
    const auto p = probe.op("softmax.int", {b, h, t, t}, {masked, -1});
    const auto drop = probe.op("dropout", {b, h, t, t}, {p, 0.1, true});
    const auto o = probe.op("matmul", {b, h, t, e}, {drop, q});
    const auto f = probe.op("scaled_dot_product_attention", {b, h, t, e}, {o, k, q});
    const auto back = probe.op("transpose.int", {b, t, h, e}, {f, 1, 2});
    const auto rows = probe.op("contiguous", {b, t, h, e}, {back});
    const auto z = probe.op("view", {b, t, d}, {rows, ints({b, t, d})});
    return probe.returning(probe.op("mul.Tensor", {b, t, d}, {z, x}));
}

// c channels on s x s, e of them inside, k classes; a stem, a residual block, an inverted one, pooling.
Graph convolutions(const Row<7>& row)
{
    const auto [n, c, e, s, q, z, k] = row;
    Program probe("convolutions");
    const auto x = probe.input({n, 3, s, s});
    const auto w0 = probe.param("stem.weight", {c, 3, 3, 3});
    const auto g0 = probe.param("n0.weight", {c});
    const auto b0 = probe.param("n0.bias", {c});
    const auto m0 = probe.buffer("n0.running_mean", {c});
    const auto v0 = probe.buffer("n0.running_var", {c});
    const auto w1 = probe.param("c1.weight", {c, c, 3, 3});
    const auto w2 = probe.param("c2.weight", {e, c, 1, 1});
    const auto g2 = probe.param("n2.weight", {e});
    const auto b2 = probe.param("n2.bias", {e});
    const auto m2 = probe.buffer("n2.running_mean", {e});
    const auto v2 = probe.buffer("n2.running_var", {e});
    const auto w3 = probe.param("c3.weight", {e, 1, 3, 3});
    const auto w4 = probe.param("c4.weight", {c, e, 1, 1});
    const auto w5 = probe.param("c5.weight", {e, c, 3, 3});
    const auto w6 = probe.param("fc.weight", {k, e});
    const auto b6 = probe.param("fc.bias", {k});
    const auto c0 = probe.op("conv2d", {n, c, s, s}, {x, w0, none, ints({1, 1}), ints({1, 1})});
    const auto n0 = probe.op("batch_norm", {n, c, s, s}, {c0, g0, b0, m0, v0, true, 0.1, 1e-05, true});
    const auto r0 = probe.op("relu_", {n, c, s, s}, {n0});
    const auto c1 = probe.op("conv2d", {n, c, s, s}, {r0, w1, none, ints({1, 1}), ints({1, 1})});
    const auto a1 = probe.op("add_.Tensor", {n, c, s, s}, {c1, r0});
    const auto c2 = probe.op("conv2d", {n, e, s, s}, {a1, w2});
    const auto n2 = probe.op("batch_norm", {n, e, s, s}, {c2, g2, b2, m2, v2, true, 0.1, 1e-05, true});
    const auto r2 = probe.op("hardtanh", {n, e, s, s}, {n2, 0.0, 6.0});
    const auto c3 =
        probe.op("conv2d", {n, e, s, s}, {r2, w3, none, ints({1, 1}), ints({1, 1}), ints({1, 1}), e});
    const auto r3 = probe.op("hardswish_", {n, e, s, s}, {c3});
    const auto c4 = probe.op("conv2d", {n, c, s, s}, {r3, w4});
    const auto p = probe.op("max_pool2d", {n, c, q, q}, {c4, ints({3, 3}), ints({2, 2}), ints({1, 1})});
    const auto c5 = probe.op("conv2d", {n, e, z, z}, {p, w5, none, ints({2, 2}), ints({1, 1})});
    const auto s5 = probe.op("silu", {n, e, z, z}, {c5});
    const auto avg = probe.op("adaptive_avg_pool2d", {n, e, 1, 1}, {s5, ints({1, 1})});
    const auto flat = probe.op("flatten.using_ints", {n, e}, {avg, 1});
    return probe.returning(probe.op("linear", {n, k}, {flat, w6, b6}));
}

// Rows of d: what is done to elements, rows and layouts.
Graph streams(const Row<5>& row)
{
    const auto [r, d, e, h, g] = row;
    Program probe("streams");
    const auto x = probe.param("x", {r, d});
    const auto y = probe.param("y", {r, d});
    const auto m = probe.input({r, d}, DType::Bool);
    const auto add = probe.op("add.Tensor", {r, d}, {x, y});
    const auto mul = probe.op("mul.Tensor", {r, d}, {add, y});
    const auto half = probe.op("mul.Tensor", {r, d}, {mul, 0.5});
    const auto silu = probe.chain(half, {r, d}, {"sigmoid", "tanh", "gelu", "silu"});
    const auto same = probe.chain(silu, {r, d}, {"exp", "log"});
    const auto squares = probe.op("pow.Tensor_Scalar", {r, d}, {same, 2.0});
    const auto mean = probe.op("mean.dim", {r, 1}, {squares, ints({1}), true});
    const auto eps = probe.op("add.Tensor", {r, 1}, {mean, 0.001});
    const auto rsqrt = probe.op("rsqrt", {r, 1}, {eps});
    const auto rms = probe.op("mul.Tensor", {r, d}, {squares, rsqrt});
    const auto neg = probe.op("neg", {r, d}, {rms});
    const auto chosen = probe.op("where.self", {r, d}, {m, neg, silu});
    const auto sub = probe.op("sub.Tensor", {r, d}, {chosen, x});
    const auto softplus = probe.op("softplus", {r, d}, {sub});
    const auto root = probe.op("sqrt", {r, d}, {softplus});
    const auto clamp = probe.op("clamp", {r, d}, {root, 0.0, 6.0});
    const auto div = probe.op("div.Tensor", {r, d}, {clamp, softplus});
    const auto logSoftmax = probe.op("log_softmax.int", {r, d}, {div, 1});
    const auto t = probe.op("t", {d, r}, {logSoftmax});
    const auto c = probe.op("contiguous", {d, r}, {t});
    const auto sum = probe.op("sum.dim_IntList", {d}, {c, ints({1})});
    const auto cat = probe.op("cat", {r, e}, {TensorListArgument{{div, rms}}, 1});
    const auto slice = probe.op("slice.Tensor", {r, d}, {cat, 1, h, g});
    return probe.returning(probe.op("mul.Tensor", {r, d}, {slice, sum}));
}

// c channels of length t, by strides of two and with a long kernel in groups; then rows of all there is.
Graph sequences(const Row<7>& row)
{
    const auto [n, c, g, t, s, u, m] = row;
    Program probe("sequences");
    const auto x = probe.param("x", {n, c, t});
    const auto w = probe.param("down.weight", {c, c, 3});
    const auto v = probe.param("place.weight", {c, g, 16});
    const auto b = probe.param("place.bias", {c});
    const auto down = probe.op("conv1d", {n, c, s}, {x, w, none, ints({2}), ints({1})});
    const auto gelu = probe.op("gelu", {n, c, s}, {down});
    const auto place = probe.op("conv1d", {n, c, u}, {gelu, v, b, ints({1}), ints({8}), ints({1}), 4});
    const auto cut = probe.op("slice.Tensor", {n, c, s}, {place, 2, 0, -1});
    const auto sum = probe.op("add.Tensor", {n, c, s}, {cut, gelu});
    const auto turned = probe.op("transpose.int", {n, s, c}, {sum, 1, 2});
    const auto flat = probe.op("reshape", {n, m}, {turned, ints({n, m})});
    const auto share = probe.op("softmax.int", {n, m}, {flat, 1});
    return probe.returning(probe.op("mul.Tensor", {n, m}, {share, flat}));
}

// v words of d, n of them looked up, and neighbours chosen.
Graph lookups(const Row<3>& row)
{
    const auto [v, d, n] = row;
    Program probe("lookups");
    const auto table = probe.param("table", {v, d});
    const auto w = probe.param("w", {d});
    const auto ids = probe.input({n}, DType::I64);
    const auto pick = probe.input({n, 1}, DType::I64);
    const auto rows = probe.op("embedding", {n, d}, {table, ids});
    const auto scaled = probe.op("mul.Tensor", {n, d}, {rows, w});
    const auto some = probe.op("index_select", {n, d}, {scaled, 0, ids});
    const auto one = probe.op("gather", {n, 1}, {some, 1, pick});
    const auto which = probe.op("index.Tensor", {n, d}, {scaled, TensorListArgument{{ids}}});
    return probe.returning(probe.op("add.Tensor", {n, d}, {which, one}));
}

// One convolution from i to o channels on s x s, in steps of d, onto t x t.
Graph convolution(const Row<8>& row)
{
    const auto [n, i, o, k, s, d, t, p] = row;
    Program probe("convolution");
    const auto x = probe.param("x", {n, i, s, s});
    const auto w = probe.param("weight", {o, i, k, k});
    const auto y = probe.op("conv2d", {n, o, t, t}, {x, w, none, ints({d, d}), ints({p, p})});
    return probe.returning(probe.op("relu", {n, o, t, t}, {y}));
}

// Those that image models are made of: batch, channels in and out, kernel, side, step.
std::vector<Row<8>> convolutionRows()
{
    std::vector<Row<8>> rows{
        {1, 16, 16, 3, 32, 1},   {4, 16, 32, 3, 16, 2},   {4, 32, 32, 3, 16, 1},  {2, 32, 64, 3, 16, 2},
        {4, 64, 64, 3, 8, 1},    {2, 48, 48, 5, 14, 1},   {1, 64, 64, 3, 56, 1},  {1, 128, 128, 3, 28, 1},
        {1, 256, 256, 3, 14, 1}, {1, 512, 512, 3, 7, 1},  {2, 512, 512, 3, 2, 1}, {1, 64, 128, 3, 56, 2},
        {1, 128, 256, 3, 28, 2}, {1, 256, 512, 3, 14, 2}, {1, 64, 128, 1, 56, 2}, {1, 256, 512, 1, 14, 2},
        {1, 3, 64, 7, 112, 2},   {2, 64, 256, 1, 28, 1},  {2, 256, 64, 1, 28, 1}, {1, 1024, 256, 1, 14, 1},
        {1, 512, 2048, 1, 7, 1}, {2, 96, 24, 1, 56, 1}};
    for (auto& [n, i, o, kernel, side, step, out, padding] : rows) {
        out = (side + step - 1) / step;
        padding = kernel / 2;
    }
    return rows;
}

// Upwards again: c channels on s x s, half of them on twice the side.
Graph decoder(const Row<6>& row)
{
    const auto [n, c, h, d, s, t] = row;
    Program probe("decoder");
    const auto x = probe.param("x", {n, c, s, s});
    const auto g = probe.param("norm.weight", {c});
    const auto b = probe.param("norm.bias", {c});
    const auto w = probe.param("up.weight", {c, h, 2, 2});
    const auto v = probe.param("conv.weight", {h, d, 3, 3});
    const auto norm = probe.op("group_norm", {n, c, s, s}, {x, 4, g, b});
    const auto leaky = probe.op("leaky_relu", {n, c, s, s}, {norm, 0.1});
    const auto up = probe.op("conv_transpose2d.input", {n, h, t, t}, {leaky, w, none, ints({2, 2})});
    const auto near = probe.op("upsample_nearest2d.vec", {n, c, t, t}, {leaky, none, std::vector{2.0, 2.0}});
    const auto cat = probe.op("cat", {n, d, t, t}, {TensorListArgument{{up, near}}, 1});
    const auto conv = probe.op("conv2d", {n, h, t, t}, {cat, v, none, ints({1, 1}), ints({1, 1})});
    const auto pool = probe.op("avg_pool2d", {n, h, s, s}, {conv, ints({2, 2})});
    return probe.returning(probe.op("relu", {n, h, s, s}, {pool}));
}

// One transposed convolution from i to o channels in g groups, from s x s onto t x t; with the bias that such
// layers mostly have, which takes a library another way.
Graph transposed(const Row<9>& row)
{
    const auto [n, i, o, k, s, g, t, m, p] = row;
    Program probe("transposed");
    const auto x = probe.param("x", {n, i, s, s});
    const auto w = probe.param("weight", {i, m, k, k});
    const auto b = probe.param("bias", {o});
    const auto y = probe.op("conv_transpose2d.input", {n, o, t, t},
                            {x, w, b, ints({2, 2}), ints({p, p}), ints({0, 0}), g});
    return probe.returning(probe.op("relu", {n, o, t, t}, {y}));
}

// Those that decoders and generators are made of, in groups: each doubles the side.
std::vector<Row<9>> transposedRows()
{
    std::vector<Row<9>> rows{{4, 16, 8, 2, 16, 1},   {1, 32, 16, 2, 64, 1},   {1, 64, 32, 2, 32, 1},
                             {2, 128, 64, 2, 16, 1}, {1, 256, 128, 2, 14, 1}, {1, 512, 256, 2, 7, 1},
                             {2, 64, 32, 4, 16, 1},  {1, 256, 128, 4, 8, 1},  {2, 32, 16, 4, 16, 4},
                             {1, 64, 32, 2, 32, 4},  {1, 64, 64, 4, 14, 64}};
    for (auto& [n, i, o, kernel, side, groups, out, each, padding] : rows) {
        out = 2 * side;
        each = o / groups;
        padding = kernel / 2 - 1;
    }
    return rows;
}

template <std::size_t count>
std::vector<Graph> family(Graph (*make)(const Row<count>&),
                          const std::type_identity_t<std::vector<Row<count>>>& rows)
{
    std::vector<Graph> graphs;
    for (const Row<count>& row : rows)
        graphs.push_back(make(row));
    return graphs;
}

} // namespace

std::vector<std::vector<Graph>> probeGraphs()
{
    return {
        family(perceptron, {{1, 4, 4, 16, 32, 10},
                            {2, 16, 32, 64, 256, 64},
                            {2, 32, 64, 32, 128, 1000},
                            {4, 64, 256, 128, 512, 512},
                            {2, 256, 512, 48, 192, 48},
                            {8, 128, 1024, 24, 96, 24},
                            {1, 784, 784, 96, 384, 96},
                            {1, 3136, 3136, 96, 96, 32},
                            {1, 8, 8, 256, 1024, 1000},
                            {2, 128, 256, 256, 1024, 4000},
                            {4, 128, 512, 512, 512, 2000},
                            {2, 256, 512, 768, 2048, 768}}),
        family(attention, {{1, 8, 2, 8, 16},
                           {2, 16, 4, 16, 64},
                           {2, 32, 2, 16, 32},
                           {2, 64, 4, 32, 128},
                           {16, 49, 3, 32, 96},
                           {64, 49, 4, 16, 64},
                           {16, 16, 8, 16, 128},
                           {96, 16, 8, 8, 64},
                           {2, 128, 8, 64, 512},
                           {8, 64, 12, 64, 768},
                           {1, 512, 12, 64, 768}}),
        family(convolutions, {{1, 8, 16, 8, 4, 2, 10},
                              {2, 16, 64, 16, 8, 4, 10},
                              {2, 32, 96, 32, 16, 8, 100},
                              {1, 256, 512, 8, 4, 2, 1000},
                              {2, 64, 256, 56, 28, 14, 1000},
                              {4, 128, 256, 16, 8, 4, 100},
                              {4, 24, 144, 64, 32, 16, 100}}),
        family(convolution, convolutionRows()),
        family(decoder, {{1, 8, 4, 12, 8, 16}, {2, 32, 16, 48, 16, 32}, {2, 64, 32, 96, 32, 64}}),
        family(transposed, transposedRows()),
        family(sequences, {{2, 16, 4, 64, 32, 33, 512},
                           {2, 64, 16, 256, 128, 129, 8192},
                           {4, 256, 64, 512, 256, 257, 65536}}),
        family(streams, {{4, 64, 128, 32, 96},
                         {32, 128, 256, 64, 192},
                         {128, 256, 512, 128, 384},
                         {512, 512, 1024, 256, 768},
                         {1024, 1024, 2048, 512, 1536},
                         {4096, 1024, 2048, 512, 1536}}),
        family(lookups, {{64, 32, 16}, {1000, 64, 128}, {8000, 256, 512}, {30000, 768, 1024}}),
    };
}

Graph viewGraph()
{
    constexpr int views = 50;
    Program probe("views");
    ValueId view = probe.param("x", {8, 8});
    for (int i = 0; i < views; ++i) {
        view = probe.op("view", {64}, {view, ints({64})});
        view = probe.op("view", {8, 8}, {view, ints({8, 8})});
    }
    return probe.returning(view);
}

Graph productGraph(DType dtype)
{
    Program probe("product", dtype);
    const auto x = probe.input({512, 512});
    const auto w = probe.param("w", {512, 512});
    return probe.returning(probe.op("mm", {512, 512}, {x, w}));
}

} // namespace stagecraft
