#include "output.hpp"

#include "second_loss.hpp"

namespace program {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::vector<Figure> second_figures(const octet::train::StepReport& report) {
  std::vector<Figure> figures;
  if (report.next_sentence_loss) figures.push_back({"next_sentence_loss", *report.next_sentence_loss});
  if (report.discriminator_loss) figures.push_back({"discriminator_loss", *report.discriminator_loss});
  return figures;
}

std::vector<Figure> second_figures(const octet::train::Evaluation& evaluation) {
  if (evaluation.pairs > 0)
    return {{"next_sentence_loss", evaluation.next_sentence_loss},
            {"next_sentence_accuracy", evaluation.next_sentence_accuracy},
            {"held_out_pairs", static_cast<double>(evaluation.pairs), false},
            {"true_next_share", evaluation.true_next_share, false}};
  const octet::train::ReplacedTokens& replaced = evaluation.replaced;
  if (replaced.judged > 0)
    return {{"discriminator_loss", replaced.loss},
            {"discriminator_accuracy", replaced.accuracy},
            {"discriminator_precision", replaced.precision.value_or(unknown)},
            {"discriminator_recall", replaced.recall.value_or(unknown)},
            {"replaced_share", replaced.share},
            {"judged_tokens", static_cast<double>(replaced.judged), false}};
  return {};
}

std::string second_sentence(const octet::train::Evaluation& evaluation, const std::string& which) {
  const auto percent = [](double share) { return fixed(100 * share, 1) + " %"; };
  if (evaluation.pairs > 0)
    return "Next sentences: " + percent(evaluation.next_sentence_accuracy) + " of " + grouped(evaluation.pairs) + " " +
           which + "pairs judged right, loss " + fixed(evaluation.next_sentence_loss, 4) + "; to say of each that it " +
           (evaluation.true_next_share < 0.5 ? "does not follow" : "follows") + " would get " +
           percent(std::max(evaluation.true_next_share, 1 - evaluation.true_next_share)) + ".";
  const octet::train::ReplacedTokens& replaced = evaluation.replaced;
  if (replaced.judged > 0)
    return "Replaced tokens: " + percent(replaced.share) + " of " + grouped(replaced.judged) + " " + which +
           "tokens came from the generator" +
           (replaced.recall ? "; " + percent(*replaced.recall) + " of those were found" : "") +
           (replaced.precision ? ", and " + percent(*replaced.precision) + " of what was suspected was one"
                               : ", and none was suspected") +
           ". " + percent(replaced.accuracy) + " of all judged right, loss " + fixed(replaced.loss, 4) + ".";
  return "";
}

}  // namespace program
