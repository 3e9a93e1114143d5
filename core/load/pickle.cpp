// Opcodes and their meaning: Python's Lib/pickletools.py.
#include "core/load/pickle.h"

#include "core/load/pickle_calls.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

namespace stagecraft {

namespace {

using Kind = PickleValue::Kind;

constexpr int maxDepth = 100;
constexpr std::int64_t maxSize = 20'000'000; // values in a tree, shared ones counted each time
constexpr std::int64_t maxMade = 4'000'000;
constexpr std::size_t maxMarks = 1'000'000;
constexpr std::size_t maxName = 1000;
constexpr std::size_t maxPickleBytes = std::size_t{1} << 28;

bool isPlain(Kind kind)
{
    return kind == Kind::Int || kind == Kind::Float || kind == Kind::Text;
}

Error damaged(const std::string& what)
{
    return {ErrorCode::BadFormat, "the pickle is damaged: " + what};
}

// A value while it may still grow, with what it weighs once it may not.
struct Building
{
    PickleNode value;
    std::shared_ptr<PickleValue> container; // the same where it may be filled
    int depth = 1;
    std::int64_t size = 1;
    bool isPartOfAnother = false; // then it must not grow: it could come to contain itself
    bool isGlobal = false;        // a function or class that was named, not called
};
using Item = std::shared_ptr<Building>;

class Unpickler
{
public:
    Unpickler(std::span<const std::byte> bytes, const StorageFinder& findStorage)
        : m_rest(bytes), m_findStorage(findStorage)
    {
    }

    Result<PickleNode> run()
    {
        while (true) {
            STAGECRAFT_ASSIGN(code, take(1));
            const auto opcode = static_cast<unsigned char>(code.front());
            if (opcode == '.')
                break;
            STAGECRAFT_TRY(step(opcode));
        }
        STAGECRAFT_ASSIGN(root, pop());
        return root->value;
    }

private:
    // ------------------------------------------------------------ bytes
    Result<std::string_view> take(std::uint64_t size)
    {
        if (size > m_rest.size())
            return damaged("it ends too early");
        const std::string_view taken(reinterpret_cast<const char*>(m_rest.data()), size);
        m_rest = m_rest.subspan(size);
        return taken;
    }
    Result<std::string_view> takeLine()
    {
        const std::string_view rest(reinterpret_cast<const char*>(m_rest.data()), m_rest.size());
        const std::size_t end = rest.find('\n');
        if (end == rest.npos)
            return damaged("it ends too early");
        STAGECRAFT_ASSIGN(line, take(end + 1));
        return line.substr(0, end);
    }
    // A little-endian number of `size` bytes without sign.
    Result<std::uint64_t> takeNumber(std::size_t size)
    {
        STAGECRAFT_ASSIGN(bytes, take(size));
        std::uint64_t number = 0;
        for (std::size_t i = size; i-- > 0;)
            number = number << 8 | static_cast<unsigned char>(bytes[i]);
        return number;
    }
    Result<std::string_view> takeCounted(std::size_t sizeOfCount)
    {
        STAGECRAFT_ASSIGN(size, takeNumber(sizeOfCount));
        return take(size);
    }

    // ------------------------------------------------------------ stack
    Result<void> push(PickleValue value)
    {
        auto made = std::make_shared<PickleValue>(std::move(value));
        return pushItem({.value = made, .container = made});
    }
    Result<void> pushItem(Building item)
    {
        if (++m_made > maxMade)
            return Error{ErrorCode::Unsupported, "the pickle is too large"};
        m_stack.push_back(std::make_shared<Building>(std::move(item)));
        return {};
    }
    Result<Item> pop()
    {
        const std::size_t floor = m_marks.empty() ? 0 : m_marks.back();
        if (m_stack.size() <= floor)
            return damaged("its stack is empty");
        Item item = std::move(m_stack.back());
        m_stack.pop_back();
        return item;
    }
    Result<std::vector<Item>> popToMark()
    {
        if (m_marks.empty())
            return damaged("a mark is missing");
        const auto start = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<Item> items(start, m_stack.end());
        m_stack.erase(start, m_stack.end());
        m_marks.pop_back();
        return items;
    }
    Result<std::vector<Item>> popSome(std::size_t count)
    {
        std::vector<Item> items(count);
        for (std::size_t i = count; i-- > 0;) {
            STAGECRAFT_ASSIGN(item, pop());
            items[i] = std::move(item);
        }
        return items;
    }
    Result<void> addElements(const Item& container, const std::vector<Item>& items)
    {
        if (container->isPartOfAnother || !container->container)
            return Error{ErrorCode::Unsupported, "the pickle holds something that contains itself"};
        for (const Item& item : items) {
            if (item == container)
                return Error{ErrorCode::Unsupported, "the pickle holds something that contains itself"};
            item->isPartOfAnother = true;
            container->depth = std::max(container->depth, item->depth + 1);
            container->size += item->size;
            if (container->depth > maxDepth || container->size > maxSize)
                return Error{ErrorCode::Unsupported, "the pickle is nested too deeply or is too large"};
            container->container->elements.push_back(item->value);
        }
        return {};
    }
    Result<void> pushContainer(Kind kind, const std::vector<Item>& items)
    {
        STAGECRAFT_TRY(push({.kind = kind}));
        return addElements(m_stack.back(), items);
    }

    // ------------------------------------------------------------ opcodes
    using Instruction = Result<void> (Unpickler::*)(std::size_t operand);

    // What each opcode does, and with which number: how many bytes its own operand has, or how many values it
    // takes.
    static const std::unordered_map<unsigned char, std::pair<Instruction, std::size_t>>& instructions()
    {
        using U = Unpickler;
        static const std::unordered_map<unsigned char, std::pair<Instruction, std::size_t>> table{
            {0x80, {&U::skip, 1}},          {0x95, {&U::skip, 8}},         {'N', {&U::pushNone, 0}},
            {0x88, {&U::pushBool, 1}},      {0x89, {&U::pushBool, 0}},     {'K', {&U::pushInteger, 1}},
            {'M', {&U::pushInteger, 2}},    {'J', {&U::pushInteger, 4}},   {0x8a, {&U::pushLong, 1}},
            {'G', {&U::pushFloat, 8}},      {'X', {&U::pushText, 4}},      {0x8c, {&U::pushText, 1}},
            {0x8d, {&U::pushText, 8}},      {'T', {&U::pushText, 4}},      {'U', {&U::pushText, 1}},
            {'B', {&U::pushText, 4}},       {'C', {&U::pushText, 1}},      {0x8e, {&U::pushText, 8}},
            {'}', {&U::pushDict, 0}},       {']', {&U::pushList, 0}},      {')', {&U::pushTuple, 0}},
            {0x85, {&U::pushTuple, 1}},     {0x86, {&U::pushTuple, 2}},    {0x87, {&U::pushTuple, 3}},
            {'t', {&U::pushMarked, 0}},     {'(', {&U::mark, 0}},          {'0', {&U::dropTop, 0}},
            {'1', {&U::dropToMark, 0}},     {'a', {&U::append, 1}},        {'e', {&U::appendMarked, 1}},
            {'s', {&U::append, 2}},         {'u', {&U::appendMarked, 2}},  {'q', {&U::remember, 1}},
            {'r', {&U::remember, 4}},       {0x94, {&U::rememberNext, 0}}, {'h', {&U::recall, 1}},
            {'j', {&U::recall, 4}},         {'c', {&U::pushGlobal, 0}},    {0x93, {&U::pushStackGlobal, 2}},
            {'Q', {&U::resolveStorage, 1}}, {'R', {&U::call, 2}},          {0x81, {&U::call, 2}},
            {'b', {&U::build, 2}},
        };
        return table;
    }

    Result<void> step(unsigned char opcode)
    {
        const auto found = instructions().find(opcode);
        if (found == instructions().end())
            return Error{ErrorCode::Unsupported,
                         "the pickle has an instruction that is not known (" + std::to_string(opcode) + ")"};
        const auto [instruction, operand] = found->second;
        return (this->*instruction)(operand);
    }

    Result<void> pushNone(std::size_t) { return push({}); }
    Result<void> pushBool(std::size_t truth) { return push({.kind = Kind::Bool, .truth = truth != 0}); }
    Result<void> pushDict(std::size_t) { return push({.kind = Kind::Dict}); }
    Result<void> pushList(std::size_t) { return push({.kind = Kind::List}); }
    Result<void> skip(std::size_t size)
    {
        STAGECRAFT_TRY(takeNumber(size));
        return {};
    }
    Result<void> pushInteger(std::size_t size)
    {
        STAGECRAFT_ASSIGN(number, takeNumber(size));
        const bool isSigned = size == 4;
        return push(
            {.kind = Kind::Int,
             .integer = isSigned ? static_cast<std::int32_t>(number) : static_cast<std::int64_t>(number)});
    }
    // Two's complement of any length; more than 64 bits are beyond this program.
    Result<void> pushLong(std::size_t)
    {
        STAGECRAFT_ASSIGN(bytes, takeCounted(1));
        if (bytes.size() > 8)
            return Error{ErrorCode::Unsupported, "the pickle holds an integer of more than 64 bits"};
        std::uint64_t number = !bytes.empty() && (bytes.back() & 0x80) ? ~std::uint64_t{0} : 0;
        for (std::size_t i = bytes.size(); i-- > 0;)
            number = number << 8 | static_cast<unsigned char>(bytes[i]);
        return push({.kind = Kind::Int, .integer = static_cast<std::int64_t>(number)});
    }
    Result<void> pushFloat(std::size_t)
    {
        STAGECRAFT_ASSIGN(bytes, take(8)); // big-endian, unlike everything else
        std::uint64_t bits = 0;
        for (const char byte : bytes)
            bits = bits << 8 | static_cast<unsigned char>(byte);
        return push({.kind = Kind::Float, .number = std::bit_cast<double>(bits)});
    }
    Result<void> pushText(std::size_t sizeOfCount)
    {
        STAGECRAFT_ASSIGN(text, takeCounted(sizeOfCount));
        return push({.kind = Kind::Text, .text = std::string(text)});
    }
    Result<void> pushTuple(std::size_t count)
    {
        STAGECRAFT_ASSIGN(items, popSome(count));
        return pushContainer(Kind::Tuple, items);
    }
    Result<void> pushMarked(std::size_t)
    {
        STAGECRAFT_ASSIGN(items, popToMark());
        return pushContainer(Kind::Tuple, items);
    }
    Result<void> mark(std::size_t)
    {
        if (m_marks.size() >= maxMarks)
            return Error{ErrorCode::Unsupported, "the pickle is nested too deeply or is too large"};
        m_marks.push_back(m_stack.size());
        return {};
    }
    Result<void> dropTop(std::size_t)
    {
        STAGECRAFT_TRY(pop());
        return {};
    }
    Result<void> dropToMark(std::size_t)
    {
        STAGECRAFT_TRY(popToMark());
        return {};
    }
    Result<void> addTo(Kind kind, const std::vector<Item>& items)
    {
        STAGECRAFT_ASSIGN(container, pop());
        // Objects may be filled as lists and dicts are; what they are given does not matter.
        if (container->value->kind != kind && container->value->kind != Kind::Object)
            return damaged("something that is no container is filled");
        if (kind == Kind::Dict && items.size() % 2 != 0)
            return damaged("a key has no value");
        if (container->value->kind == kind)
            STAGECRAFT_TRY(addElements(container, items));
        m_stack.push_back(std::move(container));
        return {};
    }
    // One value at a time goes into a list, two into a dict.
    Result<void> append(std::size_t step)
    {
        STAGECRAFT_ASSIGN(items, popSome(step));
        return addTo(step == 1 ? Kind::List : Kind::Dict, items);
    }
    Result<void> appendMarked(std::size_t step)
    {
        STAGECRAFT_ASSIGN(items, popToMark());
        return addTo(step == 1 ? Kind::List : Kind::Dict, items);
    }
    Result<void> remember(std::size_t size)
    {
        STAGECRAFT_ASSIGN(index, takeNumber(size));
        STAGECRAFT_ASSIGN(top, pop());
        m_memo.insert_or_assign(index, top);
        m_stack.push_back(std::move(top));
        return {};
    }
    Result<void> rememberNext(std::size_t)
    {
        STAGECRAFT_ASSIGN(top, pop());
        m_memo.insert_or_assign(m_memo.size(), top);
        m_stack.push_back(std::move(top));
        return {};
    }
    Result<void> recall(std::size_t size)
    {
        STAGECRAFT_ASSIGN(index, takeNumber(size));
        const auto found = m_memo.find(index);
        if (found == m_memo.end())
            return damaged("it refers to something it has not made");
        m_stack.push_back(found->second);
        return {};
    }

    // ------------------------------------------------------------ names and calls
    Result<void> pushGlobal(std::size_t)
    {
        STAGECRAFT_ASSIGN(space, takeLine());
        STAGECRAFT_ASSIGN(name, takeLine());
        return pushName(space, name);
    }
    Result<void> pushStackGlobal(std::size_t)
    {
        STAGECRAFT_ASSIGN(parts, popSome(2));
        if (parts[0]->value->kind != Kind::Text || parts[1]->value->kind != Kind::Text)
            return damaged("a name is no text");
        return pushName(parts[0]->value->text, parts[1]->value->text);
    }
    Result<void> pushName(std::string_view space, std::string_view name)
    {
        if (space.size() + name.size() > maxName)
            return damaged("a name is too long");
        STAGECRAFT_TRY(push({.kind = Kind::Object, .text = std::string(space) + "." + std::string(name)}));
        m_stack.back()->isGlobal = true;
        return {};
    }
    Result<void> resolveStorage(std::size_t)
    {
        STAGECRAFT_ASSIGN(id, pop());
        STAGECRAFT_ASSIGN(storage, storageOfId(*id->value, m_findStorage));
        return pushItem({.value = std::move(storage)});
    }
    Result<void> call(std::size_t)
    {
        STAGECRAFT_ASSIGN(parts, popSome(2));
        const PickleValue& function = *parts[0]->value;
        if (parts[0]->isGlobal && isPlain(parts[1]->value->kind)) // how TorchScript keeps them
            return Error{ErrorCode::Unsupported, "an enumeration is in it (" + function.text +
                                                     "), which is not read; keep its number"};
        if (!parts[0]->isGlobal || parts[1]->value->kind != Kind::Tuple)
            return damaged("something that is no function is called");
        STAGECRAFT_ASSIGN(result, resultOfCall(function.text, parts[1]->value->elements));
        if (!result) {
            STAGECRAFT_TRY(push({.kind = Kind::Object, .text = function.text}));
            return addElements(m_stack.back(), {parts[1]});
        }
        // An empty dict may be filled; what holds the arguments weighs as much as they do.
        const bool isFresh = result->kind == Kind::Dict;
        if (isFresh)
            return push({.kind = Kind::Dict});
        return pushItem({.value = result, .depth = parts[1]->depth, .size = parts[1]->size});
    }
    // Sets attributes of what lies below: an Object keeps them behind its arguments. Those of containers (a
    // state dict's versions) do not matter.
    Result<void> build(std::size_t)
    {
        STAGECRAFT_ASSIGN(parts, popSome(2));
        m_stack.push_back(parts[0]);
        const bool isObject = parts[0]->container && parts[0]->value->kind == Kind::Object;
        if (isObject && !parts[0]->isGlobal && !parts[0]->isPartOfAnother)
            return addElements(parts[0], {parts[1]});
        return {};
    }

    std::span<const std::byte> m_rest;
    const StorageFinder& m_findStorage;
    std::vector<Item> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, Item> m_memo;
    std::int64_t m_made = 0;
};

} // namespace

Result<PickleNode> unpickle(std::span<const std::byte> bytes, const StorageFinder& findStorage)
{
    return Unpickler(bytes, findStorage).run();
}

Result<TorchSave> readTorchSave(OwnedBytes zip)
{
    constexpr std::string_view pickleName = "data.pkl";
    STAGECRAFT_ASSIGN(archive, ZipArchive::open(std::move(zip)));
    const auto pickled = std::ranges::find_if(archive.entries(), [&](const ZipEntry& entry) {
        return entry.name.ends_with("/" + std::string(pickleName));
    });
    if (pickled == archive.entries().end())
        return Error{ErrorCode::BadFormat, "not written by torch.save: there is no data.pkl"};
    const std::string root = pickled->name.substr(0, pickled->name.size() - pickleName.size());
    if (const ZipEntry* order = archive.find(root + "byteorder")) {
        STAGECRAFT_ASSIGN(text, archive.read(*order));
        if (text.text() != "little")
            return Error{ErrorCode::Unsupported, "its bytes are in big-endian order"};
    }
    TorchSave file;
    std::unordered_map<std::string, std::size_t> known;
    const auto findStorage = [&](const std::string& key, std::int64_t byteSize) -> Result<std::size_t> {
        const auto [entry, isNew] = known.try_emplace(key, file.storages.size());
        if (isNew) {
            const ZipEntry* record = archive.find(root + "data/" + key);
            if (!record)
                return Error{ErrorCode::BadFormat, "the record data/" + key + " is missing"};
            STAGECRAFT_ASSIGN(bytes, archive.read(*record, CrcCheck::IfSmall));
            file.storages.push_back(std::move(bytes));
        }
        if (static_cast<std::uint64_t>(byteSize) > file.storages[entry->second].bytes.size())
            return Error{ErrorCode::BadFormat,
                         "the record data/" + key + " is shorter than the tensors in it"};
        return entry->second;
    };
    if (pickled->size > maxPickleBytes)
        return Error{ErrorCode::Unsupported, "the pickle is too large"};
    STAGECRAFT_ASSIGN(bytes, archive.read(*pickled));
    STAGECRAFT_ASSIGN(value, unpickle(bytes.bytes, findStorage));
    file.root = std::move(value);
    return file;
}

} // namespace stagecraft
