#include "views/graph/graph_crumbs.h"

#include "core/layout/item_text.h"
#include "views/base/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr qsizetype longestName = 26; // letters; of a longer one the end tells more

QString crumbName(const Layout& layout, ItemId id)
{
    const LayoutItem& item = layout.items[id];
    QString name = shownText(itemTitle(layout, item));
    if (name.size() > longestName)
        name = QChar(0x2026) + name.right(longestName - 1);
    const std::size_t copies = item.box ? layout.tree->boxes[*item.box].copies : 1;
    return copies > 1 ? QStringLiteral("%1 %2%3").arg(name, QChar(0x00d7)).arg(copies) : name;
}

// A button would take it for the mark of a key.
QString withoutKey(QString name)
{
    return name.replace('&', QStringLiteral("&&"));
}

} // namespace

GraphCrumbs::GraphCrumbs(QWidget* parent) : QWidget(parent), m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(8, 1, 8, 1);
    m_row->setSpacing(2);
    setAccessibleName(tr("Where the selection is"));
    setCursor(Qt::ArrowCursor);
    hide();
}

bool GraphCrumbs::show(const GraphPaint& paint, std::optional<ItemId> item)
{
    std::vector<ItemId> path;
    QStringList names;
    if (paint.layout)
        for (std::optional<ItemId> at = item; at; at = paint.layout->items[*at].parent)
            path.push_back(*at);
    constexpr std::size_t leastWorthTelling = 3; // what stands on a page says itself where it is
    if (path.size() < leastWorthTelling)
        path.clear();
    std::ranges::reverse(path);
    for (const ItemId id : path)
        names << crumbName(*paint.layout, id);
    m_ground = paint.theme.raised;
    m_border = paint.theme.border;
    setVisible(!path.empty());
    if (path == m_path && names == m_names)
        return !path.empty();
    m_path = path;
    m_names = names;
    while (QLayoutItem* old = m_row->takeAt(0)) {
        old->widget()->deleteLater();
        delete old;
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
        const bool isLast = i + 1 == path.size();
        const bool isPlace = paint.layout->items[path[i]].kind == ItemKind::OpenBox && !isLast;
        addCrumb(names[static_cast<qsizetype>(i)], isPlace ? std::optional(path[i]) : std::nullopt);
        if (!isLast)
            addCrumb(QChar(0x203a), {});
    }
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    adjustSize();
    return !path.empty();
}

void GraphCrumbs::addCrumb(const QString& name, std::optional<ItemId> goesTo)
{
    if (!goesTo) {
        auto* label = new QLabel(this);
        label->setTextFormat(Qt::PlainText);
        label->setText(name);
        m_row->addWidget(label);
        return;
    }
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setText(withoutKey(name));
    button->setToolTip(tr("Go to this box"));
    connect(button, &QToolButton::clicked, this, [this, box = *goesTo] { emit chosen(box); });
    m_row->addWidget(button);
}

QStringList GraphCrumbs::names() const
{
    return m_names;
}

void GraphCrumbs::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_border, 1));
    painter.setBrush(m_ground);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);
}

} // namespace stagecraft
