// The three places where a trace listens to LibTorch, and the switch for the current thread.
//
//   dispatcher   a boxed fallback on a spare key above autograd: every operator, forward and backward
//   allocator    storage_ledger.h
//   engine       autograd's default engine, with hooks on the tensors it saves
//
// All three are installed once in a process and do nothing on a thread that is not tracing.
#pragma once

#include "core/base/result.h"

#include <memory>

namespace stagecraft {

class TraceRecorder;

// Fails where another library in this process has taken both keys that could be used.
Result<void> installTraceHook();

// While this lives, the operators of this thread go to `recorder`, and storages to its ledger.
class TraceScope
{
public:
    explicit TraceScope(TraceRecorder& recorder);
    ~TraceScope();
    TraceScope(const TraceScope&) = delete;
    TraceScope& operator=(const TraceScope&) = delete;

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
