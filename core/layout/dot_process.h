// DotProcess: Graphviz's `dot` as a child that is kept open: one graph in, its drawing out.
//
// A child can be killed when it takes too long or is no longer wanted, a crash in it is not ours, and its
// licence stays out of this program. Any text on its error stream is a failure of the graph it was given:
// dot is known to report success together with a garbled drawing.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace stagecraft {

class DotProcess
{
public:
    // `program` is looked up in PATH when the first graph is drawn.
    explicit DotProcess(std::string program = "dot");
    ~DotProcess();
    DotProcess(const DotProcess&) = delete;
    DotProcess& operator=(const DotProcess&) = delete;

    // The drawing in dot's `plain` format. Fails with NotFound where the program cannot be started, Cancelled
    // where `progress` asks to stop, Failed where it took longer than `limit`, ended, or complained. After a
    // failure the next call starts a new child. `text` is one graph.
    Result<std::string> draw(std::string_view text, const Progress& progress = {},
                             std::chrono::milliseconds limit = std::chrono::seconds(2));

private:
    class Child;

    std::string m_program;
    std::unique_ptr<Child> m_child;
};

} // namespace stagecraft
