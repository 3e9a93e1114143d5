// Instances of the kind that the public ones are (core/plan/sources/instance.h): graphs of well-known shapes
// with times, memory and transfer times drawn at random, the same ones in every run.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace stagecraft::bench {

struct InstanceShape
{
    std::string family;         // one of instanceFamilies()
    std::size_t blocks = 12;    // layers, or what the family has for them
    double communication = 0.1; // a transfer takes so much of a typical node's time
    bool training = false;      // with backward nodes, bound to their forward ones
    std::uint64_t seed = 1;
};

// "bert", "gnmt", "inception", "resnet", "unet", "experts", "wired".
const std::vector<std::string>& instanceFamilies();

nlohmann::json makeInstance(const InstanceShape& shape);

} // namespace stagecraft::bench
