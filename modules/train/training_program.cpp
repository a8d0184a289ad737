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

Graph training_program(const TrainOptions& options, std::int64_t vocabulary) {
  validate(options);
  const tpu::Slice slice = tpu::slice(options.slice);
  const std::int64_t share = padded_batch(options, slice.replicas) / slice.replicas;
  const std::int64_t predictions =
      options.max_predictions ? options.max_predictions : data::masked_count(options.masking, options.seq - 2);
  using Bert = Task<nn::Bert>;
  const nn::Bert model = Bert::model(options, vocabulary);
  const auto step = train_step<nn::Bert>(options, slice.all());
  const auto batch = Bert::arrays(options, share, predictions);
  const Array count = parameter({DType::i32, {}}, "");
  std::vector<Array> moments;
  for (const Array& array : arrays_of(model))
    moments.push_back(parameter({DType::f32, {nn::share_of_state(array.shape().elements(), slice.replicas)}}, ""));
  const nn::Bert shares = with_arrays(model, moments);
  Graph graph = options.shard_optimizer
                    ? trace(step, {"state", "moments", "batch"}, Held<nn::Bert>{model, count},
                            Moments<nn::Bert>{shares, shares}, batch)
                          .graph
                    : trace(step, {"state", "batch"}, State<nn::Bert>{model, model, model, count}, batch).graph;
  graph.rename("train_step");
  return graph;
}

}  // namespace octet::train
