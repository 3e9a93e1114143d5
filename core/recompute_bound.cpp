#include "core/recompute_bound.h"

#include "core/plan/stage_cost.h"
#include "core/recompute_chain.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t mostRatios = 48;
constexpr double farRatio = 1.04;
constexpr int halvings = 24;        // of what T can be
constexpr int halvingsOfALink = 20; // of how much of a link a stage can take
constexpr double slack = 1e-9;      // rounding must never refute a plan that exists

// How far the stages up to one have come: all links before that one, and of it some seconds' worth.
struct Reach
{
    std::size_t link = 0;
    double seconds = 0;
};

// Of nodes at a price: the least that some seconds' worth of them cost, by taking the cheapest first.
struct Fluid
{
    std::vector<double> seconds; // ascending
    std::vector<double> cost;    // up to there

    double of(double most) const
    {
        const auto next = static_cast<std::size_t>(std::ranges::lower_bound(seconds, most) - seconds.begin());
        if (next == seconds.size())
            return cost.empty() ? 0 : cost.back();
        const double before = next == 0 ? 0 : seconds[next - 1], paid = next == 0 ? 0 : cost[next - 1];
        return paid + (cost[next] - paid) * (most - before) / (seconds[next] - before);
    }
};

class Reaches
{
public:
    explicit Reaches(const RecomputeGround& ground)
        : m_options(ground.none.options),
          m_chain(chainOf(ground)),
          m_inFlight(peakInFlight(scheduleOf(m_options).value()))
    {
        for (const std::vector<NodeId>& link : m_chain.links) {
            double seconds = 0;
            for (const NodeId node : link)
                seconds += m_chain.nodes[node].seconds;
            m_seconds.push_back(seconds);
        }
        findAtoms(ground);
        findRatios();
    }

    // Can stages that take no more than that come to the end?
    bool isPossible(double most)
    {
        Reach reach;
        for (std::size_t stage = 0; stage < m_options.stageCount; ++stage)
            reach = next(reach, stage, most * (1 + slack));
        return reach.link == m_chain.links.size();
    }

private:
    // What a stage takes: of whole links.
    struct Held
    {
        double seconds = 0;
        double state = 0;
        double transient = 0;
        std::vector<double> saved; // of nodes of each ratio
    };

    // Links of which a stage that has them all keeps and runs again no less than `hull` says: a block.
    struct Atom
    {
        std::size_t first = 0;
        std::size_t end = 0;
        std::vector<std::pair<double, double>> steps; // a ratio, and the bytes that can be had for it
    };

    void findAtoms(const RecomputeGround& ground)
    {
        Table<NodeId, std::size_t> linkOf(m_chain.nodes.size(), m_chain.links.size());
        for (std::size_t link = 0; link < m_chain.links.size(); ++link)
            for (const NodeId node : m_chain.links[link])
                linkOf[node] = link;
        LeastNeeds least(ground.needs);
        m_atomEndingAt.resize(m_chain.links.size() + 1);
        m_isAtomsFirst.assign(m_chain.links.size() + 1, 0);
        std::size_t before = 0;
        for (const RecomputeRegion& block : ground.blocks.regions) {
            Atom atom{.first = m_chain.links.size()};
            for (const NodeId node : block.nodes)
                if (linkOf[node] < m_chain.links.size()) {
                    atom.first = std::min(atom.first, linkOf[node]);
                    atom.end = std::max(atom.end, linkOf[node] + 1);
                }
            atom.first = std::max(atom.first, before);
            if (atom.first >= atom.end)
                continue;
            before = atom.end;
            std::vector<NodeId> nodes;
            for (std::size_t link = atom.first; link < atom.end; ++link)
                nodes.insert(nodes.end(), m_chain.links[link].begin(), m_chain.links[link].end());
            std::ranges::sort(nodes);
            atom.steps = stepsOf(least.of(nodes));
            m_isAtomsFirst[atom.first] = 1;
            m_atomEndingAt[atom.end] = std::move(atom);
        }
    }

    static std::vector<std::pair<double, double>> stepsOf(const std::vector<LeastNeeds::Point>& hull)
    {
        std::vector<std::pair<double, double>> steps{{infinite, hull.front().bytes}};
        for (std::size_t i = 1; i < hull.size(); ++i) {
            const double bytes = hull[i].bytes - hull[i - 1].bytes;
            steps.emplace_back((hull[i - 1].seconds - hull[i].seconds) / bytes, bytes);
        }
        std::erase_if(steps, [](const auto& step) { return step.second <= 0; });
        return steps;
    }

    // Seconds of running again for each byte that is not kept: few; each node and step has the next below.
    void findRatios()
    {
        std::vector<std::pair<double, double>> ratios; // and bytes
        for (const ChainNode& node : m_chain.nodes)
            if (node.saved > 0)
                ratios.emplace_back(node.again / node.saved, node.saved);
        for (const std::optional<Atom>& atom : m_atomEndingAt)
            if (atom)
                ratios.insert(ratios.end(), atom->steps.begin(), atom->steps.end());
        std::ranges::sort(ratios);
        double all = 0;
        for (const auto& [ratio, bytes] : ratios)
            all += bytes;
        double sinceLast = 0;
        for (const auto& [ratio, bytes] : ratios) {
            const bool isFar = m_ratios.empty() || ratio == infinite || ratio > m_ratios.back() * farRatio;
            if ((m_ratios.empty() || ratio > m_ratios.back()) &&
                (isFar || sinceLast > all / static_cast<double>(mostRatios))) {
                m_ratios.push_back(ratio);
                sinceLast = 0;
            }
            sinceLast += bytes;
        }
    }

    std::size_t below(double ratio) const
    {
        return static_cast<std::size_t>(std::ranges::upper_bound(m_ratios, ratio) - m_ratios.begin()) - 1;
    }

    void add(const std::vector<NodeId>& link, Held& held) const
    {
        for (const NodeId id : link) {
            const ChainNode& node = m_chain.nodes[id];
            held.seconds += node.seconds;
            held.state += node.state;
            held.transient = std::max(held.transient, node.transient);
            if (node.saved > 0)
                held.saved[below(node.again / node.saved)] += node.saved;
        }
    }

    // At the price at which the nodes of a ratio may as well be kept as not.
    double priceOf(std::size_t ratio, std::size_t stage) const
    {
        return m_ratios[ratio] / static_cast<double>(m_inFlight[stage]);
    }

    const Fluid& fluidOf(std::size_t link, std::size_t stage, std::size_t ratio)
    {
        const auto [found, isNew] = m_fluids.try_emplace({link, stage, ratio});
        if (!isNew)
            return found->second;
        const double price = priceOf(ratio, stage);
        const auto costOf = [&](const ChainNode& node) {
            const double kept = price * static_cast<double>(m_inFlight[stage]) * node.saved;
            return price * node.state + (node.saved > 0 ? std::min(kept, node.again) : 0);
        };
        std::vector<std::pair<double, double>> nodes;
        for (const NodeId id : m_chain.links[link])
            if (const ChainNode& node = m_chain.nodes[id]; node.seconds > 0)
                nodes.emplace_back(costOf(node) / node.seconds, node.seconds);
        std::ranges::sort(nodes);
        double seconds = 0, cost = 0;
        for (const auto& [rate, takes] : nodes) {
            found->second.seconds.push_back(seconds += takes);
            found->second.cost.push_back(cost += rate * takes);
        }
        return found->second;
    }

    // Is that more than the stage may take? Of the whole links in `held`, of the rest of the first that it
    // shares with the stage before it, and of the first part of the last.
    bool isTooMuch(const Held& held, const Reach& first, const Reach& last, std::size_t stage, double most)
    {
        const double rest = first.seconds > 0 ? m_seconds[first.link] - first.seconds : 0;
        const double seconds = held.seconds + rest + last.seconds;
        const double speed = m_options.speeds[stage];
        if (seconds > most * speed)
            return true;
        const Bytes limit = m_options.memoryLimits[stage];
        if (limit == Bytes::max())
            return false;
        const auto inFlight = static_cast<double>(m_inFlight[stage]);
        const double room = limit.asDouble() - held.state - held.transient;
        double kept = 0; // of nodes that are cheaper to have again than at the price
        for (const double saved : held.saved)
            kept += inFlight * saved;
        double again = 0; // of the others
        if (kept <= room && first.seconds == 0 && last.seconds == 0)
            return false;
        for (std::size_t ratio = 0; ratio < m_ratios.size(); ++ratio) {
            if (m_ratios[ratio] == infinite)
                return kept > room * (1 + slack);
            const double price = priceOf(ratio, stage);
            double least = seconds + again + price * (kept - room);
            if (first.seconds > 0)
                least += fluidOf(first.link, stage, ratio).of(rest);
            if (last.seconds > 0)
                least += fluidOf(last.link, stage, ratio).of(last.seconds);
            if (least > most * speed)
                return true;
            again += m_ratios[ratio] * held.saved[ratio];
            kept -= inFlight * held.saved[ratio];
        }
        return room < 0;
    }

    // The furthest that the stage can come to.
    Reach next(const Reach& from, std::size_t stage, double most)
    {
        Held held{.saved = std::vector<double>(m_ratios.size(), 0)};
        Reach reach{from.link + (from.seconds > 0 ? 1 : 0), 0};
        if (from.seconds > 0 && isTooMuch(held, from, reach, stage, most))
            return withinLink(from, stage, most);
        const std::size_t first = reach.link;
        std::vector<double> savedBefore = held.saved; // the atom that the reach is in
        while (reach.link < m_chain.links.size()) {
            Held more = held;
            add(m_chain.links[reach.link], more);
            const std::optional<Atom>& atom = m_atomEndingAt[reach.link + 1];
            if (atom && atom->first >= first) {
                more.saved = savedBefore;
                for (const auto& [ratio, bytes] : atom->steps)
                    more.saved[below(ratio)] += bytes;
            }
            if (isTooMuch(more, from, {reach.link + 1, 0}, stage, most))
                break;
            held = std::move(more);
            ++reach.link;
            if (m_isAtomsFirst[reach.link])
                savedBefore = held.saved;
        }
        if (reach.link == m_chain.links.size() || m_chain.links[reach.link].size() == 1)
            return reach;
        double possible = 0, tooMuch = m_seconds[reach.link];
        for (int i = 0; i < halvingsOfALink; ++i) {
            const double middle = (possible + tooMuch) / 2;
            (isTooMuch(held, from, {reach.link, middle}, stage, most) ? tooMuch : possible) = middle;
        }
        return {reach.link, tooMuch};
    }

    // That it takes a part of the link which the one before has begun, and no more: by time alone.
    Reach withinLink(const Reach& from, std::size_t stage, double most) const
    {
        const double seconds = from.seconds + most * m_options.speeds[stage];
        return seconds < m_seconds[from.link] ? Reach{from.link, seconds} : Reach{from.link + 1, 0};
    }

    const PartitionOptions& m_options;
    ModelChain m_chain;
    std::vector<std::optional<Atom>> m_atomEndingAt; // of links
    std::vector<char> m_isAtomsFirst;
    std::vector<std::size_t> m_inFlight;
    std::vector<double> m_seconds; // of each link
    std::vector<double> m_ratios;  // ascending
    std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Fluid> m_fluids;
};

} // namespace

Bound recomputedBound(const RecomputeGround& ground, Seconds upper, const IsOver& isOver)
{
    Bound bound{.value = {}, .kind = "cuts and recomputation", .witness = {}};
    const PartitionOptions& options = ground.none.options;
    if (options.sharesDevices() || upper <= Seconds{} || options.objective == Objective::Overlap)
        return bound;
    Reaches reaches(ground);
    double refuted = 0, possible = upper.value();
    for (int i = 0; i < halvings && !(isOver && isOver()); ++i) {
        const double middle = (refuted + possible) / 2;
        (reaches.isPossible(middle) ? possible : refuted) = middle;
    }
    bound.value = Seconds(refuted);
    return bound;
}

} // namespace stagecraft
