#include "core/recompute/recompute_policy.h"

#include "core/base/named.h"

#include <charconv>

namespace stagecraft {

namespace {

constexpr NameTable<RecomputeKind, 7> recomputeKinds{"way to recompute",
                                                     {{{RecomputeKind::Model, "model", ""},
                                                       {RecomputeKind::None, "none", ""},
                                                       {RecomputeKind::Full, "full", ""},
                                                       {RecomputeKind::Every, "every", ""},
                                                       {RecomputeKind::Operators, "ops", ""},
                                                       {RecomputeKind::Auto, "auto", ""},
                                                       {RecomputeKind::Plan, "plan", ""}}}};

Error misread(std::string_view text, const std::string& what)
{
    return {ErrorCode::BadUsage, "'" + std::string(text) + "' " + what};
}

Result<std::size_t> readCount(std::string_view text)
{
    std::size_t count = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (status != std::errc() || end != text.data() + text.size() || count == 0)
        return misread(text, "is not a number of blocks, as in 'every 2'");
    return count;
}

std::vector<std::string> readList(std::string_view text)
{
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (comma > 0)
            names.emplace_back(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return names;
}

} // namespace

std::string printPolicy(const RecomputePolicy& policy)
{
    std::string text(nameOf(recomputeKinds, policy.kind));
    if (policy.kind == RecomputeKind::Every)
        text += " " + std::to_string(policy.every);
    if (policy.kind == RecomputeKind::Operators)
        for (std::size_t i = 0; i < policy.operators.size(); ++i)
            text += (i == 0 ? " " : ",") + policy.operators[i];
    return text;
}

Result<RecomputePolicy> parsePolicy(std::string_view text, const RecomputePolicy& before)
{
    const std::size_t gap = std::min(text.find_first_of(" ="), text.size());
    const std::string_view rest = text.substr(std::min(gap + 1, text.size()));
    STAGECRAFT_ASSIGN(kind, parseName(recomputeKinds, text.substr(0, gap)));
    RecomputePolicy policy{.kind = kind};
    if (kind == RecomputeKind::Every) {
        STAGECRAFT_ASSIGN(every, readCount(rest));
        policy.every = every;
    } else if (kind == RecomputeKind::Operators) {
        policy.operators = readList(rest);
    } else if (!rest.empty()) {
        return misread(text, "says more than '" + std::string(text.substr(0, gap)) + "'");
    }
    if (kind == RecomputeKind::Plan || printPolicy(policy) == printPolicy(before))
        policy.regions = before.regions;
    return policy;
}

} // namespace stagecraft
