// Small helpers for tests of views.
#pragma once

#include <QVariant>

namespace stagecraft {

// An argument of a spied signal. Ids have no default, so QVariant::value() cannot give them.
template <class T>
T argumentOf(const QVariant& variant)
{
    Q_ASSERT(variant.metaType() == QMetaType::fromType<T>());
    return *static_cast<const T*>(variant.constData());
}

} // namespace stagecraft
