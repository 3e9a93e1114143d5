#include "cli/framework_export.h"

#include "core/base/output_file.h"
#include "core/workflow.h"

#include <algorithm>
#include <iostream>
#include <iterator>

namespace stagecraft::cli {

Result<void> exportForFramework(const Model& model, const PlanSourceFlags& source,
                                const FrameworkExport& wanted, const Progress& progress)
{
    STAGECRAFT_ASSIGN(chosen, choosePlan(model, source, progress));
    STAGECRAFT_ASSIGN(said, sayPlan(wanted.framework, *chosen.model, chosen.profile, chosen.problem,
                                    chosen.solution.partition, progress));
    if (said.instead) {
        const std::string costs = said.instead->inTheWay.message + "; " + said.instead->costs;
        if (!wanted.nearest)
            return Error{said.instead->inTheWay.code, costs + "; --nearest writes that one"};
        chosen.notes.push_back(costs);
    }
    if (std::string unsaid = unsaidRecomputation(wanted.framework, chosen.problem.options); !unsaid.empty())
        chosen.notes.push_back(std::move(unsaid));
    std::ranges::move(said.unsaid, std::back_inserter(chosen.notes));
    STAGECRAFT_ASSIGN(size, writeTextFile(wanted.path, said.text));
    printNotes(chosen.notes);
    std::cout << "  " << wanted.path << "  " << formatBytes(size) << '\n';
    return {};
}

} // namespace stagecraft::cli
