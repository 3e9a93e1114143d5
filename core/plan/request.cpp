#include "core/plan/request.h"

#include "core/profile/profile_names.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace stagecraft {

namespace {

// `at` gives the field of a request, to read or to write.
template <const auto& names, class At>
constexpr RequestField choiceField(std::string_view name, std::string_view title, std::string_view help, At)
{
    return {.name = name,
            .title = title,
            .help = help,
            .choices =
                [] {
                    std::vector<FieldChoice> choices;
                    for (const auto& entry : names.entries)
                        choices.push_back({entry.name, entry.title});
                    return choices;
                },
            .print = [](const PlanRequest& request) { return std::string(nameOf(names, At()(request))); },
            .parse = [](PlanRequest& request, std::string_view text) -> Result<void> {
                STAGECRAFT_ASSIGN(kind, parseName(names, text));
                At()(request) = kind;
                return {};
            }};
}

template <class At>
constexpr RequestField countField(std::string_view name, std::string_view title, std::string_view help, At)
{
    return {.name = name,
            .title = title,
            .help = help,
            .choices = nullptr,
            .print = [](const PlanRequest& request) { return std::to_string(At()(request)); },
            .parse = [](PlanRequest& request, std::string_view text) -> Result<void> {
                auto& count = At()(request);
                auto read = count;
                const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), read);
                if (text.empty() || status != std::errc() || end != text.data() + text.size())
                    return Error{ErrorCode::BadUsage, "'" + std::string(text) + "' is not a whole number"};
                count = read;
                return {};
            }};
}

std::vector<FieldChoice> scheduleChoices()
{
    std::vector<FieldChoice> choices;
    for (const ScheduleTraits& traits : scheduleTable)
        choices.push_back({traits.name, traits.title});
    return choices;
}

std::string printSchedule(const PlanRequest& request)
{
    return std::string(scheduleName(request.plan.schedule));
}

Result<void> readSchedule(PlanRequest& request, std::string_view text)
{
    STAGECRAFT_ASSIGN(kind, parseSchedule(text));
    request.plan.schedule = kind;
    return {};
}

std::vector<FieldChoice> recomputeChoices()
{
    return {{"model", "As the model says"},
            {"none", "Nothing"},
            {"full", "Every block"},
            {"every 2", "Every second block"},
            {"ops", "Blocks, but matrix products"},
            {"auto", "As little as memory demands"}};
}

std::string printRecompute(const PlanRequest& request)
{
    return printPolicy(request.plan.recompute);
}

Result<void> readRecompute(PlanRequest& request, std::string_view text)
{
    STAGECRAFT_ASSIGN(policy, parsePolicy(text, request.plan.recompute));
    request.plan.recompute = std::move(policy);
    return {};
}

constexpr std::array<RequestField, 14> allFields{
    choiceField<trainingModes>(
        "mode", "Mode", "What a step is", [](auto& r) -> auto& { return r.profile.mode; }),
    choiceField<lowerings>(
        "lowering", "Lowering",
        "Which kernels an operator becomes: the device's own, an attention route, or (rough) those that "
        "torch.compile fuses",
        [](auto& r) -> auto& { return r.profile.lowering; }),
    choiceField<optimizers>(
        "optimizer", "Optimizer", "What updates the parameters",
        [](auto& r) -> auto& { return r.profile.optimizer; }),
    choiceField<optimizerVariants>(
        "optimizer-variant", "Optimizer variant",
        "How it goes about it; default: what torch.optim takes on the device",
        [](auto& r) -> auto& { return r.profile.optimizerVariant; }),
    choiceField<precisions>(
        "precision", "Precision", "The type in which the step computes",
        [](auto& r) -> auto& { return r.profile.precision; }),
    choiceField<gradientStarts>(
        "gradients", "Gradients", "Those of the step before: dropped (set_to_none), or kept and added to",
        [](auto& r) -> auto& { return r.profile.gradients; }),
    choiceField<segmentKinds>(
        "segments", "Segments",
        "How PyTorch takes memory from the device: in pieces that stay as they are (fixed), or in one that "
        "grows (expandable, PYTORCH_ALLOC_CONF=expandable_segments:True)",
        [](auto& r) -> auto& { return r.profile.segments; }),
    countField(
        "microbatches", "Microbatches", "How many microbatches a step has",
        [](auto& r) -> auto& { return r.plan.microbatches; }),
    {"schedule", "Schedule", "In which order devices run the microbatches", scheduleChoices, printSchedule,
     readSchedule},
    choiceField<sendKinds>(
        "send", "Sending", "From stage to stage (relay) or straight to each reader",
        [](auto& r) -> auto& { return r.plan.send; }),
    choiceField<pipelineRuntimes>(
        "runtime", "Run-time",
        "Whose buffers count as memory of the stages: nobody's (ideal), or those of "
        "torch.distributed.pipelining: one for each microbatch and way (torch-2.14: up to that version), or "
        "what crosses until its backward (torch-2.15), or those of exports, which make them in time for "
        "gpipe and 1f1b (exported)",
        [](auto& r) -> auto& { return r.plan.runtime; }),
    choiceField<objectives>(
        "objective", "Objective",
        "What to make short: the slowest device by its computing and transfers (sum), its computing "
        "(compute) or the longest of them (overlap), or the simulated step (iteration). Without it sum, "
        "or iteration where stages share devices",
        [](auto& r) -> auto& { return r.plan.objective; }),
    {"recompute", "Recompute",
     "What backward runs again instead of having it kept (torch.utils.checkpoint): what the file says, "
     "nothing, every block ('every N': each N-th), blocks but for matrix products, convolutions and "
     "attention "
     "('ops LIST': but for these), or as little as the memory limit demands",
     recomputeChoices, printRecompute, readRecompute},
    countField(
        "seed", "Seed", "Seed of the search's random orders", [](auto& r) -> auto& { return r.plan.seed; }),
};

} // namespace

std::span<const RequestField> requestFields()
{
    return allFields;
}

const RequestField& requestField(std::string_view name)
{
    return *std::ranges::find(allFields, name, &RequestField::name);
}

std::string chosenTitle(const RequestField& field, const PlanRequest& request)
{
    std::string value = field.print(request);
    if (field.choices)
        for (const FieldChoice& choice : field.choices())
            if (choice.name == value)
                return std::string(choice.title);
    return value;
}

} // namespace stagecraft
