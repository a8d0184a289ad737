/// The functions of a script: names on the left, the library's own on the right.
module;

#include "../trace/refused.hpp"
module octet.script;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :interpreter;
import :syntax;

namespace octet::script {

namespace {

std::string name_of(const Call& call) { return call.at.text; }
Array array(const Call& call, std::size_t i) { return as_array(call.values[i], name_of(call)); }
operand element(const Call& call, std::size_t i) { return as_operand(call.values[i], name_of(call)); }

template <Array (*function)(operand)>
Value of_one(const Call& call) {
  return function(element(call, 0));
}
template <Array (*function)(operand, operand)>
Value of_two(const Call& call) {
  return function(element(call, 0), element(call, 1));
}

/// The host's number; a list or a type is none.
double host_number(const Call& call, const Value& value) {
  if (value.unknown()) throw PassedOver{};
  const auto number = value.number();
  if (!number) refuse_argument(name_of(call) + " wants a number or a truth value.");
  return *number;
}
bool truth(const Call& call, const Value& value) { return host_number(call, value) != 0; }

/// Of what takes it as its second argument or by name; null where neither is given.
const Value* axis_of(const Call& call) {
  const Value* named = call.find("axis");
  if (named && call.values.size() > 1) refuse_argument(name_of(call) + " is given its axis twice.");
  return call.values.size() > 1 ? &call.values[1] : named;
}

/// `sum(x)`, `sum(x, 1)`, `sum(x, axis=[0, 1], keep=true)`.
template <Array (*whole)(operand), Array (*along)(operand, Dims, bool)>
Value reduction(const Call& call) {
  const Value* axis = axis_of(call);
  const Value* kept = call.find("keep");
  const bool keep = kept && truth(call, *kept);
  if (const std::string name = name_of(call); axis && axis->array() && (name == "max" || name == "min"))
    refuse(OCTET_NO_EXTENT, *axis->array(),
           Mending{call.at.span, name + "imum(" + call.text(0) + ", " + call.text(call.spans.size() - 1) + ")"});
  const Array x = array(call, 0);
  if (!axis && !keep) return whole(x);
  Dims axes(axis ? 0 : x.rank());
  std::iota(axes.begin(), axes.end(), 0);
  return along(x, axis ? as_dims(*axis, name_of(call)) : axes, keep);
}

template <Array (*function)(operand, std::int64_t)>
Value along_one(const Call& call) {
  const Value* axis = axis_of(call);
  return function(array(call, 0), axis ? as_extent(*axis, name_of(call)) : -1);
}

/// `any(m)`, `any(m, 1)`, `any(m, axis=[0, 1])`.
template <Array (*whole)(operand), Array (*along)(operand, Dims)>
Value truths(const Call& call) {
  const Value* axis = axis_of(call);
  const Array x = array(call, 0);
  return axis ? along(x, as_dims(*axis, name_of(call))) : whole(x);
}

DType dtype(const Call& call, std::size_t i) {
  if (call.values[i].unknown()) throw PassedOver{};
  if (const auto* type = std::get_if<DType>(&call.values[i].is)) return *type;
  refuse_argument(name_of(call) + " wants an element type: f32, bf16, i32 or pred.");
}

/// A shape that the host knows, and that is not too large.
Shape shape(const Call& call, std::size_t i) {
  const Dims extents = as_dims(call.values[i], name_of(call));
  double elements = 1;
  bool large = false;  // beside an extent of 0, too
  for (const std::int64_t extent : extents) {
    if (extent < 0) refuse_argument("An extent is " + std::to_string(extent) + ", and none is below 0.");
    elements *= static_cast<double>(extent);
    large = large || extent > call.most_elements;
  }
  if (large || extents.size() > most_dimensions || elements > static_cast<double>(call.most_elements))
    fail({.number = 734,
          .sentence = name_of(call) + " makes an array of shape " + to_string(Shape{extents}) +
                      "; a script's have at most " + bounds_of_arrays(call.most_elements) + "."});
  return Shape{extents};
}

/// Small numbers of both signs, whole or halves, in an order that looks like none.
Tensor sample(const TensorType& type) {
  Tensor halves{DType::f64, type.shape};
  std::int64_t i = 0;
  for (double& value : halves.mutable_span<double>()) {
    const std::int64_t turn = (i * 7 + 3) % 11;
    value = type.dtype == DType::pred ? static_cast<double>(turn % 3 != 0)
            : is_floating(type.dtype) ? static_cast<double>(turn - 5) / 2
                                      : static_cast<double>(turn % 5);
    ++i;
  }
  return halves.converted(type.dtype);
}

Value input(const Call& call) {
  const TensorType type{dtype(call, 0), shape(call, 1)};
  std::int64_t elements = type.shape.elements();
  for (const Tensor& other : *call.arguments) elements += other.elements();
  if (call.parameters->size() >= 64 || elements > 4 * call.most_elements)
    fail({.number = 734,
          .sentence =
              "A script has at most 64 inputs, of " + std::to_string(4 * call.most_elements) + " elements together."});
  Tensor value = sample(type);
  if (const Value* given = call.find("values")) {
    const auto* list = given->list();
    if (!list) refuse_argument("values is a list of numbers, one for each element.");
    value = as_tensor(*list);
    if (value.elements() != type.shape.elements())
      refuse_argument("values has " + std::to_string(value.elements()) + " numbers, and " + to_string(type) + " has " +
                      std::to_string(type.shape.elements()) + " elements.");
    value = value.reshaped(type.shape).converted(type.dtype);
  }
  const std::string name = call.target.empty() ? "input" + std::to_string(call.parameters->size()) : call.target;
  call.parameters->push_back(parameter(type, name, placed({})));
  call.arguments->push_back(std::move(value));
  return call.parameters->back();
}

std::string elements_of(const Array& x) { return std::to_string(x.shape().elements()); }

/// A bounded form with the bound that the call gives.
std::optional<Bound> bound(const Call& call) {
  const Value* size = call.find("size");
  if (!size && call.find("fill")) refuse_argument(name_of(call) + " fills up to a size: give size=, too.");
  if (!size) return std::nullopt;
  const std::int64_t n = as_extent(*size, name_of(call));
  if (n > call.most_elements)
    fail({.number = 734,
          .sentence = name_of(call) + " is to have " + std::to_string(n) +
                      " elements; a script's arrays have at most " + std::to_string(call.most_elements) + "."});
  Bound result{.size = n};
  if (const Value* fill = call.find("fill")) result.fill.emplace(as_operand(*fill, name_of(call)));
  return result;
}

Value unique_of(const Call& call) {
  const Array x = array(call, 0);
  if (const auto limit = bound(call)) return unique(x, *limit);
  // What no label, id or count is, where the type has such a number.
  const std::string fill = x.dtype() == DType::pred ? "false" : x.dtype() == DType::u32 ? "0" : "-1";
  refuse(OCTET_NO_UNIQUE, x,
         Mending{call.at.span, "unique(" + call.text(0) + ", size=" + elements_of(x) + ", fill=" + fill + ")"});
}

Value indices(const Call& call, const Array& x, const char* sentence) {
  if (const auto limit = bound(call)) {
    std::vector<Value> result;
    for (Array& each : nonzero(x, *limit)) result.emplace_back(std::move(each));
    return result;
  }
  refuse(sentence, x, Mending{call.at.span, "nonzero(" + call.text(0) + ", size=" + elements_of(x) + ")"});
}

Value nonzero_of(const Call& call) { return indices(call, array(call, 0), OCTET_NO_NONZERO); }

Value argwhere_of(const Call& call) {
  const Array x = array(call, 0);
  if (const auto limit = bound(call)) return argwhere(x, *limit);
  refuse(OCTET_NO_ARGWHERE, x, Mending{call.at.span, "argwhere(" + call.text(0) + ", size=" + elements_of(x) + ")"});
}

Value where_of(const Call& call) {
  if (call.values.size() == 1) return indices(call, array(call, 0), OCTET_NO_WHERE);
  if (call.values.size() == 2) refuse_argument("where takes a condition and the two values to choose from.");
  if (!call.named.empty())
    refuse_argument("where of three arguments is as large as they are, and takes no size= or fill=.");
  return select(element(call, 0), element(call, 1), element(call, 2));
}

Value repeat_of(const Call& call) {
  const Value* axis = call.find("axis");
  const std::int64_t dimension = axis ? as_extent(*axis, "repeat") : 0;
  const Array x = array(call, 0);
  const auto within = [&](std::int64_t rows) {
    if (rows > call.most_elements)
      fail({.number = 734,
            .sentence = "repeat is to make " + std::to_string(rows) + " rows; a script's arrays have at most " +
                        std::to_string(call.most_elements) + " elements."});
    return rows;
  };
  if (call.values[1].is_number() && call.find("total"))
    refuse_argument("repeat by a number makes so many of each, and takes no total=.");
  if (call.values[1].is_number()) return repeat_each(x, within(as_extent(call.values[1], "repeat")), dimension);
  const Array counts = array(call, 1);
  if (const Value* total = call.find("total"))
    return repeat(x, counts, {.total = within(as_extent(*total, "repeat")), .dimension = dimension});
  refuse(OCTET_NO_REPEAT, counts);
}

/// Both branches are traced; a condition of the host chooses one.
Value cond_of(const Call& call) {
  if (call.values[0].unknown()) throw PassedOver{};
  if (const auto condition = call.values[0].number()) return call.values[*condition != 0 ? 1 : 2];
  const Array on_true = array(call, 1), on_false = array(call, 2);
  return cond_arrays(
             array(call, 0), [&] { return std::vector{on_true}; }, [&] { return std::vector{on_false}; }, placed({}))
      .front();
}

Value cast_of(const Call& call) {
  if (std::holds_alternative<DType>(call.values[0].is)) return cast(array(call, 1), dtype(call, 0));
  return cast(array(call, 0), dtype(call, 1));
}

Value reshape_of(const Call& call) { return reshape(array(call, 0), as_dims(call.values[1], "reshape")); }
Value broadcast_of(const Call& call) { return broadcast_to(array(call, 0), shape(call, 1).extents()); }
Value transpose_of(const Call& call) {
  return call.values.size() == 1 ? matrix_transpose(array(call, 0))
                                 : transpose(array(call, 0), as_dims(call.values[1], "transpose"));
}
Value concatenate_of(const Call& call) {
  if (call.values[0].unknown()) throw PassedOver{};
  const auto* list = call.values[0].list();
  if (!list || list->empty()) refuse_argument("concatenate takes a list of arrays.");
  std::vector<Array> arrays;
  for (const Value& each : *list) arrays.push_back(as_array(each, "concatenate"));
  return concatenate(arrays, call.values.size() > 1 ? as_extent(call.values[1], "concatenate") : 0);
}
Value take_of(const Call& call) {
  const Array x = array(call, 0);
  if (x.rank() == 0) refuse_argument("A scalar has no rows to take.");
  return take(x, array(call, 1));
}
Value slice_of(const Call& call) {
  const Value* axis = call.find("axis");
  return slice_in_dim(array(call, 0), as_extent(call.values[1], "slice"), as_extent(call.values[2], "slice"),
                      axis ? as_extent(*axis, "slice") : 0);
}
Value iota_of(const Call& call) {
  const Value* axis = call.find("axis");
  return iota({dtype(call, 0), shape(call, 1)}, axis ? as_extent(*axis, "iota") : 0);
}
Value arange_of(const Call& call) { return iota({DType::i32, shape(call, 0)}, 0); }
Value zeros_of(const Call& call) { return zeros({DType::f32, shape(call, 0)}); }
Value ones_of(const Call& call) { return full({DType::f32, shape(call, 0)}, 1); }
Value full_of(const Call& call) {
  const auto number = call.values[1].number();
  if (!number) refuse_argument("full takes a shape and a number.");
  return full({DType::f32, shape(call, 0)}, *number);
}
Value clamp_of(const Call& call) { return clamp(element(call, 0), element(call, 1), element(call, 2)); }
Value select_of(const Call& call) { return select(element(call, 0), element(call, 1), element(call, 2)); }

// What asks a traced array for its value.

Value item_of(const Call& call) {
  if (const Array* x = call.values[0].array()) refuse(OCTET_NO_ITEM, *x, Mending{call.at.span, call.text(0)});
  return call.values[0];
}
Value float_of(const Call& call) {
  if (const Array* x = call.values[0].array())
    refuse(OCTET_NO_NUMBER, *x, Mending{call.at.span, "cast(" + call.text(0) + ", f32)"});
  return host_number(call, call.values[0]);
}
Value int_of(const Call& call) {
  if (const Array* x = call.values[0].array())
    refuse(OCTET_NO_INDEX, *x, Mending{call.at.span, "cast(" + call.text(0) + ", i32)"});
  return static_cast<std::int64_t>(std::trunc(std::fmax(-1e15, std::fmin(1e15, host_number(call, call.values[0])))));
}
Value bool_of(const Call& call) {
  if (const Array* x = call.values[0].array()) refuse(OCTET_NO_BRANCH, *x);
  return truth(call, call.values[0]);
}
Value print_of(const Call& call) {
  for (const Value& each : call.values)
    if (const Array* x = each.array()) refuse(OCTET_NO_PRINTING, *x, Mending{call.at.span, call.text(0)});
  return Value::Nothing{};
}
Value len_of(const Call& call) {
  if (call.values[0].unknown()) throw PassedOver{};
  if (const auto* list = call.values[0].list()) return static_cast<std::int64_t>(list->size());
  const Array x = array(call, 0);
  if (x.rank() == 0) refuse_argument("A scalar has no length.");
  return x.extent(0);
}
Value range_of(const Call& call) {
  for (const Value& each : call.values)
    if (const Array* x = each.array()) refuse(OCTET_NO_INDEX, *x);
  const std::int64_t from = call.values.size() > 1 ? as_extent(call.values[0], "range") : 0;
  const std::int64_t to = as_extent(call.values.back(), "range");
  std::vector<Value> result;
  for (std::int64_t i = from; i < to; ++i) {
    if (result.size() >= 1000) fail({.number = 734, .sentence = "range counts more than 1000 numbers."});
    result.emplace_back(i);
  }
  return result;
}

}  // namespace

std::vector<Function> functions() {
  return {
      {"abs", 1, 1, "", of_one<abs>},
      {"all", 1, 2, "axis", truths<all, all>},
      {"any", 1, 2, "axis", truths<any, any>},
      {"arange", 1, 1, "", arange_of},
      {"argmax", 1, 2, "axis", along_one<argmax>},
      {"argwhere", 1, 1, "size fill", argwhere_of},
      {"bool", 1, 1, "", bool_of},
      {"broadcast_to", 2, 2, "", broadcast_of},
      {"cast", 2, 2, "", cast_of},
      {"ceil", 1, 1, "", of_one<ceil>},
      {"clamp", 3, 3, "", clamp_of},
      {"concatenate", 1, 2, "", concatenate_of},
      {"cond", 3, 3, "", cond_of},
      {"cos", 1, 1, "", of_one<cos>},
      {"cumulative_sum", 1, 2, "axis", along_one<cumulative_sum>},
      {"erf", 1, 1, "", of_one<erf>},
      {"exp", 1, 1, "", of_one<exp>},
      {"float", 1, 1, "", float_of},
      {"floor", 1, 1, "", of_one<floor>},
      {"full", 2, 2, "", full_of},
      {"gelu", 1, 1, "", of_one<gelu>},
      {"input", 2, 2, "values", input},
      {"int", 1, 1, "", int_of},
      {"iota", 2, 2, "axis", iota_of},
      {"item", 1, 1, "", item_of},
      {"len", 1, 1, "", len_of},
      {"log", 1, 1, "", of_one<log>},
      {"log_softmax", 1, 2, "axis", along_one<log_softmax>},
      {"logistic", 1, 1, "", of_one<logistic>},
      {"matmul", 2, 2, "", of_two<matmul>},
      {"max", 1, 2, "axis keep", reduction<max, max>},
      {"maximum", 2, 2, "", of_two<maximum>},
      {"mean", 1, 2, "axis keep", reduction<mean, mean>},
      {"min", 1, 2, "axis keep", reduction<min, min>},
      {"minimum", 2, 2, "", of_two<minimum>},
      {"nonzero", 1, 1, "size fill", nonzero_of},
      {"ones", 1, 1, "", ones_of},
      {"pow", 2, 2, "", of_two<pow>},
      {"print", 1, 8, "", print_of},
      {"range", 1, 2, "", range_of},
      {"relu", 1, 1, "", of_one<relu>},
      {"repeat", 2, 2, "total axis", repeat_of},
      {"reshape", 2, 2, "", reshape_of},
      {"round", 1, 1, "", of_one<round>},
      {"rsqrt", 1, 1, "", of_one<rsqrt>},
      {"select", 3, 3, "", select_of},
      {"sign", 1, 1, "", of_one<sign>},
      {"sin", 1, 1, "", of_one<sin>},
      {"slice", 3, 3, "axis", slice_of},
      {"softmax", 1, 2, "axis", along_one<softmax>},
      {"sqrt", 1, 1, "", of_one<sqrt>},
      {"square", 1, 1, "", of_one<square>},
      {"stop_gradient", 1, 1, "", of_one<stop_gradient>},
      {"sum", 1, 2, "axis keep", reduction<sum, sum>},
      {"take", 2, 2, "", take_of},
      {"tanh", 1, 1, "", of_one<tanh>},
      {"transpose", 1, 2, "", transpose_of},
      {"unique", 1, 1, "size fill", unique_of},
      {"where", 1, 3, "size fill", where_of},
      {"zeros", 1, 1, "", zeros_of},
  };
}

}  // namespace octet::script
