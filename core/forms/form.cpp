#include "core/forms/form.h"

#include "core/base/near_names.h"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace stagecraft {

namespace {

template <class Items>
std::string listed(const Items& items, std::string_view nothing)
{
    std::string text;
    for (const auto& item : items)
        text += (text.empty() ? "" : ", ") + std::string(item);
    return text.empty() ? std::string(nothing) : text;
}

std::vector<std::string> namesOf(const auto& items)
{
    std::vector<std::string> names;
    for (const auto& item : items)
        names.push_back(item.name);
    return names;
}

Form formOf(const FormFamily& family, const FormPreset& preset)
{
    Form form = usualForm(family);
    for (const auto& [name, value] : preset.values)
        form.values[name] = value;
    form.preset = preset.name;
    return form;
}

std::string rangeText(const FormParameter& parameter)
{
    return parameter.isChoice()
               ? "one of " + listed(parameter.choices, "nothing")
               : std::to_string(parameter.minimum) + " to " + std::to_string(parameter.maximum);
}

Error outOfRange(const FormParameter& parameter, std::string_view text)
{
    return {ErrorCode::BadUsage,
            "--" + parameter.name + " is " + std::string(text) + "; it can be " + rangeText(parameter)};
}

Result<std::int64_t> readValue(const FormParameter& parameter, std::string_view text)
{
    if (parameter.isChoice()) {
        const auto found = std::ranges::find(parameter.choices, text);
        if (found == parameter.choices.end())
            return outOfRange(parameter, text);
        return found - parameter.choices.begin();
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber = error == std::errc() && end == text.data() + text.size();
    if (!isNumber || value < parameter.minimum || value > parameter.maximum)
        return outOfRange(parameter, text);
    return value;
}

} // namespace

std::int64_t FormValues::operator[](std::string_view name) const
{
    const auto found = m_values.find(name);
    assert(found != m_values.end());
    return found->second;
}

std::int64_t FormValues::valueOr(std::string_view name, std::int64_t otherwise) const
{
    return has(name) ? (*this)[name] : otherwise;
}

const FormParameter* FormFamily::parameter(std::string_view parameterName) const
{
    const auto found = std::ranges::find(parameters, parameterName, &FormParameter::name);
    return found == parameters.end() ? nullptr : &*found;
}

const FormFamily* findFormFamily(std::string_view name)
{
    const std::span<const FormFamily> families = formFamilies();
    const auto found = std::ranges::find(families, name, &FormFamily::name);
    return found == families.end() ? nullptr : &*found;
}

Form usualForm(const FormFamily& family)
{
    Form form{family.name, {}, {}};
    for (const FormParameter& parameter : family.parameters)
        form.values[parameter.name] = parameter.usual;
    return form;
}

Result<Form> presetForm(std::string_view preset)
{
    std::vector<std::string> names;
    for (const FormFamily& family : formFamilies()) {
        const auto found = std::ranges::find(family.presets, preset, &FormPreset::name);
        if (found != family.presets.end())
            return formOf(family, *found);
        std::ranges::copy(namesOf(family.presets), std::back_inserter(names));
    }
    const std::vector<std::string> near = nearNames(preset, names);
    return Error{ErrorCode::BadUsage,
                 "there is no preset '" + std::string(preset) + "'" +
                     (near.empty() ? "; there are: " + listed(names, "none") : didYouMean(near))};
}

Result<void> setFormValue(Form& form, std::string_view parameter, std::string_view text)
{
    const FormFamily* family = findFormFamily(form.family);
    if (!family)
        return Error{ErrorCode::BadUsage, "there is no family '" + form.family +
                                              "'; there are: " + listed(namesOf(formFamilies()), "none")};
    const FormParameter* known = family->parameter(parameter);
    if (!known)
        return Error{ErrorCode::BadUsage, "a " + family->title + " has no --" + std::string(parameter) +
                                              "; it has: " + listed(namesOf(family->parameters), "none")};
    STAGECRAFT_ASSIGN(value, readValue(*known, text));
    form.values[known->name] = value;
    return {};
}

std::string formValueText(const FormParameter& parameter, std::int64_t value)
{
    const auto index = static_cast<std::size_t>(value);
    const bool isNamed = parameter.isChoice() && value >= 0 && index < parameter.choices.size();
    return isNamed ? parameter.choices[index] : std::to_string(value);
}

Result<FormValues> checkedForm(const Form& form)
{
    const FormFamily* family = findFormFamily(form.family);
    if (!family)
        return Error{ErrorCode::BadUsage, "there is no family '" + form.family +
                                              "'; there are: " + listed(namesOf(formFamilies()), "none")};
    for (const FormParameter& parameter : family->parameters) {
        const auto value = form.values.find(parameter.name);
        if (value == form.values.end())
            return Error{ErrorCode::BadUsage, "--" + parameter.name + " of the " + family->title +
                                                  " is missing; it can be " + rangeText(parameter)};
        const std::int64_t most = parameter.isChoice()
                                      ? static_cast<std::int64_t>(parameter.choices.size()) - 1
                                      : parameter.maximum;
        if (value->second < (parameter.isChoice() ? 0 : parameter.minimum) || value->second > most)
            return outOfRange(parameter, std::to_string(value->second));
    }
    FormValues values(form.values);
    if (family->check)
        STAGECRAFT_TRY(family->check(values));
    return values;
}

} // namespace stagecraft
