/// Numbers that are infinite or none at all: X509, before anything is made of them. Internal to octet.train.
export module octet.train:finite;
import octet.base;
import octet.standard;
import :options;

namespace octet::train {

/// The first number that is not finite; nothing where all are, as integers are.
std::optional<double> first_not_finite(const Tensor& tensor);
/// `5.25`, `inf`, `nan`.
std::string number_text(double value);

/// Throws X509 where a tensor holds a number that is not finite, with its name; `where` is what holds them.
void require_finite(const std::vector<std::string>& names, std::span<const Tensor> tensors, const std::string& where);
/// Throws X509 where what a model makes of a sentence is not finite.
void require_finite_guess(const Tensor& guess);

/// A run that goes nowhere from `step` on; `what` is its sentence without the stop.
[[noreturn]] void fail_diverged(const TrainOptions& options, std::int64_t step, const std::string& what,
                                std::optional<double> loss_before);

}  // namespace octet::train
