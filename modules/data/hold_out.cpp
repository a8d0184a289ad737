module octet.data;
import octet.base;
import octet.standard;

namespace octet::data {

Split hold_out(std::vector<std::string> lines, std::size_t one_in) {
  if (one_in < 2)
    fail([&] {
      return Diagnostic{
          .number = 709,
          .sentence = "cannot hold out one line in " + std::to_string(one_in) + ": nothing would be left to train on",
          .where = {},
          .fix = {"hold out one line in 20"}};
    });
  if (lines.size() < 2)
    fail([&] {
      return Diagnostic{.number = 706,
                        .sentence = lines.empty()
                                        ? "the text has no line to train on"
                                        : "the text has only one line, and one is to be held out to measure on",
                        .where = {}};
    });
  Split split;
  const bool short_text = lines.size() < one_in;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool held = short_text ? i + 1 == lines.size() : (i + 1) % one_in == 0;
    (held ? split.held_out : split.training).push_back(std::move(lines[i]));
  }
  return split;
}

}  // namespace octet::data
