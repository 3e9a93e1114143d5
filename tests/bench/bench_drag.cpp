// A boundary dragged across Llama-3-8B: what every mouse move costs, against one frame of 16 ms.
//
//     bench_drag [MODEL.pt2 [STAGES]]
#include "core/partition/editing.h"
#include "core/partition/evaluate.h"
#include "core/partition/model_problem.h"
#include "core/partition/search.h"
#include "core/profile/device.h"
#include "core/profile/profile_model.h"
#include "core/stage/cut.h"
#include "core/stage/python_code.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace stagecraft;

namespace {

constexpr double frame = 16e-3;

template <class T>
T must(Result<T> result)
{
    if (!result.has_value()) {
        std::fprintf(stderr, "bench_drag: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(result).value();
}

class Stopwatch
{
public:
    double lap()
    {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - m_last).count();
        m_last = now;
        return seconds;
    }

private:
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

void print(const char* what, std::vector<double> seconds)
{
    std::ranges::sort(seconds);
    const double median = seconds[seconds.size() / 2], worst = seconds.back();
    std::printf("%-28s median %8.3f ms, worst %8.3f ms = %.3f and %.3f of a frame\n", what, median * 1e3,
                worst * 1e3, median / frame, worst / frame);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string path = argc > 1 ? argv[1] : STAGECRAFT_RESOURCES "/examples/llama-3-8b.pt2";
    const Model model = must(openModel(path));
    ProfileOptions wanted;
    wanted.device = must(readDevice(STAGECRAFT_RESOURCES "/devices/a100-sxm-80gb.json"));
    const Profile profile = must(profileModel(model, wanted));
    PartitionOptions options;
    options.stageCount = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 4;
    options.timeLimit = Seconds(1);
    const PartitionProblem problem = must(makeProblem(model, profile, options));
    const Partition start = must(solve(problem)).partition;

    const BoundaryId boundary(problem.stageCount() / 2 - 1);
    const std::vector<std::size_t> positions = legalPositions(problem, start, boundary);
    PlanEvaluator evaluator(problem, start);
    std::vector<double> figures, code;
    for (std::size_t i = 0; i < positions.size(); i += std::max<std::size_t>(1, positions.size() / 200)) {
        Stopwatch watch;
        const Edit edit = must(moveBoundary(problem, start, boundary, positions[i]));
        evaluator.moveTo(edit.partition);
        const PlanCost cost = evaluator.cost();
        figures.push_back(watch.lap());
        const std::vector<StageProgram> programs = must(cutStages(model, edit.partition));
        for (const std::size_t touched :
             {boundary.index() + std::size_t{0}, boundary.index() + std::size_t{1}})
            (void)stageCode(model, programs[touched]);
        code.push_back(watch.lap());
        if (cost.bottleneckTime <= Seconds(0))
            return 1;
    }
    std::printf("%s: %zu operators, %zu stages, boundary at %zu of %zu legal places\n", model.name.c_str(),
                model.graph.nodeCount(), problem.stageCount(), figures.size(), positions.size());
    print("figures of the plan", figures);
    print("code of the touched stages", code);
    return 0;
}
