module octet.compile;
import octet.base;
import octet.standard;
import :buckets;
import :fitted;
import :seen_shapes;

namespace octet {

namespace {

/// `batch` of `batch.tokens`.
std::string root_of(const std::string& name) { return name.substr(0, name.find('.')); }

}  // namespace

SeenShapes::Form* SeenShapes::form(std::span<const std::string> names, std::span<const Tensor> tensors) {
  const auto is = [&](const Form& form) {
    if (!std::ranges::equal(form.names, names)) return false;
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (form.first[i].rank() != tensors[i].shape().rank()) return false;
    return true;
  };
  const auto found = std::ranges::find_if(forms_, is);
  if (found != forms_.end()) return &*found;
  if (forms_.size() == most_forms) return nullptr;
  Form& added = forms_.emplace_back();
  added.names.assign(names.begin(), names.end());
  for (const Tensor& tensor : tensors) added.first.push_back(tensor.shape());
  return &added;
}

std::optional<SeenShapes::Place> SeenShapes::add(std::span<const std::string> names, std::span<const Tensor> tensors) {
  ++calls_;
  Form* const its = form(names, tensors);
  if (!its) {
    ++beyond_;
    return std::nullopt;
  }
  std::vector<Form::Position> fresh;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Shape& now = tensors[i].shape();
    if (now == its->first[i]) continue;
    for (std::int64_t d = 0; d < now.rank(); ++d)
      if (now[d] != its->first[i][d] && std::ranges::none_of(its->varying, [&](const Form::Position& known) {
            return known.array == i && known.dimension == d;
          }))
        fresh.push_back({i, d});
  }
  if (!fresh.empty() && shapes_ >= most_shapes) {
    ++beyond_;
    return std::nullopt;
  }
  if (!fresh.empty()) {
    ++fineness_;
    std::map<Dims, std::uint64_t> longer;
    for (const auto& [extents, times] : its->calls) {
      Dims key = extents;
      for (const Form::Position& position : fresh) key.push_back(its->first[position.array][position.dimension]);
      longer.emplace(std::move(key), times);
    }
    its->calls = std::move(longer);
    its->varying.insert(its->varying.end(), fresh.begin(), fresh.end());
  }
  Dims key;
  for (const Form::Position& position : its->varying)
    key.push_back(tensors[position.array].shape()[position.dimension]);
  const auto found = its->calls.find(key);
  if (found == its->calls.end() && shapes_ >= most_shapes) {
    ++beyond_;
    return std::nullopt;
  }
  ++its->count;
  if (found != its->calls.end()) {
    ++found->second;
  } else {
    its->calls.emplace(key, 1);
    ++shapes_;
  }
  return Place{static_cast<std::size_t>(its - forms_.data()), std::move(key), fineness_};
}

void SeenShapes::add(const Place& place) {
  Form& its = forms_[place.form];
  ++calls_;
  ++its.count;
  ++its.calls.at(place.extents);
}

std::vector<VaryingExtent> SeenShapes::varying() const {
  std::vector<VaryingExtent> result;
  const auto form = std::ranges::max_element(forms_, {}, &Form::count);
  if (form == forms_.end()) return result;
  std::vector<bool> taken(form->varying.size(), false);
  for (std::size_t p = 0; p < form->varying.size(); ++p) {
    if (taken[p]) continue;
    VaryingExtent each;
    for (std::size_t q = p; q < form->varying.size(); ++q)
      if (std::ranges::all_of(form->calls, [&](const auto& call) { return call.first[p] == call.first[q]; })) {
        taken[q] = true;
        each.dimensions.push_back({form->names[form->varying[q].array], form->varying[q].dimension});
      }
    for (const auto& [extents, times] : form->calls) each.extents[extents[p]] += static_cast<std::int64_t>(times);
    for (std::size_t i = 0; i < form->names.size(); ++i)
      for (const VaryingExtent::Dimension& own : each.dimensions) {
        const VaryingExtent::Dimension other{form->names[i], own.dimension};
        if (root_of(form->names[i]) != root_of(own.array) || form->first[i].rank() <= own.dimension ||
            std::ranges::find(each.dimensions, other) != each.dimensions.end())
          continue;
        each.also.push_back(form->names[i]);
        break;
      }
    result.push_back(std::move(each));
  }
  return result;
}

std::optional<SeenOutcome> SeenShapes::under(std::span<const Bucket> buckets) const {
  SeenOutcome outcome;
  for (const Form& form : forms_) {
    // Which rule decides what is the same for all calls of a form.
    std::vector<Shape> shapes = form.first;
    std::vector<BucketedDimension> decided;
    try {
      std::vector<const Shape*> places;
      for (const Shape& shape : shapes) places.push_back(&shape);
      decided = bucketed_dimensions(form.names, places, buckets);
    } catch (const Error&) {
      return std::nullopt;  // a rule names nothing that this form has
    }
    std::vector<bool> varies(shapes.size(), false);
    for (const Form::Position& position : form.varying) varies[position.array] = true;
    std::set<Dims> programs;
    for (const auto& [extents, times] : form.calls) {
      for (std::size_t p = 0; p < extents.size(); ++p)
        shapes[form.varying[p].array][form.varying[p].dimension] = extents[p];
      std::vector<std::int64_t> longest(buckets.size(), 0);
      for (const BucketedDimension& each : decided)
        longest[each.rule] = std::max(longest[each.rule], shapes[each.array][each.dimension]);
      std::vector<std::pair<std::size_t, Shape>> padded;
      for (std::size_t i = 0; i < shapes.size(); ++i)
        if (varies[i]) padded.emplace_back(i, shapes[i]);
      for (const BucketedDimension& each : decided) {
        if (!varies[each.array]) continue;
        const BucketPolicy& policy = buckets[each.rule].policy;
        const std::int64_t extent =
            policy.kind() == BucketPolicy::Kind::longest ? longest[each.rule] : shapes[each.array][each.dimension];
        if (!policy.holds(extent)) return std::nullopt;
        std::ranges::find(padded, each.array, &std::pair<std::size_t, Shape>::first)->second[each.dimension] =
            policy.bucket(extent);
      }
      Dims program;
      for (const auto& [i, shape] : padded) {
        program.insert(program.end(), shape.begin(), shape.end());
        const auto count = static_cast<std::int64_t>(times);
        outcome.elements += {count * shapes[i].elements(), count * (shape.elements() - shapes[i].elements())};
      }
      programs.insert(std::move(program));
    }
    outcome.programs += programs.size();
  }
  return outcome;
}

}  // namespace octet
