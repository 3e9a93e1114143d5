// What the window says in its message bar. The rest is in main_window.cpp.
#include "app/window/main_window.h"
#include "views/base/format.h"
#include "views/base/message_bar.h"
#include "views/base/plain_text.h"

namespace stagecraft {

void MainWindow::connectMessages()
{
    const auto post = [this](const QString& id, Message::Severity severity, const QString& text) {
        m_messages->post({id, severity, text, {}, {}});
    };
    connect(&m_document, &Document::failed, this,
            [=](const QString& text) { post("failed", Message::Severity::Error, text); });
    connect(&m_document, &Document::refused, this,
            [=](const QString& text) { post("refused", Message::Severity::Warning, text); });
    connect(&m_document, &Document::noticed, this,
            [=](const QString& text) { post(text, Message::Severity::Info, text); });
    connect(&m_document, &Document::noticedAt, this,
            [this](const QString& text, const std::vector<NodeId>& nodes) {
                m_noticed[text] = nodes;
                m_messages->post({text,
                                  Message::Severity::Info,
                                  text,
                                  {},
                                  {{"nodes", tr("Show %1").arg(opCountText(nodes.size()))}}});
            });
    connect(&m_document, &Document::nothingFits, this, [this, post](const QString& why) {
        m_unfit = m_document.state().problem;
        post("nothingFits", Message::Severity::Warning, why);
    });
    connect(&m_document, &Document::previewChanged, this, [this] { m_messages->remove("refused"); });
    connect(&m_document, &Document::lastSplitFound, this, [this] {
        const bool isPlan = !m_document.planPath().empty();
        m_messages->post({"lastSplit",
                          Message::Severity::Info,
                          isPlan ? tr("This plan was edited before, and not saved.")
                                 : tr("A plan of this model was edited before, and not saved."),
                          {},
                          {{"restore", tr("Restore the edits")}}});
    });
    connect(m_messages, &MessageBar::actionTriggered, this, &MainWindow::runMessageAction);
}

void MainWindow::runMessageAction(const QString& messageId, const QString& actionId)
{
    if (actionId == "restore")
        m_document.restoreLastSplit();
    if (actionId == "split")
        m_document.splitAutomatically();
    if (actionId == "nodes") {
        m_views.selection->setNodes(m_noticed[messageId]);
        m_views.selection->reveal(m_noticed[messageId]);
    }
}

// Says where a real run first made something that is not a number.
void MainWindow::showStatistics()
{
    m_messages->remove("nonFinite");
    const auto& statistics = m_document.statistics();
    if (!statistics)
        return;
    for (const std::string& note : statistics->notes)
        emit m_document.noticed(QString::fromStdString(note));
    const auto origin =
        statistics->firstNonFinite ? statistics->firstNonFinite : statistics->firstNonFiniteGradient;
    if (!origin)
        return;
    m_noticed["nonFinite"] = {*origin};
    const Graph& graph = m_document.model()->graph;
    const Node& node = graph[*origin];
    const QString name = shownText(node.name);
    const QString module = shownText(graph.modules()[node.module].path);
    const QString what = statistics->firstNonFinite ? tr("The first NaN or infinity is made by %1 (%2)")
                                                    : tr("The first NaN or infinity of the backward pass is "
                                                         "made by %1 (%2)");
    m_messages->post(
        {"nonFinite",
         Message::Severity::Warning,
         what.arg(name, shownText(node.target)) + (module.isEmpty() ? QString() : tr(" in %1").arg(module)),
         {},
         {{"nodes", tr("Show it")}}});
}

} // namespace stagecraft
