// What colours stand for, how a person chooses it, and the legend that says so.
#pragma once

#include <QColor>
#include <QComboBox>
#include <QString>
#include <QWidget>

#include <array>
#include <utility>
#include <vector>

namespace stagecraft {

enum class ColorBy { Stage, Time, Memory, OpKind, DType, Origin, Own };
inline constexpr std::array allColorings{ColorBy::Stage, ColorBy::Time,   ColorBy::Memory, ColorBy::OpKind,
                                         ColorBy::DType, ColorBy::Origin, ColorBy::Own};

QString colorByName(ColorBy colorBy); // "Time"

class ColorBySelector : public QComboBox
{
    Q_OBJECT

public:
    explicit ColorBySelector(QWidget* parent = nullptr);

    ColorBy colorBy() const;
    void setColorBy(ColorBy colorBy); // one that it offers
    // Own figures are there only while there are any; without them it goes back to stages.
    void setHasOwn(bool hasOwn);
    bool offers(ColorBy colorBy) const { return findData(int(colorBy)) >= 0; }

signals:
    void colorByChanged(ColorBy colorBy);
    void offersChanged();
};

// The legend of one of three scales: numbered stages, viridis from one figure to another, or named colours.
class Legend : public QWidget
{
    Q_OBJECT

public:
    explicit Legend(QWidget* parent = nullptr);

    void setStages(std::size_t count);
    // "Time, log scale" between "1.2 us" and "3.4 ms".
    void setHeat(const QString& title, const QString& smallest, const QString& largest);
    void setCategories(const QString& title, std::vector<std::pair<QString, QColor>> categories);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    enum class Kind { Nothing, Stages, Heat, Categories };
    void setKind(Kind kind, const QString& title);
    void paintStages(QPainter& painter) const;
    void paintHeat(QPainter& painter) const;
    void paintCategories(QPainter& painter) const;

    Kind m_kind = Kind::Nothing;
    QString m_title;
    std::size_t m_stageCount = 0;
    QString m_smallest;
    QString m_largest;
    std::vector<std::pair<QString, QColor>> m_categories;
};

} // namespace stagecraft
