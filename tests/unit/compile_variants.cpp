/// Structures whose parts are of one kind or another.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

using namespace octet;

namespace variants_test {

struct Scale {
  Array factor;
};
struct Shift {
  Array distance;
  int times = 1;
};
struct Square {
  Array factor;
};
struct Model {
  std::vector<std::variant<std::monostate, Scale, Shift>> layers;
  std::variant<int, std::string> kind = 1;
};

Array operator*(const Model& model, Array x) {
  for (const auto& layer : model.layers)
    if (const auto* const scale = std::get_if<Scale>(&layer))
      x = x * scale->factor;
    else if (const auto* const shift = std::get_if<Shift>(&layer))
      x = x + shift->distance * shift->times;
  return std::holds_alternative<int>(model.kind) ? x * std::get<int>(model.kind) : -x;
}

}  // namespace variants_test

using namespace variants_test;

TEST_CASE("a structure may hold variants: their arrays are data, and what they hold is part of the program") {
  const Values<Model> model{Model{{Scale{}, std::monostate{}, Shift{{}, 3}}},
                            {Tensor::scalar(2.0f), Tensor::scalar(5.0f)}};
  CHECK(model.names() == std::vector<std::string>{"layers.0.factor", "layers.2.distance"});
  const auto step = jit([](const Model& m, Array x) {
    return value_and_grad([](const Model& each, const Array& y) { return each * y; })(m, x);
  });
  const auto [value, gradient] = step(model, Tensor::scalar(10.0f));
  CHECK(value.item() == 35);
  CHECK(gradient["layers.0.factor"].item() == 10);
  CHECK(gradient["layers.2.distance"].item() == 3);
  CHECK(std::get<Shift>(gradient.structure().layers[2]).times == 3);

  // As many arrays and numbers of the same types, and yet another program.
  const Values<Model> turned{Model{{Shift{{}, 3}, std::monostate{}, Scale{}}},
                             {Tensor::scalar(2.0f), Tensor::scalar(5.0f)}};
  CHECK(step(turned, Tensor::scalar(10.0f)).first.item() == 80);
  const Values<Model> negated{Model{{Scale{}, std::monostate{}, Shift{{}, 3}}, "negated"}, model.tensors()};
  CHECK(step(negated, Tensor::scalar(10.0f)).first.item() == -35);
  CHECK(step(model, Tensor::scalar(1.0f)).first.item() == 17);
  CHECK(step.statistics().misses == 3);
}

TEST_CASE("a program for other alternatives of a variant says so, where nothing else differs") {
  std::string told;
  using Either = std::variant<Scale, Square>;
  const auto product = jit(
      [](const Either& either) {
        const Scale* const scale = std::get_if<Scale>(&either);
        return scale ? scale->factor : square(std::get<Square>(either).factor);
      },
      {.on_compile = [&](const CompileEvent& event) { told = event.explain(); }});
  CHECK(product(Values<Either>{Scale{}, {Tensor::scalar(3.0f)}}).item() == 3);
  CHECK(product(Values<Either>{Square{}, {Tensor::scalar(3.0f)}}).item() == 9);
  CHECK(told.find("or optionals or variants hold others") != told.npos);
  CHECK(told.find("pass lists of the same lengths, and the same optionals and variants") != told.npos);
}
