// The PT2 archive of PyTorch 2.8 and newer: a zip with one root folder.
//
//     gpt2/models/model.json                        the program
//     gpt2/data/weights/model_weights_config.json   parameters and buffers: which record, which shape
//     gpt2/data/weights/weight_0 ...                storages
//     gpt2/data/constants/...                       the same for constants and non-persistent buffers
//     gpt2/extra/...                                see extra_files.h
#pragma once

#include "core/base/progress.h"
#include "core/graph/alias_sets.h"
#include "core/load/model.h"
#include "core/load/zip_archive.h"

#include <string>
#include <vector>

namespace stagecraft {

bool isPt2Archive(const ZipArchive& archive);
// The programs that it holds, in the order of the file.
std::vector<std::string> programNames(const ZipArchive& archive);

struct AskedProgram
{
    std::string name;    // becomes the model's
    std::string program; // of several in the archive; empty: the only one, or the one called "model"
};

// Fails, listing the programs there are, where the one asked for is not there or nothing says which.
Result<Model> readPt2Archive(const ZipArchive& archive, const AskedProgram& asked, const AliasingOf& aliasing,
                             const Progress& progress);

} // namespace stagecraft
