#include "views/charts/module_map_drawing.h"

#include "core/exchange/overlay_text.h"
#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/widgets.h"
#include "views/tables/table_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <algorithm>

namespace stagecraft {

namespace {

QRectF toDrawn(const Rect& rect)
{
    return {rect.x, rect.y, rect.width, rect.height};
}

} // namespace

ModuleMapDrawing::ModuleMapDrawing(Selection* selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_theme(applicationTheme())
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Modules"));
    setAccessibleDescription(tr("What each module takes of the model, as boxes within boxes"));
    connect(selection, &Selection::nodesChanged, this, [this] {
        markSelected();
        update();
    });
    connect(selection, &Selection::matchesChanged, this, [this] {
        markMatches();
        update();
    });
    onThemeChange(this, [this] {
        m_theme = applicationTheme();
        layOut();
    });
}

void ModuleMapDrawing::setPlan(const PlanView& plan)
{
    const bool isOfOtherModel = plan.graph != m_plan.graph;
    const bool isOther =
        isOfOtherModel || plan.profile != m_plan.profile || plan.partition != m_plan.partition;
    m_plan = plan;
    if (isOfOtherModel)
        m_shown = ModuleTree::root();
    if (isOther)
        makeShares();
}

void ModuleMapDrawing::setOverlay(std::shared_ptr<const Overlay> overlay)
{
    if (overlay == m_overlay)
        return;
    m_overlay = std::move(overlay);
    m_ownColors.clear();
    readOwnColors();
    update();
}

void ModuleMapDrawing::setShape(MapShape shape)
{
    m_shape = shape;
    layOut();
}

void ModuleMapDrawing::setMeasure(MapMeasure measure)
{
    m_measure = measure;
    makeShares();
}

void ModuleMapDrawing::enter(ModuleId module)
{
    m_shown = m_shares.find(module) ? module : ModuleTree::root();
    layOut();
    emit entered();
}

void ModuleMapDrawing::makeShares()
{
    m_shares = moduleShares(m_plan, m_measure);
    m_ownColors.clear();
    markSelected();
    enter(m_shown);
}

void ModuleMapDrawing::layOut()
{
    const double gap = em(this, 0.3);
    const Rect room{gap, 0, std::max(0.0, width() - 2 * gap), std::max(0.0, height() - gap)};
    m_boxes = moduleBoxes(m_shares, m_shown, m_shape, room, QFontMetricsF(font()).height());
    m_hovered.reset();
    markMatches();
    readOwnColors();
    update();
}

// Of what is drawn, once for each.
void ModuleMapDrawing::readOwnColors()
{
    if (!m_overlay)
        return;
    for (const ModuleBox& box : m_boxes)
        if (!m_ownColors.contains(box.share))
            m_ownColors[box.share] = overlayColour(*m_overlay, *m_plan.graph, nodesOf(m_plan, shareOf(box)));
}

// Of shares what a selected op is in, outside of modules below.
void ModuleMapDrawing::markSelected()
{
    m_isMarked.assign(m_shares.shares.size(), 0);
    if (isEmpty() || m_selection->nodes().size() == m_plan.graph->nodeCount())
        return;
    for (const NodeId node : m_selection->nodes())
        if (const auto share = ownShareOf(node))
            m_isMarked[*share] = 1;
}

std::optional<std::size_t> ModuleMapDrawing::ownShareOf(NodeId node) const
{
    const ModuleShare* module = m_shares.find((*m_plan.graph)[node].module);
    if (!module)
        return {};
    const StageId stage = m_plan.partition ? m_plan.partition->stageOf[node] : StageId(0);
    const auto part = std::ranges::find_if(
        module->parts, [&](std::size_t index) { return m_shares.shares[index].own == stage; });
    return part == module->parts.end() ? std::nullopt : std::optional(*part);
}

// What a search finds is marked on the innermost box that is seen of it, however small its own is.
void ModuleMapDrawing::markMatches()
{
    m_isMatch.assign(m_boxes.size(), 0);
    if (isEmpty() || !m_selection->matches())
        return;
    std::map<std::size_t, std::size_t> boxOf; // by share
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        boxOf[m_boxes[i].share] = i;
    const ModuleTree& modules = m_plan.graph->modules();
    for (const NodeId node : *m_selection->matches()) {
        std::optional<std::size_t> share = ownShareOf(node);
        std::optional<ModuleId> module = (*m_plan.graph)[node].module;
        while (module && !(share && boxOf.contains(*share))) {
            share = m_shares.ofModule[*module];
            module = modules[*module].parent;
        }
        if (share && boxOf.contains(*share))
            m_isMatch[boxOf[*share]] = 1;
    }
}

QString ModuleMapDrawing::titleOf(const ModuleShare& share) const
{
    const Module& module = m_plan.graph->modules()[share.module];
    if (share.own)
        return tr("own ops");
    if (!module.parent)
        return shownText(m_plan.graph->name());
    const QString name = shownText(module.name);
    return module.className.empty() ? name : name + QStringLiteral("  ") + shortClass(module.className);
}

QString ModuleMapDrawing::describe(std::size_t index) const
{
    const ModuleShare& share = shareOf(m_boxes[index]);
    const Module& module = m_plan.graph->modules()[share.module];
    QString name = module.path.empty() ? shownText(m_plan.graph->name()) : shownText(module.path);
    if (!module.className.empty())
        name += QStringLiteral(" (%1)").arg(shortClass(module.className));
    if (share.own)
        name = tr("%1: ops of no module below").arg(name);
    const double all = m_shares.shares.front().value;
    const QString stage = share.onlyStage ? stageName(*share.onlyStage) : tr("several stages");
    const std::vector<NodeId> nodes = nodesOf(m_plan, share);
    const std::string own = m_overlay ? figureTexts(*m_overlay, *m_plan.graph, nodes) : std::string();
    return tr("%1\n%2: %3, %4 of all\n%5, %6")
               .arg(name, measureName(m_measure), measureText(m_measure, share.value),
                    percentText(share.value / all), stage, opCountText(nodes.size())) +
           (own.empty() ? QString() : '\n' + shownText(own));
}

QString ModuleMapDrawing::seriesCsv() const
{
    QString csv = csvLine({"Module", "Class", "Stage", csvField(measureName(m_measure))});
    for (const ModuleShare& share : m_shares.shares) {
        const Module& module = m_plan.graph->modules()[share.module];
        csv += csvLine({csvField(shownText(module.path) + (share.own ? tr(" (own ops)") : QString())),
                        csvField(shownText(module.className)),
                        share.onlyStage ? QString::number(share.onlyStage->index() + 1) : QString(),
                        csvNumber(share.value)});
    }
    return csv;
}

QSize ModuleMapDrawing::sizeHint() const
{
    return {em(this, 40), em(this, 14)};
}

QSize ModuleMapDrawing::minimumSizeHint() const
{
    return {em(this, 12), em(this, 5)};
}

void ModuleMapDrawing::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.surface);
    painter.setFont(scaledFont(this, 0.9));
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        paintBox(painter, i);
    const auto outline = [&](std::size_t box, const QColor& color) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 2));
        painter.drawRect(toDrawn(m_boxes[box].rect).adjusted(1, 1, -1, -1));
    };
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        if (m_boxes[i].share == m_chosen || m_isMarked[m_boxes[i].share] != 0)
            outline(i, m_theme.accent);
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        if (isMatch(i))
            paintMatch(painter, m_boxes[i]);
    if (m_hovered)
        outline(*m_hovered, m_theme.text);
    if (hasFocus())
        drawFocusFrame(painter, rect(), m_theme);
}

// A bar at its left, which a box of a few pixels still shows.
void ModuleMapDrawing::paintMatch(QPainter& painter, const ModuleBox& box) const
{
    QRectF bar = toDrawn(box.rect);
    bar.setWidth(std::min<double>(bar.width(), em(this, 0.35)));
    painter.fillRect(bar, m_theme.accent);
}

// Of the stage or the figure that it has; muted where it has none.
QColor ModuleMapDrawing::colorOf(std::size_t share) const
{
    if (!m_overlay) {
        const auto stage = m_shares.shares[share].onlyStage;
        return stage ? stageColor(m_theme, *stage) : m_theme.mutedText;
    }
    const auto own = m_ownColors.find(share);
    if (own == m_ownColors.end() || !own->second)
        return m_theme.mutedText;
    return {own->second->red, own->second->green, own->second->blue};
}

// What is around others is paler. A figure's colour is the legend's, so that it can be read.
QColor ModuleMapDrawing::fillOf(std::size_t share) const
{
    const QColor color = colorOf(share);
    if (m_theme.highContrast)
        return m_theme.surface;
    if (color == m_theme.mutedText)
        return mixed(m_theme.surface, color, !m_overlay && isLeaf(m_shares.shares[share]) ? 0.5 : 0.1);
    const double ofLeaf = m_overlay ? 1 : 0.5;
    return mixed(m_theme.surface, color, isLeaf(m_shares.shares[share]) ? ofLeaf : 0.26);
}

void ModuleMapDrawing::paintBox(QPainter& painter, std::size_t index) const
{
    const ModuleBox& box = m_boxes[index];
    const QColor color = colorOf(box.share);
    const QColor fill = fillOf(box.share);
    const QRectF rect = toDrawn(box.rect);
    painter.fillRect(rect, fill);
    if (rect.width() > 3 && rect.height() > 3) {
        painter.setPen(QPen(mixed(m_theme.surface, color, 0.75), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    paintTitle(painter, box, fill);
}

void ModuleMapDrawing::paintTitle(QPainter& painter, const ModuleBox& box, const QColor& fill) const
{
    const QFontMetricsF metrics(painter.font());
    const double gap = em(this, 0.35);
    const QRectF room = toDrawn(box.rect).adjusted(gap, 1, -gap, -1);
    const ModuleShare& share = shareOf(box);
    const bool isRow = m_shape == MapShape::Flames;
    // In a treemap what has boxes inside has a heading where there is room for one.
    const bool isHead = !isRow && !isLeaf(share);
    if (room.height() < metrics.height() * (isHead ? 2.0 : 0.95) || room.width() < metrics.height() * 1.6)
        return;
    const QRectF line(room.left(), isRow ? room.top() : room.top() + 1, room.width(),
                      isRow ? room.height() : metrics.height());
    painter.setPen(textColorOn(fill));
    const QString figure = measureText(m_measure, share.value);
    const double figureWidth = metrics.horizontalAdvance(figure) + gap;
    // The class, too, where there is room for it.
    QString title = titleOf(share);
    if (metrics.horizontalAdvance(title) > line.width())
        title = title.section(QStringLiteral("  "), 0, 0);
    const bool both = metrics.horizontalAdvance(title) + figureWidth + gap < line.width();
    painter.drawText(
        both ? line.adjusted(0, 0, -figureWidth, 0) : line, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(title, Qt::ElideRight, both ? line.width() - figureWidth : line.width()));
    if (both)
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, figure);
}

bool ModuleMapDrawing::isLeaf(const ModuleShare& share) const
{
    return share.parts.empty() || (share.parts.size() == 1 && m_shares.shares[share.parts.front()].own);
}

std::optional<std::size_t> ModuleMapDrawing::boxAt(QPointF point) const
{
    for (std::size_t i = m_boxes.size(); i-- > 0;) // inner ones come later
        if (toDrawn(m_boxes[i].rect).contains(point))
            return i;
    return {};
}

void ModuleMapDrawing::choose(std::optional<std::size_t> box)
{
    m_chosen = box ? std::optional(m_boxes[*box].share) : std::nullopt;
    m_selection->setNodes(box ? nodesOf(m_plan, shareOf(m_boxes[*box])) : std::vector<NodeId>());
    update();
}

void ModuleMapDrawing::leave()
{
    if (!isEmpty())
        if (const auto around = m_plan.graph->modules()[m_shown].parent)
            enter(*around);
}

void ModuleMapDrawing::chooseBeside(int key)
{
    const auto at =
        std::ranges::find_if(m_boxes, [&](const ModuleBox& box) { return box.share == m_chosen; });
    if (at == m_boxes.end()) {
        if (!m_boxes.empty())
            choose(0);
        return;
    }
    const auto here = static_cast<std::size_t>(at - m_boxes.begin());
    const bool isForward = key == Qt::Key_Right || key == Qt::Key_Down;
    const int depth = at->depth + (key == Qt::Key_Up ? -1 : key == Qt::Key_Down ? 1 : 0);
    for (std::size_t i = here; isForward ? ++i < m_boxes.size() : i-- > 0;) {
        if (m_boxes[i].depth == depth)
            return choose(i);
        if (m_boxes[i].depth < std::min(depth, at->depth)) // of another box around
            return;
    }
}

void ModuleMapDrawing::resizeEvent(QResizeEvent*)
{
    layOut();
}

bool ModuleMapDrawing::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto box = boxAt(help->pos()))
        QToolTip::showText(help->globalPos(), toolTipText(describe(*box)), this);
    else
        QToolTip::hideText();
    return true;
}

void ModuleMapDrawing::mouseMoveEvent(QMouseEvent* event)
{
    const auto box = boxAt(event->position());
    if (box == m_hovered)
        return;
    m_hovered = box;
    update();
}

void ModuleMapDrawing::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        choose(boxAt(event->position()));
}

void ModuleMapDrawing::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto box = boxAt(event->position());
    if (!box)
        return;
    // Into the outermost that is not shown whole already, as boxes are met from outside.
    const ModuleTree& modules = m_plan.graph->modules();
    ModuleId module = shareOf(m_boxes[*box]).module;
    if (module == m_shown)
        return leave();
    while (modules[module].parent && *modules[module].parent != m_shown)
        module = *modules[module].parent;
    enter(module);
}

void ModuleMapDrawing::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_chosen && *m_chosen < m_shares.shares.size())
            enter(m_shares.shares[*m_chosen].module);
        return;
    case Qt::Key_Backspace:
        return leave();
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        return chooseBeside(event->key());
    default:
        QWidget::keyPressEvent(event);
    }
}

void ModuleMapDrawing::leaveEvent(QEvent* event)
{
    m_hovered.reset();
    update();
    QWidget::leaveEvent(event);
}

} // namespace stagecraft
