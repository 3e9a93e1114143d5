// Small forms of every family, for tests.
#pragma once

#include "core/forms/form.h"

#include <algorithm>

namespace stagecraft::test {

// As usual, but small enough to run at once; what goes together still does.
inline Form smallForm(const FormFamily& family)
{
    static const std::map<std::string, std::int64_t> small{
        {"layers", 3},         {"width", 64},         {"heads", 4},       {"key-heads", 2},
        {"head-width", 16},    {"inner", 96},         {"vocabulary", 50}, {"positions", 40},
        {"batch", 3},          {"sequence", 12},      {"dtype", 0},       {"dropout", 0},
        {"experts", 6},        {"expert-width", 32},  {"inputs", 20},     {"outputs", 8},
        {"query-rank", 24},    {"latent-rank", 32},   {"groups", 2},      {"groups-chosen", 2},
        {"rope-width", 8},     {"value-width", 16},   {"window", 5},      {"image", 32},
        {"patch", 16},         {"classes", 10},       {"stem", 4},        {"blocks-1", 1},
        {"blocks-2", 2},       {"blocks-3", 1},       {"blocks-4", 1},    {"width-1", 8},
        {"width-2", 16},       {"width-3", 24},       {"width-4", 32},    {"text-width", 48},
        {"text-heads", 4},     {"text-layers", 2},    {"text-inner", 80}, {"projection", 40},
        {"decoder-layers", 2}, {"target", 7},         {"state", 4},       {"step-rank", 6},
        {"dense-layers", 1},   {"decoder-width", 64}, {"whole-every", 2}, {"experts-chosen", 2},
        {"image-layers", 2},   {"image-width", 48},   {"image-heads", 4}, {"image-inner", 80},
        {"image-token", 49},   {"norm-groups", 4},    {"blocks", 1},      {"size-waves", 8},
        {"heads-1", 2},        {"heads-2", 4},        {"heads-3", 4},     {"heads-4", 4},
        {"mtp-modules", 2}};
    Form form = usualForm(family);
    for (auto& [name, value] : form.values)
        if (const auto found = small.find(name); found != small.end())
            value =
                std::clamp(found->second, family.parameter(name)->minimum, family.parameter(name)->maximum);
    return form;
}

} // namespace stagecraft::test
