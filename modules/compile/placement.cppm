/// Gives every buffer of a plan its place. Internal to octet.compile.
export module octet.compile:placement;
import octet.standard;
import :plan;

namespace octet {

/// Fills `buffers`, `result_from`, `arena_bytes`, `thread_bytes`, `shared_bytes` and `live_bytes` of a plan whose
/// instructions are complete. Results are written over arguments in `donated` where nothing reads those any more.
void assign_places(Plan& plan, const std::vector<std::size_t>& donated);

}  // namespace octet
