#include "core/load/effects.h"

#include "core/load/exported_argument.h"

#include <algorithm>

namespace stagecraft {

Result<std::optional<std::string_view>> takeOutToken(Node& node, std::vector<JsonView>& results,
                                                     OperatorSchemas& schemas)
{
    if (node.target != "higher_order::with_effects")
        return std::optional<std::string_view>();
    const auto* called =
        node.arguments.size() < 2 ? nullptr : std::get_if<OperatorArgument>(&node.arguments[1].value);
    const std::optional<std::string_view> token =
        results.empty() ? std::nullopt : referredName(results.front());
    if (!called || !token)
        return Error{ErrorCode::BadFormat, node.target + " names no operator and token"};
    node.target = called->target;
    node.arguments.erase(node.arguments.begin(), node.arguments.begin() + 2);
    results.erase(results.begin());
    std::erase_if(results, [](const JsonView& result) { return !result["as_none"].isNull(); });
    if (const OperatorSchema* schema = schemas.find(node.target)) // such arguments have no names in the file
        for (std::size_t i = 0; i < std::min(node.arguments.size(), schema->arguments.size()); ++i)
            if (node.arguments[i].name.empty())
                node.arguments[i].name = schema->arguments[i].name;
    return token;
}

std::string_view whyLeftOut(std::string_view target)
{
    return target == "higher_order::print"
               ? "what the model prints while it runs is not printed here nor by stages that are written"
               : "";
}

} // namespace stagecraft
