#include "cli/framework_export.h"

#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/workflow.h"

#include <iostream>
#include <optional>
#include <utility>

namespace stagecraft::cli {
namespace {

// The best plan that the framework can say.
Result<Solution> sayablePlan(const Model& model, const ChosenPlan& chosen, Framework framework,
                             const Progress& progress)
{
    STAGECRAFT_ASSIGN(modules, wholeModules(framework, model.graph));
    PartitionOptions options = chosen.problem.options;
    for (NamedNodes& module : modules)
        options.keepTogether.push_back(std::move(module.nodes));
    STAGECRAFT_ASSIGN(problem, planProblem(model, chosen.profile, std::move(options), progress));
    STAGECRAFT_ASSIGN(found, findPlan(problem, {}, progress));
    return std::move(found.solution);
}

std::string costText(const PlanCost& cost, const PlanCost& instead)
{
    const double longer = 100 * (cost.iteration / instead.iteration - 1);
    return formatted("a step of %s instead of %s (%+.1f %%), at most %s on a device instead of %s",
                     formatSeconds(cost.iteration).c_str(), formatSeconds(instead.iteration).c_str(), longer,
                     formatBytes(cost.peakMemory()).c_str(), formatBytes(instead.peakMemory()).c_str());
}

} // namespace

Result<void> exportForFramework(const Model& model, const PlanSourceFlags& source,
                                const FrameworkExport& wanted, const Progress& progress)
{
    const std::string name(nameOf(frameworkNames, wanted.framework));
    STAGECRAFT_ASSIGN(chosen, choosePlan(model, source, progress));
    const PartitionOptions& options = chosen.problem.options;
    Result<std::string> text =
        frameworkText(wanted.framework, model.graph, chosen.solution.partition, options);
    if (!text.has_value()) {
        const Error inTheWay = text.error();
        Result<Solution> nearest = sayablePlan(model, chosen, wanted.framework, progress);
        if (!nearest.has_value() && nearest.error().code == ErrorCode::Cancelled)
            return nearest.error();
        if (nearest.has_value())
            text = frameworkText(wanted.framework, model.graph, nearest->partition, options);
        if (!nearest.has_value() || !text.has_value()) {
            const std::string why = nearest.has_value() ? text.error().message : nearest.error().message;
            const bool isNew = why != inTheWay.message;
            return Error{inTheWay.code,
                         inTheWay.message +
                             (isNew ? "; nor is there a plan that " + name + " can say: " + why : "")};
        }
        const std::string costs =
            "the best plan that " + name + " can say takes " + costText(nearest->cost, chosen.solution.cost);
        if (!wanted.nearest)
            return Error{inTheWay.code, inTheWay.message + "; " + costs + "; --nearest writes that one"};
        chosen.notes.push_back(inTheWay.message + "; " + costs);
    }
    STAGECRAFT_ASSIGN(size, writeTextFile(wanted.path, *text));
    printNotes(chosen.notes);
    std::cout << "  " << wanted.path << "  " << formatBytes(size) << '\n';
    return {};
}

} // namespace stagecraft::cli
