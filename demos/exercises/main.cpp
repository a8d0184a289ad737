/// Of the program that grades one exercise: states its facts, and tells what the exercise is refused with.
#include <cstdio>
#include <exception>
import octet;
import facts;

int main() {
  try {
    check();
  } catch (const octet::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  return facts::status();
}
