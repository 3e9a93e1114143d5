#include "views/code/code_tools.h"

#include "core/base/output_file.h"
#include "views/base/icons.h"
#include "views/base/plain_text.h"
#include "views/code/code_editor.h"
#include "views/code/code_stack.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>

namespace stagecraft {

CodeTools::CodeTools(CodeStack* stack)
    : QObject(stack), m_stack(stack), m_menu(new QMenu(stack)), m_shows(new QActionGroup(this))
{
    addShows();
    connect(add("copy", tr("Copy page")), &QAction::triggered, this, &CodeTools::copy);
    connect(add("export", tr("Save page…")), &QAction::triggered, this, &CodeTools::save);
    m_menu->addSeparator();
    QAction* shortLines = add({}, tr("Short lines"));
    shortLines->setCheckable(true);
    shortLines->setChecked(stack->hasShortLines());
    shortLines->setToolTip(tr("Lines that fit the view; an export writes them as they are without"));
    connect(shortLines, &QAction::toggled, stack, &CodeStack::setShortLines);
    connect(stack, &CodeStack::shortLinesChanged, shortLines, &QAction::setChecked);
    connect(add({}, tr("Fold modules")), &QAction::triggered, stack->editor(), &CodeEditor::fold);
    connect(add({}, tr("Unfold all")), &QAction::triggered, stack->editor(), &CodeEditor::unfold);
    m_menu->setToolTipsVisible(true);
    stack->editor()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(stack->editor(), &QWidget::customContextMenuRequested, this,
            [this](const QPoint& at) { m_menu->popup(m_stack->editor()->mapToGlobal(at)); });
}

void CodeTools::addShows()
{
    for (const auto& [shows, text] :
         {std::pair(CodeShows::Code, tr("Code of the stage")),
          std::pair(CodeShows::Differences, tr("Differences from before the last move")),
          std::pair(CodeShows::Source, tr("Source of the model"))}) {
        QAction* action = m_shows->addAction(add({}, text));
        action->setCheckable(true);
        action->setData(int(shows));
        connect(action, &QAction::triggered, this, [this, wanted = shows] { emit showsChosen(wanted); });
    }
    setShows(CodeShows::Code);
    m_menu->addSeparator();
}

void CodeTools::setShows(CodeShows shows)
{
    for (QAction* action : m_shows->actions())
        action->setChecked(action->data().toInt() == int(shows));
}

QAction* CodeTools::add(const QString& icon, const QString& text)
{
    QAction* action = m_menu->addAction(text);
    if (!icon.isEmpty())
        action->setIcon(themedIcon(icon));
    return action;
}

void CodeTools::setPageName(const QString& name)
{
    m_name = name;
}

void CodeTools::copy() const
{
    QApplication::clipboard()->setText(m_stack->shownText());
}

Result<void> CodeTools::writeTo(const QString& path) const
{
    STAGECRAFT_TRY(writeTextFile(path.toStdString(), m_stack->shownText().toStdString()));
    return {};
}

void CodeTools::save()
{
    const bool isCode = m_stack->shows() != CodeShows::Differences;
    const QString ending = isCode ? QStringLiteral(".py") : QStringLiteral(".diff");
    QString path = QFileDialog::getSaveFileName(m_stack, tr("Save the page"), m_name + ending,
                                                isCode ? tr("Python (*.py)") : tr("Differences (*.diff)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += ending;
    if (const Result<void> written = writeTo(path); !written.has_value())
        QMessageBox::warning(m_stack, tr("Save the page"), toolTipText(shownText(written.error().message)));
}

} // namespace stagecraft
