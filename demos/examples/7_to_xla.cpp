// What leaves for other engines: the program as StableHLO text, which XLA runs, and its weights as safetensors.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>
import octet;
using namespace octet;

struct Model {
  nn::LayerNorm norm;
  nn::Linear out;
};

Array apply_model(const Model& model, Array x) { return model.out(model.norm(x)); }

int main() {
  const Values<Model> model =
      nn::initialize(Model{nn::layer_norm(4), nn::linear(4, 2)}, Key::of_seed(5), nn::normal_initializer(0.3));
  const Tensor x = Tensor::of<float>({2, 4}, {1, 2, 3, 4, 0, 0, 1, -1});
  const auto compiled = jit(apply_model, {.argument_names = {"model", "x"}, .name = "apply_model"});

  const std::filesystem::path directory = "for_xla";
  std::filesystem::create_directories(directory);
  std::ofstream{directory / "program.mlir"} << to_string(compiled.lower(model, x));
  train::Safetensors weights;
  const std::vector<std::string> names = model.names();
  for (std::size_t i = 0; i < names.size(); ++i) weights.tensors.push_back({names[i], model.tensors()[i]});
  train::save_safetensors(weights, directory / "weights.safetensors");

  // Read back, as another program would: the text is a graph again, and runs to the same bits.
  std::ifstream file{directory / "program.mlir"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  const Graph program = read(text, "program.mlir");
  std::vector<Tensor> arguments;
  for (const train::NamedTensor& weight : train::load_safetensors(directory / "weights.safetensors").tensors)
    arguments.push_back(weight.tensor);
  arguments.push_back(x);
  Threads alone;
  const Tensor again = compile(program).run(std::move(arguments), alone).front();
  std::printf("%zu operations, %zu weights; %s\n", program.nodes().size(), names.size(),
              again == compiled(model, x) ? "the same bits" : "other bits");
  std::printf("%g %g\n%g %g\n", again.at(0), again.at(1), again.at(2), again.at(3));
}

// clang-format off: what this program prints
// 28 operations, 4 weights; the same bits
// -0.241469 -0.0557165
// -0.140163 -0.308636
