#include "app/document/time_overrides.h"

namespace stagecraft {

void applyTimeOverrides(const TimeOverrides& given, Profile& profile)
{
    if (const auto* measured = std::get_if<MeasuredTimes>(&given.times))
        applyTimes(*measured, CostOrigin::Measured, profile);
    else
        applyImportedTimes(std::get<ImportedTimes>(given.times), profile);
}

} // namespace stagecraft
