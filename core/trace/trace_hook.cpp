#include "core/trace/trace_hook.h"

#include "core/run/transform_scope.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>
#include <torch/library.h>

#include <array>
#include <mutex>
#include <optional>
#include <span>

namespace stagecraft {

namespace {

using c10::DispatchKey;

// Keys above autograd, and below it, for which LibTorch itself registers nothing.
constexpr std::array spareKeys{DispatchKey::DeferredInit, DispatchKey::TESTING_ONLY_GenericMode};
constexpr std::array spareKeysBelow{DispatchKey::Fake};

thread_local TraceListener* threadListener = nullptr;

void hook(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);
void hookBelow(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

// A fallback's registration, for the life of the process.
class HookRegistration
{
public:
    static const HookRegistration& above()
    {
        static const HookRegistration registration(
            spareKeys, [] { return torch::CppFunction::makeFromBoxedFunction<&hook>(); });
        return registration;
    }
    static const HookRegistration& below()
    {
        static const HookRegistration registration(
            spareKeysBelow, [] { return torch::CppFunction::makeFromBoxedFunction<&hookBelow>(); });
        return registration;
    }

    std::optional<DispatchKey> key() const { return m_key; }

private:
    HookRegistration(std::span<const DispatchKey> keys, torch::CppFunction (*fallback)())
    {
        for (const DispatchKey key : keys) {
            try {
                auto library =
                    std::make_unique<torch::Library>(torch::Library::IMPL, "_", key, __FILE__, __LINE__);
                library->fallback(fallback());
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
    const DispatchKey key = *HookRegistration::above().key();
    const auto rest = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, key);
    // What a transform makes of the operator comes here again.
    if (threadListener && !isInsideTransform())
        threadListener->handle(op, rest, *stack);
    else
        op.redispatchBoxed(rest, stack);
}

void hookBelow(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack)
{
    const DispatchKey key = *HookRegistration::below().key();
    const auto rest = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, key);
    const c10::impl::ExcludeDispatchKeyGuard inside(key); // a kernel's own calls are its own affair
    if (threadListener)
        threadListener->handleBelowAutograd(op, rest, *stack);
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
    if (!HookRegistration::above().key())
        return Error{
            ErrorCode::Unsupported,
            "LibTorch's spare dispatch keys (DeferredInit, TESTING_ONLY_GenericMode) are taken by another "
            "library in this process; models cannot be traced"};
    return {};
}

Result<void> installHookBelowAutograd()
{
    if (HookRegistration::below().key())
        return {};
    return Error{ErrorCode::Unsupported,
                 "LibTorch's spare dispatch key (Fake) is taken by another library in this process; models "
                 "that keep results in checkpoint regions cannot be traced"};
}

struct TraceScope::Guards
{
    explicit Guards(TraceListener& listener)
        : ledger(listener.ledger()), include(*HookRegistration::above().key())
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

struct BelowAutogradScope::Guards
{
    c10::impl::IncludeDispatchKeyGuard include{*HookRegistration::below().key()};
};

BelowAutogradScope::BelowAutogradScope() : m_guards(std::make_unique<Guards>()) {}
BelowAutogradScope::~BelowAutogradScope() = default;

c10::DispatchKeySet BelowAutogradScope::through(c10::DispatchKeySet keys)
{
    return keys.add(*HookRegistration::below().key());
}

struct HookPause::Guards
{
    c10::impl::ExcludeDispatchKeyGuard exclude{*HookRegistration::above().key()};
};

HookPause::HookPause() : m_guards(std::make_unique<Guards>()) {}
HookPause::~HookPause() = default;

} // namespace stagecraft
