#include "core/script/input_text.h"

#include "core/base/contains.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

namespace stagecraft {

namespace {

constexpr std::int64_t maxElements = std::int64_t{1} << 31;
constexpr int maxDepth = 20;

// Beside those of dtypeFromShortName().
const std::map<std::string, DType, std::less<>>& otherNames()
{
    static const std::map<std::string, DType, std::less<>> names{
        {"float64", DType::F64},        {"float32", DType::F32},
        {"float16", DType::F16},        {"bfloat16", DType::BF16},
        {"int64", DType::I64},          {"int32", DType::I32},
        {"int16", DType::I16},          {"int8", DType::I8},
        {"uint8", DType::U8},           {"complex64", DType::C64},
        {"complex128", DType::C128},    {"f8e4m3", DType::F8E4M3FN},
        {"f8e5m2", DType::F8E5M2},      {"float8_e4m3fn", DType::F8E4M3FN},
        {"float8_e5m2", DType::F8E5M2},
    };
    return names;
}

bool isNamePart(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class InputParser
{
public:
    explicit InputParser(const std::string& text) : m_text(text), m_rest(text) {}

    Result<GivenArgument> parse()
    {
        GivenArgument argument{takeName(), {}};
        STAGECRAFT_ASSIGN(value, parseValue(0));
        skipBlanks();
        if (!m_rest.empty())
            return wrongEnd(value);
        argument.value = std::move(value);
        return argument;
    }

private:
    Error wrong(const std::string& what) const
    {
        return {ErrorCode::BadUsage, "--input " + m_text + ": " + what + "; write one as f32[8,3,224,224]"};
    }
    // Of what follows a whole value.
    Error wrongEnd(const GivenValue& value) const
    {
        const std::string what = "nothing is to follow '" + std::string(m_rest.substr(0, 20)) + "'";
        const bool isNumber = std::holds_alternative<std::int64_t>(value.leaf.literal);
        if (value.kind == GivenValue::Kind::Literal && isNumber && m_rest.starts_with(','))
            return {ErrorCode::BadUsage,
                    "--input " + m_text + ": '" + m_text +
                        "' is no number; a decimal has a point, as in 1.5, and no comma"};
        return wrong(what);
    }
    void skipBlanks() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \t"), m_rest.size())); }
    bool take(char c)
    {
        skipBlanks();
        if (!m_rest.starts_with(c))
            return false;
        m_rest.remove_prefix(1);
        return true;
    }
    std::string_view takeWord()
    {
        skipBlanks();
        const auto end = std::ranges::find_if_not(
            m_rest, [](char c) { return isNamePart(c) || c == '.' || c == '-' || c == '+'; });
        const std::string_view word = m_rest.substr(0, static_cast<std::size_t>(end - m_rest.begin()));
        m_rest.remove_prefix(word.size());
        return word;
    }
    // "mask" of "mask=bool[8]".
    std::string takeName()
    {
        const std::string_view before = m_rest;
        skipBlanks();
        const auto end = std::ranges::find_if_not(m_rest, isNamePart);
        const std::string_view name = m_rest.substr(0, static_cast<std::size_t>(end - m_rest.begin()));
        m_rest.remove_prefix(name.size());
        if (!name.empty() && take('='))
            return std::string(name);
        m_rest = before;
        return {};
    }

    Result<GivenValue> parseValue(int depth)
    {
        if (depth > maxDepth)
            return wrong("it is nested too deeply");
        if (take('('))
            return parseSequence(GivenValue::Kind::Tuple, ')', depth);
        if (take('['))
            return parseSequence(GivenValue::Kind::List, ']', depth);
        if (take('{'))
            return parseDict(depth);
        if (take('"')) {
            STAGECRAFT_ASSIGN(text, takeText());
            GivenValue value;
            value.leaf.literal = std::move(text);
            return value;
        }
        const std::string_view word = takeWord();
        if (take('['))
            return parseTensor(word);
        return parseWord(word);
    }

    Result<GivenValue> parseSequence(GivenValue::Kind kind, char closing, int depth)
    {
        GivenValue sequence{.kind = kind};
        while (!take(closing)) {
            STAGECRAFT_ASSIGN(element, parseValue(depth + 1));
            sequence.elements.push_back(std::move(element));
            skipBlanks();
            if (!take(',') && !m_rest.starts_with(closing))
                return wrong(std::string("'") + closing + "' is missing");
        }
        return sequence;
    }

    Result<GivenValue> parseDict(int depth)
    {
        GivenValue dict{.kind = GivenValue::Kind::Dict};
        while (!take('}')) {
            if (!take('"'))
                return wrong("a key is a text, as in {\"image\": f32[2,3]}");
            STAGECRAFT_ASSIGN(key, takeText());
            if (contains(dict.keys, key))
                return wrong("the key \"" + key + "\" stands there twice");
            if (!take(':'))
                return wrong("':' is missing behind the key \"" + key + "\"");
            STAGECRAFT_ASSIGN(element, parseValue(depth + 1));
            dict.keys.push_back(std::move(key));
            dict.elements.push_back(std::move(element));
            skipBlanks();
            if (!take(',') && !m_rest.starts_with('}'))
                return wrong("'}' is missing");
        }
        return dict;
    }

    // Up to the closing quote.
    Result<std::string> takeText()
    {
        const std::size_t end = m_rest.find('"');
        if (end == m_rest.npos)
            return wrong("a text does not end");
        const std::string text(m_rest.substr(0, end));
        m_rest.remove_prefix(end + 1);
        return text;
    }

    Result<std::int64_t> parseSize()
    {
        takeName();
        const std::string_view word = takeWord();
        std::int64_t size = 0;
        const auto read = std::from_chars(word.data(), word.data() + word.size(), size);
        if (word.empty() || read.ec != std::errc{} || read.ptr != word.data() + word.size() || size < 0)
            return wrong("'" + std::string(word) + "' is no size");
        return size;
    }

    Result<GivenValue> parseTensor(std::string_view type)
    {
        std::optional<DType> dtype = dtypeFromShortName(type);
        if (const auto other = otherNames().find(type); !dtype && other != otherNames().end())
            dtype = other->second;
        if (!dtype)
            return wrong("'" + std::string(type) + "' is no element type; take f32, bf16, f16, i64 or bool");
        std::vector<SymInt> sizes;
        std::int64_t elements = 1;
        while (!take(']')) {
            STAGECRAFT_ASSIGN(size, parseSize());
            if (__builtin_mul_overflow(elements, size, &elements) || elements > maxElements)
                return wrong("it has more elements than an example needs");
            sizes.emplace_back(size);
            skipBlanks();
            if (!take(',') && !m_rest.starts_with(']'))
                return wrong("']' is missing");
        }
        GivenValue value{.kind = GivenValue::Kind::Tensor};
        value.leaf.tensor = contiguousMeta(*dtype, std::move(sizes));
        return value;
    }

    Result<GivenValue> parseWord(std::string_view word)
    {
        GivenValue value;
        const std::string lower = lowerCase(word);
        if (lower == "none")
            return value;
        const char* const end = word.data() + word.size();
        std::int64_t number = 0;
        double fraction = 0;
        if (lower == "true" || lower == "false")
            value.leaf.literal = lower == "true";
        else if (const auto read = std::from_chars(word.data(), end, number);
                 !word.empty() && read.ec == std::errc{} && read.ptr == end)
            value.leaf.literal = number;
        else if (const auto other = std::from_chars(word.data(), end, fraction);
                 !word.empty() && other.ec == std::errc{} && other.ptr == end)
            value.leaf.literal = fraction;
        else
            return wrong("'" + std::string(word) + "' is no tensor, number, true, false, none or \"text\"");
        return value;
    }

    const std::string& m_text;
    std::string_view m_rest;
};

} // namespace

bool isNone(const GivenValue& value)
{
    return value.kind == GivenValue::Kind::Literal &&
           std::holds_alternative<NoneArgument>(value.leaf.literal);
}

Result<GivenArgument> parseInput(const std::string& text)
{
    return InputParser(text).parse();
}

} // namespace stagecraft
