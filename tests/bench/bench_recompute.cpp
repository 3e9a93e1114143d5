// Recomputation: how long hulls take, and what they bring beside policies that people use.
//
//     build/release/bin/bench_recompute [MODEL.pt2 ...]
//
// Without a file: 9,000 nodes in 300 regions no two of which are alike. With files: of each model (a batch as
// exported, on an H100) the bytes saved and the time added by recomputation of every block, by the selective
// mode (matrix products and attention kept), and by choices on the hulls with no more bytes than that.
#include "core/graph/program.h"
#include "core/load/open_model.h"
#include "core/profile/model/profile_model.h"
#include "core/recompute/policies.h"
#include "core/recompute/stage_choice.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>

using namespace stagecraft;

namespace {

[[noreturn]] void fail(const std::string& message)
{
    std::fprintf(stderr, "bench_recompute: %s\n", message.c_str());
    std::exit(1);
}

template <class T>
T take(Result<T> result)
{
    if (!result.has_value())
        fail(result.error().message);
    return std::move(*result);
}

double millisecondsOf(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

ProfileOptions options()
{
    ProfileOptions wanted;
    wanted.device =
        take(readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / "h100-sxm.json"));
    wanted.optimizer = OptimizerKind::None;
    return wanted;
}

// Blocks of 30 operators, each on tensors of its own size.
Model manyBlocks(std::size_t count)
{
    Program program("blocks");
    const ValueId weight = program.param("weight", {64, 64});
    std::vector<ValueId> rows;
    ValueId value = program.input({8, 64});
    for (std::size_t block = 0; block < count; ++block) {
        const Program::Sizes sizes{static_cast<std::int64_t>(8 + block), 64};
        const Program::Sizes next{sizes[0] + 1, 64};
        for (int layer = 0; layer < 4; ++layer) {
            const ValueId product = program.op("linear", sizes, {value, weight});
            const ValueId bent = program.chain(product, sizes, {"gelu", "sin", "tanh", "exp"});
            value = program.op("mul.Tensor", sizes, {bent, product});
            if (layer < 3)
                value = program.op("add.Tensor", sizes, {value, product});
        }
        // One row more for the next block.
        const ValueId row =
            program.op("narrow", {1, 64}, {value, std::int64_t{0}, std::int64_t{0}, std::int64_t{1}});
        const ValueId both = program.op("cat", next, {TensorListArgument{{value, row}}, std::int64_t{0}});
        value = program.op("sigmoid", next, {both});
    }
    Model model{.name = "blocks", .graph = program.returning(value)};
    for (const ValueId input : model.graph.inputs()) {
        const bool isUsers = model.graph[input].kind == ValueKind::UserInput;
        model.signature.inputs.push_back(
            {.kind = isUsers ? InputSpec::Kind::User : InputSpec::Kind::Parameter, .value = input});
    }
    return model;
}

struct Planned
{
    RecomputePlan plan;
    Trace trace;
    Profile profile;
    std::vector<std::shared_ptr<const RegionHull>> hulls;
};

Planned hullsOf(const Model& model, RecomputePlan plan, OperatorSchemas& schemas)
{
    const Model planned = withPlan(model, plan);
    Trace trace = take(traceModel(planned, traceOptions(options())));
    Profile profile = take(profileTrace(planned, trace, options()));
    std::vector<std::shared_ptr<const RegionHull>> hulls;
    const double time = millisecondsOf([&] { hulls = regionHulls(model, plan, trace, profile, schemas); });
    std::set<const RegionHull*> different;
    std::size_t choices = 0;
    for (const auto& hull : hulls)
        if (different.insert(hull.get()).second)
            choices += hull->choices.size();
    std::printf("%-14s %5zu nodes, %3zu regions, %3zu different, %5zu choices on their hulls: %7.1f ms\n",
                model.name.c_str(), model.graph.nodeCount(), plan.regions.size(), different.size(), choices,
                time);
    return {std::move(plan), std::move(trace), std::move(profile), std::move(hulls)};
}

void print(const char* what, const ProfileTotals& totals)
{
    std::printf("    %-34s %9.1f MiB saved, %9.3f ms added, %5.1f %% of the forward pass\n", what,
                totals.savedBytes.asDouble() / (1 << 20), totals.timeRecomputed.value() * 1e3,
                100 * totals.timeRecomputed.value() / totals.timeForward.value());
}

void benchFile(const std::string& path)
{
    const Model model = take(openModel(path));
    OperatorSchemas schemas;
    const auto totalsOf = [&](const RecomputePlan& plan) {
        return take(profileModel(withPlan(model, plan), options())).totals;
    };
    const PolicyPlan full = blocksPlan(model, 1, {}, schemas);
    const Planned base = hullsOf(model, full.plan, schemas);
    for (const std::string& reason : full.leftOut)
        std::printf("    left out: %s\n", reason.c_str());
    const ProfileTotals selective = totalsOf(blocksPlan(model, 1, heavyOperators(), schemas).plan);
    // Bytes kept alone are compared: no transient is charged.
    std::vector<std::shared_ptr<const RegionHull>> hulls;
    for (const auto& hull : base.hulls) {
        RegionHull kept = *hull;
        for (RegionChoice& choice : kept.choices)
            choice.transient = {};
        hulls.push_back(std::make_shared<const RegionHull>(std::move(kept)));
    }
    print("nothing recomputed", totalsOf({}));
    print("every block", base.profile.totals);
    print("selective", selective);
    const Bytes room = selective.savedBytes - base.profile.totals.savedBytes;
    if (const auto choice = chooseWithin(hulls, room, 1)) {
        std::vector<const RegionChoice*> choices;
        for (std::size_t i = 0; i < base.hulls.size(); ++i)
            choices.push_back(&base.hulls[i]->choices[choice->choices[i]]);
        print("hulls, bytes of the selective mode", totalsOf(withChoices(base.plan, choices)));
        std::printf("    the bound on it: %.3f ms\n", choice->bound.value() * 1e3);
    }
}

void benchMany()
{
    const Model model = manyBlocks(300);
    OperatorSchemas schemas;
    RecomputePlan plan;
    for (std::size_t first = 0; first < model.graph.nodeCount(); first += 30) {
        plan.regions.emplace_back();
        for (std::size_t i = first; i < std::min(first + 30, model.graph.nodeCount()); ++i)
            plan.regions.back().nodes.push_back(NodeId(i));
    }
    if (const Result<void> checked = checkPlan(model, plan, schemas); !checked.has_value())
        fail(checked.error().message);
    hullsOf(model, plan, schemas);
}

} // namespace

int main(int argc, char** argv)
{
    benchMany();
    for (int i = 1; i < argc; ++i)
        benchFile(argv[i]);
    return 0;
}
