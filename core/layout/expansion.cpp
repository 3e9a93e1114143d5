#include "core/layout/expansion.h"

#include "core/graph/module_containers.h"

#include <queue>

namespace stagecraft {

namespace {

bool isAlwaysOpen(const RunBox& box)
{
    return box.depth <= 1;
}

bool isInside(const RunTree& tree, BoxId outer, BoxId inner)
{
    while (tree.boxes[inner].depth > tree.boxes[outer].depth)
        inner = *tree.boxes[inner].parent;
    return inner == outer;
}

// The groups that `box` is in every copy of every fold around it.
std::set<GroupId> groupsOfCopies(const RunTree& tree, BoxId box)
{
    const auto& groups = tree.groups.groups;
    const int depth = groups[tree.boxes[box].group].depth;
    std::set<GroupId> copies{tree.boxes[box].group};
    for (const NodeId node : tree.order) {
        if (!tree.boxOf[node] || !isInside(tree, box, *tree.boxOf[node]))
            continue;
        GroupId group = tree.groups.groupOf[node];
        while (groups[group].depth > depth)
            group = *groups[group].parent;
        copies.insert(group);
    }
    return copies;
}

// Costs of the boxes, all copies.
Table<BoxId, double> boxWeights(const RunTree& tree, const Table<NodeId, double>& weights)
{
    Table<BoxId, double> sums(tree.boxes.size(), 0.0);
    for (const NodeId node : tree.order) {
        if (!tree.boxOf[node])
            continue;
        for (std::optional<BoxId> box = tree.boxOf[node]; box; box = tree.boxes[*box].parent)
            sums[*box] += weights[node];
    }
    return sums;
}

} // namespace

bool Expansion::isOpen(const RunTree& tree, BoxId box) const
{
    return isAlwaysOpen(tree.boxes[box]) || m_open.contains(tree.boxes[box].group);
}

void Expansion::open(const RunTree& tree, BoxId box)
{
    m_open.merge(groupsOfCopies(tree, box));
}

void Expansion::close(const RunTree& tree, BoxId box)
{
    for (const GroupId group : groupsOfCopies(tree, box))
        m_open.erase(group);
}

void Expansion::openBelow(const RunTree& tree, BoxId box)
{
    for (const BoxId inner : tree.boxes.ids())
        if (isInside(tree, box, inner) && !isAlwaysOpen(tree.boxes[inner]))
            open(tree, inner);
}

void Expansion::closeBelow(const RunTree& tree, BoxId box)
{
    for (const BoxId inner : tree.boxes.ids())
        if (isInside(tree, box, inner))
            close(tree, inner);
}

void Expansion::reveal(const RunTree& tree, NodeId node)
{
    for (std::optional<BoxId> box = tree.boxOf[node]; box; box = tree.boxes[*box].parent)
        if (!isOpen(tree, *box))
            open(tree, *box);
}

Expansion fullExpansion(const RunTree& tree)
{
    Expansion expansion;
    expansion.openBelow(tree, RunTree::root());
    return expansion;
}

Expansion expansionToDepth(const Graph& graph, const RunTree& tree, int depth)
{
    const Table<ModuleId, char> containers = containersOf(graph);
    const auto isCounted = [&](BoxId box) {
        const Group& group = tree.groups.groups[tree.boxes[box].group];
        return group.kind != GroupKind::Module || containers[group.module] == 0;
    };
    const auto levelOf = [&](BoxId box) {
        int level = 1;
        while (!isAlwaysOpen(tree.boxes[*tree.boxes[box].parent])) {
            box = *tree.boxes[box].parent;
            level += isCounted(box) ? 1 : 0;
        }
        return level;
    };
    Expansion expansion;
    for (const BoxId box : tree.boxes.ids())
        if (!isAlwaysOpen(tree.boxes[box]) && levelOf(box) <= depth)
            expansion.open(tree, box);
    return expansion;
}

Expansion openingExpansion(const RunTree& tree, const Table<NodeId, double>& weights, std::size_t maxItems)
{
    const Table<BoxId, double> sums = boxWeights(tree, weights);
    const auto lighter = [&](BoxId a, BoxId b) { return sums[a] != sums[b] ? sums[a] < sums[b] : a > b; };
    std::priority_queue<BoxId, std::vector<BoxId>, decltype(lighter)> candidates(lighter);
    const auto addChildren = [&](BoxId box) {
        for (const RunItem& child : tree.boxes[box].children)
            if (const BoxId* inner = std::get_if<BoxId>(&child))
                candidates.push(*inner);
    };
    Expansion expansion;
    std::size_t items = 0;
    addChildren(RunTree::root());
    while (!candidates.empty()) {
        const BoxId box = candidates.top();
        candidates.pop();
        const bool always = isAlwaysOpen(tree.boxes[box]);
        // An open box is its children instead of itself.
        const std::size_t more = tree.boxes[box].children.size() - (always ? 0 : 1);
        if (!always && items + more > maxItems)
            continue;
        items += more;
        if (!always)
            expansion.open(tree, box);
        addChildren(box);
    }
    return expansion;
}

} // namespace stagecraft
