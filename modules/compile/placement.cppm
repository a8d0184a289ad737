/// Gives every buffer of a plan its place. Internal to octet.compile.
export module octet.compile:placement;
import octet.standard;
import :plan;

namespace octet {

/// Which arguments results may be written over, once nothing reads those any more.
struct Donated {
  std::vector<std::size_t> arguments;
  bool one_for_each_result = false;  ///< result k over arguments[k] alone, as the next state of a loop
};

/// Fills `buffers`, `result_from`, `arena_bytes`, `thread_bytes`, `shared_bytes` and `live_bytes` of a plan whose
/// instructions are complete, and what they say of outputs that nothing reads.
void assign_places(Plan& plan, const Donated& donated);

}  // namespace octet
