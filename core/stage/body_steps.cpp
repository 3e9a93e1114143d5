#include "core/stage/body_steps.h"

#include "core/base/contains.h"
#include "core/stage/checkpoint_regions.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <string>
#include <unordered_map>

namespace stagecraft {

namespace {

constexpr std::size_t fewestRounds = 3; // of a loop

const Context noModes{};

std::vector<std::string_view> partsOf(std::string_view path)
{
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        parts.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::optional<std::int64_t> numberOf(std::string_view text)
{
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isPlain = read.ec == std::errc() && read.ptr == text.data() + text.size() &&
                         std::to_string(number) == text && number >= 0 && text.size() < 10;
    return isPlain ? std::optional(number) : std::nullopt;
}

class StepMaker
{
public:
    StepMaker(const BodyNodes& body, std::size_t depth) : m_body(body), m_depth(depth) {}

    std::vector<BodyStep> make(std::span<const BodyItem> items, std::span<const ValueId> kept) &&
    {
        m_steps.reserve(items.size());
        for (const BodyItem& item : items)
            m_steps.push_back(stepOf(item));
        if (std::ranges::count_if(m_steps, [](const BodyStep& step) { return step.block != nullptr; }) >=
            static_cast<std::ptrdiff_t>(fewestRounds)) {
            countReaders(kept);
            joinRounds();
        }
        return std::move(m_steps);
    }

private:
    BodyStep stepOf(const BodyItem& item) const;
    void countReaders(std::span<const ValueId> kept);
    void joinRounds();
    bool takesRound(BodyStep& loop, const BodyStep& next) const;
    bool areInOrder(const BodyStep& loop) const;

    const BodyNodes& m_body;
    const std::size_t m_depth;
    std::vector<BodyStep> m_steps;
    std::unordered_map<ValueId, int> m_readers; // of what calls return: how many steps, or one too many
};

BodyStep StepMaker::stepOf(const BodyItem& item) const
{
    BodyStep step{.begin = item.begin, .end = item.end, .call = item.call};
    if (!item.block) {
        step.modes = &m_body.graph.context(m_body.node(item.begin).context);
        step.regions = step.modes->recomputeRegions;
        return step;
    }
    step.block = &(*m_body.blocks)[*item.block];
    step.modes = step.block->modes ? &*step.block->modes : &noModes;
    step.regions = regionsAround(m_body.graph, m_body.nodes, item.begin, item.end);
    step.returned = returnedBy(m_body.graph, m_body.nodes, *step.block, step.round(0));
    const auto isInRegionToo = [&](std::size_t place) {
        const std::vector<int>& regions = m_body.graph.context(m_body.node(place).context).recomputeRegions;
        return std::ranges::mismatch(step.regions, regions).in1 == step.regions.end();
    };
    step.isCheckpointed = step.regions.size() > m_depth &&
                          (item.begin == 0 || !isInRegionToo(item.begin - 1)) &&
                          (item.end == m_body.nodes.size() || !isInRegionToo(item.end));
    if (step.isCheckpointed)
        step.regions = step.regions.first(step.regions.size() - 1);
    return step;
}

void StepMaker::countReaders(std::span<const ValueId> kept)
{
    for (const BodyStep& step : m_steps)
        for (const ValueId value : step.returned)
            m_readers.emplace(value, 0);
    const auto count = [&](ValueId value, int more) {
        if (const auto found = m_readers.find(value); found != m_readers.end())
            found->second += more;
    };
    for (const BodyStep& step : m_steps)
        m_body.forEachInput(step, [&](ValueId value) { count(value, 1); });
    for (const ValueId value : kept)
        count(m_body.resolve(value), 2);
}

void StepMaker::joinRounds()
{
    std::vector<BodyStep> joined;
    for (std::size_t i = 0; i < m_steps.size();) {
        BodyStep step = m_steps[i++];
        if (step.block) {
            BodyStep loop = step;
            std::size_t next = i;
            while (next < m_steps.size() && takesRound(loop, m_steps[next]))
                ++next;
            if (loop.rounds >= fewestRounds) {
                step = std::move(loop);
                i = next;
            }
        }
        joined.push_back(std::move(step));
    }
    m_steps = std::move(joined);
}

// Is the round behind those of the loop for the next module, by number, or for the same as all before?
bool StepMaker::areInOrder(const BodyStep& loop) const
{
    const auto pathOf = [&](std::size_t round) -> std::string_view {
        return m_body.graph.modules()[loop.round(round).module].path;
    };
    const auto last = countsUp(pathOf(loop.rounds - 1), pathOf(loop.rounds));
    const auto first = countsUp(pathOf(0), pathOf(1));
    if (!loop.block->takesModule() || !first || !last)
        return !loop.block->takesModule() ||
               (!first && !last && pathOf(0) == pathOf(1) && pathOf(loop.rounds - 1) == pathOf(loop.rounds));
    return first->before == last->before && first->after == last->after;
}

// Makes `next` a round of the loop, if it can be one.
bool StepMaker::takesRound(BodyStep& loop, const BodyStep& next) const
{
    if (next.block != loop.block || next.call != loop.call + loop.rounds || next.begin != loop.end ||
        next.isCheckpointed != loop.isCheckpointed || !std::ranges::equal(next.regions, loop.regions) ||
        !areInOrder(loop))
        return false;
    const BlockCall& before = loop.round(loop.rounds - 1);
    const BlockCall& after = loop.round(loop.rounds);
    std::vector<std::optional<std::size_t>> carried(loop.block->inputs.size());
    std::size_t carriedCount = 0;
    for (std::size_t i = 0; i < carried.size(); ++i) {
        if (loop.block->inputs[i].kind != BlockInput::Kind::Given)
            continue;
        const auto result = std::ranges::find(loop.returned, after.inputs[i]);
        if (result != loop.returned.end()) {
            carried[i] = static_cast<std::size_t>(result - loop.returned.begin());
            carriedCount += m_readers.at(*result) == 1 ? 1 : 0;
        } else if (after.inputs[i] != before.inputs[i]) {
            return false;
        }
    }
    if (carriedCount != loop.returned.size() || (loop.rounds > 1 && carried != loop.carried))
        return false;
    loop.carried = std::move(carried);
    loop.returned = next.returned;
    loop.end = next.end;
    ++loop.rounds;
    return true;
}

} // namespace

std::optional<NumberedPath> countsUp(std::string_view first, std::string_view second)
{
    const std::vector<std::string_view> a = partsOf(first);
    const std::vector<std::string_view> b = partsOf(second);
    if (a.size() != b.size())
        return {};
    const auto [there, here] = std::ranges::mismatch(a, b);
    if (there == a.end() || !std::equal(there + 1, a.end(), here + 1))
        return {};
    const std::optional<std::int64_t> number = numberOf(*there);
    if (!number || numberOf(*here) != *number + 1)
        return {};
    const auto begin = static_cast<std::size_t>(there->data() - first.data());
    return NumberedPath{first.substr(0, begin), *number, first.substr(begin + there->size())};
}

std::vector<BodyStep> bodySteps(const BodyNodes& body, std::span<const BodyItem> items, std::size_t depth,
                                std::span<const ValueId> kept)
{
    return StepMaker(body, depth).make(items, kept);
}

BodyUses bodyUses(const BodyNodes& body, std::span<const BodyStep> steps, std::span<const ValueId> given,
                  std::span<const ValueId> kept)
{
    constexpr std::uint32_t notRead = std::numeric_limits<std::uint32_t>::max();
    const std::size_t valueCount = body.graph.valueCount();
    BodyUses uses{Table<ValueId, char>(valueCount, 0), std::vector<std::vector<ValueId>>(steps.size())};
    Table<ValueId, std::uint32_t> lastUse(valueCount, notRead);
    for (std::uint32_t i = 0; i < steps.size(); ++i)
        body.forEachInput(steps[i], [&](ValueId value) {
            lastUse[value] = i;
            uses.isRead[value] = 1;
        });
    for (const ValueId value : kept) {
        lastUse[body.resolve(value)] = notRead;
        uses.isRead[body.resolve(value)] = 1;
    }
    for (const ValueId value : given)
        if (lastUse[value] != notRead)
            uses.deletedAfter[lastUse[value]].push_back(value);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::span<const ValueId> results = body.resultsOf(steps[i]);
        const bool isAnyRead = std::ranges::any_of(results, [&](ValueId id) { return uses.isRead[id] != 0; });
        for (const ValueId result : results) {
            if (lastUse[result] != notRead)
                uses.deletedAfter[lastUse[result]].push_back(result);
            else if (!uses.isRead[result] && isAnyRead)
                uses.deletedAfter[i].push_back(result);
        }
    }
    return uses;
}

FunctionUses takeApart(const BodyNodes& body, std::span<const BodyStep> all, std::span<const BodyStep> steps,
                       BodyUses& uses, const std::function<bool(ValueId)>& isVariable)
{
    FunctionUses found;
    std::set<ValueId> made;
    std::set<ValueId> gone;
    for (const BodyStep& step : steps) {
        body.forEachInput(step, [&](ValueId value) {
            if (isVariable(value) && !made.contains(value) && !contains(found.taken, value))
                found.taken.push_back(value);
        });
        const std::span<const ValueId> results = body.resultsOf(step);
        made.insert(results.begin(), results.end());
        std::vector<ValueId>& after = uses.deletedAfter[static_cast<std::size_t>(&step - all.data())];
        for (const ValueId value : after)
            (made.contains(value) ? (void)gone.insert(value) : found.deleted.push_back(value));
        std::erase_if(after, [&](ValueId value) { return !made.contains(value); });
    }
    for (const ValueId value : made)
        if (uses.isRead[value] && !gone.contains(value))
            found.returned.push_back(value);
    return found;
}

} // namespace stagecraft
