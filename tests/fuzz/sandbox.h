// Sandbox: runs many small pieces of work in a child process, so that one that dies or never ends is a named
// failure and the others still run.
//
// The child is a fork, so it begins with all that the parent has loaded; the parent must have no threads of
// its own. A piece that takes more than its share of processor time is ended like one that dies.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace stagecraft::testing {

struct SandboxFailure
{
    std::size_t piece;
    std::string reason; // "signal 8 (Floating point exception)", "took more than 20 s"
};

// Runs work(0) .. work(count - 1). What they return or print is dropped.
std::vector<SandboxFailure> runInSandbox(std::size_t count, const std::function<void(std::size_t)>& work);

} // namespace stagecraft::testing
