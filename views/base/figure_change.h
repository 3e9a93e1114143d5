// How a figure of one plan differs from the same figure of another, as every table shows it: beside the
// figure, and whether it is for the better, which less is.
#pragma once

#include "views/base/cell_delegate.h"

namespace stagecraft {

// Nothing is put where the difference would round to nothing.
void setChange(CellContent& content, Seconds from, Seconds to);
void setChange(CellContent& content, Bytes from, Bytes to);
void setChange(CellContent& content, Flops from, Flops to);
void setShareChange(CellContent& content, double from, double to); // of shares, in points

// The text of a cell with its difference, for who hears or copies it: "12.4 ms, +3 %".
QString withChange(const QString& text, const CellContent& content);

} // namespace stagecraft
