// What modules take of a model, as boxes within boxes or as a flame graph: plain rectangles, no drawing.
//
//     treemap  ┌ layers ───┬ embed ┐       flames  │ model                    │
//              │┌ 0 ┐┌ 1 ┐ │       │               │ embed │ layers           │
//              │└───┘└───┘ │       │                       │ 0   │ 1   │ 2    │
//              └───────────┴───────┘
#pragma once

#include "core/layout/geometry.h"
#include "views/base/plan_view.h"

#include <QString>

#include <vector>

namespace stagecraft {

enum class MapMeasure { Time, AtPeak, Kept, Parameters };
enum class MapShape { Treemap, Flames };

QString measureName(MapMeasure measure); // "Time"
// "1.25 ms", "24.0 MiB".
QString measureText(MapMeasure measure, double value);
// Seconds or bytes of a node.
double measureOf(const NodeCost& cost, MapMeasure measure);

// A module with all below it, or what it does itself in a stage: operators of no module below.
struct ModuleShare
{
    ModuleId module;
    std::optional<StageId> own;       // set: the latter
    std::optional<StageId> onlyStage; // of all its nodes; none: several
    double value = 0;
    std::vector<std::size_t> parts; // by index; of what something is, largest first for a treemap
};

// All modules that have something of it.
struct ModuleShares
{
    std::vector<ModuleShare> shares;                      // empty: nothing to show
    Table<ModuleId, std::optional<std::size_t>> ofModule; // its index

    const ModuleShare* find(ModuleId module) const;
};
// In the order of the tree. Without a partition all is of stage 1.
ModuleShares moduleShares(const PlanView& plan, MapMeasure measure);

struct ModuleBox
{
    std::size_t share = 0; // an index into ModuleShares::shares
    int depth = 0;         // below the module that is shown
    Rect rect;
};
// Boxes of `shown` and of all below it that can be seen, outer ones first. `line` is the height of a line of
// text: a treemap leaves room for a heading in each box, a flame is so high.
std::vector<ModuleBox> moduleBoxes(const ModuleShares& shares, ModuleId shown, MapShape shape,
                                   const Rect& room, double line);

// The nodes that a share is of, ascending.
std::vector<NodeId> nodesOf(const PlanView& plan, const ModuleShare& share);

} // namespace stagecraft
