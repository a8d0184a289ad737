/// X3: programs that are compiled again and again.
module octet.pages;
import octet.standard;

namespace octet {

std::vector<Page> pages_on_recompiles() {
  return {
      {301,
       {{"An input is longer than the largest bucket of a list.",
         "A list of buckets is a promise about lengths, and this input "
         "breaks it."}},
       {{"Add a larger bucket", "Yes.", "One more program; only long inputs use it.", "One more miss, and no message."},
        {"Truncate the input on the host",
         "It loses the end of the text: as models with a fixed number of positions do anyway.", "No further program.",
         "The longest length stays at the largest bucket."},
        {"multiple_of(n) instead of a list", "Yes.", "No largest length, but as many programs as lengths / n.",
         "The misses that statistics() counts."}}},
      {302,
       {{"Inputs come in many lengths and no bucket names their dimension.", "Each length is a program of its own."},
        {"A number that changes with each step, such as a learning rate, is passed as a C++ number.",
         "It is part of the program; a new "
         "value is a new program."}},
       {{"A bucket for the dimension, as step.explain() writes it",
         "Yes, where the function takes a mask; step.check_padding() looks.",
         "Few programs for many lengths, at the padding that is named with it.",
         "The misses that statistics() counts stop."},
        {"fitted(lengths, ...) for the buckets", "As above.", "The least of compiling and padding together.",
         "Its text() says both costs."},
        {"Pass the number as a Tensor", "Yes.", "One program for all values.", "As above."}}},
      {303,
       {{"A shape came that the warm-up did not have, while compiling was forbidden.",
         "The call would have waited for a compile."}},
       {{"step.warm_up(state, longest_batch): buckets up to the extents of these are compiled", "Yes.",
         "Every compile is over before the run.", "No further message."},
        {"Let go of the guard that forbids it", "Yes.", "The call compiles and goes on.", "As above."}}},
      {304,
       {{"More shapes came than max_programs allows, and WhenFull::refuse was asked for.",
         "Otherwise the program used longest ago would be "
         "dropped, and compiled again when it is next needed."},
        {"A warm-up has more buckets than max_programs.",
         "It would drop programs that it has just compiled, so it is refused whatever when_full says."}},
       {{"Fewer, larger buckets", "Yes, where the function takes a mask.", "All programs stay.",
         "statistics().programs stays below the limit."},
        {"A larger max_programs", "Yes; it takes memory.", "As above.", "As above."}}},
      {305,
       {{"A mean or a softmax goes over the padding too.", "The padding then has a part in the result."},
        {"The attention mask is not passed on.", "Real tokens attend to the padding."},
        {"A position is counted from the end.", "Padding moves it."}},
       {{"Mask at the line that is named", "Yes: it is the result without padding.",
         "Any bucket gives the same result.", "step.check_padding() passes."},
        {"Give the bucket a fill that does nothing there", "Yes, for a sum 0, for a maximum the least number.",
         "No mask is needed.", "As above."}}},
      {306,
       {{"The function reads a variable that was changed after it was compiled.",
         "It is called when it is traced, and never again for the "
         "same shapes: the compiled program has the old value."},
        {"It draws random numbers of the host, or counts its own calls.", "Each trace is then another program."}},
       {{"Pass what changes as an argument", "Yes.", "Each call sees the value of now.", "step.check_trace() passes."},
        {"Make the compiled function anew where it is meant to change", "Yes.", "", "As above."}}},
  };
}

}  // namespace octet
