// SubstitutesController: what a person says that operators cost which are not known here: a dialog with all
// of the model, a menu for what is selected, files, and the one in which they are kept for other models.
#pragma once

#include "core/trace/substitute_kinds.h"

#include <QObject>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QMenu;
class QWidget;

namespace stagecraft {

class Document;
class Selection;
struct Actions;
class SubstitutesDialog;
class WindowMessages;
struct OperatorCosts;

class SubstitutesController : public QObject
{
    Q_OBJECT

public:
    // All outlive it; dialogs are those of `window`. One of `actions` and messages show the dialog. Costs are
    // kept in `file` (empty: nowhere) as they are said and taken back; one that cannot be read is left alone.
    SubstitutesController(QWidget* window, Document& document, const Selection& selection,
                          const WindowMessages& messages, const Actions& actions, std::filesystem::path file);

    // What the selected ops cost, at a click; enabled where they are of one operator that is not known.
    QMenu* menu() const { return m_menu; }

private:
    void showDialog(const std::string& shown = {}); // of an operator; empty: the first
    void followSelection();
    void fillMenu();
    void sayKind(std::optional<SubstituteKind> kind);
    void forgetModel();
    // Of what is selected, if it is one operator of m_unknown or one that costs are said of.
    const OperatorUse* selected() const;
    OperatorCosts costsOf(const OperatorUse& unknown, const Substitutes& said) const;
    std::vector<OperatorCosts> costsOfModel(const Substitutes& said) const;
    Substitutes said() const;                                   // as it is asked last, in force yet or not
    Substitutes shownIn(const SubstitutesDialog& dialog) const; // and what else is said
    void take(Substitutes substitutes, const QString& text);
    void readKept();
    void keep();
    void import(SubstitutesDialog* dialog, const QString& file);
    void save(SubstitutesDialog* dialog, const QString& file);
    void loadLibrary(SubstitutesDialog* dialog, const QString& file);
    void learnModel(const Substitutes& said);

    QWidget* m_window;
    Document& m_document;
    const Selection& m_selection;
    std::filesystem::path m_file;              // empty: nothing is kept
    std::shared_ptr<const Substitutes> m_kept; // of the document, as they were kept last
    Substitutes m_others;                      // imported in the dialog, of no operator of the model
    std::vector<OperatorUse> m_unknown;        // of the model, and those of it that costs are said of
    QMenu* m_menu;
};

} // namespace stagecraft
