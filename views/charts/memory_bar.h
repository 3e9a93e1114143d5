// MemoryBar: one bar, a part a category of memory, with the limit of the device.
#pragma once

#include "core/profile/memory_use.h"
#include "views/base/theme.h"

#include <QWidget>

namespace stagecraft {

// The colour of a category, the same everywhere.
QColor categoryColor(const Theme& theme, MemoryCategory category);

class MemoryBar : public QWidget
{
    Q_OBJECT

public:
    explicit MemoryBar(QWidget* parent = nullptr);

    // The bar's full length is the larger of what is used and `limit`.
    void setUse(const MemoryUse& use, Bytes limit);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::optional<MemoryCategory> categoryAt(int x) const;
    double lengthOf(Bytes bytes) const;

    MemoryUse m_use;
    Bytes m_limit;
};

} // namespace stagecraft
