#include "core/run/missing_derivative.h"

#include <utility>

namespace stagecraft {

std::optional<std::string> missingDerivative(const std::string& error)
{
    const std::pair<std::string, std::string> frames[] = {
        {"derivative for ", " is not implemented"},
        {"Trying to backward through ", " but no autograd formula"}};
    for (const auto& [before, after] : frames) {
        const std::size_t begin = error.find(before);
        const std::size_t end = error.find(after, begin == std::string::npos ? 0 : begin);
        if (begin == std::string::npos || end == std::string::npos)
            continue;
        std::string name = error.substr(begin + before.size(), end - begin - before.size());
        std::erase(name, '\'');
        return name + " has no derivative in PyTorch";
    }
    return std::nullopt;
}

} // namespace stagecraft
