#include "app/window/window_messages.h"

#include "app/document/document.h"
#include "app/document/recomputed_plans.h"
#include "app/document/tried_plan.h"
#include "core/trace/substitute_kinds.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/selection.h"

namespace stagecraft {

WindowMessages::WindowMessages(MessageBar* bar, Document& document, Selection* selection)
    : m_bar(bar), m_document(document), m_selection(selection)
{
    connectDocument();
    connect(m_bar, &MessageBar::actionTriggered, this, &WindowMessages::answer);
}

void WindowMessages::showError(const QString& text)
{
    m_bar->post({"failed", Message::Severity::Error, text, {}, {}});
}

void WindowMessages::showError(const Error& error)
{
    showError(QString::fromStdString(error.message));
}

void WindowMessages::showWarning(const QString& id, const QString& text)
{
    m_bar->post({id, Message::Severity::Warning, text, {}, {}});
}

// With a button that answer() hears of.
void WindowMessages::offer(const QString& id, const QString& text, const QString& actionId,
                           const QString& action, Message::Severity severity)
{
    m_bar->post({id, severity, text, {}, {{actionId, action}}});
}

void WindowMessages::connectDocument()
{
    const Document* document = &m_document;
    connect(document, &Document::failed, this, [this](const QString& text) { showError(text); });
    connect(document, &Document::refused, this,
            [this](const QString& text) { showWarning("refused", text); });
    connect(document, &Document::noticed, this, &WindowMessages::postNote);
    connect(document, &Document::noticedAt, this,
            [this](const QString& text, const std::vector<NodeId>& nodes) {
                m_nodes[text] = nodes;
                postNote(text);
            });
    connect(document, &Document::previewChanged, this, [this] { m_bar->remove("refused"); });
    connect(document, &Document::lastSplitFound, this, &WindowMessages::showLastSplit);
    connect(&m_document.analyses(), &DocumentAnalyses::statisticsChanged, this,
            &WindowMessages::showStatistics);
    connect(document, &Document::modelGone, this, &WindowMessages::forgetModel);
    connect(document, &Document::modelChanged, this, &WindowMessages::showPlan);
    connect(document, &Document::planChanged, this, &WindowMessages::showPlan);
    connect(document, &Document::planSettled, this, &WindowMessages::showPlan);
    connect(document, &Document::planNotSettled, this, &WindowMessages::offerToSettle);
}

// What refers to ops of a model goes with it.
void WindowMessages::forgetModel()
{
    m_bar->clear();
    m_nodes.clear();
    m_profileNotes.clear();
    m_goneNotes.clear();
    m_shownTimes.reset();
    m_shownWord = {};
    m_offeredToSplit.clear();
}

void WindowMessages::showPlan()
{
    showSearchWord();
    showProfileNotes();
    offerToReplan();
    offerToSplit();
    if (!isUnsettled(m_document.state()))
        m_bar->remove("unsettled");
}

void WindowMessages::postNote(const QString& text)
{
    Message message{text, Message::Severity::Info, text, {}, {}};
    if (const auto about = m_nodes.find(text); about != m_nodes.end()) {
        const std::vector<NodeId>& nodes = about->second;
        message.actions.push_back({"nodes", tr("Show %1").arg(opCountText(nodes.size()))});
        if (isUnknownOperator(m_document.model()->graph[nodes.front()]))
            message.actions.push_back({"costs", tr("Say what it costs…")});
    }
    m_bar->post(message);
}

// What was said of another profile, of another device say, goes, and comes back with it.
void WindowMessages::showProfileNotes()
{
    QSet<QString> notes;
    if (const auto& profile = m_document.state().profile)
        for (const std::string& note : noteTexts(*profile))
            notes << QString::fromStdString(note);
    for (const QString& gone : m_profileNotes - notes)
        if (m_bar->has(gone)) {
            m_goneNotes << gone;
            m_bar->remove(gone);
        }
    for (const QString& back : m_goneNotes& notes)
        postNote(back);
    m_goneNotes -= notes;
    m_profileNotes = std::move(notes);
}

// It goes with its plan and comes back with it.
void WindowMessages::showSearchWord()
{
    const SearchWord word = m_document.searchWord();
    if (std::exchange(m_shownWord, word) == word)
        return;
    if (word.text.isEmpty())
        return m_bar->remove("search");
    m_bar->post(
        {"search", word.isUnfit ? Message::Severity::Warning : Message::Severity::Info, word.text, {}, {}});
}

// Where boundaries that were kept are what does not fit; where nothing fits, it would not help.
void WindowMessages::offerToSplit()
{
    const PlanState& state = m_document.state();
    const bool isUnfit =
        hasPlan(state) && !isUnsettled(state) && !state.cost->fits() && !m_document.searchWord().isUnfit;
    if (!isUnfit) {
        m_offeredToSplit.clear();
        return m_bar->remove("unfitBoundaries");
    }
    const QString text = choosesAny(state.request.plan.recompute)
                             ? tr("With these boundaries not every stage fits, whatever is recomputed.")
                             : tr("With these boundaries not every stage fits.");
    if (std::exchange(m_offeredToSplit, text) != text)
        offer("unfitBoundaries", text, "split", tr("Split automatically"));
}

void WindowMessages::offerToSettle()
{
    offer("unsettled",
          tr("What is recomputed is of the boundaries before: its bytes and times are not exact."), "settle",
          tr("Make them exact"), Message::Severity::Warning);
}

// Once other times hold, the plan that was the best may no longer be.
void WindowMessages::offerToReplan()
{
    const auto& times = m_document.state().times;
    if (std::exchange(m_shownTimes, times) == times)
        return;
    if (!times)
        return m_bar->remove("times");
    offer("times", tr("The plan was made for other times of the ops."), "split", tr("Split automatically"));
}

void WindowMessages::showLastSplit()
{
    const bool isPlan = !m_document.planPath().empty();
    offer("lastSplit",
          isPlan ? tr("This plan was edited before, and not saved.")
                 : tr("A plan of this model was edited before, and not saved."),
          "restore", tr("Restore the edits"));
}

// Says where a real run first made something that is not a number.
void WindowMessages::showStatistics()
{
    m_bar->remove("nonFinite");
    const std::shared_ptr<const Statistics> statistics = m_document.analyses().statistics();
    if (!statistics)
        return;
    for (const std::string& note : statistics->notes)
        emit m_document.noticed(QString::fromStdString(note));
    const auto origin =
        statistics->firstNonFinite ? statistics->firstNonFinite : statistics->firstNonFiniteGradient;
    if (!origin)
        return;
    m_nodes["nonFinite"] = {*origin};
    const Graph& graph = m_document.model()->graph;
    const Node& node = graph[*origin];
    const QString module = shownText(graph.modules()[node.module].path);
    const QString what = statistics->firstNonFinite
                             ? tr("The first NaN or infinity is made by %1 (%2)")
                             : tr("The first NaN or infinity of the backward pass is made by %1 (%2)");
    offer("nonFinite",
          what.arg(shownText(node.name), shownText(node.target)) +
              (module.isEmpty() ? QString() : tr(" in %1").arg(module)),
          "nodes", tr("Show it"), Message::Severity::Warning);
}

void WindowMessages::answer(const QString& messageId, const QString& actionId)
{
    if (actionId == "restore")
        m_document.restoreLastSplit();
    if (actionId == "settle")
        m_document.settle();
    if (actionId == "split")
        m_document.splitAutomatically();
    if (actionId == "costs")
        emit costsRequested(m_nodes[messageId].front());
    if (actionId == "nodes") {
        m_selection->setNodes(m_nodes[messageId]);
        m_selection->reveal(m_nodes[messageId]);
    }
}

} // namespace stagecraft
