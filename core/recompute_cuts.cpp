#include "core/recompute_cuts.h"

#include "core/base/sort_unique.h"
#include "core/cut_buffers.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t mostPrices = 40;
constexpr std::size_t mostCuts = 500;
constexpr std::size_t fewNodes = 800; // with more, fewer prices
constexpr double nearlyAsLong = 2e-3;

// What a run of nodes between two places to cut takes at a price.
struct Stretch
{
    double seconds = 0;
    double saved = 0; // bytes
    double transient = 0;
};

// Of stretches that follow each other, what any run of them takes.
class Stretches
{
public:
    explicit Stretches(const std::vector<Stretch>& all) : m_seconds{0}, m_saved{0}
    {
        std::vector<double> transients;
        for (const Stretch& stretch : all) {
            m_seconds.push_back(m_seconds.back() + stretch.seconds);
            m_saved.push_back(m_saved.back() + stretch.saved);
            transients.push_back(stretch.transient);
        }
        m_largest.push_back(std::move(transients));
        for (std::size_t width = 1; 2 * width <= all.size(); width *= 2) {
            const std::vector<double>& last = m_largest.back();
            std::vector<double> twice;
            for (std::size_t i = 0; i + width < last.size(); ++i)
                twice.push_back(std::max(last[i], last[i + width]));
            m_largest.push_back(std::move(twice));
        }
    }

    Stretch between(std::size_t begin, std::size_t end) const // not empty
    {
        const std::size_t level = std::bit_width(end - begin) - 1;
        const std::vector<double>& largest = m_largest[level];
        return {m_seconds[end] - m_seconds[begin], m_saved[end] - m_saved[begin],
                std::max(largest[begin], largest[end - (std::size_t{1} << level)])};
    }

private:
    std::vector<double> m_seconds, m_saved;     // before each
    std::vector<std::vector<double>> m_largest; // transients, of 1, 2, 4, ... from each on
};

} // namespace

class RecomputedCuts::Slicer
{
public:
    explicit Slicer(const RecomputeChooser& chooser) : m_chooser(chooser), m_problem(chooser.ground().none)
    {
        m_inFlight = peakInFlight(scheduleOf(m_problem.options).value());
        findCuts();
        findPrices();
        addUp();
        addRuns();
        addStates();
        m_buffers = buffersAt(m_problem, m_cuts);
    }

    std::optional<Partition> slice(const std::vector<Bytes>& rooms, Ways ways, const IsOver& isOver) const
    {
        const std::size_t stages = m_problem.stageCount(), cuts = m_cuts.size();
        if (cuts < stages + 1)
            return std::nullopt;
        std::vector<double> before(cuts, infinite);
        before[0] = 0;
        std::vector<std::vector<std::uint32_t>> from(stages, std::vector<std::uint32_t>(cuts, 0));
        for (std::size_t stage = 0; stage < stages; ++stage) {
            std::vector<double> best(cuts, infinite);
            for (std::size_t i = stage; i + 1 < cuts; ++i) {
                if (before[i] == infinite)
                    continue;
                if (isOver && isOver())
                    return std::nullopt;
                for (const Way& way : waysOf(ways))
                    extend(way, {stage, i, rooms[stage].asDouble()}, before[i], best, from[stage]);
            }
            before = std::move(best);
        }
        if (before.back() == infinite)
            return std::nullopt;
        return partitionOf(from);
    }

    const std::vector<std::size_t>& places() const { return m_cuts; }

    double speedOf(StageId stage) const { return m_problem.options.speeds[stage.index()]; }

    // The least that a stage is estimated to hold which takes no longer; none: it is not one that was found.
    std::optional<Bytes> leastHeld(const Partition& partition, StageId stage, Seconds compute,
                                   Ways ways) const
    {
        const std::optional<std::pair<std::size_t, std::size_t>> cuts = cutsOf(partition, stage);
        if (!cuts)
            return std::nullopt;
        const auto [i, j] = *cuts;
        double always = m_buffers.received[stage.index()][i] + m_buffers.sent[stage.index()][j];
        for (std::size_t stretch = i; stretch < j; ++stretch)
            always += stateAt(stage.index(), i, stretch);
        double least = infinite;
        for (const Way& way : waysOf(ways))
            for (const Stretches& atPrice : way) {
                const Stretch sum = atPrice.between(i, j);
                if (sum.seconds <= compute.value() * (1 + nearlyAsLong))
                    least = std::min(least, always + sum.transient +
                                                static_cast<double>(m_inFlight[stage.index()]) * sum.saved);
            }
        return least < infinite ? std::optional(Bytes(static_cast<std::int64_t>(least))) : std::nullopt;
    }

private:
    using Way = std::vector<Stretches>; // of each price, between cuts

    // Of a stage.
    struct Begin
    {
        std::size_t stage;
        std::size_t cut;
        double limit; // bytes
    };

    std::span<const Way> waysOf(Ways ways) const
    {
        return std::span(m_ways).first(ways == Ways::Any ? m_ways.size() : 1);
    }

    // Where a stage begins and ends; none: not at cuts of these.
    std::optional<std::pair<std::size_t, std::size_t>> cutsOf(const Partition& partition, StageId stage) const
    {
        const auto first = std::ranges::find(partition.stageOf, stage) - partition.stageOf.begin();
        const auto count = std::ranges::count(partition.stageOf, stage);
        const auto begin = std::ranges::lower_bound(m_cuts, static_cast<std::size_t>(first));
        const auto end = std::ranges::lower_bound(m_cuts, static_cast<std::size_t>(first + count));
        if (count == 0 || begin == m_cuts.end() || end == m_cuts.end() || std::cmp_not_equal(*begin, first) ||
            std::cmp_not_equal(*end, first + count))
            return std::nullopt;
        return std::pair(static_cast<std::size_t>(begin - m_cuts.begin()),
                         static_cast<std::size_t>(end - m_cuts.begin()));
    }

    void findCuts()
    {
        const std::size_t count = m_problem.nodes.size();
        std::vector<char> isInGroup(count + 1, 0);
        for (const Colocation& group : m_problem.groups) {
            if (group.nodes.empty())
                continue;
            const auto [first, last] = std::ranges::minmax(group.nodes);
            std::fill(isInGroup.begin() + first.index() + 1, isInGroup.begin() + last.index() + 1, 1);
        }
        std::vector<double> sent(count + 1, 0);
        addTransfers(sent);
        std::vector<std::size_t> possible;
        for (std::size_t at = 1; at < count; ++at)
            if (!isInGroup[at])
                possible.push_back(at);
        // Where there are too many, those of each stretch at which least crosses.
        const std::size_t stretch = std::max<std::size_t>(1, (possible.size() + mostCuts - 1) / mostCuts);
        m_cuts = {0};
        for (std::size_t i = 0; i < possible.size(); i += stretch) {
            const auto end =
                possible.begin() + static_cast<std::ptrdiff_t>(std::min(i + stretch, possible.size()));
            m_cuts.push_back(
                *std::min_element(possible.begin() + static_cast<std::ptrdiff_t>(i), end,
                                  [&](std::size_t a, std::size_t b) { return sent[a] < sent[b]; }));
        }
        m_cuts.push_back(count);
        for (const std::size_t at : m_cuts)
            m_transfers.push_back(at == 0 || at == count ? 0 : sent[at]);
    }

    // Of each place what crosses it takes, both ways.
    void addTransfers(std::vector<double>& seconds) const
    {
        if (m_problem.stageCount() < 2)
            return;
        for (const ProblemValue& value : m_problem.values) {
            std::size_t first = value.producer.index(), last = first;
            for (const NodeId reader : value.readers) {
                first = std::min<std::size_t>(first, reader.index());
                last = std::max<std::size_t>(last, reader.index());
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

    void findPrices()
    {
        m_prices = {0};
        const RecomputeGround& ground = m_chooser.ground();
        std::vector<double> slopes;
        for (std::size_t block = 0; block < ground.blocks.regions.size(); ++block) {
            m_options.push_back(m_chooser.optionsOf(block, ground.blocks.regions[block].nodes));
            const auto& options = m_options.back();
            for (std::size_t i = 1; i < options.size(); ++i)
                slopes.push_back((options[i - 1].added - options[i].added).value() /
                                 (options[i].saved - options[i - 1].saved).asDouble());
        }
        sortUnique(slopes);
        const std::size_t step = std::max<std::size_t>(1, (slopes.size() + mostPrices - 1) / mostPrices);
        for (std::size_t i = 0; i < slopes.size(); i += step)
            m_prices.push_back(slopes[std::min(i + step, slopes.size()) - 1] * (1 + 1e-9));
    }

    // As it is, nothing run again.
    Stretch plain(NodeId node) const
    {
        const ProblemNode& none = m_problem.nodes[node];
        return {none.time().value(), m_chooser.ground().saved[node].asDouble(), none.transient.asDouble()};
    }

    Stretch atPrice(NodeId node, const std::vector<const RecomputeChooser::Option*>& chosen) const
    {
        Stretch taken = plain(node);
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

    void addUp()
    {
        for (const double price : m_prices) {
            std::vector<const RecomputeChooser::Option*> chosen;
            for (const auto& options : m_options)
                chosen.push_back(&*std::ranges::min_element(options, {}, [&](const auto& option) {
                    return option.added.value() + price * option.saved.asDouble();
                }));
            std::vector<Stretch> stretches(m_cuts.size() - 1);
            for (std::size_t i = 0; i + 1 < m_cuts.size(); ++i)
                for (std::size_t node = m_cuts[i]; node < m_cuts[i + 1]; ++node) {
                    const Stretch taken = atPrice(NodeId(node), chosen);
                    stretches[i].seconds += taken.seconds;
                    stretches[i].saved += taken.saved;
                    stretches[i].transient = std::max(stretches[i].transient, taken.transient);
                }
            m_ways.front().emplace_back(stretches);
        }
    }

    // Runs of any nodes as regions, by how much one may make again.
    void addRuns()
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

    std::vector<Stretch> stretchesOf(const StageRegions::Choice& choice) const
    {
        Table<NodeId, Stretch> nodes(m_problem.nodes.size());
        for (const NodeId node : m_problem.nodes.ids())
            nodes[node] = plain(node);
        for (const StageRegions::Run& run : choice.runs)
            for (const NodeId node : run.region.nodes)
                nodes[node].transient = m_chooser.transientOf(run).asDouble();
        for (const StageRegions::Again& again : choice.again)
            nodes[again.node].seconds += again.seconds.value();
        for (const StageRegions::Freed& freed : choice.freedAt)
            nodes[freed.node].saved -= freed.bytes.asDouble();
        std::vector<Stretch> stretches(m_cuts.size() - 1);
        for (std::size_t i = 0; i + 1 < m_cuts.size(); ++i)
            for (std::size_t node = m_cuts[i]; node < m_cuts[i + 1]; ++node)
                add(nodes[NodeId(node)], stretches[i]);
        return stretches;
    }

    // Of the nodes themselves by stretch; of what several use, between which stretches each of them lies.
    void addStates()
    {
        m_states.assign(m_cuts.size() - 1, 0);
        const auto stretchOf = [&](NodeId node) {
            return static_cast<std::size_t>(std::ranges::upper_bound(m_cuts, std::size_t{node.index()}) -
                                            m_cuts.begin()) -
                   1;
        };
        m_sharedAt.resize(m_cuts.size() - 1);
        for (const NodeId node : m_problem.nodes.ids())
            m_states[stretchOf(node)] += heldBy(m_problem.nodes[node]).always().asDouble();
        for (const SharedState& shared : m_problem.shared) {
            std::vector<std::size_t> users;
            for (const NodeId user : shared.users)
                users.push_back(stretchOf(user));
            sortUnique(users);
            for (std::size_t i = 0; i < users.size(); ++i)
                m_sharedAt[users[i]].push_back(
                    {i == 0 ? std::numeric_limits<std::size_t>::max() : users[i - 1],
                     heldBy(shared).always().asDouble(),
                     i == 0 ? 0 : heldBy(shared).perMicrobatch().asDouble()}); // the first has it as its own
        }
    }

    // All stages that begin at the i-th cut. Some of a stage's blocks choose as at the lowest price at which
    // it keeps its limit, the others as at the one below.
    void extend(const Way& way, const Begin& begin, double before, std::vector<double>& best,
                std::vector<std::uint32_t>& from) const
    {
        const auto [stage, i, limit] = begin;
        std::size_t least = 0; // price: what a stage holds to its last cut only grows with the stage
        double state = m_buffers.received[stage][i];
        const std::size_t stagesLeft = m_problem.stageCount() - stage - 1;
        for (std::size_t j = i + 1; j + stagesLeft < m_cuts.size(); ++j) {
            state += stateAt(stage, i, j - 1);
            const auto held = [&](std::size_t price) {
                const Stretch sum = way[price].between(i, j);
                return state + static_cast<double>(m_inFlight[stage]) * sum.saved + sum.transient;
            };
            while (held(least) > limit)
                if (++least == way.size())
                    return;
            if (stagesLeft == 0 && j + 1 != m_cuts.size())
                continue;
            const double room = limit - m_buffers.sent[stage][j];
            std::size_t price = least;
            while (price < way.size() && held(price) > room)
                ++price;
            if (price == way.size())
                continue;
            double seconds = way[price].between(i, j).seconds;
            if (price > 0 && held(price - 1) > room) {
                const double less = way[price - 1].between(i, j).seconds;
                seconds =
                    less + (held(price - 1) - room) / (held(price - 1) - held(price)) * (seconds - less);
            }
            const double load = loadOf(stage, i, j, seconds);
            const double worst = std::max(before, load);
            if (worst < best[j]) {
                best[j] = worst;
                from[j] = static_cast<std::uint32_t>(i);
            }
        }
    }

    // What a stretch brings to a stage that begins at the i-th cut.
    double stateAt(std::size_t stage, std::size_t i, std::size_t stretch) const
    {
        double state = m_states[stretch];
        for (const auto& [user, bytes, saved] : m_sharedAt[stretch])
            if (user == std::numeric_limits<std::size_t>::max() || user < i)
                state += bytes + static_cast<double>(m_inFlight[stage]) * saved;
        return state;
    }

    double loadOf(std::size_t stage, std::size_t from, std::size_t to, double seconds) const
    {
        return stageLoad(m_problem.options.objective, Seconds(seconds / m_problem.options.speeds[stage]),
                         Seconds(m_transfers[from]), Seconds(m_transfers[to]))
            .value();
    }

    static void add(const Stretch& stretch, Stretch& sum)
    {
        sum.seconds += stretch.seconds;
        sum.saved += stretch.saved;
        sum.transient = std::max(sum.transient, stretch.transient);
    }

    Partition partitionOf(const std::vector<std::vector<std::uint32_t>>& from) const
    {
        Partition partition{m_problem.stageCount(),
                            Table<NodeId, StageId>(m_problem.nodes.size(), StageId(0))};
        std::size_t end = m_cuts.size() - 1;
        for (std::size_t stage = m_problem.stageCount(); stage-- > 0;) {
            const std::size_t begin = from[stage][end];
            for (std::size_t node = m_cuts[begin]; node < m_cuts[end]; ++node)
                partition.stageOf[NodeId(node)] = StageId(stage);
            end = begin;
        }
        return partition;
    }

    const RecomputeChooser& m_chooser;
    const PartitionProblem& m_problem;
    std::vector<std::size_t> m_inFlight;
    CutBuffers m_buffers;
    std::vector<std::size_t> m_cuts; // nodes before them; the first is 0, the last all
    std::vector<double> m_transfers; // of each
    std::vector<double> m_prices;    // seconds a byte, ascending
    std::vector<std::vector<RecomputeChooser::Option>> m_options; // of each block
    std::vector<Way> m_ways = std::vector<Way>(1);                // the first: of blocks
    std::vector<double> m_states;
    // Bytes that a stretch brings unless the stage has that earlier stretch, too.
    struct SharedAt
    {
        std::size_t before; // stretch; beyond all: there is none
        double state;
        double saved; // of one microbatch
    };
    std::vector<std::vector<SharedAt>> m_sharedAt;
};

RecomputedCuts::RecomputedCuts(const RecomputeChooser& chooser)
    : m_slicer(std::make_unique<const Slicer>(chooser))
{
}

RecomputedCuts::~RecomputedCuts() = default;

const std::vector<std::size_t>& RecomputedCuts::places() const
{
    return m_slicer->places();
}

std::optional<Partition> RecomputedCuts::within(const std::vector<Bytes>& rooms, Ways ways,
                                                const IsOver& isOver) const
{
    return m_slicer->slice(rooms, ways, isOver);
}

std::vector<Bytes> RecomputedCuts::corrected(const std::vector<Bytes>& rooms, const Partition& partition,
                                             const std::vector<Known>& known, Ways ways) const
{
    std::vector<Bytes> corrected = rooms;
    for (std::size_t i = 0; i < known.size(); ++i) {
        const StageId stage(i);
        const std::optional<Bytes> held =
            m_slicer->leastHeld(partition, stage, known[i].compute * m_slicer->speedOf(stage), ways);
        if (held && rooms[i] != Bytes::max())
            corrected[i] -= known[i].memory - *held;
    }
    return corrected;
}

std::vector<RecomputedCuts::Known> knownOf(const RecomputeChooser::Choice& choice)
{
    std::vector<RecomputedCuts::Known> known;
    for (const StageId stage : choice.without.stages.ids())
        known.push_back({choice.without.stages[stage].compute() + choice.added[stage.index()],
                         choice.memory[stage.index()]});
    return known;
}

std::vector<RecomputedCuts::Known> knownOf(const PlanCost& cost)
{
    std::vector<RecomputedCuts::Known> known;
    for (const StageCost& stage : cost.stages)
        known.push_back({stage.compute(), stage.peakMemory});
    return known;
}

} // namespace stagecraft
