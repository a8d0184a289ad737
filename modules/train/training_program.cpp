module octet.train;
import octet.base;
import octet.compile;
import octet.data;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;
import octet.tpu;
import octet.trace;
import :options;
import :replica_state;
import :trainer;
import :training_step;

namespace octet::train {

namespace {

template <class Model>
Graph program_of(const TrainOptions& options, std::int64_t vocabulary) {
  validate(options);
  const tpu::Slice slice = tpu::slice(options.slice);
  const std::int64_t share = padded_batch(options, slice.replicas) / slice.replicas;
  const std::int64_t predictions =
      options.max_predictions ? options.max_predictions : data::masked_count(options.masking, options.seq - 2);
  const Model model = Task<Model>::model(options, vocabulary);
  const auto step = train_step<Model>(options, slice.all());
  const auto batch = training_arrays<Model>(options, share, predictions);
  const Array count = parameter({DType::i32, {}}, "");
  std::vector<Array> moments;
  for (const Array& array : arrays_of(model))
    moments.push_back(parameter({DType::f32, {nn::share_of_state(array.shape().elements(), slice.replicas)}}, ""));
  const Model shares = with_arrays(model, moments);
  Graph graph =
      options.shard_optimizer
          ? trace(step, {"state", "moments", "batch"}, Held<Model>{model, count}, Moments<Model>{shares, shares}, batch)
                .graph
          : trace(step, {"state", "batch"}, State<Model>{model, model, model, count}, batch).graph;
  graph.rename("train_step");
  return graph;
}

}  // namespace

Graph training_program(const TrainOptions& options, std::int64_t vocabulary) {
  return program_of<nn::Bert>(options, vocabulary);
}
Graph electra_training_program(const TrainOptions& options, std::int64_t vocabulary) {
  return program_of<nn::Electra>(options, vocabulary);
}
Graph causal_training_program(const TrainOptions& options, std::int64_t vocabulary) {
  return program_of<nn::Gpt2>(options, vocabulary);
}

}  // namespace octet::train
