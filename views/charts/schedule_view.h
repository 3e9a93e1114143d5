// ScheduleView: the timeline of a step on its devices, where the idle time comes from, and what each device
// holds in memory meanwhile.
//
// A measured step lies below the planned one, device by device, on the same axis.
//
// The person points at an action to read what it is, clicks it to choose its stage; the wheel with Ctrl
// zooms, without it moves along, a double click shows the whole step again.
#pragma once

#include "core/schedule/bubble.h"
#include "core/schedule/step_comparison.h"
#include "views/base/selection.h"
#include "views/base/theme.h"
#include "views/charts/schedule_geometry.h"

#include <QWidget>

#include <memory>

class QToolButton;

namespace stagecraft {

struct ScheduleFigures
{
    QString title; // "1f1b, 8 microbatches"
    Timeline timeline;
    BubbleParts bubble;
    std::vector<Bytes> memoryLimits; // by device; Bytes::max(): none
};

// A step as it ran, laid over the planned one.
struct MeasuredFigures
{
    QString name;    // of its files
    QString problem; // not empty: it cannot be laid over this plan, why, and the rest is not there
    Timeline timeline;
    StepComparison comparison;
    QString note; // what is to be known of it besides
};

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
    // What is said of the measured step; empty where there is none.
    QString measuredSummary() const;
    // "step 1.63 s, bubble 11 %: schedule 9 %, imbalance 1.8 %, transfers 0.3 %"
    QString summary() const;
    QString describe(std::size_t span, Lane lane = Lane::Planned) const;
    // For tests: where things are.
    const ScheduleGeometry& drawnGeometry() const { return m_geometry; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    // The panel has come into view: figures that were not asked for before are wanted now.
    void shown();
    // The measured step shall go.
    void measuredDismissed();

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
    bool hasLanes() const { return m_figures && m_measured && m_measured->problem.isEmpty(); }
    Seconds whole() const; // of both steps
    const Timeline& timelineOf(Lane lane) const;
    std::optional<Place> placeAt(QPointF point) const;
    QRectF measuredLine() const; // what is said of the measured step
    void setHovered(std::optional<Place> place);
    void drawHeader(QPainter& painter) const;
    void drawRow(QPainter& painter, std::size_t device) const;
    void drawMeasuredLine(QPainter& painter) const;
    void drawTransfers(QPainter& painter, const ActionSpan& span) const;
    void drawSpan(QPainter& painter, Place place) const;
    void drawMemory(QPainter& painter, std::size_t device) const;
    void drawCriticalPath(QPainter& painter) const;
    void drawAxis(QPainter& painter) const;
    void chooseStage(int step);

    Selection* m_selection;
    Theme m_theme;
    std::shared_ptr<const ScheduleFigures> m_figures;
    ScheduleGeometry m_geometry;
    std::shared_ptr<const MeasuredFigures> m_measured;
    QToolButton* m_dismiss; // beside the line
    std::optional<Place> m_hovered;
};

} // namespace stagecraft
