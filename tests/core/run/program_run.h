// Runs a program forward and backward with made-up inputs, for tests that compare it with real PyTorch. Torch
// stays in the .cpp: it cannot meet Qt in one file.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stagecraft {

struct NamedArray
{
    std::string name;
    std::string dtype; // "f32": shortName
    std::vector<std::int64_t> shape;
    std::vector<double> numbers; // the elements in row-major order; of complex ones the real parts
    std::string bytes;           // the same, as they lie in memory
};

struct ProgramRun
{
    std::vector<NamedArray> inputs;    // user inputs
    std::vector<NamedArray> outputs;   // named "output_0", ...
    std::vector<NamedArray> gradients; // of parameters, named as the parameter
};

// Opens the file, makes inputs from `seed`, seeds the global generator with it, runs the program on the CPU,
// sums all floating-point outputs that require gradients and runs the sum backward.
Result<ProgramRun> runProgram(const std::filesystem::path& path, std::uint64_t seed);

} // namespace stagecraft
