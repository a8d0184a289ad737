module octet.trace;
import octet.base;
import octet.standard;
import :walk;

namespace octet::reflection {

std::string Path::name() const {
  const std::string own = above_ && part_.empty() ? std::to_string(index_) : std::string{part_};
  if (!above_) return own;
  const std::string above = above_->name();
  return above.empty() ? own : above + "." + own;
}

}  // namespace octet::reflection
