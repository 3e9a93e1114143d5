// ScheduleView: the timeline of a step on its devices, where the idle time comes from, and what each device
// holds in memory meanwhile.
//
// A measured step, or that of the plan that this one is compared with (B), lies below the planned one, device
// by device, on the same axis.
//
// The person points at an action to read what it is, at a device's memory to read what it holds, and clicks
// an action to choose its stage; the wheel with Ctrl zooms, without it moves along, a double click shows the
// whole step again.
//
//     Up Down      choose a stage      + -         zoom
//     Left Right   move along          0 or Home   the whole step
#pragma once

#include "views/base/selection.h"
#include "views/base/theme.h"
#include "views/charts/schedule_geometry.h"
#include "views/charts/schedule_header.h"
#include "views/charts/shown_schedule.h"

#include <QWidget>

#include <memory>

class QToolButton;

namespace stagecraft {

class ScheduleView : public QWidget
{
    Q_OBJECT

public:
    explicit ScheduleView(Selection* selection, QWidget* parent = nullptr);

    // Null: there is no plan to show.
    void setFigures(std::shared_ptr<const ScheduleFigures> figures);
    const std::shared_ptr<const ScheduleFigures>& figures() const { return m_figures; }
    // Null: none is there.
    void setMeasured(std::shared_ptr<const MeasuredFigures> measured);
    // The step of B; it waits while a measured one is there. Null: none.
    void setCompared(std::shared_ptr<const ScheduleFigures> other);
    // What is said of the step below; empty where there is none.
    QString belowSummary() const;
    // "step 1.63 s, bubble 11 %: schedule 9 %, imbalance 1.8 %, transfers 0.3 %"
    QString summary() const;
    QString describe(std::size_t span, Lane lane = Lane::Planned) const;
    // For tests: where things are.
    const ScheduleGeometry& drawnGeometry() const { return m_geometry; }
    ScheduleHeader header() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    // The panel has come into view: figures that were not asked for before are wanted now.
    void shown();
    // The measured step shall go; so shall B.
    void measuredDismissed();
    void comparedDismissed();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void fit();
    void layOut();
    struct Place
    {
        Lane lane = Lane::Planned;
        std::size_t span = 0;

        friend bool operator==(const Place&, const Place&) = default;
    };
    bool showsMeasured() const { return m_figures && m_measured && m_measured->problem.isEmpty(); }
    bool showsCompared() const { return m_figures && !m_measured && m_compared; }
    bool hasLanes() const { return showsMeasured() || showsCompared(); }
    bool hasLine() const { return m_measured || m_compared; }
    Seconds whole() const; // of both steps
    const Timeline& timelineOf(Lane lane) const;
    std::optional<Place> placeAt(QPointF point) const;
    void takeBelow(Seconds before);
    void setHovered(std::optional<Place> place);
    void drawRow(QPainter& painter, std::size_t device) const;
    void drawTransfers(QPainter& painter, const ActionSpan& span) const;
    void drawSpan(QPainter& painter, Place place) const;
    void drawMemory(QPainter& painter, std::size_t device) const;
    void drawCriticalPath(QPainter& painter) const;
    void drawAxis(QPainter& painter) const;
    void chooseStage(int step);
    void look(const ScheduleGeometry& geometry);

    Selection* m_selection;
    Theme m_theme;
    std::shared_ptr<const ScheduleFigures> m_figures;
    ScheduleGeometry m_geometry;
    std::shared_ptr<const MeasuredFigures> m_measured;
    std::shared_ptr<const ScheduleFigures> m_compared;
    QToolButton* m_dismiss; // beside the line
    std::optional<Place> m_hovered;
};

} // namespace stagecraft
