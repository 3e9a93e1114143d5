// Predicted against measured on one thread of this machine's CPU, on a device file that is fitted first (or
// given): whole training steps, and nodes by what they are. No model here took part in the fit.
//
//     build/release/bin/bench_time [DEVICE.json [MODEL.pt2...]]
#include "core/load/open_model.h"
#include "core/measure/calibrate.h"
#include "core/measure/measure.h"
#include "core/profile/model/profile_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using namespace stagecraft;

namespace {

constexpr double heavyShare = 0.01; // of a step: a node that takes more is heavy

template <class T>
T valueOf(Result<T> result)
{
    if (!result.has_value()) {
        std::fprintf(stderr, "bench_time: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(result).value();
}

// As a factor of at least 1.
double factor(double ratio)
{
    return std::max(ratio, 1 / ratio);
}

struct Sums
{
    Seconds predicted;
    Seconds measured;
    std::vector<double> heavy; // predicted by measured, of every heavy node
};

using SumsByClass = std::map<std::string, Sums>; // "linear forward"

// "aten::linear.default" -> "linear"
std::string shortTarget(const std::string& target)
{
    const std::size_t start = target.rfind("::");
    const std::string name = start == std::string::npos ? target : target.substr(start + 2);
    return name.substr(0, name.find('.'));
}

void addNode(const std::string& what, Seconds predicted, Seconds measured, Seconds step, SumsByClass& classes)
{
    Sums& sums = classes[what];
    sums.predicted += predicted;
    sums.measured += measured;
    if (measured > step * heavyShare)
        sums.heavy.push_back(predicted / measured);
}

void addNodes(const Model& model, const Profile& profile, const MeasuredTimes& measured, SumsByClass& classes)
{
    const Seconds step = measured.step.forward + measured.step.backward;
    for (const NodeId node : model.graph.nodes())
        if (const std::optional<NodeTimes>& times = measured.nodes[node]) {
            const std::string target = shortTarget(model.graph[node].target);
            addNode(target, profile.nodes[node].forward.time, times->forward, step, classes);
            addNode(target + ", backward", profile.nodes[node].backward().time,
                    times->backwardInput + times->backwardWeight, step, classes);
        }
}

// How far off the whole step is.
double compare(const std::string& path, const DeviceSpec& device, SumsByClass& classes)
{
    const Model model = valueOf(openModel(path));
    ProfileOptions wanted;
    wanted.device = device;
    const Profile predicted = valueOf(profileModel(model, wanted));
    MeasureOptions measuring;
    measuring.threads = 1; // as in the fit
    const MeasuredTimes measured = valueOf(measureModel(model, measuring));
    addNodes(model, predicted, measured, classes);
    const ProfileTotals& totals = predicted.totals;
    const double step =
        (totals.timeForward + totals.timeBackward) / (measured.step.forward + measured.step.backward);
    std::printf("%-34s forward %9s of %9s (%.2f)   backward %9s of %9s (%.2f)   step %.2f\n",
                model.name.c_str(), formatSeconds(totals.timeForward).c_str(),
                formatSeconds(measured.step.forward).c_str(), totals.timeForward / measured.step.forward,
                formatSeconds(totals.timeBackward).c_str(), formatSeconds(measured.step.backward).c_str(),
                totals.timeBackward / measured.step.backward, step);
    std::fflush(stdout);
    return factor(step);
}

void printClasses(const SumsByClass& classes)
{
    std::vector<std::pair<std::string, Sums>> rows(classes.begin(), classes.end());
    std::ranges::sort(rows, std::greater<>(), [](const auto& row) { return row.second.measured; });
    Seconds all, shown;
    std::size_t heavy = 0, near = 0;
    for (const auto& [name, sums] : rows) {
        all += sums.measured;
        heavy += sums.heavy.size();
        near += static_cast<std::size_t>(
            std::ranges::count_if(sums.heavy, [](double ratio) { return factor(ratio) <= 1.5; }));
    }
    std::printf("\n%-44s %10s %10s %8s\n", "nodes, timed alone", "predicted", "measured", "ratio");
    for (const auto& [name, sums] : rows) {
        if (shown > all * 0.99)
            break;
        shown += sums.measured;
        std::printf("%-44s %10s %10s %8.2f\n", name.c_str(), formatSeconds(sums.predicted).c_str(),
                    formatSeconds(sums.measured).c_str(), sums.predicted / sums.measured);
    }
    std::printf("\n%zu of %zu heavy nodes (over %.0f %% of their step) are within a factor of 1.5\n", near,
                heavy, 100 * heavyShare);
}

std::vector<std::string> heldOutModels()
{
    std::vector<std::string> paths;
    for (const char* name : {"tiny/gpt2-tiny", "tiny/llama-tiny", "tiny/t5-tiny", "tiny/mobilenet-tiny"})
        paths.push_back(std::string(STAGECRAFT_TEST_DATA "/models/") + name + ".pt2");
    for (const char* name : {"gpt-4x128", "gpt-4x128-plain-attention", "mlp-attention", "resnet18"})
        paths.push_back(std::string(STAGECRAFT_TEST_DATA "/oracle/models/") + name + ".pt2");
    for (const char* name : {"regnet-small", "swin-small", "unet-skip", "two-towers", "wav2vec-small"})
        paths.push_back(std::string(STAGECRAFT_TEST_DATA "/architectures/") + name + ".pt2");
    return paths;
}

DeviceSpec fittedDevice()
{
    const auto start = std::chrono::steady_clock::now();
    DeviceSpec device = valueOf(calibrateCpu());
    const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("calibrated in %.0f s\n", taken);
    return device;
}

} // namespace

int main(int argc, char** argv)
{
    const DeviceSpec device = argc > 1 ? valueOf(readDevice(argv[1])) : fittedDevice();
    std::printf("%s: %.3g GFLOP/s, %.3g GB/s, %s a dispatch\n", device.name.c_str(),
                device.peakFlops.at(DType::F32) / 1e9, device.memoryBandwidth / 1e9,
                formatSeconds(device.dispatchOverhead).c_str());
    const std::vector<std::string> paths =
        argc > 2 ? std::vector<std::string>(argv + 2, argv + argc) : heldOutModels();
    SumsByClass classes;
    double logs = 0;
    for (const std::string& path : paths)
        logs += std::log(compare(path, device, classes));
    printClasses(classes);
    std::printf("whole steps are typically off by a factor of %.2f (geometric mean)\n",
                std::exp(logs / static_cast<double>(paths.size())));
    return 0;
}
