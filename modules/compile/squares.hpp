/// A matrix unit's squares of pairs of bf16, and what functions are declared with that use it. Included behind the
/// imports.
#pragma once

#include "pairs_target.hpp"

#if defined(__x86_64__)
#define OCTET_MATRIX_FEATURES OCTET_PAIRS_FEATURES ",amx-tile,amx-bf16"
#define OCTET_MATRIX_TARGET [[gnu::target(OCTET_MATRIX_FEATURES)]]
#define OCTET_MATRIX_PIECE [[gnu::always_inline, gnu::target(OCTET_MATRIX_FEATURES)]] inline
#endif

#if defined(__x86_64__)
namespace octet {
namespace {

constexpr int square = 16;            ///< rows of a tile register, and pairs in each
constexpr int block = 2 * dot_chain;  ///< values of the contracted index that one instruction adds up
constexpr std::int64_t square_pairs = square * square;
constexpr int groups = 2;  ///< squares side by side in a panel

/// [depth / 32][group][16][16] pairs: of lhs [lane][p], of rhs [p][lane].
inline std::uint32_t* square_at(float* panel, std::int64_t at, std::int64_t group) {
  return reinterpret_cast<std::uint32_t*>(panel) + (at * groups + group) * square_pairs;
}
inline const std::uint32_t* square_at(const float* panel, std::int64_t at, std::int64_t group) {
  return reinterpret_cast<const std::uint32_t*>(panel) + (at * groups + group) * square_pairs;
}
constexpr std::int64_t blocks_of(std::int64_t padded_depth) { return padded_depth / block; }

}  // namespace
}  // namespace octet
#endif
