// PlanCommand: one step of the undo history: from one PlanState to another.
#pragma once

#include "app/document/plan_state.h"

#include <QUndoCommand>

#include <functional>

namespace stagecraft {

class PlanCommand : public QUndoCommand
{
public:
    using Apply = std::function<void(const PlanState&)>;

    // Commands with the same `gesture` that follow each other become one step; 0 never merges.
    PlanCommand(const QString& text, PlanState before, PlanState after, int gesture, Apply apply)
        : QUndoCommand(text),
          m_before(std::move(before)),
          m_after(std::move(after)),
          m_gesture(gesture),
          m_apply(std::move(apply))
    {
    }

    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }
    int id() const override { return m_gesture == 0 ? -1 : m_gesture; }
    bool mergeWith(const QUndoCommand* next) override
    {
        m_after = static_cast<const PlanCommand*>(next)->m_after; // same id(), so the same type
        return true;
    }

private:
    PlanState m_before;
    PlanState m_after;
    int m_gesture;
    Apply m_apply;
};

} // namespace stagecraft
