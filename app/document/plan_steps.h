// PlanSteps: the undo stack of plans, and which of its states is the present one.
//
//     state ──step──► state ──step──► state      a step leads from place to place; what is found of a plan
//                       ▲ present                later changes its place, and undo and redo find it there
#pragma once

#include "app/document/plan_state.h"

#include <QObject>
#include <QUndoStack>

#include <functional>
#include <memory>
#include <optional>

namespace stagecraft {

class PlanSteps : public QObject
{
    Q_OBJECT

public:
    using Show = std::function<void(const PlanState&)>; // called with what is the present state from now on

    explicit PlanSteps(Show show) : m_show(std::move(show)) {}

    QUndoStack& stack() { return m_stack; }
    // What there is before the first step, as its file has it or as it was opened.
    void begin(const PlanState& state);
    // Steps of the same `gesture` that follow each other become one; 0 never merges.
    void push(const QString& text, PlanState next, int gesture);
    // The same plan, of which more is known: no step.
    void amend(PlanState present);
    void clear();

    // `state` is in a file of the person's own.
    void takeSaved(const PlanState& state);
    // Is `present` what is in that file, or was there at first, whatever steps led to it?
    bool isSaved(const PlanState& present) const;

signals:
    // A step was taken, of several at once each by itself; `before` is what was asked for by then.
    void done(const stagecraft::PlanRequest& before); // also when it is done again
    void undone(const stagecraft::PlanRequest& before);

private:
    using Place = std::shared_ptr<PlanState>;
    class Step;

    void goTo(const Place& place);

    Show m_show;
    Place m_present;
    std::optional<PlanState> m_saved;
    QUndoStack m_stack;
};

} // namespace stagecraft
