// LossBox: which output of a model its training step goes back from, or is fed to a function of the loss.
#pragma once

#include "core/load/loss_output.h"

#include <QComboBox>

namespace stagecraft {

class LossBox : public QComboBox
{
    Q_OBJECT

public:
    enum class Use { Loss, FedToFunction };

    explicit LossBox(QWidget* parent = nullptr);

    // The outputs there are; first is what is taken where nobody asks for another. What was chosen stays,
    // where it is still there. Emits nothing.
    void setLoss(const LossOutput& loss);
    void setUse(Use use);
    // By the text that lossOutput() reads; empty, or of no output that is offered: what is usual.
    void setChosen(const std::string& wanted);
    std::string chosen() const;
    bool offers(const std::string& wanted) const;

private:
    void fill();
    void fillLosses();
    void fillFed();

    LossOutput m_loss;
    Use m_use = Use::Loss;
};

} // namespace stagecraft
