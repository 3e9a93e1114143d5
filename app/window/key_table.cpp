#include "app/window/key_table.h"

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

QString tr(const char* text)
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
    return {tr("Graph and charts"),
            {{tr("Scroll"), tr("wheel, Shift+wheel, middle drag")},
             {tr("Zoom at the pointer"), tr("Ctrl+wheel")},
             {tr("Zoom to an area"), tr("Ctrl+drag")},
             {tr("Open or close a box"), tr("double click, Enter; Alt: all below")},
             {tr("The box around"), tr("Backspace")},
             {tr("Walk along edges"), tr("arrows")},
             {tr("The op before, after"), tr(", .")},
             {tr("To the top, to the bottom"), tr("Home, End")},
             {tr("Begin a stage here"), tr("double click beside the graph")},
             {tr("Select an area"), tr("Shift+drag; in charts: drag")},
             {tr("Send ops or a box to another stage"), tr("drag them over the boundary")},
             {tr("Move a boundary"), tr("drag it; Up, Down in the graph, Left, Right in charts")},
             {tr("… by a module, to the best place nearby"), tr("Shift, Ctrl with the arrows")},
             {tr("… without being drawn to good places"), tr("Alt while dragging")},
             {tr("Give up a drag"), tr("Esc")},
             {tr("Move a boundary in the table of stages"), tr("Alt+Up, Alt+Down")}}};
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
    dialog->setWindowTitle(tr("Keys"));
    dialog->resize(em(parent, 34), em(parent, 44));
    auto* text = new QTextBrowser(dialog);
    text->setAccessibleName(tr("Keys and what they do"));
    text->setFrameShape(QFrame::NoFrame);
    text->setHtml(html(sections, themeOf(parent->palette())));
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    dialog->show();
}

} // namespace stagecraft
