/// Of the tests: what a trace is refused with. To be included after `import octet.trace;`.
#pragma once

/// The message that `function` of arguments of these types is refused with; number 0 where it is not.
inline octet::Diagnostic refused(const std::vector<octet::TensorType>& types,
                                 const std::function<octet::Array(const std::vector<octet::Array>&)>& function) {
  try {
    octet::trace([&](const std::vector<octet::Array>& in) { return std::vector{function(in)}; }, types);
  } catch (const octet::Error& error) {
    return error.diagnostics().front();
  }
  return {};
}

inline octet::TensorType f32(octet::Shape shape) { return {octet::DType::f32, std::move(shape)}; }
