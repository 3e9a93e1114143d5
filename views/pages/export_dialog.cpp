#include "views/pages/export_dialog.h"

#include "core/stage/loss_function.h"
#include "views/base/dialog_size.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/pages/next_steps.h"
#include "views/plan/loss_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stagecraft {

namespace {

constexpr int passedRole = Qt::UserRole;
constexpr double bytesPerGigabyte = 1e9;

enum ComparisonColumn { TensorColumn, KindColumn, DifferenceColumn, RelativeColumn, ResultColumn };

QString kindText(Comparison::Kind kind)
{
    switch (kind) {
    case Comparison::Kind::Output:
        return QObject::tr("Output");
    case Comparison::Kind::ParameterGradient:
        return QObject::tr("Gradient");
    case Comparison::Kind::InputGradient:
        return QObject::tr("Input gradient");
    case Comparison::Kind::Buffer:
        return QObject::tr("Buffer");
    case Comparison::Kind::Weight:
        return QObject::tr("Weight");
    case Comparison::Kind::Kept:
        return QObject::tr("Kept for backward");
    case Comparison::Kind::File:
        return QObject::tr("File");
    }
    return {};
}

QTreeWidget* makeList(const QStringList& titles, const QString& name)
{
    auto* list = new QTreeWidget;
    list->setHeaderLabels(titles);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setTextElideMode(Qt::ElideMiddle); // names of parameters differ at their end
    list->setAllColumnsShowFocus(true);
    list->setAccessibleName(name);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int column = 1; column < titles.size(); ++column) {
        list->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        list->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    return list;
}

QTreeWidgetItem* addRow(QTreeWidget* list, const QStringList& texts)
{
    auto* item = new QTreeWidgetItem(list, texts);
    for (int column = 1; column < texts.size(); ++column)
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

QString differenceText(double difference)
{
    return difference == 0 ? QStringLiteral("0") : QString::number(difference, 'e', 1);
}

QString verdict(const std::vector<Comparison>& comparisons)
{
    const auto differing = std::ranges::count(comparisons, false, &Comparison::passed);
    if (differing > 0)
        return QObject::tr("%1 of %2 tensors differ from the whole model's")
            .arg(differing)
            .arg(comparisons.size());
    double largest = 0;
    double relative = 0;
    for (const Comparison& comparison : comparisons) {
        largest = std::max(largest, comparison.maxAbsolute);
        relative = std::max(relative, comparison.maxRelative);
    }
    return QObject::tr("The stages compute what the whole model computes; largest difference %1, relative %2")
        .arg(differenceText(largest), differenceText(relative));
}

} // namespace

ExportDialog::ExportDialog(QWidget* parent)
    : QDialog(parent),
      m_folder(new QLineEdit),
      m_python(new QCheckBox(tr("Python code and safetensors"))),
      m_pt2(new QCheckBox(tr(".pt2 of each stage"))),
      m_torchScript(new QCheckBox(tr("TorchScript of each stage"))),
      m_shardSize(new QDoubleSpinBox),
      m_loss(new LossBox),
      m_function(new QComboBox),
      m_verify(new QCheckBox(tr("Verify afterwards"))),
      m_replace(new QCheckBox(tr("Replace the export that is in this folder"))),
      m_files(makeList({tr("File"), tr("Size")}, tr("Files that will be written"))),
      m_note(new QLabel),
      m_total(new QLabel),
      m_comparisons(makeList({tr("Tensor"), tr("Kind"), tr("Difference"), tr("Relative"), tr("Result")},
                             tr("Comparison with the whole model"))),
      m_pages(new QStackedWidget),
      m_message(new QLabel),
      m_next(new NextSteps),
      m_bar(new QProgressBar),
      m_export(new QPushButton(tr("Export"))),
      m_verifyButton(new QPushButton(tr("Verify"))),
      m_openFolder(new QPushButton(tr("Open folder"))),
      m_cancel(new QPushButton(tr("Close")))
{
    setWindowTitle(tr("Export stages"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 1), em(this, 1), em(this, 1), em(this, 0.8));
    layout->setSpacing(em(this, 0.7));
    layout->addLayout(buildOptions());
    layout->addLayout(buildResults(), 1);
    layout->addLayout(buildButtons());
    resizeOnScreen(this, {em(this, 40), em(this, 39)});
    connect(m_folder, &QLineEdit::textChanged, this, &ExportDialog::optionsChanged);
    connect(m_shardSize, &QDoubleSpinBox::valueChanged, this, &ExportDialog::optionsChanged);
    for (QCheckBox* box : {m_python, m_pt2, m_torchScript})
        connect(box, &QCheckBox::toggled, this, [this] {
            showState();
            emit optionsChanged();
        });
    connect(m_loss, &QComboBox::currentIndexChanged, this, &ExportDialog::optionsChanged);
    connect(m_function, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_loss->setUse(index == 0 ? LossBox::Use::Loss : LossBox::Use::FedToFunction);
        emit optionsChanged();
    });
    connect(m_replace, &QCheckBox::toggled, this, &ExportDialog::showState);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::exportRequested);
    connect(m_verifyButton, &QPushButton::clicked, this, &ExportDialog::verifyRequested);
    connect(m_openFolder, &QPushButton::clicked, this, [this] { emit openFolderRequested(m_folderWritten); });
    connect(m_next, &NextSteps::openRequested, this, &ExportDialog::openFileRequested);
    connect(m_cancel, &QPushButton::clicked, this, &ExportDialog::reject);
    onThemeChange(this, [this] {
        colorMessage();
        colorComparisons();
    });
    showState();
}

void ExportDialog::setUpOptions()
{
    m_folder->setAccessibleName(tr("Folder"));
    m_folder->setPlaceholderText(tr("Folder to write into; made if it is not there"));
    m_python->setChecked(true);
    m_pt2->setChecked(true);
    m_torchScript->setToolTip(tr("For torch.jit.load(), in C++ too"));
    m_shardSize->setDecimals(3);
    m_shardSize->setRange(0.001, 1e6);
    m_shardSize->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_shardSize->setSuffix(tr(" GB"));
    m_shardSize->setValue(static_cast<double>(usualShardSize.count()) / bytesPerGigabyte);
    m_shardSize->setAccessibleName(tr("Weights in one file"));
    m_shardSize->setToolTip(
        tr("How much of a stage's weights one .safetensors file has at most; over it there "
           "are several, with an index"));
    m_verify->setChecked(true);
    m_verify->setToolTip(tr("Runs the stages one after another and compares outputs and gradients with the "
                            "whole model's: the .pt2 files where there are some, else the code, in Python. "
                            "TorchScript is not run"));
    m_loss->setToolTip(tr("The output that pipeline.py goes back from in a training step"));
    m_function->addItem(tr("As the model returns it"), QString());
    for (const std::string_view name : lossFunctions())
        m_function->addItem(tr("%1 of it and a target").arg(shownText(name)), dataText(name));
    m_function->setAccessibleName(tr("Function of the loss"));
    m_function->setToolTip(tr("A function of torch.nn.functional that the output and the target of each step "
                              "are fed to"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setAccessibleName(tr("What is exported otherwise than asked"));
    m_note->hide();
}

QLayout* ExportDialog::buildOptions()
{
    setUpOptions();
    QToolButton* choose = makeChooseButton(tr("Choose the folder"));
    connect(choose, &QToolButton::clicked, this, &ExportDialog::chooseFolder);
    auto* shards = new QHBoxLayout;
    shards->setSpacing(em(this, 0.5));
    shards->addWidget(m_shardSize);
    shards->addWidget(new QLabel(tr("of weights in one file at most")));
    shards->addStretch();
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(em(this, 0.8));
    grid->setVerticalSpacing(em(this, 0.35));
    int row = 0;
    grid->addWidget(new QLabel(tr("Folder")), row, 0);
    grid->addWidget(m_folder, row, 1);
    grid->addWidget(choose, row++, 2);
    grid->addWidget(m_replace, row++, 1, 1, 2);
    grid->addWidget(new QLabel(tr("Write")), row, 0);
    grid->addWidget(m_python, row++, 1);
    grid->addLayout(shards, row++, 1);
    grid->addWidget(m_pt2, row++, 1, 1, 2);
    grid->addWidget(m_torchScript, row++, 1, 1, 2);
    grid->addWidget(new QLabel(tr("Loss")), row, 0);
    grid->addWidget(m_loss, row++, 1);
    grid->addWidget(m_function, row++, 1);
    grid->addWidget(m_verify, row++, 1);
    grid->addWidget(m_note, row++, 1, 1, 2);
    return grid;
}

QLayout* ExportDialog::buildResults()
{
    auto* layout = new QVBoxLayout;
    layout->setSpacing(em(this, 0.35));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_total->setForegroundRole(QPalette::PlaceholderText);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_pages->addWidget(m_files);
    m_pages->addWidget(m_comparisons);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_total);
    layout->addWidget(m_bar);
    layout->addWidget(m_message);
    layout->addWidget(m_next);
    return layout;
}

QLayout* ExportDialog::buildButtons()
{
    auto* layout = new QHBoxLayout;
    layout->setSpacing(em(this, 0.5));
    m_export->setDefault(true);
    m_verifyButton->setAutoDefault(false);
    m_openFolder->setAutoDefault(false);
    m_cancel->setAutoDefault(false);
    layout->addWidget(m_openFolder);
    layout->addWidget(m_verifyButton);
    layout->addStretch();
    layout->addWidget(m_cancel);
    layout->addWidget(m_export);
    return layout;
}

void ExportDialog::setModelName(const QString& name, std::size_t stageCount)
{
    setWindowTitle(tr("Export %1 in %2").arg(titleText(shownText(name)), stagesText(stageCount, stageCount)));
}

void ExportDialog::setLoss(const LossOutput& loss, const std::string& asked)
{
    const QSignalBlocker quiet(m_loss);
    m_loss->setLoss(loss);
    m_loss->setChosen(asked);
}

void ExportDialog::setFolder(const QString& folder)
{
    m_folder->setText(folder);
}

void ExportDialog::setFiles(const std::vector<ExportedFile>& files)
{
    m_files->clear();
    Bytes total;
    for (const ExportedFile& file : files) {
        addRow(m_files, {shownText(file.name), toText(file.size)});
        total += file.size;
    }
    m_total->setText(tr("%1 files, %2").arg(files.size()).arg(toText(total)));
    m_pages->setCurrentWidget(m_files);
    m_message->clear();
    m_hasFiles = !files.empty();
    showState();
}

void ExportDialog::setProblem(const QString& message)
{
    m_files->clear();
    m_total->clear();
    m_hasFiles = false;
    showMessage(message, Tone::Bad);
    showState();
}

void ExportDialog::setFolderOccupied(bool occupied)
{
    m_occupied = occupied;
    if (!occupied)
        m_replace->setChecked(false);
    showState();
}

void ExportDialog::setProgress(const QString& activity, std::optional<double> fraction)
{
    m_running = true;
    m_bar->setRange(0, fraction ? 1000 : 0);
    if (fraction)
        m_bar->setValue(static_cast<int>(std::lround(*fraction * 1000)));
    showMessage(activity, Tone::Neutral);
    showState();
}

void ExportDialog::setNote(const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void ExportDialog::setIdle()
{
    m_running = false;
    m_message->clear();
    showState();
}

void ExportDialog::setExported(const ExportReport& report)
{
    m_running = false;
    m_folderWritten = dataText(report.folder.string());
    setFiles(report.files);
    QString text = tr("Written to %1").arg(m_folderWritten);
    for (const std::string& note : report.notes)
        text += '\n' + shownText(note);
    showMessage(text, Tone::Good);
}

void ExportDialog::setNextSteps(const QString& command, const QString& guide)
{
    m_next->setSteps(command, guide);
}

void ExportDialog::setVerified(const VerifyReport& report)
{
    m_running = false;
    m_comparisons->clear();
    for (const Comparison& comparison : report.comparisons) {
        auto* item =
            addRow(m_comparisons, {shownText(comparison.name), kindText(comparison.kind),
                                   report.shapesOnly ? QString() : differenceText(comparison.maxAbsolute),
                                   report.shapesOnly ? QString() : differenceText(comparison.maxRelative),
                                   !comparison.passed           ? tr("differs")
                                   : comparison.maxAbsolute > 0 ? tr("within tolerance")
                                                                : tr("equal")});
        item->setData(ResultColumn, passedRole, comparison.passed);
        item->setToolTip(TensorColumn, toolTipText(shownText(comparison.shape)));
        if (comparison.passed)
            continue;
        item->setToolTip(ResultColumn, toolTipText(shownText(comparison.reason, LineBreaks::Keep)));
        m_comparisons->takeTopLevelItem(m_comparisons->indexOfTopLevelItem(item)); // failures come first
        m_comparisons->insertTopLevelItem(0, item);
    }
    colorComparisons();
    m_pages->setCurrentWidget(m_comparisons);
    m_total->setText(tr("%1 tensors compared").arg(report.comparisons.size()));
    QString text = verdict(report.comparisons);
    if (report.withoutGradients)
        text += '\n' + tr("Gradients were not compared: %1").arg(shownText(*report.withoutGradients));
    if (report.withoutInputGradients)
        text += '\n' +
                tr("Gradients of inputs were not compared: %1").arg(shownText(*report.withoutInputGradients));
    for (const std::string& note : report.notes)
        text += '\n' + shownText(note);
    const bool passed = std::ranges::all_of(report.comparisons, &Comparison::passed);
    showMessage(text, !passed ? Tone::Bad : report.withoutGradients ? Tone::Neutral : Tone::Good);
    showState();
}

void ExportDialog::setFailed(const QString& message)
{
    m_running = false;
    showMessage(message, Tone::Bad);
    showState();
}

ExportOptions ExportDialog::options() const
{
    ExportOptions options;
    options.folder = m_folder->text().trimmed().toStdString();
    options.formats.clear();
    if (m_python->isChecked())
        options.formats.push_back(StageFormat::Python);
    if (m_pt2->isChecked())
        options.formats.push_back(StageFormat::Pt2);
    if (m_torchScript->isChecked())
        options.formats.push_back(StageFormat::TorchScript);
    options.shardSize = Bytes(std::llround(m_shardSize->value() * bytesPerGigabyte));
    options.lossOutput = m_loss->chosen();
    options.lossFunction = m_function->currentData().toString().toStdString();
    return options;
}

bool ExportDialog::verifyAfterwards() const
{
    return m_verify->isEnabled() && m_verify->isChecked();
}

void ExportDialog::reject()
{
    if (m_running)
        emit cancelRequested();
    else
        QDialog::reject();
}

void ExportDialog::closeEvent(QCloseEvent* event)
{
    if (std::exchange(m_running, false))
        emit cancelRequested();
    QDialog::closeEvent(event);
}

void ExportDialog::chooseFolder()
{
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder for the stages"), m_folder->text());
    if (!folder.isEmpty())
        m_folder->setText(folder);
}

void ExportDialog::showState()
{
    const bool wanted = m_python->isChecked() || m_pt2->isChecked() || m_torchScript->isChecked();
    m_replace->setVisible(m_occupied);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_folder, m_python, m_pt2, m_torchScript,
                                                           m_replace, m_loss, m_function})
        widget->setEnabled(!m_running);
    m_shardSize->setEnabled(!m_running && m_python->isChecked());
    m_verify->setEnabled(m_python->isChecked() || m_pt2->isChecked());
    m_bar->setVisible(m_running);
    m_export->setEnabled(!m_running && wanted && m_hasFiles && (!m_occupied || m_replace->isChecked()));
    m_verifyButton->setVisible(!m_folderWritten.isEmpty());
    m_openFolder->setVisible(!m_folderWritten.isEmpty());
    m_verifyButton->setEnabled(!m_running);
    m_cancel->setText(m_running ? tr("Cancel") : tr("Close"));
    m_message->setVisible(!m_message->text().isEmpty());
}

void ExportDialog::showMessage(const QString& text, Tone tone)
{
    m_tone = tone;
    colorMessage();
    m_message->setText(shownText(text, LineBreaks::Keep));
    m_message->setVisible(!text.isEmpty());
}

void ExportDialog::colorMessage()
{
    const Theme theme = applicationTheme();
    setTextColor(m_message, m_tone == Tone::Good  ? theme.success
                            : m_tone == Tone::Bad ? theme.danger
                                                  : theme.mutedText);
}

void ExportDialog::colorComparisons()
{
    const Theme theme = applicationTheme();
    for (int row = 0; row < m_comparisons->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_comparisons->topLevelItem(row);
        item->setForeground(ResultColumn,
                            item->data(ResultColumn, passedRole).toBool() ? theme.success : theme.danger);
    }
}

} // namespace stagecraft
