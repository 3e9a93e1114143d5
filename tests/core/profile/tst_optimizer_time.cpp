// What the program does for an optimizer's step, beside what the device does.
#include "oracle.h"

#include "core/profile/model/profile_model.h"
#include "core/text_model.h"

#include <QTest>

#include <cmath>
#include <string>

using namespace stagecraft;
using namespace stagecraft::test;

class TestOptimizerTime : public QObject
{
    Q_OBJECT

private slots:
    void theProgramPreparesAnOptimizersStep();
};

// What the program does before the optimizer's first operator is waited for, but where the device has its
// hands full meanwhile.
void TestOptimizerTime::theProgramPreparesAnOptimizersStep()
{
    const auto optimizerTime = [](const char* kind, const char* size, Seconds step, Seconds handover) {
        const std::string shape = std::string("f32[") + size + ", " + size + "]";
        const std::string text = "graph one\n  input %x : " + shape + "\n  param %w \"w\" : " + shape +
                                 "\n  %y : " + shape + " = aten::mm.default(%x, %w)\n  return %y\n";
        const Model model = modelOf(text.c_str());
        ProfileOptions options = plainOptions(LoweringKind::Math);
        options.optimizer = OptimizerKind::SgdMomentum;
        options.optimizerVariant = OptimizerVariant::Foreach;
        options.device.kind = kind;
        options.device.operators.clear();
        options.device.dispatchOverhead = options.device.backwardDispatch = Seconds(1e-5);
        options.device.host.optimizerStep = step;
        options.device.host.optimizerHandover = handover;
        return profileModel(model, options).value().totals.timeOptimizer.value();
    };
    const auto isNear = [](double value, double expected) { return std::abs(value - expected) < 1e-9; };
    const Seconds none, step(5e-4), handover(3e-5);
    // Three operators over a list, one parameter; with no figure of its own a handover takes 1e-5.
    const double before = optimizerTime("cpu", "8", none, none);
    QVERIFY(isNear(optimizerTime("cpu", "8", step, none), before + 5e-4));
    QVERIFY(isNear(optimizerTime("cpu", "8", step, handover), before + 5e-4 + 3 * 2e-5 + 3e-5));
    QVERIFY(optimizerTime("cuda", "8", step, none) > 5e-4);
    const double more = optimizerTime("cuda", "8", step, none) - optimizerTime("cuda", "8", none, none);
    // Some nanoseconds: the end of the step before is no longer waited for.
    QVERIFY2(std::abs(more - 5e-4) < 1e-6, qPrintable(QString::number(more)));
    QVERIFY(isNear(optimizerTime("cuda", "8192", step, none), optimizerTime("cuda", "8192", none, none)));
}

QTEST_GUILESS_MAIN(TestOptimizerTime)
#include "tst_optimizer_time.moc"
