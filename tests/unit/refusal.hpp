/// Of the tests: what a call is refused with. To be included after `import octet.base;`.
#pragma once

/// The number of the message; 0 where the call goes through.
int number_of(auto&& call) {
  try {
    call();
  } catch (const octet::Error& error) {
    return error.number();
  }
  return 0;
}

/// The first sentence of the message; empty where the call goes through.
std::string sentence_of(auto&& call) {
  try {
    call();
  } catch (const octet::Error& error) {
    return error.diagnostics().front().sentence;
  }
  return {};
}
