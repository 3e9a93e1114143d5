#include "core/load/random_operator.h"

#include <array>
#include <cstdlib>
#include <string_view>

namespace stagecraft {

namespace {

// Arguments that say whether, or how much, an operator draws.
constexpr std::array<std::string_view, 2> switches{"train", "training"};
constexpr std::array<std::string_view, 2> shares{"dropout", "dropout_p"};

// Of an argument that may be left out: what it is then.
double shareOf(const Node& node, const SchemaArgument& argument)
{
    const Argument* const given = node.argument(argument.name);
    if (const auto* share = given ? std::get_if<double>(given) : nullptr)
        return *share;
    if (const auto* share = given ? std::get_if<std::int64_t>(given) : nullptr)
        return static_cast<double>(*share);
    return given ? 1 : std::strtod(argument.defaultText.value_or("1").c_str(), nullptr);
}

} // namespace

bool drawsRandomNumbers(const Node& node, OperatorSchemas& schemas)
{
    for (const std::string_view name : switches)
        if (const Argument* on = node.argument(name); on && std::holds_alternative<bool>(*on))
            if (!std::get<bool>(*on))
                return false;
    const OperatorSchema* const schema = schemas.find(node.target);
    if (!schema)
        return false;
    for (const std::string_view name : shares)
        if (const SchemaArgument* argument = schema->argument(name))
            return shareOf(node, *argument) > 0;
    return schema->isRandom;
}

} // namespace stagecraft
