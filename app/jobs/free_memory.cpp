#include "app/jobs/free_memory.h"

namespace stagecraft {

Bytes memoryOfStep(const Profile& profile)
{
    const ProfileTotals& totals = profile.totals;
    return totals.parameterBytes + totals.bufferBytes + totals.inputBytes + totals.peak;
}

Result<void> checkRoomForStep(const Profile& profile, Bytes available)
{
    const Bytes needed = memoryOfStep(profile);
    if (needed <= available)
        return {};
    return Error{ErrorCode::Infeasible, "a real step takes " + formatBytes(needed) +
                                            " of memory and this machine has " + formatBytes(available) +
                                            " free: no statistics of this model can be gathered here"};
}

} // namespace stagecraft
