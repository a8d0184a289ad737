/// How the help of the command line looks. Imports modules: include it after all other headers.
#pragma once
import cli11;
import octet.standard;

namespace program {

/// CLI11's, with defaults after the descriptions and without what only its own parser needs to know.
class Help : public CLI::Formatter {
 public:
  Help() {
    column_width(30);
    for (const char* number : {"INT", "UINT", "FLOAT"}) label(number, "N");
    label("TEXT", "NAME");
    label("OPTIONS", "OPTION...");
    label("SUBCOMMAND", "COMMAND");
    label("Positionals", "Arguments");
  }

  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    if (is_positional) return option->get_name(true, false);
    std::string names;
    for (const std::string& name : option->get_snames()) names += (names.empty() ? "-" : ", -") + name;
    for (const std::string& name : option->get_lnames()) names += (names.empty() ? "--" : ", --") + name;
    return names;
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return {};
    const std::string type = option->get_type_name();
    const bool many = option->get_expected_max() == CLI::detail::any_number_of_values;
    return (type.empty() ? "" : " " + get_label(type)) + (many ? "..." : "");
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string value = option->get_default_str();
    return option->get_description() + (value.empty() ? "" : " (" + value + ")") +
           (option->get_required() ? " (required)" : "");
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, name, mode), "\n\n\n", "\n\n");
  }
};

}  // namespace program
