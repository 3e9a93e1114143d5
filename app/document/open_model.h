// OpenModel: what a Document has open; the file of the plan, too.
#pragma once

#include "app/document/recomputed_plans.h"
#include "core/load/model.h"
#include "core/plan/sources/plan_file.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace stagecraft {

struct OpenModel
{
    std::shared_ptr<const Model> model; // null: nothing
    std::shared_ptr<const GroupTree> groups;
    std::filesystem::path modelPath;
    std::filesystem::path planPath;
    // Where both are, by whatever name: found out where they were read, for a drive takes its time.
    std::filesystem::path modelPlace, planPlace;
    std::string fingerprint;
    std::optional<PlanFile> pendingPlan; // until the plan is there
    std::filesystem::path toSave;        // as soon as the plan is settled; empty: nowhere
    bool isFirstPlan = true;             // the split made on opening is not a step of undo
    bool recomputesToFit = false;        // as nothing else fits, not as a person asked
    mutable RunningModel running;        // the model with what the plan recomputes

    // What comes now is not that plan, and must not be written over it unasked.
    void losePlan()
    {
        pendingPlan.reset();
        planPath.clear();
        planPlace.clear();
    }
};

} // namespace stagecraft
