#include "core/measure/matched_operators.h"

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

constexpr std::string_view either = ", in place or not";

// Of what does the same, the one that PyTorch picks by device, type and version: the one that was traced need
// not be the one that ran.
struct Alternatives
{
    std::string_view key;
    std::array<std::string_view, 4> names;
};

constexpr std::array alternatives{
    Alternatives{"any batch norm",
                 {"aten::native_batch_norm", "aten::cudnn_batch_norm", "aten::miopen_batch_norm",
                  "aten::_batch_norm_with_update"}},
    Alternatives{"any batch norm, backward",
                 {"aten::native_batch_norm_backward", "aten::cudnn_batch_norm_backward",
                  "aten::miopen_batch_norm_backward", "aten::batch_norm_backward"}},
    Alternatives{"any fused attention",
                 {"aten::_scaled_dot_product_flash_attention",
                  "aten::_scaled_dot_product_efficient_attention",
                  "aten::_scaled_dot_product_cudnn_attention",
                  "aten::_scaled_dot_product_fused_attention_overrideable"}},
    Alternatives{"any fused attention, backward",
                 {"aten::_scaled_dot_product_flash_attention_backward",
                  "aten::_scaled_dot_product_efficient_attention_backward",
                  "aten::_scaled_dot_product_cudnn_attention_backward",
                  "aten::_scaled_dot_product_fused_attention_overrideable_backward"}}};

// Empty: there is only one.
std::string_view alternativesKey(std::string_view name)
{
    for (const Alternatives& several : alternatives)
        if (std::ranges::find(several.names, name) != several.names.end())
            return several.key;
    return {};
}

std::string withoutPlace(std::string_view name)
{
    return std::string(name.ends_with('_') ? name.substr(0, name.size() - 1) : name);
}

} // namespace

OpsByName opsByName(const Trace& trace, std::span<const TraceOp> step)
{
    OpsByName ops;
    for (const TraceOp& op : step)
        ops[trace.opNames[op.name].name].push_back(&op);
    return ops;
}

// Who times operators from Python has gradients added up out of place where they are else added in place:
// then both forms, in the order they run, are one list.
MatchedProbe matchOperators(const Trace& trace, std::span<const TraceOp> step, const OperatorSeconds& times)
{
    OpsByName ops = opsByName(trace, step);
    for (const TraceOp& op : step) {
        const std::string& name = trace.opNames[op.name].name;
        ops[withoutPlace(name).append(either)].push_back(&op);
        if (const std::string_view key = alternativesKey(name); !key.empty())
            ops[std::string(key)].push_back(&op);
    }
    MatchedProbe matched;
    const auto match = [&](const std::string& name, const std::vector<double>& seconds) {
        auto found = ops.find(name);
        if (found == ops.end())
            found = ops.find(alternativesKey(name));
        const bool fits = found != ops.end() && found->second.size() == seconds.size();
        for (std::size_t i = 0; fits && i < seconds.size(); ++i)
            matched.ops.emplace_back(found->second[i], seconds[i]);
        return fits;
    };
    for (const auto& [name, seconds] : times)
        if (const bool isPlain = !name.ends_with(either);
            isPlain && !times.contains(withoutPlace(name).append(either)) && !match(name, seconds))
            matched.unmatched.insert(name);
        else if (!isPlain && !match(name, seconds))
            matched.unmatched.insert(name);
    return matched;
}

} // namespace stagecraft
