// Progress: how a long piece of work hears that it should stop, and says how far it is.
//
//     for (NodeId node : graph.nodes()) {
//         STAGECRAFT_TRY(progress.step("Tracing", node.index(), graph.nodeCount()));
//         ...
//     }
//
// Cheap enough for once per node. A default-constructed Progress never stops and reports nothing.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

namespace stagecraft {

class Progress
{
public:
    // What the work is doing, and how much of it is done, 0 .. 1; none: nobody knows. Called from the working
    // thread, at most about 25 times a second, and once for each begin().
    using Report = std::function<void(std::string_view activity, std::optional<double> fraction)>;

    Progress() = default;
    explicit Progress(std::stop_token stop, Report report = {});

    bool stopRequested() const { return m_stop.stop_requested(); }

    // The same, for work that is to end by then: it does not stop by itself, but whoever can do with less
    // asks isLate(). The earlier of two ends counts.
    Progress until(std::chrono::steady_clock::time_point end) const;
    bool isLate() const { return m_end && std::chrono::steady_clock::now() >= *m_end; }

    // The same stop, without reports: for a part of the work that cannot say how much of all it is.
    Progress silent() const;

    // Reports `done` of `total`; an Error of code Cancelled if the work should stop.
    Result<void> step(std::string_view activity, std::size_t done, std::size_t total) const;
    // The same of what nobody knows how long it takes.
    Result<void> begin(std::string_view activity) const;

private:
    std::stop_token m_stop;
    Report m_report;
    std::optional<std::chrono::steady_clock::time_point> m_end;
    mutable std::chrono::steady_clock::time_point m_lastReport{};
};

// The error that a cancelled piece of work returns.
Error cancelled();

} // namespace stagecraft
