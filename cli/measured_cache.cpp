#include "cli/measured_cache.h"

#include "core/base/output_file.h"
#include "core/base/sha256.h"
#include "core/base/text_file.h"
#include "core/measure/measured_times_json.h"
#include "core/plan/sources/plan_file.h"

#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace stagecraft::cli {
namespace {

namespace fs = std::filesystem;

// None: there is no place for it.
std::optional<fs::path> cacheFolder()
{
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    if (cache && *cache)
        return fs::path(cache) / "stagecraft" / "measured";
    if (home && *home)
        return fs::path(home) / ".cache" / "stagecraft" / "measured";
    return std::nullopt;
}

std::string hostName()
{
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

// Everything that measured times hang on, as one hash.
std::string keyOf(const std::string& modelSha256, const ModelOption& source, const MeasureOptions& options)
{
    std::string text = "4 " + modelSha256 + ' ' + hostName() + ' ' +
                       std::to_string(std::thread::hardware_concurrency()) + ' ' +
                       std::to_string(options.threads) + ' ' + std::to_string(options.seed);
    for (const auto& [symbol, size] : options.bindings)
        text += ' ' + symbol + '=' + std::to_string(size);
    for (const std::string& input : source.inputs)
        text += " --input " + input;
    text += " --loss-output " + options.lossOutput + " --program " + source.program;
    return sha256Of(text);
}

std::optional<MeasuredTimes> kept(const fs::path& file, const Graph& graph)
{
    constexpr Bytes most(std::int64_t{64} << 20);
    const Result<std::string> text = readTextFile(file, most);
    if (!text.has_value())
        return std::nullopt;
    Result<MeasuredTimes> times = parseMeasuredTimes(*text, file.string(), graph);
    return times.has_value() ? std::optional(std::move(times).value()) : std::nullopt;
}

// Empty: it could not be kept.
fs::path keep(const fs::path& file, const Graph& graph, const MeasuredTimes& times)
{
    std::error_code problem;
    fs::create_directories(file.parent_path(), problem);
    return writeTextFile(file, measuredTimesJson(graph, times)).has_value() ? file : fs::path();
}

} // namespace

Result<MeasuredAndKept> measuredTimes(const Model& model, const ModelOption& source,
                                      const MeasureOptions& options, CacheUse use, const Progress& progress)
{
    STAGECRAFT_ASSIGN(sha256, fileSha256(source.file, progress));
    const std::optional<fs::path> folder = cacheFolder();
    const fs::path file = folder ? *folder / (keyOf(sha256, source, options) + ".json") : fs::path();
    if (folder && use == CacheUse::Allowed)
        if (std::optional<MeasuredTimes> times = kept(file, model.graph))
            return MeasuredAndKept{std::move(*times), file, true};
    STAGECRAFT_ASSIGN(times, measureModel(model, options, progress));
    const bool isKept = folder && !times.disturbed();
    const fs::path written = isKept ? keep(file, model.graph, times) : fs::path();
    return MeasuredAndKept{std::move(times), written, false};
}

} // namespace stagecraft::cli
