#include "views/pages/command_palette.h"

#include "views/base/cell_delegate.h"
#include "views/base/icons.h"
#include "views/base/widgets.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr std::size_t mostShown = 200;

} // namespace

std::vector<std::size_t> matchingEntries(const std::vector<PaletteEntry>& entries, const QString& text)
{
    const QStringList words = text.simplified().split(' ', Qt::SkipEmptyParts);
    const QString whole = text.simplified();
    std::vector<std::pair<int, std::size_t>> found;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const QString& title = entries[i].title;
        const auto isThere = [&](const QString& word) {
            return title.contains(word, Qt::CaseInsensitive) ||
                   entries[i].note.contains(word, Qt::CaseInsensitive);
        };
        if (!std::ranges::all_of(words, isThere))
            continue;
        const bool isFirst = title.startsWith(whole, Qt::CaseInsensitive);
        const bool isWord = title.contains(' ' + whole, Qt::CaseInsensitive);
        const bool isTitle = title.contains(whole, Qt::CaseInsensitive);
        found.emplace_back(isFirst ? 0 : isWord ? 1 : isTitle ? 2 : 3, i);
    }
    std::ranges::sort(found);
    std::vector<std::size_t> indices;
    for (const auto& [rank, index] : found)
        indices.push_back(index);
    return indices;
}

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, QWidget* window)
    : QDialog(window, Qt::Dialog | Qt::FramelessWindowHint),
      m_entries(std::move(entries)),
      m_field(new QLineEdit),
      m_list(new QListWidget)
{
    setModal(true);
    setWindowTitle(tr("Commands"));
    setAccessibleName(tr("Commands"));
    m_field->setPlaceholderText(tr("Type a command, a module, a stage, a setting"));
    m_field->setAccessibleName(tr("Command"));
    m_field->setAccessibleDescription(tr("Up and Down choose, Enter does it"));
    m_field->addAction(themedIcon("find"), QLineEdit::LeadingPosition)->setText(tr("Find"));
    m_list->setAccessibleName(tr("Commands that match"));
    m_list->setItemDelegate(new CellDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    const int margin = em(this, spacing::medium);
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->addWidget(m_field);
    layout->addWidget(m_list, 1);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::showMatches);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    onKeyPress(m_field, [this](int key, Qt::KeyboardModifiers) { return handleKey(key); });
    showMatches({});
    const int width = std::min(em(this, 46), window->width() - 2 * margin);
    const int height = std::min(em(this, 28), window->height() * 7 / 10);
    setGeometry(QRect(window->mapToGlobal(QPoint((window->width() - width) / 2, window->height() / 8)),
                      QSize(width, height)));
    m_field->setFocus();
}

void CommandPalette::showMatches(const QString& text)
{
    m_shown = matchingEntries(m_entries, text);
    m_shown.resize(std::min(m_shown.size(), mostShown));
    m_list->clear();
    for (const std::size_t index : m_shown) {
        const PaletteEntry& entry = m_entries[index];
        auto* item = new QListWidgetItem(entry.title, m_list);
        item->setData(cellRole, QVariant::fromValue(CellContent{.note = entry.note}));
        item->setData(Qt::AccessibleTextRole, entry.title + ", " + entry.note);
    }
    if (m_shown.empty()) {
        auto* none = new QListWidgetItem(tr("No matches"), m_list);
        none->setFlags(Qt::NoItemFlags);
        none->setData(cellRole, QVariant::fromValue(CellContent{.faint = true}));
    }
    m_list->setCurrentRow(m_shown.empty() ? -1 : 0);
}

bool CommandPalette::handleKey(int key)
{
    const int rows = static_cast<int>(m_shown.size());
    const int page = std::max(1, m_list->viewport()->height() / std::max(1, m_list->sizeHintForRow(0)));
    const auto go = [&](int step) {
        if (rows > 0)
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, rows - 1));
        return true;
    };
    switch (key) {
    case Qt::Key_Down:
        return go(1);
    case Qt::Key_Up:
        return go(-1);
    case Qt::Key_PageDown:
        return go(page);
    case Qt::Key_PageUp:
        return go(-page);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        runCurrent();
        return true;
    default:
        return false;
    }
}

void CommandPalette::runCurrent()
{
    if (m_list->currentRow() < 0)
        return;
    const auto run = m_entries[m_shown[static_cast<std::size_t>(m_list->currentRow())]].run;
    QTimer::singleShot(0, parent(), run);
    accept();
}

void CommandPalette::paintEvent(QPaintEvent* event)
{
    QDialog::paintEvent(event);
    QPainter painter(this);
    painter.setPen(applicationTheme().border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void showPalette(QWidget* window, std::vector<PaletteEntry> entries)
{
    auto* palette = new CommandPalette(std::move(entries), window);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->open();
}

} // namespace stagecraft
