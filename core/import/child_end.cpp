#include "core/import/child_end.h"

#include <array>
#include <csignal>
#include <cstring>
#include <string_view>

namespace stagecraft {

namespace {

constexpr int firstSignal = 128;
constexpr std::string_view faultBegin = "Fatal Python error: ";

std::string lastWords(std::string_view text)
{
    const std::size_t end = text.find_last_not_of(" \n");
    if (end == text.npos)
        return "it wrote nothing";
    const std::size_t before = text.rfind('\n', end);
    const std::size_t begin = before == text.npos ? 0 : before + 1;
    return "its last line: " + std::string(text.substr(begin, end + 1 - begin));
}

bool isOfLibrary(std::string_view frame)
{
    constexpr std::array<std::string_view, 5> folders{"/site-packages/", "/dist-packages/", "/lib/python",
                                                      "File \"<", "/model_import/"};
    for (const std::string_view folder : folders)
        if (frame.find(folder) != frame.npos)
            return true;
    return frame.find("export_model.py\"") != frame.npos;
}

// "model.py, line 7" of `  File "model.py", line 7 in forward`.
std::string placeOf(std::string_view frame)
{
    const std::size_t name = frame.find('"') + 1;
    const std::size_t end = frame.find('"', name);
    const std::size_t within = frame.find(" in ", end);
    return std::string(frame.substr(name, end - name)) + std::string(frame.substr(end + 1, within - end - 1));
}

// Of what faulthandler wrote, the innermost call first; empty: nothing.
std::string placeOfFault(std::string_view fault)
{
    std::string_view innermost;
    const std::size_t calls = fault.find("\nCurrent thread "); // behind the others
    for (std::size_t at = calls + 1; calls != fault.npos;) {
        at = fault.find('\n', at);
        if (at == fault.npos || !fault.substr(++at).starts_with("  File \""))
            break;
        const std::string_view frame = fault.substr(at, fault.find('\n', at) - at);
        if (!isOfLibrary(frame))
            return placeOf(frame);
        if (innermost.empty())
            innermost = frame;
    }
    return innermost.empty() ? "" : placeOf(innermost);
}

std::string howItEnded(int status)
{
    if (status <= firstSignal)
        return "ended with status " + std::to_string(status);
    const int number = status - firstSignal;
    return "was ended by signal " + std::to_string(number) + " (" + strsignal(number) + ")";
}

std::string adviceOn(int status, const std::string& place)
{
    if (status == firstSignal + SIGKILL)
        return "mostly the memory is full: free some, or add --meta, which makes the graph without the "
               "weights";
    if (!place.empty())
        return "the library that it calls there ended Python: try that call by itself, or another version "
               "of the library";
    return "run the model by itself in this Python; --verbose shows what it wrote";
}

} // namespace

std::string endText(const ChildResult& child)
{
    const std::string_view errors = child.errors;
    const std::size_t fault = child.status > firstSignal ? errors.rfind(faultBegin) : errors.npos;
    const std::string place = fault == errors.npos ? "" : placeOfFault(errors.substr(fault));
    return howItEnded(child.status) + " and gave no answer; " + (place.empty() ? "" : "in " + place + "; ") +
           lastWords(errors.substr(0, fault)) + "; " + adviceOn(child.status, place);
}

} // namespace stagecraft
