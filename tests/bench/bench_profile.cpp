// Trace and profile of whole training steps, beside Python's FlopCounterMode and MemTracker on the same
// files.
//
//     build/release/bin/bench_profile [MODEL.pt2 ...]
#include "core/load/open_model.h"
#include "core/profile/model/profile_model.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

using namespace stagecraft;

namespace {

double millisecondsOf(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double best(int repeats, const std::function<void()>& work)
{
    double result = millisecondsOf(work);
    for (int i = 1; i < repeats; ++i)
        result = std::min(result, millisecondsOf(work));
    return result;
}

[[noreturn]] void fail(const std::string& message)
{
    std::fprintf(stderr, "bench_profile: %s\n", message.c_str());
    std::exit(1);
}

ProfileOptions options()
{
    const auto device = readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / "h100-sxm.json");
    if (!device.has_value())
        fail(device.error().message);
    ProfileOptions wanted;
    wanted.device = *device;
    wanted.lowering = LoweringKind::Math;
    return wanted;
}

double profileTime(const Model& model, const ProfileOptions& wanted)
{
    return best(7, [&] {
        if (const auto profile = profileModel(model, wanted); !profile.has_value())
            fail(profile.error().message);
    });
}

// "flop_counter 512.3 mem_tracker 1980.1": milliseconds, as the peer prints them.
std::string peerTimes(const std::string& path)
{
    const std::string command =
        std::string(STAGECRAFT_PYTHON) + " " + STAGECRAFT_BENCH "/profile_peer.py '" + path + "' 2>/dev/null";
    std::string text;
    if (FILE* pipe = popen(command.c_str(), "r")) {
        std::array<char, 256> buffer{};
        while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe))
            text += buffer.data();
        pclose(pipe);
    }
    return text;
}

void benchModel(const std::string& path)
{
    const auto model = openModel(path);
    if (!model.has_value())
        fail(model.error().message);
    const double ours = profileTime(*model, options());
    double flopCounter = 0, memTracker = 0;
    const std::string peer = peerTimes(path);
    const int read = std::sscanf(peer.c_str(), "flop_counter %lf mem_tracker %lf", &flopCounter, &memTracker);
    std::printf("%-16s %5zu nodes  %8.2f ms", model->name.c_str(), model->graph.nodeCount(), ours);
    if (read >= 1)
        std::printf("   FlopCounterMode %8.1f ms (%4.0fx)", flopCounter, flopCounter / ours);
    if (read == 2)
        std::printf("   MemTracker %8.1f ms (%4.0fx)", memTracker, memTracker / ours);
    std::printf("\n");
    std::fflush(stdout);
}

// The same program at its own batch and at 1e10.
void benchHugeBatch(const std::string& path)
{
    const auto model = openModel(path);
    if (!model.has_value())
        fail(model.error().message);
    ProfileOptions wanted = options();
    const double small = profileTime(*model, wanted);
    std::set<std::string> batch;
    for (const InputSpec& input : model->signature.inputs)
        if (input.kind == InputSpec::Kind::User && input.value && model->graph[*input.value].isTensor())
            model->graph[*input.value].meta->sizes.front().collectSymbols(batch);
    for (const std::string& symbol : batch)
        wanted.bindings[symbol] = 10'000'000'000;
    const double huge = profileTime(*model, wanted);
    std::printf("%-16s batch as exported %.3f ms, batch 1e10 %.3f ms (%.2fx)\n", model->name.c_str(), small,
                huge, huge / small);
}

// A ViT-B/16 that is exported on the spot: the model of ColossalAI's claim of milliseconds at any batch.
void benchVit()
{
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "stagecraft-vit-b-16.pt2";
    const std::string command = std::string(STAGECRAFT_PYTHON) + " " + STAGECRAFT_BENCH "/make_vit.py '" +
                                file.string() + "' 2>/dev/null";
    if (std::system(command.c_str()) != 0)
        fail("make_vit.py failed");
    benchHugeBatch(file.string());
    std::filesystem::remove(file);
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> paths(argv + 1, argv + argc);
    if (paths.empty())
        for (const char* name : {"gpt2", "resnet50", "llama-3-8b"})
            paths.push_back(std::string(STAGECRAFT_RESOURCES "/examples/") + name + ".pt2");
    for (const std::string& path : paths)
        benchModel(path);
    if (argc == 1) {
        benchVit();
        for (const char* name : {"skip-dynamic", "mixture-dynamic"})
            benchHugeBatch(std::string(STAGECRAFT_TEST_DATA "/models/small/torch-2.14/") + name + ".pt2");
    }
}
