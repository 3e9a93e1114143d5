#include "cli/plan_devices.h"

#include "cli/option_checks.h"
#include "core/base/contains.h"
#include "core/base/printable.h"

#include <algorithm>
#include <charconv>

namespace stagecraft::cli {

namespace {

bool isGiven(const CLI::App& command, const std::string& option)
{
    const CLI::Option* found = command.get_option_no_throw(option);
    return found && found->count() > 0;
}

std::string givenNote(const std::string& given, const std::string& made)
{
    return given + " is taken; the plan was made for " + (made.empty() ? "none" : printable(made));
}

std::vector<std::string> textsOf(const Bindings& sizes)
{
    std::vector<std::string> texts;
    for (const auto& [symbol, size] : sizes)
        texts.push_back(symbol + '=' + std::to_string(size));
    return texts;
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : " ") + text;
    return all;
}

// What was given holds, and is said where it is otherwise than in the plan; the rest comes from the plan.
class FlagMerger
{
public:
    FlagMerger(const CLI::App& command, FlagsOfPlan& found) : m_command(command), m_found(found) {}

    void take(const std::string& option, std::string& flag, const std::string& made)
    {
        if (!isGiven(m_command, option))
            flag = made;
        else if (flag != made)
            differ(option + ' ' + flag, made);
    }
    void take(const std::string& option, std::vector<std::string>& flag, const std::vector<std::string>& made)
    {
        std::ranges::sort(flag);
        if (!isGiven(m_command, option))
            flag = made;
        else if (flag != made)
            differ(option + ' ' + joined(flag), joined(made));
    }
    void takeMasters(bool& flag, MasterWeights made)
    {
        const bool isMade = made == MasterWeights::Float32;
        if (flag && !isMade)
            differ("--master-weights", "none");
        flag = flag || isMade;
    }
    void differ(const std::string& given, const std::string& made)
    {
        m_found.notes.push_back(givenNote(given, made));
        m_found.isAsMade = false;
    }

private:
    const CLI::App& m_command;
    FlagsOfPlan& m_found;
};

struct StageDevice
{
    std::size_t stage = 0;
    std::string device;
};

Result<StageDevice> parseStageDevice(const std::string& text)
{
    const std::size_t equals = text.find('=');
    StageDevice read;
    const char* const end = text.data() + std::min(equals, text.size());
    const auto [stop, status] = std::from_chars(text.data(), end, read.stage);
    if (equals == std::string::npos || equals == 0 || stop != end || status != std::errc() ||
        equals + 1 == text.size())
        return Error{ErrorCode::BadUsage, "--stage-device '" + text + "' is not STAGE=DEVICE, as in 2=t4"};
    read.device = text.substr(equals + 1);
    return read;
}

} // namespace

Result<FlagsOfPlan> flagsOfPlan(const CLI::App& command, const ProfileFlags& given,
                                const std::optional<MadeFor>& made)
{
    FlagsOfPlan found{.flags = given, .device = {}, .stageDevices = {}, .notes = {}};
    STAGECRAFT_ASSIGN(device, namedDevice(given.device));
    found.device = device.id;
    if (!made)
        return found;
    STAGECRAFT_ASSIGN(known, devicesWith(device));
    FlagMerger merger(command, found);
    MadeFor wanted = *made;
    if (!given.times.empty())
        wanted.times.clear();
    if (!given.substitutes.empty())
        wanted.substitutes.clear();
    if (isGiven(command, "--device")) {
        wanted.device = madeFor({.device = device.id, .profile = {}, .plan = {}}, known).device;
        if (wanted.device.id != made->device.id)
            merger.differ("--device " + given.device, made->device.id);
    }
    const RequestAgain again =
        requestMadeFor(wanted, {.device = device.id, .profile = {}, .plan = {}}, known);
    found.notes.insert(found.notes.end(), again.notes.begin(), again.notes.end());
    found.isAsMade = found.isAsMade && again.hasSameDevices;
    found.stageDevices = again.request.stageDevices;
    const bool isKnown = contains(known, made->device.id, &DeviceSpec::id);
    found.device = isKnown ? made->device.id : again.request.device;
    if (!isGiven(command, "--device"))
        found.flags.device = again.request.device == device.id ? given.device : again.request.device;
    for (auto& [name, text] : found.flags.fields)
        merger.take("--" + name, text, requestField(name).print(again.request));
    merger.takeMasters(found.flags.masterWeights, made->profile.masterWeights);
    merger.take("--bind", found.flags.bindings, textsOf(made->profile.bindings));
    merger.take("--bound", found.flags.bounds, textsOf(made->profile.bounds));
    merger.take("--loss-output", found.flags.lossOutput, made->profile.lossOutput);
    return found;
}

Result<std::vector<DeviceSpec>> devicesWith(const DeviceSpec& device)
{
    STAGECRAFT_ASSIGN(known, knownDevices());
    std::vector<DeviceSpec> devices = known.all();
    const auto same = std::ranges::find(devices, device.id, &DeviceSpec::id);
    if (same == devices.end())
        devices.push_back(device);
    else
        *same = device; // the file of that name that was given
    return devices;
}

void addStageDevices(CLI::App& command, std::vector<std::string>& texts)
{
    addEach(command, "--stage-device", texts, "STAGE=DEVICE",
            "A stage that runs on another kind of device than --device; 0 is the first");
}

Result<PlanRequest> withStageDevices(PlanRequest request, const std::vector<std::string>& texts,
                                     const std::vector<DeviceSpec>& known)
{
    for (const std::string& text : texts) {
        STAGECRAFT_ASSIGN(put, parseStageDevice(text));
        Result<PlanRequest> placed =
            withStagesOn(std::move(request), std::span(&put.stage, 1), put.device, known);
        if (!placed.has_value())
            return Error{ErrorCode::BadUsage, "--stage-device " + text + ": " + placed.error().message};
        request = *std::move(placed);
    }
    return request;
}

Result<PlacedPlan> placedPlan(const Model& model, PartitionOptions options, const ProfileFlags& profile,
                              const PlanFlags& plan, const FlagsOfPlan* asMade, const Progress& progress)
{
    STAGECRAFT_ASSIGN(wanted, profileOptions(profile));
    STAGECRAFT_ASSIGN(known, devicesWith(wanted.device));
    const std::vector<Bytes> limits = options.memoryLimits;
    PlanRequest request{wanted.device.id, wanted, std::move(options)};
    if (asMade) {
        request.stageDevices = asMade->stageDevices;
        PlanRequest before = request;
        before.device = asMade->device;
        STAGECRAFT_ASSIGN(kept, withKindsKept(std::move(request), before, known));
        request = std::move(kept);
    }
    STAGECRAFT_ASSIGN(placed, withStageDevices(std::move(request), plan.stageDevices, known));
    if (!asMade || !asMade->isAsMade || !plan.stageDevices.empty()) {
        STAGECRAFT_ASSIGN(fast, withStageSpeeds(std::move(placed.plan), placed.stageDevices, known, model,
                                                wanted, progress));
        placed.plan = std::move(fast);
    }
    if (!plan.memoryLimit.empty())
        placed.plan.memoryLimits = limits; // of all, as was asked
    PlacedPlan made{.options = {}, .madeFor = madeFor(placed, known)};
    made.madeFor.times = profile.times.empty() ? "" : "imported";
    made.madeFor.substitutes = std::filesystem::path(profile.substitutes).filename().string();
    made.options = std::move(placed.plan);
    return made;
}

} // namespace stagecraft::cli
