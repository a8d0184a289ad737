/// What each of the devices that share a program has of a tensor. To be included after `import octet.base;` and
/// `import octet.tpu;`, with <cstddef>, <cstdint>, <cstring> and <utility> before them.
#pragma once

/// What `device` has of a tensor.
inline octet::Tensor part_of(octet::Tensor whole, std::int64_t device, const octet::tpu::MeshCuts& cuts) {
  for (const auto& [dimension, count, stride] : cuts) {
    if (dimension == octet::tpu::uncut) continue;
    octet::Dims extents = whole.shape().extents();
    extents[static_cast<std::size_t>(dimension)] /= count;
    octet::Tensor part{{whole.dtype(), octet::Shape{extents}}};
    std::int64_t rows = 1;
    for (std::int64_t d = 0; d < dimension; ++d) rows *= extents[static_cast<std::size_t>(d)];
    const auto size = static_cast<std::size_t>(part.type().bytes() / rows);
    for (std::int64_t row = 0; row < rows; ++row)
      std::memcpy(part.mutable_bytes().data() + static_cast<std::size_t>(row) * size,
                  whole.bytes().data() + static_cast<std::size_t>(row * count + device / stride % count) * size, size);
    whole = std::move(part);
  }
  return whole;
}
