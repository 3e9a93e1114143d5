#include "core/stage/code_facts.h"

namespace stagecraft {

CodeFacts codeFacts(const Model& model)
{
    return {pythonScope(model.graph), unknownOperators(model.graph), nodeHashes(model.graph)};
}

} // namespace stagecraft
