// Choices that options and files call by a name: tables of them, with what a person is shown.
#pragma once

#include "core/base/result.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace stagecraft {

template <class Kind>
struct Named
{
    Kind kind;
    std::string_view name;  // "autocast-bf16"
    std::string_view title; // "bfloat16 autocast"
};

template <class Kind, std::size_t count>
struct NameTable
{
    std::string_view what; // "precision"
    std::array<Named<Kind>, count> entries;
};

// In a table that has all kinds.
template <class Kind, std::size_t count>
std::string_view nameOf(const NameTable<Kind, count>& table, Kind kind)
{
    return std::ranges::find(table.entries, kind, &Named<Kind>::kind)->name;
}

// The error where no entry is called `name`: lists those that there are.
template <class Entries>
Error unknownName(std::string_view what, std::string_view name, const Entries& entries)
{
    std::string known;
    for (const auto& entry : entries)
        known += (known.empty() ? "" : ", ") + std::string(entry.name);
    return {ErrorCode::BadUsage,
            "unknown " + std::string(what) + " '" + std::string(name) + "'; there are " + known};
}

template <class Kind, std::size_t count>
Result<Kind> parseName(const NameTable<Kind, count>& table, std::string_view name)
{
    const auto found = std::ranges::find(table.entries, name, &Named<Kind>::name);
    if (found == table.entries.end())
        return unknownName(table.what, name, table.entries);
    return found->kind;
}

} // namespace stagecraft
