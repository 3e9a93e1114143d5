// ScheduleView: the timeline of a step on its devices, where the idle time comes from, and what each device
// holds in memory meanwhile.
//
// The person points at an action to read what it is, clicks it to choose its stage; the wheel with Ctrl
// zooms, without it moves along, a double click shows the whole step again.
#pragma once

#include "core/schedule/bubble.h"
#include "views/base/selection.h"
#include "views/base/theme.h"
#include "views/charts/schedule_geometry.h"

#include <QWidget>

#include <memory>

namespace stagecraft {

struct ScheduleFigures
{
    QString title; // "1f1b, 8 microbatches"
    Timeline timeline;
    BubbleParts bubble;
    std::vector<Bytes> memoryLimits; // by device; Bytes::max(): none
};

class ScheduleView : public QWidget
{
    Q_OBJECT

public:
    explicit ScheduleView(Selection* selection, QWidget* parent = nullptr);

    // Null: there is no plan to show.
    void setFigures(std::shared_ptr<const ScheduleFigures> figures);
    const std::shared_ptr<const ScheduleFigures>& figures() const { return m_figures; }
    // "step 1.63 s, bubble 11 %: schedule 9 %, imbalance 1.8 %, transfers 0.3 %"
    QString summary() const;
    QString describe(std::size_t span) const;
    // For tests: where things are.
    const ScheduleGeometry& drawnGeometry() const { return m_geometry; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    // The panel has come into view: figures that were not asked for before are wanted now.
    void shown();

protected:
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
    void setHovered(std::optional<std::size_t> span);
    void drawHeader(QPainter& painter) const;
    void drawRow(QPainter& painter, std::size_t device) const;
    void drawSpan(QPainter& painter, const ActionSpan& span) const;
    void drawMemory(QPainter& painter, std::size_t device) const;
    void drawCriticalPath(QPainter& painter) const;
    void drawAxis(QPainter& painter) const;
    void chooseStage(int step);

    Selection* m_selection;
    Theme m_theme;
    std::shared_ptr<const ScheduleFigures> m_figures;
    ScheduleGeometry m_geometry;
    std::optional<std::size_t> m_hovered; // index of a span
};

} // namespace stagecraft
