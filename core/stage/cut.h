// Cutting: from a partition to what each stage runs, takes and returns.
//
// The stages form a chain: stage i takes exactly what stage i-1 returns, so a value that skips a stage is
// relayed by it. Inputs of the model go straight to each stage that reads them.
//
//              stage 0           stage 1           stage 2
//     x ──►  a = f(x)   ─ a ─►  b = g(a)   ─ b ─►  c = h(b, a, m)  ──► c
//            (a is relayed:)    a          ─ a ─►
//     m ──────────────────────────────────────────►
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/stage/cut_facts.h"
#include "core/stage/stage_program.h"

#include <vector>

namespace stagecraft {

// One program a stage. Numbers (sizes) are never sent: each stage reads them from tensors it has. Fails,
// naming the nodes, where `partition` is not monotone or not of this graph; where a buffer that one stage
// writes is read by an earlier one, or written by two (a buffer lives in one place); where a token or script
// object would have to be sent; where a node writes to a tensor that its stage has as a view in a way it
// cannot repeat; when cancelled.
Result<std::vector<StageProgram>> cutStages(const Model& model, const Partition& partition,
                                            const Progress& progress = {});
// The same of who has the facts of the model.
Result<std::vector<StageProgram>> cutStages(const Model& model, const Partition& partition,
                                            const CutFacts& facts, const Progress& progress = {});

// Groups of nodes, each ascending, that cutStages() may refuse to see in different stages: the readers and
// writers of a buffer that is written, and a region of vmap or jvp. A planner keeps each group together.
std::vector<std::vector<NodeId>> inseparableNodes(const Model& model);

// The partition with as few nodes as possible moved to later stages such that every group of
// inseparableNodes() is in one stage and the result is monotone.
Partition withInseparableNodesTogether(const Model& model, Partition partition);

} // namespace stagecraft
