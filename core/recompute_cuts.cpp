#include "core/recompute_cuts.h"

#include "core/base/sort_unique.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <limits>

namespace stagecraft {

namespace {

constexpr std::size_t mostPrices = 40;
constexpr std::size_t mostCuts = 500;
constexpr std::size_t fewNodes = 800; // with more, fewer prices

// What a run of nodes between two places to cut takes at a price.
struct Stretch
{
    double seconds = 0;
    double saved = 0; // bytes
    double transient = 0;
};

class Slicer
{
public:
    Slicer(const RecomputeChooser& chooser, const std::vector<Bytes>& rooms, RecomputeChooser::Ways ways)
        : m_chooser(chooser), m_problem(chooser.ground().none), m_rooms(rooms)
    {
        m_inFlight = peakInFlight(scheduleOf(m_problem.options).value());
        findCuts();
        findPrices();
        addUp();
        if (ways == RecomputeChooser::Ways::Any)
            addRuns();
        addStates();
    }

    std::optional<Partition> slice(const IsOver& isOver)
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
                for (const Way& way : m_ways)
                    extend(way, stage, i, before[i], best, from[stage]);
            }
            before = std::move(best);
        }
        if (before.back() == infinite)
            return std::nullopt;
        return partitionOf(from);
    }

private:
    using Way = std::vector<std::vector<Stretch>>; // of each price, between cuts

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
            m_ways.front().push_back(std::move(stretches));
        }
    }

    // Runs of any nodes as regions, by how much one may make again.
    void addRuns()
    {
        const RecomputeGround& ground = m_chooser.ground();
        std::vector<NodeId> nodes;
        for (const NodeId node : m_problem.nodes.ids())
            nodes.push_back(node);
        const StageRegions runs(ground.needs, nodes);
        const std::size_t step = 1 + nodes.size() / fewNodes;
        for (std::size_t cap = 1; cap < m_chooser.caps().size(); cap += 2) {
            m_ways.emplace_back();
            m_ways.back().push_back(m_ways.front().front()); // for nothing, nothing runs again
            for (std::size_t i = 0; i < m_chooser.prices().size(); i += step)
                m_ways.back().push_back(stretchesOf(runs.at(m_chooser.prices()[i], m_chooser.caps()[cap])));
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
        for (const StageRegions::Again& again : choice.again) {
            nodes[again.node].seconds += again.seconds.value();
            nodes[again.node].saved -= again.bytes.asDouble();
        }
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
                     heldBy(shared).always().asDouble()});
        }
    }

    // A run of stretches at a price, and what that holds with everything else.
    static Stretch sumAt(const std::vector<Stretch>& stretches, std::size_t i, std::size_t j)
    {
        Stretch sum;
        for (std::size_t k = i; k < j; ++k)
            add(stretches[k], sum);
        return sum;
    }

    // All stages that begin at the i-th cut. Some of a stage's blocks choose as at the lowest price at which
    // it keeps its limit, the others as at the one below.
    void extend(const Way& way, std::size_t stage, std::size_t i, double before, std::vector<double>& best,
                std::vector<std::uint32_t>& from) const
    {
        const double limit = m_rooms[stage].asDouble();
        const auto inFlight = static_cast<double>(m_inFlight[stage]);
        const double speed = m_problem.options.speeds[stage];
        std::size_t price = 0;
        Stretch fits, below; // at that price, and at the one below
        double state = 0;
        const auto held = [&](const Stretch& sum) { return state + inFlight * sum.saved + sum.transient; };
        const std::size_t stagesLeft = m_problem.stageCount() - stage - 1;
        for (std::size_t j = i + 1; j + stagesLeft < m_cuts.size(); ++j) {
            state += m_states[j - 1];
            for (const auto& [user, bytes] : m_sharedAt[j - 1])
                if (user == std::numeric_limits<std::size_t>::max() || user < i)
                    state += bytes;
            add(way[price][j - 1], fits);
            if (price > 0)
                add(way[price - 1][j - 1], below);
            while (held(fits) > limit) {
                if (++price == way.size())
                    return;
                below = fits;
                fits = sumAt(way[price], i, j);
            }
            if (stagesLeft == 0 && j + 1 != m_cuts.size())
                continue;
            double seconds = fits.seconds;
            if (price > 0 && held(below) > limit)
                seconds = below.seconds +
                          (held(below) - limit) / (held(below) - held(fits)) * (fits.seconds - below.seconds);
            const double load = stageLoad(m_problem.options.objective, Seconds(seconds / speed),
                                          Seconds(m_transfers[i]), Seconds(m_transfers[j]))
                                    .value();
            const double worst = std::max(before, load);
            if (worst < best[j]) {
                best[j] = worst;
                from[j] = static_cast<std::uint32_t>(i);
            }
        }
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
    const std::vector<Bytes>& m_rooms;
    std::vector<std::size_t> m_inFlight;
    std::vector<std::size_t> m_cuts; // nodes before them; the first is 0, the last all
    std::vector<double> m_transfers; // of each
    std::vector<double> m_prices;    // seconds a byte, ascending
    std::vector<std::vector<RecomputeChooser::Option>> m_options; // of each block
    std::vector<Way> m_ways = std::vector<Way>(1);                // the first: of blocks
    std::vector<double> m_states;
    // Bytes that a stretch brings unless the stage has that earlier stretch, too.
    std::vector<std::vector<std::pair<std::size_t, double>>> m_sharedAt;
};

} // namespace

std::optional<Partition> recomputedCuts(const RecomputeChooser& chooser, const std::vector<Bytes>& rooms,
                                        const IsOver& isOver, RecomputeChooser::Ways ways)
{
    return Slicer(chooser, rooms, ways).slice(isOver);
}

} // namespace stagecraft
