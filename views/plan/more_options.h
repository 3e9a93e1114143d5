// MoreOptions: what few people ask of a plan and of its profile: the fields of a request that the panel of a
// plan does not show at first.
#pragma once

#include "core/load/loss_output.h"
#include "core/plan/request.h"

#include <QWidget>

#include <map>
#include <string_view>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace stagecraft {

class LossBox;

class MoreOptions : public QWidget
{
    Q_OBJECT

public:
    explicit MoreOptions(QWidget* parent = nullptr);

    // Of the model that is open.
    void setLoss(const LossOutput& loss);
    // Does not emit changed().
    void setRequest(const PlanRequest& request);
    // Puts what the fields say into the request.
    void read(PlanRequest& request) const;

signals:
    void changed();

private:
    void build();
    void explain();
    void enableFields(const PlanRequest& request);
    void tell();

    std::map<std::string_view, QComboBox*> m_choices; // by the name of the field
    QCheckBox* m_masterWeights;
    LossBox* m_loss;
    QSpinBox* m_seed;
    QDoubleSpinBox* m_time;
    bool m_showing = false;
};

} // namespace stagecraft
