// StepArea: a filled step curve, a column of pixels at a time.
//
// QCustomPlot fills a curve as one polygon, which takes Qt tens of milliseconds where thousands of ops go up
// and down. Here each pixel column is one rectangle, as high as the highest op in it: no peak is lost, and
// the cost depends on the width of the window and not on the number of ops.
#pragma once

#include <qcustomplot.h>

#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

struct AreaColumn
{
    int left = 0; // pixels, right exclusive
    int right = 0;
    double value = 0;

    friend bool operator==(const AreaColumn&, const AreaColumn&) = default;
};

// Which of the steps that share a pixel is drawn: the one farthest from zero, or the one nearest to it.
enum class Keep { Farthest, Nearest };

// Columns from `leftmost` to `rightmost` (pixels) of steps that lie between edges[i] and edges[i + 1], where
// x is drawn at offset + scale * x.
std::vector<AreaColumn> areaColumns(std::span<const double> edges, std::span<const double> values,
                                    double scale, double offset, int leftmost, int rightmost,
                                    Keep keep = Keep::Farthest);

class StepArea : public QCPAbstractPlottable
{
    Q_OBJECT

public:
    // values.size() + 1 == edges.size(). Filled from `base`.
    StepArea(QCPAxis* keyAxis, QCPAxis* valueAxis, std::vector<double> edges, std::vector<double> values,
             double base = 0, Keep keep = Keep::Farthest);

    double selectTest(const QPointF& position, bool onlySelectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    std::vector<double> m_edges;
    std::vector<double> m_values;
    double m_base;
    Keep m_keep;
};

// Where a label of `size` stands beside strokes around `place`: on their right, or on their left where there
// is no room, and inside `room`.
QRectF labelBeside(QPointF place, QSizeF size, double stroke, const QRectF& room);

// Marks where columns are taller than the scale: two strokes across each, and how tall it really is. Labels
// that would lie on one another are left out. What stands right of the axes is theirs, too (rightOf()).
class CutMarks : public QCPAbstractPlottable
{
    Q_OBJECT

public:
    struct Cut
    {
        double x;     // middle of the column
        double value; // where the strokes are; below zero: the column hangs
        QString label;
    };
    // How much room on the right of the axes the label of a column at their end takes.
    static int rightOf(const QString& label, const QFont& font);
    // `ground` is what the strokes are drawn on.
    CutMarks(QCPAxis* keyAxis, QCPAxis* valueAxis, std::vector<Cut> cuts, const QColor& ground);

    void setFont(const QFont& font) { m_font = font; }
    // Labels keep below so many pixels at the top, where other words come and go.
    void setTitleHeight(double height) { m_titleHeight = height; }
    double selectTest(const QPointF& position, bool onlySelectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}
    QRect clipRect() const override;

private:
    static double strokeOf(const QFont& font); // half of its width
    QRectF drawStrokes(QPainter& painter, QPointF place, double stroke) const;
    std::optional<QRectF> drawLabel(QPainter& painter, const QString& text, QPointF place, double stroke,
                                    const std::vector<QRectF>& taken) const;

    std::vector<Cut> m_cuts;
    QColor m_ground;
    QFont m_font;
    double m_titleHeight = 0;
};

// Upright bands over all charts: what is selected. One object, so that no paint buffer has to be made anew
// when their number changes.
class Bands : public QCPLayerable
{
    Q_OBJECT

public:
    Bands(QCustomPlot* plot, const QString& layer) : QCPLayerable(plot, layer) {}

    void setBands(std::vector<QRect> bands) { m_bands = std::move(bands); }
    void setColor(const QColor& color) { m_color = color; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    std::vector<QRect> m_bands;
    QColor m_color;
};

} // namespace stagecraft
