// AdvicePanel: why the plan is no faster, and the cheapest changes that would help.
//
//     Why no faster
//     Stage 3 takes 47.0 ms: computes for 46.7 ms, ...  · show 61 ops      links select them
//     Longest: linear_12 9.1 ms, linear_14 9.1 ms
//     What would help
//     Move boundary 2|3 to stand before 'add_3'                [Apply]
//     slowest 44.1 ms (-6.2 %), step 391 ms (-5.0 %)  · show 3 ops
#pragma once

#include "views/base/selection.h"
#include "views/plan/plan_advice.h"

#include <QWidget>

#include <memory>

class QLabel;
class QVBoxLayout;

namespace stagecraft {

class AdvicePanel : public QWidget
{
    Q_OBJECT

public:
    explicit AdvicePanel(Selection* selection, QWidget* parent = nullptr);

    enum class State {
        None,      // there is no plan to say anything of
        Searching, // the advice that is shown, if any, is of an earlier plan
        Ready,
    };
    // `advice` may be null; `plan` is what it is about.
    void setAdvice(std::shared_ptr<const PlanAdvice> advice, const PlanView& plan, State state);

signals:
    // It has come into view: advice is worth having now.
    void shown();
    // The suggestion of that number is to be taken over.
    void applyRequested(std::size_t suggestion);

private:
    void showAdvice();
    QWidget* makeSuggestion(std::size_t index);
    void select(const AdviceSubject& subject);

    Selection* m_selection;
    QLabel* m_heading;
    QLabel* m_reasons;
    QLabel* m_helpHeading;
    QVBoxLayout* m_rows;
    std::shared_ptr<const PlanAdvice> m_advice;
    PlanView m_plan;
    State m_state = State::None;
    std::vector<AdviceSubject> m_subjects; // of the reasons' links
};

} // namespace stagecraft
