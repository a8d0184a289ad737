#include <catch2/catch_test_macros.hpp>
#include <exception>
#include <set>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

import octet.base;

using namespace octet;

TEST_CASE("a full diagnostic is written in six parts") {
  const Diagnostic diagnostic{
      .number = 401,
      .sentence = "dot_general contracts dimension 1 of f32[8, 64] with dimension 0 of f32[128, 2]: 64 is not 128.",
      .where = {"model.cpp", 41, "loss"},
      .because = {{"x is argument 0, f32[8, 64]", {"model.cpp", 30, "main"}}, {"서울 is computed from x", {}}},
      .rule = "The contracted extents must be equal.",
      .fix = {"transpose(w)", "reshape(x, {16, 32})", "pad(x)"},
      .see = "octet explain X401"};
  REQUIRE(diagnostic.text() ==
          "X401: dot_general contracts dimension 1 of f32[8, 64] with dimension 0 of f32[128, 2]: 64 is not 128.\n"
          "  where:   model.cpp:41, in loss\n"
          "  because: x is argument 0, f32[8, 64] (model.cpp:30, in main)\n"
          "           서울 is computed from x\n"
          "  rule:    The contracted extents must be equal.\n"
          "  fix:     transpose(w)\n"
          "      or:  reshape(x, {16, 32})\n"
          "      or:  pad(x)\n"
          "  see:     octet explain X401");
}

TEST_CASE("the parts that a diagnostic lacks are taken from the catalogue") {
  try {
    fail({.number = 402, .sentence = "f32 and i32 are added.", .where = {"a.cpp", 7, ""}});
    FAIL("fail() returned");
  } catch (const Error& error) {
    REQUIRE(error.number() == 402);
    REQUIRE(error.diagnostics().size() == 1);
    REQUIRE(std::string{error.what()} ==
            "X402: f32 and i32 are added.\n"
            "  where:   a.cpp:7\n"
            "  rule:    StableHLO has no implicit conversion between element types.\n"
            "  fix:     convert one of them explicitly with cast<float>(x)\n"
            "  see:     octet explain X402");
  }
}

TEST_CASE("a diagnostic without a place, and of a number nobody knows, is still a sentence") {
  REQUIRE(std::string{Error{{{.number = 999, .sentence = "Odd."}}}.what()} ==
          "X999: Odd.\n  see:     octet explain X999");
}

TEST_CASE("at most five links and three fixes are written") {
  Diagnostic diagnostic{.number = 1, .sentence = "s"};
  for (int i = 0; i < 7; ++i) diagnostic.because.push_back({"link " + std::to_string(i), {}});
  for (int i = 0; i < 7; ++i) diagnostic.fix.push_back("fix " + std::to_string(i));
  const std::string text = diagnostic.text();
  REQUIRE(text.find("link 4") != std::string::npos);
  REQUIRE(text.find("link 5") == std::string::npos);
  REQUIRE(text.find("fix 2") != std::string::npos);
  REQUIRE(text.find("fix 3") == std::string::npos);
}

TEST_CASE("an error with several faults writes them all, a blank line between") {
  const Error error{{{.number = 999, .sentence = "One.", .see = "a"}, {.number = 998, .sentence = "Two.", .see = "b"}}};
  REQUIRE(std::string{error.what()} == "X999: One.\n  see:     a\n\nX998: Two.\n  see:     b");
  REQUIRE(error.number() == 999);
  const Error copy = error;
  REQUIRE(copy.diagnostics().size() == 2);
}

TEST_CASE("an error can be copied without throwing, as every exception should") {
  STATIC_REQUIRE(std::is_nothrow_copy_constructible_v<Error>);
  STATIC_REQUIRE(std::is_base_of_v<std::exception, Error>);
}

TEST_CASE("a place names file, line and function of a source location") {
  const auto location = std::source_location::current();
  const Place place = Place::of(location);
  REQUIRE(place.line == location.line());
  REQUIRE(place.file.string() == location.file_name());
  REQUIRE(to_string(Place{}).empty());
  REQUIRE(to_string(Place{"corpus.txt", 0, ""}) == "corpus.txt");
}

TEST_CASE("shared text outlives what it was made from, unless that lasts by itself") {
  SharedText copy, moved;
  {
    std::string text = "a text too long to lie in the string itself, made at run time";
    SharedText first{text};
    text.assign(text.size(), 'x');
    copy = first;
    SharedText second{std::string{"another text too long to lie in the string itself"}};
    moved = std::move(second);
    CHECK(second.empty());
  }
  CHECK(copy.string() == "a text too long to lie in the string itself, made at run time");
  CHECK(moved.string() == "another text too long to lie in the string itself");
  static const char lasting[] = "a literal";
  CHECK(SharedText::lasting(lasting) == SharedText{"a literal"});
  CHECK(SharedText{std::string{}}.empty());
  CHECK(SharedText::lasting("") == SharedText{});
}

TEST_CASE("catalogue numbers are unique and increasing, and every entry has a title, a rule and a cure") {
  int last = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    INFO(diagnostic_name(entry.number));
    REQUIRE(entry.number > last);
    REQUIRE(entry.number >= 100);
    REQUIRE(entry.number < 800);
    REQUIRE_FALSE(entry.title.empty());
    REQUIRE_FALSE(entry.rule.empty());
    REQUIRE_FALSE(entry.cure.empty());
    REQUIRE(&catalogue_entry(entry.number) == &entry);
    last = entry.number;
  }
  REQUIRE(catalogue_entry(0).title.empty());
}
