/// octet.xtensor, beside floor 0: values on the host to and from xtensor, for programs that use it. `import octet;`
/// does not bring this room in, so that only those who want xtensor need its headers:
///
///     #include <xtensor/xarray.hpp>
///     import octet.xtensor;
///     octet::Tensor doubled = octet::to_tensor(2 * octet::to_xarray<float>(tensor));
module;
#include <xtensor/xarray.hpp>
export module octet.xtensor;
export import octet.base;
import octet.standard;

export namespace octet {

/// A copy of the elements, in the same shape. Throws X402 where `T` is not the tensor's element type.
template <class T>
  requires is_element_type<T>
xt::xarray<T> to_xarray(const Tensor& tensor) {
  const auto elements = tensor.span<T>();
  const Dims& extents = tensor.shape().extents();
  auto result = xt::xarray<T>::from_shape({extents.begin(), extents.end()});
  std::copy(elements.begin(), elements.end(), result.begin());
  return result;
}

/// The elements of an array or of any expression of xtensor, computed and laid out row-major.
template <class Expression>
  requires is_element_type<typename Expression::value_type>
Tensor to_tensor(const xt::xexpression<Expression>& expression) {
  using T = typename Expression::value_type;
  const Expression& elements = expression.derived_cast();
  Tensor result{dtype_of<T>, Shape{Dims(elements.shape().begin(), elements.shape().end())}};
  std::copy(elements.template begin<xt::layout_type::row_major>(), elements.template end<xt::layout_type::row_major>(),
            result.mutable_span<T>().begin());
  return result;
}

}  // namespace octet
