#include "views/code/source_page.h"

#include "core/base/text_file.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/code/code_text.h"
#include "views/code/read_only_editor.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr int lineMarker = 0;
constexpr int numberMargin = 0;
constexpr Bytes mostOfSource{std::int64_t{4} << 20};

bool isReadable(const QString& path)
{
    const QFileInfo file(path);
    return file.isFile() && file.isReadable() && file.suffix() == QLatin1String("py");
}

QString frameText(const SourceFrame& frame)
{
    const QString file = QFileInfo(dataText(frame.file)).fileName();
    return QObject::tr("%1:%2 in %3").arg(shownText(file)).arg(frame.line).arg(shownText(frame.function));
}

QString placeText(const SourceFrame& frame)
{
    return QObject::tr("%1, line %2").arg(shownText(frame.file)).arg(frame.line);
}

} // namespace

QString sourceFile(const SourceFrame& frame, const QString& folder)
{
    const QString path = dataText(frame.file);
    if (QDir::isAbsolutePath(path) && isReadable(path))
        return path;
    const QStringList parts = QDir::cleanPath(path).split('/', Qt::SkipEmptyParts);
    if (folder.isEmpty() || parts.contains(QLatin1String("..")))
        return {};
    for (qsizetype first = 0; first < parts.size(); ++first) {
        const QString here = folder + '/' + parts.mid(first).join('/');
        if (isReadable(here))
            return here;
    }
    return {};
}

SourcePage::SourcePage(QWidget* parent)
    : QWidget(parent), m_frame(new QComboBox), m_message(new QLabel), m_editor(new ReadOnlyEditor)
{
    m_frame->setAccessibleName(tr("Line of the source, from the innermost call outwards"));
    m_frame->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_message->setContentsMargins(em(this, 0.5), em(this, 0.25), em(this, 0.5), em(this, 0.25));
    m_editor->setAccessibleName(tr("Source of the model"));
    m_editor->setMarginType(numberMargin, QsciScintilla::NumberMargin);
    m_editor->setMarginMarkerMask(numberMargin, 0);
    m_editor->markerDefine(QsciScintilla::Background, lineMarker);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_frame);
    layout->addWidget(m_message);
    layout->addWidget(m_editor, 1);
    layout->addStretch(0);
    setFocusProxy(m_editor);
    setTabOrder(m_editor, m_frame); // Tab into the page begins with it
    connect(m_frame, &QComboBox::currentIndexChanged, this, &SourcePage::showFrame);
    onThemeChange(this, [this] { applyTheme(); });
    applyTheme();
    setNode(nullptr, {});
}

void SourcePage::applyTheme()
{
    m_editor->applyPythonTheme();
    m_editor->setMarkerBackgroundColor(applicationTheme().selection, lineMarker);
}

void SourcePage::setFolder(const QString& folder)
{
    m_folder = folder;
    showFrame();
}

void SourcePage::setNode(std::shared_ptr<const Graph> graph, std::optional<NodeId> node)
{
    if (graph == m_graph && node == m_node && node)
        return;
    m_graph = std::move(graph);
    m_node = m_graph ? node : std::nullopt;
    m_frames.clear();
    if (m_node && (*m_graph)[*m_node].source) {
        const auto frames = m_graph->source(*(*m_graph)[*m_node].source);
        m_frames.assign(frames.rbegin(), frames.rend());
    }
    const QSignalBlocker quiet(m_frame);
    m_frame->clear();
    for (const SourceFrame& frame : m_frames)
        m_frame->addItem(frameText(frame));
    m_frame->setVisible(m_frames.size() > 1);
    showFrame();
}

QString SourcePage::text() const
{
    return m_editor->isHidden() ? QString() : m_editor->text();
}

QString SourcePage::message() const
{
    return m_message->text();
}

void SourcePage::say(const QString& text)
{
    m_message->setText(text);
    m_editor->hide();
}

void SourcePage::showFrame()
{
    if (!m_node)
        return say(tr("Select an op to see the line of the model that it comes from."));
    if (m_frames.empty())
        return say(
            tr("The model's file does not say where %1 comes from: it was exported without the lines of "
               "its source.")
                .arg(shownText((*m_graph)[*m_node].name)));
    const SourceFrame& frame = m_frames[static_cast<std::size_t>(std::max(0, m_frame->currentIndex()))];
    const QString recorded =
        frame.text.empty() ? QString() : tr("\nThe export wrote down: %1").arg(shownText(frame.text));
    const QString file = sourceFile(frame, m_folder);
    if (file.isEmpty())
        return say(tr("%1\nThis file is not on this machine; put a copy beside the model's file to see it.")
                       .arg(placeText(frame)) +
                   recorded);
    const Result<std::string> text = readTextFile(file.toStdString(), mostOfSource);
    if (!text.has_value())
        return say(shownText(text.error().message) + recorded);
    const QStringList lines = linesOf(*text);
    const bool isThere = frame.line >= 1 && frame.line <= lines.size();
    const bool isSame =
        isThere && (frame.text.empty() || lines[frame.line - 1].trimmed() == shownText(frame.text).trimmed());
    m_message->setText(isSame ? placeText(frame)
                              : placeText(frame) + tr("\nThe file has changed since the export.") + recorded);
    m_editor->setText(lines.join('\n'));
    m_editor->setMarginWidth(numberMargin, QString(QString::number(lines.size()).size() + 1, '8'));
    m_editor->markerDeleteAll();
    m_editor->show();
    if (!isThere)
        return;
    m_editor->markerAdd(frame.line - 1, lineMarker);
    m_editor->setCursorPosition(frame.line - 1, 0);
    m_editor->setFirstVisibleLine(std::max(0, frame.line - 6));
}

} // namespace stagecraft
