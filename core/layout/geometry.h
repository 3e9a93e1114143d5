// Point, Size, Rect: plain geometry of drawings. One unit is one pixel at scale 1; y grows downwards.
#pragma once

namespace stagecraft {

struct Point
{
    double x = 0;
    double y = 0;

    friend bool operator==(const Point&, const Point&) = default;
    friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
};

struct Size
{
    double width = 0;
    double height = 0;

    friend bool operator==(const Size&, const Size&) = default;
};

struct Rect
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    double centerX() const { return x + width / 2; }
    double centerY() const { return y + height / 2; }
    bool contains(const Rect& inner) const
    {
        return inner.x >= x && inner.y >= y && inner.right() <= right() && inner.bottom() <= bottom();
    }

    friend bool operator==(const Rect&, const Rect&) = default;
};

} // namespace stagecraft
