module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

namespace {

/// The dimensions of an operand by their letters; those that "..." stands for are -1, -2, … from the last one on.
using Letters = std::vector<int>;

struct Term {
  Array array;
  Letters letters;
};

bool has(const Letters& letters, int letter) { return std::ranges::find(letters, letter) != letters.end(); }
std::int64_t place_of(const Letters& letters, int letter) {
  return std::ranges::find(letters, letter) - letters.begin();
}

/// One summation: what it was told, and the extent of each letter.
class Einsum {
 public:
  Einsum(const Subscripts& subscripts, const std::vector<Array>& operands) : told_{subscripts} { read(operands); }

  Array result() {
    for (Term& term : terms_) diagonal(term);
    measure();
    for (Term& term : terms_) narrow(term);
    Term product = summed(terms_.front(), 1);
    for (std::size_t next = 1; next < terms_.size(); ++next)
      product = multiplied(product, summed(terms_[next], next + 1, &product), next + 1);
    Dims permutation;
    for (const int letter : result_) permutation.push_back(place_of(product.letters, letter));
    return transpose(product.array, std::move(permutation));
  }

 private:
  [[noreturn]] void refuse(int number, const std::string& why, const Array* operand = nullptr,
                           const char* fix =
                               "write a letter for each dimension, such as \"ij,jk->ik\" for a product of "
                               "matrices") const {
    fail([&] {
      return Diagnostic{.number = number,
                        .sentence = "einsum(\"" + told_.text + "\"): " + why,
                        .where = placed(Place::of(told_.where)),
                        .because = operand ? because(*operand) : std::vector<Link>{},
                        .fix = {fix}};
    });
  }

  static std::string shown(int letter) {
    return letter > 0 ? "'" + std::string(1, static_cast<char>(letter)) + "'" : "\"...\"";
  }

  /// The letters of one operand, or of the result, where "..." stands for `unnamed` dimensions or for as many as
  /// `rank` leaves.
  Letters letters(std::string_view text, std::optional<std::int64_t> rank, std::int64_t unnamed,
                  const Array* operand) const {
    constexpr std::string_view dots = "...";
    const std::size_t at = text.find(dots);
    const auto named = static_cast<std::int64_t>(text.size() - (at == text.npos ? 0 : dots.size()));
    if (rank && (at == text.npos ? named != *rank : named > *rank))
      refuse(403, "\"" + std::string{text} + "\" does not name the dimensions of " + to_string(operand->type()) + ".",
             operand);
    if (rank) unnamed = *rank - named;
    Letters found;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i == at) {
        for (std::int64_t d = unnamed; d > 0; --d) found.push_back(static_cast<int>(-d));
        i += dots.size() - 1;
      } else {
        const char c = text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
          refuse(403, "'" + std::string(1, c) + "' is no letter from a to z.");
        found.push_back(c);
      }
    }
    return found;
  }

  void read(const std::vector<Array>& operands) {
    std::string text = told_.text;
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    std::vector<std::string> named(1);
    for (const char c : text.substr(0, arrow)) {
      if (c == ',')
        named.emplace_back();
      else
        named.back() += c;
    }
    if (named.size() != operands.size() || operands.empty())
      refuse(403, "it names " + std::to_string(named.size()) + (named.size() == 1 ? " operand" : " operands") +
                      ", and is given " + std::to_string(operands.size()) + ".");
    for (std::size_t i = 0; i < operands.size(); ++i)
      terms_.push_back({operands[i], letters(named[i], operands[i].rank(), 0, &operands[i])});

    std::map<int, int> uses;
    std::int64_t unnamed = 0;
    for (const Term& term : terms_)
      for (const int letter : term.letters) {
        ++uses[letter];
        unnamed = std::max<std::int64_t>(unnamed, -letter);
      }
    if (arrow != text.npos) {
      result_ = letters(std::string_view{text}.substr(arrow + 2), {}, unnamed, nullptr);
      Letters seen;
      for (const int letter : result_) {
        if (!uses.contains(letter)) refuse(403, "no operand has " + shown(letter) + ", which the result names.");
        if (has(seen, letter)) refuse(403, "the result names " + shown(letter) + " twice.");
        seen.push_back(letter);
      }
    } else {
      for (const auto& [letter, count] : uses)  // what "..." stands for comes first, in order
        if (letter < 0 || count == 1) result_.push_back(letter);
    }
  }

  /// Of a letter that stands twice, the elements where both dimensions agree.
  void diagonal(Term& term) const {
    for (std::size_t i = 0; i < term.letters.size(); ++i)
      for (std::size_t j = term.letters.size() - 1; j > i; --j) {
        if (term.letters[i] != term.letters[j]) continue;
        const Array& x = term.array;
        const auto one = static_cast<std::int64_t>(i), other = static_cast<std::int64_t>(j);
        if (x.extent(one) != x.extent(other))
          refuse(401, shown(term.letters[i]) + " stands for two dimensions of " + to_string(x.type()) + " that differ.",
                 &x, "give each of the two a letter of its own");
        const TensorType index{DType::i32, x.shape()};
        term.array = sum(select(iota(index, one) == iota(index, other), x, zeros(x.type())), {other});
        term.letters.erase(term.letters.begin() + other);
      }
  }

  void measure() {
    for (const Term& term : terms_)
      for (std::size_t i = 0; i < term.letters.size(); ++i) {
        const std::int64_t extent = term.array.extent(static_cast<std::int64_t>(i));
        std::int64_t& known = extents_.try_emplace(term.letters[i], extent).first->second;
        if (known != extent && known != 1 && extent != 1)
          refuse(401,
                 shown(term.letters[i]) + " stands for " + std::to_string(known) + " elements and for " +
                     std::to_string(extent) + ", in " + to_string(term.array.type()) + ".",
                 &term.array,
                 "give one letter to dimensions of one extent; other letters where they are to stay apart");
        known = known == 1 ? extent : known;
      }
  }

  /// Without the dimensions of extent 1 that others repeat.
  void narrow(Term& term) const {
    Letters kept;
    Dims shape;
    for (std::size_t i = 0; i < term.letters.size(); ++i) {
      const std::int64_t extent = term.array.extent(static_cast<std::int64_t>(i));
      if (extent != extents_.at(term.letters[i])) continue;
      kept.push_back(term.letters[i]);
      shape.push_back(extent);
    }
    term = {reshape(term.array, std::move(shape)), std::move(kept)};
  }

  /// Whether the result, or an operand from number `first` on, has it.
  bool needed(int letter, std::size_t first) const {
    return has(result_, letter) || std::any_of(terms_.begin() + static_cast<std::ptrdiff_t>(first), terms_.end(),
                                               [&](const Term& term) { return has(term.letters, letter); });
  }

  /// Without what nothing else names: neither the result, nor operands from number `first` on, nor `beside`.
  Term summed(const Term& term, std::size_t first, const Term* beside = nullptr) const {
    Letters kept;
    Dims over;
    for (std::size_t i = 0; i < term.letters.size(); ++i)
      if (needed(term.letters[i], first) || (beside && has(beside->letters, term.letters[i])))
        kept.push_back(term.letters[i]);
      else
        over.push_back(static_cast<std::int64_t>(i));
    return {over.empty() ? term.array : sum(term.array, std::move(over)), std::move(kept)};
  }

  Term multiplied(const Term& a, const Term& b, std::size_t first) const {
    DotAttributes dot;
    Letters letters, free;
    for (const int letter : a.letters) {
      const std::int64_t in_a = place_of(a.letters, letter), in_b = place_of(b.letters, letter);
      if (!has(b.letters, letter)) {
        free.push_back(letter);
      } else if (needed(letter, first)) {
        dot.lhs_batching_dimensions.push_back(in_a);
        dot.rhs_batching_dimensions.push_back(in_b);
        letters.push_back(letter);
      } else {
        dot.lhs_contracting_dimensions.push_back(in_a);
        dot.rhs_contracting_dimensions.push_back(in_b);
      }
    }
    for (const int letter : b.letters)
      if (!has(a.letters, letter)) free.push_back(letter);
    letters.insert(letters.end(), free.begin(), free.end());
    if (!dot.lhs_contracting_dimensions.empty())
      return {dot_general({a.array, told_.where}, {b.array, told_.where}, std::move(dot)), std::move(letters)};
    return {operand{repeated(a, letters), told_.where} * operand{repeated(b, letters), told_.where}, letters};
  }

  Array repeated(const Term& term, const Letters& letters) const {
    Dims shape, dimensions;
    for (const int letter : letters) shape.push_back(extents_.at(letter));
    for (const int letter : term.letters) dimensions.push_back(place_of(letters, letter));
    // The dimensions of an operand of broadcast_in_dim go up.
    Dims order(dimensions.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::int64_t d) { return dimensions[static_cast<std::size_t>(d)]; });
    std::ranges::sort(dimensions);
    return broadcast_in_dim(transpose(term.array, std::move(order)), Shape{std::move(shape)}, std::move(dimensions));
  }

  const Subscripts& told_;
  std::vector<Term> terms_;
  Letters result_;
  std::map<int, std::int64_t> extents_;
};

}  // namespace

Array einsum(const Subscripts& subscripts, const std::vector<Array>& operands) {
  const ComposedAt scope{subscripts.where};
  return Einsum{subscripts, operands}.result();
}
Array einsum(const Subscripts& subscripts, operand a) { return einsum(subscripts, std::vector<Array>{a.array()}); }
Array einsum(const Subscripts& subscripts, operand a, operand b) {
  return einsum(subscripts, std::vector<Array>{a.array(), b.array()});
}

}  // namespace octet
