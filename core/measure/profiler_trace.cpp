#include "core/measure/profiler_trace.h"

#include "core/base/quantities.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>

namespace stagecraft {

namespace {

// An operator of the trace that no other encloses, and all that ran inside it.
struct RootOp
{
    std::string name;
    double start = 0; // microseconds
    double end = 0;
    double kernels = 0; // on the GPU, launched from inside
    std::vector<std::int64_t> sequence;
    std::optional<NodeId> node;
    // Backward, what runs a checkpoint region again, which has its results unpacked.
    std::vector<std::pair<double, double>> again; // from when to when, one after the other
    double againKernels = 0;

    bool isBackward() const { return name.starts_with("autograd::engine::evaluate_function"); }
    bool runsAgain(double moment) const { return !again.empty() && moment < again.back().second; }
    // Operators ("aten::mm") have numbers where they may be differentiated, which those of a backward pass
    // are not; its functions ("MmBackward0") have that of the operator they belong to.
    bool isSecondRun(const TraceEvent& event) const
    {
        const bool isOperator =
            event.name.find("::") != std::string::npos && event.name.find("autograd::") == std::string::npos;
        return isBackward() && isOperator && event.sequence >= 0 && !sequence.empty() &&
               event.sequence != sequence.front() && !runsAgain(event.start);
    }
    double time(bool onGpu) const
    {
        double inAgain = 0;
        for (const auto& [from, to] : again)
            inAgain += to - from;
        return onGpu ? kernels - againKernels : end - start - inAgain;
    }
    double secondRun(bool onGpu) const { return (onGpu ? kernels : end - start) - time(onGpu); }
};

// A thread's operators that no other encloses lie one after the other.
class ThreadTable
{
public:
    explicit ThreadTable(const std::vector<RootOp>& roots) : m_roots(roots) {}

    void add(std::int64_t thread, std::size_t root) { m_byStart[thread].emplace(m_roots[root].start, root); }

    // The one during which an event begins.
    std::optional<std::size_t> around(const TraceEvent& event) const
    {
        const auto thread = m_byStart.find(event.thread);
        if (thread == m_byStart.end())
            return std::nullopt;
        const auto after = thread->second.upper_bound(event.start);
        if (after == thread->second.begin() || event.start >= m_roots[std::prev(after)->second].end)
            return std::nullopt;
        return std::prev(after)->second;
    }

private:
    const std::vector<RootOp>& m_roots;
    std::unordered_map<std::int64_t, std::map<double, std::size_t>> m_byStart;
};

struct Launcher
{
    std::size_t root;
    double start; // of the operator in it
};

// A kernel belongs to the operator whose "External id" it carries; where it carries none of them, to the one
// during which the call with its "correlation" was made.
void addKernels(const ProfilerEvents& events, const ThreadTable& threads,
                const std::unordered_map<std::int64_t, Launcher>& byExternal, std::vector<RootOp>& roots)
{
    std::unordered_map<std::int64_t, const TraceEvent*> launches;
    for (const TraceEvent& launch : events.launches)
        if (launch.correlation >= 0)
            launches.emplace(launch.correlation, &launch);
    for (const TraceEvent& kernel : events.kernels) {
        std::optional<std::size_t> root;
        double moment = 0; // of the call
        if (const auto found = byExternal.find(kernel.external); found != byExternal.end()) {
            root = found->second.root;
            moment = found->second.start;
        } else if (const auto call = launches.find(kernel.correlation); call != launches.end()) {
            root = threads.around(*call->second);
            moment = call->second->start;
        }
        if (!root)
            continue;
        RootOp& launching = roots[*root];
        launching.kernels += kernel.end - kernel.start;
        const auto isAt = [&](const auto& span) { return span.first <= moment && moment < span.second; };
        if (std::ranges::any_of(launching.again, isAt))
            launching.againKernels += kernel.end - kernel.start;
    }
}

// In order of their beginning. What runs inside one lends it its sequence numbers and kernels.
std::vector<RootOp> rootsOf(ProfilerEvents& events)
{
    std::ranges::stable_sort(events.operators, [](const TraceEvent& a, const TraceEvent& b) {
        return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
    std::vector<RootOp> roots;
    ThreadTable threads(roots);
    std::unordered_map<std::int64_t, Launcher> byExternal;
    for (const TraceEvent& event : events.operators) {
        const std::optional<std::size_t> around = threads.around(event);
        const std::size_t root = around.value_or(roots.size());
        if (!around) {
            roots.push_back({.name = event.name, .start = event.start, .end = event.end});
            threads.add(event.thread, root);
        }
        if (roots[root].isSecondRun(event))
            roots[root].again.emplace_back(event.start, event.end);
        else if (event.sequence >= 0)
            roots[root].sequence.push_back(event.sequence);
        if (event.external >= 0)
            byExternal.emplace(event.external, Launcher{root, event.start});
    }
    addKernels(events, threads, byExternal, roots);
    return roots;
}

// By record_function(): the innermost annotation that names a node and encloses the operator.
void matchByAnnotation(const ProfilerEvents& events, const Graph& graph, std::vector<RootOp>& roots)
{
    std::unordered_map<std::string, NodeId> ids;
    for (const NodeId id : graph.nodes())
        ids.emplace(graph[id].name, id);
    std::map<double, std::pair<const TraceEvent*, NodeId>> named; // by start
    for (const TraceEvent& event : events.annotations)
        if (const auto found = ids.find(event.name); found != ids.end())
            named.emplace(event.start, std::pair(&event, found->second));
    for (RootOp& root : roots) {
        const auto after = named.upper_bound(root.start);
        if (root.isBackward() || after == named.begin())
            continue;
        if (const auto& [event, node] = std::prev(after)->second; root.end <= event->end)
            root.node = node;
    }
}

// "aten::linear.default" is "aten::linear" in a trace.
std::string traceName(const Node& node)
{
    return node.target.substr(0, node.target.find('.', node.target.find("::")));
}

// The longest common subsequence of two lists, as pairs of positions.
Result<std::vector<std::pair<std::size_t, std::size_t>>> commonOrder(const std::vector<std::size_t>& left,
                                                                     const std::vector<std::size_t>& right,
                                                                     const Progress& progress)
{
    const std::size_t width = right.size() + 1;
    std::vector<bool> skipsLeft(left.size() * width);
    std::vector<std::uint32_t> below(width, 0), row(width, 0);
    for (std::size_t i = left.size(); i-- > 0;) {
        STAGECRAFT_TRY(progress.step("Matching operators", left.size() - i, left.size()));
        row.back() = 0;
        for (std::size_t j = right.size(); j-- > 0;) {
            if (left[i] == right[j]) {
                row[j] = below[j + 1] + 1;
                continue;
            }
            skipsLeft[i * width + j] = below[j] > row[j + 1];
            row[j] = std::max(below[j], row[j + 1]);
        }
        std::swap(row, below);
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
        if (left[i] == right[j])
            pairs.emplace_back(i++, j++);
        else
            ++(skipsLeft[i * width + j] ? i : j);
    }
    return pairs;
}

// By the order of operators, where nothing is annotated.
Result<void> matchByOrder(const Graph& graph, const std::string& name, std::vector<RootOp>& roots,
                          const Progress& progress)
{
    constexpr std::size_t mostCells = 1'000'000'000;
    std::unordered_map<std::string, std::size_t> numbers; // of names
    const auto numberOf = [&](const std::string& operatorName) {
        return numbers.emplace(operatorName, numbers.size()).first->second;
    };
    std::vector<NodeId> nodes;
    std::vector<std::size_t> wanted, found;
    for (const NodeId id : graph.nodes()) {
        nodes.push_back(id);
        wanted.push_back(numberOf(traceName(graph[id])));
    }
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < roots.size(); ++i)
        if (!roots[i].isBackward()) {
            positions.push_back(i);
            found.push_back(numberOf(roots[i].name));
        }
    if (found.size() > mostCells / std::max<std::size_t>(wanted.size(), 1))
        return Error{
            ErrorCode::Unsupported,
            name + ": too long to be matched by the order of operators; trace one step, or put each node "
                   "into a record_function() of its name"};
    STAGECRAFT_ASSIGN(pairs, commonOrder(wanted, found, progress));
    for (const auto& [node, root] : pairs)
        roots[positions[root]].node = nodes[node];
    return {};
}

// Autograd's node number n was made by the last operator that ran under it.
std::unordered_map<std::int64_t, NodeId> nodesBySequence(const std::vector<RootOp>& roots)
{
    std::unordered_map<std::int64_t, NodeId> nodes;
    for (const RootOp& root : roots)
        if (!root.isBackward())
            for (const std::int64_t number : root.sequence) {
                if (root.node)
                    nodes.insert_or_assign(number, *root.node);
                else
                    nodes.erase(number);
            }
    return nodes;
}

std::string percent(double part, double whole)
{
    return std::to_string(whole > 0 ? std::lround(100 * part / whole) : 0) + " %";
}

void addBackward(const std::vector<RootOp>& roots, bool onGpu, const std::string& name, ImportedTimes& times)
{
    const auto nodes = nodesBySequence(roots);
    double all = 0, matched = 0, again = 0;
    for (const RootOp& root : roots) {
        if (!root.isBackward())
            continue;
        const double time = root.time(onGpu);
        again += root.secondRun(onGpu);
        all += time;
        const auto found = root.sequence.empty() ? nodes.end() : nodes.find(root.sequence.front());
        if (found == nodes.end())
            continue;
        matched += time;
        times.nodes[found->second]->backward += Seconds(time * 1e-6);
    }
    if (all > matched)
        times.notes.push_back(
            name + ": " + percent(all - matched, all) +
            " of the backward time belongs to no node (gradients being added up, the loss)");
    if (again > 0)
        times.notes.push_back(name + ": " + formatSeconds(Seconds(again * 1e-6)) +
                              " of its backward pass ran checkpoint regions again, and are left out");
}

} // namespace

Result<ImportedTimes> timesOfTrace(ProfilerEvents events, const std::string& name, const Graph& graph,
                                   const Progress& progress)
{
    keepLastStep(events);
    std::vector<RootOp> roots = rootsOf(events);
    const bool onGpu = std::ranges::any_of(roots, [](const RootOp& root) { return root.kernels > 0; });
    matchByAnnotation(events, graph, roots);
    const auto isMatched = [](const RootOp& root) { return root.node.has_value(); };
    const bool byOrder = std::ranges::none_of(roots, isMatched);
    if (byOrder)
        STAGECRAFT_TRY(matchByOrder(graph, name, roots, progress));

    ImportedTimes times;
    times.nodes = Table<NodeId, std::optional<ImportedTime>>(graph.nodeCount());
    std::size_t found = 0, forward = 0, strangers = 0;
    for (const RootOp& root : roots) {
        forward += root.isBackward() ? 0 : 1;
        strangers += root.isBackward() || root.node ? 0 : 1;
        if (!root.node)
            continue;
        std::optional<ImportedTime>& time = times.nodes[*root.node];
        if (!time) {
            time.emplace();
            ++found;
        }
        time->forward += Seconds((onGpu ? root.kernels : root.end - root.start) * 1e-6);
    }
    if (found == 0)
        return Error{ErrorCode::BadFormat, name + ": none of the model's operators is in this trace"};
    if (byOrder && 2 * found < graph.nodeCount())
        return Error{
            ErrorCode::BadFormat,
            name + ": only " + std::to_string(found) + " of the model's " +
                std::to_string(graph.nodeCount()) +
                " nodes are in this trace, in their order; it seems to be of another model (or put each "
                "node into a record_function() of its name)"};
    times.notes.push_back(name + ": matched by " +
                          (byOrder ? "the order of operators" : "record_function()") + ": " +
                          std::to_string(found) + " of " + std::to_string(graph.nodeCount()) +
                          (found < graph.nodeCount() ? " nodes, the others stay estimated; " : " nodes; ") +
                          std::to_string(strangers) + " of " + std::to_string(forward) +
                          " operators in the trace belong to no node");
    addBackward(roots, onGpu, name, times);
    return times;
}

} // namespace stagecraft
