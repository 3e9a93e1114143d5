#include "core/forms/operators.h"

#include "core/forms/tensor_shapes.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace stagecraft {

namespace {

constexpr std::int64_t toTheEnd = INT64_MAX;

std::size_t place(const Network& net, ValueId x, int dimension)
{
    const auto rank = static_cast<int>(net.sizes(x).size());
    return static_cast<std::size_t>(dimension < 0 ? dimension + rank : dimension);
}

Argument ofOptional(std::optional<ValueId> value)
{
    return value ? Argument(*value) : Argument(NoneArgument{});
}

Argument intList(const std::vector<std::int64_t>& numbers)
{
    return IntListArgument{{numbers.begin(), numbers.end()}};
}

// What LibTorch reckons in where two tensors of floating-point numbers meet.
DType promoted(DType a, DType b)
{
    return a == b ? a : DType::F32;
}

ValueId binary(Network& net, const std::string& name, ValueId a, ValueId b)
{
    const std::array<TensorMeta, 2> operands{net.meta(a), net.meta(b)};
    return net.op(name, {{"self", a}, {"other", b}},
                  elementwiseMeta(operands, promoted(operands[0].dtype, operands[1].dtype)));
}

TensorMeta alike(const Network& net, ValueId x, DType dtype)
{
    return elementwiseMeta(std::span(&net.meta(x), 1), dtype);
}

ValueId withNumber(Network& net, const std::string& name, ValueId x, const Argument& number)
{
    return net.op(name, {{"self", x}, {"other", number}}, alike(net, x, net.meta(x).dtype));
}

// The sizes as an argument, a product of symbols as -1.
Argument viewSizes(Network& net, const Sizes& sizes)
{
    Sizes written;
    for (const SymInt& size : sizes) {
        std::set<std::string> symbols;
        size.collectSymbols(symbols);
        const bool isPlain = size.isConstant() || (symbols.size() == 1 && size.text() == *symbols.begin());
        written.push_back(isPlain ? size : SymInt(-1));
    }
    return net.sizeList(written);
}

std::vector<TensorMeta> pieceMetas(const Network& net, ValueId x, const std::vector<std::int64_t>& widths,
                                   std::size_t dimension)
{
    std::vector<TensorMeta> metas;
    std::int64_t begin = 0;
    for (const std::int64_t width : widths) {
        metas.push_back(sliceMeta(net.meta(x), dimension, begin, width));
        begin += width;
    }
    return metas;
}

std::vector<std::int64_t> evenWidths(const Network& net, ValueId x, std::int64_t width, std::size_t dimension)
{
    const std::int64_t whole = net.sizes(x)[dimension].constant();
    return std::vector<std::int64_t>(static_cast<std::size_t>(whole / width), width);
}

} // namespace

// ---------------------------------------------------------------- elementwise
ValueId unary(Network& net, const std::string& name, ValueId x)
{
    return net.op(name, {{"self", x}}, alike(net, x, net.meta(x).dtype));
}

ValueId add(Network& net, ValueId a, ValueId b)
{
    return binary(net, "add.Tensor", a, b);
}

ValueId addNumber(Network& net, ValueId a, double number)
{
    return withNumber(net, "add.Tensor", a, number);
}

ValueId sub(Network& net, ValueId a, ValueId b)
{
    return binary(net, "sub.Tensor", a, b);
}

ValueId mul(Network& net, ValueId a, ValueId b)
{
    return binary(net, "mul.Tensor", a, b);
}

ValueId mulNumber(Network& net, ValueId a, double number)
{
    return withNumber(net, "mul.Tensor", a, number);
}

ValueId divide(Network& net, ValueId a, ValueId b)
{
    return binary(net, "div.Tensor", a, b);
}

ValueId divideByNumber(Network& net, ValueId a, double number)
{
    return withNumber(net, "div.Tensor", a, number);
}

ValueId divideInPlace(Network& net, ValueId a, ValueId b)
{
    return net.op("div_.Tensor", {{"self", a}, {"other", b}}, net.meta(a));
}

ValueId power(Network& net, ValueId a, const Argument& exponent)
{
    return net.op("pow.Tensor_Scalar", {{"self", a}, {"exponent", exponent}},
                  alike(net, a, net.meta(a).dtype));
}

ValueId gelu(Network& net, ValueId x, bool byTanh)
{
    Network::Arguments arguments{{"self", x}};
    if (byTanh)
        arguments.emplace_back("=approximate", std::string("tanh"));
    return net.op("gelu", arguments, alike(net, x, net.meta(x).dtype));
}

ValueId toType(Network& net, ValueId x, DType dtype)
{
    if (net.meta(x).dtype == dtype)
        return x;
    return net.op("to.dtype", {{"self", x}, {"dtype", dtype}}, alike(net, x, dtype));
}

ValueId dropout(Network& net, ValueId x, std::int64_t percent)
{
    if (percent == 0)
        return x;
    const double share = static_cast<double>(percent) / 100;
    return net.op("dropout", {{"input", x}, {"p", share}, {"train", true}}, alike(net, x, net.meta(x).dtype));
}

// ---------------------------------------------------------------- contractions
ValueId linear(Network& net, ValueId x, ValueId weight, std::optional<ValueId> bias)
{
    Sizes sizes = net.sizes(x);
    assert(sizes.back() == net.sizes(weight).back());
    sizes.back() = net.sizes(weight).front();
    Network::Arguments arguments{{"input", x}, {"weight", weight}};
    if (bias)
        arguments.emplace_back("bias", *bias);
    return net.op("linear", arguments, contiguousMeta(net.meta(x).dtype, sizes));
}

ValueId addmm(Network& net, ValueId bias, ValueId a, ValueId b)
{
    return net.op("addmm", {{"self", bias}, {"mat1", a}, {"mat2", b}},
                  contiguousMeta(net.meta(a).dtype, {net.sizes(a)[0], net.sizes(b)[1]}));
}

ValueId matmul(Network& net, ValueId a, ValueId b)
{
    Sizes sizes = net.sizes(a);
    assert(sizes.back() == net.sizes(b)[net.sizes(b).size() - 2]);
    sizes.back() = net.sizes(b).back();
    return net.op("matmul", {{"self", a}, {"other", b}}, contiguousMeta(net.meta(a).dtype, sizes));
}

ValueId embedding(Network& net, ValueId weight, ValueId ids, std::optional<std::int64_t> padding)
{
    Sizes sizes = net.sizes(ids);
    sizes.push_back(net.sizes(weight)[1]);
    const TensorMeta rows = contiguousMeta(net.meta(weight).dtype, sizes);
    if (padding)
        return net.op("embedding", {{"weight", weight}, {"indices", ids}, {"padding_idx", *padding}}, rows);
    return net.op("embedding", {{"weight", weight}, {"indices", ids}}, rows);
}

ValueId scaledDotProductAttention(Network& net, ValueId query, ValueId key, ValueId value,
                                  const AttentionCall& call)
{
    Sizes sizes = net.sizes(query);
    sizes.back() = net.sizes(value).back();
    Network::Arguments arguments{{"query", query}, {"key", key}, {"value", value}};
    const bool hasDropout = call.dropoutPercent > 0;
    if (call.mask || hasDropout || call.isCausal)
        arguments.emplace_back("attn_mask", ofOptional(call.mask));
    if (hasDropout || call.isCausal)
        arguments.emplace_back("dropout_p", static_cast<double>(call.dropoutPercent) / 100);
    if (call.isCausal)
        arguments.emplace_back("is_causal", true);
    if (call.scale)
        arguments.emplace_back("=scale", *call.scale);
    if (call.hasGroups)
        arguments.emplace_back("=enable_gqa", true);
    return net.op("scaled_dot_product_attention", arguments, contiguousMeta(net.meta(query).dtype, sizes));
}

// ---------------------------------------------------------------- views and layouts
ValueId view(Network& net, ValueId x, const Sizes& sizes)
{
    return net.op("view", {{"self", x}, {"size", viewSizes(net, sizes)}}, viewMeta(net.meta(x), sizes));
}

ValueId reshape(Network& net, ValueId x, const Sizes& sizes)
{
    const TensorMeta& meta = net.meta(x);
    TensorMeta made = canView(meta, sizes) ? viewMeta(meta, sizes) : contiguousMeta(meta.dtype, sizes);
    return net.op("reshape", {{"self", x}, {"shape", viewSizes(net, sizes)}}, std::move(made));
}

ValueId transpose(Network& net, ValueId x, int a, int b)
{
    return net.op("transpose.int", {{"self", x}, {"dim0", std::int64_t{a}}, {"dim1", std::int64_t{b}}},
                  transposeMeta(net.meta(x), place(net, x, a), place(net, x, b)));
}

ValueId permute(Network& net, ValueId x, const std::vector<std::int64_t>& order)
{
    return net.op("permute", {{"self", x}, {"dims", intList(order)}}, permuteMeta(net.meta(x), order));
}

ValueId contiguous(Network& net, ValueId x)
{
    return net.op("contiguous", {{"self", x}}, contiguousMeta(net.meta(x).dtype, net.sizes(x)));
}

ValueId unsqueeze(Network& net, ValueId x, int dimension)
{
    const auto rank = static_cast<int>(net.sizes(x).size());
    const auto at = static_cast<std::size_t>(dimension < 0 ? dimension + rank + 1 : dimension);
    return net.op("unsqueeze", {{"self", x}, {"dim", std::int64_t{dimension}}},
                  unsqueezeMeta(net.meta(x), at));
}

ValueId expand(Network& net, ValueId x, const Sizes& sizes)
{
    return net.op("expand", {{"self", x}, {"size", viewSizes(net, sizes)}}, expandMeta(net.meta(x), sizes));
}

ValueId slice(Network& net, ValueId x, int dimension, std::int64_t begin, const SymInt& end)
{
    const std::size_t at = place(net, x, dimension);
    const bool isWhole = end == net.sizes(x)[at];
    const SymInt size = begin == 0 ? end : SymInt::make(SymOp::Add, {end, -begin});
    const Argument last = isWhole && begin > 0 ? Argument(toTheEnd) : net.size(end);
    return net.op("slice.Tensor",
                  {{"self", x}, {"dim", std::int64_t{dimension}}, {"start", begin}, {"end", last}},
                  sliceMeta(net.meta(x), at, begin, size));
}

ValueId everySecond(Network& net, ValueId x, int dimension, std::int64_t begin)
{
    constexpr std::int64_t step = 2;
    const std::size_t at = place(net, x, dimension);
    const std::int64_t size = (net.sizes(x)[at].constant() - begin + step - 1) / step;
    return net.op(
        "slice.Tensor",
        {{"self", x}, {"dim", std::int64_t{dimension}}, {"start", begin}, {"end", toTheEnd}, {"step", step}},
        sliceMeta(net.meta(x), at, begin, size, step));
}

ValueId select(Network& net, ValueId x, int dimension, std::int64_t index)
{
    const std::size_t at = place(net, x, dimension);
    TensorMeta made = sliceMeta(net.meta(x), at, index, 1);
    made.sizes.erase(made.sizes.begin() + static_cast<std::ptrdiff_t>(at));
    made.strides.erase(made.strides.begin() + static_cast<std::ptrdiff_t>(at));
    return net.op("select.int", {{"self", x}, {"dim", std::int64_t{dimension}}, {"index", index}},
                  std::move(made));
}

ValueId cat(Network& net, const std::vector<ValueId>& parts, int dimension)
{
    const std::size_t at = place(net, parts.front(), dimension);
    Sizes sizes = net.sizes(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i)
        sizes[at] = sum(sizes[at], net.sizes(parts[i])[at]);
    const TensorListArgument list{{parts.begin(), parts.end()}};
    return net.op("cat", {{"tensors", list}, {"dim", std::int64_t{dimension}}},
                  contiguousMeta(net.meta(parts.front()).dtype, sizes));
}

ValueId flatten(Network& net, ValueId x, int first, int last)
{
    const std::size_t begin = place(net, x, first);
    const std::size_t end = place(net, x, last) + 1;
    const Sizes& of = net.sizes(x);
    Sizes sizes(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(begin));
    sizes.push_back(product(
        {of.begin() + static_cast<std::ptrdiff_t>(begin), of.begin() + static_cast<std::ptrdiff_t>(end)}));
    sizes.insert(sizes.end(), of.begin() + static_cast<std::ptrdiff_t>(end), of.end());
    const TensorMeta& meta = net.meta(x);
    TensorMeta made = canView(meta, sizes) ? viewMeta(meta, sizes) : contiguousMeta(meta.dtype, sizes);
    Network::Arguments arguments{{"self", x}, {"start_dim", std::int64_t{first}}};
    if (last != -1)
        arguments.emplace_back("end_dim", std::int64_t{last});
    return net.op("flatten.using_ints", arguments, std::move(made));
}

std::vector<ValueId> split(Network& net, ValueId x, std::int64_t width, int dimension)
{
    const std::size_t at = place(net, x, dimension);
    return net.ops("split.Tensor", {{"self", x}, {"split_size", width}, {"dim", std::int64_t{dimension}}},
                   pieceMetas(net, x, evenWidths(net, x, width, at), at), NodeOutput::Kind::List);
}

std::vector<ValueId> splitWidths(Network& net, ValueId x, const std::vector<std::int64_t>& widths,
                                 int dimension)
{
    return net.ops("split_with_sizes",
                   {{"self", x}, {"split_sizes", intList(widths)}, {"dim", std::int64_t{dimension}}},
                   pieceMetas(net, x, widths, place(net, x, dimension)), NodeOutput::Kind::List);
}

std::vector<ValueId> chunk(Network& net, ValueId x, std::int64_t count, int dimension)
{
    const std::size_t at = place(net, x, dimension);
    const std::int64_t width = net.sizes(x)[at].constant() / count;
    return net.ops("chunk", {{"self", x}, {"chunks", count}, {"dim", std::int64_t{dimension}}},
                   pieceMetas(net, x, evenWidths(net, x, width, at), at), NodeOutput::Kind::List);
}

// ---------------------------------------------------------------- reductions
namespace {

Sizes reducedSizes(const Sizes& of, const std::vector<std::size_t>& places, bool keep)
{
    Sizes sizes;
    for (std::size_t i = 0; i < of.size(); ++i) {
        const bool isReduced = std::ranges::find(places, i) != places.end();
        if (!isReduced)
            sizes.push_back(of[i]);
        else if (keep)
            sizes.emplace_back(1);
    }
    return sizes;
}

ValueId reduced(Network& net, const char* name, ValueId x, const std::vector<std::int64_t>& dimensions,
                bool keep)
{
    std::vector<std::size_t> places;
    for (const std::int64_t dimension : dimensions)
        places.push_back(place(net, x, static_cast<int>(dimension)));
    Network::Arguments arguments{{"self", x}, {"dim", intList(dimensions)}};
    if (keep)
        arguments.emplace_back("keepdim", true);
    return net.op(name, arguments,
                  contiguousMeta(net.meta(x).dtype, reducedSizes(net.sizes(x), places, keep)));
}

} // namespace

ValueId mean(Network& net, ValueId x, std::vector<std::int64_t> dimensions, bool keep)
{
    return reduced(net, "mean.dim", x, dimensions, keep);
}

ValueId sumOver(Network& net, ValueId x, int dimension, bool keep)
{
    return reduced(net, "sum.dim_IntList", x, {dimension}, keep);
}

ValueId softmax(Network& net, ValueId x, int dimension)
{
    return net.op("softmax.int", {{"self", x}, {"dim", std::int64_t{dimension}}},
                  contiguousMeta(net.meta(x).dtype, net.sizes(x)));
}

TopK topk(Network& net, ValueId x, std::int64_t k, Sorted sorted)
{
    Sizes sizes = net.sizes(x);
    sizes.back() = k;
    Network::Arguments arguments{{"self", x}, {"k", k}};
    if (sorted == Sorted::No)
        arguments.insert(arguments.end(), {{"dim", std::int64_t{-1}}, {"largest", true}, {"sorted", false}});
    const auto results = net.ops(
        "topk", arguments, {contiguousMeta(net.meta(x).dtype, sizes), contiguousMeta(DType::I64, sizes)},
        NodeOutput::Kind::Value);
    return {results[0], results[1]};
}

ValueId arange(Network& net, const SymInt& end)
{
    return net.op("arange", {{"end", net.size(end)}, {"=device", Device{}}, {"=pin_memory", false}},
                  contiguousMeta(DType::I64, {end}));
}

ValueId index(Network& net, ValueId x, ValueId rows)
{
    Sizes sizes = net.sizes(rows);
    sizes.insert(sizes.end(), net.sizes(x).begin() + 1, net.sizes(x).end());
    return net.op("index.Tensor", {{"self", x}, {"indices", TensorListArgument{{rows}}}},
                  contiguousMeta(net.meta(x).dtype, sizes));
}

ValueId gather(Network& net, ValueId x, int dimension, ValueId chosen)
{
    return net.op("gather", {{"self", x}, {"dim", std::int64_t{dimension}}, {"index", chosen}},
                  contiguousMeta(net.meta(x).dtype, net.sizes(chosen)));
}

// ---------------------------------------------------------------- norms
ValueId layerNorm(Network& net, ValueId x, std::int64_t width, std::optional<ValueId> weight,
                  std::optional<ValueId> bias, double epsilon)
{
    Network::Arguments arguments{{"input", x}, {"normalized_shape", intList({width})}};
    if (weight || bias) {
        arguments.emplace_back("weight", ofOptional(weight));
        arguments.emplace_back("bias", ofOptional(bias));
    }
    arguments.emplace_back(weight || bias ? "eps" : "=eps", epsilon);
    return net.op("layer_norm", arguments, contiguousMeta(net.meta(x).dtype, net.sizes(x)));
}

} // namespace stagecraft
