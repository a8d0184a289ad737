/// A directory of a test's own, gone again at its end: tests run beside one another, natively and in WebAssembly.
#pragma once
#include <filesystem>
#include <random>
#include <string>
#include <system_error>

struct Scratch {
  std::filesystem::path path;

  Scratch() {
    std::random_device random;
    path = std::filesystem::temp_directory_path() /
           ("octet-test-" + std::to_string(random()) + "-" + std::to_string(random()));
    std::filesystem::create_directories(path);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};
