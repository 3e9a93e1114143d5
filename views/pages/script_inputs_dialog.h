// ScriptInputsDialog: what forward() of a TorchScript file is called with, asked of the person before it
// opens.
//
//     classifier.pt does not say the sizes of its inputs …
//     x      [ f32[8,3,224,224]        ]
//              Tensor
//     mask   [ none                    ]
//              Optional[Tensor], may be left out
//                                [Open] [Cancel]
#pragma once

#include "core/script/script_argument.h"

#include <QDialog>

#include <string>
#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;

namespace stagecraft {

class ScriptInputsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ScriptInputsDialog(QWidget* parent = nullptr);

    // `file`: its name. `texts`: what each argument is given, as far as that is known; as many, or none.
    // `hasOwnInputs`: all may be left empty together.
    void setQuestion(const QString& file, const std::vector<ScriptArgument>& arguments,
                     const std::vector<std::string>& texts, bool hasOwnInputs);
    // "x=f32[8,3]"; those that are left out are not among them.
    std::vector<std::string> inputs() const;

    void accept() override; // only where all fits; else goes to the first field that does not

private:
    struct Row
    {
        ScriptArgument argument;
        QLineEdit* field;
        QLabel* remark; // the type; or what is wrong
    };
    enum class Strictness { WhatIsThere, Everything }; // an empty field is wrong only at the end

    Row addRow(const ScriptArgument& argument, const std::string& text);
    bool takesOwnInputs() const;
    bool check(const Row& row, Strictness strictness) const;
    void color() const;

    QLabel* m_intro;
    QFormLayout* m_form;
    std::vector<Row> m_rows;
    bool m_hasOwnInputs = false;
};

} // namespace stagecraft
