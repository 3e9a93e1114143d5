// Forms of options: fields of the request (core/plan/request.h) under each other, each with its name.
#pragma once

#include "core/plan/request.h"

#include <QComboBox>
#include <QFormLayout>

namespace stagecraft {

// As narrow as the panel allows.
QFormLayout* makeOptionForm(const QWidget* panel);
// A row, whose name is the field's for screen readers, too.
void addOption(QFormLayout* form, const QString& name, QWidget* field);
// A row with a box of makeChoiceBox().
void addChoice(QFormLayout* form, const RequestField& field, QComboBox* box);

// Of a field that has choices; its item data are their names.
QComboBox* makeChoiceBox(const RequestField& field);
// Shows what the request says.
void choose(QComboBox* box, const RequestField& field, const PlanRequest& request);
// Puts what the box says into the request.
void readChoice(const QComboBox& box, const RequestField& field, PlanRequest& request);

// Long texts are read in the list; the wheel scrolls the panel.
void fitIntoPanel(QComboBox* box);

} // namespace stagecraft
