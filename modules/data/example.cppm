/// tf.train.Example: what a record of a data set is, named lists of bytes, of floats or of whole numbers, as a protocol
/// buffer.
export module octet.data:example;
import octet.standard;

export namespace octet::data {

using BytesList = std::vector<std::string>;
using FloatList = std::vector<float>;
using Int64List = std::vector<std::int64_t>;

/// A list of one of three kinds, or, in what other programs write, of none.
using Feature = std::variant<std::monostate, BytesList, FloatList, Int64List>;

/// By name, in the order of the names' bytes: the same features give the same record.
using Features = std::map<std::string, Feature, std::less<>>;

/// The features as a serialized tf.train.Example: names in order, numbers packed.
std::string encode_example(const Features& features);

/// Reads one, numbers packed or not, fields that it does not know passed over. Throws X723 with the byte at fault;
/// `name` is what messages call the record.
Features decode_example(std::string_view record, const std::string& name = "the record");

}  // namespace octet::data
