/// Of the program that grades one exercise: states its facts, and tells what the exercise is refused with or throws.
#include <exception>
#include <new>
#include "report.hpp"
import octet;
import facts;

int main() {
  facts::report_lack_of_memory();
  try {
    check();
  } catch (const std::bad_alloc&) {
    facts::report({"memory"});
    return 1;
  } catch (const octet::Error& error) {
    facts::report_refusal(error.what());
    return 1;
  } catch (const std::exception& error) {
    facts::report_exception(error.what());
    return 1;
  }
  return facts::status();
}
