#include "cli/weights_option.h"

namespace stagecraft::cli {

void addWeightsOption(CLI::App& command, std::vector<std::string>& files)
{
    command
        .add_option(
            "--weights", files,
            "The model's weights: .safetensors files, state dicts of torch.save, or the .json index of a "
            "checkpoint in several")
        ->type_name("FILE");
}

void addShardSize(CLI::App& command, std::string& size)
{
    command
        .add_option("--shard-size", size,
                    "How much of the weights one safetensors file has at most, as in 500MB or 5GB; over it "
                    "there are several, with an index")
        ->type_name("BYTES")
        ->capture_default_str();
}

Result<Bytes> readShardSize(const std::string& size)
{
    const Result<Bytes> read = parseBytes(size);
    if (!read.has_value() || read->count() > 0)
        return read;
    return Error{ErrorCode::BadUsage, "--shard-size: a file is to hold more than 0 bytes"};
}

} // namespace stagecraft::cli
