#include "core/profile/cost/fused_kernels.h"

#include "core/profile/cost/kernel_work.h"
#include "core/profile/device/operator_class.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace stagecraft {

namespace {

constexpr std::size_t mostInAKernel = 64; // torch/_inductor/config.py, max_fusion_size

bool isMade(OperatorClass operatorClass)
{
    return !isContraction(operatorClass) && operatorClass != OperatorClass::Lookup;
}

class Fusion
{
public:
    Fusion(const Trace& trace, const DeviceSpec& device)
        : m_trace(trace), m_device(device), m_ops(trace.ops.size()), m_kernels(trace.ops.size(), OpId(0))
    {
        for (const OpId id : trace.ops.ids())
            m_kernels[id] = id;
    }

    Table<OpId, FusedOp> find()
    {
        for (const OpId id : m_trace.ops.ids())
            place(id);
        findReaders();
        Table<OpId, FusedOp> fused(m_trace.ops.size());
        for (const OpId id : m_trace.ops.ids())
            if (m_ops[id].made)
                fused[id] = {.fused = true, .kernel = kernelOf(id), .traffic = trafficOf(id), .alone = {}};
        shareTimes(fused);
        return fused;
    }

private:
    struct Op
    {
        bool made = false;       // by Inductor, not called
        std::uint32_t level = 0; // kernels on the longest way to it
        std::int64_t elements = 0;
        std::vector<OpId> makers; // of what it reads, in the same pass
    };

    // The kernel that it is in, by its first operator.
    OpId kernelOf(OpId op) const
    {
        while (m_kernels[op] != op)
            op = m_kernels[op];
        return op;
    }

    template <class Visit>
    void forEachTensor(std::span<const TraceArgument> arguments, const Visit& visit) const
    {
        for (const TraceArgument& argument : arguments)
            for (const TraceTensor& tensor : m_trace.tensors(argument))
                visit(tensor);
    }

    void place(OpId id)
    {
        const TraceOp& op = m_trace.ops[id];
        if (operatorTraffic(m_trace, op).total() == Bytes(0))
            return; // a view, or nothing
        Op& own = m_ops[id];
        own.made = isMade(operatorClassOf(m_trace.opNames[op.name].name));
        const auto grow = [&](const TraceTensor& tensor) {
            own.elements =
                std::max(own.elements, m_trace.tensorBytes(tensor).count() / itemSize(tensor.dtype));
        };
        forEachTensor(m_trace.arguments(op), grow);
        forEachTensor(m_trace.results(op), grow);
        forEachTensor(m_trace.arguments(op), [&](const TraceTensor& tensor) {
            const auto maker = m_makers.find(tensor.storage);
            if (maker != m_makers.end() && m_trace.ops[maker->second].phase == op.phase)
                own.makers.push_back(maker->second);
        });
        for (const OpId maker : own.makers)
            own.level = std::max(own.level, m_ops[maker].level + (goesWith(id, maker) ? 0U : 1U));
        for (const OpId maker : own.makers)
            if (goesWith(id, maker) && m_ops[maker].level == own.level)
                join(id, maker);
        forEachTensor(m_trace.results(op),
                      [&](const TraceTensor& tensor) { m_makers.insert_or_assign(tensor.storage, id); });
    }

    bool goesWith(OpId id, OpId maker) const
    {
        const Op &own = m_ops[id], &other = m_ops[maker];
        const auto size = m_sizes.find(kernelOf(maker));
        return own.made && other.made && own.elements == other.elements && !isNormOverBatch(id) &&
               (size == m_sizes.end() || size->second < mostInAKernel);
    }

    // Its statistics are sums over what comes in, in a kernel before.
    bool isNormOverBatch(OpId id) const
    {
        return m_trace.opNames[m_trace.ops[id].name].name.find("batch_norm") != std::string::npos;
    }

    void join(OpId id, OpId maker)
    {
        const OpId one = kernelOf(id), other = kernelOf(maker);
        if (one == other)
            return;
        const auto sizeOf = [&](OpId kernel) { return m_sizes.contains(kernel) ? m_sizes[kernel] : 1; };
        const std::size_t together = sizeOf(one) + sizeOf(other);
        const auto [first, later] = std::minmax(one, other);
        m_kernels[later] = first;
        m_sizes[first] = together;
    }

    // What must be written: read by another kernel or pass, kept for backward, or there at the end.
    void findReaders()
    {
        for (const SavedTensor& saved : m_trace.saved)
            m_needed.insert(saved.storage);
        for (const StorageId id : m_trace.storages.ids())
            if (!m_trace.storages[id].death)
                m_needed.insert(id);
        m_needed.insert(m_trace.outputs.begin(), m_trace.outputs.end());
        for (const OpId id : m_trace.ops.ids())
            forEachTensor(m_trace.arguments(m_trace.ops[id]),
                          [&](const TraceTensor& tensor) { m_readers[tensor.storage].insert(kernelOf(id)); });
    }

    bool staysInside(StorageId storage, OpId kernel) const
    {
        if (m_needed.contains(storage))
            return false;
        const auto readers = m_readers.find(storage);
        if (readers == m_readers.end())
            return true;
        return std::ranges::all_of(readers->second,
                                   [&](OpId reader) { return kernelOf(reader) == kernel || isView(reader); });
    }

    bool isView(OpId id) const { return operatorTraffic(m_trace, m_trace.ops[id]).total() == Bytes(0); }

    OpTraffic trafficOf(OpId id)
    {
        const TraceOp& op = m_trace.ops[id];
        const OpId kernel = kernelOf(id);
        OpTraffic traffic = operatorTraffic(m_trace, op);
        forEachTensor(m_trace.arguments(op), [&](const TraceTensor& tensor) {
            const auto made = std::ranges::any_of(m_ops[id].makers, [&](OpId maker) {
                return kernelOf(maker) == kernel && makes(maker, tensor);
            });
            const Bytes touched = touchedBytes(m_trace, tensor);
            const bool isFirst = m_loaded.insert({kernel, tensor.storage, tensor.offset, touched}).second;
            if (made || !isFirst)
                traffic.read -= touched;
        });
        forEachTensor(m_trace.results(op), [&](const TraceTensor& tensor) {
            if (staysInside(tensor.storage, kernel))
                traffic.written -= touchedBytes(m_trace, tensor);
        });
        traffic.read = std::max(Bytes{}, traffic.read);
        traffic.written = std::max(Bytes{}, traffic.written);
        if (m_trace.opNames[op.name].name.find("norm") != std::string::npos)
            traffic.read += movedAgain(m_trace, op, m_device);
        return traffic;
    }

    // All of it, and not another part of its storage?
    bool makes(OpId maker, const TraceTensor& read) const
    {
        bool found = false;
        forEachTensor(m_trace.results(m_trace.ops[maker]), [&](const TraceTensor& tensor) {
            found = found || (tensor.storage == read.storage && tensor.offset <= read.offset &&
                              touchedBytes(m_trace, tensor) >= touchedBytes(m_trace, read));
        });
        return found;
    }

    void shareTimes(Table<OpId, FusedOp>& fused) const
    {
        std::map<OpId, KernelWork> works;
        for (const OpId id : fused.ids()) {
            if (!fused[id].fused)
                continue;
            KernelWork& work = works[fused[id].kernel];
            work.operatorClass = std::max(work.operatorClass, classIn(id));
            work.bytes += fused[id].traffic.total().asDouble();
            work.elements += static_cast<double>(m_ops[id].elements);
        }
        for (const OpId id : fused.ids()) {
            const auto work = works.find(fused[id].kernel);
            if (!fused[id].fused || work == works.end() || work->second.bytes <= 0)
                continue;
            const Seconds all = kernelTime(work->second, m_device) + m_device.launchOverhead;
            fused[id].alone = all * (fused[id].traffic.total().asDouble() / work->second.bytes);
        }
    }

    // Of what is fused, copies are pointwise.
    OperatorClass classIn(OpId id) const
    {
        const OperatorClass found = operatorClassOf(m_trace.opNames[m_trace.ops[id].name].name);
        return found == OperatorClass::Copy ? OperatorClass::Elementwise : found;
    }

    const Trace& m_trace;
    const DeviceSpec& m_device;
    Table<OpId, Op> m_ops;
    Table<OpId, OpId> m_kernels;         // an earlier operator of the same kernel, or itself
    std::map<OpId, std::size_t> m_sizes; // of kernels with several operators, by the first
    std::map<StorageId, OpId> m_makers;  // that wrote it last
    std::map<StorageId, std::set<OpId>> m_readers;
    std::set<StorageId> m_needed;
    // By a kernel: how much of a storage, from where.
    std::set<std::tuple<OpId, StorageId, std::int64_t, Bytes>> m_loaded;
};

} // namespace

Table<OpId, FusedOp> fusedKernels(const Trace& trace, const DeviceSpec& device)
{
    return Fusion(trace, device).find();
}

DeviceSpec compiledOn(DeviceSpec device)
{
    device.dispatchOverhead = device.backwardDispatch = device.host.gradient = {};
    device.host.view = device.host.backwardView = {};
    device.kernels.fillsRows = true;
    device.accuracy.clear();
    return device;
}

} // namespace stagecraft
