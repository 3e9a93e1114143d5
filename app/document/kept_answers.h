// KeptAnswers: what a person said of a file when it was opened (which of its programs, which inputs), kept so
// that nobody is asked twice.
//
//     FOLDER/answers/NAME.json      NAME stands for the file's path
#pragma once

#include "core/script/open_model_file.h"

#include <filesystem>

namespace stagecraft {

class KeptAnswers
{
public:
    // An empty folder: nothing is kept.
    explicit KeptAnswers(const std::filesystem::path& folder = {});

    bool canKeep() const { return !m_folder.empty(); }
    // Empty where nothing was said, or cannot be read any more.
    OpenRequest of(const std::filesystem::path& file) const;
    // In the place of what was said before. Fails, naming the place, where it cannot be written.
    Result<void> keep(const std::filesystem::path& file, const OpenRequest& request) const;

private:
    std::filesystem::path placeOf(const std::filesystem::path& file) const;

    std::filesystem::path m_folder;
};

} // namespace stagecraft
