// Where the commands write: every text passes a filter, so that no name of a model's acts on the terminal
// (core/base/printable.h). Commands print to std::cout and std::cerr or with printFormatted(), never past
// them.
#pragma once

#include "core/base/time_left.h"

#include <iosfwd>
#include <memory>
#include <string_view>

namespace stagecraft::cli {

// While it lives, what is written to std::cout and std::cerr is made harmless.
class HarmlessOutput
{
public:
    HarmlessOutput();
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

// A line on a terminal that is written over: what is done, how far it is, and how long it will still take.
class ProgressLine
{
public:
    // Gone when the fraction is 1.
    void show(std::string_view activity, double fraction);

private:
    TimeLeft m_left;
};

} // namespace stagecraft::cli
