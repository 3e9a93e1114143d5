// Form: a model as a few numbers: a family of models, and how wide, how deep, with how many experts.
//
//     FormFamily ──presets──► Form ──buildForm──► Model        no file, no Python, a few milliseconds
//         └── parameters: what each number means, and what it may be
//
// A form is a value: two forms are equal where they give the same model.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stagecraft {

class Network;

// One number of a form.
struct FormParameter
{
    std::string name; // of the option: "layers"
    std::string title;
    std::string unit; // "tokens"; empty: a plain number
    std::int64_t minimum = 1;
    std::int64_t maximum = 1;
    std::int64_t usual = 1;
    // Where it is a choice: the number is an index into these.
    std::vector<std::string> choices = {};

    bool isChoice() const { return !choices.empty(); }
    friend bool operator==(const FormParameter&, const FormParameter&) = default;
};

// A published model.
struct FormPreset
{
    std::string name;                                         // "llama-3-8b"
    std::string title;                                        // "Llama 3 8B"
    std::vector<std::pair<std::string, std::int64_t>> values; // parameters that are not as usual
    std::int64_t parameters = 0;                              // elements as published, each tied tensor once
    std::string source;                                       // who says so
    std::int64_t roundedTo = 1;                               // what the publication rounds to
};

// The numbers of a form by name. Asking for one that the family does not have is our own mistake.
class FormValues
{
public:
    explicit FormValues(std::map<std::string, std::int64_t, std::less<>> values) : m_values(std::move(values))
    {
    }
    std::int64_t operator[](std::string_view name) const;
    bool has(std::string_view name) const { return m_values.contains(name); }
    std::int64_t valueOr(std::string_view name, std::int64_t otherwise) const;

private:
    std::map<std::string, std::int64_t, std::less<>> m_values;
};

struct FormFamily
{
    std::string name;  // "llama"
    std::string title; // "Llama"
    std::string group; // that it is shown among: "Language"
    std::string summary;
    std::string rootClass;                 // of the library's model
    std::vector<FormParameter> parameters; // one is "dtype": an index into float32, bfloat16, float16
    std::vector<FormPreset> presets;       // the first is what a new form is
    // What does not go together: "--width 100 does not divide into --heads 12".
    std::function<Result<void>(const FormValues&)> check;
    // Only values that are within their ranges and pass `check`.
    std::function<void(Network&, const FormValues&)> write;

    const FormParameter* parameter(std::string_view parameterName) const; // null: it has none
};

struct Form
{
    std::string family;
    std::map<std::string, std::int64_t, std::less<>> values; // of all parameters of the family
    std::string preset;                                      // that it started as; empty: none

    friend bool operator==(const Form&, const Form&) = default;
};

// All families, in the order in which people are shown them: those of a group together.
std::span<const FormFamily> formFamilies();
// Null where there is none.
const FormFamily* findFormFamily(std::string_view name);

// Everything as usual in the family.
Form usualForm(const FormFamily& family);
// Fails, with what there is, where no family has a preset of this name.
Result<Form> presetForm(std::string_view preset);
// Gives a parameter the value that a person wrote: a number, or the name of a choice. Fails, with what is
// possible, where there is no such parameter or the value is out of its range.
Result<void> setFormValue(Form& form, std::string_view parameter, std::string_view text);
// "4096", or the name of a choice.
std::string formValueText(const FormParameter& parameter, std::int64_t value);

// The values of a form that goes together. Fails, naming the parameters, where it does not.
Result<FormValues> checkedForm(const Form& form);

} // namespace stagecraft
