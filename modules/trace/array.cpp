module;
#ifdef __EMSCRIPTEN__
#include <pthread.h>
#endif
module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

namespace {

// A serial number, not a state: no result depends on its value, only on the order it gives.
std::atomic<std::uint64_t> births{1};

std::shared_ptr<Expression> new_expression(Expression::Kind kind, const Place& place) {
  auto expression = shared<Expression>();
  expression->kind = kind;
  expression->birth = births.fetch_add(1, std::memory_order_relaxed);
  expression->place = place;
  return expression;
}

// The one scope in force on this thread, or none: a lexical fact about the calls in progress, which no result outlives.
#ifdef __EMSCRIPTEN__
// Not thread_local: wasm-ld 19 misplaces such variables where these objects are linked into a program without threads.
class ComposedAtOfThread {
 public:
  ComposedAtOfThread() { pthread_key_create(&key_, nullptr); }
  operator const Place*() const { return static_cast<const Place*>(pthread_getspecific(key_)); }
  void operator=(const Place* place) { pthread_setspecific(key_, place); }

 private:
  pthread_key_t key_{};
};
ComposedAtOfThread composed_at;
#else
thread_local const Place* composed_at = nullptr;
#endif

Tensor scalar_of(DType dtype, double value) { return Tensor::scalar(value).converted(dtype); }

}  // namespace

ComposedAt::ComposedAt(Place place, bool own_line) : place_{std::move(place)}, around_{composed_at} {
  if (!around_ || (own_line && place_.known())) composed_at = &place_;
}

ComposedAt::~ComposedAt() { composed_at = around_; }

const Place& placed(const Place& written_at) { return composed_at ? *composed_at : written_at; }

void fail_because(const Error& error, const std::vector<Array>& inputs) {
  // The longest chain, and where the other operands begin: either may be the wrong one.
  std::vector<std::vector<Link>> chains;
  std::size_t longest = 0, room = 5;
  for (const Array& input : inputs) {
    chains.push_back(because(input));
    if (chains.back().size() > chains[longest].size()) longest = chains.size() - 1;
  }
  if (chains.size() > 1 && chains[longest].size() == room) chains[longest].erase(chains[longest].begin());
  if (!chains.empty()) room -= std::min(room, chains[longest].size());
  std::vector<Link> chain;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const auto known = [&](const Link& link) {
      const auto is_it = [&](const Link& other) { return other.what == link.what; };
      return std::ranges::any_of(chains[longest], is_it) || std::ranges::any_of(chain, is_it);
    };
    if (i == longest)
      std::ranges::move(chains[i], std::back_inserter(chain));
    else if (room > 0 && !chains[i].empty() && !known(chains[i].front()))
      chain.push_back(std::move(chains[i].front())), --room;
  }
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& diagnostic : diagnostics)
    if (diagnostic.because.empty()) diagnostic.because = chain;
  throw Error{std::move(diagnostics)};
}

std::uint64_t next_birth() { return births.load(std::memory_order_relaxed); }

Expression::~Expression() {
  std::vector<Array> pending = std::move(inputs);
  while (!pending.empty()) {
    std::shared_ptr<const Expression> expression = pending.back().expression();
    pending.pop_back();
    // Ours and this local are the last owners: take its inputs over before it goes, so that it goes without recursion.
    if (expression && expression.use_count() == 1) {
      std::atomic_thread_fence(std::memory_order::acquire);  // another thread may have been its reader a moment ago
      auto& own = const_cast<Expression&>(*expression).inputs;
      std::move(own.begin(), own.end(), std::back_inserter(pending));
      own.clear();
    }
  }
}

const Array& array_at(const std::vector<Array>& arrays, std::size_t i) {
  if (i >= arrays.size())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = "A structure of more arrays was given " + std::to_string(arrays.size()) + "."};
    });
  return arrays[i];
}

void require_rank(const Array& x, std::int64_t least, const std::string& function, const Place& written_at) {
  if (x.rank() >= least) return;
  fail([&] {
    return Diagnostic{.number = 403,
                      .sentence = function + " needs an array of at least " + std::to_string(least) +
                                  (least == 1 ? " dimension" : " dimensions") + ", and is given " +
                                  to_string(x.type()) + ".",
                      .where = placed(written_at),
                      .because = because(x)};
  });
}

std::int64_t dimension_of(const operand& a, std::int64_t dimension, const std::string& function) {
  const Array x = a.array();
  require_rank(x, 1, function, Place::of(a.where()));
  const std::int64_t d = dimension < 0 ? dimension + x.rank() : dimension;
  if (d < 0 || d >= x.rank())
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = function + ": dimension " + std::to_string(dimension) + " of " +
                                    to_string(x.type()) + " is not from " + std::to_string(-x.rank()) + " to " +
                                    std::to_string(x.rank() - 1) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(x)};
    });
  return d;
}

std::int64_t counted_dimension_of(const operand& a, std::int64_t dimension, const std::string& function) {
  const std::int64_t d = dimension_of(a, dimension, function);
  if (const Array x = a.array(); x.extent(d) > std::numeric_limits<std::int32_t>::max())
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = function + " gives places of i32, and dimension " + std::to_string(d) + " of " +
                                    to_string(x.type()) + " has more of them.",
                        .where = placed(Place::of(a.where())),
                        .because = because(x),
                        .fix = {"take it in parts along that dimension"}};
    });
  return d;
}

constexpr const char* empty_used = "An empty Array was used: it belongs to no trace and has no type.";
constexpr const char* fill_it = "give it a value before: zeros(type), an argument, or what a function returns";

const TensorType& Array::type() const {
  if (!expression_)
    fail([&] { return Diagnostic{.number = 406, .sentence = empty_used, .where = placed({}), .fix = {fill_it}}; });
  return expression_->types[static_cast<std::size_t>(index_)];
}

std::int64_t Array::extent(std::int64_t d) const {
  const std::int64_t own = rank();
  if (d < -own || d >= own)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "The extent of dimension " + std::to_string(d) + " was asked of " +
                                    to_string(type()) + ", which has " + std::to_string(own) +
                                    (own == 1 ? " dimension." : " dimensions."),
                        .where = placed({}),
                        .because = because(*this)};
    });
  return shape()[d];
}

operand::operand(const Tensor& value, std::source_location where) : operand{constant(value, where), where} {}
operand::operand(Key key, std::source_location where)
    : operand{Tensor::of<std::uint32_t>({2}, {key.high, key.low}), where} {}

[[noreturn, gnu::noinline]] static void fail_unfit(DType natural, const TensorType& like, const Place& place) {
  fail(
      {.number = 402,
       .sentence = std::string{"A number of kind "} + std::string{octet::name(natural)} +
                   " does not fit an array of type " + to_string(like) + ".",
       .where = placed(place),
       .fix = {like.dtype == DType::pred ? "compute with numbers: cast<float>(x)"
               : natural == DType::pred  ? "write 1 or 0, or cast the truth value"
                                        : "write a whole number, or compute in a type that holds it: cast<float>(x)"}});
}

[[noreturn, gnu::noinline]] static void fail_beyond(std::int64_t number, DType dtype, const Place& place) {
  fail({.number = 402,
        // What i64 does not hold came here as the largest number that it does.
        .sentence = (dtype == DType::i64 ? "A number above " : "The number ") + std::to_string(number) +
                    " is beyond what " + std::string{octet::name(dtype)} + " holds.",
        .where = placed(place),
        .fix = {dtype == DType::i64 ? "compute in f64, which holds it nearly: cast<double>(x)"
                                    : "compute in a type that holds it: cast(x, DType::i64)"}});
}

Array operand::array(const TensorType* like) const {
  if (kind_ == Kind::array) {
    if (!expression_)
      fail([&] {
        return Diagnostic{.number = 406, .sentence = empty_used, .where = placed(Place::of(where_)), .fix = {fill_it}};
      });
    return {expression_, index_};
  }
  const DType natural = kind_ == Kind::real ? DType::f32 : kind_ == Kind::integer ? DType::i32 : DType::pred;
  const DType dtype = like ? like->dtype : natural;
  if (like && ((kind_ == Kind::real && !is_floating(dtype)) || (kind_ == Kind::truth) != (dtype == DType::pred)))
    fail_unfit(natural, *like, Place::of(where_));
  if (kind_ != Kind::integer || is_floating(dtype)) return constant(scalar_of(dtype, number_), where_);
  const Tensor value = Tensor::scalar(integer_).converted(dtype);
  if (value.converted(DType::i64).span<std::int64_t>()[0] != integer_ || static_cast<double>(integer_) != number_)
    fail_beyond(integer_, dtype, Place::of(where_));
  return constant(value, where_);
}

std::vector<Array> apply(Op op, std::vector<Array> inputs, Attributes attributes, const Place& written_at,
                         std::vector<Graph> regions) {
  const Place& place = placed(written_at);
  std::vector<TensorType> input_types;
  input_types.reserve(inputs.size());
  for (const Array& input : inputs) input_types.push_back(input.type());
  std::shared_ptr<Expression> expression = new_expression(Expression::Kind::operation, place);
  try {
    expression->types = infer({op, input_types, attributes, regions, place});
  } catch (const Error& error) {
    fail_because(error, inputs);
  }
  expression->op = op;
  expression->inputs = std::move(inputs);
  expression->attributes = std::move(attributes);
  expression->regions = std::move(regions);
  std::vector<Array> results;
  results.reserve(expression->types.size());
  for (std::size_t i = 0; i < expression->types.size(); ++i) results.emplace_back(expression, static_cast<int>(i));
  return results;
}

Array apply_one(Op op, std::vector<Array> inputs, Attributes attributes, const Place& place) {
  return std::move(apply(op, std::move(inputs), std::move(attributes), place).front());
}

Array parameter(TensorType type, std::string name, Place place) {
  auto expression = new_expression(Expression::Kind::parameter, place);
  expression->types.push_back(std::move(type));
  expression->name = std::move(name);
  return {std::move(expression), 0};
}

Array alias(const Array& array) {
  const TensorType& type = array.type();
  auto expression = new_expression(Expression::Kind::alias, array.expression()->place);
  expression->types.push_back(type);
  expression->inputs.push_back(array);
  return {std::move(expression), 0};
}

std::vector<Array> aliases(const std::vector<Array>& arrays, const std::vector<Array>& kept) {
  std::vector<Array> results;
  if (arrays.empty()) return results;
  arrays.front().type();  // throws X406 where it is empty
  auto expression = new_expression(Expression::Kind::alias, arrays.front().expression()->place);
  for (const Array& array : arrays) expression->types.push_back(array.type());
  expression->inputs = arrays;
  expression->inputs.insert(expression->inputs.end(), kept.begin(), kept.end());
  for (std::size_t i = 0; i < arrays.size(); ++i) results.emplace_back(expression, static_cast<int>(i));
  return results;
}

std::shared_ptr<const Expression> repeated(const Expression& expression, std::vector<Array> inputs) {
  auto result = new_expression(expression.kind, expression.place);
  result->op = expression.op;
  result->inputs = std::move(inputs);
  result->attributes = expression.attributes;
  result->regions = expression.regions;
  result->types = expression.types;
  result->name = expression.name;
  return result;
}

Array constant(Tensor value, std::source_location where) {
  return apply_one(Op::constant, {}, ConstantAttributes{std::move(value)}, Place::of(where));
}

static Array repeated(const Array& scalar, const Shape& shape, const Place& place) {
  if (shape.rank() == 0) return scalar;
  return apply_one(Op::broadcast_in_dim, {scalar}, BroadcastAttributes{shape, {}}, place);
}

Array full(const TensorType& type, operand value) {
  const Place place = Place::of(value.where());
  const TensorType element{type.dtype, {}};
  const Array scalar = value.array(&element);
  if (scalar.rank() != 0 || scalar.dtype() != type.dtype)
    fail([&] {
      return Diagnostic{.number = scalar.rank() != 0 ? 401 : 402,
                        .sentence = "full repeats one " + std::string{octet::name(type.dtype)} + ", and is given " +
                                    to_string(scalar.type()) + ".",
                        .where = placed(place),
                        .because = because(scalar),
                        .fix = {scalar.rank() != 0 ? "broadcast_to(x, shape) repeats an array" : "cast it first"}};
    });
  return repeated(scalar, type.shape, place);
}

Array zeros(const TensorType& type, std::source_location where) {
  const Place place = Place::of(where);
  return repeated(apply_one(Op::constant, {}, ConstantAttributes{scalar_of(type.dtype, 0)}, place), type.shape, place);
}

Array ones(const TensorType& type, std::source_location where) {
  const Place place = Place::of(where);
  return repeated(apply_one(Op::constant, {}, ConstantAttributes{scalar_of(type.dtype, 1)}, place), type.shape, place);
}

Array zeros(std::initializer_list<std::int64_t> shape, DType dtype, std::source_location where) {
  return zeros(TensorType{dtype, Shape{shape}}, where);
}
Array ones(std::initializer_list<std::int64_t> shape, DType dtype, std::source_location where) {
  return ones(TensorType{dtype, Shape{shape}}, where);
}
Array full(std::initializer_list<std::int64_t> shape, operand value, DType dtype) {
  return full(TensorType{dtype, Shape{shape}}, std::move(value));
}
Array ones_like(operand x) { return ones(x.array().type(), x.where()); }
Array zeros_like(operand x) { return zeros(x.array().type(), x.where()); }
Array full_like(operand x, operand value) { return full(x.array().type(), std::move(value)); }
Array arange(std::int64_t n, DType dtype, std::source_location where) { return iota({dtype, Shape{n}}, 0, where); }

Array iota(const TensorType& type, std::int64_t dimension, std::source_location where) {
  return apply_one(Op::iota, {}, IotaAttributes{type, dimension < 0 ? dimension + type.shape.rank() : dimension},
                   Place::of(where));
}

std::vector<Link> because(const Array& array) {
  std::vector<Link> chain;
  const Expression* at = array.expression().get();
  int index = array.index();
  while (at && chain.size() < 5) {
    const std::string type = to_string(at->types[static_cast<std::size_t>(index)]);
    if (at->kind == Expression::Kind::parameter) {
      chain.push_back({"argument " + (at->name.empty() ? "" : at->name + ": ") + type, at->place});
      break;
    }
    if (at->kind == Expression::Kind::operation)
      chain.push_back({type + " from " + std::string{name(at->op)}, at->place});
    if (at->inputs.empty()) break;
    // Follow the operand of the largest rank: it is the one whose shape explains the result's.
    const auto next = at->kind == Expression::Kind::alias
                          ? at->inputs.begin() + index
                          : std::max_element(at->inputs.begin(), at->inputs.end(),
                                             [](const Array& a, const Array& b) { return a.rank() < b.rank(); });
    index = next->index();
    at = next->expression().get();
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace octet
