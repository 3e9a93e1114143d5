// What is written on the items of a layout: for the window and for pictures alike.
#pragma once

#include "core/layout/layout.h"

#include <string>

namespace stagecraft {

// The main line: "linear", "self_attn", "layers.0-7", "input_ids", "mask".
std::string itemTitle(const Layout& layout, const LayoutItem& item);
// The second line: an operator's result, "bf16[1, 4096]"; a closed box's class and size, "LlamaMLP, 5 ops".
std::string itemDetail(const Layout& layout, const LayoutItem& item);
// What that line says of a box: the class of its module, "LlamaMLP", empty for a part of one; and all nodes
// that it covers, copies and hidden ones too: what a click selects and what tables count.
std::string boxClass(const Layout& layout, BoxId box);
std::size_t boxNodeCount(const Layout& layout, BoxId box);
// The module an operator stands for in its box, "q_proj"; "x32" for folds; empty otherwise.
std::string itemNote(const Layout& layout, const LayoutItem& item);
// "1,024".
std::string groupedNumber(std::size_t number);

} // namespace stagecraft
