#include "core/cut_stretches.h"

#include "core/base/sort_unique.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace stagecraft {

namespace {

using Taken = CutStretches::Taken;

constexpr std::size_t mostPrices = 40;
constexpr std::size_t mostPlaces = 500;
constexpr std::size_t fewNodes = 800; // with more, fewer prices
constexpr auto nowhere = std::numeric_limits<std::size_t>::max();

void add(const Taken& taken, Taken& sum)
{
    sum.seconds += taken.seconds;
    sum.saved += taken.saved;
    sum.transient = std::max(sum.transient, taken.transient);
}

} // namespace

CutStretches::Sums::Sums(const std::vector<Taken>& stretches) : m_seconds{0}, m_saved{0}
{
    std::vector<double> transients;
    for (const Taken& stretch : stretches) {
        m_seconds.push_back(m_seconds.back() + stretch.seconds);
        m_saved.push_back(m_saved.back() + stretch.saved);
        transients.push_back(stretch.transient);
    }
    m_largest.push_back(std::move(transients));
    for (std::size_t width = 1; 2 * width <= stretches.size(); width *= 2) {
        const std::vector<double>& last = m_largest.back();
        std::vector<double> twice;
        for (std::size_t i = 0; i + width < last.size(); ++i)
            twice.push_back(std::max(last[i], last[i + width]));
        m_largest.push_back(std::move(twice));
    }
}

Taken CutStretches::Sums::between(std::size_t begin, std::size_t end) const
{
    const std::size_t level = std::bit_width(end - begin) - 1;
    const std::vector<double>& largest = m_largest[level];
    return {m_seconds[end] - m_seconds[begin], m_saved[end] - m_saved[begin],
            std::max(largest[begin], largest[end - (std::size_t{1} << level)])};
}

CutStretches::CutStretches(const RecomputeChooser& chooser, CutOrder order)
    : m_chooser(chooser),
      m_problem(chooser.ground().none),
      m_order(std::move(order)),
      m_inFlight(peakInFlight(scheduleOf(m_problem.options).value()))
{
    findPlaces();
    addBlocks();
    addRuns();
    addStates();
    m_buffers = buffersAt(m_problem, m_order, m_places);
}

void CutStretches::findPlaces()
{
    const std::size_t count = m_problem.nodes.size();
    std::vector<char> isInGroup(count + 1, 0);
    for (const Colocation& group : m_problem.groups) {
        const std::vector<NodeId> nodes = withoutLookers(m_problem, group.nodes);
        if (nodes.empty())
            continue;
        std::vector<std::size_t> places;
        for (const NodeId node : nodes)
            places.push_back(m_order.placeOf(node));
        const auto [first, last] = std::ranges::minmax(places);
        std::fill_n(isInGroup.begin() + static_cast<std::ptrdiff_t>(first) + 1, last - first, 1);
    }
    std::vector<double> sent(count + 1, 0);
    addTransfers(sent);
    std::vector<std::size_t> possible;
    for (std::size_t at = 1; at < count; ++at)
        if (!isInGroup[at] && !m_problem.nodes[m_order.at(at)].onlyLooks)
            possible.push_back(at);
    // Where there are too many, those of each stretch at which least crosses.
    const std::size_t stretch = std::max<std::size_t>(1, (possible.size() + mostPlaces - 1) / mostPlaces);
    m_places = {0};
    for (std::size_t i = 0; i < possible.size(); i += stretch) {
        const auto end =
            possible.begin() + static_cast<std::ptrdiff_t>(std::min(i + stretch, possible.size()));
        m_places.push_back(
            *std::min_element(possible.begin() + static_cast<std::ptrdiff_t>(i), end,
                              [&](std::size_t a, std::size_t b) { return sent[a] < sent[b]; }));
    }
    m_places.push_back(count);
    for (const std::size_t at : m_places)
        m_transfers.push_back(at == 0 || at == count ? 0 : sent[at]);
    std::size_t node = 0, before = 0;
    for (const std::size_t at : m_places) {
        for (; node < at; ++node)
            before += m_problem.nodes[m_order.at(node)].onlyLooks ? 0 : 1;
        m_before.push_back(before);
    }
}

std::vector<std::optional<StageSlice>> CutStretches::slicesOf(const Partition& partition) const
{
    std::vector<std::optional<StageSlice>> slices(partition.stageCount);
    std::vector<std::size_t> counts(partition.stageCount, 0);
    StageId last(0);
    for (const NodeId node : m_order.nodes()) {
        if (m_problem.nodes[node].onlyLooks)
            continue;
        if (partition.stageOf[node] < last)
            return slices;
        last = partition.stageOf[node];
        ++counts[last.index()];
    }
    const auto placeAt = [this](std::size_t before) {
        const auto place = std::ranges::lower_bound(m_before, before);
        return place != m_before.end() && *place == before
                   ? std::optional(static_cast<std::size_t>(place - m_before.begin()))
                   : std::nullopt;
    };
    std::size_t before = 0;
    for (std::size_t stage = 0; stage < counts.size(); ++stage) {
        const auto begin = placeAt(before), end = placeAt(before += counts[stage]);
        if (begin && end && *begin < *end)
            slices[stage] = StageSlice{stage, *begin, *end};
    }
    return slices;
}

Partition CutStretches::partitionAt(const std::vector<std::size_t>& ends) const
{
    Partition partition{ends.size(), Table<NodeId, StageId>(m_problem.nodes.size(), StageId(0))};
    std::size_t node = 0;
    for (std::size_t stage = 0; stage < ends.size(); ++stage)
        for (; node < m_places[ends[stage]]; ++node)
            partition.stageOf[m_order.at(node)] = StageId(stage);
    takeLookersAlong(m_problem, partition);
    return partition;
}

// Of each place what crosses it takes, both ways.
void CutStretches::addTransfers(std::vector<double>& seconds) const
{
    if (m_problem.stageCount() < 2)
        return;
    for (const ProblemValue& value : m_problem.values) {
        std::size_t first = m_order.placeOf(value.producer), last = first;
        for (const NodeId reader : value.readers)
            if (!m_problem.nodes[reader].onlyLooks) {
                first = std::min(first, m_order.placeOf(reader));
                last = std::max(last, m_order.placeOf(reader));
            }
        if (value.returned)
            last = seconds.size() - 1;
        const double takes = transferTime(m_problem, value, 0).value();
        if (first + 1 < seconds.size())
            seconds[first + 1] += takes;
        if (last + 1 < seconds.size())
            seconds[last + 1] -= takes;
    }
    for (std::size_t i = 1; i < seconds.size(); ++i)
        seconds[i] += seconds[i - 1];
}

// Seconds a byte, ascending: those at which some block chooses otherwise.
std::vector<double> CutStretches::pricesOf(const OfBlocks& options) const
{
    std::vector<double> slopes;
    for (const auto& of : options)
        for (std::size_t i = 1; i < of.size(); ++i)
            slopes.push_back((of[i - 1].added - of[i].added).value() /
                             (of[i].saved - of[i - 1].saved).asDouble());
    sortUnique(slopes);
    std::vector<double> prices{0};
    const std::size_t step = std::max<std::size_t>(1, (slopes.size() + mostPrices - 1) / mostPrices);
    for (std::size_t i = 0; i < slopes.size(); i += step)
        prices.push_back(slopes[std::min(i + step, slopes.size()) - 1] * (1 + 1e-9));
    return prices;
}

// As it is, nothing run again.
Taken CutStretches::plain(NodeId node) const
{
    const ProblemNode& none = m_problem.nodes[node];
    return {none.time().value(), m_chooser.ground().saved[node].asDouble(), none.transient.asDouble()};
}

Taken CutStretches::atPrice(NodeId node, const Chosen& chosen) const
{
    Taken taken = plain(node);
    const auto block = m_chooser.blockOf()[node];
    if (!block || !chosen[*block]->isRegion)
        return taken;
    taken.saved = m_chooser.ground().savedInBlocks[node].asDouble();
    taken.transient = chosen[*block]->transient.asDouble();
    if (std::ranges::binary_search(chosen[*block]->kept, node))
        taken.saved += m_chooser.ground().keeping[node].asDouble();
    else
        taken.seconds += m_chooser.again(node).value();
    return taken;
}

void CutStretches::addBlocks()
{
    const RecomputeGround& ground = m_chooser.ground();
    OfBlocks options;
    for (std::size_t block = 0; block < ground.blocks.regions.size(); ++block)
        options.push_back(m_chooser.optionsOf(block, ground.blocks.regions[block].nodes));
    for (const double price : pricesOf(options)) {
        Chosen chosen;
        for (const auto& of : options)
            chosen.push_back(&*std::ranges::min_element(of, {}, [&](const auto& option) {
                return option.added.value() + price * option.saved.asDouble();
            }));
        Table<NodeId, Taken> nodes(m_problem.nodes.size());
        for (const NodeId node : nodes.ids())
            nodes[node] = atPrice(node, chosen);
        m_ways.front().emplace_back(stretchesOf(nodes));
    }
}

// Runs of any nodes as regions, by how much one may make again.
void CutStretches::addRuns()
{
    const RecomputeGround& ground = m_chooser.ground();
    std::vector<NodeId> nodes;
    for (const NodeId node : m_problem.nodes.ids())
        nodes.push_back(node);
    const StageRegions runs(ground.needs, ground.storages, nodes);
    std::vector<Bytes> caps;
    for (std::size_t cap = 1; cap < m_chooser.caps().size(); cap += 2) {
        caps.push_back(m_chooser.caps()[cap]);
        m_ways.emplace_back().push_back(m_ways.front().front()); // for nothing, nothing runs again
    }
    const std::size_t step = 1 + nodes.size() / fewNodes;
    for (std::size_t i = 0; !caps.empty() && i < m_chooser.prices().size(); i += step) {
        const StageRegions::Candidates candidates = runs.candidates(m_chooser.prices()[i], caps.back());
        for (std::size_t way = 1; way < m_ways.size(); ++way)
            m_ways[way].emplace_back(stretchesOf(runs.best(candidates, caps[way - 1])));
    }
}

std::vector<Taken> CutStretches::stretchesOf(const StageRegions::Choice& choice) const
{
    Table<NodeId, Taken> nodes(m_problem.nodes.size());
    for (const NodeId node : m_problem.nodes.ids())
        nodes[node] = plain(node);
    for (const StageRegions::Run& run : choice.runs)
        for (const NodeId node : run.region.nodes)
            nodes[node].transient = m_chooser.transientOf(run).asDouble();
    for (const StageRegions::Again& again : choice.again)
        nodes[again.node].seconds += again.seconds.value();
    for (const StageRegions::Freed& freed : choice.freedAt)
        nodes[freed.node].saved -= freed.bytes.asDouble();
    return stretchesOf(nodes);
}

std::vector<Taken> CutStretches::stretchesOf(const Table<NodeId, Taken>& nodes) const
{
    std::vector<Taken> stretches(m_places.size() - 1);
    for (std::size_t i = 0; i + 1 < m_places.size(); ++i)
        for (std::size_t node = m_places[i]; node < m_places[i + 1]; ++node)
            add(nodes[m_order.at(node)], stretches[i]);
    return stretches;
}

// Of the nodes themselves by stretch; of what several use, between which stretches each of them lies.
void CutStretches::addStates()
{
    m_states.assign(m_places.size() - 1, 0);
    const auto stretchOf = [&](NodeId node) {
        return static_cast<std::size_t>(std::ranges::upper_bound(m_places, m_order.placeOf(node)) -
                                        m_places.begin()) -
               1;
    };
    m_sharedAt.resize(m_places.size() - 1);
    for (const NodeId node : m_problem.nodes.ids())
        m_states[stretchOf(node)] += heldBy(m_problem.nodes[node]).always().asDouble();
    for (const SharedState& shared : m_problem.shared) {
        std::vector<std::size_t> users;
        for (const NodeId user : shared.users)
            users.push_back(stretchOf(user));
        sortUnique(users);
        for (std::size_t i = 0; i < users.size(); ++i)
            m_sharedAt[users[i]].push_back(
                {i == 0 ? nowhere : users[i - 1], heldBy(shared).always().asDouble(),
                 i == 0 ? 0 : heldBy(shared).perMicrobatch().asDouble()}); // the first has it as its own
    }
}

double CutStretches::stateOf(std::size_t stage, std::size_t begin, std::size_t stretch) const
{
    double state = m_states[stretch];
    for (const auto& [user, bytes, saved] : m_sharedAt[stretch])
        if (user == nowhere || user < begin)
            state += bytes + inFlight(stage) * saved;
    return state;
}

double CutStretches::alwaysHeld(const StageSlice& slice) const
{
    double always = received(slice.stage, slice.begin);
    for (std::size_t stretch = slice.begin; stretch < slice.end; ++stretch)
        always += stateOf(slice.stage, slice.begin, stretch);
    return always;
}

Seconds CutStretches::computeOf(const StageSlice& slice, double seconds) const
{
    return Seconds(seconds / m_problem.options.speeds[slice.stage]);
}

Seconds CutStretches::loadOf(const StageSlice& slice, double seconds) const
{
    return stageLoad(m_problem.options.objective, computeOf(slice, seconds),
                     Seconds(m_transfers[slice.begin]), Seconds(m_transfers[slice.end]));
}

} // namespace stagecraft
