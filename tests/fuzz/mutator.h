// Mutator: damages files in the ways that matter: bytes anywhere, one record of a zip that stays whole, one
// field of a JSON text that stays JSON. The same seed gives the same damage.
#pragma once

#include <QByteArray>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <random>

namespace stagecraft::test {

class Mutator
{
public:
    explicit Mutator(std::uint64_t seed) : m_random(seed) {}

    // 0 <= answer < count; 0 where there is nothing to choose from.
    std::size_t below(qsizetype count);

    // A few bytes changed, or a piece cut out, doubled or exchanged for a number at the edge of its range.
    QByteArray bytes(const QByteArray& good);
    // A few fields given another value: numbers at edges, names that are code or control characters, what
    // stands elsewhere in the text; or left out, doubled, exchanged. What is no JSON is damaged as bytes.
    QByteArray json(const QByteArray& text);
    // One record damaged, as JSON or bytes, also inside a zip that is a record. What is no zip: as bytes.
    QByteArray zip(const QByteArray& bytes);

private:
    void changeNumber(QByteArray& bytes, qsizetype at);
    void changeName(QByteArray& bytes, qsizetype at);
    nlohmann::json& anywhere(nlohmann::json& document);
    void changeField(nlohmann::json& document);
    void changeValue(nlohmann::json& field, nlohmann::json& document);
    void changeElements(nlohmann::json& array);

    std::mt19937_64 m_random;
};

} // namespace stagecraft::test
