#include "app/window/file_commands.h"

#include "app/document/document.h"
#include "app/document/schedule_figures.h"
#include "app/window/export_controller.h"
#include "app/window/framework_controller.h"
#include "app/window/opening_controller.h"
#include "app/window/preferences.h"
#include "app/window/report_controller.h"
#include "app/window/window_messages.h"
#include "core/base/output_file.h"
#include "core/base/same_file.h"
#include "core/exchange/graph_file.h"
#include "core/layout/svg.h"
#include "views/base/message_bar.h"
#include "views/base/picture_file.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/pages/export_dialog.h"
#include "views/pages/framework_dialog.h"

#include <QDir>
#include <QEventLoop>
#include <QFileDialog>
#include <QMessageBox>
#include <QSettings>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

const char* endingFor(Framework framework)
{
    switch (framework) {
    case Framework::TorchCsv:
        return ".schedule.csv";
    case Framework::Torchtitan:
    case Framework::GraphPp:
        return ".toml";
    case Framework::Megatron:
        return ".args";
    case Framework::DeepSpeed:
    case Framework::Fqns:
        break;
    }
    return ".json";
}

// ".svg" of "SVG (*.svg)".
QString endingOf(const QString& form)
{
    return form.section('*', -1).chopped(1);
}

QStringList endingsOf(const QStringList& forms)
{
    QStringList endings;
    for (const QString& form : forms)
        if (const QString ending = endingOf(form); !endings.contains(ending))
            endings << ending;
    return endings;
}

// What the name ends in says what is written: of several such forms the one that the dialog offered.
std::optional<std::size_t> formOf(const QString& path, const QStringList& forms, qsizetype offered)
{
    const auto fits = [&](const QString& form) { return path.endsWith(endingOf(form), Qt::CaseInsensitive); };
    if (fits(forms[offered]))
        return static_cast<std::size_t>(offered);
    const auto found = std::ranges::find_if(forms, fits);
    return found == forms.end() ? std::nullopt : std::optional<std::size_t>(found - forms.begin());
}

} // namespace

FileCommands::FileCommands(QWidget* window, Document& document, OpeningController& opening,
                           QSettings* settings, MessageBar* bar, WindowMessages& messages)
    : m_window(window),
      m_document(document),
      m_opening(opening),
      m_settings(settings),
      m_messages(messages),
      m_reports(new ReportController(document, this))
{
    connect(m_reports, &ReportController::written, this, &FileCommands::saved);
    watchModel(bar);
}

void FileCommands::watchModel(MessageBar* bar)
{
    connect(&m_document, &Document::modelChanged, this, [this, bar] {
        bar->remove("fileChanged");
        m_watch.watch(m_document.model());
    });
    connect(&m_watch, &ModelWatch::changed, bar, [bar](const QString& text) {
        bar->post({"fileChanged", Message::Severity::Warning, text, {}, {{"reload", tr("Reload")}}});
    });
    connect(&m_watch, &ModelWatch::removed, this,
            [this](const QString& text) { m_messages.showWarning("fileChanged", text); });
    connect(bar, &MessageBar::actionTriggered, this, [this](const QString&, const QString& action) {
        if (action == "reload")
            reload();
    });
}

bool FileCommands::open(const QString& path)
{
    if (!mayLeavePlan())
        return false;
    emit opening(path);
    m_opening.open(path.toStdString());
    return true;
}

void FileCommands::reload()
{
    const auto& path = m_document.planPath().empty() ? m_document.modelPath() : m_document.planPath();
    open(QString::fromStdString(path.string()));
}

QString FileCommands::askForFile(const QString& title, const char* folderKey, const QString& filter)
{
    // At first, where what is open lies: it may have come from a command line or another program.
    const QString beside = QString::fromStdString(m_document.modelPath().parent_path().string());
    const QString path = QFileDialog::getOpenFileName(
        m_window, title, m_settings->value(folderKey, beside).toString(), filter);
    if (!path.isEmpty())
        m_settings->setValue(folderKey, QFileInfo(path).absolutePath());
    return path;
}

std::optional<FileCommands::Place> FileCommands::askForPlace(const QString& title, const char* ending,
                                                             const QStringList& forms)
{
    QString chosen;
    QString path = QFileDialog::getSaveFileName(m_window, title, proposed(ending), forms.join(";;"), &chosen);
    if (path.isEmpty())
        return std::nullopt;
    const qsizetype offered = std::max<qsizetype>(0, forms.indexOf(chosen));
    if (QFileInfo(path).suffix().isEmpty())
        path += endingOf(forms[offered]);
    const std::optional<std::size_t> form = formOf(path, forms, offered);
    if (!form)
        m_messages.showError(tr("%1 was not written: the name has to end in %2.")
                                 .arg(path, endingsOf(forms).join(tr(" or "))));
    if (!form || !mayWrite(path))
        return std::nullopt;
    return Place{path, *form};
}

template <class Written>
void FileCommands::tell(const QString& path, const Result<Written>& written)
{
    if (written.has_value())
        emit saved(path);
    else
        m_messages.showError(written.error());
}

QString FileCommands::askForModel()
{
    return askForFile(tr("Open a model or a plan"), "openFolder",
                      tr("Models and plans (*.pt2 *.pt *.stagecraft);;All files (*)"));
}

QString FileCommands::askForTimes()
{
    return askForFile(tr("Read times of ops"), "timesFolder",
                      tr("Times and traces (*.csv *.json *.gz);;All files (*)"));
}

void FileCommands::importTimes(const QString& path)
{
    m_document.analyses().importTimes(path.toStdString());
}

std::vector<std::filesystem::path> FileCommands::askForFiles(const QString& title, const char* folderKey,
                                                             const QString& filter)
{
    std::vector<std::filesystem::path> files;
    for (const QString& name :
         QFileDialog::getOpenFileNames(m_window, title, m_settings->value(folderKey).toString(), filter))
        files.emplace_back(name.toStdString());
    if (!files.empty())
        m_settings->setValue(folderKey, QString::fromStdString(files.front().parent_path().string()));
    return files;
}

void FileCommands::attachWeights()
{
    m_document.attachWeights(
        askForFiles(tr("The model's weights"), "openFolder",
                    tr("Weights (*.safetensors *.json *.pt *.pth *.bin);;All files (*)")));
}

std::vector<std::filesystem::path> FileCommands::askForMeasuredStep()
{
    return askForFiles(tr("A step that ran: the files of all ranks"), "timesFolder",
                       tr("Steps and traces (*.json *.gz);;All files (*)"));
}

QString FileCommands::proposed(const char* ending) const
{
    const auto beside = m_document.modelPath().parent_path() / (m_document.model()->name + ending);
    return QString::fromStdString(beside.string());
}

bool FileCommands::mayWrite(const QString& path)
{
    const std::filesystem::path written = path.toStdString();
    const std::filesystem::path& plan = m_document.planPath();
    const bool isOpen =
        m_document.model()->isReadFrom(written) || (!plan.empty() && isSameFile(plan, written));
    if (isOpen)
        m_messages.showError(
            tr("%1 is open here, and would be written over; choose another name.").arg(path));
    return !isOpen;
}

bool FileCommands::save()
{
    if (m_document.planPath().empty())
        return saveAs();
    m_document.savePlan(m_document.planPath());
    return true;
}

bool FileCommands::saveAs()
{
    QString path = QFileDialog::getSaveFileName(m_window, tr("Save the plan"), proposed(".stagecraft"),
                                                tr("Plans (*.stagecraft)"));
    if (path.isEmpty())
        return false;
    if (!path.endsWith(".stagecraft"))
        path += ".stagecraft";
    m_document.savePlan(path.toStdString());
    return true;
}

bool FileCommands::mayLeavePlan()
{
    if (!m_document.hasUnsavedEdits())
        return true;
    if (std::exchange(m_isAskingToLeave, true))
        return false; // the question is on the screen already
    const std::filesystem::path& plan = m_document.planPath();
    const QString name = shownText(plan.empty() ? m_document.model()->name : plan.filename().string());
    QMessageBox question(QMessageBox::Question, tr("Unsaved plan"),
                         plan.empty() ? tr("Save the plan of “%1”?").arg(name)
                                      : tr("Save the changes to “%1”?").arg(name),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    question.setTextFormat(Qt::PlainText);
    question.setDefaultButton(QMessageBox::Save);
    if (m_document.keepsEdits())
        question.setInformativeText(tr("What is not saved is offered again when the file is opened next."));
    const int answer = question.exec();
    const bool may = answer == QMessageBox::Discard || (answer == QMessageBox::Save && saveAndWait());
    m_isAskingToLeave = false;
    return may;
}

// False if it was not saved after all, or edited meanwhile.
bool FileCommands::saveAndWait()
{
    QEventLoop loop;
    bool isOver = false; // perhaps at once
    for (const auto ended : {&Document::planSaved, &Document::planNotSaved})
        connect(&m_document, ended, &loop, [&] {
            isOver = true;
            loop.quit();
        });
    if (!save())
        return false;
    if (!isOver)
        loop.exec();
    return !m_document.hasUnsavedEdits();
}

void FileCommands::exportStages()
{
    auto* dialog = new ExportDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    auto* controller = new ExportController(
        m_document, *dialog, m_settings->value("exportFolder", QDir::homePath()).toString(), dialog);
    controller->setPython(preferredPython(*m_settings));
    connect(dialog, &ExportDialog::exportRequested, this, [this, dialog] {
        const std::filesystem::path written = dialog->options().folder;
        m_settings->setValue("exportFolder", QString::fromStdString(written.parent_path().string()));
    });
    dialog->open();
}

void FileCommands::exportPlan()
{
    auto* dialog = new FrameworkDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    new FrameworkController(m_document, *dialog, dialog);
    connect(dialog, &FrameworkDialog::saveRequested, this,
            [this, dialog] { savePlanText(dialog->framework(), dialog->text()); });
    dialog->open();
}

void FileCommands::savePlanText(Framework framework, const QString& text)
{
    const QString path =
        QFileDialog::getSaveFileName(m_window, tr("Save the plan"), proposed(endingFor(framework)));
    if (path.isEmpty() || !mayWrite(path))
        return;
    tell(path, writeTextFile(path.toStdString(), text.toStdString()));
}

void FileCommands::exportPicture()
{
    if (!m_document.drawing())
        return;
    const auto place = askForPlace(tr("Save the drawing"), ".svg", pictureFilters());
    if (!place)
        return;
    const bool isDark = themeOf(m_window->palette()).dark;
    const SvgOptions options{.look = isDark ? SvgOptions::Look::Dark : SvgOptions::Look::Light,
                             .overlay = m_overlay.get()};
    const Result<QByteArray> picture =
        pictureOfSvg(QByteArray::fromStdString(layoutSvg(*m_document.drawing(), options)),
                     static_cast<PictureForm>(place->form));
    if (!picture.has_value())
        return m_messages.showError(picture.error());
    tell(place->path, writeTextFile(place->path.toStdString(), picture->toStdString()));
}

void FileCommands::exportReport()
{
    if (const auto place = askForPlace(tr("Save the report"), ".report.html", {tr("Pages (*.html)")}))
        m_reports->write(place->path.toStdString(), m_overlay);
}

QString FileCommands::askForOverlay()
{
    return askForFile(tr("Figures of your own"), "openFolder", tr("Figures (*.json);;All files (*)"));
}

JobQueue& FileCommands::reportJobs()
{
    return m_reports->jobs();
}

void FileCommands::setOverlay(std::shared_ptr<const Overlay> overlay)
{
    m_overlay = std::move(overlay);
}

void FileCommands::exportGraph()
{
    constexpr std::array formats{GraphFormat::GraphMl, GraphFormat::Json, GraphFormat::Dot, GraphFormat::Csv,
                                 GraphFormat::EdgesCsv};
    const auto place = askForPlace(tr("Save the graph"), ".graphml",
                                   {tr("GraphML, for networkx, yEd and Gephi (*.graphml)"),
                                    tr("Graph as JSON (*.json)"), tr("DOT, for Graphviz (*.dot)"),
                                    tr("Table of operators (*.csv)"), tr("Table of edges (*.csv)")});
    if (!place)
        return;
    const GraphSubject subject{m_document.model()->graph, m_document.state().profile.get(), m_overlay.get()};
    tell(place->path, writeTextFile(place->path.toStdString(), graphFile(formats[place->form], subject)));
}

void FileCommands::saveSchedule()
{
    const std::array<ScheduleTable, 4> tables{{{}, // of the trace, which has none
                                               {},
                                               {CsvForm::ComputeComms, CsvWaits::Implied},
                                               {CsvForm::ComputeComms, CsvWaits::Written}}};
    const auto place = askForPlace(tr("Save the schedule"), ".schedule.json",
                                   {tr("Trace events for Perfetto (*.json)"),
                                    tr("Tables of torch.distributed.pipelining (*.csv)"),
                                    tr("Tables with sends, for PyTorch 2.6 to 2.14 (*.csv)"),
                                    tr("Tables with sends, for PyTorch 2.15 and later (*.csv)")});
    if (place)
        tell(place->path,
             stagecraft::saveSchedule(m_document.state(), place->path.toStdString(), tables[place->form]));
}

} // namespace stagecraft
