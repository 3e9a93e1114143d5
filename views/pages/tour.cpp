#include "views/pages/tour.h"

#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include <array>

namespace stagecraft {

// Over the whole window, for the mouse not there.
class Tour::Shade : public QWidget
{
public:
    explicit Shade(QWidget* window) : QWidget(window) { setAttribute(Qt::WA_TransparentForMouseEvents); }

    void setHole(const QRect& hole)
    {
        m_hole = hole;
        setGeometry(parentWidget()->rect());
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QPainterPath dimmed;
        dimmed.addRect(rect());
        QPainterPath hole;
        hole.addRoundedRect(m_hole, em(this, 0.3), em(this, 0.3));
        painter.fillPath(dimmed - hole, QColor(0, 0, 0, 110));
        if (m_hole.isEmpty())
            return;
        painter.setPen(QPen(applicationTheme().accent, std::max(2, em(this, 0.15))));
        painter.drawPath(hole);
    }

private:
    QRect m_hole;
};

Tour::Tour(QWidget* window, std::vector<Step> steps)
    : QFrame(window),
      m_steps(std::move(steps)),
      m_shade(new Shade(window)),
      m_title(new QLabel),
      m_text(new QLabel),
      m_number(new QLabel),
      m_back(new QPushButton(tr("Back"))),
      m_next(new QPushButton),
      m_leave(new QPushButton(tr("Skip the tour")))
{
    setObjectName("tour");
    setAccessibleName(tr("Tour"));
    build();
    connect(m_back, &QPushButton::clicked, this, [this] { show(m_step - 1); });
    connect(m_leave, &QPushButton::clicked, this, &Tour::end);
    connect(m_next, &QPushButton::clicked, this,
            [this] { m_step + 1 < static_cast<int>(m_steps.size()) ? show(m_step + 1) : end(); });
    new QShortcut(Qt::Key_Escape, this, this, &Tour::end); // of the window, whatever in it has the focus
    window->installEventFilter(this);
    for (QWidget* part : window->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        if (part != this && part != m_shade)
            part->installEventFilter(this);
    m_shade->show();
    m_shade->raise();
    QFrame::show();
    show(0);
}

Tour::~Tour()
{
    delete m_shade;
}

void Tour::build()
{
    setAutoFillBackground(true);
    const auto color = [this] {
        const Theme theme = applicationTheme();
        setStyleSheet(QStringLiteral("#tour { background: %1; border: 1px solid %2; border-radius: %3px; }")
                          .arg(theme.raised.name(), theme.border.name())
                          .arg(em(this, 0.4)));
        setTextColor(m_number, theme.mutedText);
    };
    m_title->setFont(scaledFont(this, 1.15, QFont::DemiBold));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setMinimumWidth(em(this, 22));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_number);
    buttons->addStretch();
    buttons->addWidget(m_leave);
    buttons->addWidget(m_back);
    buttons->addWidget(m_next);
    for (QPushButton* button : {m_leave, m_back, m_next})
        button->setAutoDefault(true); // Return presses it, as in a dialog
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 1), em(this, 0.8), em(this, 1), em(this, 0.8));
    layout->setSpacing(em(this, 0.5));
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    layout->addLayout(buttons);
    color();
    onThemeChange(m_shade, color); // its own style sheet would ask for it again
}

void Tour::show(int step)
{
    m_step = step;
    const Step& now = m_steps[static_cast<std::size_t>(step)];
    if (now.bringUp)
        now.bringUp();
    const bool isLast = step + 1 == static_cast<int>(m_steps.size());
    m_title->setText(now.title);
    m_text->setText(now.text);
    m_number->setText(tr("%1 of %2").arg(step + 1).arg(m_steps.size()));
    m_back->setVisible(step > 0);
    m_leave->setVisible(!isLast);
    m_next->setText(isLast ? tr("Done") : tr("Next"));
    setAccessibleDescription(now.title + ". " + now.text);
    m_next->setFocus();
    QAccessibleEvent described(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&described);
    QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection); // when its part has its place
}

// On the side of the part where there is room; within it where there is none. Where another panel has come to
// the front of the part, nothing is framed, and the card stays where it is.
void Tour::place()
{
    const QWidget* target = m_steps[static_cast<std::size_t>(m_step)].target;
    if (!target)
        return end();
    adjustSize();
    const QRect all = parentWidget()->rect();
    const QRect hole = QRect(target->mapTo(parentWidget(), QPoint()), target->size()) & all;
    if (!target->isVisible() || hole.isEmpty()) // panels behind others are where nobody sees them
        return putOnTop(QRect(), clampedTo(all, pos()));
    const int gap = em(this, 0.8);
    const QPoint middle = hole.center() - rect().center();
    const std::array<QPoint, 4> places{
        QPoint(hole.right() + gap, middle.y()), QPoint(hole.left() - gap - width(), middle.y()),
        QPoint(middle.x(), hole.bottom() + gap), QPoint(middle.x(), hole.top() - gap - height())};
    QPoint place = middle;
    for (const QPoint& at : places) {
        const QPoint within = clampedTo(all, at);
        if (!QRect(within, size()).intersects(hole)) {
            place = within;
            break;
        }
    }
    putOnTop(hole, place);
}

QPoint Tour::clampedTo(const QRect& all, QPoint at) const
{
    const int gap = em(this, 0.8);
    return {std::clamp(at.x(), gap, std::max(gap, all.width() - width() - gap)),
            std::clamp(at.y(), gap, std::max(gap, all.height() - height() - gap))};
}

void Tour::putOnTop(const QRect& hole, QPoint at)
{
    m_shade->setHole(hole);
    move(at);
    m_shade->raise();
    raise();
}

bool Tour::eventFilter(QObject* object, QEvent* event)
{
    const bool isOfWindow = object == parentWidget();
    const bool isMoved = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    // A panel that comes to the front comes above all that is in the window.
    const bool isInFront = event->type() == QEvent::ZOrderChange || event->type() == QEvent::Show ||
                           event->type() == QEvent::Hide;
    if (isOfWindow ? isMoved : isInFront)
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    return QFrame::eventFilter(object, event);
}

void Tour::end()
{
    hide();
    m_shade->hide();
    emit ended();
    deleteLater();
}

} // namespace stagecraft
