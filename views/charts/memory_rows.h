// What is alive at the peak of a training step, as rows of a table: plain functions.
#pragma once

#include "core/profile/memory_use.h"
#include "core/profile/model/largest_batch.h"
#include "core/trace/trace.h"
#include "views/base/plan_view.h"

#include <QString>

#include <optional>
#include <vector>

namespace stagecraft {

struct MemoryRow
{
    QString name;
    QString detail; // muted, after the name
    Bytes bytes;
    std::optional<MemoryCategory> category; // of a row that is one
    std::vector<NodeId> nodes;              // ascending: what choosing the row selects
    std::vector<MemoryRow> children;
    bool isRest = false;           // "and 312 more"
    std::optional<StageId> stage;  // of a row that is one
    std::optional<Bytes> compared; // of the same row in B; none: not compared
};

enum class MemoryBy { Category, Module, Op };

// Rows add up to what is alive at the peak, the model included; largest first, but categories in their own
// order. Long lists end with "and 312 more", which holds the rest. None without a profile.
std::vector<MemoryRow> rowsAtPeak(const PlanView& plan, MemoryBy by);

// Gives each row what the same one holds at the peak of another profile of the graph, B's, and adds the
// categories that only B has. A row that stands for several, or whose name others share, has nothing to
// compare with.
void compareRows(std::vector<MemoryRow>& rows, const PlanView& other, MemoryBy by);
// The same with rows that are there, of whole lists.
void compareRows(std::vector<MemoryRow>& rows, const std::vector<MemoryRow>& others, MemoryBy by);

// The same of any storages, by category; long lists in whole, to compare with.
enum class Lists { Shortened, Whole };
std::vector<MemoryRow> rowsOf(const Graph& graph, const std::vector<LiveInterval>& alive,
                              Lists lists = Lists::Shortened);

// "forward", "backward", "optimizer"; or that a checkpoint region is run again.
QString passText(Phase phase, bool isRecomputed);
// "backward of linear_7 (aten::mm)".
QString momentText(const Graph& graph, const MemorySample& sample);
// When the peak is.
QString peakMoment(const PlanView& plan);
// "At most 24 in a batch: 79.1 GiB", "Not even a batch of 1 fits".
QString largestBatchText(const std::optional<LargestBatch>& found);

} // namespace stagecraft
