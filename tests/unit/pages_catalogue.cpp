/// Catalogue, pages and code name the same numbers.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

import octet.base;
import octet.pages;

using namespace octet;

namespace {

/// The numbers that sources raise, and where.
std::map<int, std::string> raised() {
  std::map<int, std::string> numbers;
  static const std::regex raising{
      R"re(number = ([1-9]\d\d)\b|number = [^;,]*\? ([1-9]\d\d) : ([1-9]\d\d)\b|"X(\d\d\d): )re"};
  for (const char* folder : {"modules", "demos", "web/bindings"}) {
    const std::filesystem::path root = std::filesystem::path{OCTET_SOURCES} / folder;
    if (!std::filesystem::exists(root)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{root}) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".cppm" && extension != ".hpp") continue;
      std::ifstream file{entry.path()};
      const std::string text{std::istreambuf_iterator<char>{file}, {}};
      for (std::sregex_iterator match{text.begin(), text.end(), raising}, end; match != end; ++match)
        for (std::size_t group = 1; group <= 4; ++group)
          if ((*match)[group].matched) numbers.emplace(std::stoi((*match)[group]), entry.path().string());
    }
  }
  return numbers;
}

}  // namespace

TEST_CASE("every number of the catalogue has a page, and every page a number of the catalogue") {
  for (const CatalogueEntry& entry : catalogue()) {
    INFO("X" << entry.number);
    const Page& its_page = page(entry.number);
    CHECK(its_page.number == entry.number);
    CHECK(!its_page.causes.empty());
    CHECK(!its_page.cures.empty());
    for (const Cause& cause : its_page.causes) CHECK((!cause.scenario.empty() && !cause.why.empty()));
    for (const CureRow& cure : its_page.cures) CHECK((!cure.cure.empty() && !cure.safe.empty() && !cure.tell.empty()));
  }
  for (const Page& one : pages()) {
    INFO("X" << one.number);
    CHECK(catalogue_entry(one.number).number == one.number);
  }
}

TEST_CASE("numbers increase, in the catalogue and in the pages, and lie in one of seven hundreds") {
  const auto increasing = [](const auto& entries) {
    return std::ranges::adjacent_find(entries, [](const auto& a, const auto& b) { return a.number >= b.number; }) ==
           std::ranges::end(entries);
  };
  CHECK(increasing(catalogue()));
  CHECK(increasing(pages()));
  for (const CatalogueEntry& entry : catalogue()) CHECK((entry.number > 100 && entry.number < 800));
}

TEST_CASE("every number that a source raises is in the catalogue", "[native]") {
  const auto numbers = raised();
  CHECK(numbers.size() > 30);
  for (const auto& [number, file] : numbers) {
    INFO("X" << number << " in " << file);
    CHECK(catalogue_entry(number).number == number);
  }
}

TEST_CASE("the page on memory has the cures that check and estimate propose") {
  const std::string text = to_markdown(page(501));
  for (const char* cure : {"gradients accumulated", "jax.checkpoint in JAX, tf.recompute_grad in TensorFlow",
                           "Activations stored in bf16", "optimizer's state sharded", "chips with more memory"}) {
    INFO(cure);
    CHECK(text.find(cure) != std::string::npos);
  }
}

TEST_CASE("a page in Markdown has the title and the rule of the catalogue, and a table of cures") {
  const std::string text = to_markdown(page(203));
  CHECK(text.starts_with("## X203 indexing by a mask\n\nx[mask] has as many elements as the mask has true ones"));
  CHECK(text.find("| cure | safe to do? | what it gains | how to tell |\n|---|---|---|---|\n| nn::masked_mean") !=
        std::string::npos);
  CHECK(to_markdown(page(101)).find("!, && or \\|\\|") == std::string::npos);  // a bar is escaped within tables alone
  CHECK(to_markdown(page(999)).empty());
}
