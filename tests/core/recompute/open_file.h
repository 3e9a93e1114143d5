// A model of tests/data; one that cannot be opened ends the test.
#pragma once

#include "core/load/open_model.h"

#include <QString>
#include <QtGlobal>

#include <utility>

namespace stagecraft::test {

inline Model openFile(const QString& file)
{
    Result<Model> model = openModel((QString(STAGECRAFT_TEST_DATA "/") + file).toStdString());
    if (!model.has_value())
        qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

} // namespace stagecraft::test
