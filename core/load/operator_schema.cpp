#include "core/load/operator_schema.h"

#include "core/load/target_name.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <algorithm>
#include <sstream>

namespace stagecraft {

namespace {

SchemaAlias describe(const c10::AliasInfo* info)
{
    SchemaAlias alias;
    if (!info)
        return alias;
    alias.writes = info->isWrite();
    for (const c10::Symbol set : info->beforeSets())
        alias.sets.push_back(set == c10::AliasInfo::wildcardSet() ? "*" : set.toUnqualString());
    // Tensor(a)[]: the elements carry the sets
    for (const c10::AliasInfo& contained : info->containedTypes()) {
        const SchemaAlias inner = describe(&contained);
        alias.writes = alias.writes || inner.writes;
        for (const std::string& set : inner.sets)
            if (std::ranges::find(alias.sets, set) == alias.sets.end())
                alias.sets.push_back(set);
    }
    return alias;
}

std::string typeText(const c10::Argument& argument)
{
    std::string text = argument.real_type()->str();
    if (argument.N() && text.ends_with("[]"))
        text.insert(text.size() - 1, std::to_string(*argument.N()));
    return text;
}

OperatorSchema describe(const std::string& target, const c10::OperatorHandle& op)
{
    const c10::FunctionSchema& schema = op.schema();
    OperatorSchema result;
    result.target = target;
    result.isRandom = op.hasTag(at::Tag::nondeterministic_seeded);
    for (const c10::Argument& argument : schema.arguments()) {
        SchemaArgument described{argument.name(), typeText(argument), std::nullopt, argument.kwarg_only(),
                                 describe(argument.alias_info())};
        if (argument.default_value()) {
            std::ostringstream text;
            text << *argument.default_value();
            described.defaultText = text.str();
        }
        result.arguments.push_back(std::move(described));
    }
    for (const c10::Argument& argument : schema.returns())
        result.returns.push_back({argument.name(), typeText(argument), describe(argument.alias_info())});
    return result;
}

std::unique_ptr<const OperatorSchema> look(const std::string& target)
{
    if (target.find("::") == std::string::npos)
        return nullptr;
    try {
        const auto [name, overload] = operatorNameOf(target);
        const auto handle =
            c10::Dispatcher::singleton().findSchema({std::string(name), std::string(overload)});
        if (handle)
            return std::make_unique<const OperatorSchema>(describe(target, *handle));
        return nullptr;
    } catch (const std::exception&) {
        return nullptr; // a name that the dispatcher cannot take is one it does not know
    }
}

} // namespace

const SchemaArgument* OperatorSchema::argument(std::string_view name) const
{
    const auto found = std::ranges::find(arguments, name, &SchemaArgument::name);
    return found == arguments.end() ? nullptr : &*found;
}

const OperatorSchema* OperatorSchemas::find(const std::string& target)
{
    const auto [entry, isNew] = m_known.try_emplace(target, nullptr);
    if (isNew)
        entry->second = look(target);
    return entry->second.get();
}

} // namespace stagecraft
