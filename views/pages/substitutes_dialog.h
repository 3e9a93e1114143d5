// SubstitutesDialog: what operators cost that the program does not know, one by one: of a usual kind, or by
// formulas of their tensors.
//
//     ┌ mylib::scan        ┐  x f32[8, 64], width 16, out0 f32[8, 64]
//     │ mylib::route (own) │  Costs      [ Matrix product        v ]
//     └────────────────────┘             FLOPs        Bytes    Seconds
//                             Forward    [ 2 * nu… ]  [      ] [      ]
//                             …
//                             One of them: 16.4 KFLOP forward, 32.8 KFLOP backward
//     [Import…] [Save as…] [Load library…]                    [OK] [Cancel]
#pragma once

#include "core/trace/substitute_kinds.h"

#include <QDialog>

#include <array>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace stagecraft {

// An operator, and what may be said of it.
struct OperatorCosts
{
    std::string name; // "mylib::scan", as Substitutes have it
    std::size_t count = 0;
    Operands operands;                                                    // of the first one
    std::array<std::optional<Substitute>, substituteKinds.size()> byKind; // none: it lacks such tensors
    std::optional<Substitute> said;                                       // none: its bytes count
};

// What may be said of an operator: its bytes alone, what substituteKinds say, formulas of one's own.
QStringList costChoices();
// Which of them holds.
int costChoiceOf(const OperatorCosts& costs);

class SubstitutesDialog : public QDialog
{
    Q_OBJECT

public:
    explicit SubstitutesDialog(QWidget* parent = nullptr);

    // `shown`: the name of the one to show, if it is among them.
    void setOperators(std::vector<OperatorCosts> operators, const std::string& shown = {});
    // As they are said now; only what holds is among it.
    const std::vector<OperatorCosts>& operators() const { return m_operators; }
    void showError(const std::string& error); // below the fields; empty: none

    void accept() override; // only where all formulas hold; else goes to the first that does not

signals:
    void importRequested(const QString& file);
    void saveRequested(const QString& file);
    void libraryRequested(const QString& file); // of operators, whose code runs

private:
    static constexpr std::size_t phaseCount = 3;
    static constexpr std::size_t costCount = 3;

    void build();
    QWidget* makeForm();
    void connectFields();
    void showOperator();
    void showFields();
    void takeKind(int index);
    void takeFields();
    void showResult();
    void showName(std::size_t row);
    OperatorCosts* current();
    // The field of the first formula that does not hold; null where all do.
    QLineEdit* wrongField() const;

    std::vector<OperatorCosts> m_operators;
    QListWidget* m_list;
    QLabel* m_tensors;
    QComboBox* m_kind;
    std::array<std::array<QLineEdit*, costCount>, phaseCount> m_fields{};
    QLabel* m_result;
    QPushButton* m_import;
    QPushButton* m_save;
    QPushButton* m_library;
    bool m_isShowing = false; // fields are being filled, nobody types
};

} // namespace stagecraft
