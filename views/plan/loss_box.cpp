#include "views/plan/loss_box.h"

#include "views/base/plain_text.h"

#include <QSignalBlocker>

#include <algorithm>

namespace stagecraft {

namespace {

QString outputText(const ReturnedValue& value)
{
    return LossBox::tr("Output '%1'").arg(shownText(value.name));
}

QString lossName(const ReturnedValue& value)
{
    return value.isScalar ? outputText(value) : LossBox::tr("Sum of output '%1'").arg(shownText(value.name));
}

// Nobody can choose another.
bool isFixed(const LossOutput& loss)
{
    return loss.origin == LossOutput::Origin::Untrained || loss.origin == LossOutput::Origin::File;
}

} // namespace

LossBox::LossBox(QWidget* parent) : QComboBox(parent)
{
    setAccessibleName(tr("Loss"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    fill();
}

void LossBox::setLoss(const LossOutput& loss)
{
    m_loss = loss;
    fill();
}

void LossBox::setUse(Use use)
{
    m_use = use;
    fill();
}

void LossBox::setChosen(const std::string& wanted)
{
    const QSignalBlocker quiet(this);
    setCurrentIndex(std::max(0, findData(dataText(wanted))));
}

std::string LossBox::chosen() const
{
    return currentData().toString().toStdString();
}

bool LossBox::offers(const std::string& wanted) const
{
    return findData(dataText(wanted)) >= 0;
}

void LossBox::fill()
{
    const QSignalBlocker quiet(this);
    const std::string before = chosen();
    clear();
    m_use == Use::Loss ? fillLosses() : fillFed();
    setChosen(before);
}

void LossBox::fillLosses()
{
    const QString sum = tr("Sum of all outputs (tests the stages, trains nothing)");
    if (m_loss.origin == LossOutput::Origin::Untrained)
        addItem(tr("None: no output needs a gradient"), QString());
    else if (lossQuestion(m_loss))
        addItem(tr("Choose the output that is the loss"), QString());
    else // what is taken where nobody asks for another
        addItem(m_loss.index ? lossName(m_loss.returned[*m_loss.index]) : sum, QString());
    for (std::size_t i = 0; i < m_loss.returned.size() && !isFixed(m_loss); ++i)
        if (m_loss.returned[i].needsGradient && m_loss.index != i)
            addItem(lossName(m_loss.returned[i]), dataText(m_loss.returned[i].name));
    if (!isFixed(m_loss) && (m_loss.index || lossQuestion(m_loss)))
        addItem(sum, dataText(sumOfOutputs));
}

void LossBox::fillFed()
{
    addItem(tr("The only output with dimensions"), QString());
    for (const ReturnedValue& value : m_loss.returned)
        if (value.needsGradient && !value.isScalar && !isFixed(m_loss))
            addItem(outputText(value), dataText(value.name));
}

} // namespace stagecraft
