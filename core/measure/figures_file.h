// Which of the files with figures of a model one is: told by what it says, not by its name.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace stagecraft {

enum class FiguresFile : std::uint8_t {
    MeasuredStep, // step_record.h: of the run-time, or a trace that has its marks
    Times,        // imported_times.h
    Overlay,      // exchange/overlay.h
    Plan          // plan/sources/plan_file.h
};

// JSON or CSV, plain or packed by gzip. It is not said to be whole or right: who reads it finds that out.
// Fails, naming it, where it is none of them, and as readPackedText() does.
Result<FiguresFile> figuresFile(const std::filesystem::path& path, const Progress& progress = {});
// The same of a text; `name` is for messages.
Result<FiguresFile> figuresFile(std::string_view text, const std::string& name);

} // namespace stagecraft
