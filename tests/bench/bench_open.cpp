// Times openModel: bench_open FILE [ROUNDS]. Prints the median in seconds, and the number of nodes.
#include "core/load/open_model.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv)
{
    using Clock = std::chrono::steady_clock;
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_open FILE [ROUNDS]\n");
        return 2;
    }
    std::vector<double> seconds(argc > 2 ? static_cast<std::size_t>(std::max(1, std::atoi(argv[2]))) : 7);
    std::size_t nodes = 0;
    for (double& second : seconds) {
        const auto start = Clock::now();
        const stagecraft::Result<stagecraft::Model> model = stagecraft::openModel(argv[1]);
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
