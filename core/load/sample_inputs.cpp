#include "core/load/sample_inputs.h"

#include "core/load/pickle.h"

#include <map>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

using Kind = PickleValue::Kind;

// A key as Pytree::keys() has it; none for what JSON writes in several ways.
std::optional<PytreeKey> keyOf(const PickleValue& value)
{
    using KeyKind = PytreeKey::Kind;
    switch (value.kind) {
    case Kind::Text:
        return PytreeKey{KeyKind::Text, value.text};
    case Kind::Int:
        return PytreeKey{KeyKind::Number, std::to_string(value.integer)};
    case Kind::Bool:
        return PytreeKey{KeyKind::Truth, value.truth ? "true" : "false"};
    case Kind::None:
        return PytreeKey{KeyKind::None, "None"};
    default:
        return std::nullopt;
    }
}

class Flattener
{
public:
    explicit Flattener(const TorchSave& file) : m_file(file) {}

    // False where the value does not have the shape of the tree.
    bool flatten(const Pytree& tree, const PickleValue& value)
    {
        if (tree.isLeaf())
            return addLeaf(value);
        if (value.kind == Kind::Dict) {
            const std::vector<PytreeKey> keys = tree.keys();
            if (keys.size() != tree.children.size() || value.elements.size() != 2 * keys.size())
                return false;
            std::map<std::pair<PytreeKey::Kind, std::string>, const PickleValue*> elements;
            for (std::size_t i = 0; i + 1 < value.elements.size(); i += 2)
                if (const std::optional<PytreeKey> key = keyOf(*value.elements[i]))
                    elements.emplace(std::pair(key->kind, key->text), value.elements[i + 1].get());
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const auto element = elements.find({keys[i].kind, keys[i].text});
                if (element == elements.end() || !flatten(tree.children[i], *element->second))
                    return false;
            }
            return true;
        }
        if (!value.isSequence() || value.elements.size() != tree.children.size())
            return false;
        for (std::size_t i = 0; i < tree.children.size(); ++i)
            if (!flatten(tree.children[i], *value.elements[i]))
                return false;
        return true;
    }

    std::vector<SampleInput> take() { return std::move(m_samples); }

private:
    bool addLeaf(const PickleValue& value)
    {
        SampleInput sample;
        switch (value.kind) {
        case Kind::None:
            break;
        case Kind::Bool:
            sample.literal = value.truth;
            break;
        case Kind::Int:
            sample.literal = value.integer;
            break;
        case Kind::Float:
            sample.literal = value.number;
            break;
        case Kind::Text:
            sample.literal = value.text;
            break;
        case Kind::Tensor:
            return addTensor(*value.tensor);
        case Kind::List:
        case Kind::Tuple:
        case Kind::Dict:
        case Kind::Storage:
        case Kind::Object:
            return false;
        }
        m_samples.push_back(std::move(sample));
        return true;
    }

    bool addTensor(const PickledTensor& tensor)
    {
        SampleInput sample;
        sample.tensor = tensor.meta;
        if (tensor.storage) {
            WeightStore check; // knows whether the tensor lies inside its storage
            const OwnedBytes& storage = m_file.storages[*tensor.storage];
            const StorageKey key = check.addStorage(storage.bytes, storage.owner);
            if (!check.addTensor("sample", tensor.meta, key).has_value())
                return false;
            sample.bytes = storage.bytes;
            sample.owner = storage.owner;
        }
        m_samples.push_back(std::move(sample));
        return true;
    }

    const TorchSave& m_file;
    std::vector<SampleInput> m_samples;
};

} // namespace

std::vector<SampleInput> readSampleInputs(const OwnedBytes& torchSave, const Signature& signature)
{
    const Result<TorchSave> file = readTorchSave(torchSave);
    if (!file.has_value())
        return {};
    Flattener flattener(*file);
    if (!flattener.flatten(signature.inputTree, *file.value().root))
        return {};
    return flattener.take();
}

} // namespace stagecraft
