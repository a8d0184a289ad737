/// Memory for data that is walked through from end to end.
export module octet.base:memory;
import octet.standard;

export namespace octet::detail {

/// Bytes aligned to 64, uninitialized; in large pages where there are enough of them and the system has some to give,
/// which spares looking addresses up. Throws std::bad_alloc.
std::byte* allocate_bytes(std::size_t bytes);

struct ReleaseBytes {
  void operator()(std::byte* memory) const noexcept;
};
using Memory = std::unique_ptr<std::byte[], ReleaseBytes>;

}  // namespace octet::detail
