#include "core/load/extra_files.h"

#include <algorithm>

namespace stagecraft {

Result<std::optional<OwnedBytes>> readExtraFile(const ZipArchive& archive, const std::string& name,
                                                std::size_t most)
{
    const auto isIt = [&](const ZipEntry& entry) {
        return entry.name == "extra_files/" + name ||
               entry.name.substr(entry.name.find('/') + 1) == "extra/" + name;
    };
    const auto entry = std::ranges::find_if(archive.entries(), isIt);
    if (entry == archive.entries().end())
        return std::optional<OwnedBytes>();
    if (entry->size > most)
        return Error{ErrorCode::BadFormat,
                     entry->name + " is too long, with " + std::to_string(entry->size) + " bytes"};
    STAGECRAFT_ASSIGN(bytes, archive.read(*entry));
    return std::optional(std::move(bytes));
}

} // namespace stagecraft
