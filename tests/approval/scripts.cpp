/// What a script is refused with where it is no program.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <string>
#include <utility>
#include <vector>

import octet;
import octet.script;

#include "approved.hpp"

TEST_CASE("messages on scripts") {
  for (const auto& [number, text] :
       std::vector<std::pair<int, std::string>>{{730, "x = input(f32, [4, 8]\ny = x"},
                                                {731, "loss = input(f32, [4])\nsum(los)"},
                                                {732, "x = input(f32, [4])\nreduce_sum(x)"},
                                                {733, "x = input(f32, [4])\nsum(x, 0, 1)"},
                                                {734, "x = zeros([1000, 1000])"}})
    approve_refusal(number, [&] {
      const octet::ScriptReport report = octet::trace_script(text);
      if (!report.faults.empty()) throw octet::Error{report.faults};
    });
}
