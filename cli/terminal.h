// Where the commands write: every text passes a filter, so that no name of a model's acts on the terminal
// (core/base/printable.h). Commands print to std::cout and std::cerr or with printFormatted(), never past
// them.
#pragma once

#include "core/base/time_left.h"

#include <iosfwd>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

namespace stagecraft::cli {

// A line on a terminal that is written over: what is done, how far it is, and how long it will still take.
// Threads may share it.
class ProgressLine
{
public:
    ProgressLine() = default;
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // Gone when the fraction is 1; none: nobody knows how far it is.
    void show(std::string_view activity, std::optional<double> fraction);
    void clear();

private:
    std::mutex m_mutex;
    TimeLeft m_left;
    bool m_isShown = false;
};

// While it lives, what is written to std::cout and std::cerr is made harmless, and begins a line of its own
// where `line` stands.
class HarmlessOutput
{
public:
    explicit HarmlessOutput(ProgressLine& line);
    ~HarmlessOutput();
    HarmlessOutput(const HarmlessOutput&) = delete;
    HarmlessOutput& operator=(const HarmlessOutput&) = delete;

private:
    class Filter;
    std::unique_ptr<Filter> m_out;
    std::unique_ptr<Filter> m_err;
};

// printf to std::cout.
[[gnu::format(printf, 1, 2)]] void printFormatted(const char* format, ...);

} // namespace stagecraft::cli
