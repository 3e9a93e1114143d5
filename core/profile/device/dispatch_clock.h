// DispatchClock: the program that hands operators to a device, and the device that runs them, side by side.
#pragma once

#include "core/profile/device/device.h"
#include "core/trace/trace.h"

namespace stagecraft {

// When the operators of a step end. A program hands operators to a GPU ahead of time, at the cost of the
// dispatch of each, views too, which launch nothing and may cost less; where the GPU is faster than that, the
// step waits for the program:
//
//     program  ▕op▕op▕op▕op▕op▕ ...            dispatch-bound: small operators
//     device      ▕o▕ ▕o▕ ▕o▕ ...
//
// A CPU does one after the other, and each dispatch comes before its operator.
class DispatchClock
{
public:
    // In inference autograd records nothing while it goes forward.
    explicit DispatchClock(const DeviceSpec& device, TrainingMode mode = TrainingMode::Train)
        : m_device(device), m_mode(mode)
    {
    }

    enum class Turn { First, Again }; // of an operator: of a checkpoint region that runs again

    // Runs the next operator, which takes `alone` on the device (zero: a view) and is handed over in so many
    // times of the device file's dispatch. Returns by how much the end of the step moved on.
    Seconds run(Seconds alone, Phase phase = Phase::Forward, Turn turn = Turn::First, double handovers = 1);
    // Keeps the program busy for so long before the next operator, once the device has nothing left to do.
    void prepare(Seconds taken);
    // By how much the program is ahead of the device; 0 of a CPU, which does one after the other.
    Seconds lead() const;
    // What handing an operator of that phase over takes, one that launches a kernel.
    Seconds dispatchIn(Phase phase) const;
    // And a view.
    Seconds viewDispatchIn(Phase phase) const;
    // Of what run() returned, what is of those that run again: the device may have waited for views of the
    // other kind before the operator, and what these take shows there alone.
    Seconds takenByAgain() const { return m_takenByAgain; }
    // From here on the program is ahead of the device by the next operator at most.
    void holdBack(Phase phase);

    // Of an operator: 1, but what calls cuDNN takes the program longer, which looks a plan up, takes a
    // workspace and starts several kernels. Fitted to small models on an H100 (PyTorch 2.11, cuDNN 9), once
    // in times of a mean over operators and views, and once in times of operators that launch something.
    static double handovers(const TraceOpName& name, const DeviceSpec& device);

private:
    Seconds handOver(Seconds alone, Phase phase, double handovers) const;
    double recordedShare(Phase phase) const;

    const DeviceSpec& m_device;
    TrainingMode m_mode;
    Seconds m_dispatched; // the program is so far
    Seconds m_end;        // the device is so far
    Seconds m_viewsFirst; // dispatches of views since the device's last operator
    Seconds m_viewsAgain; // likewise of those that ran again
    Seconds m_takenByAgain;
    Seconds m_preparing; // of a CPU, before the next operator
};

} // namespace stagecraft
