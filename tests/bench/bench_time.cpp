// Predicted against measured: the time of whole training steps on this machine's CPU, on a device file that
// is fitted first (or given). Models that took no part in the fit.
//
//     build/release/bin/bench_time [DEVICE.json]
#include "core/profile/calibrate.h"
#include "core/profile/measure.h"
#include "core/profile/profile_model.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace stagecraft;

namespace {

template <class T>
T valueOf(Result<T> result)
{
    if (!result.has_value()) {
        std::fprintf(stderr, "bench_time: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(result).value();
}

// How far off, as a factor of at least 1.
double compare(const std::string& path, const DeviceSpec& device)
{
    const Model model = valueOf(openModel(path));
    ProfileOptions wanted;
    wanted.device = device;
    const ProfileTotals predicted = valueOf(profileModel(model, wanted)).totals;
    MeasureOptions measuring;
    measuring.threads = 1; // as in the fit
    const StepTimes measured = valueOf(measureStep(model, measuring));
    const double ratio =
        (predicted.timeForward + predicted.timeBackward) / (measured.forward + measured.backward);
    std::printf("%-28s forward %9s predicted %9s measured (%.2f)   backward %9s %9s (%.2f)   step %.2f\n",
                model.name.c_str(), formatSeconds(predicted.timeForward).c_str(),
                formatSeconds(measured.forward).c_str(), predicted.timeForward / measured.forward,
                formatSeconds(predicted.timeBackward).c_str(), formatSeconds(measured.backward).c_str(),
                predicted.timeBackward / measured.backward, ratio);
    std::fflush(stdout);
    return std::max(ratio, 1 / ratio);
}

} // namespace

int main(int argc, char** argv)
{
    const DeviceSpec device = argc > 1 ? valueOf(readDevice(argv[1])) : valueOf(calibrateCpu());
    std::printf("%s: %.3g GFLOP/s, %.3g GB/s\n", device.name.c_str(), device.peakFlops.at(DType::F32) / 1e9,
                device.memoryBandwidth / 1e9);
    std::vector<std::string> paths;
    for (const char* name : {"tiny/gpt2-tiny", "tiny/llama-tiny", "tiny/t5-tiny", "tiny/mobilenet-tiny"})
        paths.push_back(std::string(STAGECRAFT_TEST_DATA "/models/") + name + ".pt2");
    for (const char* name : {"gpt-4x128", "gpt-4x128-plain-attention", "mlp-attention", "resnet18"})
        paths.push_back(std::string(STAGECRAFT_TEST_DATA "/oracle/models/") + name + ".pt2");
    double logs = 0;
    for (const std::string& path : paths)
        logs += std::log(compare(path, device));
    std::printf("typically off by a factor of %.2f (geometric mean)\n",
                std::exp(logs / static_cast<double>(paths.size())));
    return 0;
}
