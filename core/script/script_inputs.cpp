#include "core/script/script_inputs.h"

#include <ATen/ATen.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

using Kind = PickleValue::Kind;

std::optional<GivenValue> givenOf(const PickleValue& tagged, const ScriptArchive& archive)
{
    const PickleValue& value = untagged(tagged);
    GivenValue given;
    switch (value.kind) {
    case Kind::None:
        return given;
    case Kind::Bool:
        given.leaf.literal = value.truth;
        return given;
    case Kind::Int:
        given.leaf.literal = value.integer;
        return given;
    case Kind::Float:
        given.leaf.literal = value.number;
        return given;
    case Kind::Text:
        given.leaf.literal = value.text;
        return given;
    case Kind::List:
    case Kind::Tuple:
        given.kind = value.kind == Kind::List ? GivenValue::Kind::List : GivenValue::Kind::Tuple;
        for (const PickleNode& element : value.elements) {
            std::optional<GivenValue> inner = givenOf(*element, archive);
            if (!inner)
                return std::nullopt;
            given.elements.push_back(*std::move(inner));
        }
        return given;
    case Kind::Dict:
        given.kind = GivenValue::Kind::Dict;
        for (std::size_t i = 0; i + 1 < value.elements.size(); i += 2) {
            std::optional<GivenValue> inner = givenOf(*value.elements[i + 1], archive);
            if (!inner || value.elements[i]->kind != Kind::Text)
                return std::nullopt;
            given.keys.push_back(value.elements[i]->text);
            given.elements.push_back(*std::move(inner));
        }
        return given;
    case Kind::Tensor:
        break;
    case Kind::Storage:
    case Kind::Object:
        return std::nullopt;
    }
    given.kind = GivenValue::Kind::Tensor;
    given.leaf.tensor = value.tensor->meta;
    if (value.tensor->storage && !archive.storages[*value.tensor->storage].bytes.empty()) {
        const OwnedBytes bytes = aligned(archive.storages[*value.tensor->storage]);
        WeightStore store; // knows whether the tensor lies inside its storage
        if (!store.addTensor("input", value.tensor->meta, store.addStorage(bytes.bytes, bytes.owner))
                 .has_value())
            return std::nullopt;
        given.leaf.bytes = bytes.bytes;
        given.leaf.owner = bytes.owner;
    }
    return given;
}

class CallMaker
{
public:
    CallMaker(ScriptCall& call, ScriptRecorder& recorder) : m_call(call), m_recorder(recorder) {}

    std::pair<c10::IValue, Pytree> make(const GivenValue& given, const c10::TypePtr& type,
                                        const std::string& name)
    {
        if (const auto optional = type->cast<c10::OptionalType>(); optional && !isNone(given))
            return make(given, optional->getElementType(), name);
        if (given.kind == GivenValue::Kind::Dict)
            return dict(given, type, name);
        if (given.kind == GivenValue::Kind::List || given.kind == GivenValue::Kind::Tuple)
            return sequence(given, type, name);
        m_call.samples.push_back(given.leaf);
        if (given.leaf.tensor)
            return {checked(m_recorder.addInput(name, *given.leaf.tensor), type, name), leafPytree()};
        c10::IValue value = literal(given.leaf.literal);
        if (value.isInt() && type->kind() == c10::TypeKind::FloatType)
            value = static_cast<double>(value.toInt());
        m_recorder.addLiteralInput(name, given.leaf.literal);
        return {checked(std::move(value), type, name), leafPytree()};
    }

private:
    static c10::IValue checked(c10::IValue value, const c10::TypePtr& type, const std::string& name)
    {
        TORCH_CHECK(value.type()->isSubtypeOf(*type), "the input '", name, "' is to be ", type->repr_str(),
                    ", not ", value.type()->repr_str());
        return value;
    }
    static c10::IValue literal(const Argument& given)
    {
        if (const auto* number = std::get_if<std::int64_t>(&given))
            return *number;
        if (const auto* number = std::get_if<double>(&given))
            return *number;
        if (const auto* truth = std::get_if<bool>(&given))
            return *truth;
        if (const auto* text = std::get_if<std::string>(&given))
            return *text;
        return {};
    }

    std::pair<c10::IValue, Pytree> sequence(const GivenValue& given, const c10::TypePtr& type,
                                            const std::string& name)
    {
        std::vector<Pytree> children;
        const auto element = [&](std::size_t i, const c10::TypePtr& inner) {
            auto [value, tree] = make(given.elements[i], inner, name + "_" + std::to_string(i));
            children.push_back(std::move(tree));
            return value;
        };
        if (const auto list = type->cast<c10::ListType>()) {
            c10::impl::GenericList values(list->getElementType());
            for (std::size_t i = 0; i < given.elements.size(); ++i)
                values.push_back(element(i, list->getElementType()));
            return {values, {"builtins.list", "null", std::move(children)}};
        }
        const auto tuple = type->cast<c10::TupleType>();
        TORCH_CHECK(tuple && tuple->elements().size() == given.elements.size(), "the input '", name,
                    "' is to be ", type->repr_str(), ", not ", given.elements.size(), " values");
        std::vector<c10::IValue> values;
        for (std::size_t i = 0; i < given.elements.size(); ++i)
            values.push_back(element(i, tuple->elements()[i]));
        return {c10::ivalue::Tuple::create(std::move(values)), tuplePytree(std::move(children))};
    }

    std::pair<c10::IValue, Pytree> dict(const GivenValue& given, const c10::TypePtr& type,
                                        const std::string& name)
    {
        const auto dict = type->cast<c10::DictType>();
        TORCH_CHECK(dict && dict->getKeyType()->kind() == c10::TypeKind::StringType, "the input '", name,
                    "' is to be ", type->annotation_str(), ", not a dict of texts");
        c10::impl::GenericDict values(dict->getKeyType(), dict->getValueType());
        std::vector<Pytree> children;
        for (std::size_t i = 0; i < given.elements.size(); ++i) {
            auto [value, tree] = make(given.elements[i], dict->getValueType(), name + "_" + given.keys[i]);
            values.insert(given.keys[i], std::move(value));
            children.push_back(std::move(tree));
        }
        return {values, dictPytree(given.keys, std::move(children))};
    }

    ScriptCall& m_call;
    ScriptRecorder& m_recorder;
};

InputType inputTypeOf(const c10::Type& type)
{
    static const std::map<c10::TypeKind, InputType::Kind> kinds{
        {c10::TypeKind::TensorType, InputType::Kind::Tensor},
        {c10::TypeKind::IntType, InputType::Kind::Integer},
        {c10::TypeKind::FloatType, InputType::Kind::Float},
        {c10::TypeKind::NumberType, InputType::Kind::Number},
        {c10::TypeKind::BoolType, InputType::Kind::Truth},
        {c10::TypeKind::StringType, InputType::Kind::Text},
        {c10::TypeKind::NoneType, InputType::Kind::None},
        {c10::TypeKind::OptionalType, InputType::Kind::Optional},
        {c10::TypeKind::ListType, InputType::Kind::List},
        {c10::TypeKind::TupleType, InputType::Kind::Tuple},
        {c10::TypeKind::DictType, InputType::Kind::Dict}};
    const auto known = kinds.find(type.kind());
    InputType made{known == kinds.end() ? InputType::Kind::Other : known->second, type.annotation_str()};
    if (made.kind == InputType::Kind::Other)
        return made;
    for (const c10::TypePtr& inner : type.containedTypes())
        made.elements.push_back(inputTypeOf(*inner));
    if (made.kind == InputType::Kind::Dict) {
        if (made.elements.front().kind != InputType::Kind::Text)
            return {InputType::Kind::Other, std::move(made.text)};
        made.elements.erase(made.elements.begin());
    }
    return made;
}

// What each argument is given; null: its default.
std::vector<const GivenValue*> matched(const std::vector<c10::Argument>& arguments,
                                       const std::vector<GivenArgument>& given)
{
    std::vector<const GivenValue*> found(arguments.size(), nullptr);
    std::size_t next = 0;
    for (const GivenArgument& argument : given) {
        std::size_t index = next++;
        if (!argument.name.empty()) {
            --next;
            const auto named = std::ranges::find(arguments, argument.name, &c10::Argument::name);
            TORCH_CHECK(named != arguments.end(), "forward() takes no '", argument.name, "'; it is ",
                        signatureText(arguments));
            index = static_cast<std::size_t>(named - arguments.begin());
        }
        TORCH_CHECK(index < found.size() && !found[index],
                    "more inputs are given than it takes: ", signatureText(arguments));
        found[index] = &argument.value;
    }
    for (const c10::Argument& argument : arguments)
        TORCH_CHECK(argument.default_value() || canBeSaid(inputTypeOf(*argument.type())), "forward() takes ",
                    argument.type()->annotation_str(), " as '", argument.name(),
                    "', which is not read; give the model a forward() of tensors, lists, tuples and dicts of "
                    "texts");
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (!found[i] && !arguments[i].default_value())
            throw MissingInput();
    return found;
}

} // namespace

std::vector<GivenArgument> tracedInputs(const ScriptArchive& archive)
{
    if (!archive.tracedInputs)
        return {};
    const PickleValue& methods = untagged(*archive.tracedInputs);
    for (std::size_t i = 0; i + 1 < methods.elements.size(); i += 2) {
        if (methods.kind != Kind::Dict || methods.elements[i]->text != "forward")
            continue;
        std::optional<GivenValue> list = givenOf(*methods.elements[i + 1], archive);
        std::vector<GivenArgument> given;
        for (std::size_t k = 0; list && k < list->elements.size(); ++k)
            given.push_back({"", std::move(list->elements[k])});
        return given;
    }
    return {};
}

std::vector<ScriptArgument> scriptArguments(const std::vector<c10::Argument>& arguments)
{
    std::vector<ScriptArgument> all;
    for (const c10::Argument& argument : arguments)
        all.push_back({argument.name(), inputTypeOf(*argument.type()), argument.default_value().has_value()});
    return all;
}

std::string signatureText(const std::vector<c10::Argument>& arguments)
{
    std::string text = "forward(";
    for (const c10::Argument& argument : arguments) {
        text += (text.ends_with('(') ? "" : ", ") + argument.name() + ": " + argument.type()->repr_str();
        if (argument.default_value())
            text += " = ...";
    }
    return text + ")";
}

ScriptCall givenCall(const std::vector<c10::Argument>& arguments, const std::vector<GivenArgument>& given,
                     ScriptRecorder& recorder)
{
    ScriptCall call;
    const std::vector<const GivenValue*> found = matched(arguments, given);
    CallMaker maker(call, recorder);
    std::vector<Pytree> positional, keyword;
    std::vector<std::string> keys;
    bool isKeyword = false; // behind the first that is left out
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!found[i]) {
            call.values.push_back(*arguments[i].default_value());
            isKeyword = true;
            continue;
        }
        auto [value, tree] = maker.make(*found[i], arguments[i].type(), arguments[i].name());
        call.values.push_back(std::move(value));
        call.names.push_back(arguments[i].name());
        if (isKeyword)
            keys.push_back(arguments[i].name());
        (isKeyword ? keyword : positional).push_back(std::move(tree));
    }
    call.tree = tuplePytree({tuplePytree(std::move(positional)), dictPytree(keys, std::move(keyword))});
    return call;
}

} // namespace stagecraft
