module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :accumulation;

namespace octet::nn {

Array cut_in_parts(const Array& array, std::int64_t parts, std::source_location where) {
  const Shape& shape = array.shape();
  if (parts < 1 || shape.rank() == 0 || shape[0] % parts != 0)
    fail({.number = 601,
          .sentence = "A replica's share " + to_string(array.type()) + " cannot be taken in " + std::to_string(parts) +
                      " equal parts along its leading axis.",
          .where = Place::of(where),
          .fix = {parts < 1 || shape.rank() == 0 ? "take 1 part or more of an array with a leading axis"
                                                 : "make the share " + std::to_string((shape[0] / parts + 1) * parts) +
                                                       ", filled up with examples of weight zero"}});
  Dims extents = shape.extents();
  extents[0] /= parts;
  extents.insert(extents.begin(), parts);
  const ComposedAt scope{where};
  return reshape(array, extents);
}

std::vector<Array> added_over_parts(
    const std::vector<Array>& batch, std::int64_t parts, const std::vector<Array>& nothing,
    const std::function<std::vector<Array>(const std::vector<Array>&, const std::vector<Array>&)>& add,
    std::source_location where) {
  std::vector<Array> cut;
  for (const Array& array : batch) cut.push_back(cut_in_parts(array, parts, where));
  return fori_loop(
      0, parts,
      [&](const Array& part, const std::vector<Array>& sums) {
        std::vector<Array> examples;
        for (const Array& array : cut) examples.push_back(index_leading(array, part, where));
        return add(examples, sums);
      },
      nothing, where);
}

}  // namespace octet::nn
