// CurvePanel: the best plans of 1 to 16 stages side by side, as curves and as a table; choosing one adopts
// it.
#pragma once

#include "core/partition/curve.h"

#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace stagecraft {

class CurvePlot;

class CurvePanel : public QWidget
{
    Q_OBJECT

public:
    explicit CurvePanel(QWidget* parent = nullptr);

    // Null: none yet. May be called for every point that is found.
    void setCurve(std::shared_ptr<const PlanCurve> curve);
    // None: there is nothing to split. Searching: a curve is being made and grows.
    enum class State { None, Ready, Searching };
    void setState(State state);
    // How many stages the plan has now.
    void setCurrent(std::size_t stageCount);

signals:
    void curveRequested();
    void adoptRequested(std::size_t stageCount); // of a point that has a plan

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showRows();
    void adoptCurrentRow();

    QLabel* m_hint;
    QPushButton* m_compute;
    QWidget* m_content;
    CurvePlot* m_plot;
    QTreeWidget* m_rows;
    std::shared_ptr<const PlanCurve> m_curve;
    State m_state = State::None;
    std::size_t m_current = 0;
};

} // namespace stagecraft
