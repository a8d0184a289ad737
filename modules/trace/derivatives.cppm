/// The rules behind the derivative column, by kind of operation. Internal to octet.trace.
export module octet.trace:derivatives;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :gradient;

namespace octet::derivatives {

using Cotangents = std::vector<Array>;

// elementwise
Cotangents abs(const Derivation&);
Cotangents convert(const Derivation&);
Cotangents cosine(const Derivation&);
Cotangents erf(const Derivation&);
Cotangents exponential(const Derivation&);
Cotangents exponential_minus_one(const Derivation&);
Cotangents log(const Derivation&);
Cotangents log_plus_one(const Derivation&);
Cotangents logistic(const Derivation&);
Cotangents negate(const Derivation&);
Cotangents rsqrt(const Derivation&);
Cotangents sine(const Derivation&);
Cotangents sqrt(const Derivation&);
Cotangents tanh(const Derivation&);
Cotangents add(const Derivation&);
Cotangents divide(const Derivation&);
Cotangents maximum(const Derivation&);
Cotangents minimum(const Derivation&);
Cotangents multiply(const Derivation&);
Cotangents power(const Derivation&);
Cotangents remainder(const Derivation&);
Cotangents subtract(const Derivation&);
Cotangents clamp(const Derivation&);
Cotangents select(const Derivation&);
// movement
Cotangents broadcast_in_dim(const Derivation&);
Cotangents concatenate(const Derivation&);
Cotangents dynamic_slice(const Derivation&);
Cotangents dynamic_update_slice(const Derivation&);
Cotangents gather(const Derivation&);
Cotangents pad(const Derivation&);
Cotangents reshape(const Derivation&);
Cotangents reverse(const Derivation&);
Cotangents scatter(const Derivation&);
Cotangents slice(const Derivation&);
Cotangents sort(const Derivation&);
Cotangents transpose(const Derivation&);
// contraction and reduction
Cotangents dot_general(const Derivation&);
Cotangents reduce(const Derivation&);
// control flow
Cotangents if_(const Derivation&);
Cotangents optimization_barrier(const Derivation&);
Cotangents while_(const Derivation&);
// across replicas
Cotangents all_gather(const Derivation&);
Cotangents all_reduce(const Derivation&);
Cotangents all_to_all(const Derivation&);
Cotangents collective_permute(const Derivation&);
Cotangents reduce_scatter(const Derivation&);

/// Of an alias that keeps what it is computed from a second time: those of what it keeps, as far as that is `active`,
/// which means that it depends on what is differentiated.
Cotangents checkpoint(const Derivation&, const std::unordered_set<const Expression*>& active);

[[noreturn]] void refuse(const Derivation& d, const char* reason);

}  // namespace octet::derivatives
