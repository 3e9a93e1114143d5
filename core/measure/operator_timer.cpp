#include "core/measure/operator_timer.h"

#include <ATen/record_function.h>

#include <optional>

namespace stagecraft {

struct OperatorTimer::State
{
    std::set<std::string, std::less<>> names;
    std::vector<TimedOp> ops;
    Stopwatch::Clock clock;
    std::optional<Stopwatch> byClock, byWall; // of the operator that runs
    int depth = 0;                            // of wanted operators inside each other
    at::CallbackHandle handle = 0;

    Seconds taken() const
    {
        constexpr Seconds longOne(2e-4);
        const Seconds wall = byWall ? byWall->elapsed() : Seconds{};
        return wall > longOne ? byClock->elapsed() : wall;
    }

    static State*& ofThread()
    {
        static thread_local State* state = nullptr;
        return state;
    }

    static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function)
    {
        State& state = *ofThread();
        if (state.names.contains(std::string_view(function.name())) && state.depth++ == 0) {
            state.ops.push_back({function.name(), {}});
            state.byClock.emplace(state.clock);
            state.byWall.emplace(Stopwatch::Clock::Wall);
        }
        return nullptr;
    }

    static void end(const at::RecordFunction& function, at::ObserverContext* /*context*/)
    {
        State& state = *ofThread();
        const Seconds taken = state.taken();
        if (state.depth == 0 || !state.names.contains(std::string_view(function.name())))
            return;
        --state.depth;
        if (state.depth == 0)
            state.ops.back().time = taken;
    }
};

OperatorTimer::OperatorTimer(std::set<std::string, std::less<>> names, Stopwatch::Clock clock)
    : m_state(std::make_unique<State>(State{.names = std::move(names), .clock = clock}))
{
    State::ofThread() = m_state.get();
    m_state->handle = at::addThreadLocalCallback(
        at::RecordFunctionCallback(&State::begin, &State::end).scopes({at::RecordScope::FUNCTION}));
}

OperatorTimer::~OperatorTimer()
{
    at::removeCallback(m_state->handle);
    State::ofThread() = nullptr;
}

const std::vector<TimedOp>& OperatorTimer::ops() const
{
    return m_state->ops;
}

} // namespace stagecraft
