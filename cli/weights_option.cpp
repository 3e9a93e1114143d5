#include "cli/weights_option.h"

#include "core/load/attached_weights.h"
#include "core/load/error_context.h"
#include "core/load/open_model.h"

namespace stagecraft::cli {

void addWeightsOption(CLI::App& command, std::vector<std::string>& files)
{
    command
        .add_option("--weights", files,
                    "The model's weights: .safetensors files, or the .json index of a checkpoint in several")
        ->type_name("FILE");
}

Result<Model> openWithWeights(const std::string& path, const std::vector<std::string>& files)
{
    STAGECRAFT_ASSIGN(model, openModel(path));
    if (files.empty())
        return model;
    const Result<void> attached = attachWeights(model, {files.begin(), files.end()});
    if (!attached.has_value())
        return inside(path + " --weights", attached.error());
    return model;
}

} // namespace stagecraft::cli
