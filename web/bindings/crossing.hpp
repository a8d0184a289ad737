// What crosses between C++ and JavaScript, as plain objects: counts, lists, messages, options, faults, functions.
// Imports octet: include it after all other headers.
#pragma once
#include "values.hpp"
import octet.standard;
import octet;

namespace crossing {

/// 64-bit integers cross as JavaScript's numbers: exact up to 2^53, beyond any count here.
inline double number(std::int64_t count) { return static_cast<double>(count); }

template <class List, class Convert>
val list(const List& elements, const Convert& convert) {
  val array = val::array();
  unsigned size = 0;
  for (const auto& element : elements) array.set(size++, convert(element));
  return array;
}

template <class List>
val texts(const List& elements) {
  return list(elements, [](const auto& text) { return std::string{text}; });
}

/// The elements of an array, each made by `convert` of its value.
template <class Convert>
auto elements(const val& array, const Convert& convert) {
  std::vector<decltype(convert(array))> result;
  const auto size = array["length"].as<unsigned>();
  result.reserve(size);
  for (unsigned i = 0; i < size; ++i) result.push_back(convert(array[i]));
  return result;
}

inline std::vector<std::int64_t> whole_numbers(const val& array) {
  return elements(array, [](const val& value) { return static_cast<std::int64_t>(value.as<double>()); });
}

inline val diagnostic(const octet::Diagnostic& fault) {
  val object = val::object();
  object.set("number", octet::diagnostic_name(fault.number));
  object.set("sentence", fault.sentence);
  // A line within a function is one of a program, such as Octet's own, and not of the visitor's file.
  object.set("line", fault.where.function.empty() ? fault.where.line : 0);
  object.set("because", list(fault.because, [](const octet::Link& link) { return link.what; }));
  object.set("rule", fault.rule);
  object.set("fix", texts(fault.fix));
  return object;
}

/// Throws, in JavaScript, an object that has these.
[[noreturn]] inline void throw_fault(const char* name, const std::string& message, const val& diagnostics) {
  val fault = val::object();
  fault.set("name", name);
  fault.set("message", message);
  fault.set("diagnostics", diagnostics);
  octet_value_throw(fault.leave());
}

/// A function of one value, as JavaScript knows it by its name.
struct Function {
  std::string_view name;
  val (*call)(const val&);
};

/// Calls a Function. What it throws becomes a fault in JavaScript, called OctetError where it is one of Octet's.
inline OctetPlace call(void* function, OctetPlace request) {
  val diagnostics = val::array();
  const char* name = nullptr;
  std::string message;
  try {
    const val given = val::at(request);
    return reinterpret_cast<val (*)(const val&)>(function)(given).leave();
  } catch (const octet::Error& error) {
    name = "OctetError";
    message = error.what();
    diagnostics = list(error.diagnostics(), diagnostic);
  } catch (const std::exception& error) {
    name = "EngineError";
    message = error.what();
  }
  throw_fault(name, message, diagnostics);
}

/// Makes functions known to JavaScript, as the program starts.
struct Functions {
  Functions(std::initializer_list<Function> all) {
    for (const Function& each : all)
      octet_value_function(each.name.data(), each.name.size(), call, reinterpret_cast<void*>(each.call));
  }
};

/// Leaves `option` as it is where `given` does not have it.
template <class T>
void take(const val& given, const char* name, T& option) {
  const val value = given[name];
  if (!value.is_undefined()) option = static_cast<T>(value.as<double>());
}

/// Empty where `given` does not have it.
inline std::string text_of(const val& given, const char* name) {
  const val value = given[name];
  return value.is_undefined() ? std::string{} : value.as<std::string>();
}

}  // namespace crossing
