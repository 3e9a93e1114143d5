#include "core/measure/probe_models.h"

#include <array>
#include <cstdint>
#include <map>
#include <string_view>

namespace stagecraft {

namespace {

// "$r" stands for the size of that letter.
using SizesByLetter = std::map<char, std::int64_t>;

struct Family
{
    std::string_view program;
    std::vector<SizesByLetter> sizes;
};

std::string filledIn(std::string_view program, const SizesByLetter& sizes)
{
    std::string text;
    for (std::size_t i = 0; i < program.size(); ++i) {
        const auto size = program[i] == '$' ? sizes.find(program[i + 1]) : sizes.end();
        if (size == sizes.end()) {
            text += program[i];
            continue;
        }
        text += std::to_string(size->second);
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

// Those that image models are made of.
std::vector<SizesByLetter> convolutionSizes()
{
    struct Shape
    {
        std::int64_t batch, in, out, kernel, side, step;
    };
    constexpr std::array<Shape, 22> shapes{{
        {1, 16, 16, 3, 32, 1},   {4, 16, 32, 3, 16, 2},   {4, 32, 32, 3, 16, 1},  {2, 32, 64, 3, 16, 2},
        {4, 64, 64, 3, 8, 1},    {2, 48, 48, 5, 14, 1},   {1, 64, 64, 3, 56, 1},  {1, 128, 128, 3, 28, 1},
        {1, 256, 256, 3, 14, 1}, {1, 512, 512, 3, 7, 1},  {2, 512, 512, 3, 2, 1}, {1, 64, 128, 3, 56, 2},
        {1, 128, 256, 3, 28, 2}, {1, 256, 512, 3, 14, 2}, {1, 64, 128, 1, 56, 2}, {1, 256, 512, 1, 14, 2},
        {1, 3, 64, 7, 112, 2},   {2, 64, 256, 1, 28, 1},  {2, 256, 64, 1, 28, 1}, {1, 1024, 256, 1, 14, 1},
        {1, 512, 2048, 1, 7, 1}, {2, 96, 24, 1, 56, 1},
    }};
    std::vector<SizesByLetter> sizes;
    for (const Shape& shape : shapes)
        sizes.push_back({{'n', shape.batch},
                         {'i', shape.in},
                         {'o', shape.out},
                         {'k', shape.kernel},
                         {'s', shape.side},
                         {'t', (shape.side + shape.step - 1) / shape.step},
                         {'d', shape.step},
                         {'p', shape.kernel / 2}});
    return sizes;
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

// Those that decoders and generators are made of: each doubles the side.
std::vector<SizesByLetter> transposedSizes()
{
    struct Shape
    {
        std::int64_t batch, in, out, kernel, side, groups = 1;
    };
    constexpr std::array<Shape, 11> shapes{{{4, 16, 8, 2, 16},
                                            {1, 32, 16, 2, 64},
                                            {1, 64, 32, 2, 32},
                                            {2, 128, 64, 2, 16},
                                            {1, 256, 128, 2, 14},
                                            {1, 512, 256, 2, 7},
                                            {2, 64, 32, 4, 16},
                                            {1, 256, 128, 4, 8},
                                            {2, 32, 16, 4, 16, 4},
                                            {1, 64, 32, 2, 32, 4},
                                            {1, 64, 64, 4, 14, 64}}};
    std::vector<SizesByLetter> sizes;
    for (const Shape& shape : shapes)
        sizes.push_back({{'n', shape.batch},
                         {'i', shape.in},
                         {'o', shape.out},
                         {'k', shape.kernel},
                         {'s', shape.side},
                         {'t', 2 * shape.side},
                         {'g', shape.groups},
                         {'m', shape.out / shape.groups},
                         {'p', shape.kernel / 2 - 1}});
    return sizes;
}

std::vector<Family> families()
{
    return {
        {perceptron,
         {{{'b', 1}, {'r', 4}, {'n', 4}, {'d', 16}, {'h', 32}, {'k', 10}},
          {{'b', 2}, {'r', 16}, {'n', 32}, {'d', 64}, {'h', 256}, {'k', 64}},
          {{'b', 2}, {'r', 32}, {'n', 64}, {'d', 32}, {'h', 128}, {'k', 1000}},
          {{'b', 4}, {'r', 64}, {'n', 256}, {'d', 128}, {'h', 512}, {'k', 512}},
          {{'b', 2}, {'r', 256}, {'n', 512}, {'d', 48}, {'h', 192}, {'k', 48}},
          {{'b', 8}, {'r', 128}, {'n', 1024}, {'d', 24}, {'h', 96}, {'k', 24}},
          {{'b', 1}, {'r', 784}, {'n', 784}, {'d', 96}, {'h', 384}, {'k', 96}},
          {{'b', 1}, {'r', 3136}, {'n', 3136}, {'d', 96}, {'h', 96}, {'k', 32}},
          {{'b', 1}, {'r', 8}, {'n', 8}, {'d', 256}, {'h', 1024}, {'k', 1000}},
          {{'b', 2}, {'r', 128}, {'n', 256}, {'d', 256}, {'h', 1024}, {'k', 4000}},
          {{'b', 4}, {'r', 128}, {'n', 512}, {'d', 512}, {'h', 512}, {'k', 2000}},
          {{'b', 2}, {'r', 256}, {'n', 512}, {'d', 768}, {'h', 2048}, {'k', 768}}}},
        {attention,
         {{{'b', 1}, {'t', 8}, {'h', 2}, {'e', 8}, {'d', 16}},
          {{'b', 2}, {'t', 16}, {'h', 4}, {'e', 16}, {'d', 64}},
          {{'b', 2}, {'t', 32}, {'h', 2}, {'e', 16}, {'d', 32}},
          {{'b', 2}, {'t', 64}, {'h', 4}, {'e', 32}, {'d', 128}},
          {{'b', 16}, {'t', 49}, {'h', 3}, {'e', 32}, {'d', 96}},
          {{'b', 64}, {'t', 49}, {'h', 4}, {'e', 16}, {'d', 64}},
          {{'b', 16}, {'t', 16}, {'h', 8}, {'e', 16}, {'d', 128}},
          {{'b', 96}, {'t', 16}, {'h', 8}, {'e', 8}, {'d', 64}},
          {{'b', 2}, {'t', 128}, {'h', 8}, {'e', 64}, {'d', 512}},
          {{'b', 8}, {'t', 64}, {'h', 12}, {'e', 64}, {'d', 768}},
          {{'b', 1}, {'t', 512}, {'h', 12}, {'e', 64}, {'d', 768}}}},
        {convolutions,
         {{{'n', 1}, {'c', 8}, {'e', 16}, {'s', 8}, {'q', 4}, {'z', 2}, {'k', 10}},
          {{'n', 2}, {'c', 16}, {'e', 64}, {'s', 16}, {'q', 8}, {'z', 4}, {'k', 10}},
          {{'n', 2}, {'c', 32}, {'e', 96}, {'s', 32}, {'q', 16}, {'z', 8}, {'k', 100}},
          {{'n', 1}, {'c', 256}, {'e', 512}, {'s', 8}, {'q', 4}, {'z', 2}, {'k', 1000}},
          {{'n', 2}, {'c', 64}, {'e', 256}, {'s', 56}, {'q', 28}, {'z', 14}, {'k', 1000}},
          {{'n', 4}, {'c', 128}, {'e', 256}, {'s', 16}, {'q', 8}, {'z', 4}, {'k', 100}},
          {{'n', 4}, {'c', 24}, {'e', 144}, {'s', 64}, {'q', 32}, {'z', 16}, {'k', 100}}}},
        {convolution, convolutionSizes()},
        {decoder,
         {{{'n', 1}, {'c', 8}, {'h', 4}, {'d', 12}, {'s', 8}, {'t', 16}},
          {{'n', 2}, {'c', 32}, {'h', 16}, {'d', 48}, {'s', 16}, {'t', 32}},
          {{'n', 2}, {'c', 64}, {'h', 32}, {'d', 96}, {'s', 32}, {'t', 64}}}},
        {transposed, transposedSizes()},
        {sequences,
         {{{'n', 2}, {'c', 16}, {'g', 4}, {'t', 64}, {'s', 32}, {'u', 33}, {'m', 512}},
          {{'n', 2}, {'c', 64}, {'g', 16}, {'t', 256}, {'s', 128}, {'u', 129}, {'m', 8192}},
          {{'n', 4}, {'c', 256}, {'g', 64}, {'t', 512}, {'s', 256}, {'u', 257}, {'m', 65536}}}},
        {streams,
         {{{'r', 4}, {'d', 64}, {'e', 128}, {'h', 32}, {'g', 96}},
          {{'r', 32}, {'d', 128}, {'e', 256}, {'h', 64}, {'g', 192}},
          {{'r', 128}, {'d', 256}, {'e', 512}, {'h', 128}, {'g', 384}},
          {{'r', 512}, {'d', 512}, {'e', 1024}, {'h', 256}, {'g', 768}},
          {{'r', 1024}, {'d', 1024}, {'e', 2048}, {'h', 512}, {'g', 1536}},
          {{'r', 4096}, {'d', 1024}, {'e', 2048}, {'h', 512}, {'g', 1536}}}},
        {lookups,
         {{{'v', 64}, {'d', 32}, {'n', 16}},
          {{'v', 1000}, {'d', 64}, {'n', 128}},
          {{'v', 8000}, {'d', 256}, {'n', 512}},
          {{'v', 30000}, {'d', 768}, {'n', 1024}}}},
    };
}

} // namespace

std::vector<std::vector<std::string>> probePrograms()
{
    std::vector<std::vector<std::string>> programs;
    for (const Family& family : families()) {
        std::vector<std::string>& sizes = programs.emplace_back();
        for (const SizesByLetter& size : family.sizes)
            sizes.push_back(filledIn(family.program, size));
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
