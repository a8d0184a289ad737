/// How a model does on data that it is not trained on.
///
///     const train::Model model = train::load_model("model");
///     const std::vector<std::string> lines = data::read_corpus({"other.txt"}).lines;
///     const train::Evaluation found = train::evaluate(model, lines, {.seq = 128}, threads);
///     std::exp(found.loss);  // perplexity
export module octet.train:evaluation;
import octet.base;
import octet.data;
import octet.standard;
import :checkpoint;
import :options;
import :trainer;

export namespace octet::train {

/// The loss over all of the data, as BasicTrainer::evaluate measures it on what is held out: on TrainOptions.batch
/// sequences at a time, with a mask that the seed fixes, in the options' precision; sizes are the model's. Of a BERT
/// with a head for next sentences pairs are judged where TrainOptions.next_sentence asks for them. Throws X706 for data
/// without an example, X709 for options out of range, X401 for more tokens than the model has positions, X715 for a head
/// that it does not have, and X509 where a loss is not finite.
Evaluation evaluate(const Model& model, const std::vector<std::string>& lines, const TrainOptions& options,
                    Threads& threads);
Evaluation evaluate(const ElectraModel& model, const std::vector<std::string>& lines, const TrainOptions& options,
                    Threads& threads);
/// On one epoch of examples that are read as they are needed (octet.train:training_data).
Evaluation evaluate(const Model& model, const data::WindowSource& source, const TrainOptions& options,
                    Threads& threads);
Evaluation evaluate(const ElectraModel& model, const data::WindowSource& source, const TrainOptions& options,
                    Threads& threads);
Evaluation evaluate(const CausalModel& model, const data::WindowSource& source, const TrainOptions& options,
                    Threads& threads);

}  // namespace octet::train
