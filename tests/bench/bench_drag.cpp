// One frame of dragging a stage boundary: where it may go, every figure of the plan, the stages cut, the code
// of those that changed; beside doing all of it anew. The budget is a frame, 16 ms. Then what it takes to
// split the rest anew around what was dragged: a second. Then the same frame where stages choose anew what
// they recompute, within 60 % of what the plan needs without; the code is that of the regions as they were.
// Frames are timed by the processor, for a machine may be busy with other things.
//
//     build/release/bin/bench_drag [MODEL.pt2 [STAGES]]
#include "core/advise/resolve.h"
#include "core/plan/editing.h"
#include "core/plan/evaluate.h"
#include "core/profile/model/profile_model.h"
#include "core/recompute_drag.h"
#include "core/recompute_search.h"
#include "core/stage/code_facts.h"
#include "core/workflow.h"
#include "tests/bench/thread_clock.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

using namespace stagecraft;

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

template <class T>
T valueOf(Result<T> result)
{
    if (!result.has_value()) {
        std::fprintf(stderr, "bench_drag: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(result).value();
}

struct Frame
{
    double figures = 0; // milliseconds
    double cut = 0;
    double code = 0;
    double total() const { return figures + cut + code; }
};

// What is known of the model when a drag begins.
struct ModelFacts
{
    CutFacts cut;
    CodeFacts code;
};

// The stages on both sides of the boundary change; all the others keep their code.
template <class CostOf>
Frame dragOnce(const Model& model, const ModelFacts& facts, const PartitionProblem& problem,
               const Partition& partition, BoundaryId boundary, std::size_t position, const CostOf& costOf)
{
    Frame frame;
    const bench::ThreadClock clock;
    const Edit edit = valueOf(moveBoundary(problem, partition, boundary, position));
    const PlanCost cost = costOf(edit.partition);
    frame.figures = 1000 * clock.seconds();

    const std::vector<StageProgram> programs = valueOf(cutStages(model, edit.partition, facts.cut));
    frame.cut = 1000 * clock.seconds() - frame.figures;

    for (const std::size_t stage : {boundary.index(), boundary.index() + 1})
        if (stageCode(model, programs[stage], RepeatedCode::Once, {}, &facts.code).text.empty())
            std::exit(1);
    frame.code = 1000 * clock.seconds() - frame.figures - frame.cut;
    return frame;
}

// 200 of them; costOf(partition).
template <class CostOf>
std::vector<Frame> drag(const Model& model, const PartitionProblem& problem, const Partition& partition,
                        const CostOf& costOf)
{
    const BoundaryId boundary(problem.stageCount() / 2 - 1);
    const std::vector<std::size_t> positions = legalPositions(problem, partition, boundary);
    const ModelFacts facts{cutFacts(model), codeFacts(model)};
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < 200; ++i)
        frames.push_back(dragOnce(model, facts, problem, partition, boundary,
                                  positions[(i * 37) % positions.size()], costOf));
    std::ranges::sort(frames, {}, &Frame::total);
    const Frame& median = frames[frames.size() / 2];
    std::printf("%zu positions: %.2f ms median (figures %.2f, cut %.2f, code %.2f), %.2f ms worst of %zu\n",
                positions.size(), median.total(), median.figures, median.cut, median.code,
                frames.back().total(), frames.size());
    return frames;
}

double anew(const Model& model, const PartitionProblem& problem, const Partition& partition)
{
    const bench::ThreadClock clock;
    static_cast<void>(evaluate(problem, partition));
    const CodeFacts facts = codeFacts(model);
    for (const StageProgram& program : valueOf(cutStages(model, partition)))
        stageCode(model, program, RepeatedCode::Once, {}, &facts);
    return 1000 * clock.seconds();
}

// Where a person has dragged the boundary off its best place, and keeps it there, or pins what it moved.
void solveAround(PartitionProblem problem, const Partition& partition, BoundaryId boundary)
{
    const StageOrder order = stageOrder(partition);
    const std::size_t place = order.boundaries[boundary.index()];
    const Edit edit = valueOf(moveBoundary(problem, partition, boundary, place + order.nodes.size() / 20));
    const std::pair<const char*, KeptParts> questions[] = {{"boundary kept", {.boundaries = {boundary}}},
                                                           {"moved nodes pinned", {.nodes = edit.moved}}};
    for (const auto& [what, kept] : questions) {
        for (const double limit : {0.5, 3.0}) {
            problem.options.timeLimit = Seconds(limit);
            const Clock::time_point start = Clock::now();
            const Solution solution = valueOf(resolveAround(problem, edit.partition, kept));
            std::printf("split anew, %-18s  %.2f s of %.1f: bottleneck %.6g, gap %.2g\n", what,
                        millisecondsSince(start) / 1000, limit, solution.cost.bottleneckTime.value(),
                        solution.gap());
        }
    }
}

void dragWithChoices(std::shared_ptr<const Model> model, const ProfileOptions& wanted,
                     PartitionOptions options, const PlanCost& none)
{
    options.memoryLimits = {Bytes(none.peakMemory().count() * 6 / 10)};
    options.recompute = {.kind = RecomputeKind::Auto};
    const Profiler profiler = [&](const Model& traced, std::shared_ptr<const NodeStages> parts) {
        ProfileOptions asked = wanted;
        asked.parts = std::move(parts);
        return traceAndProfile(traced, asked);
    };
    const RecomputedPlan plan = valueOf(findRecomputedPlan(model, options, profiler, OverLimit::Taken));
    const Solution& solution = plan.found.solution;
    const Clock::time_point start = Clock::now();
    const auto chooser =
        std::make_shared<const RecomputeChooser>(valueOf(recomputeChooser(model, options, profiler)));
    std::printf("recomputation      %.0f ms to prepare, once\n", millisecondsSince(start));

    const auto problem = std::make_shared<const PartitionProblem>(plan.of.problem);
    RecomputeDrag choosing(chooser, problem, solution.partition);
    choosing.lookAhead();
    std::printf("chosen anew        ");
    std::vector<Frame> frames = drag(*plan.of.model, *problem, solution.partition,
                                     [&](const Partition& partition) { return choosing.of(partition); });
    std::ranges::sort(frames, {}, &Frame::figures);
    std::printf("figures of these   %.2f ms median, %.2f ms worst\n", frames[frames.size() / 2].figures,
                frames.back().figures);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string path = argc > 1 ? argv[1] : STAGECRAFT_RESOURCES "/examples/llama-3-8b.pt2";
    const auto shared = std::make_shared<const Model>(valueOf(openModel(path)));
    const Model& model = *shared;
    ProfileOptions wanted;
    wanted.device =
        valueOf(readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / "h100-sxm.json"));
    const Profile profile = valueOf(traceAndProfile(model, wanted));
    PartitionOptions options;
    options.stageCount = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 4;
    options.timeLimit = Seconds(1);
    const PartitionProblem problem = valueOf(planProblem(model, profile, options));
    const Solution solution = valueOf(findPlan(problem)).solution;
    const Partition& partition = solution.partition;

    std::printf("%s, %zu nodes, %zu stages\n", model.name.c_str(), model.graph.nodeCount(),
                options.stageCount);
    PlanEvaluator evaluator(problem, partition);
    std::printf("a frame of a drag  ");
    const std::vector<Frame> frames = drag(model, problem, partition, [&](const Partition& moved) {
        evaluator.moveTo(moved);
        return evaluator.cost();
    });
    double whole = anew(model, problem, partition);
    for (int i = 0; i < 4; ++i)
        whole = std::min(whole, anew(model, problem, partition));
    std::printf("everything anew    %.2f ms (%.1fx)\n", whole, whole / frames[frames.size() / 2].total());
    solveAround(problem, partition, BoundaryId(options.stageCount / 2 - 1));
    dragWithChoices(shared, wanted, options, solution.cost);
    return 0;
}
