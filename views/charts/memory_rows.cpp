#include "views/charts/memory_rows.h"

#include "core/base/sort_unique.h"
#include "core/profile/memory/live_memory.h"
#include "core/profile/profile_json.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"

#include <QObject>

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

constexpr std::size_t mostRows = 200; // in one list; what else there is becomes one row

QString named(MemoryCategory category)
{
    QString name = termText(categoryName(category));
    name[0] = name[0].toUpper();
    return name;
}

void sortBySize(std::vector<MemoryRow>& rows, Lists lists)
{
    std::ranges::stable_sort(rows, std::greater(), &MemoryRow::bytes);
    if (rows.size() <= mostRows || lists == Lists::Whole)
        return;
    MemoryRow rest{.name = QObject::tr("and %1 more").arg(rows.size() - mostRows), .isRest = true};
    for (std::size_t i = mostRows; i < rows.size(); ++i) {
        rest.bytes += rows[i].bytes;
        rest.nodes.insert(rest.nodes.end(), rows[i].nodes.begin(), rows[i].nodes.end());
    }
    rows.resize(mostRows);
    rows.push_back(std::move(rest));
}

// A row's nodes are those of its children.
void gatherNodes(MemoryRow& row)
{
    for (const MemoryRow& child : row.children)
        row.nodes.insert(row.nodes.end(), child.nodes.begin(), child.nodes.end());
    sortUnique(row.nodes);
}

MemoryRow rowOf(const Graph& graph, const LiveInterval& live)
{
    MemoryRow row{.bytes = live.bytes};
    const QString node = live.node ? shownText(graph[*live.node].name) : QString();
    if (live.node)
        row.nodes = {*live.node};
    if (!live.value) {
        row.name = node.isEmpty() ? QObject::tr("the step itself") : node;
        return row;
    }
    const Value& value = graph[*live.value];
    row.name = shownText(value.target.empty() ? value.name : value.target);
    if (row.name != node)
        row.detail = node;
    return row;
}

std::vector<MemoryRow> byCategory(const Graph& graph, const std::vector<LiveInterval>& alive, Lists lists)
{
    std::vector<MemoryRow> rows;
    for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        MemoryRow row{.name = named(category), .category = category};
        for (const LiveInterval& live : alive) {
            if (live.category != category)
                continue;
            row.bytes += live.bytes;
            row.children.push_back(rowOf(graph, live));
        }
        if (row.bytes == Bytes(0))
            continue;
        gatherNodes(row);
        sortBySize(row.children, lists);
        rows.push_back(std::move(row));
    }
    return rows;
}

QString largestCategories(const MemoryUse& use)
{
    std::vector<MemoryCategory> order;
    for (std::size_t i = 0; i < memoryCategoryCount; ++i)
        if (use[static_cast<MemoryCategory>(i)] > Bytes(0))
            order.push_back(static_cast<MemoryCategory>(i));
    std::ranges::stable_sort(order, std::greater(), [&](MemoryCategory category) { return use[category]; });
    QStringList parts;
    for (const MemoryCategory category : order)
        if (parts.size() < 3)
            parts << named(category).toLower() + ' ' + toText(use[category]);
    return parts.join(", ");
}

MemoryRow outsideOfNodes(const std::vector<LiveInterval>& alive)
{
    MemoryRow row{.name = QObject::tr("of no op"), .detail = QObject::tr("inputs, the loss")};
    for (const LiveInterval& live : alive)
        if (!live.node)
            row.bytes += live.bytes;
    return row;
}

std::vector<MemoryRow> byOp(const Graph& graph, const Table<NodeId, MemoryUse>& uses,
                            const std::vector<LiveInterval>& alive, Lists lists)
{
    std::vector<MemoryRow> rows;
    for (const NodeId node : graph.nodes())
        if (const Bytes bytes = uses[node].total(); bytes > Bytes(0))
            rows.push_back({.name = shownText(graph[node].name),
                            .detail = largestCategories(uses[node]),
                            .bytes = bytes,
                            .nodes = {node}});
    if (MemoryRow rest = outsideOfNodes(alive); rest.bytes > Bytes(0))
        rows.push_back(std::move(rest));
    sortBySize(rows, lists);
    return rows;
}

// The module's row with those of the modules below it; without bytes where there is nothing.
MemoryRow moduleRow(const Graph& graph, const Table<ModuleId, MemoryRow>& own, ModuleId id, Lists lists)
{
    const Module& module = graph.modules()[id];
    MemoryRow row = own[id];
    row.name = shownText(module.path.empty() ? graph.name() : module.name);
    row.detail = shortClass(module.className);
    for (const ModuleId child : module.children) {
        MemoryRow below = moduleRow(graph, own, child, lists);
        if (below.bytes == Bytes(0))
            continue;
        row.bytes += below.bytes;
        row.children.push_back(std::move(below));
    }
    gatherNodes(row);
    sortBySize(row.children, lists);
    return row;
}

std::vector<MemoryRow> byModule(const Graph& graph, const Table<NodeId, MemoryUse>& uses,
                                const std::vector<LiveInterval>& alive, Lists lists)
{
    Table<ModuleId, MemoryRow> own(graph.modules().size());
    for (const NodeId node : graph.nodes()) {
        const Bytes bytes = uses[node].total();
        if (bytes == Bytes(0))
            continue;
        own[graph[node].module].bytes += bytes;
        own[graph[node].module].nodes.push_back(node);
    }
    std::vector<MemoryRow> rows{moduleRow(graph, own, ModuleTree::root(), lists)};
    if (MemoryRow rest = outsideOfNodes(alive); rest.bytes > Bytes(0))
        rows.push_back(std::move(rest));
    return rows;
}

std::vector<MemoryRow> rowsAtPeak(const PlanView& plan, MemoryBy by, Lists lists)
{
    if (!plan.graph || !plan.profile || plan.profile->memory.samples.empty())
        return {};
    const MemoryTimeline& memory = plan.profile->memory;
    const std::vector<LiveInterval> alive = liveAt(memory, memory.peakSample);
    if (by == MemoryBy::Category)
        return byCategory(*plan.graph, alive, lists);
    const auto uses = memoryByNode(memory, memory.peakSample, plan.graph->nodeCount());
    return by == MemoryBy::Module ? byModule(*plan.graph, uses, alive, lists)
                                  : byOp(*plan.graph, uses, alive, lists);
}

// Rows beside each other; the details of ops tell what they hold, which may differ.
QString keyOf(const MemoryRow& row, MemoryBy by)
{
    return by == MemoryBy::Op ? row.name : row.name + '\n' + row.detail;
}

std::map<QString, std::vector<std::size_t>> rowsByKey(const std::vector<MemoryRow>& rows, MemoryBy by)
{
    std::map<QString, std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!rows[i].isRest)
            found[keyOf(rows[i], by)].push_back(i);
    return found;
}

// `others` are whole lists.
void compareWith(std::vector<MemoryRow>& rows, const std::vector<MemoryRow>& others, MemoryBy by)
{
    static const std::vector<MemoryRow> none;
    const auto otherOf = rowsByKey(others, by);
    for (const auto& [key, same] : rowsByKey(rows, by)) {
        const auto found = otherOf.find(key);
        const bool isThere = found != otherOf.end();
        if (same.size() > 1 || (isThere && found->second.size() > 1))
            continue;
        MemoryRow& row = rows[same.front()];
        const MemoryRow* other = isThere ? &others[found->second.front()] : nullptr;
        row.compared = other ? other->bytes : Bytes(0);
        compareWith(row.children, other ? other->children : none, by);
    }
}

void addCategories(std::vector<MemoryRow>& rows, const std::vector<MemoryRow>& others)
{
    for (const MemoryRow& other : others)
        if (std::ranges::find(rows, other.category, &MemoryRow::category) == rows.end())
            rows.push_back({.name = other.name, .category = other.category, .compared = other.bytes});
    const auto place = [](const MemoryRow& row) {
        return row.category ? static_cast<std::size_t>(*row.category) : memoryCategoryCount;
    };
    std::ranges::stable_sort(rows, {}, place);
}

} // namespace

std::vector<MemoryRow> rowsAtPeak(const PlanView& plan, MemoryBy by)
{
    return rowsAtPeak(plan, by, Lists::Shortened);
}

void compareRows(std::vector<MemoryRow>& rows, const PlanView& other, MemoryBy by)
{
    compareRows(rows, rowsAtPeak(other, by, Lists::Whole), by);
}

void compareRows(std::vector<MemoryRow>& rows, const std::vector<MemoryRow>& others, MemoryBy by)
{
    compareWith(rows, others, by);
    if (by == MemoryBy::Category)
        addCategories(rows, others);
}

std::vector<MemoryRow> rowsOf(const Graph& graph, const std::vector<LiveInterval>& alive, Lists lists)
{
    return byCategory(graph, alive, lists);
}

QString passText(Phase phase, bool isRecomputed)
{
    return isRecomputed ? QObject::tr("run again") : termText(phaseName(phase));
}

QString momentText(const Graph& graph, const MemorySample& sample)
{
    const QString phase = passText(sample.phase, sample.isRecomputed);
    if (!sample.node)
        return QObject::tr("%1 (%2)").arg(phase, shownText(sample.op));
    return QObject::tr("%1 of %2 (%3)").arg(phase, shownText(graph[*sample.node].name), shownText(sample.op));
}

QString peakMoment(const PlanView& plan)
{
    if (!plan.graph || !plan.profile || plan.profile->memory.samples.empty())
        return {};
    return momentText(*plan.graph, plan.profile->memory.samples[plan.profile->memory.peakSample]);
}

QString largestBatchText(const std::optional<LargestBatch>& found)
{
    if (!found)
        return QObject::tr("No input of this model has a batch dimension.");
    if (found->batch == 0)
        return QObject::tr("Not even a batch of 1 fits.");
    QString text = QObject::tr("At most %1 in a batch: %2").arg(found->batch).arg(toText(found->total));
    if (found->basis == LargestBatch::Basis::Scaled)
        text += QObject::tr(" (the file fixes the batch: what the step adds is taken to grow with it)");
    else if (found->limitedByFile)
        text += QObject::tr(" (the file allows no more)");
    return text;
}

} // namespace stagecraft
