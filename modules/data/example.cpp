/// Protocol buffers, as far as tf.train.Example needs them:
///
///     message Example { Features features = 1; }
///     message Features { map<string, Feature> feature = 1; }
///     message Feature { oneof kind { BytesList bytes_list = 1; FloatList float_list = 2; Int64List int64_list = 3; } }
///     message BytesList { repeated bytes value = 1; }   // and so with float and int64, which are packed
module octet.data;
import octet.base;
import octet.standard;
import octet.text;
import :byte_order;
import :protocol_buffer;

namespace octet::data {

namespace {

std::string encoded(const Feature& feature) {
  std::string list, values;
  if (const auto* bytes = std::get_if<BytesList>(&feature)) {
    for (const std::string& value : *bytes) append_delimited(list, 1, value);
  } else if (const auto* floats = std::get_if<FloatList>(&feature)) {
    for (const float value : *floats) append_little_endian(values, std::bit_cast<std::uint32_t>(value));
  } else if (const auto* integers = std::get_if<Int64List>(&feature)) {
    for (const std::int64_t value : *integers) append_varint(values, static_cast<std::uint64_t>(value));
  } else {
    return {};
  }
  if (!values.empty()) append_delimited(list, 1, values);
  std::string result;
  append_delimited(result, static_cast<std::uint32_t>(feature.index()), list);
  return result;
}

// A part of the record: a message, or what is packed in it.
class Message {
 public:
  struct Field {
    std::uint32_t number;
    Wire wire;
    std::size_t begin;  // of the value
  };

  Message(std::string_view record, const std::string& name) : Message{record, name, 0, record.size()} {}

  bool at_end() const { return at_ == end_; }

  Field field() {
    const std::size_t begin = at_;
    const std::uint64_t tag = varint();
    const auto wire = static_cast<std::uint32_t>(tag & 7);
    if (tag >> 3 == 0 || tag >> 3 >= 1u << 29) refuse(begin, "a field has the number " + std::to_string(tag >> 3));
    if (wire != Wire::varint && wire != fixed64 && wire != delimited && wire != fixed32)
      refuse(begin, "a field has the wire type " + std::to_string(wire));
    return {static_cast<std::uint32_t>(tag >> 3), static_cast<Wire>(wire), at_};
  }

  std::uint64_t varint() {
    const std::size_t begin = at_;
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (at_ == end_) refuse(begin, "a number is cut short");
      const auto byte = static_cast<unsigned char>(record_[at_++]);
      if (shift == 63 && byte > 1) refuse(begin, "a number has more than 64 bits");
      number |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return number;
    }
    refuse(begin, "a number has more than ten bytes");
  }

  float float32() { return std::bit_cast<float>(little_endian<std::uint32_t>(take(4, "a float"))); }

  // The part that a length and so many bytes make.
  Message part() {
    const std::size_t begin = at_;
    const std::uint64_t size = varint();
    if (size > end_ - at_)
      refuse(begin, "a part of " + std::to_string(size) + " bytes is longer than the " + std::to_string(end_ - at_) +
                        " that are left");
    const std::size_t from = at_;
    at_ += static_cast<std::size_t>(size);
    return {record_, *name_, from, at_};
  }

  std::string_view rest() const { return record_.substr(at_, end_ - at_); }

  void skip(const Field& field) {
    switch (field.wire) {
      case Wire::varint:
        static_cast<void>(varint());
        break;
      case fixed64:
        static_cast<void>(take(8, "a fixed number"));
        break;
      case fixed32:
        static_cast<void>(take(4, "a fixed number"));
        break;
      case delimited:
        static_cast<void>(part());
        break;
    }
  }

  // A field of ours with another wire type than it must have.
  void require(const Field& field, Wire wire, const char* what) const {
    if (field.wire != wire) refuse(field.begin, std::string{what} + " has the wire type " + std::to_string(field.wire));
  }

  [[noreturn]] void refuse(std::size_t at, const std::string& why) const {
    fail({.number = 723,
          .sentence = *name_ + " is no tf.train.Example: at byte " + std::to_string(at) + " of it " + why,
          .where = {*name_, 0, ""}});
  }

 private:
  Message(std::string_view record, const std::string& name, std::size_t begin, std::size_t end)
      : record_{record}, name_{&name}, at_{begin}, end_{end} {}

  std::string_view take(std::size_t size, const char* what) {
    if (end_ - at_ < size) refuse(at_, std::string{what} + " is cut short");
    at_ += size;
    return record_.substr(at_ - size, size);
  }

  std::string_view record_;  // the whole of it
  const std::string* name_;
  std::size_t at_, end_;
};

// The list that a feature holds, of a kind that may be met again (then it goes on) or be another (then it begins anew).
template <class List>
List& list_of(Feature& feature) {
  if (!std::holds_alternative<List>(feature)) feature = List{};
  return std::get<List>(feature);
}

void read_list(Message list, BytesList& to) {
  while (!list.at_end()) {
    const Message::Field field = list.field();
    if (field.number != 1) {
      list.skip(field);
      continue;
    }
    list.require(field, delimited, "a value of bytes");
    to.emplace_back(list.part().rest());
  }
}

// `read` takes one number, which has the wire type `wire` where it is not packed.
template <class Value, class Read>
void read_numbers(Message list, std::vector<Value>& to, Wire wire, Read read) {
  while (!list.at_end()) {
    const Message::Field field = list.field();
    if (field.number != 1) {
      list.skip(field);
    } else if (field.wire == delimited) {
      Message packed = list.part();
      while (!packed.at_end()) to.push_back(read(packed));
    } else {
      list.require(field, wire, "a number");
      to.push_back(read(list));
    }
  }
}

void read_feature(Message message, Feature& to) {
  while (!message.at_end()) {
    const Message::Field field = message.field();
    if (field.number > 3) {
      message.skip(field);
      continue;
    }
    message.require(field, delimited, "a list");
    const Message list = message.part();
    if (field.number == 1)
      read_list(list, list_of<BytesList>(to));
    else if (field.number == 2)
      read_numbers(list, list_of<FloatList>(to), fixed32, [](Message& from) { return from.float32(); });
    else
      read_numbers(list, list_of<Int64List>(to), varint,
                   [](Message& from) { return static_cast<std::int64_t>(from.varint()); });
  }
}

void read_entry(Message entry, Features& to) {
  std::string key;
  Feature value;
  while (!entry.at_end()) {
    const Message::Field field = entry.field();
    if (field.number > 2) {
      entry.skip(field);
      continue;
    }
    entry.require(field, delimited, field.number == 1 ? "the name of a feature" : "a feature");
    const Message part = entry.part();
    if (field.number == 2) {
      read_feature(part, value);
    } else {
      key = part.rest();
      if (text::find_invalid_utf8(key)) entry.refuse(field.begin, "the name of a feature is not UTF-8");
    }
  }
  to.insert_or_assign(std::move(key), std::move(value));
}

}  // namespace

std::string encode_example(const Features& features) {
  std::string map, result;
  for (const auto& [name, feature] : features) {
    std::string entry;
    append_delimited(entry, 1, name);
    append_delimited(entry, 2, encoded(feature));
    append_delimited(map, 1, entry);
  }
  append_delimited(result, 1, map);
  return result;
}

Features decode_example(std::string_view record, const std::string& name) {
  Features features;
  Message example{record, name};
  while (!example.at_end()) {
    const Message::Field outer = example.field();
    if (outer.number != 1) {
      example.skip(outer);
      continue;
    }
    example.require(outer, delimited, "the features");
    Message map = example.part();
    while (!map.at_end()) {
      const Message::Field field = map.field();
      if (field.number != 1) {
        map.skip(field);
        continue;
      }
      map.require(field, delimited, "an entry of the features");
      read_entry(map.part(), features);
    }
  }
  return features;
}

}  // namespace octet::data
