#include "core/search/improve/order_dp.h"

#include "core/search/improve/segment_exchange.h"
#include "core/search/reduce/loads.h"

#include <algorithm>
#include <limits>

namespace stagecraft {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Figures of the segment k .. end of an order while k goes down from end.
class SegmentScanner
{
public:
    SegmentScanner(const ReducedProblem& reduced, const GroupOrder& order)
        : m_reduced(reduced),
          m_order(order),
          m_relay(reduced.options.send == SendKind::Relay),
          m_inside(reduced.values.size(), 0),
          m_stamp(reduced.values.size(), none),
          m_sharedStamp(reduced.shared.size(), none),
          m_position(reduced.size(), none)
    {
        for (std::size_t i = 0; i < order.size(); ++i)
            m_position[order[i]] = static_cast<std::uint32_t>(i);
        if (m_relay)
            computeCuts();
        if (m_relay && reduced.limitsMemory && !reduced.runtime.holdsNothing())
            m_exchange.emplace(reduced, order);
        for (const ReducedValue& value : reduced.values) {
            if (value.returned)
                m_returned += value.size;
        }
    }

    void start(std::size_t end)
    {
        m_end = static_cast<std::uint32_t>(end);
        m_figures = {};
        m_firstStage = 0;
        m_lastStage = m_reduced.stageCount() - 1;
        if (m_exchange)
            m_exchange->start(end);
        if (m_relay)
            m_figures.out = m_cuts[end];
        else if (m_end == m_order.size())
            m_figures.in = m_returned;
    }

    // Takes in the group at position k, the one before those that were taken in.
    void extend(std::size_t k)
    {
        const ReducedGroupId index = m_order[k];
        const ReducedGroup& group = m_reduced.groups[index];
        m_figures.add(group);
        for (const std::uint32_t shared : group.shared) {
            if (m_sharedStamp[shared] != m_end)
                m_figures.held += m_reduced.shared[shared].held;
            m_sharedStamp[shared] = m_end;
        }
        for (const std::uint32_t parted : group.parted)
            m_figures.held += partedFrom(k, parted) - partedFrom(k + 1, parted);
        m_firstStage = std::max(m_firstStage, group.firstStage);
        m_lastStage = std::min(m_lastStage, group.lastStage);
        if (m_exchange)
            m_exchange->extend(k);
        if (m_relay)
            m_figures.in = m_cuts[k];
        else
            enterDirect(index, group);
    }

    // The segment k .. end at once; relayed values only, and without memory.
    void jump(std::size_t k, double compute)
    {
        m_figures.compute = compute;
        m_figures.in = m_cuts[k];
    }

    // How long what crosses there takes over the first link; 0 where that is not known beforehand.
    double crossingAt(std::size_t k) const
    {
        return m_relay && m_reduced.stageCount() > 1 ? m_reduced.transfer(m_cuts[k], 0) : 0;
    }

    // Does the segment as that stage keep its limit? Sent directly, not surely where it does by little.
    bool fits(std::size_t stage) const
    {
        if (m_reduced.runtime.holdsNothing())
            return m_reduced.fits(stage, m_figures);
        return m_reduced.fitsExchanging(stage, m_figures,
                                        m_exchange ? m_exchange->heldBy(stage)
                                                   : m_reduced.mostExchanged(stage, m_figures));
    }

    const StageFigures& figures() const { return m_figures; }
    std::size_t firstStage() const { return m_firstStage; }
    std::size_t lastStage() const { return m_lastStage; }

private:
    // Of a storage in parts, what the segment begin .. end holds beside those that are shared.
    HeldBytes partedFrom(std::size_t begin, std::uint32_t parted) const
    {
        return m_reduced.parted[parted].heldIn(
            [&](ReducedGroupId group) { return m_position[group] >= begin && m_position[group] < m_end; });
    }

    // What crosses the cut in front of each position.
    void computeCuts()
    {
        m_cuts.assign(m_order.size() + 1, {});
        std::vector<std::uint32_t> seen(m_reduced.values.size(), 0);
        TransferSize crossing;
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            for (const std::uint32_t v : m_reduced.groups[m_order[i]].values) {
                const ReducedValue& value = m_reduced.values[v];
                if (seen[v]++ == 0)
                    crossing += value.size;
                if (seen[v] == value.pins.size() && !value.returned)
                    crossing -= value.size;
            }
            m_cuts[i + 1] = crossing;
        }
        m_cuts.back() = {};
    }

    void enterDirect(ReducedGroupId index, const ReducedGroup& group)
    {
        const bool atEnd = m_end == m_order.size();
        for (const std::uint32_t v : group.values) {
            const ReducedValue& value = m_reduced.values[v];
            const bool withLast = value.returned && atEnd;
            if (m_stamp[v] != m_end) {
                m_stamp[v] = m_end;
                m_inside[v] = 0;
                if (!withLast)
                    m_figures.in += value.size; // for now its producer is elsewhere
            }
            const bool complete = ++m_inside[v] == value.pins.size() && (!value.returned || atEnd);
            // Once its producer is inside it goes out; once all of it is inside it costs nothing.
            if (value.producer == index) {
                m_figures.in -= value.size;
                m_figures.out += value.size;
                m_producerInside.resize(m_reduced.values.size(), none);
                m_producerInside[v] = m_end;
            }
            if (complete) {
                const bool home = m_producerInside.size() > v && m_producerInside[v] == m_end;
                (home ? m_figures.out : m_figures.in) -= value.size;
            }
        }
    }

    const ReducedProblem& m_reduced;
    const GroupOrder& m_order;
    bool m_relay;
    std::vector<TransferSize> m_cuts;
    std::optional<SegmentExchange> m_exchange;
    TransferSize m_returned;
    std::vector<std::uint32_t> m_inside; // pins of each value inside, where its stamp is the end
    std::vector<std::uint32_t> m_stamp;
    std::vector<std::uint32_t> m_producerInside;
    std::vector<std::uint32_t> m_sharedStamp;
    Table<ReducedGroupId, std::uint32_t> m_position; // of each group in the order
    StageFigures m_figures;
    std::size_t m_firstStage = 0;
    std::size_t m_lastStage = 0;
    std::uint32_t m_end = none;
};

enum class Combine { Max, SumOfSquares };

class OrderSlicer
{
public:
    OrderSlicer(const ReducedProblem& reduced, const GroupOrder& order, double limit, Combine combine,
                const IsOver& isOver)
        : m_reduced(reduced),
          m_order(order),
          m_limit(limit),
          m_combine(combine),
          m_isOver(isOver),
          m_stages(reduced.stageCount()),
          m_best((order.size() + 1) * (m_stages + 1), infinite),
          m_from(m_best.size(), none)
    {
    }

    std::optional<Slicing> run(std::size_t mostCuts = std::numeric_limits<std::size_t>::max())
    {
        best(0, 0) = 0;
        findCuts();
        SegmentScanner scanner(m_reduced, m_order);
        thinCuts(scanner, mostCuts);
        const bool jumps = m_reduced.options.send == SendKind::Relay && !m_reduced.limitsMemory &&
                           m_reduced.options.pins.empty();
        for (const std::size_t i : m_cuts) {
            if (m_isOver && m_isOver())
                return std::nullopt;
            if (i > 0)
                scanner.start(i);
            if (jumps)
                jumpTo(i, scanner);
            else
                scanTo(i, scanner);
            for (std::size_t j = 1; m_reduced.allowsEmpty() && j <= m_stages; ++j)
                improve(i, j, i, best(i, j - 1));
        }
        if (best(m_order.size(), m_stages) == infinite)
            return std::nullopt;
        return trace();
    }

private:
    // Positions that leave neither more behind them nor more in front than the stages there can take.
    void findCuts()
    {
        std::vector<double> room{0};
        for (const double speed : m_reduced.options.speeds)
            room.push_back(room.back() + speed * m_limit);
        m_time.assign(1, 0);
        for (const ReducedGroupId group : m_order)
            m_time.push_back(m_time.back() + m_reduced.groups[group].seconds);
        const double slack = 1e-9 * m_time.back();
        m_isCut.assign(m_time.size(), 0);
        for (std::size_t i = 0; i < m_time.size(); ++i) {
            for (std::size_t j = 0; j <= m_stages && !m_isCut[i]; ++j)
                m_isCut[i] =
                    m_limit == infinite || (m_time[i] <= room[j] + slack &&
                                            m_time.back() - m_time[i] <= room.back() - room[j] + slack);
            if (m_isCut[i])
                m_cuts.push_back(i);
        }
    }

    // Of each stretch of them the one where least crosses; the ends stay.
    void thinCuts(const SegmentScanner& scanner, std::size_t most)
    {
        if (m_cuts.size() <= most)
            return;
        std::vector<std::size_t> kept{m_cuts.front()};
        const std::size_t stretch = m_cuts.size() / most + 1;
        for (std::size_t i = 1; i + 1 < m_cuts.size(); i += stretch) {
            const auto begin = m_cuts.begin() + static_cast<std::ptrdiff_t>(i);
            const auto end =
                m_cuts.begin() + static_cast<std::ptrdiff_t>(std::min(i + stretch, m_cuts.size() - 1));
            kept.push_back(*std::min_element(begin, end, [&](std::size_t a, std::size_t b) {
                return scanner.crossingAt(a) < scanner.crossingAt(b);
            }));
        }
        kept.push_back(m_cuts.back());
        for (const std::size_t cut : m_cuts)
            m_isCut[cut] = 0;
        for (const std::size_t cut : kept)
            m_isCut[cut] = 1;
        m_cuts = std::move(kept);
    }

    double mostTime() const { return m_limit * std::ranges::max(m_reduced.options.speeds) * (1 + 1e-12); }

    // All segments that end at i, from cut to cut.
    void jumpTo(std::size_t i, SegmentScanner& scanner)
    {
        const double most = mostTime();
        for (auto k = std::ranges::lower_bound(m_cuts, i); k != m_cuts.begin();) {
            --k;
            const double compute = m_time[i] - m_time[*k];
            if (compute > most)
                break;
            scanner.jump(*k, compute);
            relax(*k, i, scanner);
        }
    }

    // Likewise, group by group.
    void scanTo(std::size_t i, SegmentScanner& scanner)
    {
        const double most = mostTime();
        std::size_t roomy = 0;
        for (std::size_t k = i; k-- > 0;) {
            scanner.extend(k);
            roomy = nextThatMayFit(roomy, scanner.figures());
            if (scanner.figures().compute > most || scanner.firstStage() > scanner.lastStage() ||
                roomy == m_stages)
                break;
            if (m_isCut[k])
                relax(k, i, scanner);
        }
    }

    double& best(std::size_t i, std::size_t j) { return m_best[i * (m_stages + 1) + j]; }

    void improve(std::size_t i, std::size_t j, std::size_t k, double value)
    {
        if (value < best(i, j)) {
            best(i, j) = value;
            m_from[i * (m_stages + 1) + j] = static_cast<std::uint32_t>(k);
        }
    }

    // The first stage from `stage` on that a segment fits, whatever else; it fits none before, as what it
    // holds only grows.
    std::size_t nextThatMayFit(std::size_t stage, const StageFigures& figures) const
    {
        while (m_reduced.limitsMemory && stage < m_stages && !m_reduced.fits(stage, figures))
            ++stage;
        return stage;
    }

    void relax(std::size_t k, std::size_t i, const SegmentScanner& scanner)
    {
        const StageFigures& figures = scanner.figures();
        double load = m_reduced.uniform ? m_reduced.load(std::min<std::size_t>(1, m_stages - 1), figures) : 0;
        if (m_reduced.uniform && load > m_limit)
            return;
        const std::size_t first = std::max<std::size_t>(scanner.firstStage(), k == 0 ? 0 : 1);
        const std::size_t last =
            std::min(scanner.lastStage(), i == m_order.size() ? m_stages - 1 : m_stages - 2);
        for (std::size_t stage = first; stage <= last && stage < m_stages; ++stage) {
            const double before = best(k, stage);
            if (before == infinite)
                continue;
            if (!m_reduced.uniform) {
                load = m_reduced.load(stage, figures);
                if (load > m_limit || (m_reduced.limitsMemory && !scanner.fits(stage)))
                    continue;
            }
            improve(i, stage + 1, k,
                    m_combine == Combine::Max ? std::max(before, load) : before + load * load);
        }
    }

    Slicing trace()
    {
        Slicing slicing;
        slicing.stages = GroupStages(m_order.size());
        std::size_t i = m_order.size();
        for (std::size_t j = m_stages; j > 0; --j) {
            const std::size_t k = m_from[i * (m_stages + 1) + j];
            for (std::size_t position = k; position < i; ++position)
                slicing.stages[m_order[position]] = static_cast<std::uint32_t>(j - 1);
            i = k;
        }
        slicing.bottleneckSeconds = bottleneckOf(m_reduced, slicing.stages);
        return slicing;
    }

    const ReducedProblem& m_reduced;
    const GroupOrder& m_order;
    double m_limit;
    Combine m_combine;
    const IsOver& m_isOver;
    std::size_t m_stages;
    std::vector<double> m_best;
    std::vector<std::uint32_t> m_from;
    std::vector<double> m_time;      // of what is before each position
    std::vector<char> m_isCut;       // positions where a stage can end
    std::vector<std::size_t> m_cuts; // these, ascending
};

// What a stage has alive in turns of its nodes is known when it is whole: where it breaks a limit, once more
// with less room for it.
std::optional<Slicing> slice(const ReducedProblem& reduced, const GroupOrder& order, double limit,
                             Combine combine, const IsOver& isOver, std::size_t mostCuts = SIZE_MAX)
{
    constexpr int mostCorrections = 4;
    auto found = OrderSlicer(reduced, order, limit, combine, isOver).run(mostCuts);
    if (!reduced.turns || !found || found->bottleneckSeconds < infinite)
        return found;
    ReducedProblem tighter = reduced;
    tighter.interchangeable = false;
    for (int i = 0; i < mostCorrections && found && found->bottleneckSeconds == infinite; ++i) {
        const Loads loads(reduced, found->stages);
        bool isTighter = false;
        for (std::size_t stage = 0; stage < reduced.stageCount(); ++stage)
            if (const double over = loads.excess(stage); over > 0) {
                tighter.options.memoryLimits[stage] -= Bytes(static_cast<std::int64_t>(over));
                isTighter = true;
            }
        if (!isTighter)
            break;
        found = OrderSlicer(tighter, order, limit, combine, isOver).run(mostCuts);
        if (found)
            found->bottleneckSeconds = bottleneckOf(reduced, found->stages);
    }
    return found;
}

} // namespace

std::optional<Slicing> sliceOrder(const ReducedProblem& reduced, const GroupOrder& order, double limit)
{
    return slice(reduced, order, limit, Combine::Max, reduced.isOver);
}

std::optional<Slicing> sliceEvenly(const ReducedProblem& reduced, const GroupOrder& order, double limit)
{
    return slice(reduced, order, limit, Combine::SumOfSquares, reduced.isOver);
}

std::optional<Slicing> sliceRoughly(const ReducedProblem& reduced, const GroupOrder& order, double limit,
                                    const IsOver& isOver)
{
    return slice(reduced, order, limit, Combine::Max, isOver, mostRoughCuts);
}

std::uint64_t workOfSlicing(const ReducedProblem& reduced)
{
    const std::uint64_t groups = reduced.size();
    return groups * groups / reduced.stageCount() * 20 + groups * reduced.stageCount() * 20;
}

} // namespace stagecraft
