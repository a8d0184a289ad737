/// What layers, losses and the optimizer refuse, with its number, the line of the caller and what to do.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.nn;

#include "refused_trace.hpp"

using namespace octet;
using Arrays = std::vector<Array>;

namespace {

TensorType i32(Shape shape) { return {DType::i32, std::move(shape)}; }
TensorType pred(Shape shape) { return {DType::pred, std::move(shape)}; }

const nn::Bert bert = nn::bert({.vocabulary = 20, .hidden = 8, .heads = 2, .intermediate = 16, .positions = 8});
const nn::Gpt2 gpt2 = nn::gpt2({.vocabulary = 20, .hidden = 8, .heads = 2, .intermediate = 16, .positions = 8});

bool is_here(const Diagnostic& fault) { return fault.where.file.string().ends_with("nn_refused.cpp"); }

/// `layer` as arguments, so that what it is applied to belongs to one trace.
template <class Layer>
Diagnostic refused_of(const Layer& layer, std::vector<TensorType> inputs,
                      const std::function<Array(const Layer&, const Arrays&)>& function) {
  const auto count = static_cast<std::ptrdiff_t>(inputs.size());
  for (const Array& array : arrays_of(layer)) inputs.push_back(array.type());
  return refused(inputs, [&](const Arrays& in) {
    return function(with_arrays(layer, Arrays{in.begin() + count, in.end()}), Arrays{in.begin(), in.begin() + count});
  });
}

}  // namespace

TEST_CASE("an attention mask that is not [batch, seq] is refused, also with as many elements") {
  const auto fault_of = [](TensorType mask) {
    return refused_of<nn::SelfAttention>(
        nn::self_attention(8, 2), {f32({2, 3, 8}), std::move(mask)},
        [](const nn::SelfAttention& attention, const Arrays& in) { return attention(in[0], in[1]); });
  };
  CHECK(fault_of(i32({2, 3})).number == 0);
  CHECK(fault_of(pred({2, 3})).number == 0);
  for (const Shape& shape : {Shape{3, 2}, Shape{6}, Shape{1, 6}, Shape{3}, Shape{2, 4}, Shape{}, Shape{2, 3, 1}}) {
    const Diagnostic fault = fault_of(i32(shape));
    INFO(fault.sentence);
    CHECK(fault.number == 401);
    CHECK(fault.sentence ==
          "For f32[2, 3, 8], attention_mask must be [batch, seq], here [2, 3], and not " + to_string(i32(shape)) + ".");
    CHECK(is_here(fault));
  }
  CHECK(fault_of(i32({3})).fix.at(0) == "repeat it for each sequence: broadcast_to(attention_mask, {2, 3})");
  const Diagnostic real = fault_of(f32({2, 3}));
  CHECK(real.number == 402);
  CHECK(real.fix.at(0) == "cast<int>(attention_mask)");
}

TEST_CASE("attention refuses an x that is not [batch, seq, hidden]") {
  const Diagnostic fault = refused_of<nn::SelfAttention>(
      nn::self_attention(8, 2), {f32({3, 8})},
      [](const nn::SelfAttention& attention, const Arrays& in) { return attention.causal(in[0]); });
  CHECK(fault.number == 401);
  CHECK(fault.fix.at(0) == "add a batch of one: expand_dims(x, 0)");
  CHECK(is_here(fault));
}

TEST_CASE("Linear refuses an x of another width, by its own features, at the caller's line") {
  unsigned line = 0;
  const auto fault_of = [&](Shape shape) {
    return refused_of<nn::Linear>(nn::linear(3, 2), {f32(std::move(shape))},
                                  [&](const nn::Linear& layer, const Arrays& in) {
                                    line = __LINE__ + 1;
                                    return layer(in[0]);
                                  });
  };
  CHECK(fault_of({3}).number == 0);
  CHECK(fault_of({4, 5, 3}).number == 0);
  const Diagnostic fault = fault_of({4, 5});
  CHECK(fault.number == 401);
  CHECK(fault.sentence == "Linear: it takes 3 features to 2, and x is f32[4, 5], with 5 in the last dimension.");
  CHECK(fault.fix == std::vector<std::string>{"make the layer for them: linear(5, 2)",
                                              "give it an array whose last dimension is 3"});
  CHECK(fault.where.line == line);
  CHECK(is_here(fault));
}

TEST_CASE("a layer that is differentiated, mapped or checkpointed refuses at the line that says so") {
  unsigned line = 0;
  const auto fault_of = [](Shape shape, const std::function<Array(const nn::Linear&, const Array&)>& function) {
    return refused_of<nn::Linear>(nn::linear(3, 2), {f32(std::move(shape))},
                                  [&](const nn::Linear& layer, const Arrays& in) { return function(layer, in[0]); });
  };
  const auto is_there = [&](const Diagnostic& fault) {
    INFO(fault.text());
    CHECK(fault.number == 401);
    CHECK(fault.sentence.starts_with("Linear: it takes 3 features to 2"));
    CHECK(fault.where.line == line);
    CHECK(is_here(fault));
  };
  is_there(fault_of({5, 4}, [&](const nn::Linear& layer, const Array& x) {
    line = __LINE__ + 1;
    return checkpoint(layer)(x);
  }));
  is_there(fault_of({5, 4}, [&](const nn::Linear& layer, const Array& x) {
    line = __LINE__ + 1;
    return vmap(layer)(x);
  }));
  // What takes its arguments otherwise than as operands is called as before, and a member function as std::invoke does.
  CHECK(fault_of({5, 3}, [](const nn::Linear& layer, const Array& x) {
          return checkpoint([&](auto row) { return layer(row); })(x) + vmap(layer)(x);
        }).number == 0);
  CHECK(fault_of({5, 3}, [](const nn::Linear& layer, const Array& x) {
          return checkpoint(&nn::Linear::operator())(layer, x);
        }).number == 0);
  const auto total = [](operand x, const nn::Linear& layer) { return sum(layer(x)); };
  is_there(fault_of({5, 4}, [&](const nn::Linear& layer, const Array& x) {
    line = __LINE__ + 1;
    return grad(total)(x, layer);
  }));
  is_there(fault_of({5, 4}, [&](const nn::Linear& layer, const Array& x) {
    line = __LINE__ + 1;
    return value_and_grad<1, 0>([](const nn::Linear& own, operand to) { return sum(own(to)); })(layer, x).first;
  }));
}

TEST_CASE("BERT and GPT-2 refuse ids of one sequence without a batch, at the caller's line") {
  unsigned line = 0;
  const Diagnostic of_bert = refused_of<nn::Bert>(bert, {i32({6})}, [&](const nn::Bert& model, const Arrays& in) {
    line = __LINE__ + 1;
    return model.encode(in[0], in[0], in[0]);
  });
  CHECK(of_bert.number == 401);
  CHECK(of_bert.sentence == "BERT takes ids [batch, seq], and is given i32[6].");
  CHECK(of_bert.fix.at(0) == "make it a batch of one sequence: expand_dims(ids, 0)");
  CHECK(of_bert.where.line == line);
  const Diagnostic of_gpt2 = refused_of<nn::Gpt2>(
      gpt2, {i32({6})}, [](const nn::Gpt2& model, const Arrays& in) { return model.decode(in[0]); });
  CHECK(of_gpt2.sentence == "GPT-2 takes ids [batch, seq], and is given i32[6].");
  CHECK(is_here(of_gpt2));
}

TEST_CASE("BERT refuses segments and masks that are not as its ids") {
  const auto fault_of = [](TensorType segments, TensorType mask) {
    return refused_of<nn::Bert>(
        bert, {i32({2, 3}), std::move(segments), std::move(mask)},
        [](const nn::Bert& model, const Arrays& in) { return model.encode(in[0], in[1], in[2]); });
  };
  CHECK(fault_of(i32({2, 3}), i32({2, 3})).number == 0);
  CHECK(fault_of(i32({1, 3}), i32({2, 3})).sentence ==
        "For i32[2, 3], segments must be [batch, seq], here [2, 3], and not i32[1, 3].");
  CHECK(fault_of(i32({2, 3}), i32({3, 2})).sentence ==
        "For i32[2, 3], attention_mask must be [batch, seq], here [2, 3], and not i32[3, 2].");
}

TEST_CASE("what is refused within a model's loss is placed at the line that asked for the loss") {
  unsigned line = 0;
  const auto masked = [&](TensorType positions, TensorType labels) {
    return refused_of<nn::Bert>(bert, {i32({2, 3}), std::move(positions), std::move(labels)},
                                [&](const nn::Bert& model, const Arrays& in) {
                                  const nn::MaskedLanguageBatch batch{in[0], in[0], in[0], in[1], in[2]};
                                  line = __LINE__ + 1;
                                  return nn::masked_language_loss(model, batch).sum;
                                });
  };
  CHECK(masked(i32({2, 2}), i32({2, 2})).number == 0);
  for (const auto& [positions, labels] :
       {std::pair{Shape{2, 2}, Shape{4, 1}}, {Shape{4}, Shape{4}}, {Shape{1, 4}, Shape{1, 4}}}) {
    const Diagnostic fault = masked(i32(positions), i32(labels));
    CHECK(fault.number == 401);
    CHECK(fault.where.line == line);
    CHECK(is_here(fault));
    CHECK(fault.sentence.find("masked_labels " + to_string(i32(labels))) != std::string::npos);
  }
  const Diagnostic causal =
      refused_of<nn::Gpt2>(gpt2, {i32({2, 9}), i32({2, 9})}, [&](const nn::Gpt2& model, const Arrays& in) {
        line = __LINE__ + 1;
        return nn::causal_language_loss(model, {in[0], in[1]}).sum;
      });
  CHECK(causal.sentence == "A sequence of 9 tokens was given to a GPT-2 with 8 position embeddings.");
  CHECK(causal.where.line == line);
  CHECK(is_here(causal));
}

TEST_CASE("every operation of a model and of its update stands at a line of the caller") {
  nn::TrainingState<nn::Linear> state{nn::linear(3, 2), nn::linear(3, 2), nn::linear(3, 2), {}};
  std::vector<TensorType> types;
  for (int copy = 0; copy < 4; ++copy)
    for (const Array& array : arrays_of(state.model)) types.push_back(array.type());
  types.push_back(i32({}));
  const Graph update = trace(
      [&](const Arrays& in) {
        const auto part = [&](std::ptrdiff_t i) {
          return with_arrays(state.model, Arrays{in.begin() + 2 * i, in.begin() + 2 * i + 2});
        };
        return arrays_of(nn::updated({}, {part(0), part(1), part(2), in[8]}, part(3)));
      },
      types);
  std::vector<TensorType> of_bert{i32({2, 3})};
  for (const Array& array : arrays_of(bert)) of_bert.push_back(array.type());
  nn::Bert structure = bert;
  structure.gradient_checkpointing = GENERATE(false, true);
  const Graph encoder = trace(
      [&](const Arrays& in) {
        const nn::Bert model = with_arrays(structure, Arrays{in.begin() + 1, in.end()});
        const Array hidden = model.encode(in[0], in[0], in[0]);
        return Arrays{model.logits(hidden), nn::masked_language_loss(model, {in[0], in[0], in[0], in[0], in[0]}).sum};
      },
      of_bert);
  for (const Graph* graph : {&update, &encoder})
    for (const Node& node : graph->nodes()) {
      INFO(to_string(node.place));
      CHECK(node.place.file.string().ends_with("nn_refused.cpp"));
    }
}

TEST_CASE("losses refuse operands that would be broadcast") {
  const auto mean = [](const Arrays& in) { return nn::masked_mean(in[0], in[1]); };
  CHECK(refused({f32({2, 3}), pred({2, 3})}, mean).number == 0);
  for (const Shape& shape : {Shape{4, 1}, Shape{1}, Shape{}, Shape{3}}) {
    CHECK(refused({f32({4}), pred(shape)}, mean).number == 401);
    CHECK(is_here(refused({f32({4}), pred(shape)}, mean)));
  }
  CHECK(refused({f32({4}), i32({4})}, mean).number == 402);
  CHECK(refused({f32({4}), i32({4})}, mean).fix.at(0) == "mask != 0");
  CHECK(refused({pred({4}), f32({4})}, mean).fix.at(0) == "exchange the two: masked_mean(x, mask)");
  CHECK(refused({pred({4}), pred({4})}, mean).number == 402);
  const auto classes = [](const Arrays& in) { return nn::cross_entropy(in[0], in[1]); };
  CHECK(refused({i32({4}), f32({4, 3})}, classes).fix.at(0) == "exchange the two: cross_entropy(logits, labels)");
  const auto binary = [](const Arrays& in) { return nn::binary_cross_entropy(in[0], in[1]); };
  CHECK(refused({f32({4}), f32({4})}, binary).number == 0);
  CHECK(refused({f32({4})}, [](const Arrays& in) { return nn::binary_cross_entropy(in[0], 1.0); }).number == 0);
  for (const Shape& shape : {Shape{4, 1}, Shape{1}, Shape{}}) {
    CHECK(refused({f32({4}), f32(shape)}, binary).number == 401);
    CHECK(is_here(refused({f32({4}), f32(shape)}, binary)));
  }
}

TEST_CASE("cross_entropy says that labels are integers, and takes those of any width") {
  const auto loss = [](const Arrays& in) { return nn::cross_entropy(in[0], in[1]); };
  for (const DType dtype : {DType::i32, DType::i64, DType::u32})
    CHECK(refused({f32({2, 3}), {dtype, {2}}}, loss).number == 0);
  for (const DType dtype : {DType::f32, DType::pred}) {
    const Diagnostic fault = refused({f32({2, 3}), {dtype, {2}}}, loss);
    CHECK(fault.number == 402);
    CHECK(fault.sentence ==
          "cross_entropy takes labels that are integers, the number of each row's class, and is given " +
              to_string(TensorType{dtype, {2}}) + ".");
    CHECK(fault.fix.at(0) == "cast<int>(labels)");
    CHECK(is_here(fault));
  }
  CHECK(refused({f32({2, 3}), f32({2, 3})}, loss).fix.at(0) ==
        "for a share of each class: -sum(labels * log_softmax(logits), {-1})");
}

TEST_CASE("AdamW refuses gradients and moments that are not as their parameters") {
  const auto fault_of = [](const Shape& gradient, const Shape& moment) {
    std::vector<TensorType> types{f32({3, 2}), f32(gradient), f32(moment), f32({3, 2}), i32({})};
    return refused(types, [](const Arrays& in) {
      return nn::adamw_update({}, {"hidden.weight"}, {in[0]}, {in[1]}, {in[2]}, {in[3]}, in[4]).parameters[0];
    });
  };
  CHECK(fault_of({3, 2}, {3, 2}).number == 0);
  const Diagnostic gradient = fault_of({5, 3, 2}, {3, 2});
  CHECK(gradient.number == 401);
  CHECK(gradient.sentence == "The gradient of 'hidden.weight' is f32[5, 3, 2], and the parameter f32[3, 2].");
  CHECK(is_here(gradient));
  CHECK(fault_of({3, 2}, {2}).sentence ==
        "The first moment of 'hidden.weight' is f32[2], and the parameter f32[3, 2].");
  CHECK(refused({f32({2}), i32({})}, [](const Arrays& in) {
          return nn::adamw_update({}, {"weight"}, {in[0]}, {}, {in[0]}, {in[0]}, in[1]).parameters[0];
        }).number == 405);
  CHECK(refused({f32({2})}, [](const Arrays&) { return nn::global_norm({}); }).number == 403);
}

TEST_CASE("what an optimizer cannot keep in f32 is refused by its name, at the caller's line") {
  const auto fault_of = [](DType parameter, DType gradient) {
    const TensorType own{parameter, {3}};
    return refused({own, {gradient, {3}}, f32({3}), i32({})}, [](const Arrays& in) {
      return nn::adamw_update({}, {"hidden.weight"}, {in[0]}, {in[1]}, {in[2]}, {in[2]}, in[3]).parameters[0];
    });
  };
  const Diagnostic parameter = fault_of(DType::f64, DType::f64), gradient = fault_of(DType::f32, DType::bf16);
  CHECK(parameter.number == 402);
  CHECK(parameter.sentence == "An optimizer computes in f32, and parameter 'hidden.weight' is f64[3].");
  CHECK(is_here(parameter));
  CHECK(gradient.sentence == "An optimizer computes in f32, and the gradient of 'hidden.weight' is bf16[3].");
  CHECK(gradient.fix.front() == "cast it: cast<float>(gradient)");
}

TEST_CASE("a mean over replicas, the keys of dropout and rounded storage stand at the caller's line") {
  const auto stands_here = [](const std::vector<TensorType>& types, const std::function<Arrays(const Arrays&)>& of) {
    const Graph graph = trace(of, types);
    for (const Node& node : graph.nodes()) {
      INFO(to_string(node.place));
      CHECK(node.place.file.string().ends_with("nn_refused.cpp"));
    }
  };
  stands_here({f32({2})}, [](const Arrays& in) { return Arrays{group_mean(in[0], {}), group_mean(in[0], {{0, 1}})}; });
  stands_here({f32({2, 3, 4}), {DType::u32, {2, 2}}},
              [](const Arrays& in) { return Arrays{nn::Dropout{{.hidden = 0.5}, in[1]}.of(3)(in[0])}; });
  CHECK(is_here(refused({i32({2})}, [](const Arrays& in) { return group_mean(in[0], {}); })));
}

struct Scaled {
  Array upscale, scale, bias, unbias;
};

TEST_CASE("a bias and a norm's scale are known by their whole names") {
  const auto typed = [] { return parameter(f32({64}), {}); };
  const Values<Scaled> values =
      nn::initialize(Scaled{typed(), typed(), typed(), typed()}, Key::of_seed(1), nn::normal_initializer(0.1));
  const auto are = [&](std::size_t i, float number) {
    return values.tensors()[i] == Tensor::full<float>({64}, number);
  };
  CHECK(are(1, 1));
  CHECK(are(2, 0));
  for (const std::size_t other : {0, 3}) CHECK_FALSE((are(other, 0) || are(other, 1)));
  for (const char* name : {"bias", "scale", "layers.0.norm.scale", "out.bias"}) CHECK(nn::is_bias_or_norm(name));
  for (const char* name : {"upscale", "unbias", "layers.0.rescale", "bias.weight", ""})
    CHECK(!nn::is_bias_or_norm(name));
  try {
    nn::initialize(Scaled{typed(), typed(), parameter({DType::bf16, {2}}, {}), typed()}, Key::of_seed(1),
                   nn::normal_initializer());
    FAIL("a weight of bf16 was made");
  } catch (const Error& error) {
    CHECK(error.diagnostics().front().number == 402);
    CHECK(error.diagnostics().front().sentence == "normal_initializer makes numbers of f32, and 'bias' is bf16[2].");
  }
}

TEST_CASE("what is computed under a policy may use what is around it") {
  const std::vector<TensorType> types{f32({4, 4}), f32({4, 4})};
  const auto product = [](const Arrays& in) {
    const Array twice = in[1] * 2.0;
    return nn::under({.passes = 3}, [&](const Array& x) { return matmul(x, twice); })(in[0]);
  };
  const Graph around = trace([&](const Arrays& in) { return Arrays{product(in)}; }, types);
  const Graph given = trace(
      [](const Arrays& in) {
        const auto multiply = [](const Array& x, const Array& y) { return matmul(x, y); };
        return Arrays{nn::under({.passes = 3}, multiply)(in[0], in[1] * 2.0)};
      },
      types);
  std::vector<Tensor> values{Tensor{DType::f32, {4, 4}}, Tensor{DType::f32, {4, 4}}};
  for (Tensor& each : values) normal(Key::of_seed(7), 0, each.mutable_span<float>());
  CHECK(evaluate(around, values).front() == evaluate(given, values).front());
  CHECK(std::ranges::count(around.nodes(), Op::dot_general, &Node::op) == 3);
}

TEST_CASE("layers refuse what has other features than they were made for") {
  const auto normalized = [](const Arrays& in) { return nn::LayerNorm{in[1], in[2]}(in[0]); };
  CHECK(refused({f32({4, 3}), f32({3}), f32({3})}, normalized).number == 0);
  const Diagnostic fault = refused({f32({4, 1}), f32({3}), f32({3})}, normalized);
  CHECK(fault.number == 401);
  CHECK(fault.sentence == "LayerNorm: its scale is f32[3], and x f32[4, 1], with 1 in the last dimension.");
  CHECK(fault.fix.at(0) == "make the layer for them, layer_norm(1)");
  CHECK(is_here(fault));
  CHECK(refused({f32({4, 3}), f32({3}), f32({1})}, normalized).number == 401);
  const auto applied = [](const Arrays& in) { return nn::Linear{in[1], in[2]}(in[0]); };
  CHECK(refused({f32({4, 3}), f32({3, 1}), f32({1})}, applied).number == 0);
  CHECK(refused({f32({4, 3}), f32({3, 1}), f32({2})}, applied).number == 401);
}

TEST_CASE("initialize refuses tensors of another type than it asked for, by the parameter's name") {
  const auto fault_of = [](const TensorType& given) -> Diagnostic {
    try {
      nn::initialize(nn::linear(3, 2), Key::of_seed(1), [&](const std::string& name, const TensorType& type, Key) {
        return name == "weight" ? Tensor{given} : Tensor{type};
      });
    } catch (const Error& error) {
      return error.diagnostics().front();
    }
    return {};
  };
  CHECK(fault_of(f32({3, 2})).number == 0);
  CHECK(fault_of(f32({2, 3})).number == 401);
  CHECK(fault_of({DType::f64, {3, 2}}).number == 402);
  CHECK(fault_of(f32({2, 3})).sentence == "The initializer was asked for f32[3, 2] for 'weight', and gave f32[2, 3].");
  CHECK(is_here(fault_of(f32({2, 3}))));
}
