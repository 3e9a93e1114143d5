#include "core/forms/form_json.h"

namespace stagecraft {

nlohmann::ordered_json formValuesJson(const Form& form)
{
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (const FormParameter& parameter : findFormFamily(form.family)->parameters) {
        const std::int64_t value = form.values.at(parameter.name);
        if (parameter.isChoice())
            values[parameter.name] = formValueText(parameter, value);
        else
            values[parameter.name] = value;
    }
    return values;
}

} // namespace stagecraft
