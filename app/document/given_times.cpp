#include "app/document/given_times.h"

namespace stagecraft {

void applyGivenTimes(const GivenTimes& given, Profile& profile)
{
    if (const auto* measured = std::get_if<MeasuredTimes>(&given.times))
        applyTimes(*measured, CostOrigin::Measured, profile);
    else
        applyImportedTimes(std::get<ImportedTimes>(given.times), profile);
}

} // namespace stagecraft
