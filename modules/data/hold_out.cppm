/// Holding out a part to measure on: never trained on, the same one every time.
export module octet.data:hold_out;
import octet.standard;

export namespace octet::data {

struct Split {
  std::vector<std::string> training;
  std::vector<std::string> held_out;
};

/// Holds out lines number `one_in`, 2 `one_in`, 3 `one_in`, … (counted from 1 among the non-blank lines); of a text
/// with fewer lines than that, the last one. Throws X706 for fewer than two lines, X709 for `one_in` below 2.
Split hold_out(std::vector<std::string> lines, std::size_t one_in = 20);

/// The same of documents, records or blocks that are too many to hold: which of them a source takes.
struct Part {
  enum class Kind { all, training, held_out };
  Kind kind = Kind::all;
  std::uint64_t one_in = 20;  ///< held out is number one_in, 2 one_in, …; of fewer than that, the last one. 2 or more

  /// How many of `all` are in the part.
  std::uint64_t size(std::uint64_t all) const {
    const std::uint64_t held = all / period(all);
    return kind == Kind::all ? all : kind == Kind::held_out ? held : all - held;
  }
  /// Which of `all` is number `index` of the part.
  std::uint64_t at(std::uint64_t index, std::uint64_t all) const {
    const std::uint64_t step = period(all);
    return kind == Kind::all ? index : kind == Kind::held_out ? (index + 1) * step - 1 : index + index / (step - 1);
  }
  /// Whether number `index` of `all` is in the part.
  bool holds(std::uint64_t index, std::uint64_t all) const {
    return kind == Kind::all || ((index + 1) % period(all) == 0) == (kind == Kind::held_out);
  }
  friend bool operator==(const Part&, const Part&) = default;

 private:
  std::uint64_t period(std::uint64_t all) const {
    return std::max<std::uint64_t>(std::min(std::max<std::uint64_t>(one_in, 2), all), 1);
  }
};

}  // namespace octet::data
