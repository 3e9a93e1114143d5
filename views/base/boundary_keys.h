// What the modifier keys mean where a boundary is moved, in every view alike.
#pragma once

#include "views/base/plan_view.h"

#include <Qt>

namespace stagecraft {

// Is a dragged boundary drawn to places where few bytes cross?
enum class Magnet { On, Off };

inline Magnet magnetOf(Qt::KeyboardModifiers modifiers)
{
    return modifiers & Qt::AltModifier ? Magnet::Off : Magnet::On;
}

// How far an arrow key moves a boundary.
inline BoundaryStep boundaryStepOf(Qt::KeyboardModifiers modifiers)
{
    return modifiers & Qt::ShiftModifier     ? BoundaryStep::OneModule
           : modifiers & Qt::ControlModifier ? BoundaryStep::BestNearby
                                             : BoundaryStep::OnePlace;
}

} // namespace stagecraft
