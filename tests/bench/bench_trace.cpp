// Times traceModel: bench_trace FILE [SYMBOL=SIZE]. Prints the first and the best of ten in seconds, and the
// number of operators.
#include "core/load/open_model.h"
#include "core/trace/trace_model.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

stagecraft::Bindings readBinding(const std::string& text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        return {};
    return {{text.substr(0, equals), std::atoll(text.c_str() + equals + 1)}};
}

} // namespace

int main(int argc, char** argv)
{
    using Clock = std::chrono::steady_clock;
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_trace FILE [SYMBOL=SIZE]\n");
        return 2;
    }
    const stagecraft::Result<stagecraft::Model> model = stagecraft::openModel(argv[1]);
    if (!model.has_value()) {
        std::fprintf(stderr, "%s\n", model.error().message.c_str());
        return 1;
    }
    const stagecraft::TraceOptions options{.bindings =
                                               argc > 2 ? readBinding(argv[2]) : stagecraft::Bindings()};
    std::vector<double> seconds(10);
    std::size_t operators = 0;
    for (double& second : seconds) {
        const auto start = Clock::now();
        const stagecraft::Result<stagecraft::Trace> trace = stagecraft::traceModel(*model, options);
        second = std::chrono::duration<double>(Clock::now() - start).count();
        if (!trace.has_value()) {
            std::fprintf(stderr, "%s\n", trace.error().message.c_str());
            return 1;
        }
        operators = trace->ops.size();
    }
    std::printf("%.6f %.6f %zu\n", seconds.front(), *std::ranges::min_element(seconds), operators);
    return 0;
}
