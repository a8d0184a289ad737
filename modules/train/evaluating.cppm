/// What an evaluation is made of: a batch's values, its program, and the sums that it adds up. Internal to octet.train.
module octet.train:evaluating;
import octet.base;
import octet.data;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.tpu;
import octet.trace;
import :jit_options;
import :options;
import :trainer;
import :training_step;

namespace octet::train {

/// What random numbers of batches are for.
enum class Stream : std::uint32_t { training = 0x656c6563, evaluation = 0x6576616c, dropout = 0x64726f70 };

inline Key key_of(const TrainOptions& options, Stream stream, std::size_t number) {
  return split(fold_in(Key::of_seed(options.seed), static_cast<std::uint32_t>(stream)), number);
}

/// With rows of weight zero where replicas and parts could not share it equally. What is drawn at random for a row is
/// drawn by a key and the row's number, the first of which is given.
template <class Model>
Values<typename Task<Model>::Batch> batch_values(const data::PipelineBatch& batch, const TrainOptions& options,
                                                 std::int64_t replicas, Key key, std::uint64_t first) {
  return Task<Model>::values(batch, options, padded_batch(options, replicas), key, first);
}

/// Of a batch to measure on, `number` of them: the same for each sequence, whatever the size of a batch.
template <class Model>
Values<typename Task<Model>::Batch> held_out_values(const data::PipelineBatch& batch, std::size_t number,
                                                    const TrainOptions& options, std::int64_t replicas) {
  return batch_values<Model>(batch, options, replicas, key_of(options, Stream::evaluation, 0),
                             number * static_cast<std::uint64_t>(options.batch));
}

template <class Model>
using EvaluationProgram = tpu::ReplicatedFunction<EvaluationStep<Model>>;

template <class Model>
EvaluationProgram<Model> evaluation_program(const TrainOptions& options, const tpu::Slice& slice, Threads& threads) {
  return tpu::replicate(EvaluationStep<Model>{policy_of(options)}, slice,
                        jit_options(options.precision, threads, {"model", "batch"}, "evaluation"));
}

/// As in Measured: both losses with their counts, then judgements.
using EvaluationSums = std::array<double, 8>;

void add(EvaluationSums& sums, const auto& measured) {
  for (const auto& own : measured.each)
    for (std::size_t i = 0; i < own.tensors().size(); ++i) sums[i] += own.tensors()[i].item();
}

template <class Model>
Evaluation evaluation_of(const EvaluationSums& sums) {
  const auto known = [](double sum, double count) {
    return count > 0 ? std::optional<double>{sum / count} : std::nullopt;
  };
  const auto mean = [&](double sum, double count) { return known(sum, count).value_or(0); };
  Evaluation result{mean(sums[0], sums[1]), static_cast<std::int64_t>(sums[1])};
  const double second = mean(sums[2], sums[3]), right = mean(sums[4], sums[3]);
  const auto judged = static_cast<std::int64_t>(sums[3]);
  if constexpr (std::same_as<Model, nn::Electra>)
    result.replaced = {second, judged, right, mean(sums[5], sums[3]), known(sums[7], sums[6]), known(sums[7], sums[5])};
  else
    result.next_sentence_loss = second, result.next_sentence_accuracy = right, result.pairs = judged,
    result.true_next_share = mean(sums[5], sums[3]);
  return result;
}

/// Gives `into` the tensors that `from` has under the same names, and returns the names of those that it has not.
/// Throws X715 where a shape is another.
template <class Model>
std::vector<std::string> take_over(Values<Model>& into, const Values<Model>& from) {
  std::map<std::string, const Tensor*> theirs;
  const std::vector<std::string> from_names = from.names();
  for (std::size_t i = 0; i < from_names.size(); ++i) theirs[from_names[i]] = &from.tensors()[i];
  std::vector<std::string> names = into.names(), missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = theirs.find(names[i]);
    Tensor& own = into.tensors()[i];
    if (found == theirs.end())
      missing.push_back(names[i]);
    else if (found->second->type() != own.type())
      fail({.number = 715,
            .sentence = "The parameter " + names[i] + " is " + to_string(found->second->type()) +
                        ", and a model of these options has " + to_string(own.type()) + " there.",
            .fix = {"take the options that octet::train::sized_as makes of the model's configuration"}});
    else
      own = *found->second;
  }
  return missing;
}

}  // namespace octet::train
