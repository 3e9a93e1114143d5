// Pytree: how nested Python arguments and results are flattened into a list, and back.
//
//     forward(x, {"mask": m}, flag=True)   →   x, m, True
//     tuple( tuple(*, dict["mask"](*)), dict["flag"](*) )
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// A key of a dict, as far as JSON can say what it is.
struct PytreeKey
{
    enum class Kind : std::uint8_t {
        Text,
        Number, // `text` is its JSON: "2", "0.5"
        Truth,  // "true", "false"
        None,
        Tuple,
        Member, // of an enum: `text` is the member's name
    };
    Kind kind = Kind::Text;
    std::string text;                     // of a tuple: "(1, a)"
    std::vector<PytreeKey> elements = {}; // of a tuple

    friend bool operator==(const PytreeKey&, const PytreeKey&) = default;
};

struct Pytree
{
    std::string type;    // "builtins.tuple", "builtins.dict", ...; empty for a leaf
    std::string context; // the file's own JSON: the keys of a dict, the class of a namedtuple, "null"
    std::vector<Pytree> children;

    bool isLeaf() const { return type.empty(); }
    // Keys of a dict, OrderedDict or defaultdict, in order; empty for anything else.
    std::vector<PytreeKey> keys() const;
    // The same as texts.
    std::vector<std::string> dictKeys() const;
    // The same, or the fields of a dataclass or namedtuple that have children, where the file names them.
    std::vector<std::string> fieldNames() const;

    friend bool operator==(const Pytree&, const Pytree&) = default;
};

std::size_t leafCount(const Pytree& tree);

// Reads and writes the text in `.pt2` files: "[1, {"type": ..., "context": ..., "children_spec": [...]}]".
Result<Pytree> parsePytree(std::string_view json);
std::string pytreeJson(const Pytree& tree);

Pytree leafPytree();
Pytree tuplePytree(std::vector<Pytree> children);
Pytree dictPytree(const std::vector<std::string>& keys, std::vector<Pytree> children);

} // namespace stagecraft
