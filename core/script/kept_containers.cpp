#include "core/script/kept_containers.h"

#include <ATen/ATen.h>
#include <ATen/core/class_type.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <unordered_set>

namespace stagecraft {

namespace {

using c10::IValue;

bool isContainer(const IValue& value)
{
    return value.isList() || value.isTuple() || value.isGenericDict() ||
           (value.isObject() && !value.toObjectRef().type()->is_module());
}

bool isIdentifier(const std::string& text)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return !text.empty() && isLetter(text.front()) &&
           std::ranges::all_of(text, [&](char c) { return isLetter(c) || isDigit(c); });
}

std::string keyName(const IValue& key, std::size_t number)
{
    return key.isString() && isIdentifier(key.toStringRef()) ? key.toStringRef() : std::to_string(number);
}

// Calls `visit` with the name and the value of each place of a container.
template <typename Visit>
void forEachPlace(const IValue& container, const Visit& visit)
{
    std::size_t number = 0;
    if (container.isList()) {
        for (const IValue& element : container.toListRef())
            visit(std::to_string(number++), element);
    } else if (container.isTuple()) {
        for (const IValue& element : container.toTupleRef().elements())
            visit(std::to_string(number++), element);
    } else if (container.isGenericDict()) {
        for (const auto& entry : container.toGenericDict())
            visit(keyName(entry.key(), number++), entry.value());
    } else {
        const c10::ivalue::Object& object = container.toObjectRef();
        for (; number < object.type()->numAttributes(); ++number)
            visit(object.type()->getAttributeName(number), object.getSlot(number));
    }
}

// What is in a container, and in those inside it, in a row: the number of places, then what is there.
class Contents
{
public:
    explicit Contents(const IValue& container) { add(container); }

    std::vector<IValue> take() && { return std::move(m_all); }

private:
    void add(const IValue& value)
    {
        if (!isContainer(value)) {
            m_all.push_back(value);
            return;
        }
        if (!m_seen.insert(value.internalToPointer()).second)
            return;
        std::int64_t places = 0;
        forEachPlace(value, [&](const std::string&, const IValue&) { ++places; });
        m_all.emplace_back(places);
        if (value.isGenericDict())
            for (const auto& entry : value.toGenericDict())
                m_all.push_back(entry.key());
        forEachPlace(value, [this](const std::string&, const IValue& inner) { add(inner); });
    }

    std::vector<IValue> m_all;
    std::unordered_set<const void*> m_seen;
};

bool isSame(const IValue& one, const IValue& other)
{
    if (one.isPtrType() && other.isPtrType() && !one.isString() && !other.isString())
        return one.internalToPointer() == other.internalToPointer();
    return one.tagKind() == other.tagKind() && one == other;
}

bool hasTensors(const std::vector<IValue>& contents)
{
    return std::ranges::any_of(contents, [](const IValue& value) { return value.isTensor(); });
}

} // namespace

struct KeptContainers::Attribute
{
    std::string path;
    IValue container;
    std::vector<IValue> contents;
};

KeptContainers::KeptContainers() = default;
KeptContainers::~KeptContainers() = default;

void KeptContainers::add(const std::string& path, const IValue& value, const Found& found)
{
    if (!isContainer(value) || m_known.contains(value.internalToPointer()))
        return;
    m_attributes.push_back({path, value, Contents(value).take()});
    tell(value, path, found);
}

void KeptContainers::tell(const IValue& container, const std::string& path, const Found& found)
{
    if (!m_known.insert(container.internalToPointer()).second)
        return;
    forEachPlace(container, [&](const std::string& name, const IValue& inner) {
        if (inner.isTensor() && inner.toTensor().defined())
            found(inner.toTensor(), path + "." + name);
        else if (isContainer(inner))
            tell(inner, path + "." + name, found);
    });
}

std::vector<KeptContainers::Change> KeptContainers::changes() const
{
    std::vector<Change> all;
    for (const Attribute& attribute : m_attributes) {
        const std::vector<IValue> now = Contents(attribute.container).take();
        if (!std::ranges::equal(attribute.contents, now, isSame))
            all.push_back({attribute.path, hasTensors(attribute.contents) || hasTensors(now)});
    }
    return all;
}

} // namespace stagecraft
