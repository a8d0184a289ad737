/// Shape rules of operations that move elements to places computed by the program: slices at run-time starts, gather,
/// scatter.
module octet.graph;
import octet.standard;
import :constraints;
import :rules;

namespace octet::rules {

namespace {

std::size_t size(std::int64_t rank) { return static_cast<std::size_t>(rank); }

bool contains(const Dims& dims, std::int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

/// The inputs from `first` on are one scalar index for each dimension of input 0.
bool start_indices(Constraints& c, std::size_t first, int count_constraint, int type_constraint) {
  const std::size_t given = c.inputs() < first ? 0 : c.inputs() - first;
  if (c.inputs() < first || given != size(c.shape(0).rank())) {
    if (c.inputs() == 0)
      c.broken(404, count_constraint, "it takes an operand, and none is given");
    else if (c.inputs() < first)
      c.broken(404, count_constraint, "it takes an operand and an update, and 1 operand is given");
    else
      c.attribute(count_constraint,
                  say(c.has_rank(0), ", and ", counted(given, "start index is", "start indices are"), " given"),
                  {"give one scalar start index for each dimension"});
    return false;
  }
  for (std::size_t i = first; i < c.inputs(); ++i) {
    c.integers(i, 0);
    c.scalar(i, 0);
    if (c.dtype(i) != c.dtype(first)) c.same_element_type(first, i, type_constraint);
  }
  return true;
}

/// 0 <= sizes <= the extents of input 0.
void within(Constraints& c, const std::string& what, const Dims& sizes, int constraint) {
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::int64_t extent = c.shape(0)[static_cast<std::int64_t>(d)];
    if (sizes[d] < 0 || sizes[d] > extent)
      c.attribute(constraint,
                  say(what, " takes ", sizes[d], " of dimension ", d, " of ", c.noun(0),
                      ", and that is not within 0 to ", extent),
                  {say("take ", sizes[d] < 0 ? 0 : extent, ", or pad the operand first")});
  }
}

/// What gather and scatter share: the indices, and the dimension that holds an index's components.
bool index_vectors(Constraints& c, std::int64_t index_vector_dim, std::string_view map_name, const Dims& map,
                   int dim_constraint, int size_constraint, int unique_constraint, int range_constraint) {
  const bool are_integers = c.integers(1, 0);
  const std::int64_t rank = c.shape(1).rank();
  if (index_vector_dim < 0 || index_vector_dim > rank) {
    c.fault([&] {
      c.attribute(dim_constraint,
                  say("index_vector_dim is ", index_vector_dim, ", and for ", c.noun(1), " it is within 0 to ", rank),
                  {say("index_vector_dim = ", rank, ", where each index is one number")});
    });
    return false;
  }
  const std::int64_t components = index_vector_dim < rank ? c.shape(1)[index_vector_dim] : 1;
  bool holds = are_integers;
  if (components != static_cast<std::int64_t>(map.size())) {
    c.fault([&] {
      Fixes fixes;
      if (index_vector_dim < rank && map.size() == 1)
        fixes.push_back(say("index_vector_dim = ", rank, ", where each index is one number"));
      c.attribute(size_constraint,
                  say("each index has ", counted(size(components), "component", "components"), ", by index_vector_dim ",
                      index_vector_dim, " of ", c.noun(1), ", and ", map_name, " ", map, " has ",
                      counted(map.size(), "entry", "entries")),
                  std::move(fixes));
    });
    holds = false;
  }
  holds &= c.dimensions(map_name, map, 0, range_constraint, unique_constraint);
  return holds;
}

/// The extents of the indices without the dimension that holds their components.
Dims index_extents(const Constraints& c, std::int64_t index_vector_dim) {
  Dims extents = c.shape(1).extents();
  if (index_vector_dim < c.shape(1).rank()) extents.erase(extents.begin() + index_vector_dim);
  return extents;
}

/// The extents `window` at the dimensions `window_dims`, and `others` in order at the rest.
Shape combined(const Dims& others, const Dims& window, const Dims& window_dims) {
  Dims extents(others.size() + window.size());
  std::size_t next_window = 0, next_other = 0;
  for (std::size_t d = 0; d < extents.size(); ++d)
    extents[d] = contains(window_dims, static_cast<std::int64_t>(d)) ? window[next_window++] : others[next_other++];
  return Shape{extents};
}

}  // namespace

Types dynamic_slice(Constraints& c, const DynamicSliceAttributes& attributes) {
  if (!start_indices(c, 1, 2, 3)) return {};
  if (!c.length("slice_sizes", attributes.slice_sizes, 0, 2)) return {};
  within(c, "slice_sizes", attributes.slice_sizes, 4);
  return {{c.dtype(0), Shape{attributes.slice_sizes}}};
}

Types dynamic_update_slice(Constraints& c, const NoAttributes&) {
  if (!start_indices(c, 2, 4, 5)) return {};
  c.same_element_type(0, 1, 2);
  if (c.shape(0).rank() != c.shape(1).rank()) {
    Fixes fixes;
    if (c.shape(1).rank() < c.shape(0).rank()) {
      Dims extents(size(c.shape(0).rank() - c.shape(1).rank()), 1);
      extents.insert(extents.end(), c.shape(1).begin(), c.shape(1).end());
      fixes.push_back(say("reshape(update, ", braced(extents), ")"));
    }
    c.shapes(3, say(c.noun(0), " and ", c.noun(1), " must have equally many dimensions"), std::move(fixes));
    return {};
  }
  for (std::int64_t d = 0; d < c.shape(0).rank(); ++d)
    if (c.shape(1)[d] > c.shape(0)[d])
      c.shapes(6, say(c.noun(1), " does not fit into ", c.noun(0), ": in dimension ", d, " ", c.shape(1)[d],
                      " is more than ", c.shape(0)[d]));
  return {c.type(0)};
}

Types gather(Constraints& c, const GatherAttributes& attributes) {
  const Shape& operand = c.shape(0);
  const auto &offset = attributes.offset_dims, &collapsed = attributes.collapsed_slice_dims,
             &sizes = attributes.slice_sizes;
  bool holds =
      index_vectors(c, attributes.index_vector_dim, "start_index_map", attributes.start_index_map, 2, 3, 18, 19);
  holds &=
      c.dimensions("collapsed_slice_dims", collapsed, 0, 8, 6) && c.increasing("collapsed_slice_dims", collapsed, 7);
  holds &= c.length("slice_sizes", sizes, 0, 20);
  if (size(operand.rank()) != offset.size() + collapsed.size()) {
    c.fault([&] {
      c.attribute(1,
                  say(c.has_rank(0), ", and offset_dims ", offset, " and collapsed_slice_dims ", collapsed, " name ",
                      offset.size() + collapsed.size(), " together"),
                  {"name each dimension of the slice once: kept in offset_dims, or dropped in collapsed_slice_dims"});
    });
    holds = false;
  }
  if (!holds) return {};
  within(c, "slice_sizes", sizes, 21);
  for (std::int64_t d : collapsed)
    if (sizes[size(d)] != 1)
      c.fault([&] {
        c.attribute(9,
                    say("dimension ", d, " is collapsed, and slice_sizes ", sizes, " takes ", sizes[size(d)], " of it"),
                    {say("take 1 of dimension ", d, ", or keep it in offset_dims")});
      });
  const Dims batch = index_extents(c, attributes.index_vector_dim);
  const auto rank = static_cast<std::int64_t>(batch.size() + offset.size());
  if (!c.dimensions(
          "offset_dims", offset, rank,
          [&] { return say("the result of ", counted(size(rank), "dimension", "dimensions")); }, 5, 4) ||
      !c.increasing("offset_dims", offset, 4))
    return {};
  Dims window;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (!contains(collapsed, static_cast<std::int64_t>(d))) window.push_back(sizes[d]);
  return {{c.dtype(0), combined(batch, window, offset)}};
}

Types scatter(Constraints& c, const ScatterAttributes& attributes) {
  const Shape &operand = c.shape(0), &updates = c.shape(2);
  const auto &window_dims = attributes.update_window_dims, &inserted = attributes.inserted_window_dims;
  c.same_element_type(0, 2, 6);
  if (attributes.reducer != Reducer::replace) reducible(c, attributes.reducer, 0);
  bool holds = index_vectors(c, attributes.index_vector_dim, "scatter_dims_to_operand_dims",
                             attributes.scatter_dims_to_operand_dims, 22, 19, 20, 21);
  holds &=
      c.dimensions("inserted_window_dims", inserted, 0, 11, 9) && c.increasing("inserted_window_dims", inserted, 10);
  holds &=
      c.dimensions("update_window_dims", window_dims, 2, 8, 7) && c.increasing("update_window_dims", window_dims, 7);
  if (size(operand.rank()) != window_dims.size() + inserted.size()) {
    c.fault([&] {
      c.attribute(2,
                  say(c.has_rank(0), ", and update_window_dims ", window_dims, " and inserted_window_dims ", inserted,
                      " name ", window_dims.size() + inserted.size(), " together"),
                  {"name each dimension of the window once: present in update_window_dims, or of extent 1 in "
                   "inserted_window_dims"});
    });
    holds = false;
  }
  if (!holds) return {};
  const Dims batch = index_extents(c, attributes.index_vector_dim);
  if (size(updates.rank()) != batch.size() + window_dims.size()) {
    c.fault([&] {
      c.shapes(4, say(c.has_rank(2), ", and ", batch.size(), " of ", c.noun(1), " and ", window_dims.size(),
                      " of update_window_dims ", window_dims, " make ", batch.size() + window_dims.size()));
    });
    return {};
  }
  Dims limits;
  for (std::int64_t d = 0; d < operand.rank(); ++d)
    if (!contains(inserted, d)) limits.push_back(operand[d]);
  const Shape expected = combined(batch, limits, window_dims);
  for (std::int64_t d = 0; d < updates.rank(); ++d) {
    if (contains(window_dims, d) ? updates[d] <= expected[d] : updates[d] == expected[d]) continue;
    c.fault([&] {
      c.shapes(4, say("dimension ", d, " of ", c.noun(2), " is ",
                      contains(window_dims, d)
                          ? say("a window into ", c.noun(0), ", and ", updates[d], " is more than ", expected[d])
                          : say("that of ", c.noun(1), ", and ", updates[d], " is not ", expected[d])));
    });
  }
  return {c.type(0)};
}

}  // namespace octet::rules
