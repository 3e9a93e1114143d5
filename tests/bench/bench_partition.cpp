// How good plans are, how fast they come, and how much better than others: the tables of
// tests/bench/results/partition.md.
//
//     bench_partition [instances | generated | models | drag]...      all, if none is named
//         --only TEXT      files and families with this in their name
//         --stages K       this number of stages
//         --folder DIR     instances in this folder
//         --write DIR      those made at random are written there, for --folder, and not solved
//         --limit SECONDS  of each search, instead of 10
//         --without IDEA   what this idea of the search brings (core/search/reduce/search_features.h);
//                          again for more, or "each"
#include "ablation.h"
#include "instance_maker.h"
#include "partition_baselines.h"
#include "thread_clock.h"

#include "core/load/open_model.h"
#include "core/plan/editing.h"
#include "core/plan/evaluate.h"
#include "core/plan/sources/instance.h"
#include "core/plan/sources/model_problem.h"
#include "core/profile/model/profile_model.h"
#include "core/search/search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

using namespace stagecraft;
namespace fs = std::filesystem;

namespace {

// What the command line asks for.
struct Wanted
{
    std::set<std::string> parts;
    std::string only;
    std::vector<std::size_t> stages{2, 4, 8, 16};
    fs::path folder = fs::path(STAGECRAFT_TEST_DATA) / "partition";
    fs::path write; // empty: nowhere
    std::optional<Seconds> limit;
    std::vector<std::string> without;
    std::vector<bench::AblationCase> cases; // what would be measured, where something is to be left out

    bool part(const char* name) const { return parts.empty() || parts.contains(name); }
    bool file(const std::string& name) const { return name.find(only) != std::string::npos; }
    // True: the case is kept for the ablation, and there is no more to do for it.
    bool keeps(const char* kind, const std::string& name, PartitionProblem& problem)
    {
        problem.options.timeLimit = limit.value_or(problem.options.timeLimit);
        if (!without.empty())
            cases.push_back({kind, name, problem});
        return !without.empty();
    }
};

std::string caseName(const std::string& name, const char* cost, std::size_t stages)
{
    return name + " " + cost + " K=" + std::to_string(stages);
}

double secondsSince(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::vector<fs::path> filesOf(const fs::path& folder, const std::string& extension)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == extension)
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

// The time to the first plan: a search that may take no time stops at it.
double firstPlanTime(PartitionProblem problem)
{
    problem.options.timeLimit = Seconds(0);
    const bench::ThreadClock clock;
    const auto plan = solve(problem);
    return plan.has_value() ? clock.seconds() : 0;
}

void printHead(const char* first)
{
    std::printf("| %s | cost | K | bottleneck | bound / bottleneck | by | first plan | solved in |", first);
    for (const auto& baseline : bench::baselines())
        std::printf(" %s |", baseline.name.c_str());
    std::printf("\n|---|---|--:|--:|--:|---|--:|--:|");
    for (std::size_t i = 0; i < bench::baselines().size(); ++i)
        std::printf("--:|");
    std::printf("\n");
}

struct Summary
{
    int cases = 0;
    int proven = 0;
    double slowest = 0;
    std::map<std::size_t, std::pair<double, int>> logRatios; // by number of stages
    std::map<std::string, double> logOthers;                 // of the bottlenecks of others to ours

    void add(std::size_t stages, const Solution& solution, double seconds)
    {
        ++cases;
        proven += solution.proven();
        slowest = std::max(slowest, seconds);
        logRatios[stages].first += std::log(1 - solution.gap());
        ++logRatios[stages].second;
    }
    void print(const char* what) const
    {
        if (cases == 0)
            return;
        std::printf(
            "\n%s: %d cases, %d proven to 1e-4, the slowest in %.2f s; geometric mean of bound / bottleneck:",
            what, cases, proven, slowest);
        for (const auto& [stages, sum] : logRatios)
            std::printf(" K=%zu %.4f", stages, std::exp(sum.first / sum.second));
        std::printf("; of the others' bottleneck / ours:");
        for (const auto& [name, sum] : logOthers)
            std::printf(" %s %.2f", name.c_str(), std::exp(sum / cases));
        std::printf("\n\n");
    }
};

void printCase(const std::string& name, const char* cost, const PartitionProblem& problem, Summary& summary)
{
    const bench::ThreadClock clock;
    const auto solution = solve(problem);
    const double seconds = clock.seconds();
    if (!solution.has_value()) {
        std::printf("| %s | %s | %zu | %s |\n", name.c_str(), cost, problem.stageCount(),
                    solution.error().message.c_str());
        return;
    }
    summary.add(problem.stageCount(), *solution, seconds);
    const double reached = solution->cost.bottleneckTime.value();
    std::printf("| %s | %s | %zu | %.6g | %.4f | %s | %.3f s | %.3f s |", name.c_str(), cost,
                problem.stageCount(), reached, 1 - solution->gap(),
                solution->proven() ? "proven" : solution->bound.kind.c_str(), firstPlanTime(problem),
                seconds);
    for (const auto& baseline : bench::baselines()) {
        const double other = evaluate(problem, baseline.split(problem)).bottleneckTime.value();
        summary.logOthers[baseline.name] += std::log(other / reached);
        std::printf(" %.2f |", other / reached);
    }
    std::printf("\n");
    std::fflush(stdout);
}

constexpr const char* costNames[] = {"compute", "relay", "direct"};

PartitionOptions optionsOf(std::string_view cost, std::size_t stages)
{
    PartitionOptions options{.stageCount = stages};
    options.objective = cost == "compute" ? Objective::Compute : Objective::Sum;
    options.send = cost == "direct" ? SendKind::Direct : SendKind::Relay;
    return options;
}

void benchInstances(Wanted& wanted)
{
    Summary summary;
    if (wanted.without.empty())
        printHead("instance");
    for (const fs::path& file : filesOf(wanted.folder, ".json")) {
        for (const char* cost : costNames) {
            for (const std::size_t stages : wanted.stages) {
                if (!wanted.file(file.stem().string()))
                    continue;
                auto instance = readInstance(file, optionsOf(cost, stages));
                if (instance.has_value() &&
                    wanted.keeps("public", caseName(file.stem().string(), cost, stages), instance->problem))
                    continue;
                if (instance.has_value())
                    printCase(file.stem().string(), cost, instance->problem, summary);
                else
                    std::printf("%s\n", instance.error().message.c_str());
            }
        }
    }
    summary.print("instances");
}

// How many instances of one kind are proven, and how fast.
struct Tally
{
    int cases = 0;
    int withinSecond = 0; // proven to 1e-4
    int proven = 0;
    int nearly = 0; // gap of at most 2%
    double slowest = 0;
    double worstGap = 0;

    void add(const Solution& solution, double seconds)
    {
        ++cases;
        withinSecond += solution.proven() && seconds <= 1;
        proven += solution.proven();
        nearly += solution.gap() <= 0.02;
        slowest = std::max(slowest, seconds);
        worstGap = std::max(worstGap, solution.gap());
    }
    void add(const Tally& other)
    {
        cases += other.cases;
        withinSecond += other.withinSecond;
        proven += other.proven;
        nearly += other.nearly;
        slowest = std::max(slowest, other.slowest);
        worstGap = std::max(worstGap, other.worstGap);
    }
    void print(const std::string& name) const
    {
        if (cases == 0)
            return;
        std::printf("| %s | %d | %d | %d | %d | %.2g%% | %.2f s |\n", name.c_str(), cases, withinSecond,
                    proven, nearly, worstGap * 100, slowest);
        std::fflush(stdout);
    }
};

// Memory for 1.3 times an even share, where `limit` says so.
Result<PartitionProblem> generatedProblem(const nlohmann::json& instance, PartitionOptions options,
                                          bool limit)
{
    const fs::path file = fs::temp_directory_path() / "stagecraft-bench-instance.json";
    std::ofstream(file) << instance.dump();
    if (limit) {
        double total = 0;
        for (const auto& node : instance["nodes"])
            total += node["memory"].get<double>();
        options.memoryLimits = {
            Bytes(static_cast<std::int64_t>(1.3 * total / static_cast<double>(options.stageCount)))};
    }
    STAGECRAFT_ASSIGN(read, readInstance(file, options));
    fs::remove(file);
    return std::move(read.problem);
}

void benchGenerated(Wanted& wanted)
{
    if (wanted.without.empty())
        std::printf("| made at random | cases | proven within 1 s | proven | gap at most 2%% | worst gap | "
                    "slowest |\n"
                    "|---|--:|--:|--:|--:|--:|--:|\n");
    Tally all;
    for (const std::string& family : bench::instanceFamilies()) {
        if (!wanted.file(family))
            continue;
        Tally tally;
        std::uint64_t seed = 0;
        for (const std::size_t blocks : {6, 12, 24}) {
            for (const double communication : {0.02, 0.2, 1.0}) {
                const bool training = ++seed % 2 == 0;
                const auto instance = bench::makeInstance({family, blocks, communication, training, seed});
                if (!wanted.write.empty()) {
                    std::ofstream(wanted.write / (family + " " + std::to_string(seed) + ".json"))
                        << instance.dump();
                    continue;
                }
                for (const std::size_t stages : wanted.stages) {
                    const char* const cost = costNames[(seed + stages / 4) % 3];
                    auto problem = generatedProblem(instance, optionsOf(cost, stages), seed % 3 == 0);
                    if (problem.has_value() &&
                        wanted.keeps("generated", caseName(family + " " + std::to_string(seed), cost, stages),
                                     *problem))
                        continue;
                    const bench::ThreadClock clock;
                    const auto solution = problem.has_value() ? solve(*problem) : problem.error();
                    const double seconds = clock.seconds();
                    if (solution.has_value())
                        tally.add(*solution, seconds);
                    if (!solution.has_value() || !solution->proven() || seconds > 1)
                        std::fprintf(stderr, "%s %zu %g %s %s K=%zu%s: %s, %.2f s\n", family.c_str(), blocks,
                                     communication, training ? "training" : "inference", cost, stages,
                                     seed % 3 == 0 ? " limited" : "",
                                     solution.has_value() ? std::to_string(solution->gap()).c_str()
                                                          : solution.error().message.c_str(),
                                     seconds);
                }
            }
        }
        tally.print(family);
        all.add(tally);
    }
    all.print("all");
}

Result<PartitionProblem> problemOf(const Model& model, const Profile& profile, std::size_t stages,
                                   SendKind send)
{
    return makeProblem(model, profile, {.stageCount = stages, .microbatches = 32, .send = send});
}

void benchModels(Wanted& wanted)
{
    const auto device = readDevice(fs::path(STAGECRAFT_RESOURCES) / "devices" / "h100-sxm.json");
    Summary summary;
    if (wanted.without.empty())
        printHead("model (H100, training)");
    for (const fs::path& file : filesOf(fs::path(STAGECRAFT_RESOURCES) / "examples", ".pt2")) {
        if (!wanted.file(file.stem().string()))
            continue;
        const auto model = openModel(file);
        if (!model.has_value() || !device.has_value()) {
            std::printf("| %s | %s |\n", file.stem().c_str(),
                        model.has_value() ? "no device" : model.error().message.c_str());
            continue;
        }
        const auto profile = profileModel(*model, {.device = *device});
        if (!profile.has_value()) {
            std::printf("| %s | %s |\n", file.stem().c_str(), profile.error().message.c_str());
            continue;
        }
        const std::string name = file.stem().string() + " (" + std::to_string(model->graph.nodeCount()) + ")";
        for (const SendKind send : {SendKind::Relay, SendKind::Direct}) {
            for (const std::size_t stages : wanted.stages) {
                auto problem = problemOf(*model, *profile, stages, send);
                if (problem.has_value() &&
                    wanted.keeps("gallery", caseName(file.stem().string(), sendName(send).data(), stages),
                                 *problem))
                    continue;
                if (problem.has_value())
                    printCase(name, std::string(sendName(send)).c_str(), *problem, summary);
                else
                    std::printf("| %s | %s |\n", name.c_str(), problem.error().message.c_str());
            }
        }
    }
    summary.print("models");
}

// A chain of blocks of 15 nodes with two residual connections each, as transformers have them.
PartitionProblem largeProblem(std::size_t nodes, std::size_t stages)
{
    PartitionProblem problem;
    problem.options.stageCount = stages;
    problem.options.microbatches = 32;
    completeOptions(problem.options, Link{450e9, Seconds(2e-6)});
    for (std::size_t i = 0; i < nodes; ++i) {
        problem.nodes.add({.name = "n" + std::to_string(i),
                           .forward = Seconds(1e-6 * double(1 + i * 7919 % 13)),
                           .backwardInput = Seconds(2e-6),
                           .saved = Bytes(1 << 20),
                           .transient = Bytes(1 << 16)});
        ProblemValue value{.value = ValueId(i),
                           .producer = NodeId(i),
                           .forwardBytes = Bytes(1 << 20),
                           .backwardBytes = Bytes(1 << 20)};
        for (const std::size_t ahead : {std::size_t{1}, i % 7 == 0 ? std::size_t{7} : std::size_t{1}}) {
            if (i + ahead < nodes && (value.readers.empty() || value.readers.back() != NodeId(i + ahead)))
                value.readers.push_back(NodeId(i + ahead));
        }
        for (NodeId reader : value.readers)
            problem.precedences.push_back({value.producer, reader});
        problem.values.push_back(std::move(value));
        problem.shared.push_back({"w" + std::to_string(i), Bytes(1 << 20), Bytes(1 << 24), {NodeId(i)}});
    }
    return problem;
}

// Every mouse move of a drag: find the legal position, move, and all figures of the plan.
void benchDrag()
{
    std::printf("| nodes | K | a drag step, worst | mean | evaluate from scratch |\n|--:|--:|--:|--:|--:|\n");
    for (const std::size_t stages : {4, 16}) {
        const PartitionProblem problem = largeProblem(9000, stages);
        const Solution solution = solve(problem).value();
        const BoundaryId boundary(stages / 2 - 1);
        const std::size_t start = stageOrder(solution.partition).boundaries[boundary.index()];
        PlanEvaluator evaluator(problem, solution.partition);
        double worst = 0;
        double sum = 0;
        const int steps = 300;
        for (int step = 0; step < steps; ++step) {
            const auto begin = std::chrono::steady_clock::now();
            const std::size_t wanted = start + static_cast<std::size_t>(step % 100) * 2;
            const auto edit = moveBoundary(problem, solution.partition, boundary, wanted);
            evaluator.moveTo(edit->partition);
            const PlanCost cost = evaluator.cost();
            const double taken = secondsSince(begin) + (cost.bubble < 0 ? 1 : 0);
            worst = std::max(worst, taken);
            sum += taken;
        }
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < 20; ++i)
            (void)evaluate(problem, solution.partition);
        std::printf("| 9000 | %zu | %.2f ms | %.2f ms | %.2f ms |\n", stages, worst * 1e3, sum / steps * 1e3,
                    secondsSince(begin) / 20 * 1e3);
    }
    for (const std::size_t stages : {2, 4, 8, 16}) {
        const PartitionProblem problem = largeProblem(5000, stages);
        const double first = firstPlanTime(problem);
        const bench::ThreadClock clock;
        const auto solution = solve(problem);
        std::printf("5000 nodes, K=%zu: first plan %.3f s, solved in %.3f s, gap %.1e\n", stages, first,
                    clock.seconds(), solution->gap());
    }
}

} // namespace

int main(int argc, char** argv)
{
    Wanted wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (!argument.starts_with("--"))
            wanted.parts.insert(argument);
        else if (++i == argc)
            return 2;
        else if (argument == "--only")
            wanted.only = argv[i];
        else if (argument == "--stages")
            wanted.stages = {std::stoul(argv[i])};
        else if (argument == "--folder")
            wanted.folder = argv[i];
        else if (argument == "--write")
            wanted.write = argv[i];
        else if (argument == "--limit")
            wanted.limit = Seconds(std::stod(argv[i]));
        else if (argument == "--without" && bench::isIdea(argv[i]))
            wanted.without.push_back(argv[i]);
        else
            return 2;
    }
    if (wanted.part("instances"))
        benchInstances(wanted);
    if (wanted.part("generated"))
        benchGenerated(wanted);
    if (wanted.part("models"))
        benchModels(wanted);
    if (wanted.part("drag") && wanted.without.empty())
        benchDrag();
    if (!wanted.without.empty())
        bench::printAblation(wanted.cases, wanted.without);
    return 0;
}
