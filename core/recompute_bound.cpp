#include "core/recompute_bound.h"

#include "core/plan/stage_cost.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr int mostSteps = 1500;
constexpr int patience = 40; // steps without a better bound, after which they get shorter
// Of all time and of all that is saved, what may pass a pivot by.
constexpr double freeShare = 2e-3;

struct Weights
{
    std::vector<double> load;  // of each stage, sum 1
    std::vector<double> price; // of all that a stage may hold, as a share of the bottleneck
};

// What it takes to have a node in a stage, and what of it is time and bytes.
struct Taken
{
    double value = 0;
    double seconds = 0;
    double bytes = 0;
};

class Relaxation
{
public:
    Relaxation(const RecomputeChooser& chooser, double upper)
        : m_problem(chooser.ground().none), m_stages(m_problem.stageCount()), m_upper(upper)
    {
        m_inFlight = peakInFlight(scheduleOf(m_problem.options).value());
        readNodes(chooser.ground());
        findSegments();
        m_limits.reserve(m_stages);
        for (const Bytes limit : m_problem.options.memoryLimits)
            m_limits.push_back(limit == Bytes::max() ? 0 : std::max(1.0, limit.asDouble()));
    }

    double best(const IsOver& isOver)
    {
        Weights now{std::vector<double>(m_stages, 1.0 / static_cast<double>(m_stages)),
                    std::vector<double>(m_stages, 0.1 / static_cast<double>(m_stages))};
        double best = 0, length = 1;
        int since = 0;
        for (int step = 0; step < mostSteps && length > 1e-3; ++step) {
            if (step % 16 == 0 && isOver && isOver())
                break;
            const double value = solve(now);
            if (value > best * (1 + 1e-6)) {
                best = value;
                since = 0;
            } else if (++since == patience) {
                length /= 2;
                since = 0;
            }
            raise(now, length * std::max(0.0, m_upper - value));
        }
        return best;
    }

private:
    struct Item
    {
        double seconds = 0, again = 0, saved = 0, state = 0;
        // Its part in the mean of transients by time, of a stage that takes as long as the plan at hand: what
        // is alive at the most is no less than the mean.
        double transient = 0;
    };

    struct Segment
    {
        std::vector<std::size_t> nodes;
        std::optional<std::size_t> pivot; // behind them
    };

    void readNodes(const RecomputeGround& ground)
    {
        m_items.resize(m_problem.nodes.size());
        for (const NodeId node : m_problem.nodes.ids()) {
            const ProblemNode& cost = m_problem.nodes[node];
            const double seconds = computeOf(cost).total().value();
            m_items[node.index()] = {
                seconds, ground.needs[node].again.value(), ground.needs[node].made.asDouble(),
                heldBy(cost).always().asDouble(),
                seconds / m_upper * std::min(cost.transient, ground.full.nodes[node].transient).asDouble()};
        }
        for (const SharedState& shared : m_problem.shared) // every stage of a user has it: that of one, too
            if (!shared.users.empty())
                m_items[shared.users.front().index()].state += heldBy(shared).always().asDouble();
    }

    // A path of as many nodes as can be: the nodes on it are in stages that never fall.
    std::vector<std::size_t> longestPath(const std::vector<std::vector<std::size_t>>& before) const
    {
        const std::size_t count = m_items.size();
        std::vector<std::size_t> length(count, 1), from(count, count);
        for (std::size_t node = 0; node < count; ++node)
            for (const std::size_t other : before[node])
                if (other < node && length[other] + 1 > length[node]) {
                    length[node] = length[other] + 1;
                    from[node] = other;
                }
        std::vector<std::size_t> path;
        for (auto node = static_cast<std::size_t>(std::ranges::max_element(length) - length.begin());
             node < count; node = from[node])
            path.push_back(node);
        std::ranges::reverse(path);
        return path;
    }

    // Nodes between two pivots are in a stage between theirs; those that pass a pivot by are anywhere.
    void findSegments()
    {
        const std::size_t count = m_items.size();
        std::vector<std::vector<std::size_t>> before(count);
        for (const Precedence& edge : m_problem.precedences)
            before[edge.after.index()].push_back(edge.before.index());
        const std::vector<std::size_t> path = longestPath(before);
        std::vector<std::size_t> place(count, 0); // on the path, from 1
        for (std::size_t i = 0; i < path.size(); ++i)
            place[path[i]] = i + 1;
        std::vector<std::size_t> low(count, 0), high(count, path.size() + 1);
        for (std::size_t node = 0; node < count; ++node)
            for (const std::size_t other : before[node])
                low[node] = std::max(low[node], std::max(place[other], low[other]));
        for (std::size_t node = count; node-- > 0;)
            for (const std::size_t other : before[node])
                high[other] =
                    std::min(high[other], place[node] > 0 ? std::min(place[node], high[node]) : high[node]);
        const std::vector<char> isPivot = pivotsOf(path, place, low, high);
        std::vector<std::size_t> segmentAt(path.size() + 2, 0);
        m_segments.resize(1);
        for (std::size_t i = 1; i <= path.size(); ++i) {
            if (isPivot[i]) {
                m_segments.back().pivot = path[i - 1];
                m_segments.emplace_back();
            }
            segmentAt[i] = m_segments.size() - 1;
        }
        segmentAt[path.size() + 1] = m_segments.size() - 1;
        for (std::size_t node = 0; node < count; ++node) {
            if (place[node] > 0 && isPivot[place[node]])
                continue;
            const std::size_t first = segmentAt[place[node] > 0 ? place[node] : low[node]];
            const std::size_t end = place[node] > 0 ? place[node] : high[node];
            const std::size_t last =
                end <= path.size() && isPivot[end] && place[node] == 0 ? segmentAt[end] - 1 : segmentAt[end];
            if (first == last)
                m_segments[first].nodes.push_back(node);
            else
                m_free.push_back(node);
        }
    }

    std::vector<char> pivotsOf(const std::vector<std::size_t>& path, const std::vector<std::size_t>& place,
                               const std::vector<std::size_t>& low,
                               const std::vector<std::size_t>& high) const
    {
        std::vector<double> seconds(path.size() + 2, 0), saved(path.size() + 2, 0);
        double allSeconds = 0, allSaved = 0;
        for (std::size_t node = 0; node < m_items.size(); ++node) {
            allSeconds += m_items[node].seconds;
            allSaved += m_items[node].saved;
            if (place[node] > 0 || high[node] <= low[node] + 1)
                continue;
            seconds[low[node] + 1] += m_items[node].seconds;
            seconds[high[node]] -= m_items[node].seconds;
            saved[low[node] + 1] += m_items[node].saved;
            saved[high[node]] -= m_items[node].saved;
        }
        std::vector<char> isPivot(path.size() + 2, 0);
        for (std::size_t i = 1; i <= path.size(); ++i) {
            seconds[i] += seconds[i - 1];
            saved[i] += saved[i - 1];
            isPivot[i] = seconds[i] <= freeShare * allSeconds && saved[i] <= freeShare * allSaved;
        }
        return isPivot;
    }

    Taken taken(const Item& item, const Weights& weights, std::size_t stage) const
    {
        const double speed = m_problem.options.speeds[stage];
        const double price = m_limits[stage] > 0 ? weights.price[stage] * m_upper / m_limits[stage] : 0;
        const double kept = item.saved * static_cast<double>(m_inFlight[stage]);
        Taken made{0, item.seconds / speed, item.state + item.transient / speed};
        if (price * kept <= weights.load[stage] * item.again / speed)
            made.bytes += kept;
        else
            made.seconds += item.again / speed;
        made.value = weights.load[stage] * made.seconds + price * made.bytes;
        return made;
    }

    // The least of the relaxed sum; leaves in m_loads and m_held what its stages take.
    double solve(const Weights& weights)
    {
        const std::size_t stages = m_stages;
        std::vector<double> reach(stages, 0); // the least up to the pivot before, in that stage
        std::vector<std::vector<std::size_t>> from;
        bool isFirst = true;
        for (const Segment& segment : m_segments) {
            const std::vector<double> within = valuesOf(segment, weights);
            std::vector<double> next(stages, infinite);
            std::vector<std::size_t> origin(stages, 0);
            for (std::size_t a = 0; a < (isFirst ? 1 : stages); ++a)
                for (std::size_t b = a; b < stages; ++b)
                    if (const double value = reach[a] + within[a * stages + b]; value < next[b]) {
                        next[b] = value;
                        origin[b] = a;
                    }
            if (segment.pivot)
                for (std::size_t b = 0; b < stages; ++b)
                    next[b] += taken(m_items[*segment.pivot], weights, b).value;
            reach = std::move(next);
            from.push_back(std::move(origin));
            isFirst = false;
        }
        double value = reach.back(); // behind the last pivot any stage up to the last
        m_loads.assign(stages, 0);
        m_held.assign(stages, 0);
        follow(weights, from);
        for (const std::size_t node : m_free)
            value += addBest(node, 0, stages - 1, weights);
        for (std::size_t stage = 0; stage < stages; ++stage)
            if (m_limits[stage] > 0)
                value -= weights.price[stage] * m_upper;
        return value;
    }

    std::vector<double> valuesOf(const Segment& segment, const Weights& weights) const
    {
        std::vector<double> values(m_stages * m_stages, 0);
        std::vector<double> single(m_stages);
        for (const std::size_t node : segment.nodes) {
            for (std::size_t stage = 0; stage < m_stages; ++stage)
                single[stage] = taken(m_items[node], weights, stage).value;
            for (std::size_t a = 0; a < m_stages; ++a) {
                double least = infinite;
                for (std::size_t b = a; b < m_stages; ++b) {
                    least = std::min(least, single[b]);
                    values[a * m_stages + b] += least;
                }
            }
        }
        return values;
    }

    double addBest(std::size_t node, std::size_t first, std::size_t last, const Weights& weights)
    {
        Taken best{infinite, 0, 0};
        std::size_t where = first;
        for (std::size_t stage = first; stage <= last; ++stage)
            if (const Taken made = taken(m_items[node], weights, stage); made.value < best.value) {
                best = made;
                where = stage;
            }
        m_loads[where] += best.seconds;
        m_held[where] += best.bytes;
        return best.value;
    }

    void follow(const Weights& weights, const std::vector<std::vector<std::size_t>>& from)
    {
        std::size_t b = m_stages - 1;
        for (std::size_t i = m_segments.size(); i-- > 0;) {
            const std::size_t a = from[i][b];
            if (m_segments[i].pivot)
                addBest(*m_segments[i].pivot, b, b, weights);
            for (const std::size_t node : m_segments[i].nodes)
                addBest(node, a, b, weights);
            b = a;
        }
    }

    // A step along the subgradient.
    void raise(Weights& weights, double by) const
    {
        std::vector<double> slope(m_stages);
        double squares = 0;
        const double mean = [&] {
            double sum = 0;
            for (const double load : m_loads)
                sum += load;
            return sum / static_cast<double>(m_stages);
        }();
        for (std::size_t stage = 0; stage < m_stages; ++stage) {
            const double load = m_loads[stage] - mean; // the sum of weights stays
            slope[stage] =
                m_limits[stage] > 0 ? m_upper * (m_held[stage] - m_limits[stage]) / m_limits[stage] : 0;
            if (weights.price[stage] <= 0 && slope[stage] < 0)
                slope[stage] = 0;
            squares += load * load + slope[stage] * slope[stage];
        }
        if (squares <= 0)
            return;
        double sum = 0;
        for (std::size_t stage = 0; stage < m_stages; ++stage) {
            weights.load[stage] = std::max(0.0, weights.load[stage] + by / squares * (m_loads[stage] - mean));
            weights.price[stage] = std::max(0.0, weights.price[stage] + by / squares * slope[stage]);
            sum += weights.load[stage];
        }
        for (double& load : weights.load)
            load /= sum;
    }

    const PartitionProblem& m_problem;
    std::size_t m_stages;
    double m_upper;
    std::vector<std::size_t> m_inFlight;
    std::vector<double> m_limits; // bytes; 0: none
    std::vector<Item> m_items;
    std::vector<Segment> m_segments; // in their order; the last has no pivot
    std::vector<std::size_t> m_free;
    std::vector<double> m_loads;
    std::vector<double> m_held;
};

} // namespace

Bound recomputedBound(const RecomputeChooser& chooser, Seconds upper, const IsOver& isOver)
{
    Bound bound{.value = {}, .kind = "cuts and recomputation", .witness = {}};
    const PartitionOptions& options = chooser.ground().none.options;
    if (options.sharesDevices() || upper <= Seconds{} || options.objective == Objective::Overlap)
        return bound;
    // Sums are rounded.
    bound.value = std::min(upper, Seconds(Relaxation(chooser, upper.value()).best(isOver) * (1 - 1e-9)));
    return bound;
}

} // namespace stagecraft
