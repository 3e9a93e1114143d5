#include "core/profile/cpu_step.h"

#include "core/run/interpreter.h"
#include "core/run/model_values.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace stagecraft::test {

namespace {

// Asks LibTorch's own allocator, and keeps the size of every block beside it: a block's context must be its
// address, for LibTorch takes blocks apart.
class CountingAllocator final : public c10::Allocator
{
public:
    static CountingAllocator& instance()
    {
        static CountingAllocator allocator;
        return allocator;
    }

    c10::DataPtr allocate(std::size_t size) override
    {
        void* const block = size == 0 ? nullptr : m_own.raw_allocate(size);
        if (block)
            note(block, size);
        return {block, block, &release, c10::Device(c10::kCPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, std::size_t count) const override
    {
        default_copy_data(to, from, count);
    }

    std::int64_t live() const { return m_live; }
    std::int64_t highest() const { return m_highest; }
    void resetHighest() { m_highest = m_live; }

private:
    CountingAllocator() : m_own(*c10::GetDefaultCPUAllocator()) {}

    static bool counts(std::size_t size) { return size != 8; }

    void note(void* block, std::size_t size)
    {
        const std::scoped_lock lock(m_mutex);
        m_sizes[block] = size;
        if (counts(size))
            m_live += static_cast<std::int64_t>(size);
        m_highest = std::max(m_highest, m_live);
    }

    // Blocks from before this allocator was in place are not in the table.
    static void release(void* block)
    {
        CountingAllocator& self = instance();
        {
            const std::scoped_lock lock(self.m_mutex);
            if (const auto found = self.m_sizes.find(block); found != self.m_sizes.end()) {
                if (counts(found->second))
                    self.m_live -= static_cast<std::int64_t>(found->second);
                self.m_sizes.erase(found);
            }
        }
        if (block)
            self.m_own.raw_deallocate(block);
    }

    c10::Allocator& m_own;
    std::mutex m_mutex;
    std::unordered_map<void*, std::size_t> m_sizes;
    std::int64_t m_live = 0;
    std::int64_t m_highest = 0;
};

CountingAllocator& installCountingAllocator()
{
    CountingAllocator& allocator = CountingAllocator::instance();
    c10::SetCPUAllocator(&allocator, /*priority=*/200);
    return allocator;
}

at::Tensor sumOf(const std::vector<at::Tensor>& outputs, LossKind loss)
{
    at::Tensor total;
    for (const at::Tensor& output : outputs) {
        if (!output.is_floating_point() || !output.requires_grad())
            continue;
        const at::Tensor sum = loss == LossKind::SquareSum ? output.square().sum() : output.sum();
        total = total.defined() ? total + sum : sum;
    }
    return total;
}

// The outputs, moved out of the table.
std::vector<at::Tensor> takeOutputs(const Graph& graph, ValueTable& values)
{
    std::vector<at::Tensor> outputs;
    for (const Argument& output : graph.outputs())
        if (const auto* id = std::get_if<ValueId>(&output)) {
            outputs.push_back(values.tensor(*id));
            if (graph[*id].producer)
                values.release(*id);
        }
    return outputs;
}

} // namespace

Result<CpuStep> runCpuStep(const Model& model, LossKind loss)
{
    at::set_num_threads(1);
    CountingAllocator& allocator = installCountingAllocator();
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(model.graph, {}));
    STAGECRAFT_ASSIGN(values, modelValues(model, {}));
    const std::int64_t start = allocator.live();
    const auto since = [start](std::int64_t bytes) { return Bytes(bytes - start); };
    CpuStep step;
    try {
        allocator.resetHighest();
        STAGECRAFT_TRY(interpreter.run(values));
        std::vector<at::Tensor> outputs = takeOutputs(model.graph, values);
        at::Tensor total = sumOf(outputs, loss);
        step.liveAfterForward = since(allocator.live());
        step.peakForward = since(allocator.highest());
        allocator.resetHighest();
        total.backward();
        step.liveAtEnd = since(allocator.live());
        step.peakBackward = since(allocator.highest());
        outputs.clear();
        total.reset();
        step.liveAtEndOutputsDropped = since(allocator.live());
    } catch (const std::exception& problem) {
        return Error{ErrorCode::Failed, problem.what()};
    }
    return step;
}

} // namespace stagecraft::test
