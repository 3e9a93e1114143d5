#include "core/run/index_bounds.h"

#include "core/base/contains.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace stagecraft {

namespace {

// "aten::embedding.default" -> "embedding", "aten::index_add_.default" -> "index_add"; empty for what is not
// ATen's.
std::string_view atenName(std::string_view target)
{
    if (!target.starts_with("aten::"))
        return {};
    target.remove_prefix(6);
    const std::string_view name = target.substr(0, target.find('.'));
    return name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}

bool keepsIntegers(std::string_view name)
{
    static constexpr std::array<std::string_view, 26> names{
        "alias",     "cat",       "chunk",    "clone",           "contiguous",       "detach",
        "expand",    "expand_as", "flatten",  "lift_fresh_copy", "permute",          "repeat",
        "reshape",   "select",    "slice",    "split",           "split_with_sizes", "squeeze",
        "t",         "to",        "_to_copy", "transpose",       "unbind",           "unflatten",
        "unsqueeze", "view"};
    return contains(names, name);
}

bool isValue(const Argument* argument, ValueId id)
{
    return argument && std::holds_alternative<ValueId>(*argument) && std::get<ValueId>(*argument) == id;
}

std::optional<std::int64_t> sizeOf(const Graph& graph, const Argument* tensor, std::int64_t dimension,
                                   const Bindings& bindings)
{
    const auto* id = tensor ? std::get_if<ValueId>(tensor) : nullptr;
    if (!id || !graph[*id].meta)
        return std::nullopt;
    const std::vector<SymInt>& sizes = graph[*id].meta->sizes;
    if (dimension < 0)
        dimension += static_cast<std::int64_t>(sizes.size());
    if (dimension < 0 || dimension >= static_cast<std::int64_t>(sizes.size()))
        return std::nullopt;
    const Result<std::int64_t> size = sizes[static_cast<std::size_t>(dimension)].evaluate(bindings);
    return size.has_value() ? std::optional(*size) : std::nullopt;
}

// An operator whose `index` argument chooses along one dimension of `table`.
struct Indexing
{
    std::string_view name;
    std::string_view index;
    std::string_view table;
    std::int64_t dimension; // where `dim` does not say
};

constexpr std::array indexings{
    Indexing{"embedding", "indices", "weight", 0},
    Indexing{"embedding_bag", "indices", "weight", 0},
    Indexing{"_embedding_bag", "indices", "weight", 0},
    Indexing{"_embedding_bag_forward_only", "indices", "weight", 0},
    Indexing{"nll_loss", "target", "self", 1},
    Indexing{"nll_loss_nd", "target", "self", 1},
    Indexing{"nll_loss2d", "target", "self", 1},
    Indexing{"nll_loss_forward", "target", "self", 1},
    Indexing{"cross_entropy_loss", "target", "self", 1},
    Indexing{"gather", "index", "self", 0},
    Indexing{"index_select", "index", "self", 0},
    Indexing{"scatter", "index", "self", 0},
    Indexing{"scatter_add", "index", "self", 0},
    Indexing{"index_add", "index", "self", 0},
    Indexing{"index_copy", "index", "self", 0},
    Indexing{"take", "index", "self", 0},
    Indexing{"index_fill", "index", "self", 0},
    Indexing{"index_reduce", "index", "self", 0},
    Indexing{"scatter_reduce", "index", "self", 0},
};

std::optional<std::int64_t> boundAtUse(const Graph& graph, const Node& node, ValueId id,
                                       const Bindings& bindings)
{
    const std::string_view name = atenName(node.target);
    for (const Indexing& entry : indexings) {
        if (entry.name != name || !isValue(node.argument(entry.index), id))
            continue;
        const Argument* dim = node.argument("dim");
        const auto* dimension = dim ? std::get_if<std::int64_t>(dim) : nullptr;
        const auto size =
            sizeOf(graph, node.argument(entry.table), dimension ? *dimension : entry.dimension, bindings);
        // A loss of one sample has its classes in the only dimension.
        return size || dimension ? size : sizeOf(graph, node.argument(entry.table), 0, bindings);
    }
    if (name.find("embedding_bag") != std::string_view::npos && isValue(node.argument("offsets"), id))
        return 1; // the first bag begins at 0, and none before another
    if (name == "one_hot")
        if (const Argument* classes = node.argument("num_classes"))
            if (const auto* count = std::get_if<std::int64_t>(classes); count && *count > 0)
                return *count;
    const Argument* indices = name.starts_with("index") ? node.argument("indices") : nullptr;
    if (const auto* list = indices ? std::get_if<TensorListArgument>(indices) : nullptr)
        for (std::size_t i = 0; i < list->elements.size(); ++i)
            if (list->elements[i] == id)
                return sizeOf(graph, node.argument("self"), static_cast<std::int64_t>(i), bindings);
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> indexBound(const Graph& graph, ValueId input, const Bindings& bindings)
{
    std::optional<std::int64_t> least;
    Table<ValueId, char> seen(graph.valueCount(), 0);
    std::vector<ValueId> open{input};
    while (!open.empty()) {
        const ValueId id = open.back();
        open.pop_back();
        if (seen[id])
            continue;
        seen[id] = 1;
        for (const NodeId user : graph[id].users) {
            const Node& node = graph[user];
            if (const auto bound = boundAtUse(graph, node, id, bindings))
                least = least ? std::min(*least, *bound) : *bound;
            if (keepsIntegers(atenName(node.target)))
                open.insert(open.end(), node.results.begin(), node.results.end());
        }
    }
    return least;
}

} // namespace stagecraft
