#include "views/plan/constraints_panel.h"

#include "views/base/format.h"
#include "views/base/icons.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/tables/row_menu.h"
#include "views/tables/table_tools.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <utility>

namespace stagecraft {

namespace {

using Kind = ConstraintInForce::Kind;

constexpr int indexRole = Qt::UserRole + 10; // of a row: its place in what was set
constexpr int mostRowsInSight = 10;

QString titleOf(Kind kind)
{
    switch (kind) {
    case Kind::Lock:
        return ConstraintsPanel::tr("Locked boundaries");
    case Kind::Pin:
        return ConstraintsPanel::tr("Pinned ops");
    case Kind::Group:
        return ConstraintsPanel::tr("Kept together");
    case Kind::NeverCut:
        return ConstraintsPanel::tr("Never sent");
    case Kind::Limit:
        return ConstraintsPanel::tr("Memory limits");
    }
    return {};
}

QString nameOf(const Graph& graph, NodeId node)
{
    return shownText(graph[node].name);
}

// The innermost module that holds them all; empty where that is the model.
QString moduleOf(const Graph& graph, const std::vector<NodeId>& nodes)
{
    ModuleId module = graph[nodes.front()].module;
    for (const NodeId node : nodes)
        while (!graph.modules().contains(module, graph[node].module))
            module = *graph.modules()[module].parent;
    return shownText(graph.modules()[module].path);
}

QString groupText(const Graph& graph, const std::vector<NodeId>& nodes)
{
    const QString module = moduleOf(graph, nodes);
    return module.isEmpty() ? ConstraintsPanel::tr("%1 to %2")
                                  .arg(nameOf(graph, nodes.front()), nameOf(graph, nodes.back()))
                            : module;
}

QString limitsText(const std::vector<Bytes>& limits)
{
    if (limits.size() == 1)
        return ConstraintsPanel::tr("every device");
    return ConstraintsPanel::tr("%1 stages").arg(limits.size());
}

QString limitsValue(const std::vector<Bytes>& limits)
{
    const auto [least, most] = std::ranges::minmax(limits);
    return least == most ? toText(least) : ConstraintsPanel::tr("%1 to %2").arg(toText(least), toText(most));
}

// What it is about, and what it says of that.
std::pair<QString, QString> textsOf(const Graph& graph, const ConstraintInForce& constraint)
{
    const std::vector<NodeId>& nodes = constraint.nodes;
    switch (constraint.kind) {
    case Kind::Lock:
        return {boundaryTerm(BoundaryId(constraint.stage->index())),
                ConstraintsPanel::tr("held by %1").arg(opCountText(nodes.size()))};
    case Kind::Pin:
        return {nameOf(graph, nodes.front()), stagesTerm({*constraint.stage})};
    case Kind::Group:
        return {groupText(graph, nodes), opCountText(nodes.size())};
    case Kind::NeverCut:
        return {shownText(graph[*constraint.value].name),
                ConstraintsPanel::tr("stays with %1").arg(opCountText(nodes.size()))};
    case Kind::Limit:
        return {limitsText(constraint.limits), limitsValue(constraint.limits)};
    }
    return {};
}

} // namespace

ConstraintsPanel::ConstraintsPanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_none(
          new QLabel(tr("None. The menu of an op, a module or a boundary in the graph locks, pins and keeps "
                        "together."))),
      m_rows(new QTreeWidget),
      m_delete(new QPushButton(tr("Delete")))
{
    setAccessibleName(tr("Constraints"));
    auto* heading = new QLabel(tr("Constraints"));
    heading->setFont(boldFont(heading->font()));
    m_none->setWordWrap(true);
    m_none->setForegroundRole(QPalette::PlaceholderText);
    m_rows->setAccessibleName(tr("Constraints in force"));
    m_rows->setHeaderLabels({tr("Constraint"), tr("What it says")});
    m_rows->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_rows->setUniformRowHeights(true);
    m_rows->setAllColumnsShowFocus(true);
    auto* tools = new TableTools(m_rows, tr("Constraints"), TableTools::Sorting::Wanted);
    QWidget* filter = tools->filterLine();
    giveRowMenu(m_rows, tools->actions(), [this](QMenu& menu, const QModelIndex&) { fillMenu(menu); });
    m_delete->setToolTip(tr("Delete what is chosen here (Delete): it no longer holds, and one undo brings it "
                            "back"));
    auto* top = new QHBoxLayout;
    top->addWidget(heading, 1);
    top->addWidget(m_delete);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 0.7), em(this, 0.6), em(this, 0.7), em(this, 0.6));
    layout->setSpacing(em(this, spacing::medium));
    layout->addLayout(top);
    layout->addWidget(m_none);
    layout->addWidget(m_rows);
    layout->addWidget(filter);
    connect(m_rows, &QTreeWidget::itemSelectionChanged, this, &ConstraintsPanel::showChoice);
    connect(m_delete, &QPushButton::clicked, this, &ConstraintsPanel::deleteChosen);
    onKeyPress(m_rows, [this](int key, Qt::KeyboardModifiers) {
        const bool isDelete = key == Qt::Key_Delete || key == Qt::Key_Backspace;
        if (isDelete)
            deleteChosen();
        return isDelete;
    });
    fill();
}

void ConstraintsPanel::setConstraints(const std::vector<ConstraintInForce>& constraints,
                                      std::shared_ptr<const Graph> graph)
{
    if (constraints == m_constraints && graph == m_graph)
        return;
    m_constraints = constraints;
    m_graph = std::move(graph);
    fill();
}

void ConstraintsPanel::fill()
{
    const QSignalBlocker quiet(m_rows);
    m_rows->clear();
    for (const Kind kind : {Kind::Lock, Kind::Pin, Kind::Group, Kind::NeverCut, Kind::Limit}) {
        const auto count = std::ranges::count(m_constraints, kind, &ConstraintInForce::kind);
        if (count == 0)
            continue;
        auto* parent = new QTreeWidgetItem(m_rows, {titleOf(kind), QString::number(count)});
        parent->setFont(0, boldFont(m_rows->font()));
        for (std::size_t i = 0; i < m_constraints.size(); ++i)
            if (m_constraints[i].kind == kind)
                addRow(parent, i);
        parent->setExpanded(true);
    }
    const bool areThere = !m_constraints.empty();
    m_none->setVisible(!areThere);
    m_rows->setVisible(areThere);
    m_delete->setVisible(areThere);
    m_rows->resizeColumnToContents(0);
    const int rows =
        std::min(mostRowsInSight, m_rows->topLevelItemCount() + static_cast<int>(m_constraints.size()));
    m_rows->setFixedHeight((rows + 1) * (m_rows->fontMetrics().height() + em(this, 0.5)) +
                           m_rows->header()->sizeHint().height());
    showChoice();
}

void ConstraintsPanel::addRow(QTreeWidgetItem* parent, std::size_t index)
{
    const auto [what, says] = textsOf(*m_graph, m_constraints[index]);
    auto* item = new QTreeWidgetItem(parent, {what, says});
    item->setToolTip(0, toolTipText(what));
    item->setToolTip(1, toolTipText(says));
    item->setData(0, indexRole, static_cast<qulonglong>(index));
}

// Of a title, all below it that are in sight.
std::vector<std::size_t> ConstraintsPanel::chosen() const
{
    std::set<std::size_t> chosen;
    const auto add = [&](const QTreeWidgetItem* item) {
        chosen.insert(item->data(0, indexRole).toULongLong());
    };
    for (const QTreeWidgetItem* item : m_rows->selectedItems()) {
        if (item->childCount() == 0)
            add(item);
        for (int i = 0; i < item->childCount(); ++i)
            if (!item->child(i)->isHidden())
                add(item->child(i));
    }
    return {chosen.begin(), chosen.end()};
}

std::vector<NodeId> ConstraintsPanel::chosenNodes() const
{
    std::set<NodeId> nodes;
    for (const std::size_t row : chosen())
        nodes.insert(m_constraints[row].nodes.begin(), m_constraints[row].nodes.end());
    return {nodes.begin(), nodes.end()};
}

void ConstraintsPanel::showChoice()
{
    m_delete->setEnabled(!chosen().empty());
    if (std::vector<NodeId> nodes = chosenNodes(); !nodes.empty())
        m_selection->setNodes(std::move(nodes));
}

void ConstraintsPanel::fillMenu(QMenu& menu)
{
    QAction* show = menu.addAction(themedIcon("find"), tr("Show in the graph"), this,
                                   [this] { m_selection->reveal(chosenNodes()); });
    show->setEnabled(!chosenNodes().empty()); // a limit is of no ops
    QAction* erase = menu.addAction(m_delete->text(), this, &ConstraintsPanel::deleteChosen);
    erase->setShortcut(Qt::Key_Delete);
    erase->setEnabled(!chosen().empty());
}

void ConstraintsPanel::deleteChosen()
{
    if (const std::vector<std::size_t> rows = chosen(); !rows.empty())
        emit deleteRequested(rows);
}

} // namespace stagecraft
