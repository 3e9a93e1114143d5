#include "views/pages/substitutes_dialog.h"

#include "views/base/dialog_size.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

namespace {

// Of the box of kinds: none, those of substituteKinds, formulas of one's own.
constexpr int noKind = 0;
constexpr int ownKind = static_cast<int>(substituteKinds.size()) + 1;

std::optional<Expression>& costOf(SubstituteWork& work, std::size_t cost)
{
    return cost == 0 ? work.flops : cost == 1 ? work.bytes : work.time;
}

SubstituteWork& workOf(Substitute& substitute, std::size_t phase)
{
    return phase == 0   ? substitute.forward
           : phase == 1 ? substitute.backwardInput
                        : substitute.backwardWeight;
}

QString formulaOf(const std::optional<Substitute>& substitute, std::size_t phase, std::size_t cost)
{
    if (!substitute)
        return {};
    Substitute copy = *substitute;
    const std::optional<Expression>& formula = costOf(workOf(copy, phase), cost);
    return formula ? shownText(formula->text()) : QString();
}

bool hasSameCosts(const Substitute& a, const Substitute& b)
{
    for (std::size_t phase = 0; phase < 3; ++phase)
        for (std::size_t cost = 0; cost < 3; ++cost)
            if (formulaOf(a, phase, cost) != formulaOf(b, phase, cost))
                return false;
    return a.outputs.has_value() == b.outputs.has_value();
}

// "x f32[8, 64], width 16, out0 f32[8, 64]".
QString operandsText(const Operands& operands)
{
    QStringList parts;
    for (const auto& [name, operand] : operands) {
        QString text = shownText(name) + QChar::Nbsp;
        if (const auto* number = std::get_if<double>(&operand)) {
            text += QString::number(*number);
        } else {
            const auto& tensor = std::get<TensorOperand>(operand);
            QStringList sizes;
            for (const std::int64_t size : tensor.sizes)
                sizes << QString::number(size);
            text += shownText(shortName(tensor.dtype)) + '[' + sizes.join(", ") + ']';
        }
        parts << text;
    }
    return parts.join("   ");
}

// What one of them costs, of one kind of cost over the phases of a direction; none: not said.
std::optional<double> sumOf(const OperatorCosts& costs, std::initializer_list<std::size_t> phases,
                            std::size_t cost)
{
    std::optional<double> sum;
    Substitute said = costs.said.value_or(Substitute());
    for (const std::size_t phase : phases)
        if (const std::optional<Expression>& formula = costOf(workOf(said, phase), cost))
            if (const Result<double> value = formula->evaluate(costs.operands); value.has_value())
                sum = sum.value_or(0) + *value;
    return sum;
}

QString directionText(const OperatorCosts& costs, std::initializer_list<std::size_t> phases)
{
    QStringList parts;
    if (const auto flops = sumOf(costs, phases, 0))
        parts << toText(Flops(*flops));
    if (const auto bytes = sumOf(costs, phases, 1))
        parts << toText(Bytes(static_cast<std::int64_t>(std::min(*bytes, 9e18))));
    if (const auto time = sumOf(costs, phases, 2))
        parts << toText(Seconds(*time));
    return parts.join(", ");
}

// Without a loop of its own: the dialog below may go meanwhile, with its model.
void openOnce(QFileDialog* files)
{
    files->setAttribute(Qt::WA_DeleteOnClose);
    files->open();
}

bool allHold(const OperatorCosts& costs)
{
    Substitute said = costs.said.value_or(Substitute());
    for (std::size_t phase = 0; phase < 3; ++phase)
        for (std::size_t cost = 0; cost < 3; ++cost)
            if (const std::optional<Expression>& formula = costOf(workOf(said, phase), cost);
                formula && !formula->evaluate(costs.operands).has_value())
                return false;
    return true;
}

QPushButton* button(const QString& text, const QString& tip)
{
    auto* made = new QPushButton(text);
    made->setToolTip(tip);
    made->setAutoDefault(false);
    return made;
}

} // namespace

QStringList costChoices()
{
    const auto tr = [](const char* text) { return SubstitutesDialog::tr(text); };
    return {tr("Its bytes alone"), tr("An operation for each element"), tr("A matrix product"),
            tr("Attention"), tr("Formulas of your own")};
}

int costChoiceOf(const OperatorCosts& costs)
{
    if (!costs.said)
        return noKind;
    for (std::size_t i = 0; i < costs.byKind.size(); ++i)
        if (costs.byKind[i] && hasSameCosts(*costs.byKind[i], *costs.said))
            return static_cast<int>(i) + 1;
    return ownKind;
}

SubstitutesDialog::SubstitutesDialog(QWidget* parent)
    : QDialog(parent),
      m_list(new QListWidget),
      m_tensors(new QLabel),
      m_kind(new QComboBox),
      m_result(new QLabel),
      m_import(button(tr("Import…"), tr("Costs of a file, as --substitutes of the command line takes it"))),
      m_save(button(tr("Save as…"), tr("These costs as a file for --substitutes"))),
      m_library(button(tr("Load library…"),
                       tr("A library that defines the operators for PyTorch's C++: its code runs")))
{
    setWindowTitle(tr("Costs of operators"));
    build();
    connectFields();
    onThemeChange(this, [this] { showResult(); });
}

void SubstitutesDialog::build()
{
    auto* intro = new QLabel(tr("Operators that are not known here count by the bytes that they read and "
                                "write. Say what they compute, and time and plan follow; every figure says "
                                "that it is yours."));
    intro->setWordWrap(true);
    intro->setTextFormat(Qt::PlainText);
    m_list->setAccessibleName(tr("Operators"));
    m_list->setSpacing(em(this, 0.15));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(em(this, spacing::large));
    columns->addWidget(m_list, 2);
    columns->addWidget(makeForm(), 3);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    for (QPushButton* one : {m_import, m_save, m_library})
        buttons->addButton(one, QDialogButtonBox::ResetRole); // at the other end of the row
    for (const auto standard : {QDialogButtonBox::Ok, QDialogButtonBox::Cancel})
        buttons->button(standard)->setIcon(QIcon()); // no other button has one
    connect(buttons, &QDialogButtonBox::accepted, this, &SubstitutesDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(em(this, spacing::large));
    layout->addWidget(intro);
    layout->addLayout(columns, 1);
    layout->addWidget(buttons);
    buttons->button(QDialogButtonBox::Ok)
        ->setDefault(true); // the dialog, which it is of only now, hears of it
    resizeOnScreen(this, {em(this, 62), em(this, 32)});
}

QWidget* SubstitutesDialog::makeForm()
{
    auto* form = new QWidget;
    auto* grid = new QGridLayout(form);
    grid->setContentsMargins(0, 0, 0, 0);
    for (QLabel* label : {m_tensors, m_result}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_tensors->setFont(codeFont(this));
    m_tensors->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_tensors->setToolTip(tr("Names for formulas, of the first of these operators"));
    m_kind->setAccessibleName(tr("Costs"));
    m_kind->addItems(costChoices());
    grid->addWidget(m_tensors, 0, 0, 1, 4);
    grid->addWidget(new QLabel(tr("Costs")), 1, 0);
    grid->addWidget(m_kind, 1, 1, 1, 3);
    const QStringList phases{tr("Forward"), tr("Backward to inputs"), tr("Backward to weights")};
    const QStringList costs{tr("FLOPs"), tr("Bytes"), tr("Seconds")};
    const QStringList usual{tr("none"), tr("counted"), tr("estimated")};
    for (int cost = 0; cost < 3; ++cost)
        grid->addWidget(new QLabel(costs[cost]), 2, cost + 1);
    for (int phase = 0; phase < 3; ++phase) {
        grid->addWidget(new QLabel(phases[phase]), phase + 3, 0);
        for (int cost = 0; cost < 3; ++cost) {
            auto* field = new QLineEdit;
            field->setFont(codeFont(this));
            field->setPlaceholderText(usual[cost]);
            field->setAccessibleName(phases[phase] + ", " + costs[cost]);
            grid->addWidget(field, phase + 3, cost + 1);
            m_fields[static_cast<std::size_t>(phase)][static_cast<std::size_t>(cost)] = field;
        }
    }
    auto* syntax = new QLabel(tr("numel(x), size(x, -1), dim(x), bytes(x), itemsize(x); + - * / // % **; "
                                 "min, max, ceil, floor, sqrt, log2"));
    syntax->setWordWrap(true);
    syntax->setTextFormat(Qt::PlainText);
    syntax->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(syntax, 6, 0, 1, 4);
    grid->addWidget(m_result, 7, 0, 1, 4);
    grid->setRowStretch(8, 1);
    grid->setColumnStretch(1, 2);
    grid->setColumnStretch(2, 1);
    grid->setColumnStretch(3, 1);
    return form;
}

void SubstitutesDialog::connectFields()
{
    connect(m_list, &QListWidget::currentRowChanged, this, &SubstitutesDialog::showOperator);
    connect(m_kind, &QComboBox::activated, this, &SubstitutesDialog::takeKind);
    for (const auto& row : m_fields)
        for (QLineEdit* field : row)
            connect(field, &QLineEdit::textChanged, this, &SubstitutesDialog::takeFields);
    const auto filter = tr("Costs of operators (*.json);;All files (*)");
    connect(m_import, &QPushButton::clicked, this, [this, filter] {
        auto* files = new QFileDialog(this, tr("Costs of operators"), {}, filter);
        files->setFileMode(QFileDialog::ExistingFile);
        connect(files, &QFileDialog::fileSelected, this, &SubstitutesDialog::importRequested);
        openOnce(files);
    });
    connect(m_save, &QPushButton::clicked, this, [this, filter] {
        auto* files = new QFileDialog(this, tr("Costs of operators"), {}, filter);
        files->setAcceptMode(QFileDialog::AcceptSave);
        files->selectFile("substitutes.json");
        connect(files, &QFileDialog::fileSelected, this, &SubstitutesDialog::saveRequested);
        openOnce(files);
    });
    connect(m_library, &QPushButton::clicked, this, [this] {
        auto* files = new QFileDialog(this, tr("A library of operators, whose code runs"), {},
                                      tr("Libraries (*.so);;All files (*)"));
        files->setFileMode(QFileDialog::ExistingFile);
        connect(files, &QFileDialog::fileSelected, this, &SubstitutesDialog::libraryRequested);
        openOnce(files);
    });
}

void SubstitutesDialog::setOperators(std::vector<OperatorCosts> operators, const std::string& shown)
{
    m_operators = std::move(operators);
    int row = 0;
    {
        const QScopedValueRollback showing(m_isShowing, true);
        m_list->clear();
        for (std::size_t i = 0; i < m_operators.size(); ++i) {
            m_list->addItem(QString());
            showName(i);
            if (m_operators[i].name == shown)
                row = static_cast<int>(i);
        }
        m_list->setCurrentRow(row);
    }
    showOperator();
    m_kind->setFocus();
}

OperatorCosts* SubstitutesDialog::current()
{
    const int row = m_list->currentRow();
    return row >= 0 && row < static_cast<int>(m_operators.size())
               ? &m_operators[static_cast<std::size_t>(row)]
               : nullptr;
}

void SubstitutesDialog::showName(std::size_t row)
{
    const OperatorCosts& costs = m_operators[row];
    const QString text = tr("%1 · %2").arg(shownText(costs.name), opCountText(costs.count));
    m_list->item(static_cast<int>(row))->setText(costs.said ? tr("%1 (own)").arg(text) : text);
}

void SubstitutesDialog::showOperator()
{
    if (m_isShowing)
        return;
    const OperatorCosts* costs = current();
    m_kind->setEnabled(costs);
    for (const auto& row : m_fields)
        for (QLineEdit* field : row)
            field->setEnabled(costs);
    m_save->setEnabled(costs);
    m_tensors->setText(costs ? operandsText(costs->operands) : tr("All operators of this model are known."));
    if (!costs)
        return showResult();
    for (int i = 0; i < static_cast<int>(costs->byKind.size()); ++i) {
        const bool fits = costs->byKind[static_cast<std::size_t>(i)].has_value();
        m_kind->setItemData(i + 1, fits ? QVariant() : QVariant(0), Qt::UserRole - 1); // enabled or not
    }
    showFields();
}

void SubstitutesDialog::showFields()
{
    const QScopedValueRollback showing(m_isShowing, true);
    const OperatorCosts& costs = *current();
    for (std::size_t phase = 0; phase < phaseCount; ++phase)
        for (std::size_t cost = 0; cost < costCount; ++cost)
            m_fields[phase][cost]->setText(formulaOf(costs.said, phase, cost));
    m_kind->setCurrentIndex(costChoiceOf(costs));
    showResult();
}

void SubstitutesDialog::takeKind(int index)
{
    OperatorCosts* costs = current();
    if (!costs)
        return;
    if (index == ownKind)
        return m_fields[0][0]->setFocus();
    const auto kept = costs->said ? costs->said->outputs : std::nullopt; // what a file says of shapes stays
    costs->said = index == noKind ? std::nullopt : costs->byKind[static_cast<std::size_t>(index) - 1];
    if (costs->said)
        costs->said->outputs = kept;
    showName(static_cast<std::size_t>(m_list->currentRow()));
    showFields();
}

void SubstitutesDialog::takeFields()
{
    OperatorCosts* costs = current();
    if (m_isShowing || !costs)
        return;
    Substitute said{.where = costs->name};
    if (costs->said)
        said.outputs = costs->said->outputs;
    bool saysSomething = said.outputs.has_value();
    for (std::size_t phase = 0; phase < phaseCount; ++phase)
        for (std::size_t cost = 0; cost < costCount; ++cost) {
            const QString text = m_fields[phase][cost]->text().trimmed();
            Result<Expression> formula = Expression::parse(text.toStdString());
            if (text.isEmpty() || !formula.has_value())
                continue;
            costOf(workOf(said, phase), cost) = *std::move(formula);
            saysSomething = true;
        }
    costs->said = saysSomething ? std::optional(std::move(said)) : std::nullopt;
    m_kind->setCurrentIndex(costChoiceOf(*costs));
    showName(static_cast<std::size_t>(m_list->currentRow()));
    showResult();
}

QLineEdit* SubstitutesDialog::wrongField() const
{
    const int row = m_list->currentRow();
    if (row < 0)
        return nullptr;
    for (const auto& fields : m_fields)
        for (QLineEdit* field : fields) {
            const QString text = field->text().trimmed();
            const Result<Expression> formula = Expression::parse(text.toStdString());
            const bool holds =
                text.isEmpty() ||
                (formula.has_value() &&
                 formula->evaluate(m_operators[static_cast<std::size_t>(row)].operands).has_value());
            if (!holds)
                return field;
        }
    return nullptr;
}

void SubstitutesDialog::showResult()
{
    const Theme theme = applicationTheme();
    const QLineEdit* wrong = wrongField();
    m_list->setEnabled(!wrong); // one does not leave it by the way
    setTextColor(m_result, wrong ? theme.danger : theme.mutedText);
    const OperatorCosts* costs = current();
    if (wrong) {
        const Result<Expression> formula = Expression::parse(wrong->text().trimmed().toStdString());
        const Result<double> value =
            formula.has_value() ? formula->evaluate(costs->operands) : Result<double>(formula.error());
        m_result->setText(tr("%1: %2").arg(wrong->accessibleName(), shownText(value.error().message)));
    } else if (!costs || !costs->said) {
        m_result->setText({});
    } else {
        const QString forward = directionText(*costs, {0});
        const QString backward = directionText(*costs, {1, 2});
        m_result->setText(tr("One of them: forward %1; backward %2")
                              .arg(forward.isEmpty() ? tr("its bytes") : forward,
                                   backward.isEmpty() ? tr("its bytes") : backward));
    }
}

void SubstitutesDialog::showError(const std::string& error)
{
    setTextColor(m_result, applicationTheme().danger);
    m_result->setText(shownText(error));
}

void SubstitutesDialog::accept()
{
    if (const auto wrong = std::ranges::find_if_not(m_operators, allHold);
        !wrongField() && wrong != m_operators.end())
        m_list->setCurrentRow(static_cast<int>(wrong - m_operators.begin()));
    if (QLineEdit* wrong = wrongField()) {
        wrong->setFocus();
        return wrong->selectAll();
    }
    QDialog::accept();
}

} // namespace stagecraft
