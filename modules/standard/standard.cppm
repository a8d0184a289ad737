/// octet.standard: the part of the C++ standard library that Octet is written with, as one module.
///
/// An interface that includes <vector> and <string> carries its own copy of them, and a file that imports forty such
/// interfaces has the compiler compare forty copies: forty small ones took eighty times as long to build, and forty
/// times the disk, as with this module. So an interface includes nothing that stands here (tests/layers.cmake looks); a
/// file includes what is a macro (<cerrno>, <cstdio>), and what a page must not carry unasked: streams, locales,
/// regular expressions.
///
/// It is not the `std` of the compiler's makers, which Debian's compilers cannot be given ready to use.
module;
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <bit>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <compare>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <queue>
#include <ratio>
#include <set>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
export module octet.standard;

// clang-format off: a name a line would make this table a thousand lines long.
export namespace std {

// <algorithm>
using std::adjacent_find; using std::all_of; using std::any_of; using std::binary_search; using std::clamp;
using std::copy; using std::copy_if; using std::copy_n; using std::count; using std::count_if; using std::equal;
using std::equal_range; using std::fill; using std::fill_n; using std::find; using std::find_if;
using std::find_if_not; using std::for_each; using std::generate; using std::is_heap; using std::is_sorted;
using std::lexicographical_compare; using std::lower_bound; using std::make_heap; using std::max;
using std::max_element; using std::merge; using std::min; using std::min_element; using std::minmax;
using std::minmax_element; using std::mismatch; using std::next_permutation; using std::none_of;
using std::nth_element; using std::partial_sort; using std::partition; using std::pop_heap; using std::push_heap;
using std::remove; using std::remove_if; using std::replace; using std::replace_if; using std::reverse;
using std::rotate; using std::search; using std::set_difference; using std::set_intersection; using std::set_union;
using std::sort; using std::sort_heap; using std::stable_partition; using std::stable_sort; using std::swap_ranges;
using std::transform; using std::unique; using std::upper_bound;

// <any>
using std::any; using std::any_cast; using std::bad_any_cast; using std::make_any;

// <array>
using std::array; using std::to_array;

// <atomic>
using std::atomic; using std::atomic_flag; using std::atomic_thread_fence; using std::memory_order;
using std::memory_order_acq_rel; using std::memory_order_acquire; using std::memory_order_consume;
using std::memory_order_relaxed; using std::memory_order_release; using std::memory_order_seq_cst;

// <bit>
using std::bit_cast; using std::bit_ceil; using std::bit_floor; using std::bit_width; using std::countl_one;
using std::countl_zero; using std::countr_one; using std::countr_zero; using std::endian; using std::has_single_bit;
using std::popcount; using std::rotl; using std::rotr;

// <cctype>
using std::isalnum; using std::isalpha; using std::isdigit; using std::islower; using std::isprint; using std::isspace;
using std::isupper; using std::isxdigit; using std::tolower; using std::toupper;

// <charconv>
using std::chars_format; using std::from_chars; using std::from_chars_result; using std::to_chars;
using std::to_chars_result;

// <cmath>
using std::abs; using std::acos; using std::asin; using std::atan; using std::atan2; using std::cbrt; using std::ceil;
using std::copysign; using std::cos; using std::cosh; using std::erf; using std::erfc; using std::exp; using std::exp2;
using std::expm1; using std::fabs; using std::floor; using std::fma; using std::fmax; using std::fmin; using std::fmod;
using std::fpclassify; using std::frexp; using std::hypot; using std::isfinite; using std::isinf; using std::isnan;
using std::isnormal; using std::ldexp; using std::lgamma; using std::llround; using std::log; using std::log10;
using std::log1p; using std::log2; using std::lround; using std::modf; using std::nan; using std::nanf;
using std::nearbyint; using std::nextafter; using std::pow; using std::remainder; using std::rint; using std::round;
using std::scalbn; using std::signbit; using std::sin; using std::sinh; using std::sqrt; using std::tan;
using std::tanh; using std::tgamma; using std::trunc;

// <compare>
using std::common_comparison_category; using std::common_comparison_category_t; using std::is_eq; using std::is_gt;
using std::is_gteq; using std::is_lt; using std::is_lteq; using std::is_neq; using std::partial_ordering;
using std::strong_ordering; using std::three_way_comparable; using std::weak_ordering; using std::compare_three_way;
using std::compare_three_way_result;

// <concepts>
using std::assignable_from; using std::common_with; using std::constructible_from; using std::convertible_to;
using std::copy_constructible; using std::copyable; using std::default_initializable; using std::derived_from;
using std::destructible; using std::equality_comparable; using std::equality_comparable_with;
using std::floating_point; using std::integral; using std::invocable; using std::movable;
using std::move_constructible; using std::predicate; using std::regular; using std::regular_invocable;
using std::relation; using std::same_as; using std::semiregular; using std::signed_integral; using std::swappable;
using std::totally_ordered; using std::totally_ordered_with; using std::unsigned_integral;

// <condition_variable>
using std::condition_variable; using std::condition_variable_any; using std::cv_status;

// <cstddef>
using std::byte; using std::max_align_t; using std::nullptr_t; using std::ptrdiff_t; using std::size_t;
using std::to_integer;

// <cstdint>
using std::int16_t; using std::int32_t; using std::int64_t; using std::int8_t; using std::int_fast32_t;
using std::int_fast64_t; using std::intmax_t; using std::intptr_t; using std::uint16_t; using std::uint32_t;
using std::uint64_t; using std::uint8_t; using std::uint_fast32_t; using std::uint_fast64_t; using std::uintmax_t;
using std::uintptr_t;

// <cstdlib>
using std::abort; using std::atexit; using std::atof; using std::atoi; using std::atoll; using std::exit;
using std::getenv; using std::strtod; using std::strtof; using std::strtol; using std::strtoll; using std::strtoul;
using std::strtoull; using std::system;

// <cstring>
using std::memchr; using std::memcmp; using std::memcpy; using std::memmove; using std::memset; using std::strchr;
using std::strcmp; using std::strerror; using std::strlen; using std::strncmp; using std::strstr;

// <deque>
using std::deque;

// <exception>
using std::current_exception; using std::exception; using std::exception_ptr; using std::make_exception_ptr;
using std::rethrow_exception; using std::terminate; using std::uncaught_exceptions;

// <functional>
using std::bad_function_call; using std::bit_and; using std::bit_or; using std::bit_xor; using std::cref;
using std::divides; using std::equal_to; using std::function; using std::greater; using std::greater_equal;
using std::hash; using std::identity; using std::invoke; using std::less; using std::less_equal;
using std::logical_and; using std::logical_not; using std::logical_or; using std::minus; using std::modulus;
using std::multiplies; using std::negate; using std::not_equal_to; using std::not_fn; using std::plus; using std::ref;
using std::reference_wrapper;

// <initializer_list>
using std::initializer_list;

// <iterator>
using std::advance; using std::back_insert_iterator; using std::back_inserter; using std::begin;
using std::bidirectional_iterator; using std::bidirectional_iterator_tag; using std::cbegin; using std::cend;
using std::contiguous_iterator; using std::crbegin; using std::crend; using std::data; using std::default_sentinel;
using std::distance; using std::empty; using std::end; using std::forward_iterator; using std::forward_iterator_tag;
using std::front_inserter; using std::input_iterator; using std::input_iterator_tag;
using std::input_or_output_iterator; using std::insert_iterator; using std::inserter; using std::iter_difference_t;
using std::iter_reference_t; using std::iter_value_t; using std::iterator_traits; using std::make_move_iterator;
using std::make_reverse_iterator; using std::move_iterator; using std::next; using std::output_iterator;
using std::output_iterator_tag; using std::prev; using std::random_access_iterator;
using std::random_access_iterator_tag; using std::rbegin; using std::rend; using std::reverse_iterator;
using std::sentinel_for; using std::size; using std::ssize;

// <limits>
using std::float_denorm_style; using std::float_round_style; using std::numeric_limits;

// <list>
using std::list;

// <map>
using std::map; using std::multimap;

// <memory>
using std::addressof; using std::align; using std::allocator; using std::allocator_traits; using std::assume_aligned;
using std::bad_weak_ptr; using std::construct_at; using std::const_pointer_cast; using std::default_delete;
using std::destroy; using std::destroy_at; using std::dynamic_pointer_cast; using std::enable_shared_from_this;
using std::make_unique; using std::owner_less; using std::pointer_traits; using std::shared_ptr;
using std::static_pointer_cast; using std::to_address; using std::uninitialized_copy; using std::uninitialized_fill;
using std::unique_ptr; using std::weak_ptr;

// <mutex>
using std::adopt_lock; using std::call_once; using std::defer_lock; using std::lock; using std::lock_guard;
using std::mutex; using std::once_flag; using std::recursive_mutex; using std::scoped_lock; using std::try_to_lock;
using std::unique_lock;

// <new>
using std::align_val_t; using std::bad_alloc; using std::launder; using std::nothrow; using std::nothrow_t;

// <numeric>
using std::accumulate; using std::exclusive_scan; using std::gcd; using std::inclusive_scan; using std::inner_product;
using std::iota; using std::lcm; using std::midpoint; using std::partial_sum; using std::reduce;
using std::transform_reduce;

// <optional>
using std::bad_optional_access; using std::make_optional; using std::nullopt; using std::nullopt_t;
using std::optional;

// <queue>
using std::priority_queue; using std::queue;

// <ratio>
using std::micro; using std::milli; using std::nano; using std::ratio;

// <set>
using std::multiset; using std::set;

// <source_location>
using std::source_location;

// <span>
using std::as_bytes; using std::as_writable_bytes; using std::dynamic_extent; using std::span;

// <stdexcept>
using std::domain_error; using std::invalid_argument; using std::length_error; using std::logic_error;
using std::out_of_range; using std::overflow_error; using std::range_error; using std::runtime_error;
using std::underflow_error;

// <string>
using std::basic_string; using std::char_traits; using std::getline; using std::stod; using std::stof; using std::stoi;
using std::stol; using std::stoll; using std::stoul; using std::stoull; using std::string; using std::to_string;
using std::to_wstring; using std::u16string; using std::u32string; using std::u8string; using std::wstring;
using std::erase; using std::erase_if;

// <string_view>
using std::basic_string_view; using std::string_view; using std::u16string_view; using std::u32string_view;
using std::u8string_view; using std::wstring_view;

// <system_error>
using std::errc; using std::error_category; using std::error_code; using std::error_condition;
using std::generic_category; using std::make_error_code; using std::make_error_condition; using std::system_category;
using std::system_error;

// <thread>
using std::thread;

// <tuple>
using std::apply; using std::forward_as_tuple; using std::ignore; using std::make_from_tuple; using std::make_tuple;
using std::tie; using std::tuple; using std::tuple_cat; using std::tuple_element; using std::tuple_element_t;
using std::tuple_size; using std::tuple_size_v;

// <type_traits>
using std::add_const_t; using std::add_lvalue_reference_t; using std::add_pointer_t; using std::aligned_storage_t;
using std::bool_constant; using std::common_reference_t; using std::common_type; using std::common_type_t;
using std::conditional; using std::conditional_t; using std::conjunction; using std::conjunction_v; using std::decay;
using std::decay_t; using std::disjunction; using std::disjunction_v; using std::enable_if; using std::enable_if_t;
using std::false_type; using std::integral_constant; using std::invoke_result; using std::invoke_result_t;
using std::is_aggregate_v; using std::is_arithmetic; using std::is_arithmetic_v; using std::is_array_v;
using std::is_assignable_v; using std::is_base_of; using std::is_base_of_v; using std::is_class_v;
using std::is_const_v; using std::is_constant_evaluated; using std::is_constructible; using std::is_constructible_v;
using std::is_convertible; using std::is_convertible_v; using std::is_copy_assignable_v;
using std::is_copy_constructible_v; using std::is_default_constructible_v; using std::is_destructible_v;
using std::is_empty_v; using std::is_enum; using std::is_enum_v; using std::is_final_v; using std::is_floating_point;
using std::is_floating_point_v; using std::is_function_v; using std::is_fundamental_v; using std::is_integral;
using std::is_integral_v; using std::is_invocable; using std::is_invocable_r_v; using std::is_invocable_v;
using std::is_lvalue_reference_v; using std::is_member_function_pointer_v; using std::is_member_object_pointer_v;
using std::is_move_assignable_v; using std::is_move_constructible_v; using std::is_nothrow_copy_constructible_v;
using std::is_nothrow_move_assignable_v; using std::is_nothrow_move_constructible_v; using std::is_null_pointer_v;
using std::is_object_v; using std::is_pointer_v; using std::is_polymorphic_v; using std::is_reference_v;
using std::is_rvalue_reference_v; using std::is_same; using std::is_same_v; using std::is_scalar_v;
using std::is_signed_v; using std::is_standard_layout_v; using std::is_trivially_copyable;
using std::is_trivially_copyable_v; using std::is_trivially_default_constructible_v;
using std::is_trivially_destructible_v; using std::is_unsigned_v; using std::is_void; using std::is_void_v;
using std::make_signed_t; using std::make_unsigned_t; using std::negation; using std::negation_v;
using std::remove_const_t; using std::remove_cv_t; using std::remove_cvref; using std::remove_cvref_t;
using std::remove_extent_t; using std::remove_pointer_t; using std::remove_reference; using std::remove_reference_t;
using std::true_type; using std::type_identity; using std::type_identity_t; using std::underlying_type;
using std::underlying_type_t; using std::void_t;

// <typeinfo>
using std::bad_cast; using std::bad_typeid; using std::type_info;

// <unordered_map>
using std::unordered_map; using std::unordered_multimap;

// <unordered_set>
using std::unordered_multiset; using std::unordered_set;

// <utility>
using std::as_const; using std::cmp_equal; using std::cmp_greater; using std::cmp_greater_equal; using std::cmp_less;
using std::cmp_less_equal; using std::cmp_not_equal; using std::declval; using std::exchange; using std::forward;
using std::get; using std::in_place; using std::in_place_index; using std::in_place_index_t; using std::in_place_t;
using std::in_place_type; using std::in_place_type_t; using std::in_range; using std::index_sequence;
using std::index_sequence_for; using std::integer_sequence; using std::make_index_sequence;
using std::make_integer_sequence; using std::make_pair; using std::move; using std::move_if_noexcept; using std::pair;
using std::piecewise_construct; using std::piecewise_construct_t; using std::swap;

// <variant>
using std::bad_variant_access; using std::get_if; using std::holds_alternative; using std::monostate;
using std::variant; using std::variant_alternative; using std::variant_alternative_t; using std::variant_npos;
using std::variant_size; using std::variant_size_v; using std::visit;

// <vector>
using std::vector;

// Operators that stand beside their types.
using std::operator==; using std::operator!=; using std::operator<; using std::operator<=; using std::operator>;
using std::operator>=; using std::operator<=>; using std::operator+; using std::operator-; using std::operator&;
using std::operator|; using std::operator^; using std::operator~; using std::operator<<; using std::operator>>;

namespace ranges {
using std::ranges::adjacent_find; using std::ranges::all_of; using std::ranges::any_of; using std::ranges::begin;
using std::ranges::binary_search; using std::ranges::contiguous_range; using std::ranges::copy;
using std::ranges::copy_if; using std::ranges::count; using std::ranges::count_if; using std::ranges::data;
using std::ranges::distance; using std::ranges::empty; using std::ranges::enable_borrowed_range;
using std::ranges::enable_view; using std::ranges::end; using std::ranges::equal;
using std::ranges::equal_range; using std::ranges::fill; using std::ranges::find; using std::ranges::find_if;
using std::ranges::find_if_not; using std::ranges::for_each; using std::ranges::forward_range;
using std::ranges::generate; using std::ranges::includes; using std::ranges::input_range;
using std::ranges::is_permutation; using std::ranges::is_sorted; using std::ranges::iterator_t;
using std::ranges::lower_bound; using std::ranges::max; using std::ranges::max_element; using std::ranges::min;
using std::ranges::min_element; using std::ranges::minmax; using std::ranges::mismatch; using std::ranges::move;
using std::ranges::next; using std::ranges::none_of; using std::ranges::nth_element; using std::ranges::partition;
using std::ranges::prev; using std::ranges::random_access_range; using std::ranges::range;
using std::ranges::range_difference_t; using std::ranges::range_reference_t; using std::ranges::range_value_t;
using std::ranges::remove_if; using std::ranges::replace; using std::ranges::replace_if; using std::ranges::reverse;
using std::ranges::rotate; using std::ranges::search; using std::ranges::size; using std::ranges::sized_range;
using std::ranges::sort; using std::ranges::ssize; using std::ranges::stable_partition; using std::ranges::stable_sort;
using std::ranges::swap; using std::ranges::transform; using std::ranges::unique; using std::ranges::upper_bound;
}  // namespace ranges

namespace chrono {
using std::chrono::duration; using std::chrono::duration_cast; using std::chrono::hours;
using std::chrono::microseconds; using std::chrono::milliseconds; using std::chrono::minutes;
using std::chrono::nanoseconds; using std::chrono::seconds; using std::chrono::steady_clock;
using std::chrono::system_clock; using std::chrono::time_point; using std::chrono::time_point_cast;
using std::chrono::operator+; using std::chrono::operator-; using std::chrono::operator*; using std::chrono::operator/;
using std::chrono::operator%; using std::chrono::operator==; using std::chrono::operator<;
using std::chrono::operator<=; using std::chrono::operator>; using std::chrono::operator>=;
using std::chrono::operator<=>;
}  // namespace chrono

namespace filesystem {
using std::filesystem::absolute; using std::filesystem::begin; using std::filesystem::canonical;
using std::filesystem::copy; using std::filesystem::copy_file; using std::filesystem::copy_options;
using std::filesystem::create_directories; using std::filesystem::create_directory;
using std::filesystem::current_path; using std::filesystem::directory_entry; using std::filesystem::directory_iterator;
using std::filesystem::directory_options; using std::filesystem::end; using std::filesystem::equivalent;
using std::filesystem::exists; using std::filesystem::file_size; using std::filesystem::file_status;
using std::filesystem::file_time_type; using std::filesystem::file_type; using std::filesystem::filesystem_error;
using std::filesystem::is_directory; using std::filesystem::is_empty; using std::filesystem::is_regular_file;
using std::filesystem::is_symlink; using std::filesystem::last_write_time; using std::filesystem::path;
using std::filesystem::perms; using std::filesystem::permissions; using std::filesystem::perm_options;
using std::filesystem::read_symlink; using std::filesystem::recursive_directory_iterator;
using std::filesystem::relative; using std::filesystem::remove; using std::filesystem::remove_all;
using std::filesystem::rename; using std::filesystem::resize_file; using std::filesystem::space;
using std::filesystem::space_info; using std::filesystem::status; using std::filesystem::symlink_status;
using std::filesystem::temp_directory_path; using std::filesystem::weakly_canonical;
#ifdef _LIBCPP_VERSION  // whose iterators are compared by functions of the namespace
using std::filesystem::operator==; using std::filesystem::operator!=;
#endif
}  // namespace filesystem

namespace pmr {
using std::pmr::monotonic_buffer_resource; using std::pmr::unordered_map; using std::pmr::unordered_multimap;
using std::pmr::unordered_set;
}  // namespace pmr

namespace this_thread {
using std::this_thread::get_id; using std::this_thread::sleep_for; using std::this_thread::sleep_until;
using std::this_thread::yield;
}  // namespace this_thread

inline namespace literals {
inline namespace string_view_literals {
using std::literals::string_view_literals::operator""sv;
}
inline namespace string_literals {
using std::literals::string_literals::operator""s;
}
}  // namespace literals

}  // namespace std
// clang-format on

#ifdef __GLIBCXX__
// Where libstdc++ keeps the operators of its vectors' and strings' iterators.
export namespace __gnu_cxx {
using __gnu_cxx::operator==;
using __gnu_cxx::operator<=>;
using __gnu_cxx::operator+;
using __gnu_cxx::operator-;
}  // namespace __gnu_cxx
#endif

export namespace octet {

/// std::make_shared. That itself is not among the names above: libstdc++ makes it a friend of every shared_ptr, and
/// Clang 19 takes the name above for the one to befriend where a file includes <memory> as well.
template <class T, class... Arguments>
std::shared_ptr<T> shared(Arguments&&... arguments) {
  return std::make_shared<T>(std::forward<Arguments>(arguments)...);
}

}  // namespace octet
