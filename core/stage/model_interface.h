// How a model is called and what it returns, leaf by leaf: the signature in the form that writers need.
#pragma once

#include "core/load/model.h"

#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// One leaf of the model's nested arguments.
struct ModelArgument
{
    std::string name;
    std::optional<ValueId> value; // none for literals, which were fixed when the model was exported
    LiteralArgument literal;
};

struct ModelInterface
{
    std::vector<ModelArgument> arguments;     // leaves of positional trees, then of keyword trees
    std::vector<Pytree> positional;           // of plain types, as `keyword` too
    std::vector<std::string> positionalNames; // as many as positional
    std::vector<Pytree> keyword;
    std::vector<std::string> keywordNames;
    std::vector<Pytree> given;      // positional, then keyword, of the types that the file names
    std::vector<Argument> returned; // leaves of outputTree
    Pytree outputTree;
};

// Where the signature's trees do not fit its leaves, a flat list of positional arguments.
ModelInterface modelInterface(const Model& model);

// Tensors and numbers that the model is called with, in order.
std::vector<ValueId> userInputs(const Model& model);

// A tree of types that every Python knows; leaves stay in their order. What is not a tuple, list or dict (a
// dataclass, a namedtuple) becomes a dict if its context lists its field names, else a tuple. A dataclass's
// fields that are None have no leaf, and no key.
Pytree withPlainTypes(const Pytree& tree);

// The same with texts for keys that torch.export.load() makes no dict of: tuples, and members of enums, whose
// class it does not have.
Pytree withLoadableKeys(const Pytree& tree);

// Is a key of a dict in `tree`, at any depth, of this kind?
bool hasKeys(const Pytree& tree, PytreeKey::Kind kind);

} // namespace stagecraft
