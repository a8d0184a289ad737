/// Where the elements of a value lie when the same function is traced with padded arguments. Internal to octet.compile.
export module octet.compile:real_part;
import octet.base;
import octet.standard;

namespace octet {

/// An extent and what it was padded to.
using PaddedExtent = std::pair<std::int64_t, std::int64_t>;

/// For each index of a dimension of extent `own`, where it lies in the same dimension of extent `padded`: first where
/// the extents themselves are padded or merely longer, then where they are products of one or two of `pairs` and of
/// factors that are not padded, which leaves open where these stand. Nothing where `own` is larger.
std::vector<std::vector<std::int64_t>> placements(std::int64_t own, std::int64_t padded,
                                                  std::span<const PaddedExtent> pairs);

/// How far a value is from its padded self.
struct Deviation {
  bool found = false;   ///< the real part lies in the padded value
  double largest = 0;   ///< the largest difference; infinite where only one is finite
  std::int64_t at = 0;  ///< the element, counted row-major
  double own = 0, padded = 0;
};

/// The deviation in the placement where it is least.
Deviation deviation(const Tensor& own, const Tensor& padded, std::span<const PaddedExtent> pairs);

/// The median size of the elements that are neither 0 nor infinite nor NaN; 0 where there are none.
double usual_size(const Tensor& tensor);

}  // namespace octet
