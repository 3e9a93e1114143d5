#include "core/layout/squarified.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace stagecraft;

namespace {

double overlap(const Rect& a, const Rect& b)
{
    const double width = std::min(a.right(), b.right()) - std::max(a.x, b.x);
    const double height = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
    return width > 0 && height > 0 ? width * height : 0;
}

} // namespace

class TestSquarified : public QObject
{
    Q_OBJECT

private slots:
    // The example of the paper: 6 x 4, weights 6 6 4 3 2 2 1.
    void theExampleOfThePaper()
    {
        const std::vector<double> weights{6, 6, 4, 3, 2, 2, 1};
        const std::vector<Rect> places = squarified(weights, {0, 0, 6, 4});
        QCOMPARE(places[0], (Rect{0, 0, 3, 2}));
        QCOMPARE(places[1], (Rect{0, 2, 3, 2}));
        QVERIFY(std::abs(places[2].width - 12.0 / 7) < 1e-9 && std::abs(places[2].height - 7.0 / 3) < 1e-9);
        QVERIFY(std::abs(places[3].width - 9.0 / 7) < 1e-9 && std::abs(places[3].x - 33.0 / 7) < 1e-9);
    }

    void areasAreTheWeightsAndNothingOverlaps()
    {
        const unsigned seed = std::random_device()();
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        for (int round = 0; round < 200; ++round) {
            std::vector<double> weights(1 + random() % 40);
            double sum = 0;
            for (double& weight : weights)
                sum += weight = random() % 5 == 0 ? 0 : std::exp(static_cast<double>(random() % 9));
            std::ranges::sort(weights, std::greater());
            const Rect room{3, 5, 40.0 + static_cast<double>(random() % 500),
                            20.0 + static_cast<double>(random() % 300)};
            const std::vector<Rect> places = squarified(weights, room);
            QCOMPARE(places.size(), weights.size());
            const double area = room.width * room.height;
            for (std::size_t i = 0; i < places.size() && sum > 0; ++i) {
                const Rect& place = places[i];
                QVERIFY(std::abs(place.width * place.height - weights[i] / sum * area) < 1e-6 * area);
                QVERIFY(place.x > room.x - 1e-6 && place.right() < room.right() + 1e-6);
                QVERIFY(place.y > room.y - 1e-6 && place.bottom() < room.bottom() + 1e-6);
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY(overlap(place, places[j]) < 1e-6 * area);
            }
        }
    }

    void nothingHasNoArea()
    {
        QVERIFY(squarified({}, {0, 0, 10, 10}).empty());
        const std::vector<double> weights{0, 2, 0};
        QCOMPARE(squarified(weights, {1, 2, 10, 10})[1], (Rect{1, 2, 10, 10}));
        QCOMPARE(squarified(weights, {1, 2, 10, 10})[0].width, 0.0);
        QCOMPARE(squarified(weights, {1, 2, 0, 10})[1].width, 0.0);
    }
};

QTEST_APPLESS_MAIN(TestSquarified)
#include "tst_squarified.moc"
