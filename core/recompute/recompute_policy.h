// RecomputePolicy: what a person asks to be run again in backward, by name, and the regions that came of it.
//
//     model      as the file says: the regions that it brings along
//     none       nothing runs again
//     full       every block is a region           every 2     every second block
//     ops        every block is a region, in which the results of matrix products, convolutions and attention
//                are kept; "ops aten::mm,aten::bmm" keeps those of the operators that are named
//     auto       as little as the memory limit demands
//     plan       the regions that are given: those of a plan file
//
// Behind it, or alone, what single stages do instead, each part after a comma and from stage 0 on:
//
//     auto,0-1:full,2:none        ops aten::mm,aten::bmm,3:every 2        0:full, and none of the others
#pragma once

#include "core/base/id.h"
#include "core/base/result.h"
#include "core/graph/argument.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

struct RecomputeRegion
{
    std::vector<NodeId> nodes; // of one stage, ascending; no other node of the stage is between two of them
    std::vector<NodeId> kept;  // of these, ascending: they do not run again

    friend bool operator==(const RecomputeRegion&, const RecomputeRegion&) = default;
};

struct RecomputePlan
{
    std::vector<RecomputeRegion> regions; // disjoint, in the order in which the stages run them

    friend bool operator==(const RecomputePlan&, const RecomputePlan&) = default;
};

enum class RecomputeKind : std::uint8_t { Model, None, Full, Every, Operators, Auto, Plan };

// What some stages do instead of what all do: None, Full, Every, Operators or Auto.
struct StageRecompute
{
    std::size_t first = 0;
    std::size_t last = 0; // among them
    RecomputeKind kind = RecomputeKind::None;
    std::size_t every = 2;
    std::vector<std::string> operators = {};

    friend bool operator==(const StageRecompute&, const StageRecompute&) = default;
};

struct RecomputePolicy
{
    RecomputeKind kind = RecomputeKind::Model;
    std::size_t every = 2;                     // of Every, from 1
    std::vector<std::string> operators = {};   // of Operators; none: those of heavyOperators()
    std::vector<StageRecompute> ofStages = {}; // ascending, apart; none where kind is Model
    // Of Plan what is asked for; of others what came of them for a plan, empty before.
    RecomputePlan regions = {};

    friend bool operator==(const RecomputePolicy&, const RecomputePolicy&) = default;
};

// "full", "every 3", "ops aten::mm,aten::bmm", "auto,0-1:full": without the regions.
std::string printPolicy(const RecomputePolicy& policy);
// Reads that, with a blank or '=' before the number or the list. The regions of `before` stay where it says
// the same, and are what "plan" means. Where only single stages are named, the others do as in `before`, but
// none where that is Model. Fails, listing what there is.
Result<RecomputePolicy> parsePolicy(std::string_view text, const RecomputePolicy& before = {});
// The part of such a text that is of all stages; may be empty.
std::string_view policyOfAll(std::string_view text);

// What that stage does, its own kind in the place of the policy's, without regions.
RecomputePolicy policyOf(const RecomputePolicy& policy, std::size_t stage);
// The policy with these stages doing that instead of what they did.
RecomputePolicy withStages(RecomputePolicy policy, const StageRecompute& stages);
// The policy with stages from `first` to `last` doing as those that are not named. Regions that came of what
// they did are none any more.
RecomputePolicy withoutStages(RecomputePolicy policy, std::size_t first, std::size_t last);
// Only of the first so many stages.
RecomputePolicy withinStages(RecomputePolicy policy, std::size_t stageCount);
// Does any stage choose as memory demands?
bool choosesAny(const RecomputePolicy& policy);

} // namespace stagecraft
