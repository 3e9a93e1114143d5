#include "core/script/plain_operators.h"

#include "core/base/contains.h"

#include <ATen/core/ivalue.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace stagecraft {

namespace {

constexpr std::size_t maxMade = 1'000'000; // of a list or text that a script makes

constexpr std::array<std::string_view, 143> names{
    // numbers
    "aten::Bool",
    "aten::Complex",
    "aten::Float",
    "aten::FloatImplicit",
    "aten::Int",
    "aten::IntImplicit",
    "aten::ScalarImplicit",
    "aten::ComplexImplicit",
    "aten::__and__",
    "aten::__or__",
    "aten::__xor__",
    "aten::__not__",
    "aten::__lshift__",
    "aten::__rshift__",
    "aten::__round_to_zero_floordiv",
    "aten::acos",
    "aten::acosh",
    "aten::add",
    "aten::angle",
    "aten::asin",
    "aten::asinh",
    "aten::atan",
    "aten::atan2",
    "aten::atanh",
    "aten::ceil",
    "aten::copysign",
    "aten::cos",
    "aten::cosh",
    "aten::degrees",
    "aten::div",
    "aten::divmod",
    "aten::eq",
    "aten::erf",
    "aten::erfc",
    "aten::exp",
    "aten::expm1",
    "aten::fabs",
    "aten::factorial",
    "aten::floor",
    "aten::floordiv",
    "aten::fmod",
    "aten::frexp",
    "aten::gamma",
    "aten::gcd",
    "aten::ge",
    "aten::gt",
    "aten::isfinite",
    "aten::isinf",
    "aten::isnan",
    "aten::ldexp",
    "aten::le",
    "aten::lgamma",
    "aten::log",
    "aten::log10",
    "aten::log1p",
    "aten::lt",
    "aten::mathremainder",
    "aten::modf",
    "aten::mul",
    "aten::ne",
    "aten::neg",
    "aten::polar",
    "aten::pow",
    "aten::radians",
    "aten::remainder",
    "aten::round",
    "aten::sin",
    "aten::sinh",
    "aten::sqrt",
    "aten::sub",
    "aten::sum",
    "aten::tan",
    "aten::tanh",
    "aten::all",
    "aten::any",
    "prim::abs",
    "prim::max",
    "prim::min",
    // texts
    "aten::__contains__",
    "aten::capitalize",
    "aten::chr",
    "aten::count",
    "aten::endswith",
    "aten::find",
    "aten::format",
    "aten::hash",
    "aten::hex",
    "aten::bin",
    "aten::oct",
    "aten::ord",
    "aten::isalnum",
    "aten::isalpha",
    "aten::isdigit",
    "aten::islower",
    "aten::isupper",
    "aten::isspace",
    "aten::join",
    "aten::lower",
    "aten::upper",
    "aten::lstrip",
    "aten::rstrip",
    "aten::strip",
    "aten::replace",
    "aten::rfind",
    "aten::split",
    "aten::startswith",
    "aten::str",
    "aten::title",
    "aten::percentFormat",
    "prim::StringIndex",
    // lists, dicts, tuples
    "aten::Delete",
    "aten::__derive_index",
    "aten::__getitem__",
    "aten::__range_length",
    "aten::_infer_size",
    "aten::_set_item",
    "aten::append",
    "aten::broadcast_shapes",
    "aten::clear",
    "aten::copy",
    "aten::dict",
    "aten::extend",
    "aten::get",
    "aten::index",
    "aten::insert",
    "aten::items",
    "aten::keys",
    "aten::len",
    "aten::list",
    "aten::pop",
    "aten::popitem",
    "aten::remove",
    "aten::reverse",
    "aten::setdefault",
    "aten::slice",
    "aten::sort",
    "aten::sorted",
    "aten::update",
    "aten::values",
    "prim::TupleIndex",
    "prim::rangelist",
    // what is known of a tensor, and tensors of numbers
    "aten::size",
    "aten::tensor",
};

// Further ones of the last kind.
constexpr std::array<std::string_view, 12> tensorNames{"aten::_list_to_tensor",
                                                       "aten::as_tensor",
                                                       "aten::is_scripting",
                                                       "aten::has_torch_function",
                                                       "aten::_get_tracing_state",
                                                       "aten::stride",
                                                       "aten::element_size",
                                                       "prim::NumToTensor",
                                                       "prim::dtype",
                                                       "prim::layout",
                                                       "prim::unchecked_unwrap_optional",
                                                       "prim::itemsize"};

// Properties that a strided tensor on the person's device has not.
constexpr std::array<std::string_view, 12> unusualKinds{
    "prim::is_meta",   "prim::is_nested", "prim::is_sparse", "prim::is_sparse_csr",
    "prim::is_mkldnn", "prim::is_vulkan", "prim::is_ipu",    "prim::is_quantized",
    "prim::is_xla",    "prim::is_mps",    "prim::is_xpu",    "prim::is_maia"};

std::size_t sizeOf(const c10::IValue& value)
{
    if (value.isString())
        return value.toStringRef().size();
    if (value.isList())
        return value.toListRef().size();
    return value.isGenericDict() ? value.toGenericDict().size() : 0;
}

std::int64_t numberAt(const std::vector<c10::IValue>& arguments, std::size_t index)
{
    return index < arguments.size() && arguments[index].isInt() ? arguments[index].toInt() : 0;
}

} // namespace

bool isPlainOperator(std::string_view name)
{
    return contains(names, name) || contains(tensorNames, name);
}

bool isUnusualKind(std::string_view name)
{
    return contains(unusualKinds, name);
}

const c10::IValue& followedContext(const c10::IValue& context)
{
    const c10::ivalue::Object& object = context.toObjectRef();
    const bool isAutocast = object.name().find("autocast_mode.") != std::string::npos;
    const bool isOff = object.type()->hasAttribute("_enabled") && object.getAttr("_enabled").isBool() &&
                       !object.getAttr("_enabled").toBool();
    TORCH_CHECK(!isAutocast || isOff,
                "it switches torch.autocast on, whose types are only known when it runs: export the model in "
                "Python (torch.export.export, or stagecraft-cli import), or leave it out and profile with "
                "--precision autocast-bf16");
    return context;
}

void checkPlainCall(std::string_view name, const std::vector<c10::IValue>& arguments)
{
    static constexpr std::array<std::string_view, 6> divisions{
        "aten::floordiv", "aten::remainder", "aten::divmod", "aten::__round_to_zero_floordiv",
        "aten::fmod",     "aten::div"};
    TORCH_CHECK(!contains(divisions, name) || numberAt(arguments, 1) != -1 ||
                    numberAt(arguments, 0) != std::numeric_limits<std::int64_t>::min(),
                "the quotient does not fit into 64 bits");
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    TORCH_CHECK(name != "aten::gcd" || (numberAt(arguments, 0) != least && numberAt(arguments, 1) != least),
                "the divisor does not fit into 64 bits");
    std::size_t size = 0;
    for (const c10::IValue& argument : arguments)
        size += sizeOf(argument);
    static constexpr std::array<std::string_view, 5> widenings{"aten::zfill", "aten::expandtabs",
                                                               "aten::ljust", "aten::rjust", "aten::center"};
    if (contains(widenings, name))
        size *= static_cast<std::size_t>(
            std::clamp<std::int64_t>(numberAt(arguments, 1), 1, std::int64_t{maxMade} + 1));
    if (name == "aten::mul" && size > 0) // a list, several times
        for (std::size_t i = 0; i < arguments.size(); ++i)
            size *= static_cast<std::size_t>(std::clamp<std::int64_t>(
                arguments[i].isInt() ? arguments[i].toInt() : 1, 1, std::int64_t{maxMade} + 1));
    if (name == "prim::rangelist")
        size = static_cast<std::size_t>(std::max<std::int64_t>(numberAt(arguments, 0), 0));
    if (name == "aten::replace" || name == "aten::join" || name == "aten::format")
        TORCH_CHECK(size <= maxMade / 100, "it makes a text of more than a million letters");
    TORCH_CHECK(size <= maxMade, "it makes a list or text of more than a million elements");
    TORCH_CHECK(name != "aten::factorial" || numberAt(arguments, 0) <= 20,
                "the factorial does not fit into 64 bits");
}

} // namespace stagecraft
