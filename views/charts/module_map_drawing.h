// The boxes of a ModuleMap, and what the mouse and the keys do in them. Private to the charts.
#pragma once

#include "core/exchange/overlay.h"
#include "views/base/selection.h"
#include "views/base/theme.h"
#include "views/charts/module_boxes.h"

#include <QWidget>

#include <map>
#include <memory>
#include <optional>

namespace stagecraft {

class ModuleMapDrawing : public QWidget
{
    Q_OBJECT

public:
    explicit ModuleMapDrawing(Selection* selection, QWidget* parent = nullptr);

    void setPlan(const PlanView& plan);
    // Of the plan's graph: boxes have the colours of its figures; null: those of stages.
    void setOverlay(std::shared_ptr<const Overlay> overlay);
    void setShape(MapShape shape);
    void setMeasure(MapMeasure measure);
    // The module that fills the drawing; the whole model where it has nothing.
    void enter(ModuleId module);

    const PlanView& plan() const { return m_plan; }
    MapShape shape() const { return m_shape; }
    MapMeasure measure() const { return m_measure; }
    ModuleId shownModule() const { return m_shown; }
    bool isEmpty() const { return m_shares.shares.empty(); }
    const std::vector<ModuleBox>& boxes() const { return m_boxes; }
    // Does a search find something of it, outside of boxes within it that are seen?
    bool isMatch(std::size_t box) const { return m_isMatch[box] != 0; }
    // "model.layers.3 (DecoderLayer)", its figure and its share of all.
    QString describe(std::size_t box) const;
    // Every share, a line each, for other programs.
    QString seriesCsv() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void entered();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void makeShares();
    void layOut();
    const ModuleShare& shareOf(const ModuleBox& box) const { return m_shares.shares[box.share]; }
    std::optional<std::size_t> boxAt(QPointF point) const; // the innermost
    void choose(std::optional<std::size_t> box);
    void chooseBeside(int key);
    void leave(); // to the module around
    QString titleOf(const ModuleShare& share) const;
    void readOwnColors();
    QColor colorOf(std::size_t share) const;
    QColor fillOf(std::size_t share) const;
    void paintBox(QPainter& painter, std::size_t box) const;
    void paintTitle(QPainter& painter, const ModuleBox& box, const QColor& fill) const;
    void markSelected();
    void markMatches();
    void paintMatch(QPainter& painter, const ModuleBox& box) const;
    // The part of its module that it does itself; none: of no module that has something.
    std::optional<std::size_t> ownShareOf(NodeId node) const;
    // Has it nothing but ops of its own?
    bool isLeaf(const ModuleShare& share) const;

    Selection* m_selection;
    Theme m_theme;
    PlanView m_plan;
    MapShape m_shape = MapShape::Treemap;
    MapMeasure m_measure = MapMeasure::Time;
    std::shared_ptr<const Overlay> m_overlay;
    ModuleShares m_shares;
    std::map<std::size_t, std::optional<OverlayColour>> m_ownColors; // by share, of those that were drawn
    ModuleId m_shown = ModuleTree::root();
    std::vector<ModuleBox> m_boxes;
    std::optional<std::size_t> m_hovered;
    std::optional<std::size_t> m_chosen; // the share that was clicked
    std::vector<char> m_isMarked;        // by share: is something of it selected?
    std::vector<char> m_isMatch;         // by box
};

} // namespace stagecraft
