#include "core/stage/repeated_blocks.h"

#include "core/stage/block_runs.h"

#include <algorithm>
#include <unordered_set>

namespace stagecraft {

namespace {

// The lines around a method's body: its head, what it says of itself, what it returns, an empty one.
constexpr std::size_t linesAround = 4;

struct Kind
{
    std::vector<std::size_t> runs; // in order
    std::optional<std::size_t> block;
};

class BlockFinder
{
public:
    BlockFinder(const Graph& graph, const NodeKinds& kinds, std::span<const NodeId> nodes,
                const std::function<ValueId(ValueId)>& resolve, std::span<const ValueId> kept)
        : m_places(graph, kinds, nodes, resolve, kept), m_graph(graph), m_runs(blockRuns(m_places))
    {
        for (std::size_t i = 1; i < m_runs.size(); ++i)
            if (m_runs[i].kind) {
                m_kinds.resize(std::max(m_kinds.size(), *m_runs[i].kind + 1));
                m_kinds[*m_runs[i].kind].runs.push_back(i);
            }
        for (Kind& kind : m_kinds)
            std::ranges::sort(kind.runs, {}, [this](std::size_t run) { return m_runs[run].begin; });
    }

    RepeatedBlocks find() &&
    {
        for (Kind& kind : m_kinds)
            if (isWorthwhile(kind))
                kind.block = m_chosen++;
        // Inner ones, which are shorter, first.
        for (Kind& kind : m_kinds)
            if (kind.block)
                kind.block = m_chosen - 1 - *kind.block;
        m_found.blocks.resize(m_chosen);
        for (const Kind& kind : m_kinds)
            if (kind.block)
                m_found.blocks[*kind.block] = blockOf(kind);
        for (const Kind& kind : m_kinds)
            if (kind.block)
                addItems(kind.runs.front(), m_found.blocks[*kind.block].items);
        addItems(0, m_found.items);
        return std::move(m_found);
    }

private:
    bool isWritten(std::size_t run) const;
    bool isWorthwhile(const Kind& kind) const;
    RepeatedBlock blockOf(const Kind& kind) const;
    std::vector<ValueId> inputsOf(const BlockRun& run) const;
    BlockInput inputOf(const RepeatedBlock& block, std::size_t i) const;
    std::string pathInModule(ValueId value, ModuleId module) const;
    std::vector<BlockResult> returnedBy(const BlockRun& run) const;
    std::optional<Context> modesOf(const BlockRun& run) const;
    void addItems(std::size_t run, std::vector<BodyItem>& items) const;
    std::size_t callAt(std::size_t block, std::size_t begin) const;

    const BlockPlaces m_places;
    const Graph& m_graph;
    const std::vector<BlockRun> m_runs;
    std::vector<Kind> m_kinds;
    std::size_t m_chosen = 0;
    RepeatedBlocks m_found;
};

// Is it in the text, as a call or as what is called? A block's text is that of its first run.
bool BlockFinder::isWritten(std::size_t run) const
{
    for (std::optional<std::size_t> outer = m_runs[run].parent; outer; outer = m_runs[*outer].parent) {
        const std::optional<std::size_t> kind = m_runs[*outer].kind;
        if (kind && m_kinds[*kind].block && m_kinds[*kind].runs.front() != *outer)
            return false;
    }
    return true;
}

bool BlockFinder::isWorthwhile(const Kind& kind) const
{
    const auto written = static_cast<std::size_t>(
        std::ranges::count_if(kind.runs, [this](std::size_t run) { return isWritten(run); }));
    return written > 1 && (written - 1) * m_runs[kind.runs.front()].length() > linesAround + written;
}

std::vector<ValueId> BlockFinder::inputsOf(const BlockRun& run) const
{
    std::vector<ValueId> inputs;
    std::unordered_set<ValueId> known;
    for (std::size_t i = run.begin; i < run.end; ++i)
        for (const ValueId input : m_places.node(i).inputs) {
            const ValueId value = m_places.resolve(input);
            const std::uint32_t made = m_places.producer[value];
            const bool isInside = made != BlockPlaces::none && made >= run.begin && made < run.end;
            if (!isInside && known.insert(value).second)
                inputs.push_back(value);
        }
    return inputs;
}

// Empty where it is no tensor of the module's.
std::string BlockFinder::pathInModule(ValueId value, ModuleId module) const
{
    const std::string& path = m_graph.modules()[module].path;
    const Value& known = m_graph[value];
    if (!known.isStored() || known.target.size() <= path.size() + 1 || !known.target.starts_with(path))
        return {};
    if (path.empty())
        return known.target;
    return known.target[path.size()] == '.' ? known.target.substr(path.size() + 1) : std::string();
}

BlockInput BlockFinder::inputOf(const RepeatedBlock& block, std::size_t i) const
{
    const BlockCall& first = block.calls.front();
    const std::string path = pathInModule(first.inputs[i], first.module);
    const auto isAtPath = [&](const BlockCall& call) {
        return pathInModule(call.inputs[i], call.module) == path;
    };
    if (!path.empty() && std::ranges::all_of(block.calls, isAtPath))
        return {.kind = BlockInput::Kind::OfModule, .path = path};
    const bool isSame = std::ranges::all_of(
        block.calls, [&](const BlockCall& call) { return call.inputs[i] == first.inputs[i]; });
    if (isSame && m_graph[first.inputs[i]].isStored())
        return {.kind = BlockInput::Kind::Shared};
    return {.kind = BlockInput::Kind::Given, .isSame = isSame};
}

std::vector<BlockResult> BlockFinder::returnedBy(const BlockRun& run) const
{
    std::vector<BlockResult> returned;
    for (std::size_t i = run.begin; i < run.end; ++i) {
        const std::vector<ValueId>& results = m_places.node(i).results;
        for (std::size_t number = 0; number < results.size(); ++number)
            if (m_places.isReadFrom(results[number], run.end))
                returned.push_back({i - run.begin, number});
    }
    return returned;
}

std::optional<Context> BlockFinder::modesOf(const BlockRun& run) const
{
    Context modes = m_graph.context(m_places.node(run.begin).context);
    for (std::size_t i = run.begin; i < run.end; ++i) {
        const Context& other = m_graph.context(m_places.node(i).context);
        if (other.gradEnabled != modes.gradEnabled || other.autocast != modes.autocast)
            return {};
    }
    modes.recomputeRegions.clear();
    return modes;
}

std::size_t BlockFinder::callAt(std::size_t block, std::size_t begin) const
{
    const std::vector<BlockCall>& calls = m_found.blocks[block].calls;
    return static_cast<std::size_t>(std::ranges::lower_bound(calls, begin, {}, &BlockCall::begin) -
                                    calls.begin());
}

void BlockFinder::addItems(std::size_t run, std::vector<BodyItem>& items) const
{
    std::size_t next = m_runs[run].begin;
    const auto addNodes = [&](std::size_t end) {
        for (; next < end; ++next)
            items.push_back({.begin = next, .end = next + 1, .block = {}});
    };
    for (const std::size_t child : m_runs[run].children) {
        const BlockRun& inner = m_runs[child];
        addNodes(inner.begin);
        if (inner.kind && m_kinds[*inner.kind].block) {
            const std::size_t block = *m_kinds[*inner.kind].block;
            items.push_back({inner.begin, inner.end, block, callAt(block, inner.begin)});
        } else {
            addItems(child, items);
        }
        next = inner.end;
    }
    addNodes(m_runs[run].end);
}

RepeatedBlock BlockFinder::blockOf(const Kind& kind) const
{
    const BlockRun& first = m_runs[kind.runs.front()];
    RepeatedBlock block{.length = first.length(), .returned = returnedBy(first), .modes = modesOf(first)};
    for (const std::size_t run : kind.runs)
        block.calls.push_back({m_runs[run].begin, m_runs[run].module, inputsOf(m_runs[run])});
    for (std::size_t i = 0; i < block.calls.front().inputs.size(); ++i)
        block.inputs.push_back(inputOf(block, i));
    return block;
}

} // namespace

bool RepeatedBlock::takesModule() const
{
    return std::ranges::any_of(
        inputs, [](const BlockInput& input) { return input.kind == BlockInput::Kind::OfModule; });
}

std::vector<ValueId> returnedBy(const Graph& graph, std::span<const NodeId> nodes, const RepeatedBlock& block,
                                const BlockCall& call)
{
    std::vector<ValueId> values;
    for (const BlockResult& result : block.returned)
        values.push_back(graph[nodes[call.begin + result.node]].results[result.number]);
    return values;
}

std::vector<BodyItem> unrepeated(std::size_t nodeCount)
{
    std::vector<BodyItem> items;
    for (std::size_t i = 0; i < nodeCount; ++i)
        items.push_back({.begin = i, .end = i + 1, .block = {}});
    return items;
}

RepeatedBlocks findRepeatedBlocks(const Graph& graph, const NodeKinds& kinds, std::span<const NodeId> nodes,
                                  const std::function<ValueId(ValueId)>& resolve,
                                  std::span<const ValueId> kept)
{
    return BlockFinder(graph, kinds, nodes, resolve, kept).find();
}

} // namespace stagecraft
