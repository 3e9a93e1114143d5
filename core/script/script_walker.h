// ScriptWalker: follows forward() of a TorchScript model, statement by statement, and has the operators on
// tensors recorded.
//
// Numbers, texts, lists and all else that is no tensor have their values: branches are taken and loops
// unrolled, calls are followed. A condition that depends on what is in a tensor is refused, with its line.
#pragma once

#include "core/base/progress.h"
#include "core/script/script_recorder.h"

#include <memory>
#include <string>
#include <vector>

namespace c10 {
class FunctionSchema;
}

namespace stagecraft {

class ScriptWalker
{
public:
    // All must outlive this.
    ScriptWalker(const ScriptArchive& archive, ScriptObjects& objects, ScriptRecorder& recorder,
                 const Progress& progress);
    ~ScriptWalker();

    // What forward() takes, the model itself first. Throws where it has none.
    const c10::FunctionSchema& schema() const;
    // What it returns. Throws a std::exception that says what cannot be followed, and where.
    c10::IValue run(std::vector<c10::IValue> arguments);
    // The branches that were taken, and the attributes that change, as notes for a person.
    std::vector<std::string> branchNotes() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stagecraft
