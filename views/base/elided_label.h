// ElidedLabel: a line of plain text that gives way where there is no room for it: it ends in "…", and its
// tooltip says the whole.
#pragma once

#include <QLabel>

namespace stagecraft {

class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    // What can be read of text(), at the width that the label has.
    QString readableText() const;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QRect room() const;
};

} // namespace stagecraft
