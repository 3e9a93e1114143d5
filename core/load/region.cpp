#include "core/load/region.h"

#include "core/base/contains.h"

#include <array>

namespace stagecraft {

namespace {

constexpr std::string_view gradRegion = "higher_order::wrap_with_set_grad_enabled";
constexpr std::string_view autocastRegion = "higher_order::wrap_with_autocast";
constexpr std::array recomputeRegions{std::string_view("higher_order::tag_activation_checkpoint"),
                                      std::string_view("higher_order::wrap_activation_checkpoint")};
constexpr std::string_view hintedRegion = "higher_order::hints_wrapper";
constexpr std::array plainRegions{std::string_view("higher_order::strict_mode"), hintedRegion};

Error unknownRegion(const std::string& target)
{
    return {ErrorCode::Unsupported, "the arguments of " + target + " are not those that are known"};
}

} // namespace

bool isRegion(const std::string& target)
{
    return target == gradRegion || target == autocastRegion || contains(recomputeRegions, target) ||
           contains(plainRegions, target);
}

bool hasHints(const std::string& target)
{
    return target == hintedRegion;
}

Result<Context> modeInRegion(const std::string& target, const std::vector<Argument>& arguments, Context mode,
                             int& regionCount)
{
    if (target == gradRegion) {
        if (arguments.size() != 1 || !std::holds_alternative<bool>(arguments[0]))
            return unknownRegion(target);
        mode.gradEnabled = std::get<bool>(arguments[0]);
    } else if (target == autocastRegion) {
        if (arguments.size() != 4 || !std::holds_alternative<std::string>(arguments[0]) ||
            !std::holds_alternative<bool>(arguments[2]))
            return unknownRegion(target);
        Autocast autocast{std::get<std::string>(arguments[0]), std::nullopt, std::get<bool>(arguments[2])};
        if (const auto* dtype = std::get_if<DType>(&arguments[1]))
            autocast.dtype = *dtype;
        if (const auto* cache = std::get_if<bool>(&arguments[3]))
            autocast.cacheEnabled = *cache;
        mode.autocast = autocast;
    } else if (contains(recomputeRegions, target) && mode.gradEnabled.value_or(true)) {
        mode.recomputeRegions.push_back(regionCount++);
    } // else the graph is only called, as torch.utils.checkpoint does without gradients
    return mode;
}

} // namespace stagecraft
