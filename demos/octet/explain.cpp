/// octet explain: what is behind a message's number.
#include <cstdio>

#include "json.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include "command.hpp"
#include "messages.hpp"
import cli11;
import octet.standard;
import octet;
import octet.pages;

namespace program {

namespace {

constexpr std::string_view families[] = {"",
                                         "Branches",
                                         "Shapes from data",
                                         "Recompiles",
                                         "Shapes, types and programs",
                                         "Memory, matrix unit and precision",
                                         "Replicas, host and data placement",
                                         "Files and input"};

/// `text` in lines of at most `width` columns, the first after `first`, the others after as many blanks.
std::string wrapped(const std::string& first, std::string_view text, std::size_t width) {
  const std::string indent(display_width(first), ' ');
  std::string result, line = first;
  bool empty = true;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text = end == text.npos ? std::string_view{} : text.substr(end + 1);
    if (!empty && display_width(line) + 1 + display_width(word) > width) {
      result += line + "\n";
      line = indent;
      empty = true;
    }
    line += (empty ? "" : " ") + std::string{word};
    empty = false;
  }
  return result + line;
}

JsonObject object(const octet::CatalogueEntry& entry) {
  return JsonObject{}
      .add("number", octet::diagnostic_name(entry.number))
      .add("title", entry.title)
      .add("rule", entry.rule)
      .add("cure", entry.cure);
}

/// With what its page says.
JsonObject object(const octet::CatalogueEntry& entry, const octet::Page& page) {
  std::vector<JsonObject> causes, cures;
  for (const octet::Cause& cause : page.causes)
    causes.push_back(JsonObject{}.add("scenario", cause.scenario).add("why", cause.why));
  for (const octet::CureRow& cure : page.cures)
    cures.push_back(
        JsonObject{}.add("cure", cure.cure).add("safe", cure.safe).add("gain", cure.gain).add("tell", cure.tell));
  return object(entry).add("causes", causes).add("cures", cures);
}

void list(bool json) {
  int family = 0;
  for (const octet::CatalogueEntry& entry : octet::catalogue()) {
    if (json) {
      print(object(entry).text());
      continue;
    }
    if (entry.number / 100 != family) {
      if (family) print("");
      family = entry.number / 100;
      print("X" + std::to_string(family) + "  " + std::string{families[family]});
    }
    print("  " + octet::diagnostic_name(entry.number) + "  " + std::string{entry.title});
  }
}

int explain(const std::string& name, bool markdown, bool json) {
  if (name.empty()) {
    if (markdown)
      for (const octet::Page& page : octet::pages()) print(octet::to_markdown(page));
    else
      list(json);
    return 0;
  }
  std::string_view digits = name;
  if (digits.starts_with('X') || digits.starts_with('x')) digits.remove_prefix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc{} && end == digits.data() + digits.size();
  const octet::CatalogueEntry& entry = octet::catalogue_entry(whole ? number : 0);
  if (entry.number == 0)
    octet::fail({.number = 709,
                 .sentence = "No message has the number '" + name + "'.",
                 .rule = "Numbers are an X and three digits, as messages show them.",
                 .fix = {"octet explain lists them all"}});
  const octet::Page& page = octet::page(number);
  if (json) {
    print(object(entry, page).text());
    return 0;
  }
  if (markdown) {
    print(octet::to_markdown(page));
    return 0;
  }
  const std::size_t width = std::min<std::size_t>(columns(Stream::output), 100);
  print(octet::diagnostic_name(entry.number) + "  " + std::string{entry.title});
  print(wrapped("  why   ", entry.rule, width));
  print(wrapped("  cure  ", entry.cure, width));
  if (!page.causes.empty()) print("\nHow one comes to meet it");
  for (const octet::Cause& cause : page.causes) {
    print(wrapped("  - ", cause.scenario, width));
    print(wrapped("    ", cause.why, width));
  }
  if (!page.cures.empty()) print("\nWhat to do");
  for (std::size_t i = 0; i < page.cures.size(); ++i) {
    const octet::CureRow& cure = page.cures[i];
    print(wrapped("  " + std::to_string(i + 1) + ". ", cure.cure, width));
    for (const auto& [label, text] : {std::pair{"     safe to do?   ", cure.safe},
                                      {"     what it gains ", cure.gain},
                                      {"     how to tell   ", cure.tell}})
      if (!text.empty()) print(wrapped(label, text, width));
  }
  return 0;
}

void explain_options(CLI::App* sub, Invocation& invocation) {
  const auto name = octet::shared<std::string>();
  const auto markdown = octet::shared<bool>(false);
  sub->add_option("NUMBER", *name, "a message's number, such as X704")->type_name("");
  sub->add_flag("--markdown", *markdown, "the page in Markdown; all pages without a number");
  sub->callback([name, markdown, &invocation] {
    invocation.work = [name, markdown, &invocation] { return explain(*name, *markdown, invocation.json); };
  });
}

}  // namespace

const Subcommand explain_subcommand{.name = "explain",
                                    .description = "What is behind a message's number; all numbers without one.",
                                    .example = "octet explain X704",
                                    .add_options = explain_options};

}  // namespace program
