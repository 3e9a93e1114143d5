#include "core/layout/make_run_tree.h"

#include "core/base/hashing.h"
#include "core/layout/hidden_nodes.h"
#include "core/layout/run_titles.h"
#include "core/layout/structure_hash.h"

#include <algorithm>
#include <map>

namespace stagecraft {

std::vector<NodeId> RunTree::nodesOf(BoxId box) const
{
    const RunBox& of = boxes[box];
    if (!of.scattered.empty())
        return of.scattered;
    return {order.begin() + static_cast<std::ptrdiff_t>(of.first),
            order.begin() + static_cast<std::ptrdiff_t>(of.end)};
}

namespace {

// A box in the making, or an operator. Ranges are places in the sequence of drawn nodes.
struct Draft
{
    std::optional<NodeId> node; // an operator
    GroupId group = GroupTree::root();
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t copies = 1;
    std::uint64_t structure = 0;
    std::vector<Draft> children;
};

class RunTreeMaker
{
public:
    RunTreeMaker(const Graph& graph, const RunTreeOptions& options, RunTree& tree)
        : m_graph(graph), m_options(options), m_tree(tree)
    {
    }

    void make()
    {
        orderNodes();
        m_tree.main = findMain();
        m_tree.boxes.add({.title = m_graph.name(), .first = 0, .end = m_tree.order.size()});
        for (const StageId stage : idRange<StageId>(m_tree.partition.stageCount))
            addStage(stage);
        resolveStandIns();
        numberParts(m_tree);
    }

private:
    void orderNodes();
    void addStage(StageId stage);
    Draft draft(GroupId group, std::size_t begin, std::size_t end);
    void gatherBookkeeping(GroupId group, std::size_t begin, std::size_t end);
    GroupId findMain() const;
    void takePlaces(const Draft& draft, RunBox& box) const;
    std::optional<GroupId> groupBelow(GroupId group, NodeId node) const;
    std::vector<Draft> fold(std::vector<Draft> drafts) const;
    std::uint64_t structureOf(const Draft& box) const;
    BoxId addBox(const Draft& draft, BoxId parent, StageId stage);
    void addChildren(const Draft& draft, BoxId box, StageId stage);
    void standInForCopies(const Draft& draft, int depth);
    void resolveStandIns();

    const Graph& m_graph;
    const RunTreeOptions& m_options;
    RunTree& m_tree;
    std::vector<NodeId> m_sequence; // drawn nodes in stage order
    Table<NodeId, std::size_t> m_placeOf;
    Table<NodeId, std::uint64_t> m_operatorHash;
};

void RunTreeMaker::orderNodes()
{
    const std::size_t count = m_graph.nodeCount();
    m_tree.order.assign(count, NodeId(0));
    std::ranges::copy(m_graph.nodes(), m_tree.order.begin());
    m_tree.standIn = Table<NodeId, NodeId>(m_tree.order);
    std::ranges::stable_sort(m_tree.order, {}, [&](NodeId node) { return m_tree.partition.stageOf[node]; });
    m_tree.positionOf = Table<NodeId, std::size_t>(count);
    for (std::size_t i = 0; i < count; ++i)
        m_tree.positionOf[m_tree.order[i]] = i;
    m_tree.boxOf = Table<NodeId, std::optional<BoxId>>(count);
    m_tree.foldDepth = Table<NodeId, std::optional<int>>(count);
    const bool hide = m_options.hidden == RunTreeOptions::Hidden::Hide;
    const Table<NodeId, char> hidden = hide ? hiddenNodes(m_graph) : Table<NodeId, char>(count, 0);
    m_placeOf = Table<NodeId, std::size_t>(count, SIZE_MAX);
    m_operatorHash = Table<NodeId, std::uint64_t>(count, 0);
    for (const NodeId node : m_tree.order) {
        if (hidden[node])
            continue;
        m_placeOf[node] = m_sequence.size();
        m_operatorHash[node] = hashOperator(m_graph, node);
        m_sequence.push_back(node);
    }
}

void RunTreeMaker::addStage(StageId stage)
{
    const auto stageOf = [&](NodeId node) { return m_tree.partition.stageOf[node]; };
    const auto nodes = std::ranges::equal_range(m_sequence, stage, {}, stageOf);
    const auto positions = std::ranges::equal_range(m_tree.order, stage, {}, stageOf);
    const auto begin = static_cast<std::size_t>(nodes.begin() - m_sequence.begin());
    const Draft inside = draft(GroupTree::root(), begin, begin + nodes.size());
    RunBox box;
    box.stage = stage;
    box.parent = RunTree::root();
    box.depth = 1;
    box.title = "Stage " + std::to_string(stage.index() + 1);
    box.first = static_cast<std::size_t>(positions.begin() - m_tree.order.begin());
    box.end = box.first + positions.size();
    box.structure = inside.structure;
    const BoxId id = m_tree.boxes.add(std::move(box));
    m_tree.boxes[RunTree::root()].children.emplace_back(id);
    addChildren(inside, id, stage);
    m_tree.boxes[RunTree::root()].drawnNodes += m_tree.boxes[id].drawnNodes;
}

// The group one step below `group` that holds `node`; none if the node is `group`'s own.
std::optional<GroupId> RunTreeMaker::groupBelow(GroupId group, NodeId node) const
{
    const auto& groups = m_tree.groups.groups;
    std::optional<GroupId> below;
    for (GroupId at = m_tree.groups.groupOf[node]; at != group; at = *groups[at].parent)
        if (!m_options.dissolved.contains(at))
            below = at;
    return below;
}

GroupId RunTreeMaker::findMain() const
{
    constexpr double share = 0.8; // of what is drawn
    Table<GroupId, std::size_t> inside(m_tree.groups.groups.size(), 0);
    for (const NodeId node : m_sequence)
        for (std::optional<GroupId> at = m_tree.groups.groupOf[node]; at;
             at = m_tree.groups.groups[*at].parent)
            ++inside[*at];
    // Of one of many its number alone would be left, which is no name.
    const auto isList = [&](GroupId group) {
        const auto& children = m_graph.modules()[m_tree.groups.groups[group].module].children;
        return !children.empty() &&
               m_graph.modules()[children.front()].name.find_first_not_of("0123456789") == std::string::npos;
    };
    GroupId main = GroupTree::root();
    for (const GroupId group : m_options.dissolved) // parents come first
        if (m_tree.groups.groups[group].parent == main &&
            m_tree.groups.groups[group].kind == GroupKind::Module && !isList(group) &&
            static_cast<double>(inside[group]) >= share * static_cast<double>(m_sequence.size()))
            main = group;
    return main;
}

// Moves the nodes of each bookkeeping group up to its first one, past others that they do not read.
void RunTreeMaker::gatherBookkeeping(GroupId group, std::size_t begin, std::size_t end)
{
    std::map<GroupId, std::vector<NodeId>> gathered;
    std::map<NodeId, GroupId> isIn;
    for (std::size_t i = begin; i < end; ++i) {
        const NodeId node = m_sequence[i];
        const std::optional<GroupId> below = groupBelow(group, node);
        if (!below || m_tree.groups.groups[*below].kind != GroupKind::Bookkeeping)
            continue;
        std::vector<NodeId>& nodes = gathered[*below];
        const auto isReady = [&](ValueId input) {
            const std::optional<NodeId> producer = m_graph[input].producer;
            if (!producer || nodes.empty())
                return true;
            const auto found = isIn.find(*producer);
            return (found != isIn.end() && found->second == *below) ||
                   m_placeOf[*producer] < m_placeOf[nodes.front()];
        };
        if (std::ranges::all_of(m_graph[node].inputs, isReady)) {
            nodes.push_back(node);
            isIn.emplace(node, *below);
        }
    }
    if (gathered.empty())
        return;
    std::vector<NodeId> sequence;
    for (std::size_t i = begin; i < end; ++i) {
        const auto found = isIn.find(m_sequence[i]);
        if (found == isIn.end())
            sequence.push_back(m_sequence[i]);
        else if (const auto& nodes = gathered[found->second]; nodes.front() == m_sequence[i])
            sequence.insert(sequence.end(), nodes.begin(), nodes.end());
    }
    for (std::size_t i = begin; i < end; ++i) {
        m_sequence[i] = sequence[i - begin];
        m_placeOf[m_sequence[i]] = i;
    }
}

Draft RunTreeMaker::draft(GroupId group, std::size_t begin, std::size_t end)
{
    gatherBookkeeping(group, begin, end);
    std::vector<Draft> children;
    for (std::size_t i = begin; i < end;) {
        const NodeId node = m_sequence[i];
        const std::optional<GroupId> below = groupBelow(group, node);
        if (!below) {
            children.push_back(
                {.node = node, .group = group, .begin = i, .end = i + 1, .structure = m_operatorHash[node]});
            ++i;
            continue;
        }
        std::size_t last = i + 1;
        while (last < end && groupBelow(group, m_sequence[last]) == below)
            ++last;
        Draft child = draft(*below, i, last);
        // A box around a single thing says nothing: the thing takes its place.
        if (child.children.size() == 1)
            child = Draft(std::move(child.children.front()));
        children.push_back(std::move(child));
        i = last;
    }
    Draft box{.group = group, .begin = begin, .end = end, .children = fold(std::move(children))};
    box.structure = structureOf(box);
    return box;
}

std::vector<Draft> RunTreeMaker::fold(std::vector<Draft> drafts) const
{
    if (m_options.folding == RunTreeOptions::Folding::ShowEach)
        return drafts;
    std::vector<Draft> folded;
    for (Draft& draft : drafts) {
        // What is already a fold is never folded again, so that a copy is always one piece of the sequence.
        const bool isCopy = !folded.empty() && !draft.node && !folded.back().node && draft.copies == 1 &&
                            folded.back().structure == draft.structure;
        if (!isCopy) {
            folded.push_back(std::move(draft));
            continue;
        }
        ++folded.back().copies;
        folded.back().end = draft.end;
    }
    return folded;
}

std::uint64_t RunTreeMaker::structureOf(const Draft& box) const
{
    std::uint64_t hash = static_cast<std::uint64_t>(m_tree.groups.groups[box.group].depth);
    for (const Draft& child : box.children)
        hash = combineHash(combineHash(hash, child.structure), child.node ? 0 : child.copies);
    for (std::size_t i = box.begin; i < box.end; ++i)
        hash = combineHash(hash, m_operatorHash[m_sequence[i]]);
    const std::span<const NodeId> run(m_sequence.data() + box.begin, box.end - box.begin);
    return combineHash(hash, hashEdges(m_graph, run, box.begin, m_placeOf));
}

void RunTreeMaker::takePlaces(const Draft& draft, RunBox& box) const
{
    std::vector<std::size_t> places;
    for (std::size_t i = draft.begin; i < draft.end; ++i)
        places.push_back(m_tree.positionOf[m_sequence[i]]);
    std::ranges::sort(places);
    box.first = places.front();
    box.end = places.back() + 1;
    // Hidden nodes in between belong to it; others do not.
    const auto isDrawn = [&](std::size_t place) { return m_placeOf[m_tree.order[place]] != SIZE_MAX; };
    std::size_t drawn = 0;
    for (std::size_t place = box.first; place < box.end; ++place)
        drawn += isDrawn(place) ? 1 : 0;
    if (drawn == places.size())
        return;
    for (const std::size_t place : places)
        box.scattered.push_back(m_tree.order[place]);
}

BoxId RunTreeMaker::addBox(const Draft& draft, BoxId parent, StageId stage)
{
    RunBox box;
    box.group = draft.group;
    box.stage = stage;
    box.parent = parent;
    box.depth = m_tree.boxes[parent].depth + 1;
    box.copies = draft.copies;
    takePlaces(draft, box);
    box.structure = draft.structure;
    const RunRange range{.parent = m_tree.boxes[parent].group,
                         .first = m_sequence[draft.begin],
                         .last = m_sequence[draft.end - 1]};
    box.title = boxTitle(m_graph, m_tree, box, range);
    const int depth = box.depth;
    const BoxId id = m_tree.boxes.add(std::move(box));
    if (draft.copies > 1)
        standInForCopies(draft, depth);
    addChildren(draft, id, stage);
    return id;
}

void RunTreeMaker::addChildren(const Draft& draft, BoxId box, StageId stage)
{
    for (const Draft& child : draft.children) {
        if (child.node) {
            m_tree.boxes[box].children.emplace_back(*child.node);
            m_tree.boxOf[*child.node] = box;
            ++m_tree.boxes[box].drawnNodes;
            continue;
        }
        const BoxId inner = addBox(child, box, stage);
        m_tree.boxes[box].children.emplace_back(inner);
        m_tree.boxes[box].drawnNodes += m_tree.boxes[inner].drawnNodes;
    }
}

// Copies are equal node by node, so the i-th node of each is drawn as the i-th of the first.
void RunTreeMaker::standInForCopies(const Draft& draft, int depth)
{
    const std::size_t length = (draft.end - draft.begin) / draft.copies;
    for (std::size_t i = draft.begin + length; i < draft.end; ++i) {
        const NodeId node = m_sequence[i];
        m_tree.standIn[node] = m_sequence[draft.begin + (i - draft.begin) % length];
        m_tree.foldDepth[node] = depth;
    }
}

// A node of a folded copy may stand for one that is itself in a copy inside the first: follow to the end.
// Folds are met from the outside in, so a stand-in's place in the sequence is always lower.
void RunTreeMaker::resolveStandIns()
{
    for (const NodeId node : m_sequence) {
        const NodeId first = m_tree.standIn[node];
        if (first == node)
            continue;
        m_tree.standIn[node] = m_tree.standIn[first];
        m_tree.boxOf[node] = m_tree.boxOf[m_tree.standIn[node]];
    }
}

} // namespace

RunTree makeRunTree(const Graph& graph, const GroupTree& groups, const Partition& partition,
                    const RunTreeOptions& options)
{
    RunTree tree;
    tree.groups = groups;
    tree.partition = partition;
    RunTreeMaker(graph, options, tree).make();
    return tree;
}

} // namespace stagecraft
