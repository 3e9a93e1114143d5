#include "core/script/script_objects.h"

#include "core/load/stored_tensors.h"
#include "core/run/model_values.h"
#include "core/run/torch_types.h"

#include <ATen/ATen.h>
#include <ATen/core/class_type.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/source_range.h>
#include <torch/csrc/jit/serialization/import_source.h>

#include <map>
#include <set>
#include <tuple>

namespace stagecraft {

namespace {

using Kind = PickleValue::Kind;

constexpr int maxModuleDepth = 60;

const PickleValue* memberOf(const PickleValue& dict, const std::string& name)
{
    for (std::size_t i = 0; i + 1 < dict.elements.size(); i += 2)
        if (dict.elements[i]->kind == Kind::Text && dict.elements[i]->text == name)
            return dict.elements[i + 1].get();
    return nullptr;
}

std::vector<std::int64_t> numbersOf(const std::vector<SymInt>& sizes)
{
    std::vector<std::int64_t> numbers;
    for (const SymInt& size : sizes)
        numbers.push_back(size.constant());
    return numbers;
}

// Two tensors with one key are one.
using TensorKey =
    std::tuple<std::size_t, std::int64_t, std::vector<std::int64_t>, std::vector<std::int64_t>, DType>;

} // namespace

// What LibTorch made of the file.
struct ScriptObjects::Parts
{
    const ScriptArchive& archive;
    std::shared_ptr<torch::jit::CompilationUnit> unit = std::make_shared<torch::jit::CompilationUnit>();
    std::vector<c10::IValue> constants;
    std::optional<torch::jit::SourceImporter> importer;
    std::map<TensorKey, at::Tensor> tensors;
    std::vector<at::Tensor> withoutData;
    std::map<const PickleValue*, c10::IValue> objects;
    std::map<const at::TensorImpl*, PickledTensor> stored;
    std::set<const c10::ivalue::Object*> collected;
    c10::IValue model;

    explicit Parts(const ScriptArchive& file) : archive(file)
    {
        makeConstants();
        const auto source = [this](const std::string& name) { return sourceOf(name); };
        importer.emplace(unit, &constants, source, archive.version);
    }

    std::shared_ptr<torch::jit::Source> sourceOf(const std::string& name) const
    {
        const auto found = archive.code.find(name);
        if (found == archive.code.end())
            return nullptr;
        std::string path = name;
        std::ranges::replace(path, '.', '/');
        return std::make_shared<torch::jit::Source>(std::string_view(found->second), "code/" + path + ".py",
                                                    1);
    }

    at::Tensor tensorOf(const PickledTensor& tensor)
    {
        const TensorMeta& meta = tensor.meta;
        const auto make = [&] {
            const Result<at::Tensor> made = emptyTensor(meta, {}, RunDevice::Meta);
            TORCH_CHECK(made.has_value(), made.has_value() ? "" : made.error().message);
            stored.emplace(made->unsafeGetTensorImpl(), tensor);
            return *made;
        };
        if (!tensor.storage)
            return withoutData.emplace_back(make());
        const TensorKey key{*tensor.storage, meta.storageOffset.constant(), numbersOf(meta.sizes),
                            numbersOf(meta.strides), meta.dtype};
        const auto found = tensors.find(key);
        return found != tensors.end() ? found->second : tensors.emplace(key, make()).first->second;
    }

    // Tensors of the code have data: their numbers may decide what is done.
    void makeConstants()
    {
        TORCH_CHECK(archive.constants->isSequence(), "constants.pkl holds no tuple");
        for (const PickleNode& constant : archive.constants->elements) {
            const PickleValue& value = untagged(*constant);
            TORCH_CHECK(value.kind == Kind::Tensor && value.tensor->storage,
                        "a constant of the code is no tensor; such files are not read");
            const PickledTensor& tensor = *value.tensor;
            WeightStore store; // knows whether the tensor lies inside its storage
            const OwnedBytes bytes = aligned(archive.storages[*tensor.storage]);
            const Result<void> inside =
                store.addTensor("constant", tensor.meta, store.addStorage(bytes.bytes, bytes.owner));
            TORCH_CHECK(inside.has_value(), inside.has_value() ? "" : inside.error().message);
            const auto type = c10::ScalarType(scalarTypeNumber(tensor.meta.dtype));
            const at::Tensor whole = at::from_blob(
                const_cast<std::byte*>(bytes.bytes.data()),
                {static_cast<std::int64_t>(bytes.bytes.size()) / itemSize(tensor.meta.dtype)}, type);
            constants.emplace_back(whole.clone().as_strided(numbersOf(tensor.meta.sizes),
                                                            numbersOf(tensor.meta.strides),
                                                            tensor.meta.storageOffset.constant()));
        }
    }

    // ------------------------------------------------------------ values
    c10::IValue valueOf(const PickleValue& tagged, const c10::TypePtr& type, const std::string& path)
    {
        const PickleValue& value = untagged(tagged);
        if (value.kind == Kind::Tensor)
            return tensorOf(*value.tensor);
        if (const auto optional = type->cast<c10::OptionalType>())
            return value.kind == Kind::None ? c10::IValue()
                                            : valueOf(value, optional->getElementType(), path);
        switch (value.kind) {
        case Kind::None:
            return {};
        case Kind::Bool:
            return value.truth;
        case Kind::Int:
            return type->kind() == c10::TypeKind::FloatType ? c10::IValue(static_cast<double>(value.integer))
                                                            : c10::IValue(value.integer);
        case Kind::Float:
            return value.number;
        case Kind::Text:
            return value.text;
        case Kind::List:
            return listOf(value, type, path);
        case Kind::Tuple:
            return type->kind() == c10::TypeKind::ListType ? listOf(value, type, path)
                                                           : tupleOf(value, type, path);
        case Kind::Dict:
            return dictOf(value, type, path);
        case Kind::Object:
            return objectOf(value, path);
        case Kind::Tensor:
        case Kind::Storage:
            break;
        }
        TORCH_CHECK(false, path, " is of a kind that is not read");
    }

    c10::IValue listOf(const PickleValue& value, const c10::TypePtr& type, const std::string& path)
    {
        const auto list = type->cast<c10::ListType>();
        TORCH_CHECK(list, path, " is a list where its class has ", type->str());
        c10::impl::GenericList made(list->getElementType());
        for (const PickleNode& element : value.elements)
            made.push_back(
                checked(valueOf(*element, list->getElementType(), path), list->getElementType(), path));
        return made;
    }

    c10::IValue tupleOf(const PickleValue& value, const c10::TypePtr& type, const std::string& path)
    {
        const auto tuple = type->cast<c10::TupleType>();
        TORCH_CHECK(tuple && tuple->elements().size() == value.elements.size(), path,
                    " is a tuple where its class has ", type->str());
        std::vector<c10::IValue> elements;
        for (std::size_t i = 0; i < value.elements.size(); ++i)
            elements.push_back(
                checked(valueOf(*value.elements[i], tuple->elements()[i], path), tuple->elements()[i], path));
        return tuple->schema() ? c10::ivalue::Tuple::createNamed(std::move(elements), tuple)
                               : c10::ivalue::Tuple::create(std::move(elements));
    }

    c10::IValue dictOf(const PickleValue& value, const c10::TypePtr& type, const std::string& path)
    {
        const auto dict = type->cast<c10::DictType>();
        TORCH_CHECK(dict, path, " is a dict where its class has ", type->str());
        c10::impl::GenericDict made(dict->getKeyType(), dict->getValueType());
        for (std::size_t i = 0; i + 1 < value.elements.size(); i += 2)
            made.insert_or_assign(
                checked(valueOf(*value.elements[i], dict->getKeyType(), path), dict->getKeyType(), path),
                checked(valueOf(*value.elements[i + 1], dict->getValueType(), path), dict->getValueType(),
                        path));
        return made;
    }

    static c10::IValue checked(c10::IValue value, const c10::TypePtr& type, const std::string& path)
    {
        TORCH_CHECK(value.type()->isSubtypeOf(*type), path, " is ", value.type()->str(),
                    " where its class has ", type->str());
        return value;
    }

    // A module, or an object of another class of the file.
    c10::IValue objectOf(const PickleValue& value, const std::string& path)
    {
        if (const auto known = objects.find(&value); known != objects.end())
            return known->second;
        TORCH_CHECK(
            value.text.find("__torch__.torch.classes.") == std::string::npos, path,
            " is packed (quantised) weights, which cannot be looked into; save the model before it is "
            "quantised");
        if (value.text == "torch.device")
            return c10::Device(value.elements.at(0)->elements.at(0)->text);
        TORCH_CHECK(value.text.starts_with("__torch__."), path, " is ", value.text, ", which is not read");
        const c10::ClassTypePtr type =
            importer->loadType(c10::QualifiedName(value.text))->cast<c10::ClassType>();
        TORCH_CHECK(type, value.text, " is no class");
        TORCH_CHECK(!type->findMethod("__setstate__"), value.text, " has a __setstate__ of its own");
        TORCH_CHECK(value.elements.size() == 2 && value.elements.back()->kind == Kind::Dict, path,
                    " has no attributes, or contains itself");
        auto object = c10::ivalue::Object::create(c10::StrongTypePtr(unit, type), type->numAttributes());
        for (std::size_t i = 0; i < type->numAttributes(); ++i) {
            const std::string& name = type->getAttributeName(i);
            const std::string inner = path.empty() ? name : path + "." + name;
            const PickleValue* member = memberOf(*value.elements.back(), name);
            TORCH_CHECK(member, inner, " is missing in data.pkl");
            object->setSlot(
                i, checked(valueOf(*member, type->getAttribute(i), inner), type->getAttribute(i), inner));
        }
        return objects.emplace(&value, std::move(object)).first->second;
    }
};

ScriptObjects::ScriptObjects(const ScriptArchive& archive) : m_parts(std::make_unique<Parts>(archive))
{
    m_parts->model = m_parts->objectOf(untagged(*archive.modules), "");
    collect(m_parts->model.toObjectRef(), "");
}

ScriptObjects::~ScriptObjects() = default;

const c10::IValue& ScriptObjects::model() const
{
    return m_parts->model;
}

at::Tensor ScriptObjects::tensorOf(const PickledTensor& stored)
{
    return m_parts->tensorOf(stored);
}

void ScriptObjects::collect(const c10::ivalue::Object& object, const std::string& path)
{
    if (!m_parts->collected.insert(&object).second)
        return; // a module that has another name already
    TORCH_CHECK(std::ranges::count(path, '.') < maxModuleDepth, "modules are nested too deeply at ", path);
    const c10::ClassTypePtr type = object.type();
    m_modules.push_back({path, plainClassName(type->name()->qualifiedName()), &object});
    const auto addTensor = [this](ScriptAttribute::Kind kind, const at::Tensor& tensor,
                                  const std::string& name) {
        m_attributes.push_back({kind, name, m_parts->stored.at(tensor.unsafeGetTensorImpl())});
    };
    std::vector<std::pair<std::string, c10::IValue>> children;
    for (std::size_t i = 0; i < type->numAttributes(); ++i) {
        const c10::IValue& value = object.getSlot(i);
        const std::string& name = type->getAttributeName(i);
        const std::string inner = path.empty() ? name : path + "." + name;
        if (value.isTensor() && value.toTensor().defined()) {
            const auto kind = type->is_parameter(i) ? ScriptAttribute::Kind::Parameter
                              : type->is_buffer(i)  ? ScriptAttribute::Kind::Buffer
                                                    : ScriptAttribute::Kind::Other;
            addTensor(kind, value.toTensor(), inner);
        } else if (value.isObject() && value.toObjectRef().type()->is_module()) {
            children.emplace_back(inner, value);
        } else {
            m_containers.add(inner, value, [&](const at::Tensor& tensor, const std::string& place) {
                addTensor(ScriptAttribute::Kind::Other, tensor, place);
            });
        }
    }
    for (const auto& [inner, child] : children)
        collect(child.toObjectRef(), inner);
}

std::string plainClassName(const std::string& qualified)
{
    constexpr std::string_view prefix = "__torch__.", mangled = "___torch_mangle_";
    std::string name = qualified.starts_with(prefix) ? qualified.substr(prefix.size()) : qualified;
    for (std::size_t at = name.find(mangled); at != name.npos; at = name.find(mangled)) {
        const std::size_t dot = name.find('.', at);
        if (dot == name.npos)
            break;
        name.erase(at, dot + 1 - at);
    }
    return name;
}

} // namespace stagecraft
