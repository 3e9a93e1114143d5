#include "app/window/stage_recompute_menu.h"

#include "app/document/document.h"
#include "core/recompute/recompute_policy.h"
#include "views/base/selection.h"
#include "views/base/terms.h"

#include <QActionGroup>

#include <algorithm>

namespace stagecraft {

namespace {

// Without what does otherwise in single stages.
std::string policyText(RecomputePolicy policy)
{
    policy.ofStages.clear();
    return printPolicy(policy);
}

bool doesOtherwise(const RecomputePolicy& policy, StageId stage)
{
    return std::ranges::any_of(policy.ofStages, [&](const StageRecompute& stages) {
        return stages.first <= stage.index() && stage.index() <= stages.last;
    });
}

} // namespace

StageRecomputeMenu::StageRecomputeMenu(Document& document, const Selection& selection, QWidget* parent)
    : QMenu(parent), m_document(document), m_selection(selection), m_choices(new QActionGroup(this))
{
    add(tr("As all stages"), {});
    addSeparator();
    for (const FieldChoice& choice : requestField("recompute").choices())
        if (choice.name != "model")
            add(termText(choice.title),
                QString::fromUtf8(choice.name.data(), static_cast<qsizetype>(choice.name.size())));
    for (const auto changed : {&Selection::nodesChanged, &Selection::stageChanged})
        connect(&selection, changed, this, &StageRecomputeMenu::show);
    connect(&document, &Document::modelChanged, this, &StageRecomputeMenu::show);
    connect(&document, &Document::planChanged, this, &StageRecomputeMenu::show);
    show();
}

void StageRecomputeMenu::add(const QString& title, const QString& policy)
{
    QAction* action = addAction(title, this, [this, policy] { choose(policy); });
    action->setCheckable(true);
    action->setData(policy);
    action->setToolTip(tr("What this stage runs again in backward, whatever the others do"));
    action->setStatusTip(action->toolTip());
    m_choices->addAction(action);
}

std::optional<StageId> StageRecomputeMenu::stage() const
{
    const auto& partition = m_document.state().partition;
    if (!m_document.hasModel() || !partition || !m_document.canEdit())
        return std::nullopt;
    if (m_selection.stage())
        return m_selection.stage()->index() < partition->stageCount ? m_selection.stage() : std::nullopt;
    const std::vector<NodeId>& nodes = m_selection.nodes();
    const auto isWithFirst = [&](NodeId node) {
        return partition->stageOf[node] == partition->stageOf[nodes.front()];
    };
    return !nodes.empty() && std::ranges::all_of(nodes, isWithFirst)
               ? std::optional(partition->stageOf[nodes.front()])
               : std::nullopt;
}

void StageRecomputeMenu::show()
{
    const PlanRequest asked = m_document.asked();
    const auto stage = asked.profile.mode == TrainingMode::Train ? this->stage() : std::nullopt;
    setTitle(stage ? tr("Recompute in sta&ge %1").arg(stage->index() + 1) : tr("Recompute in the sta&ge"));
    menuAction()->setEnabled(stage.has_value());
    const RecomputePolicy& policy = asked.plan.recompute;
    const bool isOther = stage && doesOtherwise(policy, *stage);
    const QString now =
        isOther ? QString::fromStdString(policyText(policyOf(policy, stage->index()))) : QString();
    for (QAction* action : m_choices->actions()) {
        action->setEnabled(stage.has_value());
        action->setChecked(action->data().toString() == now);
    }
}

void StageRecomputeMenu::choose(const QString& policy)
{
    const auto stage = this->stage();
    if (!stage)
        return;
    PlanRequest request = m_document.asked();
    RecomputePolicy& now = request.plan.recompute;
    if (policy.isEmpty()) {
        now = withoutStages(now, stage->index(), stage->index());
    } else {
        const std::string text = std::to_string(stage->index()) + ":" + policy.toStdString();
        const Result<RecomputePolicy> said = parsePolicy(text, now);
        if (!said.has_value()) {
            show(); // the mark goes back
            return m_document.refuse(said.error());
        }
        now = *said;
    }
    m_document.setRequest(request, title().remove('&'));
}

} // namespace stagecraft
