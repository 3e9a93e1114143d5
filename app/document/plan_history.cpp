#include "app/document/plan_history.h"

#include "app/document/document.h"

#include <algorithm>

namespace stagecraft {

PlanHistory::PlanHistory(Document& document, QObject* parent) : QObject(parent), m_document(document)
{
    connect(&document, &Document::planChanged, this, &PlanHistory::takePlan);
    connect(&document, &Document::modelGone, this, &PlanHistory::forget);
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &PlanHistory::takeStep);
    connect(&document, &Document::planSettled, this, &PlanHistory::nameStep);
}

PlanHistory::Entry PlanHistory::find(std::size_t id) const
{
    const auto found = std::ranges::find(m_plans, id, [](const Entry& plan) { return plan->id; });
    return found == m_plans.end() ? nullptr : *found;
}

PlanHistory::Entry PlanHistory::findSame(const PlanState& state) const
{
    const auto found =
        std::ranges::find_if(m_plans, [&](const Entry& plan) { return isSamePlan(plan->state, state); });
    return found == m_plans.end() ? nullptr : *found;
}

PlanHistory::Entry PlanHistory::append(TriedPlan plan)
{
    plan.id = m_nextId++;
    plan.setup = planSetup(plan.state.request, m_document.devices());
    if (!plan.when.isValid())
        plan.when = QDateTime::currentDateTime();
    const auto made = std::make_shared<const TriedPlan>(std::move(plan));
    const auto isLater = [&](const Entry& other) { return other->when > made->when; };
    m_plans.insert(std::ranges::find_if(m_plans, isLater), made);
    dropOldest();
    return made;
}

PlanHistory::Entry PlanHistory::replace(const Entry& entry, TriedPlan plan)
{
    const auto made = std::make_shared<const TriedPlan>(std::move(plan));
    std::ranges::replace(m_plans, entry, made);
    if (m_current == entry)
        m_current = made;
    return made;
}

void PlanHistory::dropOldest()
{
    const auto isPlain = [this](const Entry& plan) {
        return !plan->isStarred && plan != m_current && plan != m_plans.back();
    };
    if (static_cast<std::size_t>(std::ranges::count_if(m_plans, isPlain)) >= mostPlans)
        m_plans.erase(std::ranges::find_if(m_plans, isPlain));
}

PlanHistory::Entry PlanHistory::add(const PlanState& state, const KnownBounds& bounds, const QString& origin)
{
    Entry entry = findSame(state);
    if (!entry)
        entry = append({.state = state, .bounds = bounds, .origin = origin});
    emit changed();
    return entry;
}

PlanHistory::Entry PlanHistory::addStarred(TriedPlan plan)
{
    plan.isStarred = true;
    Entry entry = findSame(plan.state);
    if (entry) {
        TriedPlan same = *entry;
        same.isStarred = true;
        entry = replace(entry, std::move(same));
    } else {
        entry = append(std::move(plan));
    }
    emit changed();
    return entry;
}

// Comes before takeStep() of the same step.
void PlanHistory::takePlan()
{
    const PlanState& state = m_document.state();
    if (m_document.isDragging() || !hasPlan(state) || isUnsettled(state))
        return;
    const KnownBounds bounds{m_document.bound(), m_document.stepBound()};
    Entry entry = findSame(state);
    m_new.reset();
    if (!entry) {
        entry = append({.state = state, .bounds = bounds, .origin = tr("Opened")});
        m_new = entry->id;
    } else if (bounds.slowest) {
        TriedPlan known = *entry;
        known.bounds = bounds;
        entry = replace(entry, std::move(known));
    }
    m_current = entry;
    emit changed();
}

// A gesture that goes on changes the step that it began with, whose index stays.
void PlanHistory::takeStep(int index)
{
    m_goesOn = index == m_lastStep && index > 0;
    m_lastStep = index;
    nameStep();
}

// The plan that was added last is the step's, whether it came with it or was settled after it.
void PlanHistory::nameStep()
{
    const auto added = std::exchange(m_new, std::nullopt);
    if (!added || m_lastStep == 0)
        return;
    const Entry passed = m_goesOn && m_newest ? find(*m_newest) : nullptr;
    m_newest = added;
    if (passed && !passed->isStarred && passed != m_current)
        std::erase(m_plans, passed);
    TriedPlan named = *find(*added);
    named.origin = m_document.undoStack().undoText();
    replace(find(*added), std::move(named));
    emit changed();
}

void PlanHistory::forget()
{
    m_plans.clear();
    m_current.reset();
    m_new.reset();
    m_newest.reset();
    m_nextId = 1;
    m_lastStep = 0;
    m_goesOn = false;
    emit changed();
}

void PlanHistory::setStarred(std::size_t id, bool isStarred)
{
    const Entry entry = find(id);
    if (!entry || entry->isStarred == isStarred)
        return;
    TriedPlan plan = *entry;
    plan.isStarred = isStarred;
    replace(entry, std::move(plan));
    emit changed();
    emit starred(id, isStarred);
}

void PlanHistory::remove(std::size_t id)
{
    const Entry entry = find(id);
    if (!entry || entry == m_current)
        return;
    if (entry->isStarred)
        emit starred(id, false);
    std::erase(m_plans, entry);
    emit changed();
}

void PlanHistory::restore(std::size_t id)
{
    const Entry entry = find(id);
    if (!entry || entry == m_current || m_document.isDragging())
        return;
    m_document.adopt(tr("Return to plan %1").arg(id), entry->state);
}

} // namespace stagecraft
