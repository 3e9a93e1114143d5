// The three places where a trace listens to LibTorch, and the switch for the current thread.
//
//   dispatcher   a boxed fallback on a spare key above autograd: every operator, forward and backward;
//                on one below it, where that is asked for: what is left when autograd has done its part
//   allocator    storage_ledger.h
//   engine       autograd's default engine, with hooks on the tensors it saves
//
// All three are installed once in a process and do nothing on a thread that is not tracing.
#pragma once

#include "core/base/result.h"
#include "core/trace/storage_ledger.h"

#include <memory>
#include <vector>

namespace c10 {
class DispatchKeySet;
class OperatorHandle;
struct IValue;
} // namespace c10
namespace torch::autograd {
struct SavedVariableHooks;
}

namespace stagecraft {

// Who hears what happens on a thread that is traced.
class TraceListener
{
public:
    virtual ~TraceListener() = default;

    // Runs the operator whose arguments are the last ones on `stack`.
    virtual void handle(const c10::OperatorHandle& op, c10::DispatchKeySet keysAfterHook,
                        std::vector<c10::IValue>& stack) = 0;
    // The same when autograd has done its part, while a BelowAutogradScope lives.
    virtual void handleBelowAutograd(const c10::OperatorHandle& op, c10::DispatchKeySet keysAfterHook,
                                     std::vector<c10::IValue>& stack) = 0;
    // What autograd is to do with a tensor that it saves now.
    virtual std::unique_ptr<torch::autograd::SavedVariableHooks> savedHooks() = 0;
    // Where storages are entered.
    virtual const std::shared_ptr<StorageLedger>& ledger() const = 0;
};

// Fails where another library in this process has taken both keys that could be used.
Result<void> installTraceHook();
// What a BelowAutogradScope needs. Fails where the key that it could use is taken.
Result<void> installHookBelowAutograd();

// While this lives, the operators and saved tensors of this thread go to `listener`, and storages to its
// ledger.
class TraceScope
{
public:
    explicit TraceScope(TraceListener& listener);
    ~TraceScope();
    TraceScope(const TraceScope&) = delete;
    TraceScope& operator=(const TraceScope&) = delete;

private:
    struct Guards;
    std::unique_ptr<Guards> m_guards;
};

// While this lives, the operators of this thread go to the listener once more, below autograd.
class BelowAutogradScope
{
public:
    BelowAutogradScope();
    ~BelowAutogradScope();
    BelowAutogradScope(const BelowAutogradScope&) = delete;
    BelowAutogradScope& operator=(const BelowAutogradScope&) = delete;

    // Of an operator that was dispatched before.
    static c10::DispatchKeySet through(c10::DispatchKeySet keys);

private:
    struct Guards;
    std::unique_ptr<Guards> m_guards;
};

// While this lives, operators of this thread pass the hook unseen: those inside an operator that is being
// recorded.
class HookPause
{
public:
    HookPause();
    ~HookPause();
    HookPause(const HookPause&) = delete;
    HookPause& operator=(const HookPause&) = delete;

private:
    struct Guards;
    std::unique_ptr<Guards> m_guards;
};

} // namespace stagecraft
