#include "views/plan/more_options.h"

#include "views/base/plain_text.h"
#include "views/base/terms.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/plan/choice_box.h"
#include "views/plan/loss_box.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSpinBox>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stagecraft {

namespace {

constexpr double longestSearch = 3600; // seconds
constexpr int largestSeed = std::numeric_limits<int>::max();

int shownSeed(const PlanRequest& request)
{
    return static_cast<int>(std::min<std::uint64_t>(request.plan.seed, largestSeed));
}

// Takes "1,5" for 1.5, which to a QDoubleSpinBox is 15: a comma between thousands. The point is seen as soon
// as the comma is typed.
class DecimalBox : public QDoubleSpinBox
{
public:
    QValidator::State validate(QString& text, int& position) const override
    {
        text.replace(',', '.');
        return QDoubleSpinBox::validate(text, position);
    }
};

} // namespace

MoreOptions::MoreOptions(QWidget* parent)
    : QWidget(parent),
      m_masterWeights(new QCheckBox(tr("Master weights"))),
      m_loss(new LossBox),
      m_seed(new QSpinBox),
      m_time(new DecimalBox)
{
    setAccessibleName(tr("More options"));
    for (const char* name : {"optimizer-variant", "gradients", "lowering", "runtime", "segments"})
        m_choices[requestField(name).name] = makeChoiceBox(requestField(name));
    m_seed->setRange(0, largestSeed);
    m_time->setRange(0, longestSearch);
    m_time->setDecimals(1);
    m_time->setSuffix(tr(" s"));
    for (QAbstractSpinBox* box :
         {static_cast<QAbstractSpinBox*>(m_seed), static_cast<QAbstractSpinBox*>(m_time)}) {
        takeWhenFinished(box);
        leaveWheelToParent(box);
    }
    leaveWheelToParent(m_loss);
    build();
    explain();
    setRequest({});
    for (const auto& [name, box] : m_choices)
        connect(box, &QComboBox::currentIndexChanged, this, &MoreOptions::tell);
    connect(m_loss, &QComboBox::currentIndexChanged, this, &MoreOptions::tell);
    connect(m_masterWeights, &QCheckBox::toggled, this, &MoreOptions::tell);
    connect(m_seed, &QSpinBox::valueChanged, this, &MoreOptions::tell);
    connect(m_time, &QDoubleSpinBox::valueChanged, this, &MoreOptions::tell);
}

void MoreOptions::build()
{
    QFormLayout* form = makeOptionForm(this);
    setLayout(form);
    const auto add = [form](const QString& name, QWidget* field) { addOption(form, name, field); };
    const auto addChosen = [&](const char* name) { addChoice(form, requestField(name), m_choices.at(name)); };
    addChosen("optimizer-variant");
    form->addRow(QString(), m_masterWeights);
    m_masterWeights->setAccessibleName(m_masterWeights->text());
    addChosen("gradients");
    add(tr("Loss"), m_loss);
    addChosen("lowering");
    addChosen("runtime");
    addChosen("segments");
    add(tr("Search time"), m_time);
    add(termText(requestField("seed").title), m_seed);
}

void MoreOptions::explain()
{
    for (const auto& [name, box] : m_choices)
        box->setToolTip(toolTipText(termText(requestField(name).help)));
    m_masterWeights->setToolTip(tr("The optimizer works on float32 copies of lower-precision parameters"));
    m_loss->setToolTip(tr("The output that a training step goes back from"));
    m_time->setToolTip(
        tr("How long a search for a plan may compute, which takes up to four times as long on a busy "
           "machine; it ends sooner where it has proven that there is no better plan"));
    m_seed->setToolTip(toolTipText(termText(requestField("seed").help)));
}

void MoreOptions::setLoss(const LossOutput& loss)
{
    m_loss->setLoss(loss);
}

void MoreOptions::setRequest(const PlanRequest& request)
{
    m_showing = true;
    for (const auto& [name, box] : m_choices)
        choose(box, requestField(name), request);
    m_masterWeights->setChecked(request.profile.masterWeights == MasterWeights::Float32);
    m_loss->setChosen(request.profile.lossOutput);
    m_seed->setValue(shownSeed(request));
    m_time->setValue(request.plan.timeLimit.value());
    enableFields(request);
    m_showing = false;
}

void MoreOptions::enableFields(const PlanRequest& request)
{
    const bool trains = request.profile.mode == TrainingMode::Train;
    for (const char* name : {"optimizer-variant", "gradients"})
        m_choices.at(name)->setEnabled(trains);
    m_masterWeights->setEnabled(trains);
    m_loss->setEnabled(trains);
}

void MoreOptions::read(PlanRequest& request) const
{
    for (const auto& [name, box] : m_choices)
        readChoice(*box, requestField(name), request);
    request.profile.masterWeights =
        m_masterWeights->isChecked() ? MasterWeights::Float32 : MasterWeights::None;
    // What a field cannot show stays unless another is chosen.
    if (const std::string loss = m_loss->chosen();
        !loss.empty() || m_loss->offers(request.profile.lossOutput))
        request.profile.lossOutput = loss;
    if (m_seed->value() != shownSeed(request))
        request.plan.seed = static_cast<std::uint64_t>(m_seed->value());
    if (std::abs(m_time->value() - request.plan.timeLimit.value()) > 0.05 * (1 + 1e-9))
        request.plan.timeLimit = Seconds(m_time->value());
}

void MoreOptions::tell()
{
    if (!m_showing)
        emit changed();
}

} // namespace stagecraft
