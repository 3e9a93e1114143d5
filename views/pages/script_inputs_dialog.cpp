#include "views/pages/script_inputs_dialog.h"

#include "views/base/dialog_size.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr const char* isWrong = "isWrong"; // property of a remark

QString typeText(const ScriptArgument& argument)
{
    const QString type = shownText(argument.type.text);
    return argument.hasDefault ? QObject::tr("%1, may be left out").arg(type) : type;
}

} // namespace

ScriptInputsDialog::ScriptInputsDialog(QWidget* parent)
    : QDialog(parent), m_intro(new QLabel), m_form(new QFormLayout)
{
    setWindowTitle(tr("Inputs of the script"));
    m_intro->setWordWrap(true);
    m_intro->setTextFormat(Qt::PlainText);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setVerticalSpacing(em(this, spacing::large));
    auto* rows = new QWidget;
    rows->setLayout(m_form);
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus); // it follows the focus of what is in it
    area->setWidgetResizable(true);
    area->setWidget(rows);
    auto* syntax =
        new QLabel(tr("f32[8,3,224,224], i64[2,128], true, 0.5, \"text\", none, lists [...], tuples "
                      "(...), dicts {\"key\": ...}"));
    syntax->setWordWrap(true);
    syntax->setTextFormat(Qt::PlainText);
    syntax->setForegroundRole(QPalette::PlaceholderText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton* const open = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
    buttons->button(QDialogButtonBox::Cancel)->setIcon(QIcon()); // no other button has one
    connect(buttons, &QDialogButtonBox::accepted, this, &ScriptInputsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(em(this, spacing::large));
    layout->addWidget(m_intro);
    layout->addWidget(area, 1);
    layout->addWidget(syntax);
    layout->addWidget(buttons);
    open->setDefault(true); // the dialog, which it is of only now, hears of it
    onThemeChange(this, [this] { color(); });
}

void ScriptInputsDialog::setQuestion(const QString& file, const std::vector<ScriptArgument>& arguments,
                                     const std::vector<std::string>& texts, bool hasOwnInputs)
{
    m_hasOwnInputs = hasOwnInputs;
    m_intro->setText(
        hasOwnInputs
            ? tr("%1 keeps the inputs that it was traced with. Leave all fields empty to take these, or "
                 "give others.")
                  .arg(file)
            : tr("%1 is TorchScript and does not say the sizes of its inputs. Say what forward() is called "
                 "with; this is kept for the next time.")
                  .arg(file));
    while (m_form->rowCount() > 0)
        m_form->removeRow(0);
    m_rows.clear();
    for (std::size_t i = 0; i < arguments.size(); ++i)
        m_rows.push_back(addRow(arguments[i], i < texts.size() ? texts[i] : std::string()));
    for (const Row& row : m_rows)
        check(row, Strictness::WhatIsThere);
    color();
    if (!m_rows.empty())
        m_rows.front().field->setFocus();
    constexpr std::size_t mostShown = 6; // the others are scrolled to
    const double height = 14 + 4.5 * static_cast<double>(std::min(m_rows.size(), mostShown));
    resizeOnScreen(this, {em(this, 44), em(this, height)});
}

ScriptInputsDialog::Row ScriptInputsDialog::addRow(const ScriptArgument& argument, const std::string& text)
{
    const Row row{argument, new QLineEdit(shownText(text)), new QLabel};
    row.field->setAccessibleName(shownText(argument.name));
    row.field->setPlaceholderText(shownText(exampleOf(argument.type)));
    row.field->setFont(codeFont(this));
    row.remark->setTextFormat(Qt::PlainText);
    row.remark->setWordWrap(true);
    auto* both = new QVBoxLayout;
    both->setSpacing(em(this, spacing::small));
    both->addWidget(row.field);
    both->addWidget(row.remark);
    auto* name = new QLabel(shownText(argument.name));
    name->setTextFormat(Qt::PlainText);
    name->setBuddy(row.field);
    m_form->addRow(name, both);
    connect(row.field, &QLineEdit::textChanged, this, [this] {
        for (const Row& one : m_rows)
            check(one, Strictness::WhatIsThere);
        color();
    });
    return row;
}

bool ScriptInputsDialog::takesOwnInputs() const
{
    return m_hasOwnInputs &&
           std::ranges::all_of(m_rows, [](const Row& row) { return row.field->text().trimmed().isEmpty(); });
}

bool ScriptInputsDialog::check(const Row& row, Strictness strictness) const
{
    const QString text = row.field->text().trimmed();
    const bool isLater = text.isEmpty() && strictness == Strictness::WhatIsThere;
    const Result<void> checked =
        isLater || takesOwnInputs() ? Result<void>() : checkInputText(row.argument, text.toStdString());
    row.remark->setProperty(isWrong, !checked.has_value());
    row.remark->setText(checked.has_value() ? typeText(row.argument) : shownText(checked.error().message));
    row.field->setAccessibleDescription(row.remark->text());
    return checked.has_value();
}

void ScriptInputsDialog::accept()
{
    QLineEdit* first = nullptr;
    for (const Row& row : m_rows)
        if (!check(row, Strictness::Everything) && !first)
            first = row.field;
    color();
    if (!first)
        return QDialog::accept();
    first->setFocus();
    first->selectAll();
}

std::vector<std::string> ScriptInputsDialog::inputs() const
{
    std::vector<std::string> inputs;
    for (const Row& row : m_rows)
        if (const QString text = row.field->text().trimmed(); !text.isEmpty())
            inputs.push_back(row.argument.name + "=" + text.toStdString());
    return inputs;
}

void ScriptInputsDialog::color() const
{
    const Theme theme = applicationTheme();
    for (const Row& row : m_rows)
        setTextColor(row.remark, row.remark->property(isWrong).toBool() ? theme.danger : theme.mutedText);
}

} // namespace stagecraft
