// export --format: the plan as another framework says it.
#pragma once

#include "cli/plan_source.h"
#include "core/plan/framework_plan.h"

#include <string>

namespace stagecraft::cli {

struct FrameworkExport
{
    Framework framework = Framework::Fqns;
    std::string path;     // of the file to write
    bool nearest = false; // where the framework cannot say the plan, the best one that it can
};

// Writes the plan that `source` gives or searches for. Where the framework cannot say it, fails with what is
// in the way and what the best plan that it can say would cost; or writes that one, and says so.
Result<void> exportForFramework(const Model& model, const PlanSourceFlags& source,
                                const FrameworkExport& wanted, const Progress& progress);

} // namespace stagecraft::cli
