// OperatorSchemas: what LibTorch's dispatcher knows of operators, as plain structs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stagecraft {

// How an argument or result relates to storage: "Tensor(a!)", "Tensor(a -> *)[]".
struct SchemaAlias
{
    std::vector<std::string> sets; // names of alias sets; "*" may be any
    bool writes = false;
};

struct SchemaArgument
{
    std::string name;
    std::string type;                       // "Tensor", "Tensor?", "SymInt[2]", "Scalar", ...
    std::optional<std::string> defaultText; // "1", "None", "[0, 0]"
    bool keywordOnly = false;
    SchemaAlias alias;

    bool isRequired() const { return !defaultText; }
};

struct SchemaReturn
{
    std::string name; // often empty
    std::string type;
    SchemaAlias alias;
};

struct OperatorSchema
{
    std::string target; // "aten::linear.default"
    std::vector<SchemaArgument> arguments;
    std::vector<SchemaReturn> returns;
    bool isRandom = false; // it draws random numbers, unless an argument says that it does not

    // Null if there is none.
    const SchemaArgument* argument(std::string_view name) const;
};

// A look-up that remembers what it found. Not safe from several threads at once.
class OperatorSchemas
{
public:
    // Null where the dispatcher does not know `target` ("aten::linear.default"): Python's own functions,
    // higher-order operators, operators of libraries that are not loaded. Valid as long as this object.
    const OperatorSchema* find(const std::string& target);

private:
    std::unordered_map<std::string, std::unique_ptr<const OperatorSchema>> m_known;
};

} // namespace stagecraft
