// Parameters that several families have, the lists that families are put together from, and what is checked
// of them.
#pragma once

#include "core/forms/form.h"

#include <string>
#include <utility>
#include <vector>

namespace stagecraft {

FormParameter countParameter(const std::string& name, const std::string& title, std::int64_t usual,
                             std::int64_t minimum = 1, std::int64_t maximum = 1 << 20);
FormParameter choiceParameter(const std::string& name, const std::string& title,
                              std::vector<std::string> choices, std::int64_t usual = 0);
FormParameter yesNoParameter(const std::string& name, const std::string& title, bool usual);
FormParameter dropoutParameter(std::int64_t usualPercent);
enum class UsualType { F32, BF16 };
FormParameter dtypeParameter(UsualType usual);
FormParameter vocabularyParameter(std::int64_t usual);
FormParameter epsilonParameter(std::int64_t usual); // 10^-usual

FormParameter batchParameter(std::int64_t usual);
// Batch and sequence: symbols, whose usual values these are.
std::vector<FormParameter> sequenceParameters(std::int64_t batch, std::int64_t sequence);

// What is usual of a decoder.
struct UsualDecoder
{
    std::int64_t width = 0;
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t keyHeads = 0;
    std::int64_t headWidth = 0;
    std::int64_t inner = 0;
    std::int64_t vocabulary = 0;
};
std::vector<FormParameter> decoderParameters(const UsualDecoder& usual);
FormParameter rotaryBaseParameter(std::int64_t usual);
FormParameter rotaryFactorParameter();
FormParameter tiedParameter(bool usual);
std::vector<FormParameter> expertsParameters(std::int64_t experts, std::int64_t chosen);

// One after the other.
std::vector<FormParameter> joined(std::vector<std::vector<FormParameter>> lists);

// Where the published weights are counted.
FormPreset weightsPreset(const std::string& name, const std::string& title,
                         std::vector<std::pair<std::string, std::int64_t>> values, std::int64_t parameters);

double epsilonOf(const FormValues& values);
// Fails, naming both, where `divisor` does not go into `whole`.
Result<void> divides(const FormValues& values, const char* divisor, const char* whole);
// Fails, saying why it must, where it does not divide by `number`.
Result<void> dividesBy(const FormValues& values, const char* name, std::int64_t number,
                       const std::string& why);
// Fails where it is odd: rotary positions turn halves.
Result<void> even(const FormValues& values, const char* name);
// Fails, naming both, where `name` is more than `limit`.
Result<void> atMost(const FormValues& values, const char* name, const char* limit);
// Fails where a sequence is longer than there are positions.
Result<void> withinPositions(const FormValues& values);
// Fails where a token would go to more experts than there are.
Result<void> enoughExperts(const FormValues& values);
// Fails where rows of experts' weights of this width do not begin every 16 bytes, as _grouped_mm wants them.
Result<void> wholeRows(const FormValues& values, const char* name);

} // namespace stagecraft
