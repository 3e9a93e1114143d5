// The program that hands operators to a device, and the device that runs them, side by side.
#include "core/profile/device/dispatch_clock.h"

#include <QTest>

using namespace stagecraft;

class TestDispatchClock : public QObject
{
    Q_OBJECT

private slots:
    void aGpuThatIsFasterThanTheProgramWaitsForIt()
    {
        DeviceSpec device;
        device.kind = "cuda";
        device.dispatchOverhead = Seconds(5);
        DispatchClock clock(device);
        QCOMPARE(clock.run(Seconds(1)).value(), 6.0);   // dispatched at 5
        QCOMPARE(clock.run(Seconds(1)).value(), 5.0);   // at 10, ends at 11
        QCOMPARE(clock.run(Seconds()).value(), 0.0);    // a view, at 15
        QCOMPARE(clock.run(Seconds(30)).value(), 39.0); // at 20, ends at 50
        QCOMPARE(clock.run(Seconds(1)).value(), 1.0);   // long since dispatched
    }

    void viewsAreHandedOverInTheirOwnTime()
    {
        DeviceSpec device;
        device.kind = "cuda";
        device.dispatchOverhead = Seconds(5);
        device.backwardDispatch = Seconds(4);
        device.host.view = Seconds(2);
        device.host.backwardView = Seconds(3);
        device.host.unrecorded = 0.5;
        DispatchClock clock(device);
        QCOMPARE(clock.run(Seconds()).value(), 0.0);                     // at 2
        QCOMPARE(clock.run(Seconds(1)).value(), 8.0);                    // at 7
        QCOMPARE(clock.run(Seconds(), Phase::Backward).value(), 0.0);    // at 10
        QCOMPARE(clock.run(Seconds(1), Phase::Backward).value(), 7.0);   // at 14
        QCOMPARE(clock.run(Seconds(), Phase::Optimizer).value(), 0.0);   // at 19: no views are known there
        QCOMPARE(clock.run(Seconds(1), Phase::Optimizer).value(), 10.0); // at 24
        DispatchClock inference(device, TrainingMode::Infer);
        QCOMPARE(inference.run(Seconds()).value(), 0.0);  // at 1
        QCOMPARE(inference.run(Seconds(1)).value(), 4.5); // at 3.5
        device.host.view = device.host.backwardView = {};
        DispatchClock alike(device);
        QCOMPARE(alike.run(Seconds()).value(), 0.0);   // at 5, as before files knew of views
        QCOMPARE(alike.run(Seconds(1)).value(), 11.0); // at 10
        device.kind = "cpu";
        device.host.view = Seconds(2);
        DispatchClock processor(device, TrainingMode::Infer);
        QCOMPARE(processor.run(Seconds()).value(), 5.0); // has figures of all alike
    }

    void aCpuDoesOneAfterTheOther()
    {
        DeviceSpec device;
        device.kind = "cpu";
        device.dispatchOverhead = Seconds(5);
        DispatchClock clock(device);
        QCOMPARE(clock.run(Seconds(1)).value(), 6.0);
        QCOMPARE(clock.run(Seconds()).value(), 5.0);
    }
};

QTEST_GUILESS_MAIN(TestDispatchClock)
#include "tst_dispatch_clock.moc"
