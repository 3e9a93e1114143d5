#include "core/layout/item_text.h"

#include "core/layout/operator_kinds.h"
#include "core/layout/run_titles.h"

namespace stagecraft {

namespace {

// "LlamaMLP" of "transformers.models.llama.modeling_llama.LlamaMLP".
std::string shortClassName(const std::string& name)
{
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::string valueDetail(const Graph& graph, ValueId value)
{
    if (graph[value].meta)
        return metaText(*graph[value].meta);
    return graph[value].scalar ? graph[value].scalar->text() : std::string();
}

std::string opDetail(const Graph& graph, NodeId node)
{
    const std::vector<ValueId>& results = graph[node].results;
    if (results.empty())
        return {};
    const std::string first = valueDetail(graph, results.front());
    return results.size() == 1 ? first : first + " +" + std::to_string(results.size() - 1);
}

std::string boxDetail(const Layout& layout, BoxId box)
{
    const std::string className = boxClass(layout, box);
    const std::size_t nodes = boxNodeCount(layout, box);
    const std::string count = groupedNumber(nodes) + (nodes == 1 ? " op" : " ops");
    return className.empty() ? count : className + ", " + count;
}

} // namespace

std::string groupedNumber(std::size_t number)
{
    std::string digits = std::to_string(number);
    for (std::size_t i = digits.size(); i > 3; i -= 3)
        digits.insert(i - 3, ",");
    return digits;
}

std::string boxClass(const Layout& layout, BoxId box)
{
    const Group& group = layout.tree->groups.groups[layout.tree->boxes[box].group];
    return group.part ? std::string() : shortClassName(layout.graph->modules()[group.module].className);
}

std::size_t boxNodeCount(const Layout& layout, BoxId id)
{
    const RunBox& box = layout.tree->boxes[id];
    return box.scattered.empty() ? box.end - box.first : box.scattered.size();
}

std::string itemTitle(const Layout& layout, const LayoutItem& item)
{
    const Graph& graph = *layout.graph;
    if (item.node)
        return operatorTitle(graph[*item.node]);
    if (item.box)
        return layout.tree->boxes[*item.box].title;
    if (item.kind == ItemKind::Output)
        return "output";
    if (item.valueCount > 1)
        return std::to_string(item.valueCount) + " values";
    return item.value ? graph[*item.value].name : std::string();
}

std::string itemDetail(const Layout& layout, const LayoutItem& item)
{
    if (item.node)
        return opDetail(*layout.graph, *item.node);
    if (item.box)
        return boxDetail(layout, *item.box);
    return item.value ? valueDetail(*layout.graph, *item.value) : std::string();
}

std::string itemNote(const Layout& layout, const LayoutItem& item)
{
    if (item.node)
        return operatorModule(*layout.graph, *layout.tree, *item.node);
    if (item.box && layout.tree->boxes[*item.box].copies > 1)
        return "x" + std::to_string(layout.tree->boxes[*item.box].copies);
    return {};
}

} // namespace stagecraft
