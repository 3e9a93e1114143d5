#include "core/profile/device/device.h"

#include "core/base/json_text.h"
#include "core/base/near_names.h"
#include "core/base/text_file.h"
#include "core/profile/device/device_sibling.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::array basisNames{"datasheet", "published", "fitted", "assumed"};

std::optional<FigureBasis> basisFromName(const std::string& name)
{
    for (std::size_t i = 0; i < basisNames.size(); ++i)
        if (name == basisNames[i])
            return static_cast<FigureBasis>(i);
    return std::nullopt;
}

// Beyond, sums of times would leave what a number can hold.
bool isFigure(double value)
{
    return value >= 1e-18 && value <= 1e24;
}

// Reads the fields of one device file and remembers the first that is missing or makes no sense.
class FieldReader
{
public:
    FieldReader(const fs::path& path, const json& document) : m_path(path), m_document(document) {}

    std::string text(const char* field)
    {
        if (const auto found = m_document.find(field); found != m_document.end() && found->is_string())
            return *found;
        fail(field, "must be a text");
        return {};
    }

    double positive(const char* field) { return positive(m_document, field); }

    double positive(const json& object, const std::string& field)
    {
        const auto found = object.find(field);
        if (found != object.end() && found->is_number()) {
            const double value = found->get<double>();
            if (isFigure(value))
                return value;
            if (value > 0)
                fail(field, "is out of all proportion");
        }
        fail(field, "must be a number above 0");
        return 1;
    }

    double atLeastZero(const char* field)
    {
        const auto found = m_document.find(field);
        if (found != m_document.end() && found->is_number() && found->get<double>() >= 0)
            return found->get<double>();
        fail(field, "must be a number, 0 or more");
        return 0;
    }

    double share(const char* field)
    {
        const double value = positive(field);
        if (value > 1)
            fail(field, "must be at most 1");
        return value;
    }

    std::map<DType, double> peaks(const char* field)
    {
        std::map<DType, double> peaks;
        const json object = objectOr(field, nullptr, "element type to FLOP/s");
        for (const auto& [name, value] : object.items()) {
            if (const std::optional<DType> dtype = dtypeFromShortName(name))
                peaks[*dtype] = positive(object, name);
            else
                fail(field, "'" + name + "' is not an element type");
        }
        if (!peaks.contains(DType::F32))
            fail(field, "must have f32");
        return peaks;
    }

    bool has(const char* field) const { return m_document.contains(field); }

    // Of an optional field: 0 where it is not there.
    double optional(const char* field) { return has(field) ? positive(field) : 0; }

    std::array<EfficiencyCurve, operatorClassCount> curves(const char* field)
    {
        std::array<EfficiencyCurve, operatorClassCount> curves;
        const json object = objectOr(field, json::object(), "class of operators to points [work, share]");
        for (const auto& [name, points] : object.items()) {
            if (const std::optional<OperatorClass> operatorClass = operatorClassFromName(name))
                curves[static_cast<std::size_t>(*operatorClass)] =
                    curve(std::string(field) + "." + name, points);
            else
                fail(field, "'" + name + "' is not a class of operators");
        }
        return curves;
    }

    std::map<std::string, OperatorTimes, std::less<>> operators(const char* field)
    {
        std::map<std::string, OperatorTimes, std::less<>> operators;
        const json object = objectOr(field, json::object(), "operator to points [bytes, seconds]");
        for (const auto& [name, rows] : object.items()) {
            const std::string at = std::string(field) + "." + name;
            const bool byShape = rows.is_array() && !rows.empty() && rows.front().is_array() &&
                                 rows.front().size() == shapeWidth;
            operators.emplace(name, byShape ? OperatorTimes(shapeTimes(at, rows))
                                            : OperatorTimes(byteTimes(at, rows)));
        }
        return operators;
    }

    std::vector<MatrixTile> tiles(const char* field)
    {
        std::vector<MatrixTile> tiles;
        const auto found = m_document.find(field);
        if (found == m_document.end())
            return tiles;
        for (const std::vector<double>& row : numbers(field, *found, 3)) {
            const bool fits = row[0] >= 1 && row[0] <= 4096 && row[1] >= 1 && row[1] <= 4096 &&
                              row[2] >= 1e-9 && row[2] <= 1;
            if (!fits)
                fail(field, "must hold [rows, columns, efficiency], the efficiency above 0 and at most 1");
            else
                tiles.push_back({static_cast<int>(row[0]), static_cast<int>(row[1]), row[2]});
        }
        return tiles;
    }

    KernelRates kernels(const char* field)
    {
        KernelRates kernels;
        const json object = objectOr(field, json::object(), "a name to a rate");
        for (const auto& [name, value] : object.items())
            if (name == "single_products")
                kernels.single = products(std::string(field) + "." + name, value);
            else if (name == "batched_products")
                kernels.batched = products(std::string(field) + "." + name, value);
            else if (double* const rate = kernelRate(kernels, name))
                *rate = positive(object, name);
            else
                fail(field, "'" + name + "' is not a rate of kernels");
        return kernels;
    }

    std::vector<Accuracy> accuracy(const char* field)
    {
        std::vector<Accuracy> list;
        const json document = m_document.value(field, json::array());
        for (const json& entry : document) {
            const auto isText = [&](const char* name) {
                return entry.contains(name) && entry[name].is_string();
            };
            const auto isNumber = [&](const char* name) {
                return entry.contains(name) && entry[name].is_number() && entry[name].get<double>() >= 0 &&
                       entry[name].get<double>() <= 1e6;
            };
            if (entry.is_object() && isText("what") && isText("against") && isNumber("cases") &&
                isNumber("mean_error") && isNumber("usual_error"))
                list.push_back({entry["what"], entry["against"],
                                static_cast<int>(entry["cases"].get<double>()), entry["mean_error"],
                                entry["usual_error"], isText("of") ? entry["of"] : json("")});
            else
                fail(field,
                     "must be a list of objects with what, against, cases, mean_error and usual_error");
        }
        return list;
    }

    std::map<std::string, FigureSource> sources(const char* field)
    {
        std::map<std::string, FigureSource> sources;
        const auto found = m_document.find(field);
        if (found == m_document.end())
            return sources;
        for (const auto& [name, entry] : found->items()) {
            const bool fits = entry.is_object() && entry.contains("basis") && entry["basis"].is_string() &&
                              entry.contains("from") && entry["from"].is_string();
            const auto basis = fits ? basisFromName(entry["basis"].get<std::string>()) : std::nullopt;
            if (basis)
                sources[name] = {*basis, entry["from"].get<std::string>()};
            else
                fail(std::string(field) + "." + name,
                     "must have 'basis' (datasheet, published, fitted or assumed) and 'from'");
        }
        return sources;
    }

    void fail(const std::string& field, const std::string& why)
    {
        if (!m_error)
            m_error = Error{ErrorCode::BadFormat, m_path.string() + ": field '" + field + "' " + why};
    }

    const std::optional<Error>& error() const { return m_error; }

private:
    // Of a peak; a little above 1 where a chip runs faster than its datasheet.
    static bool isShare(double value) { return value >= 1e-9 && value <= 1e6; }

    // An object from what to what; where there is no such field, what is `absent`.
    json objectOr(const char* field, json absent, const char* fromWhatToWhat)
    {
        json object = m_document.value(field, std::move(absent));
        if (object.is_object())
            return object;
        fail(field, std::string("must be an object from ") + fromWhatToWhat);
        return json::object();
    }

    static double* kernelRate(KernelRates& kernels, const std::string& name)
    {
        return name == "depthwise"       ? &kernels.depthwise
               : name == "narrow_groups" ? &kernels.narrowGroups
               : name == "wide_groups"   ? &kernels.wideGroups
               : name == "transposing"   ? &kernels.transposing
               : name == "list_launch"   ? &kernels.listLaunch
                                         : nullptr;
    }

    // Numbers of a product's row, in its order; what may be left out is 0.
    static std::optional<std::array<double, 6>> productNumbers(const json& row)
    {
        if (!row.is_array() || (row.size() != 3 && row.size() != 6))
            return std::nullopt;
        std::array<double, 6> numbers{};
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (!row[i].is_number())
                return std::nullopt;
            numbers[i] = row[i].get<double>();
        }
        return numbers;
    }

    static std::optional<ProductRate> productRate(const json& row)
    {
        const auto numbers = productNumbers(row);
        if (!numbers)
            return std::nullopt;
        const auto [share, depth, waveLoss, depthStep, rows, columns] = *numbers;
        const bool hasTile = row.size() == 6;
        const auto isSide = [](double side) { return side >= 1 && side <= 4096; };
        const bool fits = isShare(share) && depth >= 0 && depth <= 1e6 && waveLoss >= 0 && waveLoss <= 1 &&
                          depthStep >= 0 && depthStep <= 4096 &&
                          (!hasTile || (isSide(rows) && isSide(columns)));
        if (!fits)
            return std::nullopt;
        ProductRate rate{share, {depth, waveLoss, depthStep}};
        if (hasTile)
            rate.tiles = {{static_cast<int>(rows), static_cast<int>(columns), 1}};
        return rate;
    }

    std::map<DType, ProductRate> products(const std::string& field, const json& object)
    {
        std::map<DType, ProductRate> rates;
        for (const auto& [name, row] : object.items()) {
            const std::optional<ProductRate> rate = object.is_object() ? productRate(row) : std::nullopt;
            if (!rate)
                fail(field, "must be an object from element type to [share, depth, wave loss], if need be "
                            "followed by the step of the depth, then rows and columns of a tile");
            else if (const std::optional<DType> dtype = dtypeFromShortName(name))
                rates.insert_or_assign(*dtype, *rate);
            else
                fail(field, "'" + name + "' is not an element type");
        }
        return rates;
    }

    // Rows of `width` finite numbers each.
    std::vector<std::vector<double>> numbers(const std::string& field, const json& list, std::size_t width)
    {
        std::vector<std::vector<double>> rows;
        const auto isNumber = [](const json& value) {
            return value.is_number() && std::isfinite(value.get<double>());
        };
        const bool isList = list.is_array() && !list.empty();
        for (const json& row : isList ? list : json::array()) {
            if (!row.is_array() || row.size() != width || !std::ranges::all_of(row, isNumber)) {
                fail(field, "must be a list of lists of " + std::to_string(width) + " numbers");
                return {};
            }
            rows.push_back(row.get<std::vector<double>>());
        }
        if (!isList)
            fail(field, "must be a list of lists of " + std::to_string(width) + " numbers");
        return rows;
    }

    std::vector<std::pair<double, double>> byteTimes(const std::string& field, const json& list)
    {
        std::vector<std::pair<double, double>> points;
        for (const std::vector<double>& row : numbers(field, list, 2)) {
            if (row[0] < 0 || (!points.empty() && row[0] <= points.back().first) || !isFigure(row[1]))
                fail(field, "must hold [bytes, seconds] by rising bytes, the seconds above 0");
            else
                points.emplace_back(row[0], row[1]);
        }
        if (points.empty())
            points.emplace_back(0, 1); // a failure is noted; never seen
        return points;
    }

    std::vector<ShapeTime> shapeTimes(const std::string& field, const json& list)
    {
        std::vector<ShapeTime> shapes;
        for (const std::vector<double>& row : numbers(field, list, shapeWidth)) {
            if (!std::ranges::all_of(row, isFigure))
                fail(field, "must hold [rows, columns, depth, batch, seconds], all above 0");
            else
                shapes.push_back({{row[0], row[1], row[2], row[3]}, Seconds(row[4])});
        }
        if (shapes.empty())
            shapes.push_back({{1, 1, 1, 1}, Seconds(1)});
        return shapes;
    }

    EfficiencyCurve curve(const std::string& field, const json& list)
    {
        std::vector<std::pair<double, double>> points;
        for (const std::vector<double>& row : numbers(field, list, 2)) {
            const double before = points.empty() ? 0 : points.back().first;
            if (row[0] <= before || !isShare(row[1]))
                fail(field, "must hold [work, share] by rising work, the share above 0");
            else
                points.emplace_back(row[0], row[1]);
        }
        return EfficiencyCurve(std::move(points));
    }

    static constexpr std::size_t shapeWidth = 5; // rows, columns, depth, batch, seconds

    const fs::path& m_path;
    const json& m_document;
    std::optional<Error> m_error;
};

Result<json> jsonOf(std::string_view text, const fs::path& path)
{
    STAGECRAFT_ASSIGN(document, parseJson<json>(text, path.string()));
    if (!document.is_object())
        return Error{ErrorCode::BadFormat, path.string() + ": is not a JSON object"};
    return withSibling(std::move(document), path);
}

// What the program takes to hand operators over. A figure of views, or of a backward pass's, goes beside that
// of operators and does not stand for it.
void readHost(FieldReader& read, DeviceSpec& device)
{
    device.dispatchOverhead = Seconds(read.optional("dispatch_overhead"));
    device.backwardDispatch = Seconds(read.optional("backward_dispatch_overhead"));
    device.host.view = Seconds(read.optional("view_dispatch_overhead"));
    device.host.backwardView = Seconds(read.optional("backward_view_dispatch_overhead"));
    if (read.has("unrecorded_dispatch"))
        device.host.unrecorded = read.share("unrecorded_dispatch");
    if (read.has("view_dispatch_overhead") && !read.has("dispatch_overhead"))
        read.fail("view_dispatch_overhead", "wants 'dispatch_overhead' beside it");
    if (read.has("backward_view_dispatch_overhead") && !read.has("view_dispatch_overhead"))
        read.fail("backward_view_dispatch_overhead", "wants 'view_dispatch_overhead' beside it");
    device.host.gradient = Seconds(read.optional("gradient_overhead"));
    device.host.optimizerStep = Seconds(read.optional("optimizer_overhead"));
    device.host.optimizerHandover = Seconds(read.optional("optimizer_dispatch_overhead"));
}

} // namespace

std::string_view basisName(FigureBasis basis)
{
    return basisNames[static_cast<std::size_t>(basis)];
}

Result<DeviceSpec> readDevice(const fs::path& path)
{
    constexpr Bytes most(std::int64_t{4} << 20);
    STAGECRAFT_ASSIGN(text, readTextFile(path, most));
    return deviceFromText(text, path);
}

Result<DeviceSpec> deviceFromText(std::string_view text, const fs::path& path)
{
    STAGECRAFT_ASSIGN(document, jsonOf(text, path));
    FieldReader read(path, document);
    DeviceSpec device;
    device.id = path.stem().string();
    device.name = read.text("name");
    device.kind = read.text("kind");
    device.provenance = read.text("provenance");
    device.peakFlops = read.peaks("peak_flops");
    device.tf32Flops = read.optional("tf32_flops");
    device.vectorFlops = read.positive("vector_flops");
    device.memoryBandwidth = read.positive("memory_bandwidth");
    device.linkBandwidth = read.positive("link_bandwidth");
    device.linkLatency = Seconds(read.positive("link_latency"));
    device.launchOverhead = Seconds(read.positive("launch_overhead"));
    readHost(read, device);
    device.memory = Bytes(std::llround(std::min(read.positive("memory_bytes"), 9e18)));
    device.contextMemory = Bytes(std::llround(std::min(read.atLeastZero("context_bytes"), 9e18)));
    device.matrixEfficiency = read.share("matrix_efficiency");
    device.memoryEfficiency = read.share("memory_efficiency");
    device.curves = read.curves("curves");
    device.operators = read.operators("operators");
    device.tiles = read.tiles("matrix_tiles");
    device.multiprocessors = static_cast<int>(std::min(read.optional("multiprocessors"), 1e6));
    device.kernels = read.kernels("kernels");
    device.kernels.cache = Bytes(std::llround(std::min(read.optional("cache_bytes"), 9e18)));
    device.accuracy = read.accuracy("accuracy");
    device.sources = read.sources("sources");
    if (device.kind == "cuda") {
        device.sources.try_emplace("kernels.list_launch", usualListLaunch());
        device.computeCapability = static_cast<int>(std::min(read.positive("compute_capability"), 1e6));
    } else if (device.kind != "cpu")
        read.fail("kind", "must be 'cuda' or 'cpu'");
    if (read.error())
        return *read.error();
    return device;
}

FigureSource usualListLaunch()
{
    return {FigureBasis::Assumed, "as many cycles as on an NVIDIA H100 (tests/data/truth/README.md)"};
}

bool isSameDevice(const DeviceSpec& a, const DeviceSpec& b)
{
    return a.id == b.id && deviceJson(a) == deviceJson(b);
}

Result<std::vector<DeviceSpec>> readDevices(const fs::path& folder)
{
    std::error_code problem;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    if (problem)
        return Error{ErrorCode::NotFound, folder.string() + ": the folder of device files cannot be read"};
    std::ranges::sort(files, {}, [](const fs::path& file) { return file.stem(); });
    std::vector<DeviceSpec> devices;
    for (const fs::path& file : files) {
        STAGECRAFT_ASSIGN(device, readDevice(file));
        devices.push_back(std::move(device));
    }
    return devices;
}

Result<DeviceSpec> findDevice(const std::vector<DeviceSpec>& devices, std::string_view id)
{
    std::vector<std::string> known;
    std::string list;
    for (const DeviceSpec& device : devices) {
        if (device.id == id)
            return device;
        known.push_back(device.id);
        list += (list.empty() ? "" : ", ") + device.id;
    }
    return Error{ErrorCode::BadUsage, "there is no device '" + std::string(id) + "'" +
                                          didYouMean(nearNames(id, known)) + "; there are " +
                                          (list.empty() ? "none" : list)};
}

} // namespace stagecraft
