#include "views/pages/welcome_page.h"

#include "views/base/colors.h"
#include "views/base/elided_label.h"
#include "views/base/icons.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

namespace {

// The first local file of a drop; empty if there is none.
QString fileOf(const QMimeData* data)
{
    for (const QUrl& url : data->urls())
        if (url.isLocalFile())
            return url.toLocalFile();
    return {};
}

QLabel* heading(const QString& text, const QWidget* like)
{
    auto* label = new QLabel(text);
    label->setFont(scaledFont(like, 1.0, QFont::DemiBold));
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

// Code on a rounded ground.
class Snippet : public QLabel
{
protected:
    void paintEvent(QPaintEvent* event) override
    {
        const Theme theme = applicationTheme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(theme.border);
        painter.setBrush(theme.surface);
        const double round = em(this, 0.4);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), round, round);
        painter.end();
        QLabel::paintEvent(event);
    }
};

// A clickable card: a title, and smaller lines below.
class Card : public QPushButton
{
public:
    // `act` is what a click does, with the title in it.
    Card(const GalleryCard& card, const QString& act, const QWidget* like)
    {
        auto* title = new ElidedLabel;
        title->setText(card.title);
        title->setFont(scaledFont(like, 1.05, QFont::DemiBold));
        auto* subtitle = new ElidedLabel;
        subtitle->setText(card.subtitle);
        auto* details = new ElidedLabel;
        details->setText(card.details);
        details->setForegroundRole(QPalette::PlaceholderText);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(em(like, 0.8), em(like, 0.6), em(like, 0.8), em(like, 0.6));
        layout->setSpacing(em(like, 0.15));
        for (QLabel* label : std::initializer_list<QLabel*>{title, subtitle, details}) {
            label->setAttribute(Qt::WA_TransparentForMouseEvents);
            layout->addWidget(label); // first: shown without a parent, it would be a window of its own
            label->setVisible(!label->text().isEmpty());
        }
        setAccessibleName(act);
        setEnabled(card.isUsable);
        setAccessibleDescription(card.subtitle);
        setToolTip(card.subtitle);
        setCursor(Qt::PointingHandCursor);
        setMinimumHeight(layout->sizeHint().height());
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    }
};

} // namespace

// The dashed area that says where to drop; lights up while something is dragged over the page.
class WelcomePage::DropTarget : public QWidget
{
public:
    enum class State { Idle, Offered };

    void setState(State state)
    {
        m_state = state;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme theme = applicationTheme();
        const bool offered = m_state == State::Offered;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(offered ? theme.accent : mixed(theme.border, theme.text, 0.18),
                            offered ? 2 : 1.25, Qt::DashLine));
        painter.setBrush(offered ? theme.selection : theme.surface);
        const double round = em(this, 0.7);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), round, round);
    }

private:
    State m_state = State::Idle;
};

WelcomePage::WelcomePage(QWidget* parent)
    : QWidget(parent),
      m_content(new QWidget),
      m_target(new DropTarget),
      m_columns(new QGridLayout),
      m_left(new QWidget),
      m_right(new QWidget),
      m_continue(heading(tr("Continue where you left off"), this)),
      m_sessions(new QVBoxLayout),
      m_cards(new QGridLayout),
      m_recent(new QVBoxLayout),
      m_noRecent(new QLabel(tr("Models that you open are listed here."))),
      m_snippet(new Snippet),
      m_keys(new QGridLayout)
{
    setAccessibleName(tr("Welcome"));
    setAcceptDrops(true);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus); // it follows the focus of what is in it
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(m_content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    buildTarget();
    buildLeft();
    buildRight();
    auto* page = new QVBoxLayout(m_content);
    page->setContentsMargins(em(this, 2), em(this, 2), em(this, 2), em(this, 1.5));
    page->setSpacing(em(this, 1.4));
    page->addStretch(1);
    page->addWidget(m_target);
    page->addLayout(m_columns);
    page->addStretch(2);
    m_columns->setHorizontalSpacing(em(this, 2.2));
    m_columns->setVerticalSpacing(em(this, 1.4));
    arrange();
    setSessions({});
}

void WelcomePage::buildTarget()
{
    auto* title = new QLabel(tr("Drop a PyTorch model here"));
    title->setFont(scaledFont(this, 1.6, QFont::DemiBold));
    auto* about =
        new QLabel(tr("See where its memory and time go, drag the pipeline-stage boundaries, export "
                      "stages that run."));
    about->setWordWrap(true);
    about->setAlignment(Qt::AlignCenter);
    about->setForegroundRole(QPalette::PlaceholderText);
    auto* open = new QPushButton(tr("Open a model"));
    open->setDefault(true);
    open->setAccessibleDescription(tr("A .pt2 of torch.export, a scripted or traced .pt, or a plan"));
    connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    auto* make = new QPushButton(tr("New model…"));
    m_new = make;
    make->setAccessibleDescription(tr("A model by its sizes: Llama, GPT, and others"));
    connect(make, &QPushButton::clicked, this, &WelcomePage::newRequested);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(make);
    auto* layout = new QVBoxLayout(m_target);
    layout->setContentsMargins(em(this, 2), em(this, 1.6), em(this, 2), em(this, 1.6));
    layout->setSpacing(em(this, 0.6));
    layout->addWidget(title, 0, Qt::AlignHCenter);
    layout->addWidget(about);
    layout->addSpacing(em(this, 0.3));
    layout->addLayout(buttons);
    layout->setAlignment(buttons, Qt::AlignHCenter);
    setFocusProxy(open);
}

void WelcomePage::buildLeft()
{
    auto* left = new QVBoxLayout(m_left);
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(em(this, 0.5));
    m_cards->setSpacing(em(this, 0.6));
    m_recent->setSpacing(em(this, 0.1));
    m_noRecent->setForegroundRole(QPalette::PlaceholderText);
    m_sessions->setSpacing(em(this, 0.4));
    left->addWidget(m_continue);
    left->addLayout(m_sessions);
    auto* examples = heading(tr("Examples"), this);
    for (QLabel* first : {m_continue, examples}) // one of them stands beside a heading with a button
        first->setMinimumHeight(em(this, 1.9));
    left->addWidget(examples);
    left->addLayout(m_cards);
    left->addSpacing(em(this, 0.8));
    left->addWidget(heading(tr("Recent"), this));
    left->addWidget(m_noRecent);
    left->addLayout(m_recent);
    left->addStretch();
}

void WelcomePage::buildRight()
{
    auto* copy = new QToolButton;
    m_copy = copy;
    copy->setFixedHeight(em(this, 1.9));
    copy->setIcon(themedIcon("copy"));
    copy->setToolTip(tr("Copy"));
    copy->setAccessibleName(tr("Copy the export code"));
    connect(copy, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_snippet->text()); });
    m_snippet->setText(QStringLiteral("import torch\n"
                                      "program = torch.export.export(model, example_inputs)\n"
                                      "torch.export.save(program, \"model.pt2\")"));
    m_snippet->setFont(codeFont(this));
    m_snippet->setTextFormat(Qt::PlainText);
    m_snippet->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_snippet->setContentsMargins(em(this, 0.8), em(this, 0.6), em(this, 0.8), em(this, 0.6));
    m_snippet->setAccessibleName(tr("Python code that exports a model"));
    auto* line = new QHBoxLayout;
    line->addWidget(heading(tr("Export your own model"), this), 1);
    line->addWidget(copy);
    m_keys->setHorizontalSpacing(em(this, 1.2));
    m_keys->setVerticalSpacing(em(this, 0.25));
    m_keys->setColumnStretch(1, 1);
    auto* right = new QVBoxLayout(m_right);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(em(this, 0.5));
    right->addLayout(line);
    right->addWidget(m_snippet);
    right->addSpacing(em(this, 0.8));
    right->addWidget(heading(tr("Keys"), this));
    right->addLayout(m_keys);
    right->addStretch();
}

void WelcomePage::setRecentFiles(const QStringList& paths)
{
    clearLayout(m_recent);
    m_recentWidgets.clear();
    m_noRecent->setVisible(paths.isEmpty());
    for (const QString& path : paths) {
        const QFileInfo file(path);
        const auto elided = [this](const QString& text, int width) {
            return QFontMetrics(font()).elidedText(shownText(text), Qt::ElideMiddle, em(this, width));
        };
        auto* button = new QPushButton(menuText(elided(file.fileName(), 20)));
        button->setFlat(true);
        button->setStyleSheet("text-align: left; padding-left: 2px; padding-right: 4px");
        button->setIcon(themedIcon("file"));
        button->setToolTip(toolTipText(shownText(path)));
        button->setAccessibleName(tr("Open %1").arg(file.fileName()));
        button->setCursor(Qt::PointingHandCursor);
        connect(button, &QPushButton::clicked, this, [this, path] { emit fileChosen(path); });
        auto* row = new QWidget;
        auto* folder = new QLabel(elided(file.absolutePath(), 16));
        folder->setTextFormat(Qt::PlainText);
        folder->setForegroundRole(QPalette::PlaceholderText);
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(button);
        layout->addWidget(folder, 1);
        m_recent->addWidget(row);
        m_recentWidgets.push_back(button);
    }
    m_recentPaths = paths;
    orderFocus();
}

void WelcomePage::setMissingFiles(const QStringList& paths)
{
    for (qsizetype i = 0; i < m_recentPaths.size(); ++i) {
        const QString& path = m_recentPaths[i];
        const bool isThere = !paths.contains(path);
        QWidget* button = m_recentWidgets[static_cast<std::size_t>(i)];
        button->setEnabled(isThere);
        button->setToolTip(
            toolTipText(isThere ? shownText(path) : tr("%1 is not there any more").arg(shownText(path))));
    }
}

// From the top to the bottom, column by column.
void WelcomePage::orderFocus()
{
    QWidget* before = focusProxy();
    const auto then = [&before](QWidget* widget) {
        setTabOrder(before, widget);
        before = widget;
    };
    then(m_new);
    std::ranges::for_each(m_sessionWidgets, then);
    std::ranges::for_each(m_cardWidgets, then);
    std::ranges::for_each(m_recentWidgets, then);
    then(m_copy);
}

void WelcomePage::setSessions(const std::vector<GalleryCard>& cards)
{
    clearLayout(m_sessions);
    m_sessionWidgets.clear();
    m_continue->setVisible(!cards.empty());
    for (const GalleryCard& card : cards) {
        auto* widget = new Card(card, tr("Go on with %1").arg(card.title), this);
        connect(widget, &QPushButton::clicked, this, [this, path = card.path] { emit sessionChosen(path); });
        m_sessions->addWidget(widget);
        m_sessionWidgets.push_back(widget);
    }
    orderFocus();
}

void WelcomePage::setGallery(const std::vector<GalleryCard>& cards)
{
    clearLayout(m_cards);
    m_cardWidgets.clear();
    for (const GalleryCard& card : cards) {
        auto* widget = new Card(card, tr("Open the example %1").arg(card.title), this);
        connect(widget, &QPushButton::clicked, this, [this, path = card.path] { emit fileChosen(path); });
        const auto index = static_cast<int>(m_cardWidgets.size());
        m_cards->addWidget(widget, index / 2, index % 2);
        m_cardWidgets.push_back(widget);
    }
    orderFocus();
}

void WelcomePage::setKeys(const std::vector<std::pair<QString, QString>>& keys)
{
    clearLayout(m_keys);
    int row = 0;
    for (const auto& [what, key] : keys) {
        auto* keyLabel = new QLabel(key);
        keyLabel->setFont(scaledFont(this, 0.95, QFont::DemiBold));
        auto* text = new QLabel(what);
        text->setForegroundRole(QPalette::PlaceholderText);
        m_keys->addWidget(keyLabel, row, 0);
        m_keys->addWidget(text, row++, 1);
    }
}

// Two columns where there is room for them, else one above the other.
void WelcomePage::arrange()
{
    const bool wide = width() >= em(this, 52);
    m_columns->removeWidget(m_left);
    m_columns->removeWidget(m_right);
    m_columns->addWidget(m_left, 0, 0, Qt::AlignTop);
    m_columns->addWidget(m_right, wide ? 0 : 1, wide ? 1 : 0, Qt::AlignTop);
    m_columns->setColumnStretch(0, 1);
    m_columns->setColumnStretch(1, wide ? 1 : 0);
    const int margin = std::max(em(this, 1.5), (width() - em(this, 72)) / 2);
    m_content->layout()->setContentsMargins(margin, em(this, 1.8), margin, em(this, 1.2));
}

void WelcomePage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void WelcomePage::dragEnterEvent(QDragEnterEvent* event)
{
    if (fileOf(event->mimeData()).isEmpty())
        return;
    takeAsCopy(event);
    m_target->setState(DropTarget::State::Offered);
}

void WelcomePage::dragLeaveEvent(QDragLeaveEvent*)
{
    m_target->setState(DropTarget::State::Idle);
}

void WelcomePage::dropEvent(QDropEvent* event)
{
    m_target->setState(DropTarget::State::Idle);
    takeAsCopy(event);
    emit fileChosen(fileOf(event->mimeData()));
}

} // namespace stagecraft
