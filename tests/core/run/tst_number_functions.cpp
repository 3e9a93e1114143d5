#include "core/run/number_functions.h"

#include <QtTest>

using namespace stagecraft;

Q_DECLARE_METATYPE(stagecraft::PythonNumber)

namespace {

constexpr std::int64_t big = std::numeric_limits<std::int64_t>::max();

PythonNumber i(std::int64_t value)
{
    return value;
}

QString textOf(const Result<PythonNumber>& number)
{
    if (!number.has_value())
        return QString::fromStdString(number.error().message);
    if (const auto* value = std::get_if<std::int64_t>(&*number))
        return QString::number(*value);
    if (const auto* value = std::get_if<double>(&*number))
        return QString::number(*value) + (*value == std::floor(*value) ? ".0" : "");
    return std::get<bool>(*number) ? "True" : "False";
}

} // namespace

class TestNumberFunctions : public QObject
{
    Q_OBJECT

private slots:
    // Expected texts are what Python prints.
    void computesWhatPythonComputes_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QList<PythonNumber>>("operands");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* target, const QList<PythonNumber>& operands, const char* expected) {
            QTest::addRow("%s %s", target, expected) << QString(target) << operands << QString(expected);
        };
        row("_operator::add", {i(2), i(3)}, "5");
        row("_operator::add", {i(2), 0.5}, "2.5");
        row("_operator::add", {true, true}, "2");
        row("_operator::add", {i(big), i(1)}, "an integer does not fit in 64 bits");
        row("_operator::mul", {i(big), i(2)}, "an integer does not fit in 64 bits");
        row("_operator::sub", {i(2), i(3)}, "-1");
        row("_operator::truediv", {i(1), i(2)}, "0.5");
        row("_operator::truediv", {i(4), i(2)}, "2.0");
        row("_operator::floordiv", {i(7), i(2)}, "3");
        row("_operator::floordiv", {i(-7), i(2)}, "-4");
        row("_operator::floordiv", {i(7), i(-2)}, "-4");
        row("_operator::floordiv", {i(-8), i(-2)}, "4");
        row("_operator::floordiv", {7.5, i(2)}, "3.0");
        row("_operator::floordiv", {i(1), i(0)}, "division by zero");
        row("_operator::mod", {i(-7), i(3)}, "2");
        row("_operator::mod", {i(7), i(-3)}, "-2");
        row("_operator::mod", {-7.5, i(2)}, "0.5");
        row("_operator::mod", {i(std::numeric_limits<std::int64_t>::min()), i(-1)}, "0");
        row("_operator::pow", {i(3), i(4)}, "81");
        row("_operator::pow", {i(2), i(62)}, "4611686018427387904");
        row("_operator::pow", {i(2), i(63)}, "an integer does not fit in 64 bits");
        row("_operator::pow", {i(-1), i(1001)}, "-1");
        row("_operator::pow", {i(2), i(-1)}, "0.5");
        row("_operator::neg", {i(3)}, "-3");
        row("_operator::eq", {i(3), 3.0}, "True");
        row("_operator::lt", {i(3), i(3)}, "False");
        row("_operator::ge", {i(3), i(3)}, "True");
        row("_operator::and_", {true, false}, "False");
        row("_operator::and_", {i(6), i(3)}, "2");
        row("_operator::or_", {true, false}, "True");
        row("_operator::lshift", {i(3), i(4)}, "48");
        row("_operator::lshift", {i(1), i(70)}, "an integer does not fit in 64 bits");
        row("_operator::rshift", {i(-5), i(1)}, "-3");
        row("math::trunc", {-2.5}, "-2");
        row("math::floor", {-2.5}, "-3");
        row("math::ceil", {-2.5}, "-2");
        row("torch::sym_int", {2.9}, "2");
        row("torch::sym_float", {i(2)}, "2.0");
        row("torch::sym_max", {i(2), i(5)}, "5");
        row("torch::sym_min", {i(2), 5.0}, "2.0");
        row("torch::sym_not", {false}, "True");
        row("torch::sym_ite", {true, i(1), i(2)}, "1");
        row("torch::_sym_sqrt", {i(9)}, "3.0");
    }

    void computesWhatPythonComputes()
    {
        QFETCH(QString, target);
        QFETCH(QList<PythonNumber>, operands);
        QFETCH(QString, expected);
        const NumberFunctionEntry* entry = findNumberFunction(target.toStdString());
        QVERIFY(entry);
        QCOMPARE(entry->operandCount, static_cast<std::size_t>(operands.size()));
        QCOMPARE(
            textOf(entry->function(std::span(operands.data(), static_cast<std::size_t>(operands.size())))),
            expected);
    }

    void knowsNothingElse()
    {
        QVERIFY(!findNumberFunction("aten::add.Tensor"));
        QVERIFY(!findNumberFunction("_operator::getitem"));
    }
};

QTEST_GUILESS_MAIN(TestNumberFunctions)
#include "tst_number_functions.moc"
