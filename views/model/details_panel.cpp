#include "views/model/details_panel.h"

#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/model/details_html.h"

#include <QClipboard>
#include <QCursor>
#include <QGuiApplication>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolTip>
#include <QUrl>
#include <QVBoxLayout>

namespace stagecraft {

DetailsPanel::DetailsPanel(Selection* selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_text(new QTextBrowser)
{
    setAccessibleName(tr("Details"));
    setAccessibleDescription(tr("What is known of the selected operators"));
    m_text->setAccessibleName(tr("Details of the selection"));
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->document()->setDocumentMargin(em(this, 0.6));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
    setFocusProxy(m_text);
    connect(m_text, &QTextBrowser::anchorClicked, this, &DetailsPanel::follow);
    connect(m_selection, &Selection::nodesChanged, this, &DetailsPanel::showSelection);
    onThemeChange(this, [this] { showSelection(); });
    showSelection();
}

void DetailsPanel::setPlan(const PlanView& plan)
{
    m_plan = plan;
    const int place = m_text->verticalScrollBar()->value();
    showSelection();
    m_text->verticalScrollBar()->setValue(place);
}

void DetailsPanel::showSelection()
{
    const Theme theme = applicationTheme();
    const auto& nodes = m_selection->nodes();
    const bool known = m_plan.graph && !nodes.empty() && nodes.back().index() < m_plan.graph->nodeCount();
    if (!known)
        m_text->setHtml(QStringLiteral("<p style='color:%1'>%2</p>")
                            .arg(theme.mutedText.name(), tr("Select an operator or a module to see what it "
                                                            "costs, reads and gives.")));
    else if (nodes.size() == 1)
        m_text->setHtml(nodeDetails(m_plan, theme, nodes.front()));
    else
        m_text->setHtml(groupDetails(m_plan, theme, nodes));
}

void DetailsPanel::follow(const QUrl& url)
{
    const QString link = url.toString();
    if (url.scheme() == "node") {
        const NodeId node(link.section(':', 1).toUInt());
        m_selection->setNodes({node});
        m_selection->reveal({node});
    } else if (url.scheme() == "source") {
        const QString place = link.section(':', 2) + ':' + link.section(':', 1, 1);
        QGuiApplication::clipboard()->setText(place);
        QToolTip::showText(QCursor::pos(), tr("Copied: %1").arg(place.toHtmlEscaped()), m_text);
    }
}

} // namespace stagecraft
