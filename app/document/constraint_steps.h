// What holds a plan, changed by a person. Each change is one step of undo of the document, and moves what it
// has to; what cannot be is refused there by name.
#pragma once

#include "core/plan/partition.h"

#include <vector>

namespace stagecraft {

class Document;

void toggleLock(Document& document, BoundaryId boundary);
void togglePins(Document& document, const std::vector<NodeId>& nodes); // to the stages that they are in
void keepTogether(Document& document, const std::vector<NodeId>& nodes);
void letApart(Document& document, const std::vector<NodeId>& nodes); // the groups that any of them is in
void toggleResultsKept(Document& document, const std::vector<NodeId>& nodes); // in the stages that make them
// Plans each block as one; where that is so of all, no longer.
void toggleBlocks(Document& document, const std::vector<std::vector<NodeId>>& blocks);

} // namespace stagecraft
