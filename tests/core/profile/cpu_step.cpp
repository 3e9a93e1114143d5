#include "core/profile/cpu_step.h"

#include "core/run/interpreter.h"
#include "core/run/model_values.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <map>
#include <memory>
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
    std::int64_t highest() const { return m_highest; } // since resetHighest()
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

// Live bytes at the beginning and the end of every operator that a trace lists, and what it took inside. What
// it calls in turn is its own affair.
class OperatorWatch
{
public:
    explicit OperatorWatch(const std::set<std::string>& operators) : m_operators(operators)
    {
        s_current = this;
        m_handle =
            at::addThreadLocalCallback(at::RecordFunctionCallback(&OperatorWatch::begin, &OperatorWatch::end)
                                           .scopes({at::RecordScope::FUNCTION}));
    }
    ~OperatorWatch()
    {
        at::removeCallback(m_handle);
        s_current = nullptr;
    }
    OperatorWatch(const OperatorWatch&) = delete;
    OperatorWatch& operator=(const OperatorWatch&) = delete;

    std::int64_t highest() const { return m_highest; }
    const std::map<std::string, std::int64_t>& scratch() const { return m_scratch; }

private:
    struct Call : at::ObserverContext
    {
        std::int64_t before = 0;
    };

    static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function)
    {
        OperatorWatch& self = *s_current;
        if (self.m_inside || !self.m_operators.contains(function.name()))
            return nullptr;
        self.m_inside = true;
        CountingAllocator& allocator = CountingAllocator::instance();
        auto call = std::make_unique<Call>();
        call->before = allocator.live();
        self.m_highest = std::max(self.m_highest, call->before);
        allocator.resetHighest();
        return call;
    }

    static void end(const at::RecordFunction& function, at::ObserverContext* context)
    {
        if (!context)
            return;
        OperatorWatch& self = *s_current;
        self.m_inside = false;
        CountingAllocator& allocator = CountingAllocator::instance();
        const std::int64_t after = allocator.live();
        self.m_highest = std::max(self.m_highest, after);
        const std::int64_t inside =
            allocator.highest() - std::max(static_cast<Call*>(context)->before, after);
        if (inside > 0) {
            std::int64_t& most = self.m_scratch[function.name()];
            most = std::max(most, inside);
        }
    }

    inline static thread_local OperatorWatch* s_current = nullptr;

    const std::set<std::string>& m_operators;
    at::CallbackHandle m_handle = 0;
    bool m_inside = false;
    std::int64_t m_highest = 0;
    std::map<std::string, std::int64_t> m_scratch;
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

Result<CpuStep> runCpuStep(const Model& model, LossKind loss, const std::set<std::string>& operators)
{
    at::set_num_threads(1);
    CountingAllocator& allocator = installCountingAllocator();
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(model.graph, {}));
    STAGECRAFT_ASSIGN(values, modelValues(model, {}));
    const std::int64_t start = allocator.live();
    const auto since = [start](std::int64_t bytes) { return Bytes(bytes - start); };
    CpuStep step;
    try {
        const OperatorWatch watch(operators);
        STAGECRAFT_TRY(interpreter.run(values));
        std::vector<at::Tensor> outputs = takeOutputs(model.graph, values);
        at::Tensor total = sumOf(outputs, loss);
        step.liveAfterForward = since(allocator.live());
        total.backward();
        step.liveAtEnd = since(allocator.live());
        step.peak = since(watch.highest());
        for (const auto& [name, bytes] : watch.scratch())
            step.scratch.emplace(name, Bytes(bytes));
        outputs.clear();
        total.reset();
        step.liveAtEndOutputsDropped = since(allocator.live());
    } catch (const std::exception& problem) {
        return Error{ErrorCode::Failed, problem.what()};
    }
    return step;
}

} // namespace stagecraft::test
