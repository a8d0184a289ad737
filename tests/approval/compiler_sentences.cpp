/// What the compiler is made to say (rules 1 and 2).
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <string>

#include "../../modules/trace/refused.hpp"
import octet;

#include "approved.hpp"

TEST_CASE("the sentences of the compiler are the approved ones") {
  approve("X101", OCTET_NO_BRANCH "\n" OCTET_NO_NOT "\n" OCTET_NO_AND "\n" OCTET_NO_OR "\n" OCTET_NO_GATHERING);
  approve("X106", OCTET_NO_NUMBER "\n" OCTET_NO_ITEM "\n" OCTET_NO_TOTAL "\n" OCTET_NO_PRINTING "\n" OCTET_NO_TENSOR
                                  "\n" OCTET_NO_HOST_FUNCTION("exp", "octet::exp(x)"));
  approve("X107", OCTET_NO_INDEX);
  approve("X108", OCTET_NO_ITERATION);
  approve("X109", OCTET_NO_ELEMENT);
  approve("X201", OCTET_NO_UNIQUE "\n" OCTET_NO_NONZERO "\n" OCTET_NO_ARGWHERE "\n" OCTET_NO_WHERE);
  approve("X202", OCTET_NO_EXTENT);
  approve("X203", OCTET_NO_MASKING);
  approve("X204", OCTET_NO_REPEAT);
}
