// Stage boundaries over a graph: where their lines and handles are, and what a drag of one does. No widget.
//
//     ▌1│ ...........................................
//    ━(2|3  3 tensors  24 MiB  0.4 ms)━━━━━━━━━━━━━━━━   handle at the left, line across the view
//     ▌2│ ...........................................
#pragma once

#include "core/layout/layout.h"
#include "views/base/boundary_keys.h"
#include "views/base/plan_view.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace stagecraft {

// Positions of the stage order to which a boundary can be dragged: ascending, the present one among them.
using LegalPositions = std::function<std::vector<std::size_t>(BoundaryId)>;

// How many nodes stand before each boundary.
std::vector<std::size_t> boundaryPositions(const Partition& partition);
// The same in a drawing, which may be of another plan. Where boundaries were moved, they are where they are
// now; where single operators were sent elsewhere, no line of the drawing parts the stages, and all stay.
std::vector<std::size_t> boundaryPositions(const Partition& partition, const RunTree& drawn);
// Where a boundary at `position` is drawn in `layout`.
double positionY(const Layout& layout, std::size_t position);

// Values that are made before a position of the layout's stage order and read from there on.
std::vector<ValueId> valuesAcross(const Layout& layout, std::size_t position);
// The value of the first copy, where the drawing folds the one that makes `value` away.
std::optional<ValueId> drawnValue(const Layout& layout, ValueId value);
// Bytes of such values for every position 0 .. nodeCount. Without a profile every value counts as 1.
std::vector<double> bytesAcross(const Layout& layout, const Profile* profile);

// "3 tensors  24 MiB  0.4 ms"; without a cost, the count alone.
QString boundaryText(const BoundaryCost* cost, std::size_t valueCount);

// A boundary on its way.
class BoundaryDrag
{
public:
    // `legal` must not be empty.
    BoundaryDrag(const Layout& layout, BoundaryId boundary, std::size_t start, std::vector<std::size_t> legal,
                 std::vector<double> bytes);

    BoundaryId boundary() const { return m_boundary; }
    std::size_t start() const { return m_start; }
    std::size_t position() const { return m_position; }
    bool canMove() const { return m_legal.size() > 1; }
    // Moves to the legal place nearest to `y`; with the magnet on, to the place within `reach` where the
    // fewest bytes cross. Has the position changed?
    bool moveTo(double y, Magnet magnet, double reach);

private:
    std::vector<double> m_placeY;
    BoundaryId m_boundary;
    std::size_t m_start;
    std::size_t m_position;
    std::vector<std::size_t> m_legal;
    std::vector<double> m_bytes;
};

} // namespace stagecraft
