// OperatorTable: operators that somebody timed alone on a GPU, a row each, and a device file fitted to them.
//
//     gpu,op,B,M,N,K,H,ms
//     Tesla T4,bmm,16,128,128,64,,0.041
//     Tesla T4,softmax,4096,,,,512,0.079
//
//     op                      works on, in float32
//     linear, bmm             B products [M, K] x [K, N]
//     add mul div pow         two tensors [B, H] into a third
//     addu mulu divu powu     one tensor and a number; relu, tanh, gelu likewise
//     softmax, ln             rows of H
//
// Such a time has the host's in it, 20 to 50 us: the shortest of an operator is taken for it, and rows that
// are not at least four times as long are left out.
#pragma once

#include "core/measure/kernel_fit.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stagecraft {

struct OperatorTable
{
    std::string gpu;
    std::vector<TimedKernel> rows;
    std::vector<std::string> leftOut; // "213 rows of bmm: shorter than four times what the host takes"
};

// The rows of one GPU; an empty name: of the only one there is. Fails, naming the line, where a row is not
// understood, and where no row is left.
Result<OperatorTable> readOperatorTable(const std::filesystem::path& path, const std::string& gpu);

// How far predictions were from a kind of operators.
struct OperatorErrors
{
    std::string kind; // "single products"
    int fitted = 0, kept = 0;
    double before = 0, after = 0; // mean of |predicted / measured - 1| over the rows kept out of the fit
};

struct FittedDevice
{
    DeviceSpec device;
    std::vector<OperatorErrors> errors;
    std::vector<std::string> leftOut = {}; // "7 rows of norm: too few to fit anything to"
};

// `base` with its rates of matrix products in float32 and its curves of elementwise operators and norms
// fitted to two rows of three; its accuracy is that over the third ones, of products alone where there are
// any: they take most of a step, however many rows there are of what is easier. What the table has no rows of
// stays as it was. Fails where `base` is no GPU, and where nothing has rows enough.
Result<FittedDevice> fitDevice(const DeviceSpec& base, const OperatorTable& table);

} // namespace stagecraft
