#include "core/recompute/recompute_policy.h"

#include "core/base/named.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

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

// A policy as it is written, of all stages or of some.
std::string printed(RecomputeKind kind, std::size_t every, const std::vector<std::string>& operators)
{
    std::string text(nameOf(recomputeKinds, kind));
    if (kind == RecomputeKind::Every)
        text += " " + std::to_string(every);
    if (kind == RecomputeKind::Operators)
        for (std::size_t i = 0; i < operators.size(); ++i)
            text += (i == 0 ? " " : ",") + operators[i];
    return text;
}

Result<RecomputePolicy> parsedOne(std::string_view text)
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
    return policy;
}

struct StageRange
{
    std::size_t first = 0, last = 0;
    std::size_t length = 0; // of its text, the colon included
};

// "2:" or "0-1:" at the beginning of the text, which no name of an operator has.
std::optional<StageRange> rangeAt(std::string_view text)
{
    StageRange range;
    const char* end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, range.first);
    if (read.ec != std::errc())
        return std::nullopt;
    range.last = range.first;
    if (read.ptr != end && *read.ptr == '-')
        read = std::from_chars(read.ptr + 1, end, range.last);
    if (read.ec != std::errc() || read.ptr == end || *read.ptr != ':')
        return std::nullopt;
    range.length = static_cast<std::size_t>(read.ptr + 1 - text.data());
    return range;
}

// Where the next part begins, behind a comma, or the end.
std::size_t endOfPart(std::string_view text)
{
    for (std::size_t comma = text.find(','); comma != std::string_view::npos;
         comma = text.find(',', comma + 1))
        if (rangeAt(text.substr(comma + 1)))
            return comma;
    return text.size();
}

Result<StageRecompute> parsedStages(std::string_view text)
{
    const StageRange range = *rangeAt(text);
    STAGECRAFT_ASSIGN(policy, parsedOne(text.substr(range.length)));
    if (policy.kind == RecomputeKind::Model || policy.kind == RecomputeKind::Plan)
        return misread(text, "is not a policy of single stages: none, full, 'every N', ops and auto are");
    if (range.last < range.first)
        return misread(text, "names stages from the last to the first, where the first comes first");
    return StageRecompute{range.first, range.last, policy.kind, policy.every, std::move(policy.operators)};
}

// A stage that is among both.
std::optional<std::size_t> firstOfBoth(const StageRecompute& stages, const std::vector<StageRecompute>& named)
{
    for (const StageRecompute& other : named)
        if (other.first <= stages.last && stages.first <= other.last)
            return std::max(other.first, stages.first);
    return std::nullopt;
}

// That of all stages, before its parts.
Result<RecomputePolicy> parsedOfAll(std::string_view text, bool hasParts, const RecomputePolicy& before)
{
    RecomputePolicy policy = before;
    policy.regions = {};
    if (text.empty() && hasParts) {
        if (policy.kind == RecomputeKind::Model)
            policy.kind = RecomputeKind::None;
        return policy;
    }
    STAGECRAFT_ASSIGN(read, parsedOne(text));
    if (hasParts && read.kind == RecomputeKind::Model)
        return misread(text,
                       "is of the whole model, whose stages may do otherwise under all policies but this");
    return read;
}

} // namespace

std::string printPolicy(const RecomputePolicy& policy)
{
    std::string text = printed(policy.kind, policy.every, policy.operators);
    for (const StageRecompute& stages : policy.ofStages) {
        text += "," + std::to_string(stages.first);
        if (stages.last != stages.first)
            text += "-" + std::to_string(stages.last);
        text += ":" + printed(stages.kind, stages.every, stages.operators);
    }
    return text;
}

std::string_view policyOfAll(std::string_view text)
{
    return rangeAt(text) ? std::string_view() : text.substr(0, endOfPart(text));
}

Result<RecomputePolicy> parsePolicy(std::string_view text, const RecomputePolicy& before)
{
    const std::string_view ofAll = policyOfAll(text);
    std::string_view parts = text.substr(ofAll.size());
    STAGECRAFT_ASSIGN(policy, parsedOfAll(ofAll, !parts.empty(), before));
    std::vector<StageRecompute> named;
    while (!parts.empty()) {
        if (parts.front() == ',')
            parts.remove_prefix(1);
        const std::size_t end = endOfPart(parts);
        STAGECRAFT_ASSIGN(stages, parsedStages(parts.substr(0, end)));
        if (const auto twice = firstOfBoth(stages, named))
            return misread(text, "says twice what stage " + std::to_string(*twice) + " does; name it once");
        named.push_back(stages);
        policy = withStages(std::move(policy), stages);
        parts.remove_prefix(end);
    }
    if (policy.kind == RecomputeKind::Plan && std::ranges::any_of(policy.ofStages, [](const auto& stages) {
            return stages.kind == RecomputeKind::Auto;
        }))
        return misread(text, "has regions that are given, so that no stage can choose its own (auto)");
    if (policy.kind == RecomputeKind::Plan || printPolicy(policy) == printPolicy(before))
        policy.regions = before.regions;
    return policy;
}

RecomputePolicy policyOf(const RecomputePolicy& policy, std::size_t stage)
{
    for (const StageRecompute& stages : policy.ofStages)
        if (stages.first <= stage && stage <= stages.last)
            return {.kind = stages.kind, .every = stages.every, .operators = stages.operators};
    return {.kind = policy.kind, .every = policy.every, .operators = policy.operators};
}

RecomputePolicy withStages(RecomputePolicy policy, const StageRecompute& stages)
{
    std::vector<StageRecompute> all{stages};
    for (const StageRecompute& other : policy.ofStages) {
        if (other.first < stages.first) {
            all.push_back(other);
            all.back().last = std::min(other.last, stages.first - 1);
        }
        if (other.last > stages.last) {
            all.push_back(other);
            all.back().first = std::max(other.first, stages.last + 1);
        }
    }
    std::ranges::sort(all, {}, &StageRecompute::first);
    policy.ofStages = std::move(all);
    return policy;
}

RecomputePolicy withoutStages(RecomputePolicy policy, std::size_t first, std::size_t last)
{
    const std::vector<StageRecompute> before = policy.ofStages;
    policy = withStages(std::move(policy), {.first = first, .last = last});
    std::erase_if(policy.ofStages, [&](const StageRecompute& stages) { return stages.first == first; });
    if (policy.ofStages != before && policy.kind != RecomputeKind::Plan)
        policy.regions = {};
    return policy;
}

RecomputePolicy withinStages(RecomputePolicy policy, std::size_t stageCount)
{
    std::erase_if(policy.ofStages, [&](const StageRecompute& stages) { return stages.first >= stageCount; });
    for (StageRecompute& stages : policy.ofStages)
        stages.last = std::min(stages.last, stageCount - 1);
    return policy;
}

bool choosesAny(const RecomputePolicy& policy)
{
    return policy.kind == RecomputeKind::Auto ||
           std::ranges::any_of(policy.ofStages, [](const StageRecompute& stages) {
               return stages.kind == RecomputeKind::Auto;
           });
}

} // namespace stagecraft
