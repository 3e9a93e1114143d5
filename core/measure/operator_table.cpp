#include "core/measure/operator_table.h"

#include "core/base/csv_text.h"
#include "core/measure/packed_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace stagecraft {

namespace {

constexpr double floatBytes = 4;
constexpr double leastTimesHost = 4;

struct StreamingOp
{
    std::string_view name;
    OperatorClass operatorClass;
    int tensors; // read and written
};

constexpr std::array<StreamingOp, 13> streamingOps{{
    {"add", OperatorClass::Elementwise, 3},
    {"mul", OperatorClass::Elementwise, 3},
    {"div", OperatorClass::Elementwise, 3},
    {"addu", OperatorClass::Elementwise, 2},
    {"mulu", OperatorClass::Elementwise, 2},
    {"divu", OperatorClass::Elementwise, 2},
    {"relu", OperatorClass::Elementwise, 2},
    {"pow", OperatorClass::Transcendental, 3},
    {"powu", OperatorClass::Transcendental, 2},
    {"tanh", OperatorClass::Transcendental, 2},
    {"gelu", OperatorClass::Transcendental, 2},
    {"softmax", OperatorClass::Normalization, 2},
    {"ln", OperatorClass::Normalization, 2},
}};

// 0: no number above 0, or none that a size or a time could be.
double positiveNumber(std::string_view text)
{
    constexpr double most = 1e12;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool fits = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
    return fits && value >= 1 / most && value <= most ? value : 0;
}

// What a row of a table says, by column.
class TableRow
{
public:
    TableRow(const std::vector<std::string>& header, const std::vector<std::string>& cells)
    {
        for (std::size_t i = 0; i < std::min(header.size(), cells.size()); ++i)
            m_cells.emplace(header[i], cells[i]);
    }

    std::string_view text(std::string_view column) const
    {
        const auto found = m_cells.find(column);
        return found == m_cells.end() ? std::string_view{} : found->second;
    }
    double number(std::string_view column) const { return positiveNumber(text(column)); }

private:
    std::map<std::string_view, std::string_view> m_cells;
};

KernelWork productWork(const TableRow& row)
{
    const MatrixShape shape{row.number("M"), row.number("N"), row.number("K"),
                            std::max(row.number("B"), 1.0)};
    KernelWork work{.operatorClass = OperatorClass::Matrix, .flops = 2 * shape.multiplyAdds()};
    work.elements = shape.batch * shape.rows * shape.columns;
    work.bytes = floatBytes * (work.elements + shape.batch * shape.depth * (shape.rows + shape.columns));
    work.products = {shape};
    return work;
}

// None: not an operator that is known, or a size is missing.
std::optional<KernelWork> workOfRow(const TableRow& row)
{
    const std::string_view op = row.text("op");
    if (op == "bmm" || op == "linear") {
        KernelWork work = productWork(row);
        return work.flops > 0 ? std::optional(std::move(work)) : std::nullopt;
    }
    const auto found = std::ranges::find(streamingOps, op, &StreamingOp::name);
    const double elements = row.number("B") * row.number("H");
    if (found == streamingOps.end() || elements <= 0)
        return std::nullopt;
    return KernelWork{.operatorClass = found->operatorClass,
                      .bytes = floatBytes * elements * found->tensors,
                      .elements = elements};
}

void dropShortRows(OperatorTable& table)
{
    std::map<std::string, Seconds> shortest;
    for (const TimedKernel& row : table.rows) {
        const auto [place, isNew] = shortest.emplace(row.op, row.time);
        place->second = std::min(place->second, row.time);
    }
    // A table without short operators does not tell what the host takes.
    constexpr Seconds mostHost(6e-5);
    std::map<std::string, int> dropped;
    std::erase_if(table.rows, [&](TimedKernel& row) {
        const Seconds host = std::min(shortest.at(row.op), mostHost);
        // The host hands the next one over while this one runs: of a long one, about half of its time shows.
        row.besides = host / 2;
        const bool isShort = row.time < host * leastTimesHost;
        dropped[row.op] += isShort ? 1 : 0;
        return isShort;
    });
    for (const auto& [op, count] : dropped)
        if (count > 0)
            table.leftOut.push_back(std::to_string(count) + " rows of " + op +
                                    ": shorter than four times what the host takes");
}

// --------------------------------------------------------------------------------------------------- fitting

// Bytes between which curves are fitted: below, the host's time hides the kernel's.
constexpr double smallStream = 3e7, largeStream = 1e9;

void startCurve(DeviceSpec& device, OperatorClass operatorClass)
{
    EfficiencyCurve& curve = device.curves[static_cast<std::size_t>(operatorClass)];
    std::vector<std::pair<double, double>> points;
    for (const auto& point : curve.points())
        if (point.first < smallStream)
            points.push_back(point);
    points.emplace_back(smallStream, curve.isEmpty() ? device.memoryEfficiency : curve.at(smallStream));
    points.emplace_back(largeStream, curve.isEmpty() ? device.memoryEfficiency : curve.at(largeStream));
    curve = EfficiencyCurve(std::move(points));
}

// A share at each end: the curve is made anew for each that is tried.
void fitCurve(DeviceSpec& device, OperatorClass operatorClass, const TimedKernels& rows)
{
    startCurve(device, operatorClass);
    EfficiencyCurve& curve = device.curves[static_cast<std::size_t>(operatorClass)];
    double best = misfit(rows, device);
    for (double step = 1.3; step > 1.004; step = std::sqrt(step))
        for (std::size_t fromBack : {1U, 2U, 1U, 2U})
            for (const double factor : {step, 1 / step}) {
                std::vector<std::pair<double, double>> points = curve.points();
                double& share = points[points.size() - fromBack].second;
                share = std::clamp(share * factor, 0.05, 1.5);
                const EfficiencyCurve before = std::exchange(curve, EfficiencyCurve(std::move(points)));
                if (const double now = misfit(rows, device); now < best)
                    best = now;
                else
                    curve = before;
            }
}

// Two rows of three for the fit; the third one is kept.
struct Halves
{
    TimedKernels fitted, kept;
};

template <typename Predicate>
Halves halvesOf(const OperatorTable& table, Predicate belongs)
{
    Halves halves;
    std::size_t i = 0;
    for (const TimedKernel& row : table.rows)
        if (belongs(row))
            (i++ % 3 == 2 ? halves.kept : halves.fitted).push_back(&row);
    // More rows tell no more, and take longer.
    constexpr std::size_t enough = 3000;
    if (const std::size_t stride = halves.fitted.size() / enough; stride > 1) {
        TimedKernels some;
        for (std::size_t k = 0; k < halves.fitted.size(); k += stride)
            some.push_back(halves.fitted[k]);
        halves.fitted = std::move(some);
    }
    return halves;
}

class Fit
{
public:
    Fit(const DeviceSpec& base, const OperatorTable& table) : m_base(base), m_table(table)
    {
        m_result.device = base;
    }

    FittedDevice run()
    {
        products("linear", "single products", &KernelRates::single, "kernels.single_products.f32");
        products("bmm", "batched products", &KernelRates::batched, "kernels.batched_products.f32");
        streams(OperatorClass::Elementwise);
        streams(OperatorClass::Transcendental);
        streams(OperatorClass::Normalization);
        noteAccuracy();
        return std::move(m_result);
    }

private:
    static constexpr std::size_t leastRows = 12;

    void products(std::string_view op, const std::string& kind, RateMap rates, const std::string& field)
    {
        const Halves halves = halvesOf(m_table, [&](const TimedKernel& row) { return row.op == op; });
        if (!isEnough(kind, halves))
            return;
        fitTiledProducts(m_result.device, rates, DType::F32, halves.fitted);
        finish(kind, field, halves);
        m_keptProducts.insert(m_keptProducts.end(), halves.kept.begin(), halves.kept.end());
    }

    void streams(OperatorClass operatorClass)
    {
        const Halves halves = halvesOf(
            m_table, [&](const TimedKernel& row) { return row.work.operatorClass == operatorClass; });
        const std::string name(operatorClassName(operatorClass));
        if (!isEnough(name, halves))
            return;
        fitCurve(m_result.device, operatorClass, halves.fitted);
        finish(name, "curves." + name, halves);
    }

    bool isEnough(const std::string& kind, const Halves& halves)
    {
        const std::size_t rows = halves.fitted.size() + halves.kept.size();
        if (halves.fitted.size() < leastRows && rows > 0)
            m_result.leftOut.push_back(std::to_string(rows) + " rows of " + kind +
                                       ": too few to fit anything to");
        return halves.fitted.size() >= leastRows;
    }

    void finish(const std::string& kind, const std::string& field, const Halves& halves)
    {
        m_result.device.sources[field] = {FigureBasis::Fitted, std::to_string(halves.fitted.size()) +
                                                                   " rows of " + m_table.gpu +
                                                                   ", operators timed alone in float32"};
        m_result.errors.push_back({kind, static_cast<int>(halves.fitted.size()),
                                   static_cast<int>(halves.kept.size()), meanError(halves.kept, m_base),
                                   meanError(halves.kept, m_result.device)});
        m_kept.insert(m_kept.end(), halves.kept.begin(), halves.kept.end());
    }

    void noteAccuracy()
    {
        const TimedKernels& kept = m_keptProducts.empty() ? m_kept : m_keptProducts;
        const std::string sort = m_keptProducts.empty() ? "rows" : "matrix products";
        if (kept.empty())
            return;
        std::vector<double> errors;
        for (const TimedKernel* row : kept)
            errors.push_back(std::abs(predictedSeconds(*row, m_result.device) / row->time.value() - 1));
        std::ranges::sort(errors);
        m_result.device.accuracy = {{"operators", sort + " of " + m_table.gpu + " kept out of the fit",
                                     static_cast<int>(errors.size()), meanError(kept, m_result.device),
                                     errors[errors.size() * 4 / 5]}};
    }

    const DeviceSpec& m_base;
    const OperatorTable& m_table;
    FittedDevice m_result;
    TimedKernels m_kept, m_keptProducts;
};

Error tableError(const std::filesystem::path& path, const std::string& why)
{
    return {ErrorCode::BadFormat, path.string() + ": " + why};
}

Result<void> checkHeader(const std::filesystem::path& path, const std::vector<std::string>& header)
{
    for (const std::string_view column : {"gpu", "op", "ms"})
        if (std::ranges::find(header, column) == header.end())
            return tableError(path, "its first line must name the columns, and has no '" +
                                        std::string(column) + "'");
    return {};
}

// "'A', 'B'"
std::string gpuList(const std::set<std::string, std::less<>>& gpus)
{
    std::string text;
    for (const std::string& gpu : gpus)
        text += (text.empty() ? "'" : ", '") + gpu + "'";
    return text;
}

Error noRows(const std::filesystem::path& path, const OperatorTable& table,
             const std::set<std::string, std::less<>>& others)
{
    if (!table.leftOut.empty())
        return tableError(path, "has no rows of '" + table.gpu + "' that are long enough to tell");
    return tableError(path, others.empty() ? "has no rows"
                                           : "has no rows of '" + table.gpu + "', but of " + gpuList(others));
}

} // namespace

Result<OperatorTable> readOperatorTable(const std::filesystem::path& path, const std::string& gpu)
{
    STAGECRAFT_ASSIGN(text, readPackedText(path));
    OperatorTable table{.gpu = gpu};
    std::vector<std::string> header;
    std::set<std::string, std::less<>> others;
    for (CsvRows rows(text); rows.next();) {
        if (header.empty()) {
            STAGECRAFT_TRY(checkHeader(path, rows.fields()));
            header = rows.fields();
            continue;
        }
        const TableRow row(header, rows.fields());
        if (table.gpu.empty())
            table.gpu = row.text("gpu");
        if (row.text("gpu") != table.gpu) {
            others.emplace(row.text("gpu"));
            continue;
        }
        std::optional<KernelWork> work = workOfRow(row);
        if (!work || row.number("ms") <= 0)
            return tableError(path, "line " + std::to_string(rows.line()) +
                                        " must have an operator that is known, its sizes and its time in ms");
        table.rows.push_back(
            {std::string(row.text("op")), std::move(*work), Seconds(row.number("ms") * 1e-3), {}});
    }
    if (!others.empty() && gpu.empty()) {
        others.insert(table.gpu);
        return tableError(path, "has rows of several GPUs; say --gpu with one of " + gpuList(others));
    }
    dropShortRows(table);
    if (table.rows.empty())
        return noRows(path, table, others);
    return table;
}

Result<FittedDevice> fitDevice(const DeviceSpec& base, const OperatorTable& table)
{
    if (base.kind != "cuda")
        return Error{ErrorCode::BadUsage, "the table is of a GPU, and '" + base.id + "' is none"};
    FittedDevice fitted = Fit(base, table).run();
    if (fitted.errors.empty())
        return Error{ErrorCode::BadFormat, "nothing can be fitted to the rows of '" + table.gpu +
                                               "': there are too few of each kind"};
    return fitted;
}

} // namespace stagecraft
