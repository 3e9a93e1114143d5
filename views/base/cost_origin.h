// Where figures come from, in words: the same ones in every view.
#pragma once

#include "core/graph/argument.h"
#include "core/profile/profile.h"

#include <QString>

#include <span>

namespace stagecraft {

// "estimated", "not exact", "measured", "imported".
QString originText(CostOrigin origin);
// Of several ops: "mixed" unless all have one origin; a single inexact one makes the sum inexact.
QString originText(const Profile& profile, std::span<const NodeId> nodes);
// Of the whole profile: "times measured", "not exact: 3 ops are costed by size"; empty where all is estimated
// as usual.
QString originNote(const Profile& profile);

} // namespace stagecraft
