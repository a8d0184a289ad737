/// octet export: a trained model for other tools, its weights as safetensors or its program as StableHLO text.
#include "json.hpp"
#include "output.hpp"

#include "any_model.hpp"
#include "batch_options.hpp"
#include "command.hpp"
#include "interruption.hpp"
#include "messages.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace train = octet::train;
namespace nn = octet::nn;
using octet::Array;

struct ExportCommand {
  std::string model, out, format, weights, program = "forward";
  long long batch = 8, replicas = 8;
  std::optional<std::int64_t> seq;  ///< as many as the model takes
};

using AnyModel = std::variant<train::Model, train::DiscriminatorModel, train::CausalModel>;

/// The checkpoint of an ELECTRA holds its generator, too: the discriminator is what it is for.
AnyModel load(const std::string& directory) {
  return model_by<AnyModel>({[&] { return train::load_discriminator(directory); },
                             [&] { return train::load_model(directory); },
                             [&] { return train::load_causal_model(directory); }});
}

/// What is told of a model: the class of transformers, what its program takes beside weights and ids.
struct About {
  const char *name, *inputs;
};
About about(const train::Model& model) {
  return {model.of_electra ? "ELECTRA's generator" : "BERT", ", segments, mask"};
}
About about(const train::DiscriminatorModel&) { return {"ELECTRA", ", segments, mask"}; }
About about(const train::CausalModel&) { return {"GPT-2", ""}; }

octet::train::Safetensors weights(const train::Model& model) {
  return model.of_electra ? train::generator_to_hugging_face(model.parameters)
                          : train::to_hugging_face(model.parameters);
}
octet::train::Safetensors weights(const auto& model) { return train::to_hugging_face(model.parameters); }

// What the models compute: ids, segments, attention_mask i32 [batch, seq] to logits f32 [batch, seq, vocabulary], or
// [batch, seq] of a discriminator.

octet::Graph forward_graph(const train::DiscriminatorModel& model, const Array& ids) {
  const auto forward = [](const nn::ElectraDiscriminator& judge, const Array& tokens, const Array& segments,
                          const Array& mask) { return judge.replaced_logits(tokens, segments, mask); };
  return octet::trace(forward, {"model", "ids", "segments", "attention_mask"}, nn::electra_discriminator(model.config),
                      ids, ids, ids)
      .graph;
}

octet::Graph forward_graph(const train::Model& model, const Array& ids) {
  const auto forward = [](const nn::Bert& bert, const Array& tokens, const Array& segments, const Array& mask) {
    return bert.logits(bert.encode(tokens, segments, mask));
  };
  return octet::trace(forward, {"model", "ids", "segments", "attention_mask"}, nn::bert(model.config), ids, ids, ids)
      .graph;
}

octet::Graph forward_graph(const train::CausalModel& model, const Array& ids) {
  const auto forward = [](const nn::Gpt2& gpt2, const Array& tokens) { return gpt2.logits(gpt2.decode(tokens)); };
  return octet::trace(forward, {"model", "ids"}, nn::gpt2(model.config), ids).graph;
}

template <class Model>
std::string stablehlo(const ExportCommand& command, const Model& model) {
  const std::int64_t positions = model.config.positions, seq = command.seq.value_or(positions);
  require_at_least("--batch", command.batch, 1);
  require_at_least("--seq", seq, 1);
  require_at_least("--replicas", command.replicas, 1);
  constexpr long long most_replicas = 1 << 14;  // more than any slice has, and than octet check reads
  if (command.replicas > most_replicas)
    refuse_option("--replicas is " + std::to_string(command.replicas) + ", and no slice has so many.",
                  "choose " + std::to_string(most_replicas) + " or less");
  if (seq > positions)
    refuse_option("--seq is " + std::to_string(seq) + ", and the model has embeddings for " +
                      std::to_string(positions) + " positions.",
                  "choose " + std::to_string(positions) + " or less");
  const auto widest =
      std::max({static_cast<double>(model.config.vocabulary), static_cast<double>(model.config.intermediate),
                static_cast<double>(model.config.hidden), static_cast<double>(model.config.heads * seq)});
  const double most = std::floor(most_elements / (static_cast<double>(seq) * widest));
  if (static_cast<double>(command.batch) > most)
    refuse_option("--batch is " + std::to_string(command.batch) + ", and so many sequences of " + std::to_string(seq) +
                      " tokens make tensors of more than 2^40 elements.",
                  "choose " + fixed(most, 0) + " or less");
  const Array ids = octet::parameter({octet::DType::i32, {command.batch, seq}}, "ids");
  return octet::to_string(forward_graph(model, ids), {.replicas = static_cast<std::size_t>(command.replicas)});
}

/// One training step with the options the model was trained with, on as many replicas.
std::string training_stablehlo(const auto& run, std::size_t vocabulary,
                               octet::Graph (*program)(const train::TrainOptions&, std::int64_t)) {
  const train::TrainOptions& options = run.state.options;
  const octet::Graph graph = program(options, static_cast<std::int64_t>(vocabulary));
  octet::PrintOptions print{.replicas = static_cast<std::size_t>(octet::tpu::slice(options.slice).replicas)};
  // The state comes first, and the state after the step in its place; moments by themselves are in shares.
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    const std::string& name = graph.values()[static_cast<std::size_t>(graph.parameters()[i])].name;
    if (!name.starts_with("batch.")) print.written_over[i] = i;
    if (name.starts_with("moments.")) print.sharded.insert(i);
  }
  return octet::to_string(graph, print);
}

/// Writes the program and, where they are asked for, values under the names that its parameters have: both or none.
void write_program(const ExportCommand& command, const std::string& program, const std::string& argument,
                   const auto& values) {
  std::vector<octet::text::FileContent> files{{command.out, [&] { return program; }}};
  const auto weights = [&] {
    train::Safetensors file;
    const std::vector<std::string> names = values.names();
    for (std::size_t i = 0; i < names.size(); ++i)
      file.tensors.push_back({argument + "." + names[i], values.tensors()[i]});
    return train::safetensors_bytes(file);
  };
  if (!command.weights.empty()) files.push_back({command.weights, weights});
  uninterrupted([&] { octet::text::write_files(files); });
}

/// A training step's program, and the state to run it on.
void export_step(const ExportCommand& command, const auto& run, std::size_t vocabulary,
                 octet::Graph (*program)(const train::TrainOptions&, std::int64_t)) {
  if (!command.weights.empty() && run.state.options.shard_optimizer)
    refuse_option("--weights is one file for all replicas, and " + command.model +
                      " was trained with --shard-optimizer: each of its replicas keeps another share of the state.",
                  "leave --weights out");
  write_program(command, training_stablehlo(run, vocabulary, program), "state", run.state.state);
}

void export_step(const ExportCommand& command, const train::Model& model) {
  if (model.of_electra)
    refuse_option(command.model + " is the generator of an ELECTRA, which is trained with its discriminator.",
                  "choose the directory that octet train --kind electra --out wrote");
  const train::SavedRun run = train::load_run(command.model);
  export_step(command, run, run.tokenizer.vocabulary().size(), train::training_program);
}
void export_step(const ExportCommand& command, const train::DiscriminatorModel&) {
  const train::ElectraSavedRun run = train::load_electra_run(command.model);
  export_step(command, run, run.tokenizer.vocabulary().size(), train::electra_training_program);
}
void export_step(const ExportCommand& command, const train::CausalModel&) {
  const train::CausalSavedRun run = train::load_causal_run(command.model);
  export_step(command, run, run.tokenizer.size(), train::causal_training_program);
}

/// What is written may take another export's place, and not that of what makes the model, or a copy of it.
void require_outside(const std::string& file, const ExportCommand& command) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path place = fs::weakly_canonical(file, unknown), model = fs::weakly_canonical(command.model, unknown);
  const auto names = train::model_file_names();
  const auto [end, at] = std::mismatch(model.begin(), model.end(), place.begin(), place.end());
  if (end == model.end() && std::ranges::find(names, place.filename().string()) != names.end())
    refuse_option(file + " is the name of a file of the model that is read.",
                  "give it another name, or another directory");
}

int export_model(const ExportCommand& command, bool json) {
  require_outside(command.out, command);
  if (!command.weights.empty()) require_outside(command.weights, command);
  const bool program = command.format == "stablehlo", training = program && command.program == "train-step";
  const AnyModel any = load(command.model);
  const About told = std::visit([](const auto& model) { return about(model); }, any);
  if (!program && !command.weights.empty())
    refuse_option("--weights goes with a program, and --format safetensors writes weights alone.",
                  "choose --format stablehlo, or leave --weights out");
  if (!command.weights.empty() && std::filesystem::path{command.weights}.lexically_normal() ==
                                      std::filesystem::path{command.out}.lexically_normal())
    refuse_option("--out and --weights are one file.", "give each a file of its own");
  if (training) {
    std::visit([&](const auto& model) { export_step(command, model); }, any);
  } else if (program) {
    std::visit([&](const auto& model) { write_program(command, stablehlo(command, model), "model", model.parameters); },
               any);
  } else {
    const train::Safetensors file = std::visit([](const auto& model) { return weights(model); }, any);
    uninterrupted([&] { train::save_safetensors(file, command.out); });
  }
  if (json) {
    JsonObject line;
    line.add("format", command.format).add("out", command.out);
    if (program) line.add("program", command.program);
    if (!command.weights.empty()) line.add("weights", command.weights);
    print(line.text());
  } else {
    print(training ? "Saved one training step in " + command.out +
                         ": state and batch in; state, loss, this replica's loss and, where there are two, the second "
                         "loss out."
          : program
              ? "Saved the forward program in " + command.out + ": weights, ids" + told.inputs + " in; logits out."
              : "Saved the weights in " + command.out + ", under the names of Hugging Face's " + told.name + ".");
    if (!command.weights.empty())
      print(std::string{training ? "Saved the state" : "Saved the weights"} + " in " + command.weights +
            ", under the names of the program's parameters.");
  }
  return 0;
}

void export_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<ExportCommand>();
  sub->add_option("--model", command->model, "directory that octet train --out wrote")->required()->type_name("DIR");
  sub->add_option("--format", command->format,
                  "stablehlo: a program, for XLA; safetensors: the weights, for Hugging Face's tools")
      ->required()
      ->check(CLI::IsMember({"stablehlo", "safetensors"}).description(""))
      ->type_name("stablehlo|safetensors");
  sub->add_option("--out", command->out, "file to write")->required()->type_name("FILE");
  sub->add_option("--weights", command->weights,
                  "write the weights too (stablehlo), with train-step the whole state: a safetensors file, each tensor "
                  "under its "
                  "parameter's name")
      ->type_name("FILE");
  CLI::Option* which =
      sub->add_option("--program", command->program,
                      "which program (stablehlo): forward, or train-step with the batch, length and replicas it was "
                      "trained with (forward)")
          ->check(CLI::IsMember({"forward", "train-step"}).description(""))
          ->type_name("forward|train-step");
  const std::vector<CLI::Option*> of_forward{
      option(sub, "--batch", command->batch, "sequences that one replica takes (forward)"),
      sub->add_option("--seq", command->seq, "tokens of a sequence (forward); by default as many as the model takes"),
      option(sub, "--replicas", command->replicas, "replicas that the program is written for (forward)")};
  sub->callback([command, which, of_forward, &invocation] {
    const bool program = command->format == "stablehlo";
    if (!program && which->count() > 0)
      throw CLI::ValidationError("--program goes with --format stablehlo: safetensors is weights alone");
    for (const CLI::Option* each : of_forward)
      if (each->count() > 0 && (!program || command->program != "forward"))
        throw CLI::ValidationError(each->get_name() + " goes with --format stablehlo --program forward" +
                                   (program ? ": a training step has the sizes that it was trained with" : ""));
    invocation.work = [command, &invocation] { return export_model(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand export_subcommand{.name = "export",
                                   .description = "Write a trained model out for other tools.",
                                   .example = "octet export --model model --format stablehlo --out bert.mlir --batch 8",
                                   .add_options = export_options};

}  // namespace program
