/// Precision: element types that a TPU has not, and numbers that bf16 cannot hold.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :chip;
import :cost;
import :estimate;
import :fused;
import :readiness;
import :slice;

namespace octet {

namespace {

constexpr double exact_integers = 256;   // bf16 has 8 bits of precision
constexpr double small_constant = 1e-5;  // an epsilon, by its size
constexpr double worth_it = 0.1;         // of a step

/// What is known of the elements of a value.
struct Range {
  double most = -1;       ///< the largest magnitude; -1: not known
  bool integral = false;  ///< whether all are whole numbers
};

/// The ranges of all values of a graph, as far as they follow from constants, from iota and from the data seen.
std::vector<Range> ranges_of(const Graph& graph, const std::vector<Range>& parameters) {
  std::vector<Range> ranges(graph.values().size());
  const auto at = [&](ValueId id) -> Range& { return ranges[static_cast<std::size_t>(id)]; };
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    Range& range = at(graph.parameters()[i]);
    if (i < parameters.size()) range = parameters[i];
    range.integral |= is_integer(graph.type(graph.parameters()[i]).dtype);
  }
  for (const Node& node : graph.nodes()) {
    Range range;
    const auto input = [&](std::size_t i) { return at(node.inputs[i]); };
    const auto both = [&](auto&& combine) {
      const Range a = input(0), b = input(1);
      range.integral = a.integral && b.integral;
      if (a.most >= 0 && b.most >= 0) range.most = combine(a.most, b.most);
    };
    const auto larger = [](double a, double b) { return std::max(a, b); };
    switch (node.op) {
      case Op::constant: {
        const Tensor& value = std::get<ConstantAttributes>(node.attributes).value;
        range.integral = true;
        range.most = 0;
        bool same = true, kept = true;
        double large = 0;
        for (std::int64_t e = 0; e < std::min<std::int64_t>(value.elements(), 4096); ++e) {
          const double element = value.at(e);
          if (!std::isfinite(element)) continue;
          range.integral &= element == std::floor(element);
          range.most = std::max(range.most, std::fabs(element));
          kept &= static_cast<float>(bfloat16{static_cast<float>(element)}) == element;
          if (std::fabs(element) <= exact_integers) continue;
          same &= large == 0 || element == large;
          large = element;
        }
        // One large number of floating-point, whatever small ones are beside it, is a scale or hides scores: it counts
        // nothing. Nor is anything lost of what bf16 holds.
        range.integral &= is_integer(value.dtype()) || large == 0 || (!same && !kept);
        if (value.elements() > 4096) range.most = -1;
        break;
      }
      case Op::iota: {
        const auto& iota = std::get<IotaAttributes>(node.attributes);
        range = {static_cast<double>(std::max<std::int64_t>(0, iota.type.shape[iota.iota_dimension] - 1)), true};
        break;
      }
      case Op::convert:
        range = input(0);
        if (graph.type(node.inputs[0]).dtype == DType::pred) range = {1, true};
        range.integral |= is_integer(graph.type(node.outputs[0]).dtype);
        break;
      case Op::add:
      case Op::subtract:
        both([](double a, double b) { return a + b; });
        break;
      case Op::multiply:
        both([](double a, double b) { return a * b; });
        break;
      case Op::maximum:
      case Op::minimum:
        both(larger);
        break;
      case Op::select: {
        const Range a = input(1), b = input(2);
        range = {a.most >= 0 && b.most >= 0 ? std::max(a.most, b.most) : -1, a.integral && b.integral};
        break;
      }
      case Op::clamp: {
        const Range low = input(0), high = input(2);
        range = {low.most >= 0 && high.most >= 0 ? std::max(low.most, high.most) : -1,
                 input(1).integral && low.integral && high.integral};
        break;
      }
      case Op::abs:
      case Op::negate:
      case Op::broadcast_in_dim:
      case Op::dynamic_slice:
      case Op::gather:
      case Op::reshape:
      case Op::reverse:
      case Op::slice:
      case Op::transpose:
      case Op::all_gather:
      case Op::all_to_all:
      case Op::collective_permute:
        range = input(0);
        break;
      default:
        break;
    }
    if (node.outputs.size() == 1) at(node.outputs[0]) = range;
    if (node.op == Op::optimization_barrier)
      for (std::size_t i = 0; i < node.inputs.size(); ++i) at(node.outputs[i]) = input(i);
    for (const ValueId id : node.outputs) at(id).integral |= is_integer(graph.type(id).dtype);
  }
  return ranges;
}

/// The constant that `id` is in every element; NaN where it is none.
double constant_of(const Graph& graph, ValueId id) {
  const Node* node = graph.definition(id);
  while (node && (node->op == Op::broadcast_in_dim || node->op == Op::reshape || node->op == Op::convert))
    node = graph.definition(node->inputs[0]);
  const auto* constant = node ? std::get_if<ConstantAttributes>(&node->attributes) : nullptr;
  return constant && constant->value.elements() == 1 ? constant->value.at(0) : std::nan("");
}

/// Whether `id` is what was bf16, put elsewhere or not: its elements were rounded.
bool rounded(const Graph& graph, ValueId id) {
  const Node* node = graph.definition(id);
  while (node &&
         (node->op == Op::reshape || node->op == Op::slice || node->op == Op::transpose || node->op == Op::all_gather))
    node = graph.definition(node->inputs[0]);
  return node && node->op == Op::convert && graph.type(node->inputs[0]).dtype == DType::bf16;
}

std::string at_text(const Place& place) { return place.known() ? " (" + to_string(place) + ")" : ""; }

class Precisions {
 public:
  explicit Precisions(const Checked& checked) : checked_{checked} {}

  CheckLine run() {
    const Graph& graph = *checked_.graph;
    std::vector<Range> parameters;
    for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
      const auto known = i < checked_.signature.names.size()
                             ? checked_.candidate.largest.find(checked_.signature.names[i])
                             : checked_.candidate.largest.end();
      parameters.push_back({known == checked_.candidate.largest.end() ? -1 : known->second, false});
    }
    for (const ValueId id : graph.parameters()) note_type(graph.type(id).dtype, {});
    look(graph, parameters);
    wide_types();
    lost_integers();
    lost_constants();
    lost_updates();
    passes();
    activations();
    if (line_.verdict != Verdict::warn) {
      line_.verdict = Verdict::pass;
      line_.finding = checked_.options.activations == DType::bf16
                          ? "Operands and activations round to bf16, and products add up in f32; nothing else is lost."
                          : "Products round their operands to bf16 and add up in f32; nothing else is lost.";
    }
    return std::move(line_);
  }

 private:
  void warn(const std::string& sentence, const std::string& cure) {
    line_.verdict = Verdict::warn;
    if (line_.finding.empty())
      line_.finding = sentence;
    else
      line_.evidence.push_back(sentence);
    line_.cure.push_back(cure);
  }

  void note_type(DType dtype, const Place& place) {
    if (dtype == DType::f64 && f64_++ == 0) f64_place_ = place;
    if (dtype == DType::i64 && i64_++ == 0) i64_place_ = place;
  }

  void look(const Graph& graph, const std::vector<Range>& parameters) {
    const std::vector<Range> ranges = ranges_of(graph, parameters);
    for (const Node& node : graph.nodes()) {
      for (const ValueId id : node.outputs) note_type(graph.type(id).dtype, node.place);
      const auto in = [&](std::size_t i) { return ranges[static_cast<std::size_t>(node.inputs[i])]; };
      const bool bf16 = node.outputs.size() == 1 && graph.type(node.outputs[0]).dtype == DType::bf16;
      if (node.op == Op::convert && bf16 && in(0).integral) {
        if (in(0).most > exact_integers)
          integers_.push_back({in(0).most, node.place});
        else if (in(0).most < 0)
          ++unknown_integers_;
      }
      if (bf16 && (node.op == Op::add || node.op == Op::subtract))
        for (const ValueId id : node.inputs)
          if (const double value = std::fabs(constant_of(graph, id)); value > 0 && value < small_constant)
            constants_.push_back({value, node.place});
      if (node.op == Op::dot_general)
        if (const int passes = tpu::passes_of(graph, node); passes > 1) {
          Asking& asking = passes == 3 ? high_ : highest_;
          if (asking.products++ == 0) asking.place = node.place;
        }
      std::vector<Range> operands;
      for (std::size_t i = node.op == Op::if_ ? 1 : 0; i < node.inputs.size(); ++i) operands.push_back(in(i));
      // The state of a loop changes from round to round.
      if (node.op == Op::while_) operands.assign(operands.size(), Range{});
      for (const Graph& region : node.regions) look(region, operands);
    }
  }

  void wide_types() {
    if (f64_) {
      warn(counted(f64_, "value") + (f64_ == 1 ? " is" : " are") +
               " of f64, which a TPU has no unit for: it is worked out in software, many times slower." +
               at_text(f64_place_),
           "compute in f32: cast<float>(x), and f32 data to begin with");
      line_.figures.push_back({"f64_values", static_cast<double>(f64_)});
    }
    if (i64_)
      line_.evidence.push_back(counted(i64_, "value") + " of i64, which a TPU keeps as two of 32 bits" +
                               at_text(i64_place_));
  }

  void lost_integers() {
    for (const auto& [most, place] : integers_)
      warn("Whole numbers up to " + number_text(most) +
               " become bf16, which holds them exactly up to 256 alone: neighbours become one." + at_text(place),
           "keep ids and counts in i32, or in f32 where they must be floating-point");
    if (unknown_integers_)
      line_.evidence.push_back(counted(unknown_integers_, "conversion") +
                               " of whole numbers to bf16, of a size that is not known without data; exact up to 256");
  }

  void lost_constants() {
    for (const auto& [value, place] : constants_) {
      warn(scientific_decimal(value, 2) + " is added in bf16, where it vanishes beside anything above " +
               scientific_decimal(value * exact_integers, 2) + "." + at_text(place),
           "add it in f32, and convert what comes of it");
      if (line_.evidence.size() > 4) break;
    }
  }

  void lost_updates() {
    std::vector<std::string> names;
    for (std::size_t r = 0; r < checked_.updates.size(); ++r) {
      const auto& update = checked_.updates[r];
      if (update && (checked_.optimized.parameter_types()[*update].dtype == DType::bf16 ||
                     rounded(checked_.optimized, checked_.optimized.results()[r])))
        names.push_back(checked_.names[*update]);
    }
    if (names.empty()) return;
    line_.figures.push_back({"bf16_state", static_cast<double>(names.size())});
    const auto known = checked_.candidate.largest.find(names.front());
    const double typical = known != checked_.candidate.largest.end() && known->second > 0 ? known->second : 0.02;
    const double lost =
        std::exp2(std::floor(std::log2(typical))) / exact_integers;  // half of the distance to the next bf16
    warn("'" + names.front() + "'" +
             (names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more are" : " is") +
             " updated in bf16: beside a value of " + shortest_decimal(static_cast<float>(typical), Notation::plain) +
             ", a change below " + scientific_decimal(lost, 2) + " vanishes.",
         "keep parameters and optimizer state in f32, and convert to bf16 where they are used");
  }

  void passes() {
    const auto ask = [&](const Asking& asking, const std::string& what) {
      if (asking.products)
        warn(counted(asking.products, "product") + (asking.products == 1 ? " asks" : " ask") + " for " + what +
                 " passes of the matrix unit." + at_text(asking.place),
             "leave the precision of products at its default, but for those that need it");
    };
    ask(highest_, "HIGHEST precision, which takes six");
    ask(high_, "HIGH precision, which takes three");
    if (checked_.options.jit.compile.precision == Precision::f32)
      warn("Products are asked for in f32, which takes six passes of the matrix unit instead of one.",
           "use Precision::bf16, the TPU's default");
  }

  void activations() {
    if (checked_.options.activations != DType::f32 || checked_.optimized.nodes().empty()) return;
    const double wide = estimated(checked_, DType::f32).seconds + checked_.recompute_seconds;
    const double narrow = estimated(checked_, DType::bf16).seconds + recompute_seconds(checked_, DType::bf16);
    line_.figures.push_back({"step_seconds_with_bf16_activations", narrow, "seconds"});
    if (wide > 0 && narrow < (1 - worth_it) * wide)
      warn("Activations are stored in f32; in bf16 a step would take " + seconds_text(narrow) + " instead of " +
               seconds_text(wide) + ".",
           "store activations in bf16 between operations, with parameters and optimizer state in f32");
  }

  /// Products that ask for more than one pass, and where the first stands.
  struct Asking {
    double products = 0;
    Place place;
  };

  const Checked& checked_;
  CheckLine line_;
  double f64_ = 0, i64_ = 0, unknown_integers_ = 0;
  Place f64_place_, i64_place_;
  Asking high_, highest_;
  std::vector<std::pair<double, Place>> integers_, constants_;
};

}  // namespace

CheckLine judge_precision(const Checked& checked) {
  if (!checked.graph) return not_traced(checked);
  return Precisions{checked}.run();
}

}  // namespace octet
