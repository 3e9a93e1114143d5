#include "core/measure/imported_times.h"

#include "core/base/csv_text.h"
#include "core/base/json_text.h"
#include "core/measure/packed_text.h"
#include "core/measure/profiler_trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace stagecraft {

namespace {

using nlohmann::json;

enum class Field : std::uint8_t { Forward, Backward, BackwardInput, BackwardWeight, Recomputed };

struct FieldName
{
    Field field;
    double unit; // in seconds
};

// "time_backward_us" -> backward, 1e-6.
std::optional<FieldName> fieldOf(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, double>, 4> units{
        {{"_s", 1}, {"_ms", 1e-3}, {"_us", 1e-6}, {"_ns", 1e-9}}};
    constexpr std::array<std::pair<std::string_view, Field>, 5> fields{
        {{"forward", Field::Forward},
         {"backward", Field::Backward},
         {"backward_input", Field::BackwardInput},
         {"backward_weight", Field::BackwardWeight},
         {"recomputed", Field::Recomputed}}};
    if (name.starts_with("time_"))
        name.remove_prefix(5);
    double unit = 1;
    for (const auto& [ending, factor] : units)
        if (name.ends_with(ending)) {
            name.remove_suffix(ending.size());
            unit = factor;
            break;
        }
    const auto found = std::ranges::find(fields, name, &std::pair<std::string_view, Field>::first);
    if (found == fields.end())
        return std::nullopt;
    return FieldName{found->second, unit};
}

// How many names there are, and the first of them.
class NameList
{
public:
    void add(const std::string& name)
    {
        constexpr std::size_t most = 5;
        if (m_count < most)
            m_text += (m_count > 0 ? ", " : "") + name;
        else if (m_count == most)
            m_text += ", ...";
        ++m_count;
    }
    bool empty() const { return m_count == 0; }
    std::size_t size() const { return m_count; }
    const std::string& text() const { return m_text; }

private:
    std::size_t m_count = 0;
    std::string m_text;
};

// Collects fields of nodes by name; what names no node is remembered.
class TimesCollector
{
public:
    TimesCollector(const Graph& graph, const std::string& name) : m_graph(graph), m_name(name)
    {
        m_times.nodes = Table<NodeId, std::optional<ImportedTime>>(graph.nodeCount());
        for (const NodeId id : graph.nodes())
            m_ids.emplace(graph[id].name, id);
    }

    // The time of the node; null where there is no such node.
    ImportedTime* node(const std::string& name)
    {
        const auto found = m_ids.find(name);
        if (found == m_ids.end()) {
            m_strangers.add(name);
            return nullptr;
        }
        std::optional<ImportedTime>& time = m_times.nodes[found->second];
        if (time)
            m_repeated.add(name);
        time.emplace();
        return &*time;
    }

    static void set(ImportedTime& time, Field field, Seconds value)
    {
        switch (field) {
        case Field::Forward:
            time.forward = value;
            break;
        case Field::Backward:
            time.backward = value;
            break;
        case Field::BackwardInput:
            time.backward = value + time.weight.value_or(Seconds{});
            time.weight = time.weight.value_or(Seconds{});
            break;
        case Field::BackwardWeight:
            time.backward += value - time.weight.value_or(Seconds{});
            time.weight = value;
            break;
        case Field::Recomputed:
            time.recomputed = value;
            break;
        }
    }

    Result<ImportedTimes> finish()
    {
        NameList without;
        for (const NodeId id : m_graph.nodes())
            if (!m_times.nodes[id])
                without.add(m_graph[id].name);
        if (without.size() == m_graph.nodeCount())
            return Error{ErrorCode::BadFormat,
                         m_name + ": has a time for none of the model's " + std::to_string(without.size()) +
                             " nodes" + (m_strangers.empty() ? "" : "; it names " + m_strangers.text())};
        if (!without.empty())
            m_times.notes.push_back(m_name + ": " + std::to_string(without.size()) + " of " +
                                    std::to_string(m_graph.nodeCount()) +
                                    " nodes have no time in it and stay estimated: " + without.text());
        if (!m_strangers.empty())
            m_times.notes.push_back(m_name + ": " + std::to_string(m_strangers.size()) +
                                    " of its entries name no node: " + m_strangers.text());
        if (!m_repeated.empty())
            m_times.notes.push_back(m_name + ": the last entry counts of " + m_repeated.text() +
                                    ", which it names several times");
        return std::move(m_times);
    }

private:
    const Graph& m_graph;
    const std::string& m_name;
    std::unordered_map<std::string, NodeId> m_ids;
    NameList m_strangers;
    NameList m_repeated;
    ImportedTimes m_times;
};

// In whatever unit. Sums of longer ones would leave what a number can hold.
constexpr double mostTime = 1e18;

std::optional<double> timeOf(const std::string& text)
{
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isTime =
        status == std::errc() && end == text.data() + text.size() && value >= 0 && value <= mostTime;
    return isTime ? std::optional(value) : std::nullopt;
}

struct CsvColumn
{
    std::size_t position;
    FieldName field;
};

Result<std::vector<CsvColumn>> csvColumns(const std::vector<std::string>& header, const std::string& name)
{
    std::vector<CsvColumn> columns;
    for (std::size_t i = 1; i < header.size(); ++i)
        if (const std::optional<FieldName> field = fieldOf(header[i]))
            columns.push_back({i, *field});
    const bool begins = header.front() == "node" || header.front() == "name";
    if (!begins || columns.empty())
        return Error{ErrorCode::BadFormat,
                     name + ": line 1 must be a header such as node,forward,backward (in seconds; "
                            "forward_us for microseconds)"};
    return columns;
}

Result<ImportedTimes> timesOfCsv(std::string_view text, const std::string& name, const Graph& graph)
{
    TimesCollector collector(graph, name);
    std::optional<std::vector<CsvColumn>> columns;
    for (CsvRows rows(text); rows.next();) {
        const std::vector<std::string>& fields = rows.fields();
        if (!columns) {
            STAGECRAFT_ASSIGN(header, csvColumns(fields, name));
            columns = std::move(header);
            continue;
        }
        ImportedTime* time = collector.node(fields.front());
        for (const CsvColumn& column : *columns) {
            const std::optional<double> value =
                column.position < fields.size() ? timeOf(fields[column.position]) : std::nullopt;
            if (!value)
                return Error{ErrorCode::BadFormat, name + ": line " + std::to_string(rows.line()) +
                                                       " needs a time, 0 or more, in column " +
                                                       std::to_string(column.position + 1)};
            if (time)
                TimesCollector::set(*time, column.field.field, Seconds(*value * column.field.unit));
        }
    }
    return collector.finish();
}

Result<void> takeFields(const json& entry, const std::string& node, const std::string& name,
                        TimesCollector& collector)
{
    if (!entry.is_object())
        return Error{ErrorCode::BadFormat, name + ": node '" + node + "' must be an object with \"forward\""};
    ImportedTime* time = collector.node(node);
    for (const auto& [key, value] : entry.items()) {
        const std::optional<FieldName> field = fieldOf(key);
        if (!field)
            continue;
        const double number = value.is_number() ? value.get<double>() : -1;
        if (!(number >= 0 && number <= mostTime))
            return Error{ErrorCode::BadFormat,
                         name + ": node '" + node + "': '" + key + "' must be a time, 0 or more"};
        if (time)
            TimesCollector::set(*time, field->field, Seconds(number * field->unit));
    }
    return {};
}

Result<ImportedTimes> timesOfNodes(const json& nodes, const std::string& name, const Graph& graph)
{
    TimesCollector collector(graph, name);
    if (nodes.is_object())
        for (const auto& [node, entry] : nodes.items())
            STAGECRAFT_TRY(takeFields(entry, node, name, collector));
    else if (nodes.is_array())
        for (const json& entry : nodes) {
            if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string())
                return Error{ErrorCode::BadFormat, name + ": an entry of \"nodes\" has no \"name\""};
            STAGECRAFT_TRY(takeFields(entry, entry["name"].get<std::string>(), name, collector));
        }
    else
        return Error{ErrorCode::BadFormat, name + ": \"nodes\" must be an object or a list"};
    return collector.finish();
}

// Shared as the estimate is where not told apart; what runs again takes its share of the forward time.
void setBackward(const ImportedTime& time, NodeCost& cost, double again)
{
    const Seconds estimated = cost.backward().time - cost.recomputed.time;
    const double share = estimated > Seconds{} ? cost.backwardWeight.time / estimated : 0;
    const Seconds once = std::max(Seconds{}, time.backward - time.recomputed);
    cost.recomputed.time = time.forward * again;
    cost.backwardWeight.time = std::min(once, time.weight.value_or(once * share));
    cost.backwardInput.time = once - cost.backwardWeight.time + cost.recomputed.time;
}

} // namespace

Result<ImportedTimes> parseTimes(std::string_view text, const std::string& name, const Graph& graph,
                                 const Progress& progress)
{
    constexpr std::size_t mostByName = std::size_t{64} << 20;
    const auto tooLarge = [&] {
        return Error{ErrorCode::Unsupported, name + ": times by name take no more than 64 MiB"};
    };
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos)
        return Error{ErrorCode::BadFormat, name + ": is empty"};
    if (text[start] != '{' && text[start] != '[')
        return text.size() > mostByName ? Result<ImportedTimes>(tooLarge()) : timesOfCsv(text, name, graph);
    STAGECRAFT_ASSIGN(read, readTimesDocument(text, name, progress));
    if (read.hasEvents && !read.hasNodes)
        return timesOfTrace(std::move(read.events), name, graph, progress);
    if (!read.hasNodes)
        return Error{ErrorCode::BadFormat, name + ": is JSON with neither \"nodes\" nor \"traceEvents\""};
    if (text.size() > mostByName)
        return tooLarge();
    STAGECRAFT_ASSIGN(document, parseJson<json>(text, name));
    STAGECRAFT_ASSIGN(times, timesOfNodes(std::as_const(document)["nodes"], name, graph));
    STAGECRAFT_ASSIGN(run, timingRun(document, name));
    times.run = std::move(run);
    if (document.contains("inputs")) {
        STAGECRAFT_ASSIGN(inputs, measuredInputs(document["inputs"], name));
        times.inputs = std::move(inputs);
    }
    if (document.contains("stages")) {
        STAGECRAFT_ASSIGN(lines, measuredMemory(document["stages"], name));
        times.notes.insert(times.notes.end(), lines.begin(), lines.end());
    }
    return times;
}

Result<ImportedTimes> readTimes(const std::filesystem::path& path, const Graph& graph,
                                const Progress& progress)
{
    STAGECRAFT_ASSIGN(text, readPackedText(path, progress));
    return parseTimes(text, path.string(), graph, progress);
}

void applyImportedTimes(const ImportedTimes& times, Profile& profile)
{
    ProfileTotals& totals = profile.totals;
    const bool trains = profile.options.mode == TrainingMode::Train;
    // Where no estimate is left, nothing of what an estimated device waits for is in them.
    if (std::ranges::all_of(profile.nodes.ids(),
                            [&](NodeId node) { return times.nodes[node].has_value(); })) {
        totals.timeForward = totals.timeBackward = Seconds{};
        for (NodeCost& cost : profile.nodes) {
            totals.timeForward += cost.forward.time;
            totals.timeBackward += cost.backward().time;
        }
    }
    Seconds recomputed;
    for (const NodeId node : profile.nodes.ids()) {
        const std::optional<ImportedTime>& time = times.nodes[node];
        if (!time)
            continue;
        NodeCost& cost = profile.nodes[node];
        const NodeCost before = cost;
        cost.forward.time = time->forward;
        if (trains)
            setBackward(*time, cost, recomputedShare(before));
        totals.timeForward += cost.forward.time - before.forward.time;
        totals.timeBackward += cost.backward().time - before.backward().time;
        totals.timeRecomputed += cost.recomputed.time - before.recomputed.time;
        recomputed += cost.recomputed.time;
        if (cost.origin != CostOrigin::Inexact)
            cost.origin = CostOrigin::Imported;
    }
    for (const auto& lines : {times.notes, otherThanPlanned(times.run, profile.options)})
        profile.notes.insert(profile.notes.end(), lines.begin(), lines.end());
    if (recomputed > Seconds{})
        profile.notes.push_back(
            "imported times are taken as of nodes that run once: for checkpoint regions " +
            formatSeconds(recomputed) + " of forward times are added to backward");
}

} // namespace stagecraft
