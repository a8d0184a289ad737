/// What is told of the second loss of models that are trained by two: of next sentences, of an ELECTRA's judgements.
/// Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// A number by the name that JSON lines and curves give it; NaN where it is not known.
struct Figure {
  const char* name;
  double value;
  bool drawn = true;  ///< as a curve: what only counts is not
};

/// None of models that have one loss.
std::vector<Figure> second_figures(const octet::train::StepReport& report);
std::vector<Figure> second_figures(const octet::train::Evaluation& evaluation);
/// The same in a sentence; empty where there is none. `which` stands before what was judged.
std::string second_sentence(const octet::train::Evaluation& evaluation, const std::string& which = "held-out ");

}  // namespace program
