#include "cli/given_cuts.h"

#include "cli/option_checks.h"
#include "core/base/text_file.h"

namespace stagecraft::cli {

namespace {

constexpr Bytes mostSpecText(std::int64_t{16} << 20);

std::vector<SplitPoint> splitPoints(const PlanSourceFlags& flags)
{
    std::vector<SplitPoint> points;
    for (const std::string& name : flags.splitBefore)
        points.push_back({name, SplitPoint::Side::Before});
    for (const std::string& name : flags.splitAfter)
        points.push_back({name, SplitPoint::Side::After});
    return points;
}

// The first option given that a search would keep to; null where there is none.
const char* givenConstraint(const PlanSourceFlags& flags)
{
    for (const char* option :
         {"--stages", "--pin", "--keep-together", "--keep-class", "--keep-depth", "--never-cut"})
        if (flags.command->count(option) > 0)
            return option;
    return nullptr;
}

// Is anything said of where to cut, or into how many stages?
bool saysHowToCut(const PlanSourceFlags& flags)
{
    return givenConstraint(flags) || flags.plan.counts.devices || flags.plan.counts.perDevice ||
           !flags.splitBefore.empty() || !flags.splitAfter.empty() || !flags.splitSpec.empty();
}

} // namespace

bool givesBoundaries(const PlanSourceFlags& flags)
{
    return !flags.splitBefore.empty() || !flags.splitAfter.empty() || !flags.splitSpec.empty() ||
           flags.splitAtMarks;
}

Result<void> checkSource(const PlanSourceFlags& flags)
{
    if (flags.planFile.empty() && policyOfAll(flags.plan.recompute) == "plan")
        return Error{ErrorCode::BadUsage, "--recompute " + flags.plan.recompute +
                                              ": there is no plan whose regions are meant; --plan FILE or "
                                              "--recompute FILE.stagecraft names one"};
    if (flags.planFile.empty())
        return {};
    if (givesBoundaries(flags))
        return Error{
            ErrorCode::BadUsage,
            "--plan and --split-before, --split-after, --split-spec or --split-at-marks exclude each "
            "other"};
    if (const char* option = givenConstraint(flags))
        return Error{ErrorCode::BadUsage,
                     std::string(option) + ": " + flags.planFile + " already says where to cut"};
    return {};
}

Result<PartitionOptions> optionsAsked(const PlanSourceFlags& flags, const std::vector<SplitPoint>& points)
{
    PlanFlags asked = flags.plan;
    std::optional<std::size_t>& stages = asked.counts.stages;
    if (!points.empty() && stages.value_or(stagesOfSplit(points)) != stagesOfSplit(points))
        return Error{ErrorCode::BadUsage, "--stages " + std::to_string(*stages) +
                                              ": the boundaries that are given make " +
                                              std::to_string(stagesOfSplit(points))};
    if (!points.empty())
        stages = stagesOfSplit(points);
    return planOptions(asked);
}

Result<std::vector<SplitPoint>> splitPoints(const Model& model, const PlanSourceFlags& flags,
                                            std::vector<std::string>& notes)
{
    std::vector<SplitPoint> points = splitPoints(flags);
    if (!flags.splitSpec.empty()) {
        STAGECRAFT_ASSIGN(text, readTextFile(flags.splitSpec, mostSpecText));
        STAGECRAFT_ASSIGN(spec, splitPointsOfSpec(model.graph, text, flags.splitSpec));
        points.insert(points.end(), spec.begin(), spec.end());
    }
    const std::vector<SplitPoint> marks = markedSplit(model.graph);
    const std::string count = std::to_string(marks.size()) + (marks.size() == 1 ? " mark" : " marks");
    if (flags.splitAtMarks && marks.empty())
        return Error{ErrorCode::BadUsage,
                     "--split-at-marks: the model has no marks; pipe_split() makes one when it is exported"};
    if (marks.empty())
        return points;
    if (flags.splitAtMarks) {
        points.insert(points.end(), marks.begin(), marks.end());
        return points;
    }
    if (saysHowToCut(flags)) {
        notes.push_back("the model's " + count +
                        " (pipe_split) are not followed; --split-at-marks cuts there");
        return points;
    }
    if (const Result<PartitionOptions> options = optionsAsked(flags, marks); !options.has_value()) {
        notes.push_back("the model's " + count +
                        " (pipe_split) are not followed: " + options.error().message);
        return points;
    }
    notes.push_back("split at the model's " + count +
                    " (pipe_split); --stages N searches for the best split");
    return marks;
}

} // namespace stagecraft::cli
