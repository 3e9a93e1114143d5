#include "core/stage/kept_bytes.h"

#include "core/base/contains.h"
#include "core/graph/graph_builder.h"
#include "core/load/operator_schema.h"
#include "core/stage/checkpoint_regions.h"
#include "core/stage/model_run.h"
#include "core/trace/trace_model.h"

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <string>

namespace stagecraft {

namespace {

TraceOptions onCpu()
{
    TraceOptions options;
    options.lowering = {.kind = LoweringKind::Device, .deviceType = LoweringTarget::DeviceType::Cpu};
    options.lossOutput = "all"; // what is kept is kept whichever the loss is
    return options;
}

// What no stage runs itself goes with what it looks at.
Table<NodeId, std::uint32_t> partsOf(const Graph& graph, const std::vector<StageProgram>& programs)
{
    Table<NodeId, std::uint32_t> parts(graph.nodeCount(), 0);
    Table<NodeId, char> isKnown(graph.nodeCount(), 0);
    for (const StageProgram& program : programs)
        for (const NodeId node : program.nodes) {
            parts[node] = static_cast<std::uint32_t>(program.stage.index());
            isKnown[node] = 1;
        }
    for (const NodeId node : graph.nodes())
        if (!isKnown[node])
            for (const NodeId before : graph.predecessors(node))
                parts[node] = std::max(parts[node], parts[before]);
    return parts;
}

// The regions of the manifest in a stage that was read from its `.pt2`. Those that the file has are its
// regions, in order: what they return has other names within. Others are found by what their nodes make, for
// the file does not name its nodes as the model does.
class RegionsInFile
{
public:
    RegionsInFile(const Graph& stage, const ManifestStage& written, const Graph& whole)
        : m_stage(stage), m_written(written), m_whole(whole)
    {
        for (const NodeId node : stage.nodes())
            m_nodes.push_back(node);
        m_own = stageRegions(stage, m_nodes, m_schemas);
    }

    // The stage's contexts with the regions: those that the file has stay, with others inside, where nothing
    // is kept. Fails where the stage does not have one.
    Result<Table<NodeId, Context>> contexts();

private:
    std::span<const NodeId> find(const ManifestStage::Region& region);
    std::optional<NodeId> nodeThatMakes(const std::string& name) const;
    std::optional<NodeId> within(std::span<const NodeId> nodes, const std::string& name) const;
    // What the model's node of this name makes first; the name itself where that is nothing.
    std::string madeBy(const std::string& name) const
    {
        const std::optional<NodeId> node = m_whole.findNode(name);
        return node && !m_whole[*node].results.empty() ? m_whole[m_whole[*node].results.front()].name : name;
    }

    const Graph& m_stage;
    const ManifestStage& m_written;
    const Graph& m_whole;
    OperatorSchemas m_schemas;
    std::vector<NodeId> m_nodes;
    std::vector<StageRegion> m_own;
    std::size_t m_nextOwn = 0;
};

std::optional<NodeId> RegionsInFile::nodeThatMakes(const std::string& name) const
{
    const std::optional<ValueId> made = m_stage.findValue(madeBy(name));
    return made ? m_stage[*made].producer : m_stage.findNode(name);
}

// "add_4", or "add_4_1" where the region returns it.
std::optional<NodeId> RegionsInFile::within(std::span<const NodeId> nodes, const std::string& name) const
{
    const std::string wanted = madeBy(name);
    std::optional<NodeId> renamed;
    for (const NodeId node : nodes) {
        for (const ValueId result : m_stage[node].results) {
            const std::string& made = m_stage[result].name;
            if (made == wanted)
                return node;
            if (made.starts_with(wanted + "_") &&
                made.find_first_not_of("0123456789", wanted.size() + 1) == std::string::npos)
                renamed = node;
        }
    }
    return renamed;
}

std::span<const NodeId> RegionsInFile::find(const ManifestStage::Region& region)
{
    if (region.isInProgram)
        return m_nextOwn < m_own.size() ? m_own[m_nextOwn++].nodes : std::span<const NodeId>();
    const std::optional<NodeId> first = nodeThatMakes(region.first);
    const std::optional<NodeId> last = nodeThatMakes(region.last);
    if (!first || !last || *last < *first)
        return {};
    return std::span(m_nodes).subspan(first->index(), last->index() - first->index() + 1);
}

Result<Table<NodeId, Context>> RegionsInFile::contexts()
{
    constexpr int firstOwn = 1 << 20; // of regions that the file has
    Table<NodeId, Context> contexts(m_stage.nodeCount());
    for (const NodeId node : m_nodes) {
        contexts[node] = m_stage.context(m_stage[node].context);
        for (int& number : contexts[node].recomputeRegions)
            number += firstOwn;
    }
    for (std::size_t i = 0; i < m_written.regions.size(); ++i) {
        const ManifestStage::Region& region = m_written.regions[i];
        const std::span<const NodeId> nodes = find(region);
        if (nodes.empty() || nodes.size() != region.nodes)
            return Error{ErrorCode::BadFormat, m_written.files.program + ": has no region '" + region.first +
                                                   "' to '" + region.last +
                                                   "', which manifest.json names; export again"};
        if (region.isInProgram && region.kept.empty())
            continue;
        for (const NodeId node : nodes)
            contexts[node].recomputeRegions = {static_cast<int>(i)};
        for (const std::string& name : region.kept)
            if (const std::optional<NodeId> kept = within(nodes, name))
                contexts[*kept].keepsResults = true;
    }
    return contexts;
}

// Is what the node makes of the model, and not a copy for the stage's own use? Those are in no context. Names
// alone do not say: what an inner graph of the file makes has another than its result, and the copy of an
// input that is written to has the input's.
bool isOfModel(const Graph& stage, NodeId node, const ManifestStage& written, const Graph& whole)
{
    return stage.context(stage[node].context) != Context{} ||
           std::ranges::any_of(stage[node].results, [&](ValueId result) {
               const std::string& name = stage[result].name;
               return whole.findValue(name) && !contains(written.inputs, name, &ManifestStage::Input::value);
           });
}

// What comes from the stage before and was made under autocast, though files have it in the type without.
std::optional<std::string> castBefore(const ManifestStage& written, const Graph& whole)
{
    for (const ManifestStage::Input& input : written.inputs) {
        const std::optional<ValueId> value = whole.findValue(input.value);
        if (input.fromModel || !value || !whole[*value].producer)
            continue;
        const Context& context = whole.context(whole[*whole[*value].producer].context);
        const std::optional<TensorMeta>& meta = whole[*value].meta;
        if (context.autocast && context.autocast->enabled && meta && meta->dtype == DType::F32)
            return input.value;
    }
    return std::nullopt;
}

// What gradients flow back through to the stage before. One that comes with strides of its own has another
// name in the file: the copy that has them goes by the name of the manifest.
std::vector<ValueId> receivedWithGradient(const Model& stage, const ManifestStage& written)
{
    const std::vector<ValueId> inputs = userInputs(stage);
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < std::min(inputs.size(), written.inputs.size()); ++i)
        if (written.inputs[i].hasGradient)
            values.push_back(inputs[i]);
    return values;
}

// Does a gradient flow to a weight of its own? A trace goes back from what such weights reach alone.
bool isTrained(const Graph& stage)
{
    return std::ranges::any_of(stage.inputs(), [&](ValueId input) {
        const Value& value = stage[input];
        return value.kind == ValueKind::Parameter && value.meta && value.meta->requiresGrad;
    });
}

// Is it held when so many operators have run, and neither a weight nor an input? What was let go before
// another one ran is not: a region that ends the stage and has nothing to run again goes with its inputs.
bool isHeldAt(const Trace& trace, const SavedTensor& saved, std::uint32_t end)
{
    const TraceStorage& storage = trace.storages[saved.storage];
    if (!saved.node || !storage.producer || isGiven(storage) || saved.op.index() >= end)
        return false;
    if (!saved.release || *saved.release != end)
        return !saved.release || *saved.release > end;
    // What a region is called with, if it saves nothing, is let go as the region is left, before another
    // operator runs. It is kept before the first of its readers runs.
    return trace.ops[saved.op].node == saved.node;
}

// How many operators have run when the forward pass of each stage has ended.
std::vector<std::uint32_t> endsOfForward(const Trace& trace, const Table<NodeId, std::uint32_t>& parts,
                                         std::size_t stageCount)
{
    std::vector<std::uint32_t> ends(stageCount, 0);
    for (std::uint32_t op = 0; op < trace.forwardEnd; ++op)
        if (const std::optional<NodeId> node = trace.ops[OpId(op)].node)
            ends[parts[*node]] = op + 1;
    return ends;
}

// None of a stage where some of it is a guess.
Result<std::vector<std::optional<Bytes>>>
tracedBytes(const Model& model, const std::vector<StageProgram>& programs, const Progress& progress)
{
    const auto parts = std::make_shared<const Table<NodeId, std::uint32_t>>(partsOf(model.graph, programs));
    TraceOptions options = onCpu();
    options.parts = parts;
    STAGECRAFT_ASSIGN(trace, traceModel(model, options, progress));
    const std::vector<std::uint32_t> ends = endsOfForward(trace, *parts, programs.size());
    std::vector<std::optional<Bytes>> bytes(programs.size(), Bytes());
    for (const InexactNode& inexact : trace.inexact)
        bytes[(*parts)[inexact.node]].reset();
    std::set<StorageId> counted;
    for (const SavedTensor& saved : trace.saved) {
        if (!saved.node)
            continue;
        const std::uint32_t part = (*parts)[*saved.node];
        const TraceStorage& storage = trace.storages[saved.storage];
        // What another stage made is an input there.
        if (isHeldAt(trace, saved, ends[part]) && (*parts)[*storage.producer] == part && bytes[part] &&
            counted.insert(saved.storage).second)
            *bytes[part] += storage.bytes;
    }
    return bytes;
}

} // namespace

Result<std::vector<std::optional<Bytes>>>
keptBytes(const Model& model, const std::vector<StageProgram>& programs, const Progress& progress)
{
    OperatorSchemas schemas;
    std::vector<std::vector<StageRegion>> regions;
    bool isAny = false;
    for (const StageProgram& program : programs) {
        regions.push_back(stageRegions(model.graph, program.nodes, schemas));
        isAny = isAny || !regions.back().empty();
    }
    std::vector<std::optional<Bytes>> bytes(programs.size());
    if (!isAny)
        return bytes;
    STAGECRAFT_TRY(progress.begin("Tracing what is kept"));
    const Result<std::vector<std::optional<Bytes>>> traced = tracedBytes(model, programs, progress);
    if (!traced.has_value() && traced.error().code == ErrorCode::Cancelled)
        return traced.error();
    const auto isSaid = [](const StageRegion& region) { return !region.isNested || region.isInPrograms; };
    // For which oneDNN takes memory of its own, where a trace goes step by step.
    const auto isRecurrent = [&](NodeId node) { return model.graph[node].target.starts_with("aten::lstm."); };
    for (std::size_t i = 0; i < programs.size() && traced.has_value(); ++i)
        if (!regions[i].empty() && std::ranges::all_of(regions[i], isSaid) &&
            std::ranges::none_of(programs[i].nodes, isRecurrent))
            bytes[i] = (*traced)[i];
    return bytes;
}

Result<Bytes> keptBytes(Model stage, const ManifestStage& written, const Model& whole,
                        const Progress& progress)
{
    STAGECRAFT_ASSIGN(contexts, RegionsInFile(stage.graph, written, whole.graph).contexts());
    if (const std::optional<std::string> cast = castBefore(written, whole.graph))
        return Error{ErrorCode::Unsupported,
                     "'" + *cast + "' was made under autocast, in a type that the file does not have"};
    if (!isTrained(stage.graph))
        return Error{ErrorCode::Unsupported, "none of its weights is trained"};
    stage.graph = GraphBuilder::inContexts(std::move(stage.graph), contexts);
    TraceOptions options = onCpu();
    options.gradientsOf = receivedWithGradient(stage, written);
    STAGECRAFT_ASSIGN(trace, traceModel(stage, options, progress));
    const Table<NodeId, std::uint32_t> one(stage.graph.nodeCount(), 0);
    const std::uint32_t end = endsOfForward(trace, one, 1).front();
    Bytes bytes;
    std::set<StorageId> counted;
    for (const SavedTensor& saved : trace.saved) {
        const TraceStorage& storage = trace.storages[saved.storage];
        if (isHeldAt(trace, saved, end) && isOfModel(stage.graph, *storage.producer, written, whole.graph) &&
            counted.insert(saved.storage).second)
            bytes += storage.bytes;
    }
    return bytes;
}

} // namespace stagecraft
