#include "app/window/analyse_actions.h"

#include "app/document/document.h"
#include "app/window/docks.h"
#include "app/window/file_commands.h"
#include "core/base/resources.h"
#include "core/profile/profile_names.h"
#include "views/base/plain_text.h"
#include "views/pages/next_steps.h"
#include "views/pages/statistics_dialog.h"
#include "views/pages/times_dialog.h"

#include <algorithm>
#include <array>
#include <set>

namespace stagecraft {

namespace {

// Where operators come from that PyTorch itself does not have; mostly what is imported is called so, too.
std::set<std::string> foreignLibraries(const Graph& graph)
{
    constexpr std::array<std::string_view, 12> own{
        "aten",     "prim",         "prims", "quantized", "_c10d_functional", "c10d", "_operator",
        "inductor", "higher_order", "math",  "torch",     "builtins"};
    std::set<std::string> libraries;
    for (const NodeId node : graph.nodes()) {
        const std::string& target = graph[node].target;
        const std::size_t end = target.find("::");
        if (end != std::string::npos && std::ranges::find(own, target.substr(0, end)) == own.end())
            libraries.insert(target.substr(0, end));
    }
    return libraries;
}

// What of the document the command does not measure, or has to guess.
QString noteOnMeasuring(const Document& document)
{
    QStringList notes;
    if (document.planPath().empty())
        notes << AnalyseActions::tr("Save the plan first, and its stages are measured, too.");
    else if (document.hasUnsavedEdits())
        notes << AnalyseActions::tr(
            "The command measures the stages of the plan as it was saved: save it first.");
    for (const std::string& library : foreignLibraries(document.model()->graph))
        notes << AnalyseActions::tr("Give --import the Python module that brings the operators %1::…")
                     .arg(shownText(library));
    return notes.join('\n');
}

// What measures the model's ops with the person's own PyTorch; empty where that cannot read the file.
QString measuringCommand(const Document& document)
{
    const std::filesystem::path& model = document.modelPath();
    if (model.extension() != ".pt2")
        return {};
    const auto word = [](const std::filesystem::path& path) {
        return shellWord(QString::fromStdString(path.string()));
    };
    QStringList words{"python", word(resourceFolder() / "python" / "measure_model.py"), word(model)};
    if (!document.planPath().empty())
        words << word(document.planPath());
    for (const auto& [symbol, size] : document.request().profile.bindings)
        words << "--size" << shellWord(QString("%1=%2").arg(QString::fromStdString(symbol)).arg(size));
    if (const Precision precision = document.request().profile.precision; precision != Precision::AsExported)
        words << "--precision" << QString::fromUtf8(nameOf(precisions, precision));
    for (const std::string& library : foreignLibraries(document.model()->graph))
        words << "--import" << shellWord(QString::fromStdString(library));
    return words.join(' ');
}

} // namespace

AnalyseActions::AnalyseActions(QWidget* window, const Actions& actions, const WindowViews& views,
                               Document& document, FileCommands& files, Docks* docks)
    : QObject(window),
      m_window(window),
      m_actions(actions),
      m_views(views),
      m_document(document),
      m_files(files),
      m_docks(docks)
{
    connect(m_actions.runStep, &QAction::triggered, this, &AnalyseActions::runStep);
    connect(m_actions.measureTimes, &QAction::triggered, &m_document.analyses(),
            &DocumentAnalyses::measureTimes);
    connect(m_actions.importTimes, &QAction::triggered, this, &AnalyseActions::readTimes);
    connect(m_actions.estimateTimes, &QAction::triggered, this,
            [this] { m_document.analyses().useTimes(tr("Estimate times again"), nullptr); });
    connect(m_actions.largestBatch, &QAction::triggered, this, [this] {
        m_docks->show(m_views.memory);
        m_document.analyses().findLargestBatch();
    });
    connect(m_actions.curve, &QAction::triggered, this, [this] {
        m_docks->show(m_views.curve);
        m_document.analyses().computeCurve();
    });
    connect(m_actions.tradeOffs, &QAction::triggered, this, [this] {
        m_docks->show(m_views.tradeOffs);
        m_document.analyses().seekTradeOffs();
    });
    connect(m_actions.advise, &QAction::triggered, this, [this] { m_docks->show(m_views.advice); });
}

void AnalyseActions::readTimes()
{
    auto* dialog = new TimesDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setCommand(measuringCommand(m_document));
    if (!dialog->command().isEmpty())
        dialog->setNote(noteOnMeasuring(m_document));
    connect(dialog, &TimesDialog::fileRequested, this, [this] {
        if (const QString path = m_files.askForTimes(); !path.isEmpty())
            m_files.importTimes(path);
    });
    dialog->open();
}

void AnalyseActions::runStep()
{
    auto* dialog = new StatisticsDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setExported(exportedInputs(*m_document.model()).empty() ? StatisticsDialog::Exported::No
                                                                    : StatisticsDialog::Exported::Yes);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_docks->show(m_views.code);
        m_document.analyses().gatherStatistics(dialog->inputs());
    });
    dialog->open();
}

} // namespace stagecraft
