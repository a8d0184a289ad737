module octet.nn;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import octet.trace;
import :accumulation;
import :optimizer;
import :pretraining;
import :sharded_update;
import :training_step;
import :transformer;

namespace octet::nn {

namespace {

/// The results of `gradients` for each of `parts` equal parts of those arguments that are of the batch, added up.
std::vector<Array> added_up(const Graph& gradients, const std::vector<Array>& arguments, std::int64_t parts) {
  std::vector<Array> batch, nothing;
  std::vector<std::size_t> places;  // of the batch's arrays among the arguments
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!gradients.values()[static_cast<std::size_t>(gradients.parameters()[i])].name.starts_with("model.")) {
      batch.push_back(arguments[i]);
      places.push_back(i);
    }
  for (const ValueId id : gradients.results()) nothing.push_back(zeros(gradients.type(id)));
  const auto add = [&](const std::vector<Array>& examples, const std::vector<Array>& sums) {
    std::vector<Array> own = arguments;
    for (std::size_t i = 0; i < places.size(); ++i) own[places[i]] = examples[i];
    // Each at once, so that what it is made of need not wait.
    return inlined(gradients, own, [&](std::size_t i, const Array& result) { return sums[i] + result; });
  };
  return added_over_parts(batch, parts, nothing, add);
}

}  // namespace

Graph training_step(const TransformerConfig& config, const PretrainingBatch& batch, const ReplicaGroups& all,
                    const ProgramStyle& style, bool shards_optimizer, std::int64_t parts, const AdamW& optimizer) {
  PretrainingBatch part = batch;
  part.sequences = std::max<std::int64_t>(1, batch.sequences / parts);
  const Graph gradients = pretraining_program(config, config.layers, part, style);
  std::vector<Array> parameters, inputs, arguments, model;
  std::vector<std::string> names;
  for (const ValueId id : gradients.parameters()) {
    const Value& value = gradients.values()[static_cast<std::size_t>(id)];
    const bool is_model = value.name.starts_with("model.");
    TensorType type = value.type;
    if (!is_model) type.shape[0] = batch.sequences;
    arguments.push_back(parameter(type, is_model ? "state." + value.name : value.name));
    (is_model ? model : inputs).push_back(arguments.back());
    if (is_model) names.push_back(value.name);
  }
  parameters = inputs;
  parameters.insert(parameters.end(), model.begin(), model.end());
  std::vector<Array> moments[2];
  const char* const of[] = {"state.first_moment.", "state.second_moment."};
  const std::int64_t replicas = group_size(all);
  const auto moment_type = [&](const TensorType& type) {
    return shards_optimizer ? TensorType{type.dtype, {share_of_state(type.shape.elements(), replicas)}} : type;
  };
  for (std::size_t m = 0; m < 2; ++m)
    for (std::size_t i = 0; i < model.size(); ++i) {
      moments[m].push_back(
          parameter(moment_type(model[i].type()), of[m] + names[i].substr(std::string{"model."}.size())));
      parameters.push_back(moments[m].back());
    }
  const Array step = parameter({DType::i32, {}}, "state.step");
  parameters.push_back(step);

  const std::vector<Array> results = parts == 1 ? inlined(gradients, arguments) : added_up(gradients, arguments, parts);
  const auto means = static_cast<double>(replicas * parts);  // that are added up
  const auto averaged = [&](const Array& own) { return all_reduce(own, all) / means; };
  std::vector<Array> own(results.begin() + 1, results.end());
  const auto update = [&] {
    if (shards_optimizer)
      return sharded_adamw_update(optimizer, names, model, own, constant(Tensor::scalar(static_cast<float>(means))),
                                  moments[0], moments[1], step, all);
    std::ranges::transform(own, own.begin(), averaged);
    return adamw_update(optimizer, names, model, own, moments[0], moments[1], step);
  }();
  std::vector<Array> after = {averaged(results.front())};
  for (const auto* arrays : {&update.parameters, &update.first_moments, &update.second_moments})
    after.insert(after.end(), arrays->begin(), arrays->end());
  after.push_back(step + 1);
  return optimize(linearize("training_step", parameters, after));
}

}  // namespace octet::nn
