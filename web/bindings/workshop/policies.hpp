// Bucket policies as the page names them. Imports octet: include it after all other headers.
#pragma once
#include "crossing.hpp"
import octet.standard;
import octet;

namespace policies {

/// `{kind, n, step, extents, max_buckets, multiple}`; fitted buckets are fitted to `lengths` at `costs`. Throws what
/// the policies throw.
inline octet::BucketPolicy policy_of(const crossing::val& given, const octet::LengthHistogram& lengths,
                                     octet::FittingOptions costs) {
  const std::string kind = given["kind"].as<std::string>();
  std::int64_t n = 64, step = 64;
  crossing::take(given, "n", n);
  crossing::take(given, "step", step);
  if (kind == "multiple_of") return octet::multiple_of(n);
  if (kind == "doubling_then_linear") return octet::doubling_then_linear(n, step);
  if (kind == "max_length") return octet::max_length(n);
  if (kind == "longest") return octet::longest();
  if (kind == "one_of") return octet::one_of(crossing::whole_numbers(given["extents"]));
  if (kind == "fitted") {
    crossing::take(given, "max_buckets", costs.max_buckets);
    crossing::take(given, "multiple", costs.multiple);
    return octet::fitted(lengths, costs).policy;
  }
  return octet::exact();
}

}  // namespace policies
