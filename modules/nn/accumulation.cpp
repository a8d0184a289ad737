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

}  // namespace octet::nn
