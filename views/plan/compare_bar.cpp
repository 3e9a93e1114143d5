#include "views/plan/compare_bar.h"

#include "views/base/format.h"
#include "views/base/icons.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/plan/difference_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QTextDocumentFragment>
#include <QToolButton>

namespace stagecraft {

namespace {

QColor colorOf(Verdict verdict, const Theme& theme)
{
    return verdict == Verdict::Better  ? theme.success
           : verdict == Verdict::Worse ? theme.danger
                                       : theme.mutedText;
}

QString figureHtml(const FigureDifference& difference, const Theme& theme)
{
    QString html = QStringLiteral("%1&nbsp;%2")
                       .arg(figureTitle(difference.figure).toHtmlEscaped(),
                            figureText(difference.figure, difference.to).toHtmlEscaped());
    const QString change = differenceText(difference);
    if (!change.isEmpty())
        html += QStringLiteral("&nbsp;<b style='color:%1'>%2</b>")
                    .arg(colorOf(difference.verdict, theme).name(), change.toHtmlEscaped());
    return html.replace(' ', QStringLiteral("&nbsp;")).replace(QStringLiteral("<b&nbsp;"), "<b ");
}

// How much of the model runs elsewhere; plans of other numbers of stages are told apart by that alone.
QString stagesOf(const Partition& a, const Partition& b)
{
    if (a.stageCount != b.stageCount)
        return QObject::tr("%1 instead of %2")
            .arg(stagesText(a.stageCount, 0), QString::number(b.stageCount));
    const std::size_t moved = movedNodes(b, a).size();
    return moved == 0 ? QObject::tr("the same cuts")
                      : QObject::tr("%1 in other stages").arg(opCountText(moved));
}

QToolButton* button(const QString& icon, const QString& text, const QString& help)
{
    auto* made = new QToolButton;
    made->setAutoRaise(true);
    if (!icon.isEmpty())
        made->setIcon(themedIcon(icon));
    made->setText(text);
    made->setToolTip(help);
    made->setAccessibleName(help);
    return made;
}

} // namespace

CompareBar::CompareBar(QWidget* parent) : QWidget(parent), m_name(new QLabel), m_figures(new QLabel)
{
    setAccessibleName(tr("Comparison"));
    m_name->setTextFormat(Qt::PlainText);
    m_name->setFont(scaledFont(this, 1.0, QFont::DemiBold));
    m_name->setWordWrap(true);
    m_name->setAccessibleName(tr("The plan that is kept as B"));
    m_figures->setTextFormat(Qt::RichText);
    m_figures->setWordWrap(true);
    m_figures->setAccessibleName(tr("A against B"));
    auto* swap =
        button({}, tr("Swap"), tr("Swap A and B: what is kept becomes the plan, and the plan is kept"));
    auto* drop = button({}, QStringLiteral("✕"), tr("Drop B: compare no longer"));
    connect(swap, &QToolButton::clicked, this, &CompareBar::swapRequested);
    connect(drop, &QToolButton::clicked, this, &CompareBar::dropRequested);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(em(this, 0.1));
    texts->addWidget(m_name);
    texts->addWidget(m_figures);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(em(this, 0.8), em(this, 0.35), em(this, 0.4), em(this, 0.35));
    layout->addLayout(texts, 1);
    layout->addWidget(swap, 0, Qt::AlignTop);
    layout->addWidget(drop, 0, Qt::AlignTop);
    onThemeChange(this, [this] { refresh(); });
    refresh();
}

void CompareBar::setPlan(std::shared_ptr<const PlanCost> cost, std::shared_ptr<const Partition> partition)
{
    m_cost = std::move(cost);
    m_partition = std::move(partition);
    refresh();
}

void CompareBar::setCompared(std::shared_ptr<const ComparedPlan> other)
{
    m_other = std::move(other);
    refresh();
}

QString CompareBar::summary() const
{
    return QTextDocumentFragment::fromHtml(m_figures->text()).toPlainText().replace(QChar::Nbsp, ' ');
}

void CompareBar::refresh()
{
    setVisible(m_other != nullptr);
    if (!m_other)
        return;
    m_name->setText(tr("B: %1").arg(m_other->name));
    m_name->setToolTip(toolTipText(
        m_other->cost ? qualityText(*m_other->cost, m_other->bound, m_other->stepBound) : QString()));
    if (!m_cost || !m_other->cost || !m_partition || !m_other->partition) {
        m_figures->setText(tr("A has no figures yet."));
        return;
    }
    const Theme theme = applicationTheme();
    QStringList parts;
    for (const FigureDifference& difference : figureDifferences(*m_other->cost, *m_cost))
        parts << figureHtml(difference, theme);
    parts << stagesOf(*m_partition, *m_other->partition).toHtmlEscaped();
    m_figures->setText(tr("A against B: %1").arg(parts.join(QStringLiteral(" · "))));
}

// A hairline below parts it from the graph.
void CompareBar::paintEvent(QPaintEvent*)
{
    const Theme theme = applicationTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.fillRect(QRect(0, 0, em(this, 0.25), height()), theme.accent);
    painter.setPen(theme.border);
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

} // namespace stagecraft
