#include "core/trace/trace_hook.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>
#include <torch/library.h>

#include <array>
#include <mutex>
#include <optional>

namespace stagecraft {

namespace {

using c10::DispatchKey;

// Keys above autograd for which LibTorch itself registers nothing.
constexpr std::array spareKeys{DispatchKey::DeferredInit, DispatchKey::TESTING_ONLY_GenericMode};

thread_local TraceListener* threadListener = nullptr;

void hook(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

// The fallback's registration, for the life of the process.
class HookRegistration
{
public:
    static const HookRegistration& instance()
    {
        static const HookRegistration registration;
        return registration;
    }

    std::optional<DispatchKey> key() const { return m_key; }

private:
    HookRegistration()
    {
        for (const DispatchKey key : spareKeys) {
            try {
                auto library =
                    std::make_unique<torch::Library>(torch::Library::IMPL, "_", key, __FILE__, __LINE__);
                library->fallback(torch::CppFunction::makeFromBoxedFunction<&hook>());
                m_library = std::move(library);
                m_key = key;
                return;
            } catch (const c10::Error&) {
                continue; // somebody else has it
            }
        }
    }

    std::unique_ptr<torch::Library> m_library;
    std::optional<DispatchKey> m_key;
};

void hook(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack)
{
    const DispatchKey key = *HookRegistration::instance().key();
    const auto rest = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, key);
    if (threadListener)
        threadListener->handle(op, rest, *stack);
    else
        op.redispatchBoxed(rest, stack);
}

class TracingEngine final : public torch::autograd::Engine
{
public:
    TracingEngine() = default;
    ~TracingEngine() override { stop(); }
    TracingEngine(const TracingEngine&) = delete;
    TracingEngine& operator=(const TracingEngine&) = delete;

    static torch::autograd::Engine& instance()
    {
        static TracingEngine engine;
        return engine;
    }

    std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override
    {
        return threadListener ? threadListener->savedHooks() : nullptr;
    }
};

} // namespace

Result<void> installTraceHook()
{
    static std::once_flag once;
    std::call_once(once, [] {
        installMetaAllocator();
        torch::autograd::set_default_engine_stub(&TracingEngine::instance);
    });
    if (!HookRegistration::instance().key())
        return Error{
            ErrorCode::Unsupported,
            "LibTorch's spare dispatch keys (DeferredInit, TESTING_ONLY_GenericMode) are taken by another "
            "library in this process; models cannot be traced"};
    return {};
}

struct TraceScope::Guards
{
    explicit Guards(TraceListener& listener)
        : ledger(listener.ledger()), include(*HookRegistration::instance().key())
    {
        threadListener = &listener;
    }
    ~Guards() { threadListener = previous; }

    TraceListener* previous = threadListener;
    LedgerScope ledger;
    c10::impl::IncludeDispatchKeyGuard include;
};

TraceScope::TraceScope(TraceListener& listener) : m_guards(std::make_unique<Guards>(listener)) {}
TraceScope::~TraceScope() = default;

struct HookPause::Guards
{
    c10::impl::ExcludeDispatchKeyGuard exclude{*HookRegistration::instance().key()};
};

HookPause::HookPause() : m_guards(std::make_unique<Guards>()) {}
HookPause::~HookPause() = default;

} // namespace stagecraft
