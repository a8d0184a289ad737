/// What the regions of `sort` and `reduce` order by, whichever way they say it. Regions of comparisons and choices
/// only, with no other constants than 0 and NaN, can tell values apart by their order alone, to each other and to those
/// two: so they are tried on values that stand in every such order, and what they answer is all that there is to know.
module octet.graph:region_order;
import octet.base;
import octet.standard;
import :attributes;
import :syntax;

namespace octet::syntax {

/// What a `sort` orders by: its operands from the first on, as many as there are directions.
struct Ordering {
  bool canonical = false;  ///< any NaN is the greatest number, and -0 is equal to 0; else the total order
  std::vector<SortDirection> directions;
};

/// The ordering by which the region of a sort compares, its arguments in pairs; nothing where it is none of these.
/// Where a region compares floating-point numbers by IEEE's rules, NaN has no place among them, and is taken for the
/// greatest.
std::optional<Ordering> ordering_of(const Region& region);

/// What a region of (value, place, value, place) selects: the maximum or the minimum with its place, of equal values
/// the smaller place, any NaN before all numbers. Nothing where it selects otherwise; but one that takes whatever
/// stands on one side of a NaN, as PyTorch's does, is read as one that takes the NaN: it would lose most of them, by
/// their places.
std::optional<Reducer> selected_by(const Region& region);

}  // namespace octet::syntax
