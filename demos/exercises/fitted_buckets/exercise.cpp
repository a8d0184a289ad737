/// The buckets for texts whose lengths were counted. `costs` has what compiling a program takes, and a position of a
/// call.
import octet;
using namespace octet;

BucketPolicy buckets(const LengthHistogram& /*lengths*/, const FittingOptions& /*costs*/) {
  return multiple_of(64);
}
