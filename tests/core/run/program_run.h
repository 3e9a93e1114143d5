// Runs a program forward and backward with made-up inputs, for tests that compare it with real PyTorch. Torch
// stays in the .cpp: it cannot meet Qt in one file.
#pragma once

#include "core/load/model.h"

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

// An array of the given numbers; `dtype` by its short name.
NamedArray arrayOf(const std::string& dtype, std::vector<std::int64_t> shape, std::vector<double> numbers);

struct GraphRun
{
    std::vector<NamedArray> outputs;   // what the graph returns; numbers as arrays without dimensions
    std::vector<NamedArray> gradients; // of parameters, after the sum of all outputs that require gradients
    std::vector<std::string> held;     // values made by nodes that are still there after the run
};

// Runs a graph in text form on the given inputs, one for each of the graph's, on the CPU. Parameters require
// gradients.
Result<GraphRun> runGraphText(const std::string& text, const std::vector<NamedArray>& inputs);
// Only the nodes with these names; `inputs` by the name of the value, `outputs` by name as well.
Result<GraphRun> runPart(const std::string& text, const std::vector<std::string>& nodes,
                         const std::vector<NamedArray>& inputs, const std::vector<std::string>& outputs);
// Runs the model as it is, once. Returns what it returns.
Result<GraphRun> runModel(const Model& model, std::uint64_t seed);

// Opens the file, makes inputs from `seed`, seeds the global generator with it, runs the program on the CPU,
// sums all floating-point outputs that require gradients and runs the sum backward.
Result<ProgramRun> runProgram(const std::filesystem::path& path, std::uint64_t seed);

} // namespace stagecraft
