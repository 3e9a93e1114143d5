// PlanHistory: all plans that were made of the open model, oldest first, each once; and which of them is the
// present one.
//
// It only watches the document: to go back to a plan is a step of undo there. What one gesture passes
// through (a boundary moved by held keys) is one plan. Of what nobody starred the oldest go when there are
// many.
#pragma once

#include "app/document/tried_plan.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace stagecraft {

class Document;

class PlanHistory : public QObject
{
    Q_OBJECT

public:
    using Entry = std::shared_ptr<const TriedPlan>;
    static constexpr std::size_t mostPlans = 200; // besides those with a star

    explicit PlanHistory(Document& document, QObject* parent = nullptr); // which outlives it

    const std::vector<Entry>& plans() const { return m_plans; }
    Entry find(std::size_t id) const;
    // The plan that the document has; null while it has none.
    Entry current() const { return m_current; }
    // Adds a plan that was made beside the document's, unless it is there already; which it is.
    Entry add(const PlanState& state, const KnownBounds& bounds, const QString& origin);

    // Adds one that was starred before, or stars the same one that is there; which it is.
    Entry addStarred(TriedPlan plan);

    void setStarred(std::size_t id, bool isStarred);
    void remove(std::size_t id); // but the present one
    // Makes it the document's plan: one step of undo.
    void restore(std::size_t id);

signals:
    void changed();
    void starred(std::size_t id, bool isStarred); // by a person; no star: or the plan is removed next

private:
    void takePlan();
    void takeStep(int index);
    void nameStep();
    void forget();
    Entry findSame(const PlanState& state) const;
    Entry append(TriedPlan plan);
    Entry replace(const Entry& entry, TriedPlan plan);
    void dropOldest();

    Document& m_document;
    std::vector<Entry> m_plans;
    Entry m_current;
    std::optional<std::size_t> m_new;    // added by the step that is under way
    std::optional<std::size_t> m_newest; // of the step of undo that was done last
    int m_lastStep = 0;                  // its index
    bool m_goesOn = false;               // what the step before began
    std::size_t m_nextId = 1;
};

} // namespace stagecraft
