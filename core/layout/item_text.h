// What is written on the items of a layout: for the window and for pictures alike.
#pragma once

#include "core/layout/layout.h"

#include <string>

namespace stagecraft {

// The main line: "linear", "self_attn", "layers.0-7", "input_ids", "mask".
std::string itemTitle(const Layout& layout, const LayoutItem& item);
// The second line: an operator's result, "bf16[1, 4096]"; a closed box's class and size, "LlamaMLP, 5 ops".
std::string itemDetail(const Layout& layout, const LayoutItem& item);
// The module an operator stands for in its box, "q_proj"; "x32" for folds; empty otherwise.
std::string itemNote(const Layout& layout, const LayoutItem& item);
// "1,024".
std::string groupedNumber(std::size_t number);

} // namespace stagecraft
