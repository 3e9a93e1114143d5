#include "views/pages/import_dialog.h"

#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/pages/inputs_table.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

namespace stagecraft {

namespace {

// Where a model can come from: how its name begins, and what a name looks like.
struct ImportKind
{
    const char* prefix;
    QString title;
    QString example;
    QString explanation;
};

std::vector<ImportKind> kinds()
{
    return {{"", QObject::tr("My own code"), QStringLiteral("train.py:make_model"),
             QObject::tr("FILE.py:FUNCTION or MODULE:FUNCTION. The function returns the module, or (module, "
                         "inputs). This runs your code, in your Python.")},
            {"hf:", QStringLiteral("transformers"), QStringLiteral("llama"),
             QObject::tr("A model type (gpt2, llama), a class (BertForSequenceClassification), a folder with "
                         "config.json, or OWNER/NAME of the Hub. No weights are fetched.")},
            {"timm:", QStringLiteral("timm"), QStringLiteral("vit_base_patch16_224"),
             QObject::tr("A name of timm.list_models(). No weights are fetched.")},
            {"torchvision:", QStringLiteral("torchvision"), QStringLiteral("resnet50"),
             QObject::tr("A name of torchvision.models.list_models(). No weights are fetched.")}};
}

std::vector<std::string> words(const QString& text)
{
    std::vector<std::string> words;
    for (const QString& word : text.split(QRegularExpression(QStringLiteral("[\\s,;]+")), Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    return words;
}

QString joined(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts)
        list << shownText(text);
    return list.join(' ');
}

QLabel* explanation()
{
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    return label;
}

} // namespace

ImportDialog::ImportDialog(QWidget* parent)
    : QDialog(parent),
      m_kind(new QComboBox),
      m_name(new QLineEdit),
      m_example(explanation()),
      m_inputs(new InputsTable),
      m_settings(new QLineEdit),
      m_dynamic(new QLineEdit),
      m_mode(new QComboBox),
      m_weights(new QComboBox),
      m_python(new QLineEdit),
      m_version(explanation()),
      m_output(new QLineEdit),
      m_replaces(explanation()),
      m_bar(new QProgressBar),
      m_message(new QLabel),
      m_showDetails(new QCheckBox(tr("What Python wrote"))),
      m_details(new QPlainTextEdit),
      m_import(new QPushButton(tr("Import"))),
      m_cancel(new QPushButton(tr("Close")))
{
    setWindowTitle(tr("Import a model from Python"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 1), em(this, 1), em(this, 1), em(this, 0.8));
    layout->setSpacing(em(this, 0.7));
    layout->addLayout(buildForm());
    buildResults(layout);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_showDetails);
    buttons->addStretch();
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_import);
    m_cancel->setAutoDefault(false);
    m_import->setDefault(true);
    layout->addLayout(buttons);
    connect(m_import, &QPushButton::clicked, this, &ImportDialog::importRequested);
    connect(m_cancel, &QPushButton::clicked, this, &ImportDialog::reject);
    connect(m_showDetails, &QCheckBox::toggled, this, &ImportDialog::showState);
    onThemeChange(this, [this] { color(); });
    showKind();
    resize(em(this, 48), 0); // as low as it can be
}

QFormLayout* ImportDialog::buildForm()
{
    for (const ImportKind& kind : kinds())
        m_kind->addItem(kind.title);
    m_kind->setAccessibleName(tr("Where the model comes from"));
    m_name->setAccessibleName(tr("Name of the model"));
    m_python->setAccessibleName(tr("Python"));
    m_output->setAccessibleName(tr("Write to"));
    m_settings->setPlaceholderText(QStringLiteral("num_hidden_layers=4"));
    m_settings->setToolTip(tr("Members of the configuration, or arguments of the function"));
    m_dynamic->setPlaceholderText(QStringLiteral("batch"));
    m_dynamic->setToolTip(
        tr("Sizes that stay open: batch is the first of each input; others are named in the "
           "input, as in i64[batch=2,length=128]"));
    m_mode->addItems({tr("Training, evaluation where it cannot be traced"), tr("Evaluation")});
    m_weights->addItems({tr("As usual: none of a library's, its own of my code"),
                         tr("None, the structure alone"), tr("As the code makes them, however large")});
    m_python->setPlaceholderText(shownText(std::string("python3")));
    m_version->setForegroundRole(QPalette::WindowText); // color() says which
    m_inputs->setFixedHeight(em(this, 5.5));
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("From"), m_kind);
    form->addRow(tr("Name"), withButton(m_name, tr("Choose a file"), &ImportDialog::chooseFile));
    form->addRow(QString(), m_example);
    form->addRow(tr("Inputs"), m_inputs);
    form->addRow(tr("Open sizes"), m_dynamic);
    form->addRow(tr("Settings"), m_settings);
    form->addRow(tr("Mode"), m_mode);
    form->addRow(tr("Weights"), m_weights);
    form->addRow(tr("Python"), withButton(m_python, tr("Choose a Python"), &ImportDialog::choosePython));
    form->addRow(QString(), m_version);
    form->addRow(tr("Write to"),
                 withButton(m_output, tr("Choose the file to write"), &ImportDialog::chooseOutput));
    form->addRow(QString(), m_replaces);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ImportDialog::showKind);
    connect(m_name, &QLineEdit::textChanged, this, &ImportDialog::proposeOutput);
    connect(m_output, &QLineEdit::textChanged, this, &ImportDialog::showState);
    connect(m_python, &QLineEdit::editingFinished, this,
            [this] { emit pythonChanged(m_python->text().trimmed()); });
    return form;
}

QWidget* ImportDialog::withButton(QLineEdit* field, const QString& tip, void (ImportDialog::*choose)())
{
    QToolButton* button = makeChooseButton(tip);
    connect(button, &QToolButton::clicked, this, choose);
    m_choose.push_back(button);
    auto* both = new QWidget;
    both->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(field, 1);
    row->addWidget(button);
    return both;
}

void ImportDialog::buildResults(QVBoxLayout* layout)
{
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_message->setAccessibleName(tr("What became of it"));
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->setRange(0, 1000);
    m_details->setReadOnly(true);
    m_details->setFont(codeFont(this));
    m_details->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_details->setMinimumHeight(em(this, 10));
    m_details->setAccessibleName(tr("What Python wrote"));
    layout->addWidget(m_bar);
    layout->addWidget(m_message);
    layout->addWidget(m_details, 1);
    layout->addStretch();
}

QString ImportDialog::source() const
{
    const QString name = m_name->text().trimmed();
    return name.isEmpty() ? name : kinds()[static_cast<std::size_t>(m_kind->currentIndex())].prefix + name;
}

ImportRequest ImportDialog::request() const
{
    ImportRequest request;
    request.source = source().toStdString();
    request.output = m_output->text().trimmed().toStdString();
    request.python = m_python->text().trimmed().toStdString();
    request.inputs = m_inputs->inputs();
    request.settings = words(m_settings->text());
    request.dynamicSizes = words(m_dynamic->text());
    request.mode =
        m_mode->currentIndex() == 0 ? ImportRequest::Mode::Training : ImportRequest::Mode::Evaluation;
    request.weights = static_cast<ImportRequest::Weights>(m_weights->currentIndex());
    return request;
}

void ImportDialog::setRequest(const ImportRequest& request)
{
    QString name = shownText(request.source);
    const std::vector<ImportKind> all = kinds();
    int kind = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
        if (name.startsWith(all[i].prefix))
            kind = static_cast<int>(i);
    m_kind->setCurrentIndex(kind);
    m_name->setText(name.mid(static_cast<int>(qstrlen(all[static_cast<std::size_t>(kind)].prefix))));
    m_python->setText(shownText(request.python));
    m_inputs->setInputs(request.inputs);
    m_settings->setText(joined(request.settings));
    m_dynamic->setText(joined(request.dynamicSizes));
    m_mode->setCurrentIndex(request.mode == ImportRequest::Mode::Training ? 0 : 1);
    m_weights->setCurrentIndex(static_cast<int>(request.weights));
    if (!request.output.empty())
        m_output->setText(shownText(request.output.string()));
}

void ImportDialog::setOutputFolder(const QString& folder)
{
    m_outputFolder = folder;
    proposeOutput();
}

void ImportDialog::setPythonAsked()
{
    m_isPythonWrong = false;
    m_version->setText(tr("Asking which it is…"));
    color();
}

void ImportDialog::setPython(const PythonVersion& version)
{
    m_isPythonWrong = false;
    m_version->setText(
        tr("Python %1 with PyTorch %2: %3")
            .arg(shownText(version.python), shownText(version.torch), shownText(version.program)));
    color();
}

void ImportDialog::setPythonProblem(const QString& message)
{
    m_isPythonWrong = true;
    m_version->setText(message);
    color();
}

void ImportDialog::setProgress(const QString& activity, std::optional<double> fraction)
{
    m_isRunning = true;
    m_bar->setRange(0, fraction ? 1000 : 0);
    if (fraction)
        m_bar->setValue(static_cast<int>(std::lround(*fraction * 1000)));
    m_message->setText(shownText(activity));
    showState();
}

void ImportDialog::setIdle()
{
    m_isRunning = false;
    m_message->clear();
    showState();
}

void ImportDialog::setFailed(const QString& message, const QString& details)
{
    m_isRunning = false;
    m_message->setText(shownText(message));
    m_details->setPlainText(details);
    showState();
}

void ImportDialog::reject()
{
    if (m_isRunning)
        emit cancelRequested();
    else
        QDialog::reject();
}

void ImportDialog::closeEvent(QCloseEvent* event)
{
    if (std::exchange(m_isRunning, false))
        emit cancelRequested();
    QDialog::closeEvent(event);
}

void ImportDialog::chooseFile()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("The file with the model"), {},
                                                      tr("Python (*.py);;All files (*)"));
    if (file.isEmpty())
        return;
    m_kind->setCurrentIndex(0);
    m_name->setText(file + ':');
    m_name->setFocus();
}

void ImportDialog::choosePython()
{
    const QString file =
        QFileDialog::getOpenFileName(this, tr("The Python that has PyTorch"), m_python->text());
    if (file.isEmpty())
        return;
    m_python->setText(file);
    emit pythonChanged(file);
}

void ImportDialog::chooseOutput()
{
    const QString file =
        QFileDialog::getSaveFileName(this, tr("The file to write"), m_output->text(), tr("Models (*.pt2)"),
                                     nullptr, QFileDialog::DontConfirmOverwrite);
    if (!file.isEmpty())
        m_output->setText(file.endsWith(".pt2") ? file : file + ".pt2");
}

void ImportDialog::showKind()
{
    const ImportKind kind = kinds()[static_cast<std::size_t>(m_kind->currentIndex())];
    m_name->setPlaceholderText(kind.example);
    m_example->setText(kind.explanation);
    proposeOutput();
}

void ImportDialog::proposeOutput()
{
    if (m_output->text() == m_proposed) {
        QString name = m_name->text().trimmed();
        name = m_kind->currentIndex() == 0 ? name.section(':', -1) : name.section('/', -1);
        name.replace(QRegularExpression(QStringLiteral("[^A-Za-z0-9._-]+")), QStringLiteral("_"));
        m_proposed = name.isEmpty() ? QString() : QDir(m_outputFolder).filePath(name + ".pt2");
        m_output->setText(m_proposed);
    }
    showState();
}

void ImportDialog::showState()
{
    const bool replaces = QFileInfo(m_output->text()).isFile();
    m_replaces->setText(replaces ? tr("The file that is there will be replaced.") : QString());
    m_replaces->setVisible(replaces);
    m_bar->setVisible(m_isRunning);
    m_message->setVisible(!m_message->text().isEmpty());
    const bool hasDetails = !m_details->toPlainText().isEmpty() && !m_isRunning;
    m_showDetails->setVisible(hasDetails);
    m_details->setVisible(hasDetails && m_showDetails->isChecked());
    for (QWidget* field : std::initializer_list<QWidget*>{m_kind, m_name, m_inputs, m_settings, m_dynamic,
                                                          m_mode, m_weights, m_python, m_output})
        field->setEnabled(!m_isRunning);
    for (QToolButton* button : m_choose)
        button->setEnabled(!m_isRunning);
    m_import->setEnabled(!m_isRunning && !m_name->text().trimmed().isEmpty() &&
                         !m_output->text().trimmed().isEmpty());
    m_cancel->setText(m_isRunning ? tr("Cancel") : tr("Close"));
    color();
}

void ImportDialog::color()
{
    const Theme theme = applicationTheme();
    setTextColor(m_message, m_isRunning ? theme.mutedText : theme.danger);
    setTextColor(m_version, m_isPythonWrong ? theme.danger : theme.mutedText);
}

} // namespace stagecraft
