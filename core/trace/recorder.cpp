#include "core/trace/recorder.h"

#include "core/run/torch_types.h"
#include "core/run/transform_scope.h"
#include "core/trace/gradient_sums.h"
#include "core/trace/weight_gradients.h"

#include <ATen/SequenceNumber.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/node.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include <algorithm>

namespace stagecraft {

namespace {

// Is this code below autograd: inside an operator's own kernel?
bool isBelowAutograd()
{
    return c10::impl::tls_local_dispatch_key_set().excluded_.has(c10::DispatchKey::AutogradFunctionality);
}

std::int64_t storageBytes(const at::Tensor& tensor)
{
    return static_cast<std::int64_t>(tensor.storage().nbytes());
}

std::vector<at::Tensor> definedTensors(const std::vector<std::optional<at::Tensor>>& list)
{
    std::vector<at::Tensor> tensors;
    for (const std::optional<at::Tensor>& tensor : list)
        if (tensor && tensor->defined())
            tensors.push_back(*tensor);
    return tensors;
}

std::vector<at::Tensor> tensorsIn(const c10::IValue& value)
{
    if (value.isTensor())
        return definedTensors({value.toTensor()});
    if (value.isTensorList())
        return value.toTensorVector();
    if (value.isOptionalTensorList())
        return definedTensors(value.toOptionalTensorVector());
    return {};
}

} // namespace

struct TraceRecorder::Running
{
    const OpInfo& info;
    bool inAutograd;                                  // autograd's own kernel runs around it
    std::size_t entriesBefore;                        // of the ledger
    std::optional<StorageLedger::EntryIndex> written; // storage that it writes to in place
    // Operands that the dispatcher wrote out for its kernel; they live as long as it runs.
    std::vector<at::Tensor> operands;
};

TraceRecorder::TraceRecorder(const Graph& graph, const LoweringTarget& lowering, const Progress& progress)
    : m_graph(graph),
      m_lowering(lowering),
      m_progress(progress),
      m_ledger(std::make_shared<StorageLedger>()),
      m_saved(std::make_shared<SavedLog>(SavedLog{.ledger = m_ledger, .tensors = {}})),
      m_casts(lowering)
{
    m_trace.values = Table<ValueId, TraceValue>(graph.valueCount());
    // Sizes without a hint are those that data decide.
    if (std::ranges::any_of(graph.symbolRanges(), [](const auto& entry) { return !entry.second.hint; }))
        m_known = std::make_unique<KnownValues>();
}

void TraceRecorder::addGiven(ValueId value, const at::Tensor& tensor, StorageClass storageClass)
{
    const StorageId id = storageOf(tensor);
    // Tied parameters share a storage; the first name decides.
    if (!m_trace.storages[id].value)
        m_trace.storages[id].storageClass = storageClass;
    noteValue(value, tensor);
}

StorageId TraceRecorder::addGiven(const at::Tensor& tensor, StorageClass storageClass,
                                  std::optional<ValueId> owner)
{
    const StorageId id = storageOf(tensor);
    m_trace.storages[id].storageClass = storageClass;
    m_trace.storages[id].value = owner;
    return id;
}

void TraceRecorder::enterNode(std::optional<NodeId> node)
{
    m_node = node;
    if (!m_isRecomputing) // autograd's nodes of a second run never run themselves
        m_autogradNumbers.emplace_back(at::sequence_number::peek(), node);
    m_casts.enterNode(m_graph, node);
}

void TraceRecorder::noteValue(ValueId value, const at::Tensor& given)
{
    const at::Tensor tensor = underlyingTensor(given);
    const TraceTensorId id = addTensor(tensor);
    if (!m_isRecomputing)
        m_trace.values[value] = {id, tensor.requires_grad()};
    TraceStorage& storage = m_trace.storages[m_trace[id].storage];
    if (!storage.value)
        storage.value = value;
}

void TraceRecorder::noteInexact(InexactNode inexact)
{
    m_trace.inexact.push_back(std::move(inexact));
}

void TraceRecorder::noteOutput(const at::Tensor& tensor)
{
    const StorageId id = storageOf(tensor);
    if (std::ranges::find(m_trace.outputs, id) == m_trace.outputs.end())
        m_trace.outputs.push_back(id);
}

void TraceRecorder::noteLoss(const at::Tensor& loss)
{
    m_trace.loss = storageOf(loss);
}

void TraceRecorder::beginBackward()
{
    m_phase = Phase::Backward;
    m_node.reset();
    m_casts.stop();
    m_trace.forwardEnd = static_cast<std::uint32_t>(m_ops.size());
    m_trace.liveAfterForward = m_ledger->live();
}

void TraceRecorder::beginOptimizer()
{
    m_phase = Phase::Optimizer;
    m_node.reset();
    m_casts.stop();
}

void TraceRecorder::noteOptimizerState(const at::Tensor& state, std::optional<ValueId> parameter)
{
    TraceStorage& storage = m_trace.storages[storageOf(state)];
    storage.storageClass = StorageClass::OptimizerState;
    storage.value = parameter;
}

void TraceRecorder::noteParameterGradient(ValueId parameter, const at::Tensor& gradient)
{
    TraceStorage& storage = m_trace.storages[storageOf(gradient)];
    storage.storageClass = StorageClass::ParameterGradient;
    storage.value = parameter;
}

void TraceRecorder::endBackward()
{
    m_trace.liveAtEnd = m_ledger->live();
}

Trace TraceRecorder::finish()
{
    m_trace.liveAtEndOutputsDropped = m_ledger->live();
    m_trace.ops = Table<OpId, TraceOp>(std::move(m_ops));
    m_trace.regions = Table<RegionId, TraceRegion>(std::move(m_regions));
    m_trace.saved = m_saved->tensors;
    for (const StorageLedger::Entry& entry : m_ledger->entries())
        if (entry.id)
            m_trace.storages[*entry.id].death = entry.death;
    if (m_phase != Phase::Optimizer)
        markWeightGradients(m_trace, m_graph);
    return std::move(m_trace);
}

const OpInfo& TraceRecorder::infoOf(const c10::OperatorHandle& op)
{
    if (const auto found = m_infos.find(&op.schema()); found != m_infos.end())
        return found->second;
    return m_infos.emplace(&op.schema(), opInfo(op, m_trace.opNames.add(opName(op)))).first->second;
}

void TraceRecorder::handle(const c10::OperatorHandle& op, c10::DispatchKeySet keysAfterHook,
                           std::vector<c10::IValue>& stack)
{
    if (m_running && writesOutOperand(m_running->info, op, stack)) {
        runLeaf(infoOf(op), op, keysAfterHook, stack);
        m_running->operands.push_back(stack.back().toTensor());
        return;
    }
    // What a kernel calls to do its work is part of its operator. Autograd's kernel around it, though, may
    // call operators of its own, such as a copy of what an operator in place will overwrite.
    if (m_running && (isBelowAutograd() || !m_running->inAutograd)) {
        const HookPause pause;
        op.redispatchBoxed(keysAfterHook, &stack);
        return;
    }
    const OpInfo& info = infoOf(op);
    const std::size_t base = stack.size() - op.schema().arguments().size();
    info.check(std::span<const c10::IValue>(stack).subspan(base));
    for (const std::size_t position : info.deviceArguments)
        stack[base + position] = c10::Device(c10::DeviceType::Meta);
    const Temporarily casting = m_casts.castArguments(op, stack, m_region.has_value());
    if (inRegion(info.name, [&] { return inPlaceSum(op, stack) || lowerOperator(m_lowering, op, stack); }))
        return;
    if (!info.isComposite) {
        if (m_keptResults && m_isRecomputing && !m_trace.opNames[info.name].isView)
            takeKept(info, op, keysAfterHook, stack);
        else
            runLeaf(info, op, keysAfterHook, stack);
        if (!m_running && std::exchange(m_endsBehindOp, false))
            throw RecomputationDone();
        return;
    }
    inRegion(info.name, [&] {
        op.redispatchBoxed(keysAfterHook, &stack);
        return true;
    });
}

template <class Body>
bool TraceRecorder::inRegion(OpNameId name, const Body& body)
{
    const std::optional<RegionId> outer = m_region;
    const RegionId id(m_regions.size());
    const auto firstOp = static_cast<std::uint32_t>(m_ops.size());
    m_regions.push_back({name, m_phase, currentNode(), outer, firstOp, firstOp});
    m_region = id;
    // Also when an operator throws.
    const auto close = [&] {
        m_region = outer;
        m_regions[id.index()].endOp = static_cast<std::uint32_t>(m_ops.size());
        if (m_ops.size() == firstOp)
            m_regions.pop_back();
    };
    try {
        const bool done = body();
        close();
        return done;
    } catch (...) {
        close();
        throw;
    }
}

void TraceRecorder::runLeaf(const OpInfo& info, const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                            std::vector<c10::IValue>& stack)
{
    if (m_progress.stopRequested())
        throw TraceStopped();
    TraceOp record = beginOp(info, op, stack);
    const Bytes allocatedBefore = m_ledger->allocated();
    const Bytes inside = allocatedInside(m_lowering, op, stack);
    m_ledger->resetHighest();
    Running self = beginRun(info, op, keys, stack);
    const Temporarily running(m_running, &self);
    std::optional<BelowAutogradScope> below;
    if (m_keptResults) {
        below.emplace();
        keys = BelowAutogradScope::through(keys);
    }
    if (m_known)
        m_known->redispatch(op, keys, stack);
    else
        op.redispatchBoxed(keys, &stack);
    settleResult(m_lowering, op, stack);
    m_ledger->passThrough(inside);
    endOp(record, op, stack, allocatedBefore);
}

// An operator of a region that is run again whose results were kept: autograd does its part alone.
void TraceRecorder::takeKept(const OpInfo& info, const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                             std::vector<c10::IValue>& stack)
{
    Running self = beginRun(info, op, keys, stack);
    const Temporarily running(m_running, &self);
    const BelowAutogradScope below;
    op.redispatchBoxed(BelowAutogradScope::through(keys), &stack);
}

void TraceRecorder::handleBelowAutograd(const c10::OperatorHandle& op, c10::DispatchKeySet keysAfterHook,
                                        std::vector<c10::IValue>& stack)
{
    const bool isKept = m_keptResults && !m_trace.opNames[infoOf(op).name].isView;
    const std::size_t count = op.schema().returns().size();
    if (isKept && m_isRecomputing) {
        stack.resize(stack.size() - op.schema().arguments().size());
        m_keptResults->take(stack, count);
        return;
    }
    op.redispatchBoxed(keysAfterHook, &stack);
    if (isKept)
        m_keptResults->put(stack, count, [this](const at::Tensor& tensor) { return keep(tensor); });
}

TraceRecorder::Running TraceRecorder::beginRun(const OpInfo& info, const c10::OperatorHandle& op,
                                               c10::DispatchKeySet keys,
                                               const std::vector<c10::IValue>& stack) const
{
    const bool inAutograd = info.hasDerivative && keys.has(c10::DispatchKey::AutogradFunctionality);
    Running self{info, inAutograd, m_ledger->entries().size(), {}, {}};
    if (info.isInPlace)
        if (const c10::IValue& first = stack[stack.size() - op.schema().arguments().size()]; first.isTensor())
            self.written = ledgerEntry(*m_ledger, first.toTensor());
    return self;
}

TraceOp TraceRecorder::beginOp(const OpInfo& info, const c10::OperatorHandle& op,
                               const std::vector<c10::IValue>& stack)
{
    const std::size_t count = op.schema().arguments().size();
    std::vector<TraceArgument> arguments;
    arguments.reserve(count);
    for (std::size_t i = stack.size() - count; i < stack.size(); ++i)
        arguments.push_back(snapshot(stack[i]));
    TraceOp record{.name = info.name,
                   .phase = m_phase,
                   .isRecomputed = m_isRecomputing,
                   .node = currentNode(),
                   .region = m_region};
    record.firstArgument = static_cast<std::uint32_t>(m_trace.m_arguments.size());
    record.argumentCount = static_cast<std::uint32_t>(count);
    m_trace.m_arguments.insert(m_trace.m_arguments.end(), arguments.begin(), arguments.end());
    return record;
}

void TraceRecorder::endOp(TraceOp record, const c10::OperatorHandle& op,
                          const std::vector<c10::IValue>& stack, Bytes allocatedBefore)
{
    m_ops.push_back(record);
    const std::size_t count = op.schema().returns().size();
    std::vector<TraceArgument> results;
    results.reserve(count);
    for (std::size_t i = stack.size() - count; i < stack.size(); ++i) {
        for (const at::Tensor& tensor : tensorsIn(stack[i]))
            noteResult(tensor);
        results.push_back(snapshot(stack[i]));
    }
    record.firstResult = static_cast<std::uint32_t>(m_trace.m_arguments.size());
    record.resultCount = static_cast<std::uint32_t>(count);
    m_trace.m_arguments.insert(m_trace.m_arguments.end(), results.begin(), results.end());
    record.live = m_ledger->live();
    record.scratch = m_ledger->highest() - std::max(allocatedBefore, m_ledger->allocated());
    m_ops.back() = record;
    m_ledger->setClock(static_cast<std::uint32_t>(m_ops.size()));
}

std::optional<NodeId> TraceRecorder::currentNode() const
{
    if (m_phase == Phase::Forward || m_isRecomputing)
        return m_node;
    const auto function = torch::autograd::get_current_node();
    if (!function)
        return std::nullopt;
    const std::uint64_t number = function->sequence_nr();
    // Accumulations into .grad have a number of their own, above all others.
    if (number >= at::sequence_number::peek())
        return std::nullopt;
    const auto after = std::ranges::upper_bound(m_autogradNumbers, number, {},
                                                &std::pair<std::uint64_t, std::optional<NodeId>>::first);
    return after == m_autogradNumbers.begin() ? std::nullopt : std::prev(after)->second;
}

TraceArgument TraceRecorder::snapshot(const c10::IValue& value)
{
    using Kind = TraceArgument::Kind;
    if (value.isNone())
        return {};
    if (value.isTensor() || value.isTensorList() || value.isOptionalTensorList())
        return tensors(tensorsIn(value));
    if (value.isInt() || value.isBool())
        return integers({value.isInt() ? value.toInt() : std::int64_t{value.toBool()}});
    if (value.isIntList())
        return integers(value.toIntVector());
    if (value.isBoolList()) {
        const c10::List<bool> list = value.toBoolList();
        return integers({list.begin(), list.end()});
    }
    if (value.isDouble()) {
        m_trace.m_numbers.push_back(value.toDouble());
        return {Kind::Number, static_cast<std::uint32_t>(m_trace.m_numbers.size() - 1), 1};
    }
    return {Kind::Other, 0, 0};
}

TraceArgument TraceRecorder::integers(const std::vector<std::int64_t>& numbers)
{
    const auto first = static_cast<std::uint32_t>(m_trace.m_integers.size());
    m_trace.m_integers.insert(m_trace.m_integers.end(), numbers.begin(), numbers.end());
    return {TraceArgument::Kind::Integers, first, static_cast<std::uint32_t>(numbers.size())};
}

TraceArgument TraceRecorder::tensors(const std::vector<at::Tensor>& tensors)
{
    if (tensors.empty())
        return {};
    const auto first = static_cast<std::uint32_t>(m_trace.m_tensors.size());
    for (const at::Tensor& tensor : tensors)
        addTensor(tensor);
    return {TraceArgument::Kind::Tensors, first, static_cast<std::uint32_t>(tensors.size())};
}

TraceTensorId TraceRecorder::addTensor(const at::Tensor& tensor)
{
    const StorageId storage = storageOf(tensor);
    const auto type = static_cast<std::int8_t>(tensor.scalar_type());
    m_trace.m_tensors.push_back({.storage = storage,
                                 .dtype = dtypeOfNumber(type).value_or(DType::U8),
                                 .dimensions = static_cast<std::uint8_t>(tensor.dim()),
                                 .firstSize = static_cast<std::uint32_t>(m_trace.m_integers.size()),
                                 .offset = tensor.storage_offset()});
    std::vector<std::int64_t>& numbers = m_trace.m_integers;
    numbers.insert(numbers.end(), tensor.sizes().begin(), tensor.sizes().end());
    numbers.insert(numbers.end(), tensor.strides().begin(), tensor.strides().end());
    return TraceTensorId(m_trace.m_tensors.size() - 1);
}

StorageId TraceRecorder::storageOf(const at::Tensor& tensor)
{
    const auto index = ledgerEntry(*m_ledger, tensor);
    if (!index) {
        if (!m_hostStorage)
            m_hostStorage = m_trace.storages.add({.storageClass = StorageClass::Constant});
        return *m_hostStorage;
    }
    StorageLedger::Entry& entry = (*m_ledger)[*index];
    const bool isForward = m_phase == Phase::Forward || m_isRecomputing;
    if (!entry.id)
        entry.id = m_trace.storages.add(
            {.storageClass = isForward ? StorageClass::Activation : StorageClass::Gradient,
             .bytes = Bytes(entry.bytes)});
    return *entry.id;
}

// A storage counts from the moment an operator first returns it.
void TraceRecorder::noteResult(const at::Tensor& tensor)
{
    const auto index = ledgerEntry(*m_ledger, tensor);
    if (!index)
        return;
    TraceStorage& storage = m_trace.storages[storageOf(tensor)];
    noteResize(tensor, *index);
    const bool isBornHere =
        storage.storageClass == StorageClass::Activation || storage.storageClass == StorageClass::Gradient;
    if (!isBornHere || (*m_ledger)[*index].counts)
        return;
    m_ledger->startCounting(*index);
    storage.birth = OpId(m_ops.size() - 1);
    storage.producer = m_ops.back().node;
}

// resize_ does not tell the allocator.
void TraceRecorder::noteResize(const at::Tensor& tensor, StorageLedger::EntryIndex entry)
{
    const std::int64_t before = (*m_ledger)[entry].bytes;
    const std::int64_t after = storageBytes(tensor);
    if (before == after)
        return;
    m_ledger->resize(entry, after);
    TraceStorage& storage = m_trace.storages[*(*m_ledger)[entry].id];
    storage.bytes = std::max(storage.bytes, Bytes(after));
    if ((*m_ledger)[entry].counts)
        m_trace.resizes.push_back(
            {*(*m_ledger)[entry].id, OpId(m_ops.size() - 1), Bytes(before), Bytes(after)});
}

std::unique_ptr<torch::autograd::SavedVariableHooks> TraceRecorder::savedHooks()
{
    std::unique_ptr<torch::autograd::SavedVariableHooks> hooks = m_regionHooks ? m_regionHooks() : nullptr;
    return hooks ? std::move(hooks) : keepingHooks([this](const at::Tensor& tensor) { return keep(tensor); });
}

std::unique_ptr<KeptTensor> TraceRecorder::keep(const at::Tensor& tensor)
{
    // The running operator will be the next record; a function of autograd's saves after its last one.
    const std::size_t op = m_running || m_ops.empty() ? m_ops.size() : m_ops.size() - 1;
    const std::int64_t bytes = tensor.numel() * tensor.element_size();
    m_saved->tensors.push_back({OpId(op), m_node, storageOf(tensor), Bytes(bytes), std::nullopt});
    return std::make_unique<KeptTensor>(tensor, m_saved, m_saved->tensors.size() - 1);
}

void TraceRecorder::endRecomputation(const at::Tensor& last)
{
    // Autograd saves operands before it calls the kernel, and results after it.
    const auto index = ledgerEntry(*m_ledger, last);
    const bool isResult =
        m_running && index && (*index >= m_running->entriesBefore || m_running->written == index);
    if (!isResult)
        throw RecomputationDone();
    m_endsBehindOp = true;
}

} // namespace stagecraft
