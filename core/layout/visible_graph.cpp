#include "core/layout/visible_graph.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace stagecraft {

namespace {

class VisibleGraphMaker
{
public:
    VisibleGraphMaker(const Graph& graph, const RunTree& tree, const Expansion& expansion)
        : m_graph(graph),
          m_tree(tree),
          m_boxes(tree.boxes.size()),
          m_index(tree.boxes.size()),
          m_shownAs(tree.boxes.size())
    {
        for (const BoxId box : tree.boxes.ids()) {
            const std::optional<BoxId> parent = tree.boxes[box].parent;
            m_isOpen.add((!parent || m_isOpen[*parent] != 0) && expansion.isOpen(tree, box) ? 1 : 0);
            m_shownAs[box] = !parent || m_isOpen[*parent] != 0 ? box : *m_shownAs[*parent];
        }
    }

    Table<BoxId, VisibleBox> make()
    {
        addInputs();
        for (const BoxId box : m_tree.boxes.ids())
            if (m_isOpen[box] != 0)
                addItems(box);
        for (const NodeId node : m_tree.order)
            if (!m_tree.isHidden(node))
                collectConnectionsInto(node);
        collectConnectionsToOutputs();
        numberOutPorts();
        for (const Connection& connection : m_connections)
            connect(connection);
        // The order must not depend on what is outside, so that equal boxes look equal.
        for (VisibleBox& box : m_boxes)
            std::ranges::sort(box.edges, {},
                              [](const VisibleEdge& edge) { return std::pair(edge.tail, edge.head); });
        return std::move(m_boxes);
    }

private:
    using End = VisibleEnd;

    // Where an item is: the open box that holds it, and the end that edges of that box have there.
    struct Place
    {
        BoxId box;
        End end;
    };

    struct Connection
    {
        Place tail;
        Place head;
        ValueId value;
    };

    // Look-up tables of a box in the making.
    struct Index
    {
        std::unordered_map<NodeId, std::size_t> itemOfNode;
        std::unordered_map<BoxId, std::size_t> itemOfBox;
        std::unordered_map<ValueId, std::size_t> inputs;
        std::optional<std::size_t> output;
        std::unordered_map<ValueId, std::size_t> inPorts;
        std::unordered_map<ValueId, std::size_t> outPorts;
        std::map<std::pair<End, End>, std::size_t> edges;
    };

    void addInputs();
    void addItems(BoxId box);
    void collectConnectionsInto(NodeId node);
    void collectConnectionsToOutputs();
    void numberOutPorts();
    BoxId stageBox(NodeId node) const;
    Place placeOf(NodeId node) const;
    void connect(const Connection& connection);
    bool isBetweenCopies(NodeId node, BoxId common) const;
    BoxId commonBox(BoxId a, BoxId b) const;
    ValueId drawnValue(ValueId value) const;
    // The place of `value` among the ports of a box, where it comes in or goes out.
    std::size_t inPort(BoxId box, ValueId value)
    {
        return portOf(m_boxes[box].inPorts, m_index[box].inPorts, value);
    }
    std::size_t outPort(BoxId box, ValueId value)
    {
        return portOf(m_boxes[box].outPorts, m_index[box].outPorts, value);
    }
    static std::size_t portOf(std::vector<ValueId>& ports, std::unordered_map<ValueId, std::size_t>& index,
                              ValueId value)
    {
        const auto [entry, isNew] = index.try_emplace(value, ports.size());
        if (isNew)
            ports.push_back(value);
        return entry->second;
    }
    void addEdge(BoxId box, End tail, End head, ValueId value);

    const Graph& m_graph;
    const RunTree& m_tree;
    Table<BoxId, VisibleBox> m_boxes;
    Table<BoxId, Index> m_index;
    Table<BoxId, char> m_isOpen;                  // itself and all around it
    Table<BoxId, std::optional<BoxId>> m_shownAs; // itself, or the outermost closed box around it
    std::vector<Connection> m_connections;
};

BoxId VisibleGraphMaker::stageBox(NodeId node) const
{
    return std::get<BoxId>(m_tree.boxes[RunTree::root()].children[m_tree.partition.stageOf[node].index()]);
}

// An input of the model is drawn once in each stage that reads it, before everything else.
void VisibleGraphMaker::addInputs()
{
    for (const NodeId node : m_tree.order) {
        if (m_tree.isHidden(node) || m_tree.foldDepth[node])
            continue;
        const BoxId stage = stageBox(node);
        for (const ValueId input : m_graph[node].inputs) {
            if (m_graph[input].kind != ValueKind::UserInput)
                continue;
            auto& items = m_boxes[stage].items;
            if (m_index[stage].inputs.try_emplace(input, items.size()).second)
                items.push_back({.kind = VisibleItem::Kind::Input, .value = input});
        }
    }
}

void VisibleGraphMaker::addItems(BoxId box)
{
    for (const RunItem& child : m_tree.boxes[box].children) {
        const std::size_t index = m_boxes[box].items.size();
        VisibleItem item;
        if (const NodeId* node = std::get_if<NodeId>(&child)) {
            item.node = *node;
            m_index[box].itemOfNode.emplace(*node, index);
        } else {
            item.box = std::get<BoxId>(child);
            item.kind = m_isOpen[*item.box] != 0 ? VisibleItem::Kind::OpenBox : VisibleItem::Kind::ClosedBox;
            m_index[box].itemOfBox.emplace(*item.box, index);
        }
        m_boxes[box].items.push_back(item);
    }
}

// Drawn nodes only.
VisibleGraphMaker::Place VisibleGraphMaker::placeOf(NodeId node) const
{
    const BoxId box = *m_tree.boxOf[node];
    if (m_isOpen[box] != 0)
        return {box, {.item = m_index[box].itemOfNode.at(m_tree.standIn[node])}};
    const BoxId shown = *m_shownAs[box];
    const BoxId around = *m_tree.boxes[shown].parent;
    return {around, {.item = m_index[around].itemOfBox.at(shown)}};
}

BoxId VisibleGraphMaker::commonBox(BoxId a, BoxId b) const
{
    const auto& boxes = m_tree.boxes;
    while (a != b) {
        if (boxes[a].depth >= boxes[b].depth)
            a = *boxes[a].parent;
        else
            b = *boxes[b].parent;
    }
    return a;
}

// Edges between copies of a fold, and inside copies that are not drawn, are not drawn either.
bool VisibleGraphMaker::isBetweenCopies(NodeId node, BoxId common) const
{
    const std::optional<int> fold = m_tree.foldDepth[node];
    return fold && *fold <= m_tree.boxes[common].depth;
}

// The same result of the node that stands in for the producer.
ValueId VisibleGraphMaker::drawnValue(ValueId value) const
{
    const NodeId producer = *m_graph[value].producer;
    const NodeId standIn = m_tree.standIn[producer];
    if (standIn == producer)
        return value;
    const auto& results = m_graph[producer].results;
    const auto index = static_cast<std::size_t>(std::ranges::find(results, value) - results.begin());
    return m_graph[standIn].results[index];
}

void VisibleGraphMaker::collectConnectionsInto(NodeId node)
{
    const Place head = placeOf(node);
    for (const ValueId input : m_graph[node].inputs) {
        const Value& value = m_graph[input];
        if (!value.producer) {
            const BoxId stage = stageBox(node);
            if (value.kind == ValueKind::UserInput && !m_tree.foldDepth[node])
                m_connections.push_back({{stage, {.item = m_index[stage].inputs.at(input)}}, head, input});
            continue;
        }
        if (m_tree.isHidden(*value.producer))
            continue;
        const BoxId common = commonBox(*m_tree.boxOf[*value.producer], *m_tree.boxOf[node]);
        if (!isBetweenCopies(*value.producer, common) && !isBetweenCopies(node, common))
            m_connections.push_back({placeOf(*value.producer), head, drawnValue(input)});
    }
}

// What the model returns is drawn as one item in each stage that makes some of it.
void VisibleGraphMaker::collectConnectionsToOutputs()
{
    std::vector<ValueId> returned;
    for (const Argument& output : m_graph.outputs())
        collectValues(output, returned);
    for (const ValueId value : returned) {
        const std::optional<NodeId> producer = m_graph[value].producer;
        if (!producer || m_tree.isHidden(*producer))
            continue;
        const BoxId box = stageBox(*producer);
        if (!m_index[box].output) {
            m_index[box].output = m_boxes[box].items.size();
            m_boxes[box].items.push_back({.kind = VisibleItem::Kind::Output, .value = value});
        }
        m_connections.push_back(
            {placeOf(*producer), {box, {.item = m_index[box].output}}, drawnValue(value)});
    }
}

// Ports where values leave a box are in order of production, whoever reads them.
void VisibleGraphMaker::numberOutPorts()
{
    std::vector<const Connection*> byProduction;
    for (const Connection& connection : m_connections)
        byProduction.push_back(&connection);
    std::ranges::stable_sort(byProduction, {}, [&](const Connection* connection) {
        const std::optional<NodeId> producer = m_graph[connection->value].producer;
        return std::pair(producer ? m_tree.positionOf[*producer] + 1 : 0, connection->value);
    });
    for (const Connection* connection : byProduction) {
        const BoxId common = commonBox(connection->tail.box, connection->head.box);
        for (BoxId box = connection->tail.box; box != common; box = *m_tree.boxes[box].parent)
            outPort(box, connection->value);
    }
}

// Follows a value from its maker's box up to the common box, and down to its reader's.
void VisibleGraphMaker::connect(const Connection& connection)
{
    auto [tail, head, value] = connection;
    if (tail.box == head.box && tail.end == head.end)
        return;
    const BoxId common = commonBox(tail.box, head.box);
    while (tail.box != common) {
        const std::size_t port = outPort(tail.box, value);
        addEdge(tail.box, tail.end, {.port = port}, value);
        const BoxId around = *m_tree.boxes[tail.box].parent;
        tail = {around, {.item = m_index[around].itemOfBox.at(tail.box), .port = port}};
    }
    while (head.box != common) {
        const std::size_t port = inPort(head.box, value);
        addEdge(head.box, {.port = port}, head.end, value);
        const BoxId around = *m_tree.boxes[head.box].parent;
        head = {around, {.item = m_index[around].itemOfBox.at(head.box), .port = port}};
    }
    addEdge(common, tail.end, head.end, value);
}

void VisibleGraphMaker::addEdge(BoxId box, End tail, End head, ValueId value)
{
    auto& edges = m_boxes[box].edges;
    const auto [entry, isNew] = m_index[box].edges.try_emplace({tail, head}, edges.size());
    if (isNew)
        edges.push_back({tail, head, {}});
    std::vector<ValueId>& values = edges[entry->second].values;
    if (std::ranges::find(values, value) == values.end())
        values.push_back(value);
}

} // namespace

Table<BoxId, VisibleBox> makeVisibleGraph(const Graph& graph, const RunTree& tree, const Expansion& expansion)
{
    return VisibleGraphMaker(graph, tree, expansion).make();
}

} // namespace stagecraft
