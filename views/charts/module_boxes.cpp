#include "views/charts/module_boxes.h"

#include "core/layout/squarified.h"
#include "views/base/format.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <map>

namespace stagecraft {

namespace {

constexpr double leastSide = 2.5; // pixels; less is not drawn
constexpr double leastInside = 9; // of a box that shows what is in it

StageId stageOf(const PlanView& plan, NodeId node)
{
    return plan.partition ? plan.partition->stageOf[node] : StageId(0);
}

// What each module does itself, by stage.
using OwnValues = Table<ModuleId, std::map<std::uint32_t, double>>;

OwnValues ownValues(const PlanView& plan, MapMeasure measure)
{
    OwnValues own(plan.graph->modules().size());
    for (const NodeId node : plan.graph->nodes())
        if (const double value = measureOf(plan.profile->nodes[node], measure); value > 0)
            own[(*plan.graph)[node].module][stageOf(plan, node).index()] += value;
    return own;
}

class ShareMaker
{
public:
    ShareMaker(const ModuleTree& modules, OwnValues own) : m_modules(modules), m_own(std::move(own))
    {
        m_made.ofModule = Table<ModuleId, std::optional<std::size_t>>(modules.size());
    }

    ModuleShares make() &&
    {
        add(ModuleTree::root());
        return std::move(m_made);
    }

private:
    // The index of the module's share; none where it has nothing.
    std::optional<std::size_t> add(ModuleId module)
    {
        const std::size_t index = m_made.shares.size();
        m_made.shares.push_back({.module = module, .own = {}, .onlyStage = {}});
        std::vector<std::size_t> parts;
        for (const auto& [stage, value] : m_own[module]) {
            parts.push_back(m_made.shares.size());
            m_made.shares.push_back(
                {.module = module, .own = StageId(stage), .onlyStage = StageId(stage), .value = value});
        }
        for (const ModuleId child : m_modules[module].children)
            if (const auto part = add(child))
                parts.push_back(*part);
        if (parts.empty()) {
            m_made.shares.pop_back();
            return std::nullopt;
        }
        ModuleShare& share = m_made.shares[index];
        share.onlyStage = m_made.shares[parts.front()].onlyStage;
        for (const std::size_t part : parts) {
            share.value += m_made.shares[part].value;
            if (m_made.shares[part].onlyStage != share.onlyStage)
                share.onlyStage.reset();
        }
        share.parts = std::move(parts);
        m_made.ofModule[module] = index;
        return index;
    }

    const ModuleTree& m_modules;
    OwnValues m_own;
    ModuleShares m_made;
};

class BoxPlacer
{
public:
    BoxPlacer(const ModuleShares& shares, double line) : m_shares(shares.shares), m_line(line) {}

    void addTreemap(std::size_t share, int depth, const Rect& rect)
    {
        if (rect.width < leastSide || rect.height < leastSide)
            return;
        m_boxes.push_back({share, depth, rect});
        const double edge = std::min({2.0, rect.width / 8, rect.height / 8});
        const double head = rect.height > 2.2 * m_line && rect.width > 2 * m_line ? m_line * 1.15 : edge;
        const Rect inside{rect.x + edge, rect.y + head, rect.width - 2 * edge, rect.height - head - edge};
        const std::vector<std::size_t>& own = m_shares[share].parts;
        const bool isLeaf = own.empty() || (own.size() == 1 && m_shares[own.front()].own);
        if (isLeaf || inside.width < leastInside || inside.height < leastInside)
            return;
        const std::vector<std::size_t> parts = largestFirst(m_shares[share].parts);
        std::vector<double> weights;
        for (const std::size_t part : parts)
            weights.push_back(m_shares[part].value);
        const std::vector<Rect> places = squarified(weights, inside);
        for (std::size_t i = 0; i < parts.size(); ++i)
            addTreemap(parts[i], depth + 1, places[i]);
    }

    void addFlames(std::size_t share, int depth, const Rect& row)
    {
        if (row.width < 0.5)
            return;
        m_boxes.push_back({share, depth, row});
        double x = row.x;
        for (const std::size_t part : m_shares[share].parts) {
            const double width = row.width * m_shares[part].value / m_shares[share].value;
            addFlames(part, depth + 1, {x, row.y + row.height, width, row.height});
            x += width;
        }
    }

    // Those that differ by rounding alone, as equal layers do, in the order of the model.
    std::vector<std::size_t> largestFirst(std::vector<std::size_t> parts) const
    {
        constexpr double rounding = 1e-6;
        const auto value = [this](std::size_t part) { return m_shares[part].value; };
        std::ranges::stable_sort(parts, std::greater(), value);
        for (auto first = parts.begin(); first != parts.end();) {
            const double least = value(*first) * (1 - rounding);
            const auto end =
                std::find_if(first, parts.end(), [&](std::size_t part) { return value(part) < least; });
            std::sort(first, end);
            first = end;
        }
        return parts;
    }

    int depthBelow(std::size_t share) const
    {
        int deepest = 0;
        for (const std::size_t part : m_shares[share].parts)
            deepest = std::max(deepest, 1 + depthBelow(part));
        return deepest;
    }

    std::vector<ModuleBox> take() { return std::move(m_boxes); }

private:
    const std::vector<ModuleShare>& m_shares;
    double m_line;
    std::vector<ModuleBox> m_boxes;
};

} // namespace

QString measureName(MapMeasure measure)
{
    switch (measure) {
    case MapMeasure::Time:
        return QObject::tr("Time");
    case MapMeasure::AtPeak:
        return QObject::tr("Memory at the peak");
    case MapMeasure::Kept:
        return QObject::tr("Kept for backward");
    case MapMeasure::Parameters:
        break;
    }
    return QObject::tr("Parameters");
}

QString measureText(MapMeasure measure, double value)
{
    return measure == MapMeasure::Time ? toText(Seconds(value)) : toText(Bytes(std::llround(value)));
}

double measureOf(const NodeCost& cost, MapMeasure measure)
{
    switch (measure) {
    case MapMeasure::Time:
        return cost.time().value();
    case MapMeasure::AtPeak:
        return cost.atPeak.total().asDouble();
    case MapMeasure::Kept:
        return cost.savedBytes.asDouble();
    case MapMeasure::Parameters:
        break;
    }
    return cost.parameterBytes.asDouble();
}

const ModuleShare* ModuleShares::find(ModuleId module) const
{
    return ofModule.contains(module) && ofModule[module] ? &shares[*ofModule[module]] : nullptr;
}

ModuleShares moduleShares(const PlanView& plan, MapMeasure measure)
{
    if (!plan.graph || !plan.profile)
        return {};
    return ShareMaker(plan.graph->modules(), ownValues(plan, measure)).make();
}

std::vector<ModuleBox> moduleBoxes(const ModuleShares& shares, ModuleId shown, MapShape shape,
                                   const Rect& room, double line)
{
    if (!shares.find(shown))
        return {};
    const std::size_t share = *shares.ofModule[shown];
    BoxPlacer placer(shares, line);
    if (shape == MapShape::Treemap) {
        placer.addTreemap(share, 0, room);
    } else {
        constexpr double highest = 1.9; // lines
        const double rows = placer.depthBelow(share) + 1;
        const double height = std::clamp(room.height / rows, line * 0.4, line * highest);
        placer.addFlames(share, 0, {room.x, room.y, room.width, height});
    }
    return placer.take();
}

std::vector<NodeId> nodesOf(const PlanView& plan, const ModuleShare& share)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : plan.graph->nodes()) {
        const ModuleId module = (*plan.graph)[node].module;
        const bool isOf = share.own ? module == share.module && stageOf(plan, node) == *share.own
                                    : plan.graph->modules().contains(share.module, module);
        if (isOf)
            nodes.push_back(node);
    }
    return nodes;
}

} // namespace stagecraft
