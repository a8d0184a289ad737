/// What products of a few rows share: the numbers of lhs, set out before they are multiplied by many columns. Included
/// behind the imports.
#pragma once

namespace octet {
namespace {

template <OperandNumbers numbers>
using Number = std::conditional_t<numbers == OperandNumbers::bf16, bfloat16, float>;

template <OperandNumbers numbers>
[[gnu::always_inline]] inline float number_at(const void* operand, std::int64_t at) {
  const auto number = static_cast<float>(static_cast<const Number<numbers>*>(operand)[at]);
  return numbers == OperandNumbers::f32_rounded ? rounded_to_bfloat16(number) : number;
}

/// left[p][i] = lhs[i, first + p], as it is multiplied, for p < depth and i < rows.
template <std::int64_t pitch>
void set_out(const MixedGemm& product, const void* lhs, std::int64_t rows, std::int64_t first, std::int64_t depth,
             float (*left)[pitch]) {
  const auto set = [&]<OperandNumbers numbers>(std::integral_constant<OperandNumbers, numbers>) {
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t from = i * product.lhs_row + first * product.lhs_column;
      for (std::int64_t p = 0; p < depth; ++p) left[p][i] = number_at<numbers>(lhs, from + p * product.lhs_column);
    }
  };
  switch (product.lhs_numbers) {
    case OperandNumbers::f32:
      return set(std::integral_constant<OperandNumbers, OperandNumbers::f32>{});
    case OperandNumbers::f32_rounded:
      return set(std::integral_constant<OperandNumbers, OperandNumbers::f32_rounded>{});
    case OperandNumbers::bf16:
      return set(std::integral_constant<OperandNumbers, OperandNumbers::bf16>{});
  }
}

}  // namespace
}  // namespace octet
