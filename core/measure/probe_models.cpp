#include "core/measure/probe_models.h"

#include <cstdint>
#include <string_view>

namespace stagecraft {

namespace {

// A size for each letter of a family; "$r" in its program stands for that of r.
using Row = std::vector<std::int64_t>;

struct Family
{
    std::string_view program;
    std::string_view letters;
    std::vector<Row> rows;
};

std::string filledIn(const Family& family, const Row& row)
{
    const std::string_view program = family.program;
    std::string text;
    for (std::size_t i = 0; i < program.size(); ++i) {
        const std::size_t letter =
            program[i] == '$' ? family.letters.find(program[i + 1]) : std::string_view::npos;
        if (letter == std::string_view::npos) {
            text += program[i];
            continue;
        }
        text += std::to_string(row[letter]);
        ++i;
    }
    return text;
}

// d wide, h inside, k classes.
constexpr std::string_view perceptron = R"(graph perceptron
  input %x : f32[$b, $r, $d]
  input %t : i64[$n]
  param %w0 "a.weight" : f32[$h, $d]
  param %b0 "a.bias" : f32[$h]
  param %w1 "b.weight" : f32[$d, $h]
  param %b1 "b.bias" : f32[$d]
  param %w2 "c.weight" : f32[$h, $d]
  param %w3 "d.weight" : f32[$k, $h]
  param %g "norm.weight" : f32[$d]
  param %c "norm.bias" : f32[$d]
  %l0 : f32[$b, $r, $h] = aten::linear.default(%x, %w0, %b0)
  %gelu : f32[$b, $r, $h] = aten::gelu.default(%l0)
  %l1 : f32[$b, $r, $d] = aten::linear.default(%gelu, %w1, %b1)
  %norm : f32[$b, $r, $d] = aten::layer_norm.default(%l1, [$d], %g, %c)
  %sum : f32[$b, $r, $d] = aten::add.Tensor(%norm, %x)
  %l2 : f32[$b, $r, $h] = aten::linear.default(%sum, %w2)
  %relu : f32[$b, $r, $h] = aten::relu.default(%l2)
  %l3 : f32[$b, $r, $k] = aten::linear.default(%relu, %w3)
  %flat : f32[$n, $k] = aten::view.default(%l3, [$n, $k])
  %loss : f32[] = aten::cross_entropy_loss.default(%flat, %t)
  return %loss
)";

// Heads of width e, by the explicit route and the fused one.
constexpr std::string_view attention = R"(graph attention
  param %x "x" : f32[$b, $t, $d]
  param %y "y" : f32[$b, $t, $d]
  input %m : bool[$t, $t]
  %xv : f32[$b, $t, $h, $e] = aten::view.default(%x, [$b, $t, $h, $e])
  %q : f32[$b, $h, $t, $e] = aten::transpose.int(%xv, 1, 2)
  %yv : f32[$b, $t, $h, $e] = aten::view.default(%y, [$b, $t, $h, $e])
  %k : f32[$b, $h, $t, $e] = aten::transpose.int(%yv, 1, 2)
  %kt : f32[$b, $h, $e, $t] = aten::transpose.int(%k, 2, 3)
  %s : f32[$b, $h, $t, $t] = aten::matmul.default(%q, %kt)
  %scaled : f32[$b, $h, $t, $t] = aten::div.Tensor(%s, 8.0)
  %masked : f32[$b, $h, $t, $t] = aten::masked_fill.Scalar(%scaled, %m, -1.0)
  %p : f32[$b, $h, $t, $t] = aten::softmax.int(%masked, -1)
  %drop : f32[$b, $h, $t, $t] = aten::dropout.default(%p, 0.1, true)
  %o : f32[$b, $h, $t, $e] = aten::matmul.default(%drop, %q)
  %f : f32[$b, $h, $t, $e] = aten::scaled_dot_product_attention.default(%o, %k, %q)
  %back : f32[$b, $t, $h, $e] = aten::transpose.int(%f, 1, 2)
  %rows : f32[$b, $t, $h, $e] = aten::contiguous.default(%back)
  %z : f32[$b, $t, $d] = aten::view.default(%rows, [$b, $t, $d])
  %w : f32[$b, $t, $d] = aten::mul.Tensor(%z, %x)
  return %w
)";

// c channels on s x s, e of them inside, k classes; a stem, a residual block, an inverted one, pooling.
constexpr std::string_view convolutions = R"(graph convolutions
  input %x : f32[$n, 3, $s, $s]
  param %w0 "stem.weight" : f32[$c, 3, 3, 3]
  param %g0 "n0.weight" : f32[$c]
  param %b0 "n0.bias" : f32[$c]
  buffer %m0 "n0.running_mean" : f32[$c]
  buffer %v0 "n0.running_var" : f32[$c]
  param %w1 "c1.weight" : f32[$c, $c, 3, 3]
  param %w2 "c2.weight" : f32[$e, $c, 1, 1]
  param %g2 "n2.weight" : f32[$e]
  param %b2 "n2.bias" : f32[$e]
  buffer %m2 "n2.running_mean" : f32[$e]
  buffer %v2 "n2.running_var" : f32[$e]
  param %w3 "c3.weight" : f32[$e, 1, 3, 3]
  param %w4 "c4.weight" : f32[$c, $e, 1, 1]
  param %w5 "c5.weight" : f32[$e, $c, 3, 3]
  param %w6 "fc.weight" : f32[$k, $e]
  param %b6 "fc.bias" : f32[$k]
  %c0 : f32[$n, $c, $s, $s] = aten::conv2d.default(%x, %w0, none, [1, 1], [1, 1])
  %n0 : f32[$n, $c, $s, $s] = aten::batch_norm.default(%c0, %g0, %b0, %m0, %v0, true, 0.1, 1e-05, true)
  %r0 : f32[$n, $c, $s, $s] = aten::relu_.default(%n0)
  %c1 : f32[$n, $c, $s, $s] = aten::conv2d.default(%r0, %w1, none, [1, 1], [1, 1])
  %a1 : f32[$n, $c, $s, $s] = aten::add_.Tensor(%c1, %r0)
  %c2 : f32[$n, $e, $s, $s] = aten::conv2d.default(%a1, %w2)
  %n2 : f32[$n, $e, $s, $s] = aten::batch_norm.default(%c2, %g2, %b2, %m2, %v2, true, 0.1, 1e-05, true)
  %r2 : f32[$n, $e, $s, $s] = aten::hardtanh.default(%n2, 0.0, 6.0)
  %c3 : f32[$n, $e, $s, $s] = aten::conv2d.default(%r2, %w3, none, [1, 1], [1, 1], [1, 1], $e)
  %r3 : f32[$n, $e, $s, $s] = aten::hardswish_.default(%c3)
  %c4 : f32[$n, $c, $s, $s] = aten::conv2d.default(%r3, %w4)
  %p : f32[$n, $c, $q, $q] = aten::max_pool2d.default(%c4, [3, 3], [2, 2], [1, 1])
  %c5 : f32[$n, $e, $z, $z] = aten::conv2d.default(%p, %w5, none, [2, 2], [1, 1])
  %s5 : f32[$n, $e, $z, $z] = aten::silu.default(%c5)
  %avg : f32[$n, $e, 1, 1] = aten::adaptive_avg_pool2d.default(%s5, [1, 1])
  %flat : f32[$n, $e] = aten::flatten.using_ints(%avg, 1)
  %y : f32[$n, $k] = aten::linear.default(%flat, %w6, %b6)
  return %y
)";

// Rows of d: what is done to elements, rows and layouts.
constexpr std::string_view streams = R"(graph streams
  param %x "x" : f32[$r, $d]
  param %y "y" : f32[$r, $d]
  input %m : bool[$r, $d]
  %add : f32[$r, $d] = aten::add.Tensor(%x, %y)
  %mul : f32[$r, $d] = aten::mul.Tensor(%add, %y)
  %half : f32[$r, $d] = aten::mul.Tensor(%mul, 0.5)
  %sigmoid : f32[$r, $d] = aten::sigmoid.default(%half)
  %tanh : f32[$r, $d] = aten::tanh.default(%sigmoid)
  %gelu : f32[$r, $d] = aten::gelu.default(%tanh)
  %silu : f32[$r, $d] = aten::silu.default(%gelu)
  %exp : f32[$r, $d] = aten::exp.default(%silu)
  %log : f32[$r, $d] = aten::log.default(%exp)
  %pow : f32[$r, $d] = aten::pow.Tensor_Scalar(%log, 2.0)
  %mean : f32[$r, 1] = aten::mean.dim(%pow, [1], true)
  %eps : f32[$r, 1] = aten::add.Tensor(%mean, 0.001)
  %rsqrt : f32[$r, 1] = aten::rsqrt.default(%eps)
  %rms : f32[$r, $d] = aten::mul.Tensor(%pow, %rsqrt)
  %neg : f32[$r, $d] = aten::neg.default(%rms)
  %where : f32[$r, $d] = aten::where.self(%m, %neg, %silu)
  %sub : f32[$r, $d] = aten::sub.Tensor(%where, %x)
  %softplus : f32[$r, $d] = aten::softplus.default(%sub)
  %sqrt : f32[$r, $d] = aten::sqrt.default(%softplus)
  %clamp : f32[$r, $d] = aten::clamp.default(%sqrt, 0.0, 6.0)
  %div : f32[$r, $d] = aten::div.Tensor(%clamp, %softplus)
  %log_softmax : f32[$r, $d] = aten::log_softmax.int(%div, 1)
  %t : f32[$d, $r] = aten::t.default(%log_softmax)
  %c : f32[$d, $r] = aten::contiguous.default(%t)
  %sum : f32[$d] = aten::sum.dim_IntList(%c, [1])
  %cat : f32[$r, $e] = aten::cat.default([%div, %rms], 1)
  %slice : f32[$r, $d] = aten::slice.Tensor(%cat, 1, $h, $g)
  %out : f32[$r, $d] = aten::mul.Tensor(%slice, %sum)
  return %out
)";

// c channels of length t, by strides of two and with a long kernel in groups; then rows of all there is.
constexpr std::string_view sequences = R"(graph sequences
  param %x "x" : f32[$n, $c, $t]
  param %w "down.weight" : f32[$c, $c, 3]
  param %v "place.weight" : f32[$c, $g, 16]
  param %b "place.bias" : f32[$c]
  %down : f32[$n, $c, $s] = aten::conv1d.default(%x, %w, none, [2], [1])
  %gelu : f32[$n, $c, $s] = aten::gelu.default(%down)
  %place : f32[$n, $c, $u] = aten::conv1d.default(%gelu, %v, %b, [1], [8], [1], 4)
  %cut : f32[$n, $c, $s] = aten::slice.Tensor(%place, 2, 0, -1)
  %sum : f32[$n, $c, $s] = aten::add.Tensor(%cut, %gelu)
  %turned : f32[$n, $s, $c] = aten::transpose.int(%sum, 1, 2)
  %flat : f32[$n, $m] = aten::reshape.default(%turned, [$n, $m])
  %share : f32[$n, $m] = aten::softmax.int(%flat, 1)
  %y : f32[$n, $m] = aten::mul.Tensor(%share, %flat)
  return %y
)";

// v words of d, n of them looked up, and neighbours chosen.
constexpr std::string_view lookups = R"(graph lookups
  param %table "table" : f32[$v, $d]
  param %w "w" : f32[$d]
  input %ids : i64[$n]
  input %pick : i64[$n, 1]
  %rows : f32[$n, $d] = aten::embedding.default(%table, %ids)
  %scaled : f32[$n, $d] = aten::mul.Tensor(%rows, %w)
  %some : f32[$n, $d] = aten::index_select.default(%scaled, 0, %ids)
  %one : f32[$n, 1] = aten::gather.default(%some, 1, %pick)
  %which : f32[$n, $d] = aten::index.Tensor(%scaled, [%ids])
  %y : f32[$n, $d] = aten::add.Tensor(%which, %one)
  return %y
)";

// One convolution from i to o channels on s x s, in steps of d, onto t x t.
constexpr std::string_view convolution = R"(graph convolution
  param %x "x" : f32[$n, $i, $s, $s]
  param %w "weight" : f32[$o, $i, $k, $k]
  %y : f32[$n, $o, $t, $t] = aten::conv2d.default(%x, %w, none, [$d, $d], [$p, $p])
  %z : f32[$n, $o, $t, $t] = aten::relu.default(%y)
  return %z
)";

// Those that image models are made of: batch, channels in and out, kernel, side, step.
std::vector<Row> convolutionRows()
{
    std::vector<Row> rows{
        {1, 16, 16, 3, 32, 1},   {4, 16, 32, 3, 16, 2},   {4, 32, 32, 3, 16, 1},  {2, 32, 64, 3, 16, 2},
        {4, 64, 64, 3, 8, 1},    {2, 48, 48, 5, 14, 1},   {1, 64, 64, 3, 56, 1},  {1, 128, 128, 3, 28, 1},
        {1, 256, 256, 3, 14, 1}, {1, 512, 512, 3, 7, 1},  {2, 512, 512, 3, 2, 1}, {1, 64, 128, 3, 56, 2},
        {1, 128, 256, 3, 28, 2}, {1, 256, 512, 3, 14, 2}, {1, 64, 128, 1, 56, 2}, {1, 256, 512, 1, 14, 2},
        {1, 3, 64, 7, 112, 2},   {2, 64, 256, 1, 28, 1},  {2, 256, 64, 1, 28, 1}, {1, 1024, 256, 1, 14, 1},
        {1, 512, 2048, 1, 7, 1}, {2, 96, 24, 1, 56, 1}};
    for (Row& row : rows) {
        const std::int64_t kernel = row[3], side = row[4], step = row[5];
        row.insert(row.end(), {(side + step - 1) / step, kernel / 2});
    }
    return rows;
}

// Upwards again: c channels on s x s, half of them on twice the side.
constexpr std::string_view decoder = R"(graph decoder
  param %x "x" : f32[$n, $c, $s, $s]
  param %g "norm.weight" : f32[$c]
  param %b "norm.bias" : f32[$c]
  param %w "up.weight" : f32[$c, $h, 2, 2]
  param %v "conv.weight" : f32[$h, $d, 3, 3]
  %norm : f32[$n, $c, $s, $s] = aten::group_norm.default(%x, 4, %g, %b)
  %leaky : f32[$n, $c, $s, $s] = aten::leaky_relu.default(%norm, 0.1)
  %up : f32[$n, $h, $t, $t] = aten::conv_transpose2d.input(%leaky, %w, none, [2, 2])
  %near : f32[$n, $c, $t, $t] = aten::upsample_nearest2d.vec(%leaky, none, [2.0, 2.0])
  %cat : f32[$n, $d, $t, $t] = aten::cat.default([%up, %near], 1)
  %conv : f32[$n, $h, $t, $t] = aten::conv2d.default(%cat, %v, none, [1, 1], [1, 1])
  %pool : f32[$n, $h, $s, $s] = aten::avg_pool2d.default(%conv, [2, 2])
  %y : f32[$n, $h, $s, $s] = aten::relu.default(%pool)
  return %y
)";

// One transposed convolution from i to o channels in g groups, from s x s onto t x t; with the bias that such
// layers mostly have, which takes a library another way.
constexpr std::string_view transposed = R"(graph transposed
  param %x "x" : f32[$n, $i, $s, $s]
  param %w "weight" : f32[$i, $m, $k, $k]
  param %b "bias" : f32[$o]
  %y : f32[$n, $o, $t, $t] = aten::conv_transpose2d.input(%x, %w, %b, [2, 2], [$p, $p], [0, 0], $g)
  %z : f32[$n, $o, $t, $t] = aten::relu.default(%y)
  return %z
)";

// Those that decoders and generators are made of, in groups: each doubles the side.
std::vector<Row> transposedRows()
{
    std::vector<Row> rows{{4, 16, 8, 2, 16, 1},   {1, 32, 16, 2, 64, 1},   {1, 64, 32, 2, 32, 1},
                          {2, 128, 64, 2, 16, 1}, {1, 256, 128, 2, 14, 1}, {1, 512, 256, 2, 7, 1},
                          {2, 64, 32, 4, 16, 1},  {1, 256, 128, 4, 8, 1},  {2, 32, 16, 4, 16, 4},
                          {1, 64, 32, 2, 32, 4},  {1, 64, 64, 4, 14, 64}};
    for (Row& row : rows) {
        const std::int64_t out = row[2], kernel = row[3], side = row[4], groups = row[5];
        row.insert(row.end(), {2 * side, out / groups, kernel / 2 - 1});
    }
    return rows;
}

std::vector<Family> families()
{
    return {
        {perceptron,
         "brndhk",
         {{1, 4, 4, 16, 32, 10},
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
          {2, 256, 512, 768, 2048, 768}}},
        {attention,
         "bthed",
         {{1, 8, 2, 8, 16},
          {2, 16, 4, 16, 64},
          {2, 32, 2, 16, 32},
          {2, 64, 4, 32, 128},
          {16, 49, 3, 32, 96},
          {64, 49, 4, 16, 64},
          {16, 16, 8, 16, 128},
          {96, 16, 8, 8, 64},
          {2, 128, 8, 64, 512},
          {8, 64, 12, 64, 768},
          {1, 512, 12, 64, 768}}},
        {convolutions,
         "ncesqzk",
         {{1, 8, 16, 8, 4, 2, 10},
          {2, 16, 64, 16, 8, 4, 10},
          {2, 32, 96, 32, 16, 8, 100},
          {1, 256, 512, 8, 4, 2, 1000},
          {2, 64, 256, 56, 28, 14, 1000},
          {4, 128, 256, 16, 8, 4, 100},
          {4, 24, 144, 64, 32, 16, 100}}},
        {convolution, "nioksdtp", convolutionRows()},
        {decoder, "nchdst", {{1, 8, 4, 12, 8, 16}, {2, 32, 16, 48, 16, 32}, {2, 64, 32, 96, 32, 64}}},
        {transposed, "nioksgtmp", transposedRows()},
        {sequences,
         "ncgtsum",
         {{2, 16, 4, 64, 32, 33, 512}, {2, 64, 16, 256, 128, 129, 8192}, {4, 256, 64, 512, 256, 257, 65536}}},
        {streams,
         "rdehg",
         {{4, 64, 128, 32, 96},
          {32, 128, 256, 64, 192},
          {128, 256, 512, 128, 384},
          {512, 512, 1024, 256, 768},
          {1024, 1024, 2048, 512, 1536},
          {4096, 1024, 2048, 512, 1536}}},
        {lookups, "vdn", {{64, 32, 16}, {1000, 64, 128}, {8000, 256, 512}, {30000, 768, 1024}}},
    };
}

} // namespace

std::vector<std::vector<std::string>> probePrograms()
{
    std::vector<std::vector<std::string>> programs;
    for (const Family& family : families()) {
        std::vector<std::string>& sizes = programs.emplace_back();
        for (const Row& row : family.rows)
            sizes.push_back(filledIn(family, row));
    }
    return programs;
}

std::string viewProgram()
{
    constexpr int views = 100;
    std::string text = "graph views\n  param %x \"x\" : f32[8, 8]\n";
    for (int i = 0; i < views; ++i) {
        const std::string from = i == 0 ? "%x" : "%v" + std::to_string(i - 1);
        const std::string shape = i % 2 == 0 ? "[64]" : "[8, 8]";
        text += "  %v" + std::to_string(i) + " : f32" + shape + " = aten::view.default(" + from + ", " +
                shape + ")\n";
    }
    return text + "  return %v" + std::to_string(views - 1) + "\n";
}

std::string productProgram(DType dtype)
{
    const std::string type(shortName(dtype));
    return "graph product\n  input %x : " + type + "[512, 512]\n  param %w \"w\" : " + type +
           "[512, 512]\n  %y : " + type + "[512, 512] = aten::mm.default(%x, %w)\n  return %y\n";
}

} // namespace stagecraft
