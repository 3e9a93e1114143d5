// A box with the choices of a field of the request (core/plan/request.h).
#pragma once

#include "core/plan/request.h"

#include <QComboBox>

namespace stagecraft {

// Of a field that has choices; its item data are their names.
QComboBox* makeChoiceBox(const RequestField& field);
// Shows what the request says.
void choose(QComboBox* box, const RequestField& field, const PlanRequest& request);
// Puts what the box says into the request.
void readChoice(const QComboBox& box, const RequestField& field, PlanRequest& request);

// Long texts are read in the list; the wheel scrolls the panel.
void fitIntoPanel(QComboBox* box);

} // namespace stagecraft
