module octet.base;
import octet.standard;

namespace octet {

std::string to_string(const Dims& dims) {
  std::string text = "[";
  for (std::size_t d = 0; d < dims.size(); ++d) text += (d ? ", " : "") + std::to_string(dims[d]);
  return text + "]";
}

std::string to_string(const Shape& shape) { return to_string(shape.extents()); }

std::string to_string(const TensorType& type) { return std::string{name(type.dtype)} + to_string(type.shape); }

}  // namespace octet
