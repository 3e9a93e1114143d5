#include "core/report/recompute_section.h"

#include "core/plan/node_stages.h"
#include "core/report/html_table.h"

#include <array>

namespace stagecraft {

namespace {

HtmlCell countCell(std::size_t count)
{
    return {std::to_string(count), static_cast<double>(count)};
}

// Nothing where it is not known, or where the inputs of regions are more than what they free.
HtmlCell bytesCell(const std::optional<Bytes>& bytes)
{
    if (!bytes || *bytes < Bytes{})
        return {"\u2013", 0};
    return {formatBytes(*bytes), bytes->asDouble()};
}

} // namespace

std::vector<StageRecomputation> recomputedStages(const ReportSubject& subject)
{
    const RecomputePlan regions = regionsThatRun(subject.model.graph, subject.problem.options.recompute,
                                                 nodeStages(subject.solution.partition).get());
    return stageRecomputations(regions, subject.profile, subject.without, subject.solution.partition,
                               subject.problem.options, subject.solution.cost);
}

std::string recomputeTable(const ReportSubject& subject)
{
    const std::vector<StageRecomputation> stages = recomputedStages(subject);
    if (stages.empty())
        return {};
    constexpr std::array columns{
        HtmlColumn{"Stage"},
        HtmlColumn{"Regions", "Parts of the stage whose forward pass runs again in backward"},
        HtmlColumn{"Operators", "In these regions"},
        HtmlColumn{"Kept", "Of these operators: their results are kept, they do not run again"},
        HtmlColumn{"Saves", "Kept from forward to backward, for each microbatch"},
        HtmlColumn{"Instead of", "What it would keep if nothing ran again"},
        HtmlColumn{"At once", "The most that is alive besides what is kept, as what runs again is"},
        HtmlColumn{.title = "Frees",
                   .help = "How much less the stage holds at its peak: of all microbatches in flight, less "
                           "what is alive at once",
                   .hasBar = true},
        HtmlColumn{"FLOPs again", "Of one microbatch, in backward"},
        HtmlColumn{.title = "Run again", .help = "Time that backward takes longer", .hasBar = true}};
    std::vector<std::vector<HtmlCell>> rows;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const StageRecomputation& stage = stages[i];
        HtmlCell number = countCell(i + 1);
        number.stage = i;
        rows.push_back({number, countCell(stage.regions), countCell(stage.nodes), countCell(stage.kept),
                        bytesCell(stage.saved), bytesCell(stage.without), bytesCell(stage.transient),
                        bytesCell(stage.freed()), HtmlCell(formatFlops(stage.flops), stage.flops.value()),
                        HtmlCell(formatSeconds(stage.time), stage.time.value())});
    }
    return htmlTable("recomputed-table", "Recomputation: what backward runs again instead of having it kept",
                     columns, rows);
}

} // namespace stagecraft
