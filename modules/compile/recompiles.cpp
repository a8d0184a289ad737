/// What Specializations makes of the compiles it sees: cures, the alarm and the explanation.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :buckets;
import :cache;
import :explanation;
import :jit;
import :seen_shapes;
import :signature;
import :trace_difference;

namespace octet {

namespace {

constexpr std::size_t remembered_compiles = 16;

/// `dimension 1 of batch.tokens and 2 more arrays is 32, 37, 41`.
std::string varying_text(const VaryingExtent& each) {
  const VaryingExtent::Dimension& first = each.dimensions.front();
  std::set<std::string> arrays;
  for (const VaryingExtent::Dimension& dimension : each.dimensions) arrays.insert(dimension.array);
  std::string text = "dimension " + std::to_string(first.dimension) + " of " + first.array;
  if (arrays.size() > 1)
    text += " and " + std::to_string(arrays.size() - 1) + (arrays.size() == 2 ? " more array" : " more arrays");
  return text + " is " + extents_text(each.extents);
}

/// X302 and X306 are handed to a callback, which sees them as an Error would have them: with the catalogue's parts.
Diagnostic completed(Diagnostic diagnostic) { return Error{{std::move(diagnostic)}}.diagnostics().front(); }

}  // namespace

SeenShapes Specializations::seen() const {
  const std::lock_guard lock{mutex_};
  return seen_;
}

std::vector<Cure> Specializations::cures_for(const CompileEvent& event) const {
  const CacheStatistics statistics = cache_.statistics();
  const SeenShapes shapes = seen();
  return cures(event.differences, shapes, options_.buckets,
               {statistics.compile_milliseconds, statistics.misses - statistics.failures, statistics.run_milliseconds,
                options_.max_programs});
}

Diagnostic Specializations::alarm(const CompileEvent& event, std::uint64_t compiles, double share) const {
  const CacheStatistics statistics = cache_.statistics();
  Diagnostic diagnostic{.number = 302,
                        .sentence = options_.name + " was compiled " + std::to_string(compiles) + " times in " +
                                    std::to_string(statistics.hits + statistics.misses) + " calls, which took " +
                                    in_percent(share) + " of its time."};
  if (const auto program = cache_.find(event.signature))
    for (const TraceDigest::Operation& operation : program->trace.operations)
      if (operation.place.known()) {
        diagnostic.where = operation.place;
        break;
      }
  for (const VaryingExtent& each : seen().varying()) {
    if (diagnostic.because.size() == 4) break;
    diagnostic.because.push_back({varying_text(each), {}});
  }
  if (!event.differences.empty() && event.differences.front().kind != SignatureDifference::Kind::extent)
    diagnostic.because.push_back({"last time, " + to_string(event.differences.front()), {}});
  for (const Cure& cure : event.cures) diagnostic.fix.push_back(cure.text());
  return completed(std::move(diagnostic));
}

void Specializations::compiled(const CompileEvent& event) {
  std::optional<Diagnostic> alarm, unstable;
  {
    const double run = cache_.statistics().run_milliseconds;
    std::unique_lock lock{mutex_};
    latest_.push_back(event);
    if (latest_.size() > remembered_compiles) latest_.pop_front();
    if (warming_ == 0) {
      ++unasked_;
      unasked_milliseconds_ += event.milliseconds;
    }
    const std::uint64_t compiles = unasked_;
    const double share = unasked_milliseconds_ / std::max(unasked_milliseconds_ + run, 1e-9);
    const bool due = warming_ == 0 && !alarmed_ && compiles >= options_.alarm.compiles && share >= options_.alarm.share;
    alarmed_ |= due;
    const bool retraced = event.retraced && !unstable_;
    unstable_ |= retraced;
    lock.unlock();
    if (due && options_.on_alarm) alarm = this->alarm(event, compiles, share);
    if (retraced && options_.on_alarm) unstable = completed(unstable_trace(options_.name, *event.retraced));
  }
  if (options_.on_compile) options_.on_compile(event);
  if (alarm) options_.on_alarm(*alarm);
  if (unstable) options_.on_alarm(*unstable);
}

std::string Specializations::explain() const {
  const CacheStatistics statistics = cache_.statistics();
  const double together = statistics.compile_milliseconds + statistics.run_milliseconds;
  std::string text = options_.name + ": " + std::to_string(statistics.hits + statistics.misses) + " calls, " +
                     std::to_string(statistics.misses - statistics.failures) + " compiles in " +
                     in_milliseconds(statistics.compile_milliseconds) + " (" +
                     in_percent(together > 0 ? statistics.compile_milliseconds / together : 0) + " of the time), " +
                     in_percent(statistics.elements.share()) + " padding";
  const SeenShapes shapes = seen();
  for (const VaryingExtent& each : shapes.varying()) text += "\n" + varying_text(each);
  if (shapes.beyond() > 0)
    text += "\n" + std::to_string(shapes.beyond()) + " calls had further shapes, beyond the " +
            std::to_string(SeenShapes::most_shapes) + " that are remembered";
  std::unique_lock lock{mutex_};
  std::vector<CompileEvent> latest{latest_.begin(), latest_.end()};
  lock.unlock();
  std::set<std::string> told;
  for (CompileEvent& event : latest) {
    // Of all calls until now: what would have cured those until then may refuse a later one.
    if (!event.cures.empty()) event.cures = cures_for(event);
    std::erase_if(event.cures, [&](const Cure& cure) { return !told.insert(cure.text()).second; });
    text += "\n" + event.explain();
  }
  return text;
}

}  // namespace octet
