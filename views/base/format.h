// Figures as short text for a person: shares, differences, bounds, and where they come from.
#pragma once

#include "core/plan/partition.h"
#include "core/profile/block_figures.h"
#include "core/profile/profile.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <span>
#include <string>

namespace stagecraft {

struct TensorStatistics; // core/measure/statistics.h

QString toText(Bytes bytes);     // "24.0 MiB"
QString toText(Seconds seconds); // "1.25 ms"
QString toText(Flops flops);     // "12.4 GFLOP"

// "12 %", "1.2 %", "0.03 %"; "< 0.01 %" for less.
QString percentText(double share);
// "+3.1 %", "-12 %" from `from` to `to`; empty where it would round to 0.1 % or `from` is 0.
QString changeText(Seconds from, Seconds to);
// "+24.0 MiB", "-512 KiB"; empty where they are equal.
QString changeText(Bytes from, Bytes to);
// "+2.1 pts", in points of a hundred, from one share to another; empty where it would round to nothing.
QString pointsText(double from, double to);

// "4 stages"; where they share devices, "8 stages on 4 devices".
QString stagesText(std::size_t stages, std::size_t devices);
// What the slowest thing of a plan is called, whose time is PlanCost::bottleneckTime: "Stage 3", or where
// stages share devices, "Device 1 (stages 1 and 3)".
QString slowestName(const PlanCost& cost);
// How much slower the slowest stage is than before: "slowest stage +2.1 %". Empty while that is not known.
QString slowestStageText(const PlanCost* before, const PlanCost* now);
// What the objective counts of a stage, for one microbatch.
Seconds timeOf(const PlanCost& cost, StageId stage);

// How good a plan is by what it was searched for, labelled where that is not its slowest stage: "proven
// optimal", "step proven within 3.1 % of optimal". Empty where nothing is known. Where it does not fit, that.
QString qualityText(const PlanCost& cost, const std::optional<Bound>& slowest, Seconds step);
QString qualityHelp(const PlanCost& cost, const std::optional<Bound>& slowest, Seconds step);

// How far a plan can be from the fastest possible: "proven optimal", "proven within 1.2 % of optimal".
QString gapText(Seconds cost, const Bound& bound);
// What that means, with the figures.
QString gapHelp(Seconds cost, const Bound& bound);

// "mean 0.01, std 0.58, largest 3.2, 12 % zeros"; how many NaN and infinities come first, if any.
QString statisticsText(const TensorStatistics& statistics);

// "aten::linear.default" as people say it: "linear".
QString shortTarget(const std::string& target);
// "torch.nn.modules.linear.Linear" without its module: "Linear".
QString shortClass(const std::string& className);
// Which op of the model it is, in the order in which they run: "180 of 494". Counted from 1, everywhere.
QString opNumberText(NodeId node, std::size_t count);
// "1 op", "2,068 ops".
QString opCountText(std::size_t count);

// Where figures come from: "estimated", "not exact", "measured", "imported".
QString originText(CostOrigin origin);
// Of several ops: "mixed" unless all have one origin; a single inexact one makes the sum inexact.
QString originText(const Profile& profile, std::span<const NodeId> nodes);
// "estimated, usually within 21 %", by what the device's figures were held against.
QString estimateText(const std::vector<Accuracy>& accuracy);
// The same as a sentence with what it was held against; empty where no time is estimated.
QString estimateHelp(const Profile& profile);
// "As one, alone: forward 1.2 ms, backward 2.3 ms", "Reads 4 MiB, gives 4 MiB; takes up to ...".
QStringList blockTexts(const BlockFigures& block);
// Of the whole profile: "times measured", or how far off estimates usually are; "not exact: 3 ops are costed
// by size".
QString originNote(const Profile& profile);

} // namespace stagecraft
