#include "fuzz/mutator.h"

#include "tests/core/load/zip_writer.h"

#include <algorithm>
#include <array>
#include <string>

namespace stagecraft::test {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::int64_t, 16> edgeNumbers{
    0,         1,         -1,        2,         -3,        7,         255,          65536, (1LL << 31) - 1,
    1LL << 31, 1LL << 32, 1LL << 40, 1LL << 62, INT64_MAX, INT64_MIN, INT64_MIN + 1};

// What a hostile file would write where a name is expected.
const std::array<std::string, 16> hostileTexts{"",
                                               "self",
                                               "__class__",
                                               "place",
                                               "a.b..c",
                                               ".",
                                               "../../x",
                                               "x\"\"\"\nopen('PWN', 'w')\n\"\"\"",
                                               "x\ropen('PWN', 'w')",
                                               "x\xe2\x80\xa8open('PWN', 'w')",
                                               "\x1b[31mred\x1b]0;title\x07",
                                               "<b>bold</b>&amp;",
                                               "torch.ops.torch.os.system",
                                               "9**9**9",
                                               std::string(5000, 'n'),
                                               std::string("nul\0nul", 7)};

bool isJson(const QByteArray& bytes)
{
    return bytes.startsWith('{') || bytes.startsWith('[');
}

} // namespace

std::size_t Mutator::below(qsizetype count)
{
    return static_cast<std::size_t>(m_random() % static_cast<std::uint64_t>(std::max<qsizetype>(count, 1)));
}

QByteArray Mutator::bytes(const QByteArray& good)
{
    QByteArray bytes = good;
    for (std::size_t i = below(6) + 1; i > 0; --i) {
        const auto at = static_cast<qsizetype>(below(bytes.size()));
        const auto size = static_cast<qsizetype>(below(40));
        switch (below(7)) {
        case 0:
            bytes.remove(at, size);
            break;
        case 1:
            bytes.insert(at, bytes.mid(static_cast<qsizetype>(below(bytes.size())), size));
            break;
        case 2:
            bytes.replace(at, 8, QByteArray(8, '\xff'));
            break;
        case 3:
            changeNumber(bytes, at);
            break;
        case 4:
            changeName(bytes, at);
            break;
        case 5:
            if (below(8) == 0)
                bytes.truncate(at);
            break;
        default:
            if (!bytes.isEmpty())
                bytes[at] = static_cast<char>(m_random());
        }
    }
    return bytes;
}

void Mutator::changeNumber(QByteArray& bytes, qsizetype at)
{
    static const std::array<const char*, 7> numbers{"-1",   "0", "9223372036854775807", "1e400", "[]",
                                                    "null", "{}"};
    while (at < bytes.size() && !(bytes[at] >= '0' && bytes[at] <= '9'))
        ++at;
    if (at < bytes.size())
        bytes.replace(at, 1, numbers[below(numbers.size())]);
}

// One quoted word in another's place: names, keys and kinds get mixed up.
void Mutator::changeName(QByteArray& bytes, qsizetype at)
{
    const auto word = [&](qsizetype from) {
        const qsizetype start = bytes.indexOf('"', from);
        const qsizetype end = start < 0 ? -1 : bytes.indexOf('"', start + 1);
        return end < 0 ? std::pair<qsizetype, qsizetype>(0, 0) : std::pair(start, end + 1 - start);
    };
    const auto [from, fromSize] = word(static_cast<qsizetype>(below(bytes.size())));
    const QByteArray text = bytes.mid(from, fromSize);
    const auto [to, toSize] = word(at);
    if (toSize < 200 && fromSize < 200)
        bytes.replace(to, toSize, text);
}

QByteArray Mutator::json(const QByteArray& text)
{
    Json document = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
    if (document.is_discarded() || below(8) == 0)
        return bytes(text);
    for (std::size_t i = below(4) + 1; i > 0; --i)
        changeField(document);
    return QByteArray::fromStdString(document.dump(-1, ' ', false, Json::error_handler_t::ignore));
}

// Each step goes deeper with the same chance at every level, so that long lists do not take all the damage.
Json& Mutator::anywhere(Json& document)
{
    Json* at = &document;
    while (at->is_structured() && !at->empty()) {
        Json& inner =
            *std::next(at->begin(), static_cast<std::ptrdiff_t>(below(static_cast<qsizetype>(at->size()))));
        if (!inner.is_structured() && below(3) == 0)
            break;
        at = &inner;
    }
    return *at;
}

void Mutator::changeField(Json& document)
{
    Json& field = anywhere(document);
    if (field.is_object() && !field.empty()) {
        const auto member = std::next(
            field.begin(), static_cast<std::ptrdiff_t>(below(static_cast<qsizetype>(field.size()))));
        if (below(3) == 0)
            field.erase(member);
        else
            changeValue(member.value(), document);
    } else if (field.is_array() && !field.empty()) {
        changeElements(field);
    } else {
        changeValue(field, document);
    }
}

void Mutator::changeElements(Json& array)
{
    const std::size_t one = below(static_cast<qsizetype>(array.size()));
    const std::size_t other = below(static_cast<qsizetype>(array.size()));
    switch (below(3)) {
    case 0:
        array.erase(one);
        break;
    case 1:
        array.push_back(Json(array[one]));
        break;
    default:
        std::swap(array[one], array[other]);
    }
}

void Mutator::changeValue(Json& field, Json& document)
{
    const std::size_t way = below(10);
    if (way == 0) {
        field = nullptr;
    } else if (way == 1) {
        field = Json(anywhere(document));
    } else if (field.is_number() || way == 2) {
        field = edgeNumbers[below(edgeNumbers.size())];
    } else if (field.is_string() && way < 7) {
        field = hostileTexts[below(hostileTexts.size())];
    } else if (field.is_string()) {
        const Json other = anywhere(document);
        if (other.is_string())
            field = other;
    } else if (field.is_boolean()) {
        field = !field.get<bool>();
    }
}

QByteArray Mutator::zip(const QByteArray& whole)
{
    std::vector<ZipRecord> records = zipRecords(whole);
    std::erase_if(records, [](const ZipRecord& record) { return record.data.isEmpty(); });
    if (records.empty() || below(8) == 0)
        return bytes(whole);
    ZipRecord* chosen = &records[below(static_cast<qsizetype>(records.size()))];
    for (ZipRecord& record : records) // weights are only bytes: the program is worth more tries
        if (isJson(record.data) && below(2) == 0)
            chosen = &record;
    if (isJson(chosen->data))
        chosen->data = json(chosen->data);
    else if (zipRecords(chosen->data).empty())
        chosen->data = bytes(chosen->data);
    else
        chosen->data = zip(chosen->data);
    return zipOf(records);
}

} // namespace stagecraft::test
