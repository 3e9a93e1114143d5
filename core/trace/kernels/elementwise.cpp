// Elementwise operators. TensorIterator itself, which eager runs on, decides sizes and strides.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <torch/library.h>

namespace stagecraft::kernels {

namespace {

using at::MemoryFormat;
using at::Tensor;
using OptionalTensor = std::optional<Tensor>;

// The same for out= variants: `out` is resized where it does not fit.
Tensor& elementwiseInto(Tensor& out, std::initializer_list<Tensor> inputs)
{
    at::TensorIteratorConfig config;
    config.set_check_mem_overlap(false).check_all_same_dtype(false).check_all_same_device(false);
    config.add_owned_output(out);
    for (const Tensor& input : inputs)
        config.add_owned_const_input(input);
    config.build();
    return out;
}

// Of one tensor, and numbers that say nothing of sizes, into the last argument.
void implementUnaryOut(torch::Library& library, const char* name)
{
    implementBoxed(library, name, [](at::ArrayRef<c10::IValue> arguments) -> std::vector<Tensor> {
        Tensor out = arguments.back().toTensor();
        return {elementwiseInto(out, {arguments.front().toTensor()})};
    });
}

Tensor& binaryOut(const Tensor& self, const Tensor& other, Tensor& out)
{
    return elementwiseInto(out, {self, other});
}

// --- activations -----------------------------------------------------------------------------------------

Tensor relu(const Tensor& self)
{
    return elementwise({self});
}

// The meta functions choose by the input: where(self > 0, grad, 0).
Tensor chosenGradient(const Tensor& grad, const Tensor& self)
{
    return followsMetaFunctions() ? elementwise({self, grad}) : elementwise({grad, self});
}

Tensor hardtanhBackward(const Tensor& grad, const Tensor& self, const at::Scalar&, const at::Scalar&)
{
    return chosenGradient(grad, self);
}

std::tuple<Tensor, Tensor> logSigmoidForward(const Tensor& self)
{
    const MemoryFormat format = followsMetaFunctions() ? MemoryFormat::Preserve : MemoryFormat::Contiguous;
    return {at::empty_like(self, format), at::empty_like(self, format)};
}

std::tuple<Tensor, Tensor> preluBackward(const Tensor& grad, const Tensor& self, const Tensor& weight)
{
    return {elementwise({self, weight, grad}), elementwise({self, weight, grad})};
}

Tensor rreluWithNoise(const Tensor& self, Tensor&, const at::Scalar&, const at::Scalar&, bool,
                      std::optional<at::Generator>)
{
    return at::empty_like(self, MemoryFormat::Contiguous);
}

Tensor addRelu(const Tensor& self, const Tensor& other, const at::Scalar& alpha)
{
    return at::add(self, other, alpha);
}

// --- dropout ---------------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor> nativeDropout(const Tensor& input, double, std::optional<bool>)
{
    if (input.numel() == 0)
        return {input, at::empty_like(input)};
    return {elementwise({input}), at::empty_like(input, input.options().dtype(at::kBool))};
}

Tensor nativeDropoutBackward(const Tensor& grad, const Tensor& mask, double)
{
    return elementwise({grad, mask});
}

std::tuple<Tensor, Tensor> fusedDropout(const Tensor& self, double, std::optional<at::Generator>)
{
    return {at::empty_like(self), at::empty_like(self, self.options().dtype(at::kByte))};
}

// --- choice and comparison -------------------------------------------------------------------------------

// As eager does it: operands of another type are converted first.
Tensor converted(const Tensor& tensor, at::ScalarType dtype)
{
    return tensor.scalar_type() == dtype ? tensor : tensor.to(dtype);
}

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other)
{
    const at::ScalarType dtype = at::result_type(self, other);
    return elementwise({condition, converted(self, dtype), converted(other, dtype)}, dtype);
}

Tensor& whereOut(const Tensor& condition, const Tensor& self, const Tensor& other, Tensor& out)
{
    return elementwiseInto(out, {condition, self, other});
}

Tensor isNan(const Tensor& self)
{
    return at::ne(self, self);
}

// --- arithmetic ------------------------------------------------------------------------------------------

Tensor reverseSubtract(const Tensor& self, const Tensor& other, const at::Scalar& alpha)
{
    return at::sub(other, self, alpha);
}

Tensor floorDivide(const Tensor& self, const Tensor& other)
{
    return at::div(self, other, "floor");
}

Tensor& floorDivideOut(const Tensor& self, const Tensor& other, Tensor& out)
{
    return at::div_out(out, self, other, "floor");
}

Tensor remainderOfScalar(const at::Scalar& self, const Tensor& other)
{
    return at::remainder(at::native::wrapped_scalar_tensor(self), other);
}

Tensor leftShift(const Tensor& self, const Tensor& other)
{
    return at::bitwise_left_shift(self, other);
}

Tensor rightShift(const Tensor& self, const Tensor& other)
{
    return at::bitwise_right_shift(self, other);
}

at::ScalarType realType(at::ScalarType dtype)
{
    if (at::isIntegralType(dtype, /*includeBool=*/true))
        return at::typeMetaToScalarType(at::get_default_dtype());
    return at::toRealValueType(dtype);
}

// Devices compute complex numbers and copy their real part to a row-major result.
Tensor angle(const Tensor& self)
{
    if (self.is_complex() && !followsMetaFunctions())
        return at::empty(self.sizes(), self.options().dtype(realType(self.scalar_type())));
    return elementwise({self}, realType(self.scalar_type()));
}

Tensor& angleOut(const Tensor& self, Tensor& out)
{
    if (!self.is_complex() || followsMetaFunctions())
        return elementwiseInto(out, {self});
    out.resize_(self.sizes());
    return out;
}

at::ScalarType floatType(at::ScalarType dtype)
{
    return at::isIntegralType(dtype, /*includeBool=*/true) ? at::typeMetaToScalarType(at::get_default_dtype())
                                                           : dtype;
}

Tensor logit(const Tensor& self, std::optional<double>)
{
    return elementwise({self}, floatType(self.scalar_type()));
}

std::tuple<Tensor&, Tensor&> frexpOut(const Tensor& self, Tensor& mantissa, Tensor& exponent)
{
    return {elementwiseInto(mantissa, {self}), elementwiseInto(exponent, {self})};
}

Tensor leftShiftByNumber(const Tensor& self, const at::Scalar& other)
{
    return at::bitwise_left_shift(self, other);
}

Tensor rightShiftByNumber(const Tensor& self, const at::Scalar& other)
{
    return at::bitwise_right_shift(self, other);
}

void registerActivations(torch::Library& library)
{
    implement(library, "relu", &relu);
    implementLike(library, "hardtanh", {0}, LaidOut::AsItIs);
    implementUnaryOut(library, "hardtanh.out");
    implement(library, "hardtanh_backward", &hardtanhBackward);
    implement(library, "hardswish", &relu);
    implementUnaryOut(library, "hardswish.out");
    implement(library, "hardswish_backward", &chosenGradient);
    implement(library, "log_sigmoid_forward", &logSigmoidForward);
    implementLike(library, "log_sigmoid_backward", {0}, LaidOut::AsItIs);
    implementLike(library, "_prelu_kernel", {0}, LaidOut::AsItIs);
    implement(library, "_prelu_kernel_backward", &preluBackward);
    implement(library, "rrelu_with_noise", &rreluWithNoise);
    implement(library, "_add_relu.Tensor", &addRelu);
    implementLike(library, "_masked_softmax", {0});
    implementLike(library, "_masked_softmax_backward", {0});
    implement(library, "native_dropout", &nativeDropout);
    implement(library, "native_dropout_backward", &nativeDropoutBackward);
    implement(library, "_fused_dropout", &fusedDropout);
    implement(library, "_masked_scale", &nativeDropoutBackward);
}

} // namespace

Tensor elementwise(std::initializer_list<Tensor> inputs, at::ScalarType type)
{
    at::TensorIteratorConfig config;
    config.set_check_mem_overlap(false).check_all_same_dtype(false).check_all_same_device(false);
    config.declare_static_dtype_and_device(type, at::kMeta).add_owned_output(Tensor());
    for (const Tensor& input : inputs)
        config.add_owned_const_input(input);
    return config.build().output();
}

Tensor elementwise(std::initializer_list<Tensor> inputs)
{
    return elementwise(inputs, inputs.begin()->scalar_type());
}

void registerElementwise(torch::Library& library)
{
    registerActivations(library);
    implement(library, "where.self", &where);
    implement(library, "where.self_out", &whereOut);
    implement(library, "isnan", &isNan);
    implement(library, "rsub.Tensor", &reverseSubtract);
    implement(library, "floor_divide", &floorDivide);
    implement(library, "floor_divide.out", &floorDivideOut);
    implement(library, "remainder.Scalar_Tensor", &remainderOfScalar);
    implement(library, "__lshift__.Tensor", &leftShift);
    implement(library, "__rshift__.Tensor", &rightShift);
    implement(library, "__lshift__.Scalar", &leftShiftByNumber);
    implement(library, "__rshift__.Scalar", &rightShiftByNumber);
    implementLike(library, "binomial", {0});
    implementLike(library, "_sample_dirichlet", {0});
    implement(library, "angle", &angle);
    implement(library, "logit", &logit);
    implement(library, "frexp.Tensor_out", &frexpOut);
    // What a draw returns is filled row by row, whatever the layout of its parameters.
    implementLike(library, "poisson", {0});
    implementLike(library, "_standard_gamma", {0});
    implementLike(library, "_standard_gamma_grad", {0});
    implement(library, "angle.out", &angleOut);
    for (const char* name :
         {"abs.out", "conj_physical.out", "logical_not.out", "logit.out", "nan_to_num.out", "bernoulli.out"})
        implementUnaryOut(library, name);
    for (const char* name :
         {"logical_and.out", "logical_or.out", "logical_xor.out", "complex.out", "polar.out"})
        implement(library, name, &binaryOut);
}

} // namespace stagecraft::kernels
