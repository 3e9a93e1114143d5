#include "app/document/plan_steps.h"

#include "app/document/asked_change.h"
#include "views/base/plain_text.h"

#include <QUndoCommand>

namespace stagecraft {

class PlanSteps::Step : public QUndoCommand
{
public:
    Step(const QString& text, PlanSteps& steps, Place after, int gesture)
        : QUndoCommand(text),
          m_steps(steps),
          m_before(steps.m_present),
          m_after(std::move(after)),
          m_gesture(gesture)
    {
    }

    void undo() override
    {
        m_steps.goTo(m_before);
        emit m_steps.undone(m_after->request);
    }
    void redo() override
    {
        m_steps.goTo(m_after);
        emit m_steps.done(m_before->request);
    }
    int id() const override { return m_gesture == 0 ? -1 : m_gesture; }
    bool mergeWith(const QUndoCommand* next) override
    {
        m_after = static_cast<const Step*>(next)->m_after; // same id(), so the same type
        return true;
    }

private:
    PlanSteps& m_steps;
    Place m_before;
    Place m_after;
    int m_gesture;
};

void PlanSteps::begin(const PlanState& state)
{
    m_saved = state;
    goTo(std::make_shared<PlanState>(state));
}

void PlanSteps::push(const QString& text, PlanState next, int gesture)
{
    m_stack.push(new Step(menuText(text), *this, std::make_shared<PlanState>(std::move(next)), gesture));
}

void PlanSteps::amend(PlanState present)
{
    *m_present = std::move(present);
    goTo(m_present);
}

void PlanSteps::clear()
{
    m_stack.clear();
    m_present.reset();
    m_saved.reset();
}

void PlanSteps::takeSaved(const PlanState& state)
{
    m_saved = state;
    if (isSame(state, *m_present))
        m_stack.setClean();
    else
        m_stack.resetClean();
}

bool PlanSteps::isSaved(const PlanState& present) const
{
    return m_stack.isClean() || (m_saved && areAskedAlike(present, *m_saved));
}

void PlanSteps::goTo(const Place& place)
{
    m_present = place;
    m_show(*place);
}

} // namespace stagecraft
