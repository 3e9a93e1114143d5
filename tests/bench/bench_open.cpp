// Times openModelFile(): bench_open FILE [ROUNDS [INPUT...]]. Prints the first time and the median in
// seconds, and the number of nodes. Inputs are those of TorchScript that does not keep its own.
#include "core/script/open_model_file.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv)
{
    using Clock = std::chrono::steady_clock;
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_open FILE [ROUNDS [INPUT...]]\n");
        return 2;
    }
    std::vector<double> seconds(argc > 2 ? static_cast<std::size_t>(std::max(1, std::atoi(argv[2]))) : 7);
    stagecraft::OpenRequest request;
    for (int i = 3; i < argc; ++i)
        request.inputs.emplace_back(argv[i]);
    std::size_t nodes = 0;
    for (double& second : seconds) {
        const auto start = Clock::now();
        const stagecraft::Result<stagecraft::Model> model = stagecraft::openModelFile(argv[1], request);
        second = std::chrono::duration<double>(Clock::now() - start).count();
        if (!model.has_value()) {
            std::fprintf(stderr, "%s\n", model.error().message.c_str());
            return 1;
        }
        nodes = model.value().graph.nodeCount();
    }
    const double first = seconds.front();
    std::ranges::sort(seconds);
    std::printf("%.6f %.6f %zu\n", first, seconds[seconds.size() / 2], nodes);
    return 0;
}
