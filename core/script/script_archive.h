// ScriptArchive: what a TorchScript file holds, read without running any of it.
//
//     model/data.pkl        the modules with their attributes; tensors lie in model/data/0, 1, ...
//     model/constants.pkl   tensors of the code
//     model/code/...py      the code of the classes, in TorchScript's own language
//     model/code/...py.debug_pkl  which Python it was made of, where its writer kept that
//     model/traced_inputs.pkl  what a traced model was traced with, where its writer kept it
#pragma once

#include "core/load/pickle.h"
#include "core/load/zip_archive.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stagecraft {

struct ScriptArchive
{
    std::map<std::string, std::string, std::less<>> code; // by module: "__torch__.torch.nn.functional"
    std::map<std::string, PickleNode, std::less<>> lines; // of the same modules (original_lines.h)
    std::size_t version = 0;                              // of the format: 3 to 10
    PickleNode modules;                                   // an Object of the model's class
    PickleNode constants;                                 // a tuple
    PickleNode tracedInputs;                              // a dict of lists by method; null: none
    std::vector<OwnedBytes> storages;                     // of all pickles; in place where stored
};

bool isTorchScript(const ZipArchive& archive);

// The value that a tag of a type, or a function that makes a typed list, is about.
const PickleValue& untagged(const PickleValue& value);

// Fails, naming the record, where one is missing or damaged, and as checkScriptCode() does.
Result<ScriptArchive> readScriptArchive(const ZipArchive& archive);

} // namespace stagecraft
