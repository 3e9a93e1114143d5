#include "core/layout/opening.h"

#include "core/base/digits.h"
#include "core/layout/flow_drawing.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stagecraft {

namespace {

// What stands in each stage while every box is closed: sizes follow from the shape.
struct PageContent
{
    std::vector<VisibleBox> stages;
    std::size_t cards = 0; // all but inputs and outputs
};

PageContent contentOf(const Graph& graph, const RunTree& tree)
{
    Table<BoxId, VisibleBox> visible = makeVisibleGraph(graph, tree, Expansion());
    PageContent content;
    for (const RunItem& stage : tree.boxes[RunTree::root()].children) {
        content.stages.push_back(std::move(visible[std::get<BoxId>(stage)]));
        for (const VisibleItem& item : content.stages.back().items)
            content.cards += item.node || item.box ? 1 : 0;
    }
    return content;
}

DotProblem problemOf(const Graph& graph, const VisibleBox& stage, const PageShape& shape)
{
    DotProblem problem;
    const LayoutMetrics metrics;
    for (const VisibleItem& item : stage.items)
        problem.nodes.push_back({itemSize(graph, item, metrics, shape), {}});
    for (const VisibleEdge& edge : stage.edges)
        if (edge.tail.item && edge.head.item)
            problem.edges.push_back({{.index = *edge.tail.item}, {.index = *edge.head.item}});
    return problem;
}

// Of each stage, without the margin left of it.
std::vector<Size> stageSizes(const Graph& graph, const PageContent& content, const PageShape& shape)
{
    std::vector<Size> sizes;
    for (const VisibleBox& stage : content.stages)
        sizes.push_back(flowSize(problemOf(graph, stage, shape), shape));
    return sizes;
}

Size pageSize(const std::vector<Size>& stages, const PageShape& shape)
{
    Size page{0, -shape.boundaryGap};
    for (const Size& stage : stages) {
        page.width = std::max(page.width, shape.margin + stage.width);
        page.height += stage.height + shape.boundaryGap;
    }
    constexpr double lanes = 42; // beside the page, of what skips stages
    page.width += stages.size() > 2 ? lanes : 0;
    return page;
}

constexpr double handleHeight = 28; // pixels that a boundary's handle wants between two stages

struct Verdict
{
    double keeps = 0;  // the rules: 1 if all are kept
    double beauty = 0; // of two that keep them as well, the one to take
};

Verdict judge(Size page, const PageShape& shape, Size view, bool hasBoundaries)
{
    const double zoom =
        std::min({view.width / page.width, view.height / page.height, page_rules::largestZoom});
    const double wide = zoom * page.width / view.width;
    const double high = zoom * page.height / view.height;
    Verdict verdict;
    verdict.keeps = std::min(1.0, zoom / page_rules::smallestZoom) *
                    std::min(1.0, wide / page_rules::leastFill) * std::min(1.0, high / page_rules::leastFill);
    const bool hasRoom = !hasBoundaries || shape.boundaryGap * zoom >= handleHeight;
    const double lines = shape.card.height >= 60 ? 3 : shape.card.height >= 34 ? 2 : 1; // of text
    verdict.beauty = 0.25 * std::min(zoom, 1.2) + 0.3 * wide * high + 0.4 * lines +
                     0.1 * std::min(1.0, shape.card.width / 220) + (hasRoom ? 0.2 : 0);
    return verdict;
}

// Room between things that goes with cards of a height; no margin.
PageShape shapeOf(Size card, double boundaryGap, std::size_t columns)
{
    PageShape shape{.card = card, .boundaryGap = boundaryGap};
    shape.columnGap = card.height >= 28 ? 30 : 20;
    shape.lineGap = card.height >= 50 ? 32 : card.height >= 34 ? 24 : card.height >= 20 ? 14 : 10;
    shape.padding = card.height >= 50 ? 14 : card.height >= 34 ? 8 : card.height >= 20 ? 3 : 1;
    shape.margin = 0;
    shape.lineWidth = static_cast<double>(columns) * (card.width + shape.columnGap) + 1;
    return shape;
}

// Handles that find no room between two stages stand left of them; two side by side where a stage between two
// boundaries is too low for them to stand one above the other.
double marginFor(const std::vector<Size>& stages, const PageShape& shape)
{
    if (stages.size() < 2 || shape.boundaryGap >= handleHeight)
        return shape.columnGap;
    constexpr double apart = handleHeight + 4;
    const bool isHigh = std::all_of(stages.begin() + 1, stages.end() - 1, [&](const Size& stage) {
        return (stage.height + shape.boundaryGap) * page_rules::smallestZoom > apart;
    });
    return isHigh ? 84 : 150;
}

struct ShapeChoice
{
    PageShape shape;
    Verdict verdict;
};

ShapeChoice bestShape(const Graph& graph, const PageContent& content, Size view)
{
    constexpr std::array heights{84.0, 70.0, 60.0, 52.0, 44.0, 36.0, 28.0, 22.0, 18.0};
    constexpr std::array widths{224.0, 184.0, 148.0, 124.0};
    constexpr std::array gaps{40.0, 32.0, 14.0, 3.0};
    constexpr std::size_t mostColumns = 9;
    const bool hasBoundaries = content.stages.size() > 1;
    std::optional<ShapeChoice> best;
    const auto consider = [&](PageShape shape) {
        const std::vector<Size> stages = stageSizes(graph, content, shape);
        shape.margin = marginFor(stages, shape);
        shape.lineWidth += shape.margin;
        const Size page = pageSize(stages, shape);
        const Verdict verdict = judge(page, shape, view, hasBoundaries);
        if (!best ||
            std::pair(verdict.keeps, verdict.beauty) > std::pair(best->verdict.keeps, best->verdict.beauty))
            best = ShapeChoice{shape, verdict};
        return page.width;
    };
    for (const double height : heights)
        for (const double width : widths)
            for (const double gap : gaps) {
                double before = 0;
                for (std::size_t columns = 1; columns <= mostColumns; ++columns)
                    if (const double wide = consider(shapeOf({width, height}, gap, columns));
                        std::exchange(before, wide) == wide)
                        break; // no line is broken any more
            }
    return *best;
}

// One of several of its class: "layers.7". Taken apart it would explain less.
bool isUnit(const ModuleTree& modules, ModuleId module)
{
    if (!modules[module].parent || !isDigits(modules[module].name))
        return false;
    const auto& siblings = modules[*modules[module].parent].children;
    return std::ranges::count_if(siblings, [&](ModuleId sibling) {
               return modules[sibling].className == modules[module].className;
           }) > 1;
}

class OpeningChooser
{
public:
    OpeningChooser(const Graph& graph, const GroupTree& groups, const Partition& partition,
                   const Table<NodeId, double>& weights, RunTreeOptions options, Size view)
        : m_graph(graph),
          m_groups(groups),
          m_partition(partition),
          m_weights(weights),
          m_options(std::move(options)),
          m_view(view),
          m_mostCards(std::max<std::size_t>(14, 5 * partition.stageCount)),
          m_isRejected(groups.groups.size(), 0)
    {
        m_options.dissolved.clear();
        for (const GroupId group : groups.groups.ids())
            if (groups.groups[group].kind == GroupKind::Loose && groups.groups[group].depth > 1)
                m_options.dissolved.insert(group);
    }

    Opening choose()
    {
        Page page = pageOf(m_options.dissolved);
        while (const std::optional<GroupId> next = heaviest(page.tree)) {
            Page opened = pageOf(without(*next));
            const bool isTooMuch =
                opened.content.cards > m_mostCards && opened.content.cards > page.content.cards;
            const double gain = opened.choice.verdict.keeps - page.choice.verdict.keeps;
            const bool isLoose = m_groups.groups[*next].kind == GroupKind::Loose; // says enough as it is
            if (isTooMuch || gain < 0 || (isLoose && gain == 0)) {
                m_isRejected[*next] = 1;
                continue;
            }
            page = std::move(opened);
            m_options.dissolved = page.dissolved;
        }
        return {page.dissolved, page.choice.shape};
    }

private:
    struct Page
    {
        std::set<GroupId> dissolved;
        RunTree tree;
        PageContent content;
        ShapeChoice choice;
    };

    Page pageOf(const std::set<GroupId>& dissolved) const
    {
        RunTreeOptions options = m_options;
        options.dissolved = dissolved;
        Page page{.dissolved = dissolved, .tree = makeRunTree(m_graph, m_groups, m_partition, options)};
        page.content = contentOf(m_graph, page.tree);
        page.choice = bestShape(m_graph, page.content, m_view);
        return page;
    }

    // What a group holds stands on the page, its loose things in a box.
    std::set<GroupId> without(GroupId group) const
    {
        std::set<GroupId> dissolved = m_options.dissolved;
        dissolved.insert(group);
        for (const GroupId child : m_groups.groups.ids())
            if (m_groups.groups[child].parent == group && m_groups.groups[child].kind == GroupKind::Loose)
                dissolved.erase(child);
        return dissolved;
    }

    bool canDissolve(const RunBox& box) const
    {
        const Group& group = m_groups.groups[box.group];
        if (box.copies > 1 || m_isRejected[box.group] != 0 || m_options.dissolved.contains(box.group) ||
            group.kind == GroupKind::Bookkeeping)
            return false;
        // Operators alone would not explain more than what they belong to.
        const bool holdsBoxes = std::ranges::any_of(
            box.children, [](const RunItem& child) { return std::holds_alternative<BoxId>(child); });
        return group.kind != GroupKind::Module || (holdsBoxes && !isUnit(m_graph.modules(), group.module));
    }

    std::optional<GroupId> heaviest(const RunTree& tree) const
    {
        std::optional<GroupId> best;
        double most = -1;
        for (const BoxId box : tree.boxes.ids()) {
            if (tree.boxes[box].depth != 2 || !canDissolve(tree.boxes[box]))
                continue;
            double weight = 0;
            for (const NodeId node : tree.nodesOf(box))
                weight += m_weights[node];
            if (weight > most) {
                most = weight;
                best = tree.boxes[box].group;
            }
        }
        return best;
    }

    const Graph& m_graph;
    const GroupTree& m_groups;
    const Partition& m_partition;
    const Table<NodeId, double>& m_weights;
    RunTreeOptions m_options;
    Size m_view;
    std::size_t m_mostCards;
    Table<GroupId, char> m_isRejected;
};

} // namespace

Opening chooseOpening(const Graph& graph, const GroupTree& groups, const Partition& partition,
                      const Table<NodeId, double>& weights, const RunTreeOptions& options, Size view)
{
    return OpeningChooser(graph, groups, partition, weights, options, view).choose();
}

PageShape choosePageShape(const Graph& graph, const RunTree& tree, Size view)
{
    return bestShape(graph, contentOf(graph, tree), view).shape;
}

} // namespace stagecraft
