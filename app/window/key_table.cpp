#include "app/window/key_table.h"

#include "views/base/dialog_size.h"
#include "views/base/theme.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace stagecraft {

namespace {

QString keyText(const char* text)
{
    return QCoreApplication::translate("KeyTable", text);
}

// Not what undo would take back at the moment.
QString nameOf(const QAction& action)
{
    const QString lasting = action.whatsThis();
    return lasting.isEmpty() ? action.text().remove('&').remove("…") : lasting;
}

void collectKeys(const QMenu& menu, KeySection& section)
{
    for (const QAction* action : menu.actions()) {
        if (action->menu())
            collectKeys(*action->menu(), section);
        else if (!action->shortcut().isEmpty())
            section.keys.emplace_back(nameOf(*action), action->shortcut().toString(QKeySequence::NativeText));
        else if (const QStringList parts = action->text().remove('&').split('\t'); parts.size() == 2)
            section.keys.emplace_back(parts[0], parts[1]); // a key that only the graph knows
    }
}

KeySection mouseSection()
{
    return {keyText("Graph and charts"),
            {{keyText("Scroll"), keyText("wheel, Shift+wheel, middle drag")},
             {keyText("Zoom at the pointer"), keyText("Ctrl+wheel")},
             {keyText("Zoom to an area"), keyText("Ctrl+drag")},
             {keyText("Open or close a box"), keyText("double click, Enter; Alt: all below")},
             {keyText("The box around"), keyText("Backspace")},
             {keyText("Walk along edges"), keyText("arrows")},
             {keyText("From edge to edge of an op; then Up, Down to its ends"), keyText("N, Shift+N")},
             {keyText("The op before, after"), keyText(", .")},
             {keyText("To the top, to the bottom"), keyText("Home, End")},
             {keyText("Begin a stage here"), keyText("double click beside the graph")},
             {keyText("Select an area"), keyText("Shift+drag; in charts: drag")},
             {keyText("Add another range to what is selected"), keyText("Shift+drag in charts")},
             {keyText("Send ops or a box to another stage"), keyText("drag them over the boundary")},
             {keyText("Move a boundary"), keyText("drag it; Up, Down in the graph, Left, Right in charts")},
             {keyText("… by a module, to the best place nearby"), keyText("Shift, Ctrl with the arrows")},
             {keyText("… without being drawn to good places"), keyText("Alt while dragging")},
             {keyText("Give up a drag"), keyText("Esc")},
             {keyText("Select nothing; then end the job that goes on"), keyText("Esc")},
             {keyText("Move a boundary in the table of stages"), keyText("Alt+Up, Alt+Down")},
             {keyText("Only the rows of a table with some words"), keyText("/ in the table")}}};
}

QString html(const std::vector<KeySection>& sections, const Theme& theme)
{
    QString text;
    for (const KeySection& section : sections) {
        text += QString("<h3>%1</h3><table width='100%' cellpadding='3'>").arg(section.title.toHtmlEscaped());
        for (const auto& [what, key] : section.keys)
            text += QString("<tr><td width='60%'>%1</td><td><span style='color:%2'>%3</span></td></tr>")
                        .arg(what.toHtmlEscaped(), theme.accent.name(), key.toHtmlEscaped());
        text += "</table>";
    }
    return text;
}

} // namespace

std::vector<KeySection> keySections(const QMenuBar& menus)
{
    std::vector<KeySection> sections;
    for (const QAction* action : menus.actions()) {
        if (!action->menu())
            continue;
        KeySection section{action->text().remove('&'), {}};
        collectKeys(*action->menu(), section);
        if (!section.keys.empty())
            sections.push_back(std::move(section));
    }
    sections.push_back(mouseSection());
    return sections;
}

void showKeyTable(QWidget* parent, const std::vector<KeySection>& sections)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(keyText("Keys"));
    resizeOnScreen(dialog, {em(parent, 34), em(parent, 44)});
    auto* text = new QTextBrowser(dialog);
    text->setAccessibleName(keyText("Keys and what they do"));
    text->setFrameShape(QFrame::NoFrame);
    text->setHtml(html(sections, themeOf(parent->palette())));
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    dialog->show();
}

} // namespace stagecraft
