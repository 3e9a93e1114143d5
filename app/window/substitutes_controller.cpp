#include "app/window/substitutes_controller.h"

#include "app/document/document.h"
#include "app/window/actions.h"
#include "app/window/window_messages.h"
#include "core/base/contains.h"
#include "core/base/output_file.h"
#include "core/graph/called_operator.h"
#include "core/run/operator_library.h"
#include "core/trace/size_bounds.h"
#include "views/base/plain_text.h"
#include "views/base/selection.h"
#include "views/pages/substitutes_dialog.h"

#include <QMenu>

#include <algorithm>

namespace stagecraft {

namespace {

// What a value of the graph is under these sizes; none where that is not known.
std::optional<Operand> operandOf(const Value& value, const Bindings& bindings)
{
    if (!value.isTensor() || !value.meta)
        return std::nullopt;
    TensorOperand tensor{value.meta->dtype, {}};
    for (const SymInt& size : value.meta->sizes) {
        const Result<std::int64_t> number = size.evaluate(bindings);
        if (!number.has_value())
            return std::nullopt;
        tensor.sizes.push_back(*number);
    }
    return tensor;
}

void say(Substitutes& substitutes, const std::string& name, std::optional<Substitute> costs)
{
    substitutes.remove(name + ".default"); // a file may have it so
    if (costs)
        substitutes.set(name, *std::move(costs));
    else
        substitutes.remove(name);
}

Substitutes with(Substitutes substitutes, const std::vector<OperatorCosts>& operators)
{
    for (const OperatorCosts& costs : operators)
        say(substitutes, costs.name, costs.said);
    return substitutes;
}

// `now` with what `after` says otherwise than `before`.
Substitutes withChanges(Substitutes now, const Substitutes& before, const Substitutes& after)
{
    const auto textOf = [](const std::string& name, const Substitute& costs) {
        Substitutes one;
        one.set(name, costs);
        return one.text();
    };
    for (const auto& [name, costs] : after.operators()) {
        const auto was = before.operators().find(name);
        if (was == before.operators().end() || textOf(name, was->second) != textOf(name, costs))
            now.set(name, costs);
    }
    for (const auto& [name, costs] : before.operators())
        if (!after.operators().contains(name))
            now.remove(name);
    return now;
}

Substitutes valueOf(const std::shared_ptr<const Substitutes>& substitutes)
{
    return substitutes ? *substitutes : Substitutes();
}

bool isInModel(const Graph& graph, const std::string& name, OperatorUse& found)
{
    found = {name, {}};
    for (const NodeId node : graph.nodes())
        if (const std::string& target = calledOperator(graph[node]);
            target == name || substituteName(target) == name)
            found.nodes.push_back(node);
    return !found.nodes.empty();
}

} // namespace

SubstitutesController::SubstitutesController(QWidget* window, Document& document, const Selection& selection,
                                             const WindowMessages& messages, const Actions& actions,
                                             std::filesystem::path file)
    : QObject(window),
      m_window(window),
      m_document(document),
      m_selection(selection),
      m_file(std::move(file)),
      m_menu(new QMenu(window))
{
    connect(actions.operatorCosts, &QAction::triggered, this, [this] { showDialog(); });
    connect(&messages, &WindowMessages::costsRequested, this, [this](NodeId node) {
        showDialog(substituteName(calledOperator(m_document.model()->graph[node])));
    });
    connect(&document, &Document::modelGone, this, &SubstitutesController::forgetModel);
    connect(&document, &Document::modelChanged, this, [this] { learnModel(said()); });
    connect(&document, &Document::planChanged, this, &SubstitutesController::followSelection);
    connect(&document, &Document::planChanged, this, &SubstitutesController::keep);
    connect(&selection, &Selection::nodesChanged, this, &SubstitutesController::followSelection);
    connect(m_menu, &QMenu::aboutToShow, this, &SubstitutesController::fillMenu);
    readKept();
    learnModel(said());
}

void SubstitutesController::readKept()
{
    std::error_code none;
    if (m_file.empty() || !std::filesystem::exists(m_file, none))
        return;
    Result<Substitutes> read = Substitutes::read(m_file);
    if (read.has_value()) {
        m_kept = std::make_shared<const Substitutes>(*std::move(read));
        return m_document.setSubstitutes(m_kept);
    }
    m_file.clear();
    emit m_document.noticed(tr("Costs of operators are left out: %1").arg(shownText(read.error().message)));
}

// What is otherwise than it was kept last goes to what is in the file now: another window may have said more.
void SubstitutesController::keep()
{
    if (!m_document.hasModel() || m_document.state().substitutes == m_kept)
        return;
    const Substitutes before = valueOf(m_kept);
    m_kept = m_document.state().substitutes;
    if (m_file.empty())
        return;
    Result<Substitutes> inFile = Substitutes::read(m_file);
    std::error_code ignored; // writing says what is wrong
    if (!inFile.has_value() && std::filesystem::exists(m_file, ignored)) {
        m_file.clear();
        emit m_document.noticed(
            tr("Costs of operators are not kept any more: %1").arg(shownText(inFile.error().message)));
        return;
    }
    const Substitutes all =
        withChanges(inFile.has_value() ? *std::move(inFile) : before, before, valueOf(m_kept));
    std::filesystem::create_directories(m_file.parent_path(), ignored);
    if (const auto written = writeTextFile(m_file, all.text()); !written.has_value())
        m_document.report(written.error());
}

void SubstitutesController::forgetModel()
{
    m_unknown.clear();
    m_menu->menuAction()->setVisible(false);
}

void SubstitutesController::learnModel(const Substitutes& said)
{
    m_unknown.clear();
    if (m_document.hasModel()) {
        const Graph& graph = m_document.model()->graph;
        m_unknown = unknownOperators(graph);
        OperatorUse found;
        for (const auto& [name, substitute] : said.operators())
            if (!contains(m_unknown, name, &OperatorUse::name) && isInModel(graph, name, found))
                m_unknown.push_back(found);
    }
    followSelection();
}

Substitutes SubstitutesController::said() const
{
    return valueOf(m_document.wanted().substitutes);
}

const OperatorUse* SubstitutesController::selected() const
{
    const std::vector<NodeId>& nodes = m_selection.nodes();
    if (!m_document.hasModel() || nodes.empty())
        return nullptr;
    const Graph& graph = m_document.model()->graph;
    const std::string name = substituteName(calledOperator(graph[nodes.front()]));
    const bool isOne = std::ranges::all_of(
        nodes, [&](NodeId node) { return substituteName(calledOperator(graph[node])) == name; });
    const auto found = std::ranges::find(m_unknown, name, &OperatorUse::name);
    return isOne && found != m_unknown.end() ? &*found : nullptr;
}

void SubstitutesController::followSelection()
{
    const OperatorUse* unknown = selected();
    m_menu->menuAction()->setVisible(unknown);
    m_menu->menuAction()->setEnabled(unknown);
    if (unknown)
        m_menu->setTitle(tr("Cos&ts of %1").arg(menuText(shownText(unknown->name))));
}

// A check mark is at what holds now.
void SubstitutesController::fillMenu()
{
    m_menu->clear();
    const OperatorUse* unknown = selected();
    if (!unknown)
        return;
    const OperatorCosts costs = costsOf(*unknown, said());
    const int now = costChoiceOf(costs);
    const QStringList names = costChoices();
    for (int i = 0; i < names.size(); ++i) {
        const bool isKind = i > 0 && i <= static_cast<int>(substituteKinds.size());
        QAction* entry = m_menu->addAction(names[i]);
        entry->setCheckable(true);
        entry->setChecked(i == now);
        entry->setEnabled(!isKind || costs.byKind[static_cast<std::size_t>(i) - 1].has_value());
        if (i + 1 == names.size()) {
            entry->setText(tr("%1…").arg(names[i]));
            connect(entry, &QAction::triggered, this, [this, name = unknown->name] { showDialog(name); });
        } else {
            const auto kind =
                isKind ? std::optional(substituteKinds[static_cast<std::size_t>(i) - 1]) : std::nullopt;
            connect(entry, &QAction::triggered, this, [this, kind] { sayKind(kind); });
        }
    }
}

void SubstitutesController::sayKind(std::optional<SubstituteKind> kind)
{
    const OperatorUse* unknown = selected();
    if (!unknown)
        return;
    Substitutes changed = said();
    std::optional<Substitute> costs =
        kind ? substituteOf(*kind, m_document.model()->graph, unknown->nodes.front()) : std::nullopt;
    const std::string& target = calledOperator(m_document.model()->graph[unknown->nodes.front()]);
    if (const Substitute* before = changed.find(target); before && costs)
        costs->outputs = before->outputs; // what a file says of shapes stays
    say(changed, unknown->name, std::move(costs));
    take(std::move(changed), tr("Costs of %1").arg(shownText(unknown->name)));
}

OperatorCosts SubstitutesController::costsOf(const OperatorUse& unknown, const Substitutes& said) const
{
    const Graph& graph = m_document.model()->graph;
    const ProfileRequest& request = m_document.request().profile;
    const NodeId first = unknown.nodes.front();
    const Result<SizeBounds> sizes = boundSizes(graph, request.bindings, request.bounds);
    const Bindings bindings = sizes.has_value() ? sizes->bindings : request.bindings;
    OperatorCosts costs{.name = unknown.name, .count = unknown.nodes.size()};
    costs.operands =
        nodeOperands(graph[first], [&](ValueId value) { return operandOf(graph[value], bindings); });
    for (std::size_t i = 0; i < substituteKinds.size(); ++i)
        costs.byKind[i] = substituteOf(substituteKinds[i], graph, first);
    if (const Substitute* substitute = said.find(calledOperator(graph[first])))
        costs.said = *substitute;
    return costs;
}

std::vector<OperatorCosts> SubstitutesController::costsOfModel(const Substitutes& said) const
{
    std::vector<OperatorCosts> costs;
    for (const OperatorUse& unknown : m_unknown)
        costs.push_back(costsOf(unknown, said));
    return costs;
}

void SubstitutesController::showDialog(const std::string& shown)
{
    if (!m_document.hasModel())
        return;
    learnModel(said());
    m_others = {};
    auto* dialog = new SubstitutesDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOperators(costsOfModel(said()), shown);
    connect(dialog, &SubstitutesDialog::importRequested, this,
            [=, this](const QString& file) { import(dialog, file); });
    connect(dialog, &SubstitutesDialog::saveRequested, this,
            [=, this](const QString& file) { save(dialog, file); });
    connect(dialog, &SubstitutesDialog::libraryRequested, this,
            [=, this](const QString& file) { loadLibrary(dialog, file); });
    connect(dialog, &QDialog::accepted, this,
            [=, this] { take(shownIn(*dialog), tr("Costs of operators")); });
    connect(&m_document, &Document::modelGone, dialog, &QDialog::reject);
    dialog->open();
}

Substitutes SubstitutesController::shownIn(const SubstitutesDialog& dialog) const
{
    Substitutes all = said();
    for (const auto& [name, costs] : m_others.operators())
        all.set(name, costs);
    return with(std::move(all), dialog.operators());
}

void SubstitutesController::take(Substitutes substitutes, const QString& text)
{
    const std::string all = substitutes.text();
    if (all == said().text())
        return;
    PlanState target = m_document.wanted();
    target.substitutes = m_document.state().substitutes;
    if (all != valueOf(target.substitutes).text())
        target.substitutes = substitutes.operators().empty()
                                 ? nullptr
                                 : std::make_shared<const Substitutes>(std::move(substitutes));
    m_document.profileAs(text, target);
}

// Its costs come to those that are shown; nothing is taken before the dialog is accepted.
void SubstitutesController::import(SubstitutesDialog* dialog, const QString& file)
{
    const Result<Substitutes> read = Substitutes::read(file.toStdString());
    if (!read.has_value())
        return dialog->showError(read.error().message);
    Substitutes both = shownIn(*dialog);
    const Graph& graph = m_document.model()->graph;
    OperatorUse found;
    for (const auto& [name, substitute] : read->operators()) {
        both.set(name, substitute);
        if (contains(m_unknown, name, &OperatorUse::name))
            continue;
        if (isInModel(graph, name, found))
            m_unknown.push_back(found);
        else
            m_others.set(name, substitute);
    }
    dialog->setOperators(costsOfModel(both));
}

void SubstitutesController::save(SubstitutesDialog* dialog, const QString& file)
{
    const Substitutes shown = shownIn(*dialog);
    if (const auto written = writeTextFile(file.toStdString(), shown.text()); !written.has_value())
        dialog->showError(written.error().message);
}

// Loaded for the life of the program: the model's figures are made anew at once.
void SubstitutesController::loadLibrary(SubstitutesDialog* dialog, const QString& file)
{
    if (const Result<void> loaded = loadOperatorLibrary(file.toStdString()); !loaded.has_value())
        return dialog->showError(loaded.error().message);
    const Substitutes shown = shownIn(*dialog);
    learnModel(shown);
    dialog->setOperators(costsOfModel(shown));
    m_document.profileAs(tr("Library of operators"), m_document.wanted());
}

} // namespace stagecraft
