#include "core/profile/device/operator_class.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace stagecraft {

namespace {

constexpr std::array<std::string_view, operatorClassCount> names{
    "matrix",    "convolution",   "attention", "elementwise", "transcendental",
    "reduction", "normalization", "lookup",    "copy"};

constexpr std::array<std::string_view, operatorClassCount> typical{
    "aten::mm",           "aten::convolution",  "aten::_scaled_dot_product_flash_attention_for_cpu",
    "aten::add",          "aten::gelu",         "aten::sum",
    "aten::_log_softmax", "aten::index_select", "aten::clone"};

// Without namespace, "_backward" and the underscore of an operator in place; separated by spaces.
struct ClassMembers
{
    OperatorClass operatorClass;
    std::string_view names;
};

constexpr std::array members{
    ClassMembers{
        OperatorClass::Matrix,
        "mm bmm addmm baddbmm addbmm mv addmv dot vdot _int_mm _scaled_mm _addmm_activation _grouped_mm "
        "_scaled_grouped_mm grouped_mm_fallback _thnn_fused_lstm_cell _cudnn_rnn mkldnn_rnn_layer"},
    ClassMembers{OperatorClass::Convolution,
                 "convolution _convolution cudnn_convolution cudnn_convolution_transpose "
                 "mkldnn_convolution _slow_conv2d_forward"},
    ClassMembers{OperatorClass::Attention,
                 "_scaled_dot_product_flash_attention _scaled_dot_product_efficient_attention "
                 "_scaled_dot_product_cudnn_attention _scaled_dot_product_flash_attention_for_cpu"},
    ClassMembers{
        OperatorClass::Transcendental,
        "exp exp2 expm1 log log2 log1p log10 sin cos tan tanh sigmoid erf erfinv gelu silu mish elu celu "
        "selu softplus pow rsqrt log_sigmoid log_sigmoid_forward atan2 sinh cosh lgamma logit bernoulli "
        "normal normal_functional uniform native_dropout binary_cross_entropy "
        "binary_cross_entropy_with_logits logaddexp xlogy"},
    ClassMembers{
        OperatorClass::Reduction,
        "sum mean amax amin max min prod var std var_mean std_mean norm linalg_vector_norm all any argmax "
        "argmin cumsum cumprod sort topk logcumsumexp logsumexp max_pool2d_with_indices "
        "max_pool3d_with_indices avg_pool2d avg_pool3d _adaptive_avg_pool2d _adaptive_avg_pool3d "
        "nll_loss_forward nll_loss2d_forward mse_loss smooth_l1_loss upsample_nearest2d "
        "upsample_bilinear2d upsample_bicubic2d"},
    ClassMembers{
        OperatorClass::Normalization,
        "_softmax _log_softmax _safe_softmax native_layer_norm native_group_norm native_batch_norm "
        "_native_batch_norm_legit _native_batch_norm_legit_no_training cudnn_batch_norm miopen_batch_norm "
        "_fused_rms_norm batch_norm_with_update _batch_norm_with_update"},
    ClassMembers{
        OperatorClass::Lookup,
        "embedding embedding_dense index _unsafe_index index_select gather take scatter scatter_add "
        "scatter_reduce index_add index_put _index_put_impl _unsafe_index_put index_copy index_fill "
        "index_reduce _embedding_bag grid_sampler_2d grid_sampler_3d select slice nll_loss nll_loss2d"},
    ClassMembers{OperatorClass::Copy,
                 "clone copy _to_copy cat contiguous repeat roll flip constant_pad_nd im2col col2im "
                 "reflection_pad2d replication_pad2d pixel_shuffle stack split_with_sizes_copy"},
};

using ClassTable = std::unordered_map<std::string_view, OperatorClass>;

ClassTable makeTable()
{
    ClassTable table;
    for (const auto& [operatorClass, list] : members)
        for (std::string_view rest = list; !rest.empty();) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            table.emplace(rest.substr(0, end), operatorClass);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    return table;
}

// "aten::gelu_backward" -> "gelu"; "aten::add_" -> "add".
std::string_view stem(std::string_view name)
{
    if (const std::size_t scope = name.rfind("::"); scope != std::string_view::npos)
        name.remove_prefix(scope + 2);
    if (name.size() > 1 && name.ends_with('_'))
        name.remove_suffix(1);
    for (const std::string_view ending : {"_backward_data", "_double_backward", "_backward"})
        if (name.ends_with(ending)) {
            name.remove_suffix(ending.size());
            break;
        }
    return name;
}

} // namespace

OperatorClass operatorClassOf(std::string_view name)
{
    static const ClassTable table = makeTable();
    const auto found = table.find(stem(name));
    return found == table.end() ? OperatorClass::Elementwise : found->second;
}

std::string_view typicalOperator(OperatorClass operatorClass)
{
    return typical[static_cast<std::size_t>(operatorClass)];
}

std::string_view operatorClassName(OperatorClass operatorClass)
{
    return names[static_cast<std::size_t>(operatorClass)];
}

std::optional<OperatorClass> operatorClassFromName(std::string_view name)
{
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
        return std::nullopt;
    return static_cast<OperatorClass>(found - names.begin());
}

} // namespace stagecraft
