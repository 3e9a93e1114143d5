// What a report tells of.
#pragma once

#include "core/exchange/overlay.h"
#include "core/load/model.h"
#include "core/plan/problem.h"
#include "core/plan/sources/made_for.h"
#include "core/profile/profile.h"

#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// All of one model; must outlive the making of the page.
struct ReportSubject
{
    const Model& model;
    const Profile& profile;
    const PartitionProblem& problem;
    const Solution& solution;
    bool limitIsOfDevice = false;        // the memory limit: nobody asked for it
    std::vector<std::string> notes;      // what is to be known beside the figures, a line each
    std::string version;                 // of the program: "1.0"
    std::optional<MadeFor> madeFor = {}; // with the devices by stage; none: all are the profile's
    const Overlay* overlay = nullptr;    // figures of the person's own; null: none
    const Profile* without = nullptr;    // of the model where nothing runs again; null: not known
};

} // namespace stagecraft
