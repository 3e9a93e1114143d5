#include "core/plan/sources/instance.h"

#include "core/base/json_text.h"
#include "core/base/text_file.h"
#include "core/base/topological_order.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace stagecraft {

namespace {

using InstanceJson = nlohmann::json;

// Of a node's time or memory: sums of many stay exact enough, and within what bytes are counted in.
constexpr double mostNumber = 1e15;

class InstanceReader
{
public:
    InstanceReader(std::string file, const PartitionOptions& options) : m_file(std::move(file))
    {
        m_instance.problem.options = options;
        m_instance.problem.options.emptyStages = EmptyStages::Allow;
        m_instance.problem.options.links.clear();
        completeOptions(m_instance.problem.options, Link{});
    }

    Result<Instance> read(const InstanceJson& json)
    {
        if (!json.is_object() || !json.contains("nodes") || !json["nodes"].is_array() ||
            !json.contains("edges") || !json["edges"].is_array())
            return bad("is not a partition instance: it has no lists 'nodes' and 'edges'");
        m_instance.name = textOf(json, "name");
        if (const auto limit = json.find("memory_limit"); limit != json.end() && limit->is_number())
            m_instance.memoryLimit = bytesOf(limit->get<double>());
        for (const InstanceJson& node : json["nodes"])
            STAGECRAFT_TRY(readNode(node));
        for (const InstanceJson& edge : json["edges"])
            STAGECRAFT_TRY(readEdge(edge));
        STAGECRAFT_TRY(checkNoCycle());
        addGroups();
        addPrecedences();
        STAGECRAFT_TRY(checkProblem(m_instance.problem));
        return std::move(m_instance);
    }

private:
    Error bad(const std::string& what) const { return Error{ErrorCode::BadFormat, m_file + ": " + what}; }

    static Bytes bytesOf(double count)
    {
        return count >= 9.2e18 ? Bytes::max() : Bytes(static_cast<std::int64_t>(std::llround(count)));
    }

    static std::string textOf(const InstanceJson& object, const char* field)
    {
        const auto text = object.find(field);
        return text != object.end() && text->is_string() ? text->get<std::string>() : std::string();
    }

    Result<double> numberOf(const InstanceJson& object, const char* field, const std::string& what) const
    {
        const auto number = object.find(field);
        if (number == object.end() || !number->is_number())
            return bad(what + " has no number '" + field + "'");
        const double value = number->get<double>();
        if (!(value >= 0))
            return bad(what + " has a negative '" + field + "': " + number->dump());
        if (value > mostNumber)
            return bad(what + " has a '" + field + "' beyond all measure: " + number->dump());
        return value;
    }

    Result<void> readNode(const InstanceJson& json)
    {
        if (!json.is_object() || !json.contains("id") || !json["id"].is_number_integer())
            return bad("a node has no whole number 'id'");
        const std::int64_t id = json["id"].get<std::int64_t>();
        const std::string name = "node " + std::to_string(id);
        STAGECRAFT_ASSIGN(time, numberOf(json, "time", name));
        double memory = 0;
        if (json.contains("memory")) {
            STAGECRAFT_ASSIGN(given, numberOf(json, "memory", name));
            memory = given;
        }
        const auto flag = json.find("backward");
        const bool backward = flag != json.end() && flag->is_boolean() && flag->get<bool>();
        ProblemNode node{.name = textOf(json, "label"), .state = bytesOf(memory)};
        if (node.name.empty())
            node.name = std::to_string(id);
        (backward ? node.backwardInput : node.forward) = Seconds(time);
        const NodeId index = m_instance.problem.nodes.add(std::move(node));
        if (!m_indexOf.emplace(id, index).second)
            return bad(name + " is there twice");
        m_isBackward.push_back(backward);
        m_colour.emplace_back();
        if (const auto colour = json.find("colocation"); colour != json.end() && !colour->is_null()) {
            m_colour.back() = colour->dump();
            m_byColour[*m_colour.back()].push_back(index);
        }
        return {};
    }

    Result<void> readEdge(const InstanceJson& json)
    {
        if (!json.is_object())
            return bad("an edge is not an object");
        std::array<NodeId, 2> ends{NodeId(0), NodeId(0)};
        for (std::size_t i = 0; i < 2; ++i) {
            const char* field = i == 0 ? "from" : "to";
            const auto id = json.find(field);
            if (id == json.end() || !id->is_number_integer())
                return bad(std::string("an edge has no whole number '") + field + "'");
            const auto found = m_indexOf.find(id->get<std::int64_t>());
            if (found == m_indexOf.end())
                return bad(std::string("an edge has '") + field + "' " + id->dump() + ", which is no node");
            ends[i] = found->second;
        }
        STAGECRAFT_ASSIGN(time, numberOf(json, "bytes_time", "the edge from " + json["from"].dump()));
        m_edges.emplace_back(ends[0], ends[1]);
        if (ends[0] == ends[1])
            return {};
        auto& values = m_instance.problem.values;
        const auto [place, isNew] = m_valueOf.emplace(ends[0].index(), values.size());
        if (isNew)
            values.push_back({.value = ValueId(values.size()), .producer = ends[0]});
        ProblemValue& value = values[place->second];
        if (m_isKnown.emplace(std::uint64_t{ends[0].index()} << 32 | ends[1].index()).second)
            value.readers.push_back(ends[1]);
        value.fixedTime = std::max(value.fixedTime, Seconds(time));
        return {};
    }

    Result<void> checkNoCycle() const
    {
        const std::size_t count = m_instance.problem.nodes.size();
        std::vector<std::vector<std::size_t>> after(count);
        for (const auto& [from, to] : m_edges)
            after[from.index()].push_back(to.index());
        std::vector<std::size_t> order = topologicalOrder<std::size_t>(
            count, [&](std::size_t node) -> const auto& { return after[node]; }, std::greater{});
        if (order.size() == count)
            return {};
        std::ranges::sort(order);
        std::size_t stuck = 0; // the first that is on a cycle or behind one
        while (stuck < order.size() && order[stuck] == stuck)
            ++stuck;
        return bad("its edges form a cycle, at or before node '" +
                   m_instance.problem.nodes[NodeId(stuck)].name + "'");
    }

    void addGroups()
    {
        for (auto& [colour, nodes] : m_byColour) {
            for (NodeId node : nodes)
                m_hasForward[colour] |= !m_isBackward[node.index()];
            if (nodes.size() > 1)
                m_instance.problem.groups.push_back({std::move(nodes), "colocation " + colour});
        }
    }

    // Does the node run backward on its own, or beside a forward node of its group?
    bool isBackwardAlone(NodeId node) const
    {
        if (!m_isBackward[node.index()])
            return false;
        const auto& colour = m_colour[node.index()];
        return !colour || !m_hasForward.at(*colour);
    }

    void addPrecedences()
    {
        for (const auto& [from, to] : m_edges) {
            const bool fromBackward = m_isBackward[from.index()];
            const bool toBackward = m_isBackward[to.index()];
            if (!fromBackward && !toBackward)
                m_instance.problem.precedences.push_back({from, to});
            else if (fromBackward && toBackward && (isBackwardAlone(from) || isBackwardAlone(to)))
                m_instance.problem.precedences.push_back({to, from});
        }
    }

    std::string m_file;
    Instance m_instance;
    std::unordered_map<std::int64_t, NodeId> m_indexOf;
    std::unordered_map<std::uint32_t, std::size_t> m_valueOf;
    std::unordered_set<std::uint64_t> m_isKnown; // edges, by both ends
    std::vector<char> m_isBackward;
    std::vector<std::optional<std::string>> m_colour;
    std::map<std::string, std::vector<NodeId>> m_byColour;
    std::map<std::string, bool> m_hasForward;
    std::vector<std::pair<NodeId, NodeId>> m_edges;
};

} // namespace

Result<Instance> readInstance(const std::filesystem::path& path, const PartitionOptions& options)
{
    STAGECRAFT_TRY(checkOptions(options));
    constexpr Bytes most(std::int64_t{256} << 20);
    STAGECRAFT_ASSIGN(text, readTextFile(path, most));
    STAGECRAFT_ASSIGN(json, parseJson<InstanceJson>(text, path.string()));
    return InstanceReader(path.string(), options).read(json);
}

} // namespace stagecraft
