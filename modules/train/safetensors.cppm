/// safetensors: named tensors in a file, as Hugging Face's tools read and write them (an 8-byte little-endian header
/// length, a JSON header, then the bytes of the tensors).
export module octet.train:safetensors;
import octet.base;
import octet.standard;
import octet.text;

export namespace octet::train {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

struct Safetensors {
  std::vector<NamedTensor> tensors;  ///< in the order of the file
  std::map<std::string, std::string> metadata = {};
  std::string name = "the file";  ///< what messages call it
  /// The tensor called `name`; throws X715 where there is none.
  const Tensor& operator[](std::string_view name) const;
};

/// The bytes of the file: those of a tensor are a part. Throws X715 where two tensors have one name, or a name is not
/// UTF-8.
text::FileParts safetensors_parts(const Safetensors& content);
/// All of them.
std::string safetensors_bytes(const Safetensors& content);
/// Reads them; throws X715 with what is wrong and where: every byte must belong to one tensor, and each tensor have the
/// bytes its shape needs. `name` is what messages call the file. Of the element types that Octet does not have,
/// F16 is read as f32, and U8, I8, U16 and I16 as i32, which hold their numbers; others (U64, F8_E4M3, …) are refused.
Safetensors parse_safetensors(std::string_view bytes, const std::string& name);

/// Writes beside and renames; throws X707.
void save_safetensors(const Safetensors& content, const std::filesystem::path& path);
/// Throws X701 and X715.
Safetensors load_safetensors(const std::filesystem::path& path);

}  // namespace octet::train
